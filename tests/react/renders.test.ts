// @vitest-environment happy-dom
import { memo, Profiler, type ReactNode, Suspense, use, useMemo, useState } from 'react'
import { All, Collection, Entity, Query } from 'restitch'
import {
  useCache,
  useController,
  useDLE,
  useDLEAll,
  useError,
  useFetch,
  useInfinite,
  useLive,
  useQuery,
  useSubscription,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react'
import { describe, expect, test } from 'vitest'
import { counted, h, is18, open, settle, show, Todo, deferredEndpoint } from './cases.ts'

const args = { id: '1' }
const one = { id: '1', title: 'one' }
const titles = new Query(new All(Todo), (all) => all.map(({ title }) => title).join())

// Each hook, and whether it shows a response.
const HOOKS: [name: string, use: (get: any, list: any) => unknown, related: number][] = [
  ['useSuspense', (get) => useSuspense(get, args), 1],
  ['useFetch', (get) => useFetch(get, args), 1],
  ...(is18 ? [] : [['use(useFetch)', (get: any) => use(useFetch(get, args) as Promise<any>), 1] as any]),
  ['useDLE', (get) => useDLE(get, args), 0],
  ['data of useDLE', (get) => useDLE(get, args).data, 1],
  ['loading of useDLE', (get) => useDLE(get, args).loading, 0],
  [
    'useSuspenseAll',
    (get, list) =>
      useSuspenseAll([
        [get, args],
        [list, {}],
      ]),
    1,
  ],
  [
    'useDLEAll',
    (get, list) =>
      useDLEAll([
        [get, args],
        [list, {}],
      ]),
    1,
  ],
  ['useCache', (get) => useCache(get, args), 1],
  ['useQuery of an Entity', () => useQuery(Todo, args), 1],
  ['useQuery of a Query', () => useQuery(titles), 1],
  ['useLive', (get) => useLive(get, args), 1],
  ['useInfinite', (_get, list) => useInfinite(list, {}).items, 1],
  ['useError', (get) => useError(get, args), 0],
  ['useSubscription', (get) => useSubscription(get, args), 0],
  ['useController', () => useController(), 0],
]

describe.each(HOOKS)('RCT-8 %s', (_name, useHook, related) => {
  test('RCT-8 HK-9 renders when what it shows has changed, and at no other time', async () => {
    const { store, clock } = open()
    const { controller } = store
    const get = deferredEndpoint('get', Todo, { dataExpiryLength: 100, pollFrequency: 1e8 })
    const list = deferredEndpoint('list', new Collection([Todo]), { dataExpiryLength: 100 })
    const other = deferredEndpoint('other', undefined)
    await controller.setResponse(get, args, one)
    await controller.setResponse(list, {}, [one])
    const Show = counted(() => (useHook(get, list), null))
    await show(h(Show), { store, clock })
    const rendersOf = async (run: () => unknown): Promise<number> => {
      Show.renders = 0
      await settle(() => void run())
      return Show.renders
    }
    const answer = async (): Promise<void> => {
      for (const call of get.calls.splice(0)) {
        await call.answer(one)
      }
      for (const call of list.calls.splice(0)) {
        await call.answer([one])
      }
    }
    // Something else.
    expect(await rendersOf(() => controller.setResponse(other, {}, { a: 1 }))).toBe(0)
    // The same again.
    expect(await rendersOf(() => controller.setResponse(get, args, { ...one }))).toBe(0)
    expect(await rendersOf(() => (void controller.fetch(get, args), answer()))).toBe(0)
    // Marked stale, refetched, and unchanged.
    expect(await rendersOf(() => controller.expireAll({ testKey: () => true }))).toBe(0)
    expect(await rendersOf(answer)).toBe(0)
    // Stale, and fetched by a new reader.
    clock.time += 101
    expect(await rendersOf(() => store.subscribe(get, [args], () => {}))).toBe(0)
    expect(await rendersOf(answer)).toBe(0)
    // A change.
    expect(await rendersOf(() => controller.set(Todo, args, { id: '1', title: 'two' }))).toBe(related)
    expect(await rendersOf(() => controller.set(Todo, args, { id: '1', title: 'two' }))).toBe(0)
    // Many in one task.
    const storm = (): void => {
      for (let i = 0; i < 1_000; i++) {
        void controller.set(Todo, args, { id: '1', title: `${i}` })
      }
    }
    expect(await rendersOf(storm)).toBe(related)
  })
})

test('RCT-8 useError renders for its error alone', async () => {
  const get = deferredEndpoint('get', Todo)
  const Show = counted(() => useError(get, args)?.message)
  const { store, ...screen } = await show(h(Show))
  Show.renders = 0
  await settle(() => store.controller.setResponse(get, args, one))
  expect(Show.renders).toBe(0)
  await settle(() => store.controller.setError(get, args, new Error('no')))
  expect(Show.renders).toBe(1)
  expect(screen.text()).toBe('no')
})

test('RCT-8 of 1,000 readers of one record each, one write renders one', async () => {
  const { store, clock } = open()
  for (let i = 0; i < 1_000; i++) {
    void store.controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: 'x' })
  }
  const Cell = counted(({ id }: { id: string }) => (useQuery(Todo, { id }) as any).title)
  await show(
    Array.from({ length: 1_000 }, (_, i) => h(Cell, { id: `${i}`, key: i })),
    { store, clock },
  )
  Cell.renders = 0
  await settle(() => store.controller.set(Todo, { id: '500' }, { id: '500', title: 'y' }))
  expect(Cell.renders).toBe(1)
})

test('RCT-8 HK-4 a list with one changed row renders itself and that row', async () => {
  const { store, clock } = open()
  const list = deferredEndpoint('list', new Collection([Todo]), { dataExpiryLength: Infinity })
  const rows = Array.from({ length: 1_000 }, (_, i) => ({ id: `${i}`, title: 'x' }))
  await store.controller.setResponse(list, {}, rows)
  const Row = counted(({ todo }: { todo: any }) => todo.title)
  const Memo = memo(Row)
  const List = counted(() => (useSuspense(list, {}) as any[]).map((todo) => h(Memo, { todo, key: todo.id })))
  await show(h(List), { store, clock })
  Row.renders = List.renders = 0
  await settle(() => store.controller.set(Todo, { id: '500' }, { id: '500', title: 'y' }))
  expect([List.renders, Row.renders]).toEqual([1, 1])
})

test('RCT-9 ST-19 1,000 writes in one task render each reader once', async () => {
  const { store, clock } = open()
  for (let i = 0; i < 100; i++) {
    void store.controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: 'x' })
  }
  const renders = new Map<string, number>()
  const Cell = ({ id }: { id: string }): ReactNode => {
    renders.set(id, (renders.get(id) ?? 0) + 1)
    return (useQuery(Todo, { id }) as any).title
  }
  await show(
    Array.from({ length: 100 }, (_, i) => h(Cell, { id: `${i}`, key: i })),
    { store, clock },
  )
  renders.clear()
  await settle(() => {
    for (let i = 0; i < 1_000; i++) {
      void store.controller.set(Todo, { id: `${i % 100}` }, { id: `${i % 100}`, title: `${i}` })
    }
  })
  expect([...renders.values()]).toEqual(Array(100).fill(1))
})

test('HK-2 a parent that renders again makes no reader subscribe again', async () => {
  const get = deferredEndpoint('get', Todo, { dataExpiryLength: Infinity })
  let again!: () => void
  const Child = (): ReactNode => (useSuspense(get, { id: '1' }) as any).title
  const Parent = (): ReactNode => {
    const [n, setN] = useState(0)
    again = () => setN(n + 1)
    return useMemo(() => h(Child), [n])
  }
  const { store, clock } = open()
  await store.controller.setResponse(get, args, one)
  await show(h(Parent), { store, clock })
  const { pending } = clock
  for (let i = 0; i < 5; i++) {
    await settle(() => again())
  }
  // Each release would set a timer.
  expect(clock.pending).toBe(pending)
})

test('RCT-15 responses that components suspended for render no mounted reader, and those of useDLE update no boundary', async () => {
  const { store, clock } = open()
  const get = deferredEndpoint('get', Todo)
  await store.controller.set(Todo, args, one)
  const Reader = counted(() => (useQuery(Todo, args) as any).title)
  const Late = ({ id }: { id: string }): ReactNode => (useSuspense(get, { id }) as any).title
  const Dle = (): ReactNode => (useDLE(get, { id: '4' }) as any).data?.title
  let commits = 0
  const onRender = (): void => void commits++
  const late = (id: string): ReactNode => h(Suspense, { key: id, fallback: '-' }, h(Late, { id }))
  const inside = h(Profiler, { id: 'app', onRender }, h(Reader), late('2'), late('3'))
  const screen = await show([h('i', { key: 1 }, inside), h(Dle, { key: 2 })], { store, clock })
  expect(screen.text()).toBe('one--')
  Reader.renders = commits = 0
  const answer = (id: string): void => get.calls.find((call: any) => call.args[0].id === id).answer({ id, title: id })
  await settle(() => answer('4'))
  expect([screen.text(), Reader.renders, commits]).toEqual(['one--4', 0, 0])
  await settle(() => (answer('2'), answer('3')))
  expect([screen.text(), Reader.renders, commits]).toEqual(['one234', 0, 1])
})

describe('2,000 readers of one view, as a header in each row of a table has', () => {
  class Elsewhere extends Entity {
    id = ''
    static override key = 'Elsewhere'
  }
  const COUNT = 2_000
  const rows = Array.from({ length: COUNT }, (_, i) => i)

  test.each([
    ['useSuspense', (list: any) => useSuspense(list, {}) as any],
    ['data of useDLE', (list: any) => useDLE(list, {}).data as any],
    ['useCache', (list: any) => useCache(list, {}) as any],
  ])('RCT-8 %s: one request, one render of each, and nothing is left', async (_name, useHeader) => {
    const list = deferredEndpoint('list', new Collection([Todo]), { dataExpiryLength: Infinity })
    const { clock, store } = open()
    const lengths = new Map<number, number | undefined>()
    // It shows nothing: the DOM of this test takes a minute for as many nodes.
    const Header = counted(({ row }: { row: number }) => {
      lengths.set(row, useHeader(list)?.length)
      return null
    })
    const shown = (): unknown[] => [lengths.size, ...new Set(lengths.values())]
    const Table = (): ReactNode => rows.map((row) => h(Header, { row, key: row }))
    void store.controller.fetch(list, {})
    const screen = await show(h(Table), { clock, store })
    await settle(() => list.calls[0].answer([one]))
    expect(shown()).toEqual([COUNT, 1])
    expect(list.calls).toHaveLength(1)
    Header.renders = 0
    await settle(() => store.controller.set(Elsewhere, { id: '9' }, { id: '9' }))
    expect(Header.renders).toBe(0)
    await settle(() => store.controller.set(list.schema, {}, [one, { id: '2', title: 'two' }]))
    expect(shown()).toEqual([COUNT, 2])
    expect(Header.renders).toBe(COUNT)
    expect(store.controller.core.result(list.key({})).isRead).toBe(true)
    screen.unmount()
    await clock.pass(0)
    expect(store.controller.core.result(list.key({})).isRead).toBe(false)
  })
})
