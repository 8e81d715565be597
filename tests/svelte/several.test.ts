// @vitest-environment happy-dom
import { createDataAll, createEndRef, createInfinite } from 'restitch/svelte'
import { flushSync, mount, unmount } from 'svelte'
import { toStore } from 'svelte/store'
import { afterEach, expect, test, vi } from 'vitest'
import { open, Todo } from '../../src/testing/contract/Adapter.ts'
import { deferredEndpoint } from '../../src/testing/endpoints.ts'
import { FakeObservers } from '../../src/testing/FakeObservers.ts'
import { openPagedTodos } from '../../src/testing/pagedTodos.ts'
import { tick } from '../../src/testing/TestClock.ts'
import Around from './Around.svelte'

let ends: (() => void)[] = []
afterEach(() => {
  ends.forEach((end) => end())
  vi.unstubAllGlobals()
})

function run(setup: (app: { id: string }) => void): ReturnType<typeof open> {
  const opened = open()
  const component = mount(Around, {
    target: document.createElement('div'),
    props: { setup, store: opened.store },
  })
  ends = [() => void unmount(component)]
  return opened
}

async function settle(change?: () => unknown): Promise<void> {
  await change?.()
  flushSync()
  await tick()
  flushSync()
  await tick()
}

function follow(read: () => unknown): void {
  ends.push(toStore(read).subscribe(() => {}))
}

test('SIG-7 createDataAll, awaited, has all data, and its array is the same until an item changes', async () => {
  const get = deferredEndpoint('get', Todo)
  let all: any
  const { store } = run(() => {
    all = createDataAll(['1', '2'].map((id) => [get, { id }] as const) as never)
  })
  let loaded: any
  void all.then((value: unknown) => (loaded = value))
  await settle()
  expect(get.calls).toHaveLength(2)
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  expect([loaded, all.data, all.loading]).toEqual([undefined, undefined, true])
  await settle(() => get.calls[1].answer({ id: '2', title: 'two' }))
  const titles: string[] = []
  follow(() => titles.push(loaded.data.map(({ title }: Todo) => title).join()))
  expect([titles.at(-1), all.loading, all.error]).toEqual(['one,two', false, undefined])
  titles.length = 0
  await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'one' }))
  await settle(() => store.controller.set(Todo, { id: '1' }, { id: '1', title: 'new' }))
  expect(titles).toEqual(['new,two'])
})

test('SIG-7 createDataAll, awaited, rejects with the error of a read; later its data throws it', async () => {
  const get = deferredEndpoint('get', Todo)
  let all: any
  let app!: { id: string }
  run((state) => {
    app = state
    all = createDataAll((() => [[get, { id: state.id }]]) as never)
  })
  follow(() => all.states)
  await settle(() => get.calls[0].answer({ id: '1', title: 'one' }))
  const loaded = await all
  await settle(() => {
    app.id = '2'
  })
  expect(loaded.data[0].title).toBe('one')
  await settle(() => get.calls[1].fail(Object.assign(new Error('gone'), { status: 404 })))
  expect(() => loaded.data as unknown).toThrow('gone')
  expect([all.data, all.error.message]).toEqual([undefined, 'gone'])
  await expect(all).rejects.toThrow('gone')
})

test.each(['attach', 'use'])(
  'SIG-8 the end of a list in view loads the next page, until one fails (%s)',
  async (way) => {
    const observers = new FakeObservers()
    vi.stubGlobal('IntersectionObserver', observers.Observer)
    const { endpoint, asked } = openPagedTodos()
    let list: any
    let last: any
    run(() => {
      list = createInfinite(endpoint)
      last = createEndRef(list)
    })
    follow(() => list.items)
    const end = last(document.createElement('div'))
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
    void list.fetchNextPage()
    way === 'attach' ? end() : end.destroy()
    expect(observers.current).toEqual([])
  },
)
