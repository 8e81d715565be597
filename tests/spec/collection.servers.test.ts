// Lists of servers that do not do what the body says, or that cut a list without being asked. After each write, every list and every
// total is compared with a fresh GET, and the requests are counted.
import { Collection, createStore, Entity, Invalidate, resource, Values } from 'restitch'
import { afterEach, describe, expect, test } from 'vitest'
import { STALE } from '../../src/rows/Meta.ts'
import { createDriver } from '../../src/testing/drivers.ts'
import { endpoint, mutation } from '../../src/testing/endpoints.ts'
import { TestClock } from '../../src/testing/TestClock.ts'

class Post extends Entity {
  id = 0
  title = ''
  status = ''
  static override key = 'Post'
}

interface Row {
  readonly id: number
  readonly title: string
  readonly status: string
}

const ends: (() => void)[] = []
afterEach(() => ends.splice(0).forEach((end) => end()))

/** A server, a store that shows its lists, and the requests since the last look. */
function open({
  rows,
  size = Infinity,
  onCreate = (row) => row,
  optimistic = false,
}: {
  rows: readonly Row[]
  /** At most so many records are in a response. */
  size?: number
  onCreate?: (row: Row) => Row
  optimistic?: boolean
}) {
  const table = new Map(rows.map((row) => [row.id, row]))
  const log: string[] = []
  const clock = new TestClock()
  const answer = (method: string, url: URL, body: any): Response => {
    const id = Number(url.pathname.split('/')[2] ?? Number.NaN)
    if (method === 'POST') {
      const row = onCreate({ id: 100 + table.size, title: '', status: 'draft', ...body })
      table.set(row.id, row)
      return Response.json(row, { status: 201 })
    }
    if (method === 'DELETE') {
      table.delete(id)
      return new Response(null, { status: 204 })
    }
    if (method !== 'GET') {
      const row = { ...table.get(id)!, ...body }
      table.set(id, row)
      return Response.json(row)
    }
    const status = url.searchParams.get('status')
    const found = [...table.values()].filter((row) => status === null || row.status === status)
    return Response.json({ items: found.slice(0, size), total: found.length })
  }
  const Posts: any = resource({
    urlPrefix: 'http://test',
    path: '/posts/:id',
    schema: Post,
    optimistic,
    fetchResponse: async (input: string, { method = 'GET', body }: RequestInit) => {
      const url = new URL(input)
      log.push(`${method} ${url.pathname}${url.search}`)
      await Promise.resolve()
      return answer(method, url, body && JSON.parse(body as string))
    },
  } as never).extend({
    getList: { schema: { items: new Collection([Post], { counts: ['total'] }), total: 0 } },
  } as never)
  const store = createStore({ clock })
  ends.push(store.stop)
  const { controller, view } = store
  const show = (args: object): string => {
    const { items, total }: any = view(Posts.getList, args).read().data ?? { items: [] }
    return `${items.map(({ id }: Post) => id).join()} of ${total}`
  }
  return {
    Posts,
    controller,
    clock,
    show,
    async mount(...all: object[]) {
      all.forEach((args) => view(Posts.getList, args).subscribe(() => {}))
      await clock.pass()
      log.length = 0
    },
    /** Waits until nothing is in flight, compares the lists with the server, and returns the requests. */
    async settle(...all: object[]): Promise<string[]> {
      await clock.pass(5_000)
      const requests = log.splice(0)
      for (const args of all) {
        const fresh = await answer(
          'GET',
          new URL(`http://test/posts?${new URLSearchParams(args as never)}`),
          undefined,
        ).json()
        expect(show(args), JSON.stringify(args)).toBe(
          `${fresh.items.map(({ id }: Row) => id).join()} of ${fresh.total}`,
        )
      }
      return requests
    },
  }
}

const many = (count: number, status = 'publish', first = 1): Row[] =>
  Array.from({ length: count }, (_, i) => ({ id: first + i, title: `t${i + 1}`, status }))

describe('a server that decides otherwise', () => {
  const lists = [{ status: 'publish' }, { status: 'future' }, {}]
  const rows = [...many(2), { id: 3, title: 'c', status: 'future' }]
  const onCreate = (row: Row): Row => ({ ...row, status: 'future' })

  test.each([
    ['create', false],
    ['create', true],
    ['push', false],
    ['unshift', true],
  ])(
    'COL-16 ORD-6 a create by %s joins the lists that the response names; optimistic: %s',
    async (name, optimistic) => {
      const { Posts, controller, clock, show, mount, settle } = open({ rows, onCreate, optimistic })
      await mount(...lists)
      const endpoint = name === 'create' ? Posts.create : Posts.getList[name]
      const sent = controller.fetch(endpoint, { title: 'x', status: 'publish' })
      const pending = show({ status: 'publish' })
      await sent
      expect(show({ status: 'publish' })).toBe('1,2 of 2')
      expect(show({ status: 'future' })).toBe(name === 'unshift' ? '103,3 of 2' : '3,103 of 2')
      expect(pending.endsWith(optimistic ? 'of 3' : 'of 2')).toBe(true)
      await clock.pass()
      expect(await settle(...(name === 'unshift' ? lists.slice(0, 1) : lists))).toEqual(['POST /posts'])
    },
  )

  test('COL-16 a parameter names the list, whatever the response says', async () => {
    const { Posts, controller, show, mount } = open({ rows, onCreate })
    await mount(...lists)
    await controller.fetch(Posts.getList.push, { status: 'publish' }, { title: 'x' })
    expect(show({ status: 'publish' })).toBe('1,2,103 of 3')
  })

  test('COL-16 assign: the response of each entry decides', async () => {
    const map = new Collection(new Values(Post))
    const { controller, view, stop } = createStore({ clock: new TestClock() })
    ends.push(stop)
    const plain = (more: object): any =>
      Object.assign(() => Promise.resolve({ b: { id: 2, status: 'future' } }), { key: JSON.stringify, ...more })
    const getMap = plain({ schema: map })
    for (const status of ['publish', 'future']) {
      controller.setResponse(getMap, { status } as never, { a: { id: status.length, status } })
    }
    await controller.fetch(plain({ schema: map.assign, sideEffect: true }), { b: { id: 2, status: 'publish' } })
    const names = (status: string): string[] => Object.keys(view(getMap, { status } as never).read().data as object)
    expect([names('publish'), names('future')]).toEqual([['a'], ['a', 'b']])
  })
})

describe('a server that cuts a list without being asked', () => {
  test('PAG-4 a delete of a record that is not in the part asks once', async () => {
    const { Posts, controller, mount, settle } = open({ rows: many(26), size: 10 })
    await mount({})
    await controller.fetch(Posts.delete, { id: 20 })
    expect(await settle({})).toEqual(['DELETE /posts/20', 'GET /posts'])
  })

  test('PAG-4 a delete of a record in the part asks once', async () => {
    const { Posts, controller, mount, settle } = open({ rows: many(26), size: 10 })
    await mount({})
    await controller.fetch(Posts.delete, { id: 2 })
    expect(await settle({})).toEqual(['DELETE /posts/2', 'GET /posts'])
  })

  test.each([false, true])('PAG-4 a create asks once; optimistic: %s', async (optimistic) => {
    const { Posts, controller, mount, settle } = open({ rows: many(26), size: 10, optimistic })
    await mount({})
    await controller.fetch(Posts.create, { title: 'x', status: 'publish' })
    expect(await settle({})).toEqual(['POST /posts', 'GET /posts'])
  })

  test('PAG-4 a record that moves from one part to another asks both once', async () => {
    const rows = [...many(12, 'open'), ...many(12, 'done', 13)]
    const { Posts, controller, mount, settle } = open({ rows, size: 5 })
    const lists = [{ status: 'open' }, { status: 'done' }, {}]
    await mount(...lists)
    await controller.fetch(Posts.partialUpdate, { id: 1 }, { status: 'done' })
    expect((await settle(...lists)).sort()).toEqual([
      'GET /posts?status=done',
      'GET /posts?status=open',
      'PATCH /posts/1',
    ])
    // Of a record that was never loaded nobody knows which list it belonged to.
    await controller.fetch(Posts.partialUpdate, { id: 12 }, { status: 'done' })
    expect(await settle(...lists)).toHaveLength(1 + lists.length)
  })

  test('PAG-4 an edit that moves nothing asks nothing, and a whole list follows without a request', async () => {
    const cut = open({ rows: many(26), size: 10 })
    await cut.mount({}, { status: 'publish' })
    await cut.controller.fetch(cut.Posts.partialUpdate, { id: 2 }, { title: 'z' })
    expect(await cut.settle({})).toEqual(['PATCH /posts/2'])
    const whole = open({ rows: many(9), size: 10 })
    await whole.mount({})
    await whole.controller.fetch(whole.Posts.create, { title: 'x', status: 'publish' })
    await whole.controller.fetch(whole.Posts.delete, { id: 2 })
    expect(await whole.settle({})).toEqual(['POST /posts', 'DELETE /posts/2'])
  })

  const counted = (options: object = {}): any => ({
    items: new Collection([Post], { counts: ['total'], ...options }),
    total: 0,
  })
  const page = (total: number, ...ids: number[]): object => ({
    items: ids.map((id) => ({ id, title: '', status: '' })),
    total,
  })

  test('PAG-4 a response that is a part for the first time, and that a delete has overtaken, is refetched', () => {
    const driver = createDriver(new TestClock())
    const getPosts = endpoint('/posts', counted())
    const remove = mutation('DELETE /posts/:id', new Invalidate(Post))
    const isStale = (): boolean => driver.read(getPosts, [{}]).expiresAt === STALE
    for (const [total, expected] of [
      [2, false],
      [26, true],
    ] as const) {
      driver.open(getPosts, [{}]).answer(page(2, 1, 2))
      const refetch = driver.open(getPosts, [{}])
      driver.open(remove, [{ id: 20 + total }]).answer({ id: 20 + total })
      refetch.answer(page(total, 1, 2))
      expect(isStale()).toBe(expected)
    }
  })

  test('PAG-4 COL-45 a filter of the app decides who joins, not what the server shows of it', () => {
    for (const [total, expected] of [
      [1, false],
      [26, true],
    ] as const) {
      const driver = createDriver(new TestClock())
      const schema = counted({ createCollectionFilter: () => () => true })
      const getPosts = endpoint('/posts', schema)
      driver.open(getPosts, [{}]).answer(page(total, 1))
      driver.open(mutation('POST /posts', schema.items.push), [{ id: 2 }]).answer({ id: 2, title: 'b' })
      const { data, expiresAt } = driver.read(getPosts, [{}])
      expect([data.items.length, data.total, expiresAt === STALE]).toEqual([2, total + 1, expected])
    }
  })

  test('PAG-4 the part of a list that stands in a record', () => {
    class Thread extends Entity {
      id = ''
      posts: readonly Post[] = []
      count = 0
      static override key = 'Thread'
      static override schema: any = {
        posts: new Collection([Post], { nestKey: ({ id }) => ({ thread: id }), counts: ['count'] }),
      }
    }
    const driver = createDriver(new TestClock())
    const getThread = endpoint('/threads', Thread)
    driver.open(getThread, [{ id: '1' }]).answer({ id: '1', posts: [{ id: 1, thread: '1' }], count: 9 })
    driver.open(mutation('DELETE /posts/:id', new Invalidate(Post)), [{ id: 7 }]).answer({ id: 7 })
    expect(driver.read(getThread, [{ id: '1' }]).expiresAt).toBe(STALE)
  })
})
