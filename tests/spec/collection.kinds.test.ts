// The meaning of arguments by their names: which lists a write refetches, of servers as they are.
import { Collection, createStore, deserializeState, Entity, resource, RestEndpoint, serializeState } from 'restitch'
import type { ArgumentKinds } from 'restitch'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

class Post extends Entity {
  id = ''
  title = ''
  author = ''
  views = 0
  static override key = 'Post'
}
const ROWS = [
  { id: '1', title: 'c', author: 'ann', views: 5 },
  { id: '2', title: 'a', author: 'bob', views: 9 },
  { id: '3', title: 'd', author: 'ann', views: 1 },
  { id: '4', title: 'b', author: 'bob', views: 7 },
]

let gets: string[]
let rows: Record<string, unknown>[]
/** The server: it sorts and cuts as json-server does. */
function answer(url: string, { method, body }: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(url)
  const id = pathname.split('/')[2]
  const at = rows.findIndex((row) => row['id'] === id)
  if (method === 'POST') {
    rows.push({ views: 0, ...JSON.parse(body as string), id: '9' })
    return Promise.resolve(Response.json(rows.at(-1)))
  }
  if (method === 'PATCH') {
    rows[at] = { ...rows[at], ...JSON.parse(body as string) }
    return Promise.resolve(Response.json(rows[at]))
  }
  gets.push(pathname + decodeURIComponent(new URL(url).search))
  const sort = searchParams.get('_sort')
  const author = searchParams.get('author')
  const found = rows.filter((row) => author === null || row['author'] === author)
  const sorted = sort ? found.toSorted((a, b) => (String(a[sort]) < String(b[sort]) ? -1 : 1)) : found
  const ordered = searchParams.get('_order') === 'desc' ? sorted.toReversed() : sorted
  return Promise.resolve(Response.json(ordered.slice(0, Number(searchParams.get('_limit') ?? 99))))
}

class Api<O extends { readonly path: string } = any> extends RestEndpoint<O> {
  override urlPrefix = 'http://x'
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return answer(url, init)
  }
}
const make = (more: object = {}): any =>
  resource({ path: '/posts/:id', schema: Post, Endpoint: Api, searchParams: {} as any, ...more } as any)
const Posts = make()

let store: ReturnType<typeof createStore>
let ends: (() => void)[]
const quiet = (): Promise<unknown> => new Promise((done) => setTimeout(done, 5))
beforeEach(() => {
  store = createStore({ clock: new TestClock() })
  gets = []
  rows = [...ROWS]
  ends = []
})
afterEach(() => {
  ends.forEach((end) => end())
  store.stop()
})

/** Shows lists, does the writes, and returns the requests of the lists that follow. */
async function refetches(
  endpoint: any,
  lists: readonly object[],
  writes: (() => Promise<unknown>)[],
): Promise<string[]> {
  for (const args of lists) {
    const view = store.view(endpoint, args)
    ends.push(view.subscribe(() => {}))
    await view.promise()
  }
  gets = []
  for (const write of writes) {
    await write()
    await quiet()
  }
  return gets
}
const patch =
  (id: string, body: object, endpoint: any = Posts.partialUpdate) =>
  () =>
    store.controller.fetch(endpoint, { id }, body)
const idsOf = (endpoint: any, args: object): string =>
  store
    .view(endpoint, args)
    .read()
    .data.map(({ id }: Post) => id)
    .join('')

describe('COL-42 known names', () => {
  const JSON_SERVER = [
    { _sort: 'title' },
    { _sort: 'title', _order: 'desc' },
    { _sort: 'title', _limit: 3 },
    { _limit: 3 },
    { _expand: 'author' },
    { _embed: 'comments', author: 'ann' },
  ]

  test('three writes that concern no order: six lists of json-server cause no request', async () => {
    const writes = [patch('1', { views: 6 }), patch('2', { views: 1 }), patch('4', { views: 0 })]
    expect(await refetches(Posts.getList, JSON_SERVER, writes)).toEqual([])
  })

  test('a write of the field that sorts causes a request for each list that is sorted by it', async () => {
    const asked = await refetches(Posts.getList, JSON_SERVER, [patch('2', { title: 'z' })])
    expect(asked.toSorted()).toEqual([
      '/posts?_limit=3&_sort=title',
      '/posts?_order=desc&_sort=title',
      '/posts?_sort=title',
    ])
    expect(JSON_SERVER.map((args) => idsOf(Posts.getList, args))).toEqual(['4132', '2314', '413', '123', '1234', '13'])
  })

  test('a created record joins at once; only what is sorted or cut is fetched again', async () => {
    const lists = [{ _sort: 'title' }, { _limit: 3 }, { _expand: 'author' }, { fields: 'id,title', author: 'ann' }]
    const create = () => store.controller.fetch(Posts.create, { title: 'e', author: 'ann' })
    expect(await refetches(Posts.getList, lists, [create])).toEqual(['/posts?_sort=title', '/posts?_limit=3'])
    expect(idsOf(Posts.getList, { _expand: 'author' })).toBe('12349')
  })

  test('an order in an object names its fields', async () => {
    const lists = [{ $sort: { title: -1 }, $select: ['id'] }]
    const Feathers = make({
      searchToString: (params: object) => new URLSearchParams({ q: JSON.stringify(params) }).toString(),
    })
    expect(await refetches(Feathers.getList, lists, [patch('1', { views: 6 })])).toEqual([])
    expect(await refetches(Feathers.getList, lists, [patch('1', { title: 'z' })])).toHaveLength(1)
  })

  test.each([
    ['stand in the order of their keys', 4, ROWS, []],
    ['stand in the reverse order', 3, ROWS.toReversed(), []],
    ['stand in another order', 3, [ROWS[1]!, ROWS[3]!, ROWS[0]!, ROWS[2]!], ['/posts?_limit=3']],
    ['are two, which may stand so by chance', 2, ROWS, ['/posts?_limit=2']],
  ])('a part without an order, whose items %s', async (_name, limit, all, expected) => {
    rows = [...all]
    expect(await refetches(Posts.getList, [{ _limit: limit }], [patch('2', { views: 100 })])).toEqual(expected)
  })

  test('an unknown name is a reason to fetch again, as is a longer one', async () => {
    const lists = [{ sorted: 'x' }, { _meta: 'x' }, { pageNumber: 1 }]
    expect(await refetches(Posts.getList, lists, [patch('1', { views: 6 })])).toHaveLength(3)
  })
})

describe('COL-48 argumentKinds', () => {
  const argumentKinds: ArgumentKinds = { context: 'shape', q: 'search', by: 'order', top: 'part', author: 'search' }
  class Declared<O extends { readonly path: string } = any> extends Api<O> {
    override argumentKinds = argumentKinds
  }
  const KINDS: [string, () => any][] = [
    ['a resource', () => make({ argumentKinds })],
    ['an endpoint class', () => make({ Endpoint: Declared })],
    ['a Collection', () => make().extend({ getList: { schema: new Collection([Post], { argumentKinds }) } })],
    [
      'an endpoint class, for a Collection of the app',
      () =>
        make({ Endpoint: Declared }).extend({
          getList: { schema: { data: new Collection([Post]) }, process: (data: unknown) => ({ data }) },
        }),
    ],
  ]

  test.each(KINDS)('of %s', async (_name, open) => {
    const Declaring = open()
    const lists = [{ context: 'edit' }, { by: '-title' }, { top: 2, by: 'title' }, { q: 'a' }]
    const write = patch('1', { views: 6 }, Declaring.partialUpdate)
    expect(await refetches(Declaring.getList, lists, [write])).toEqual(['/posts?q=a'])
    gets = []
    await patch('1', { title: 'z' }, Declaring.partialUpdate)()
    await quiet()
    expect(gets.toSorted()).toEqual(['/posts?by=-title', '/posts?by=title&top=2', '/posts?q=a'])
  })

  test('a search keeps a record whose field differs, and asks', async () => {
    const Declaring = make({ argumentKinds })
    rows = ROWS.filter(({ author }) => author === 'ann')
    const lists = [{ author: 'ann' }]
    expect(await refetches(Declaring.getList, lists, [patch('1', { author: 'anna' })])).toEqual(['/posts?author=ann'])
  })

  test.each([
    ['a name that nobody has declared', {}, 1],
    ['a declared filter', { argumentKinds: { author: 'filter' } }, 0],
  ])('COL-46 an empty list of %s', async (_name, options, count) => {
    const { getList } = make(options)
    rows = []
    const write = (): Promise<unknown> => store.controller.set(Post, { id: '1' }, ROWS[0]!) as never
    expect(await refetches(getList, [{ author: 'zed' }], [write])).toHaveLength(count)
  })

  test('of an endpoint count for a restored list before its first response', async () => {
    const Declaring = make({ Endpoint: Declared })
    await store.controller.fetch(Declaring.getList, { context: 'edit' })
    const initialState = deserializeState(serializeState(store.controller.getState()))
    store.stop()
    store = createStore({ clock: new TestClock(), initialState })
    expect(await refetches(Declaring.getList, [{ context: 'edit' }], [patch('1', { views: 6 })])).toEqual([])
  })
})
