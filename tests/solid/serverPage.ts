import { createServerRestitch, RestitchProvider } from 'restitch/solid'
import { createComponent } from 'solid-js'
import { escape, renderToStringAsync, ssr, ssrHydrationKey } from 'solid-js/web'
import { PAGES } from '../../src/testing/contract/pages.ts'
import { createProbes } from './probes.ts'

/** Renders a page as a server does. It is bundled, since Solid has other modules for servers than for browsers. */
export async function renderPage(
  page: keyof typeof PAGES,
): Promise<{ readonly html: string; readonly state: string; readonly calls: readonly string[] }> {
  const { uses, calls } = PAGES[page]()
  const restitch = createServerRestitch()
  const { show } = createProbes(uses, (text) => ssr(['<p', '>', '</p>'], ssrHydrationKey(), escape(text())) as never)
  const html = await renderToStringAsync(() =>
    createComponent(RestitchProvider, {
      store: restitch.store,
      get children() {
        return show()
      },
    }),
  )
  return { html, state: restitch.renderState(), calls }
}
