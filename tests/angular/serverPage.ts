import '@angular/compiler'
import { type ApplicationRef, provideZonelessChangeDetection } from '@angular/core'
import { bootstrapApplication, provideClientHydration } from '@angular/platform-browser'
import { provideServerRendering, renderApplication } from '@angular/platform-server'
import { provideRestitch, provideServerRestitch } from 'restitch/angular'
import { PAGES } from '../../src/testing/contract/pages.ts'
import { App, Probes, PROBES } from './probes.ts'

/** Renders a page as a server does. */
async function renderPage(
  page: keyof typeof PAGES,
): Promise<{ readonly html: string; readonly calls: readonly string[] }> {
  const { uses, calls } = PAGES[page]()
  const providers = [
    provideZonelessChangeDetection(),
    provideRestitch(),
    provideServerRendering(),
    provideServerRestitch(),
    provideClientHydration(),
    { provide: PROBES, useValue: new Probes(uses) },
  ]
  const html = await renderApplication(
    (context): Promise<ApplicationRef> => bootstrapApplication(App, { providers }, context),
    { document: '<html><head></head><body><app-root id="app"></app-root></body></html>', url: '/' },
  )
  return { html: html.replace(/^[\s\S]*<body[^>]*>|<\/body>[\s\S]*$/g, ''), calls }
}

process.stdout.write(`\n${JSON.stringify(await renderPage(process.argv[2] as 'reads'))}`)
