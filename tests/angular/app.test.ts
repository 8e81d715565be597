// @vitest-environment happy-dom
import '@angular/compiler'
import {
  Component,
  createEnvironmentInjector,
  destroyPlatform,
  EnvironmentInjector,
  runInInjectionContext,
  signal,
} from '@angular/core'
import { createStore, getDefaultManagers, type Manager } from 'restitch'
import {
  injectController,
  injectData,
  injectDataAll,
  injectEndRef,
  injectInfinite,
  injectLive,
  injectMutation,
  injectOutbox,
  injectQuery,
  injectSubscription,
  injectUndoable,
  provideRestitch,
} from 'restitch/angular'
import { outbox } from 'restitch/outbox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { FakeObservers } from '../../src/testing/FakeObservers.ts'
import { openPagedTodos } from '../../src/testing/pagedTodos.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Tasks, TodoApi } from '../../src/testing/TodoApi.ts'
import { mountApp, settle } from './mountApp.ts'

beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
afterEach(() => {
  destroyPlatform()
  document.body.innerHTML = ''
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('SIG-7 the array of injectDataAll is the same until an item changes, and an error counts at once', async () => {
  const get = deferredEndpoint('get', Todo)
  const { store } = open()
  class Page {
    readonly ids = signal(['1', '2'])
    readonly all = injectDataAll(() => this.ids().map((id) => [get, { id }] as const) as never) as any
  }
  const { instance } = await mountApp('{{ all.loading() }}', Page, [provideRestitch({ store })])
  const { all, ids } = instance
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect([all.data(), all.loading(), all.error()]).toEqual([undefined, true, undefined])
  await settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
  expect(all.state()).toMatchObject({ data: [{ title: 'one' }, { title: 'two' }], loading: false, error: undefined })
  const before: unknown = all.data()
  await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'one' }))
  expect(all.data()).toBe(before)
  await settle(() => ids.set(['1', '3', '4']))
  await settle(() => get.calls[2].fail(Object.assign(new Error('gone'), { status: 404 })))
  expect([all.data(), all.error().message, all.states()[0].data.title]).toEqual([undefined, 'gone', 'one'])
})

test('SIG-8 the end of a list in view loads the next page, until one fails', async () => {
  const observers = new FakeObservers()
  vi.stubGlobal('IntersectionObserver', observers.Observer)
  const { endpoint, asked } = openPagedTodos()
  class Page {
    readonly list = injectInfinite(endpoint) as any
    readonly end = signal<Element | undefined>(undefined)
    constructor() {
      injectEndRef(this.list, this.end)
    }
  }
  const { instance } = await mountApp('{{ list.items()?.length }}', Page, [provideRestitch({ store: open().store })])
  const { list } = instance
  await settle(() => instance.end.set(document.body.appendChild(document.createElement('div'))))
  for (const [shown, count] of [
    ['1', 1],
    ['1,2', 1],
    ['1,2', 0],
  ] as const) {
    await expect
      .poll(async () => {
        await settle()
        return [
          list
            .items()
            ?.map(({ id }: Todo) => id)
            .join(),
          observers.current.length,
          list.fetchingNextPage(),
        ]
      })
      .toEqual([shown, count, false])
    observers.show()
  }
  expect(list.error().message).toBe('down')
  expect(list.state()).toMatchObject({ items: [{ id: '1' }, { id: '2' }], loading: false })
  expect(asked).toEqual(['1', '2', '3'])
})

test('SIG-13 an app is stable when reads and mutations have ended, not while it polls', async () => {
  const get = deferredEndpoint('get', Todo, { pollFrequency: 5_000 })
  const save = deferredEndpoint('save', Todo, { sideEffect: true })
  class Page {
    readonly todo = injectLive(get, { id: '1' })
    readonly save = injectMutation(save)
  }
  const { app, instance } = await mountApp('{{ todo.data()?.title }}', Page, [provideRestitch({ store: open().store })])
  const stable: boolean[] = []
  app.isStable.subscribe((now) => stable.push(now))
  expect(stable).toEqual([false])
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(stable).toEqual([false, true])
  await settle(() => instance.save.mutate({ id: '1' }))
  expect(stable).toEqual([false, true, false])
  await settle(() => save.calls[0].fail(new Error('no')))
  expect(stable).toEqual([false, true, false, true])
})

test('SIG-15 apps on one page have a store each, which runs as long as the app', async () => {
  const events: string[] = []
  const managers = (name: string) => (): { managers: Manager[] } => ({
    managers: [
      {
        middleware: () => (next) => next,
        init: () => void events.push(`${name} starts`),
        cleanup: () => void events.push(`${name} stops`),
      },
      ...getDefaultManagers(),
    ],
  })
  class Page {
    readonly controller = injectController()
    readonly todo = injectQuery(Todo, { id: '1' })
  }
  class Other extends Page {}
  const template = '{{ todo()?.title ?? "none" }}'
  const first = await mountApp(template, Page, [provideRestitch(managers('first'))])
  const second = await mountApp(template, Other, [provideRestitch(managers('second'))])
  expect(events).toEqual(['first starts', 'second starts'])
  await settle(() => first.instance.controller.set(Todo, { id: '1' }, { id: '1', title: 'one' }))
  expect([first.text(), second.text()]).toEqual(['one', 'none'])
  first.app.destroy()
  await settle()
  expect(events).toEqual(['first starts', 'second starts', 'first stops'])
  await settle(() => second.instance.controller.set(Todo, { id: '1' }, { id: '1', title: 'two' }))
  expect(second.text()).toBe('two')
})

test('SIG-15 the providers of a route give a store to its components', async () => {
  class Page {
    readonly controller = injectController()
  }
  const { app, instance } = await mountApp('', Page, [provideRestitch()])
  const injector = createEnvironmentInjector([provideRestitch()], app.injector.get(EnvironmentInjector))
  const controller = runInInjectionContext(injector, () => injectController())
  expect(controller).not.toBe(instance.controller)
  injector.destroy()
})

test('FW-4 nothing of a component runs after it is destroyed', async () => {
  const get = deferredEndpoint('get', Todo, { pollFrequency: 1_000, dataExpiryLength: 500 })
  const list = deferredEndpoint('list', [Todo], { dataExpiryLength: 500 })
  const { store, clock } = open()
  class Detail {
    readonly live = injectLive(get, { id: '1' })
    readonly list = injectData(list)
    readonly same = injectSubscription(get, { id: '1' })
  }
  Component({ selector: 'app-detail', template: '{{ live.data()?.title }} {{ live.stale() }} {{ list.fetching() }}' })(
    Detail,
  )
  class Page {
    readonly isOpen = signal(true)
  }
  const { instance } = await mountApp('@if (isOpen()) { <app-detail /> }', Page, [provideRestitch({ store })], {
    imports: [Detail],
  })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  await settle(() => instance.isOpen.set(false))
  await settle(() => clock.pass(1))
  expect(list.calls[0].signal.aborted).toBe(true)
  await settle(() => clock.pass(60_000))
  await store.controller.invalidateAll(get)
  await settle(() => clock.pass(60_000))
  expect([get.calls.length, list.calls.length]).toEqual([1, 1])
})

test('FW-10 a change that can be taken back shows in pending', async () => {
  const remove = deferredEndpoint('remove', Todo, { sideEffect: true, getOptimisticResponse: () => ({ id: '1' }) })
  class Page {
    readonly removal = injectUndoable(remove)
  }
  const { instance, text } = await mountApp('{{ removal.pending().length }}', Page, [
    provideRestitch({ store: open().store }),
  ])
  await settle(() => void instance.removal.mutate({ id: '1' }))
  expect(text()).toBe('1')
  await settle(() => instance.removal.undo())
  expect(text()).toBe('0')
})

test('OUT-20 injectOutbox shows what waits, and takes it back', async () => {
  const api = new TodoApi()
  api.isOnline = false
  const clock = new TestClock()
  const managers = [outbox({ endpoints: { create: Tasks.getList.push } }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  class Page {
    readonly outbox = injectOutbox()
  }
  const { instance, text } = await mountApp(
    '@for (entry of outbox.pending(); track entry.id) { {{ entry.args[0].title }} }',
    Page,
    [provideRestitch({ store })],
  )
  await settle(() => void store.controller.fetch(Tasks.getList.push, { title: 'a' }).catch(() => {}))
  await settle(() => clock.pass())
  await settle(() => clock.pass())
  expect(text()).toBe('a')
  await settle(() => void instance.outbox.discard(instance.outbox.pending()[0]!.id))
  await settle(() => clock.pass())
  await settle(() => clock.pass())
  expect(text()).toBe('')
  store.stop()
})
