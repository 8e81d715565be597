// @vitest-environment happy-dom
// Behaviours that apps which move from data-client rely on.
import { type ReactNode, useState } from 'react'
import { All, Collection, Entity, Query, resource, RestEndpoint, type Store, Union } from 'restitch'
import { useCache, useDLE, useQuery, useSuspense } from 'restitch/react'
import { expect, test, vi } from 'vitest'
import { h, open, settle, show } from './cases.ts'

class Article extends Entity {
  id = ''
  title = ''
  done = false
  static override key = 'Article'
}
const Articles: any = resource({ path: '/article/:id', schema: Article })

/** The values of a hook, one for each render, with a store that was filled before. */
async function shown(use: () => unknown, fill?: (store: Store) => unknown): Promise<{ seen: any[]; store: Store }> {
  const { store, clock } = open()
  await fill?.(store)
  const seen: unknown[] = []
  const Show = (): ReactNode => (seen.push(use()), null)
  await show(h(Show), { store, clock })
  return { seen, store }
}

test.each([
  ['useCache', (endpoint: any, args: any) => [useCache(endpoint, args)], [undefined]],
  [
    'useDLE',
    (endpoint: any, args: any) => (({ data, loading }) => [data, loading])(useDLE(endpoint, args)),
    [undefined, true],
  ],
])(
  'EXP-4 %s does not show stale data of an endpoint with invalidIfStale to a new reader',
  async (_name, use, expected) => {
    const { store, clock } = open()
    const get = Articles.get.extend({ invalidIfStale: true, dataExpiryLength: 100, fetch: () => new Promise(() => {}) })
    await store.controller.setResponse(get, { id: '1' }, { id: '1', title: 'x' })
    let seen: any
    let setId!: (id: string | null) => void
    const Show = (): ReactNode => {
      const [id, set] = useState<string | null>('1')
      setId = set
      seen = use(get, id === null ? null : { id })
      return null
    }
    await show(h(Show), { store, clock })
    await settle(() => clock.pass(500))
    expect(seen[0]).toMatchObject({ id: '1' })
    await settle(() => setId(null))
    await settle(() => setId('1'))
    expect(seen).toEqual(expected)
  },
)

test('EXP-5 useCache does not show an expired part of a record to a new reader of an endpoint with invalidIfStale', async () => {
  const { store, clock } = open()
  const getList = Articles.getList.extend({ dataExpiryLength: 100 })
  const get = Articles.get.extend({ invalidIfStale: true })
  // The list sends no `done`.
  await store.controller.setResponse(getList, [{ id: '1', title: 'x' }])
  let seen: any
  let setId!: (id: string) => void
  const Show = (): ReactNode => {
    const [id, set] = useState('1')
    setId = set
    seen = useCache(get, { id })
    return null
  }
  await show(h(Show), { store, clock })
  expect(seen).toMatchObject({ title: 'x' })
  await settle(() => clock.pass(500))
  expect(seen).toMatchObject({ title: 'x' })
  await settle(() => setId('2'))
  await settle(() => setId('1'))
  expect(seen).toBeUndefined()
})

test('ARR-4 UNI-3 a list of unions keeps null and values of no kind, and leaves out undefined', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  class First extends Entity {
    id = ''
    type = 'first'
    static override key = 'First'
  }
  class Second extends Entity {
    id = ''
    type = 'second'
    static override key = 'Second'
  }
  const { getList }: any = resource({
    path: '/u/:id',
    schema: new Union({ first: First, second: Second }, 'type'),
  } as never)
  const rows = [undefined, null, { id: '5', type: 'first' }, { id: '6', type: 'other' }, { id: '7' }]
  const { seen, store } = await shown(
    () => useQuery(getList.schema),
    ({ controller }) => controller.setResponse(getList, rows as never),
  )
  const kinds = (): unknown[] => seen.at(-1).map((value: unknown) => value?.constructor ?? value)
  expect(kinds()).toEqual([null, First, Object, Object])
  await settle(() => store.controller.set(getList.schema.push, {}, { id: '8', type: 'second' }))
  expect(kinds()).toEqual([null, First, Object, Object, Second])
})

test('QRY-1 a Query may be the schema of an endpoint, and receives its arguments', async () => {
  const list: any = new RestEndpoint({
    path: '/article',
    searchParams: {} as { asc?: boolean },
    schema: new Query(new Collection([Article]), (all, { asc }: { asc?: boolean } = {}) =>
      asc ? [...all] : [...all].reverse(),
    ),
  })
  for (const [args, ids] of [
    [{ asc: true }, ['1', '2']],
    [{}, ['2', '1']],
  ] as const) {
    const { seen } = await shown(
      () => useSuspense(list, args),
      ({ controller }) => controller.setResponse(list, args, [{ id: '1' }, { id: '2' }]),
    )
    expect(seen.at(-1).map(({ id }: Article) => id)).toEqual(ids)
  }
})

test('ALL-1 useQuery of All is undefined while nothing is stored', async () => {
  const all = new All(Article)
  expect((await shown(() => useQuery(all))).seen).toEqual([undefined])
})

test.each([
  [0, 1, 2],
  [2, 1, 0],
  [1, 0, 2],
])(
  'OPT-8 O2 three optimistic toggles in a row end with the last, with responses in the order %i %i %i',
  async (...order) => {
    const held: ((response: Response) => void)[] = []
    const toggle: any = new RestEndpoint({
      path: '/article/:id/toggle',
      method: 'POST',
      body: undefined,
      schema: Article,
      getOptimisticResponse: (snapshot, { id }) => ({ id, done: !snapshot.get(Article, { id: `${id}` })?.done }),
      fetchResponse: () => new Promise((done) => held.push(done)),
    })
    const { controller } = open().store
    await controller.setResponse(Articles.get, { id: '1' }, { id: '1', title: 'x', done: false })
    const states: unknown[] = []
    const note = (): unknown => states.push((controller.get(Article, { id: '1' }) as Article).done)
    const calls = [0, 1, 2].map(() => {
      const call = controller.fetch(toggle, { id: '1' })
      note()
      return call
    })
    await new Promise((done) => setImmediate(done))
    for (const index of order) {
      held[index]!(Response.json({ id: '1', done: index % 2 === 0 }))
      await calls[index]
      note()
    }
    expect(states).toEqual([true, false, true, true, true, true])
  },
)
