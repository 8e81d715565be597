import '@angular/compiler'
import {
  type ApplicationRef,
  Component,
  type EnvironmentProviders,
  input,
  Input,
  type Provider,
  provideZonelessChangeDetection,
  REQUEST,
  type Type,
} from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { provideServerRendering, renderApplication } from '@angular/platform-server'
import { Endpoint } from 'restitch'
import { injectData, injectLive, injectQuery, provideRestitch, provideServerRestitch } from 'restitch/angular'
import { Todo } from '../../src/testing/contract/Adapter.ts'

let calls: string[] = []
const get: any = new Endpoint(
  ({ id }: { id: string }) => {
    calls.push(id)
    return id === 'late'
      ? new Promise<object>(() => setTimeout(() => aborter.abort(), 100))
      : id === 'gone'
        ? Promise.reject(Object.assign(new Error('no such todo'), { status: 404 }))
        : Promise.resolve({ id, title: `title ${id}` })
  },
  { name: 'get', schema: Todo },
)
const getIds = new Endpoint(() => Promise.resolve(['1', '2']), { name: 'ids', pollFrequency: 10 })

class Title {
  readonly id = input.required<string>()
  readonly todo = injectData<any, any>(get, () => ({ id: this.id() }))
}
Input({ isSignal: true, alias: 'id', required: true } as Input)(Title.prototype, 'id')
Component({
  selector: 'app-title',
  template: '<p>{{ todo.loading() ? "loading" : todo.error()?.message ?? todo.data()?.title }}</p>',
})(Title)

class List {
  readonly ids = injectLive(getIds)
  readonly first = injectQuery(Todo, { id: '1' })
}
Component({
  selector: 'app-root',
  imports: [Title],
  template: '@for (id of ids.data(); track id) { <app-title [id]="id" /> }<b>{{ first()?.title }}</b>',
})(List)

class Single {
  readonly id = ID.now
}
const ID = { now: '' }
Component({ selector: 'app-root', imports: [Title], template: '<app-title [id]="id" />' })(Single)

async function render(App: Type<unknown>, providers: (Provider | EnvironmentProviders)[]): Promise<object> {
  calls = []
  const all = [provideZonelessChangeDetection(), provideRestitch(), provideServerRendering(), ...providers]
  const html = await renderApplication(
    (context): Promise<ApplicationRef> => bootstrapApplication(App, { providers: all }, context),
    { document: '<html><head></head><body><app-root></app-root></body></html>', url: '/' },
  )
  return { html, calls: calls.join() }
}

// As a server does that listens.
setInterval(() => {}, 60_000)
const aborter = new AbortController()
const results: Record<string, object> = {
  list: await render(List, [provideServerRestitch()]),
  failed: ((ID.now = 'gone'), await render(Single, [provideServerRestitch()])),
  timeout: ((ID.now = 'late'), await render(Single, [provideServerRestitch({ timeout: 50 })])),
  aborted: await render(Single, [
    { provide: REQUEST, useValue: { signal: aborter.signal } },
    provideServerRestitch(() => ({})),
  ]),
}
process.stdout.write(`\n${JSON.stringify(results)}`, () => process.exit())
