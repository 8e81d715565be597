// @vitest-environment happy-dom
import { AsyncBoundary, createDataAll, createEndRef, createInfinite, RestitchProvider } from 'restitch/solid'
import { createComponent, createRenderEffect, createSignal, type JSX } from 'solid-js'
import { render } from 'solid-js/web'
import { afterEach, expect, test, vi } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { FakeObservers } from '../../src/testing/FakeObservers.ts'
import { openPagedTodos } from '../../src/testing/pagedTodos.ts'
import { tick } from '../../src/testing/TestClock.ts'

let end: (() => void) | undefined
afterEach(() => {
  end?.()
  vi.unstubAllGlobals()
})

/** Shows a component inside of a boundary. */
function show(setup: () => JSX.Element): { text: () => string | null } & ReturnType<typeof open> {
  const opened = open()
  const element = document.createElement('div')
  const boundary = (): JSX.Element =>
    createComponent(AsyncBoundary, {
      fallback: 'loading',
      error: (error: Error) => `failed: ${error.message}`,
      get children() {
        return createComponent(setup, {})
      },
    })
  end = render(
    () =>
      createComponent(RestitchProvider, {
        store: opened.store,
        get children() {
          return boundary()
        },
      }),
    element,
  )
  return { ...opened, text: () => element.textContent }
}

async function settle(run?: () => unknown): Promise<void> {
  await run?.()
  await tick()
  await tick()
}

test('SIG-7 createDataAll, called, suspends until all data is there, and its array is the same until an item changes', async () => {
  const get = deferredEndpoint('get', Todo)
  let all: any
  const { text, store } = show(() => {
    all = createDataAll(['1', '2'].map((id) => [get, { id }] as const) as never)
    return (() =>
      all()
        ?.map(({ title }: Todo) => title)
        .join()) as never
  })
  await settle()
  expect(text()).toBe('loading')
  expect(get.calls).toHaveLength(2)
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect([text(), all.data, all.loading]).toEqual(['loading', undefined, true])
  await settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
  expect([text(), all.loading, all.error]).toEqual(['one,two', false, undefined])
  const before: unknown = all.data
  await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'one' }))
  expect(all.data).toBe(before)
  await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'new' }))
  expect(text()).toBe('new,two')
})

test('SIG-7 createDataAll throws the error of a read at once, when it is called', async () => {
  const get = deferredEndpoint('get', Todo)
  const [ids, setIds] = createSignal(['1'])
  let all: any
  const { text } = show(() => {
    all = createDataAll((() => ids().map((id) => [get, { id }])) as never)
    return (() => all()?.length) as never
  })
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect(text()).toBe('1')
  await settle(() => setIds(['1', '2', '3']))
  await settle(() => get.calls[1].fail(Object.assign(new Error('gone'), { status: 404 })))
  expect(text()).toBe('failed: gone')
  expect([all.data, all.error.message, all.states[0].data.title]).toEqual([undefined, 'gone', 'one'])
})

test('SIG-8 the end of a list in view loads the next page, until one fails', async () => {
  const observers = new FakeObservers()
  vi.stubGlobal('IntersectionObserver', observers.Observer)
  const { endpoint, asked } = openPagedTodos()
  let list: any
  show(() => {
    list = createInfinite(endpoint)
    const last = createEndRef(list)
    const element = document.createElement('div')
    last(element)
    createRenderEffect(() => list.items)
    return element
  })
  for (const [shown, count] of [
    ['1', 1],
    ['1,2', 1],
    ['1,2', 0],
  ] as const) {
    await expect
      .poll(async () => {
        await settle()
        return [list.items?.map(({ id }: Todo) => id).join(), observers.current.length, list.fetchingNextPage]
      })
      .toEqual([shown, count, false])
    observers.show()
  }
  expect(list.error.message).toBe('down')
  expect(asked).toEqual(['1', '2', '3'])
})
