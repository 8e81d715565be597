// @vitest-environment happy-dom
// Composables that React had alone: several reads at once, errors, and the end of a list.
import { useDLEAll, useEndRef, useError, useInfinite, useInfiniteDLE, useSuspenseAll } from 'restitch/vue'
import { afterEach, expect, test, vi } from 'vitest'
import { defineComponent, nextTick, shallowRef } from 'vue'
import { FakeObservers } from '../../src/testing/FakeObservers.ts'
import { openPagedTodos } from '../../src/testing/pagedTodos.ts'
import { deferredEndpoint, h, open, settle, show, Todo } from './cases.ts'

afterEach(() => vi.unstubAllGlobals())

const todo = (id: string, title = id): object => ({ id, title })

test('HK-11 useDLEAll has the state of each read, and keeps those that stay', async () => {
  const get = deferredEndpoint('get', Todo)
  const ids = shallowRef(['1', '2'])
  const screen = await show(
    defineComponent(() => {
      const all: any = useDLEAll(() => ids.value.map((id) => [get, { id }] as const))
      return () =>
        all.value.map(({ data, loading, error }: any) => (loading ? '…' : (error?.message ?? data.title))).join()
    }),
  )
  expect(screen.text()).toBe('…,…')
  await settle(() => get.calls[0].answer(todo('1')))
  await settle(() => get.calls[1].fail(new Error('gone')))
  expect(screen.text()).toBe('1,gone')
  await settle(() => (ids.value = ['3', '1']))
  expect(screen.text()).toBe('…,1')
  await settle(() => get.calls[2].answer(todo('3')))
  expect(screen.text()).toBe('3,1')
  expect(get.calls).toHaveLength(3)
})

test('HK-11 useSuspenseAll starts all requests, and its array is the same until an item changes', async () => {
  const get = deferredEndpoint('get', Todo)
  let all: any
  const screen = await show(
    defineComponent(async () => {
      all = await useSuspenseAll([
        [get, { id: '1' }],
        [get, { id: '2' }],
      ])
      return () => all.value.map(({ title }: Todo) => title).join()
    }),
  )
  expect(screen.text()).toBe('loading')
  expect(get.calls).toHaveLength(2)
  await settle(() => get.calls[0].answer(todo('1')))
  expect(screen.text()).toBe('loading')
  await settle(() => get.calls[1].answer(todo('2')))
  expect(screen.text()).toBe('1,2')
  const before: unknown = all.value
  await settle(() => screen.store.controller.set(Todo, { id: '1' }, todo('1')))
  expect(all.value).toBe(before)
  await settle(() => screen.store.controller.set(Todo, { id: '1' }, todo('1', 'new')))
  expect(screen.text()).toBe('new,2')
})

test('HK-11 useSuspenseAll throws the error of a read at once', async () => {
  const get = deferredEndpoint('get', Todo)
  const screen = await show(
    defineComponent(async () => {
      const all = await useSuspenseAll([
        [get, { id: '1' }],
        [get, { id: '2' }],
      ])
      return () => String(all.value.length)
    }),
  )
  await settle(() => get.calls[1].fail(new Error('gone')))
  expect(screen.text()).toBe('failed: gone')
})

test('HK-5 useError shows the stored error, and fetches nothing', async () => {
  const get = deferredEndpoint('get', Todo)
  const { store, clock } = open()
  const screen = await show(
    defineComponent(() => {
      const error = useError(get, { id: '1' })
      return () => error.value?.message ?? 'none'
    }),
    { store, clock },
  )
  expect([screen.text(), get.calls.length]).toEqual(['none', 0])
  const sent = store.controller.fetch(get, { id: '1' }).catch(() => {})
  await settle(() => get.calls[0].fail(Object.assign(new Error('gone'), { status: 404 })))
  await sent
  expect(screen.text()).toBe('gone')
})

test.each([
  ['useInfinite', useInfinite],
  ['useInfiniteDLE', useInfiniteDLE],
])('PAG-8 the end of a list in view loads the next page, until one fails (%s)', async (_name, use) => {
  const observers = new FakeObservers()
  vi.stubGlobal('IntersectionObserver', observers.Observer)
  const { endpoint, asked } = openPagedTodos()
  const screen = await show(
    defineComponent(async () => {
      const list: any = await use(endpoint as never)
      const end = useEndRef(list)
      return () => [
        list.items.value?.map(({ id }: Todo) => id).join(),
        list.error.value?.message,
        h('div', { ref: end }),
      ]
    }),
  )
  const settled = (): Promise<void> => settle(() => new Promise((done) => setTimeout(done, 5))).then(() => nextTick())
  await settled()
  expect(screen.text()).toBe('1')
  expect(observers.current).toHaveLength(1)
  observers.show()
  await settled()
  expect(screen.text()).toBe('1,2')
  expect(observers.current).toHaveLength(1)
  observers.show()
  await settled()
  expect(screen.text()).toBe('1,2down')
  expect([observers.current.length, asked]).toEqual([0, ['1', '2', '3']])
  screen.unmount()
})
