// Data that was wrong or gone without a request or an error. Every request is sent, and the server of the test responds.
import { All, createStore, Entity, GCPolicy, Query, resource } from 'restitch'
import { describe, expect, test } from 'vitest'
import { deferred } from '../../src/testing/outcomes.ts'
import { TestClock, tick } from '../../src/testing/TestClock.ts'

class Author extends Entity {
  id = ''
  name = ''
  static override key = 'Author'
}

class Post extends Entity {
  id = ''
  title = ''
  author: Author | undefined = undefined
  static override key = 'Post'
  static override schema = { author: Author }
}

describe('what is held by hand', () => {
  const rows = (): object[] => [{ id: '1', title: 'a', author: { id: '7', name: 'Ann' } }]
  const open = (): { store: ReturnType<typeof createStore>; Posts: any; clock: TestClock } => {
    const clock = new TestClock()
    const store = createStore({ clock, gcPolicy: new GCPolicy({ intervalMS: 5_000 }) })
    const fetchResponse = (_url: unknown, { method, body }: RequestInit): Promise<Response> =>
      Promise.resolve(
        Response.json(
          method === 'POST' ? { id: '2', author: { id: '8', name: 'Bob' }, ...JSON.parse(body as string) } : rows(),
        ),
      )
    const Posts: any = resource({ path: '/posts/:id', schema: Post, fetchResponse } as never)
    return { store, Posts, clock }
  }

  test.each(['endpoint', 'list', 'query'])(
    'GC-2 CTL-16 countRef() of an %s holds a record that has joined it since, and all it shows',
    async (kind) => {
      const { store, Posts, clock } = open()
      const { controller } = store
      await controller.fetch(Posts.getList)
      const target: any = {
        endpoint: Posts.getList,
        list: Posts.getList.schema,
        query: new Query(Posts.getList.schema),
      }[kind]
      const read = (): any =>
        kind === 'endpoint' ? controller.getResponse(target, {}) : controller.getQueryMeta(target, {})
      const release = read().countRef()
      await clock.pass(45_000)
      await controller.fetch(Posts.create, { title: 'b' })
      await clock.pass(200_000)
      expect(read().data.map(({ title, author }: Post) => [title, author?.name])).toEqual([
        ['a', 'Ann'],
        ['b', 'Bob'],
      ])
      release()
      await clock.pass(200_000)
      expect(store.getState().entities).toEqual({})
      store.stop()
    },
  )

  test('GC-2 a query that throws while it is held holds what it has read', async () => {
    const { store, Posts, clock } = open()
    const { controller } = store
    await controller.fetch(Posts.getList)
    const query = new Query(Posts.getList.schema, (posts: any) => {
      if (posts.length > 1) {
        throw new Error('of the app')
      }
      return posts
    })
    controller.getQueryMeta(query, {}).countRef()
    await controller.fetch(Posts.create, { title: 'b' })
    await clock.pass(400_000)
    expect(Object.keys(store.getState().entities['Post']!)).toEqual(['1', '2'])
    store.stop()
  })
})

/** A server that a test tells when to handle a request and when to respond. */
function serve(rows: readonly Row[]) {
  const table = new Map(rows.map((row) => [row.id, row]))
  const queue: { handle(): void; answer(error?: Error): Promise<void> }[] = []
  const reply = (url: URL, { method = 'GET', body }: RequestInit): unknown => {
    const id = url.pathname.split('/')[2]
    if (method === 'PATCH') {
      table.set(id!, { ...table.get(id!)!, ...JSON.parse(body as string) })
    }
    if (method === 'DELETE') {
      table.delete(id!)
      return { id }
    }
    const group = url.searchParams.get('group')
    return id ? table.get(id) : [...table.values()].filter((row) => group === null || row.group === group)
  }
  const fetchResponse = (input: string, init: RequestInit): Promise<Response> => {
    const { promise, resolve, reject } = deferred<Response>()
    let value: unknown
    queue.push({
      handle: () => (value ??= structuredClone(reply(new URL(input), init))),
      answer(error) {
        this.handle()
        if (error) {
          reject(error)
        } else {
          resolve(Response.json(value))
        }
        return tick()
      },
    })
    return promise
  }
  const options = { urlPrefix: 'http://test', path: '/todos/:id', schema: Todo, optimistic: true, fetchResponse }
  const clock = new TestClock()
  const store = createStore({ clock })
  const { controller, view } = store
  const Todos: any = resource(options as never)
  const send = async (endpoint: any, ...args: any[]): Promise<(typeof queue)[number]> => {
    ;(controller.fetch as any)(endpoint, ...args).catch(() => {})
    await tick()
    return queue.at(-1)!
  }
  return {
    ...store,
    Todos,
    table,
    clock,
    queue,
    send,
    read: async (endpoint: any, ...args: any[]) => (await send(endpoint, ...args)).answer(),
    ids: (args: object): string =>
      view(Todos.getList, args)
        .read()
        .data?.map(({ id }: Todo) => id)
        .join(),
  }
}

interface Row {
  readonly id: string
  readonly title: string
  readonly group: string
}

class Todo extends Entity {
  id = ''
  title = ''
  group = ''
  static override key = 'Todo'
}

const ROWS: readonly Row[] = [
  { id: '1', title: 'x', group: 'a' },
  { id: '4', title: 'y', group: 'b' },
]

describe('what is pending is shown, whatever reads say', () => {
  const polls = {
    all: ['getList', {}],
    detail: ['get', { id: '4' }],
    search: ['getList', { q: 'x' }],
    a: ['getList', { group: 'a' }],
  } as const
  type Poll = keyof typeof polls

  test.each<[before: Poll[], during: Poll[], earlier: string]>([
    [[], ['all'], ''],
    [[], ['detail', 'detail'], ''],
    [['all'], ['all'], ''],
    [['all'], ['detail'], ''],
    [['detail'], ['all', 'detail'], ''],
    [['detail', 'all'], ['search'], ''],
    [['detail'], ['a', 'detail'], ''],
    [['detail'], ['all'], 'lost before'],
    [['detail'], ['all'], 'lost between'],
    [['detail'], ['detail'], 'lost after'],
  ])(
    'OPT-1 ST-18 a pending PATCH moves a record; polled before: %j, while it is pending: %j; a first PATCH: %s',
    async (before, during, earlier) => {
      const { Todos, table, ids, read, send, stop } = serve(ROWS)
      // Another user changes its title all the time.
      const poll = (name: Poll): Promise<void> => {
        table.set('4', { ...table.get('4')!, title: `${table.get('4')!.title}!` })
        const [member, args] = polls[name]
        return read(Todos[member], args)
      }
      const lists = (): unknown[] => [ids({ group: 'a' }), ids({ group: 'b' })]
      await read(Todos.getList, { group: 'a' })
      await read(Todos.getList, { group: 'b' })
      for (const name of before) {
        await poll(name)
      }
      const first = earlier && (await send(Todos.partialUpdate, { id: '4' }, { title: 'mine' }))
      const lose = async (when: string): Promise<void> =>
        void (earlier === when && first && (await first.answer(new SyntaxError('cut'))))
      await lose('lost before')
      const patch = await send(Todos.partialUpdate, { id: '4' }, { group: 'a' })
      expect(lists()).toEqual(['1,4', ''])
      patch.handle()
      await lose('lost between')
      for (const name of during) {
        await poll(name)
        expect(lists(), name).toEqual(['1,4', ''])
      }
      await lose('lost after')
      expect(lists()).toEqual(['1,4', ''])
      await patch.answer()
      expect(lists()).toEqual(['1,4', ''])
      stop()
    },
  )

  test('OPT-1 COL-40 what others write below a pending operation counts: the record is in one list', async () => {
    const { Todos, controller, table, ids, read, send, stop } = serve(ROWS)
    const groups = ['a', 'b', 'c']
    for (const group of groups) {
      await read(Todos.getList, { group })
    }
    const patch = await send(Todos.partialUpdate, { id: '4' }, { group: 'a' })
    await read(Todos.get, { id: '4' })
    controller.set(Todo, { id: '4' }, { id: '4', group: 'c' })
    table.set('4', { ...table.get('4')!, group: 'c', title: 'z' })
    await read(Todos.get, { id: '4' })
    expect(groups.map((group) => ids({ group }))).toEqual(['1,4', '', ''])
    await patch.answer(Object.assign(new Error('refused'), { status: 422 }))
    expect(groups.map((group) => ids({ group }))).toEqual(['1', '', '4'])
    stop()
  })
})

describe('a DELETE whose response was lost', () => {
  const all = new Query(new All(Todo), (todos: any) => todos.map(({ id }: Todo) => id).join())
  const lost = new TypeError('Failed to fetch')
  const open = async (...lists: object[]): Promise<ReturnType<typeof serve> & { all(): unknown }> => {
    const server = serve(ROWS)
    for (const args of lists) {
      await server.read(server.Todos.getList, args)
    }
    return { ...server, all: () => server.controller.get(all, {}) }
  }

  test('RES-15 once every list that held the record was fetched again without it, it is gone for All', async () => {
    const { Todos, view, queue, clock, send, ids, all: shown, stop } = await open({}, { group: 'b' })
    ;[{}, { group: 'b' }].forEach((args) => view(Todos.getList, args).subscribe(() => {}))
    const remove = await send(Todos.delete, { id: '4' })
    expect(shown()).toBe('1')
    remove.handle()
    const count = queue.length
    await remove.answer(lost)
    expect(shown()).toBe('1,4')
    await clock.pass(1_000)
    expect(queue.length - count).toBe(2)
    await queue.at(-1)!.answer()
    expect(shown()).toBe('1,4')
    await queue.at(-2)!.answer()
    expect([ids({}), ids({ group: 'b' }), shown()]).toEqual(['1', '', '1'])
    stop()
  })

  test('RES-15 also if a poll has seen it before the response was lost', async () => {
    const { Todos, read, send, all: shown, stop } = await open({})
    const remove = await send(Todos.delete, { id: '4' })
    remove.handle()
    await read(Todos.getList, {})
    await remove.answer(lost)
    expect(shown()).toBe('1,4')
    await read(Todos.getList, {})
    expect(shown()).toBe('1')
    stop()
  })

  test.each(['a list', 'its detail', 'a second write'])(
    'RES-15 the server has not done it: %s has the record',
    async (by) => {
      const { Todos, table, read, send, all: shown, stop } = await open({}, { group: 'b' })
      await (await send(Todos.delete, { id: '4' })).answer(Object.assign(new Error('no'), { status: 500 }))
      // It did nothing; another user moves the record.
      table.set('4', { id: '4', title: 'y', group: 'a' })
      await read(Todos.getList, { group: 'b' })
      if (by === 'a list') {
        await read(Todos.getList, {})
      } else if (by === 'its detail') {
        await read(Todos.get, { id: '4' })
      } else {
        await (await send(Todos.partialUpdate, { id: '4' }, { title: 'z' })).answer()
      }
      expect(shown()).toBe('1,4')
      table.delete('4')
      await read(Todos.getList, {})
      // Another user has deleted it: that is not known.
      expect(shown()).toBe('1,4')
      stop()
    },
  )

  test('RES-15 a list that is a part tells nothing, and neither does one that was collected', async () => {
    const { Todos, controller, read, send, all: shown, stop } = await open({ limit: 9 }, { q: 'x' })
    const remove = await send(Todos.delete, { id: '4' })
    remove.handle()
    await remove.answer(lost)
    await read(Todos.getList, { limit: 9 })
    void controller.dispatch({ type: 'rdc/gc', endpoints: [], entities: [{ key: '[Todo]', pk: '{"q":"x"}' }] } as never)
    await read(Todos.getList, { limit: 9 })
    expect(shown()).toBe('1,4')
    stop()
  })

  test('RES-15 the record comes back with the next response that has it', async () => {
    const { Todos, table, read, send, all: shown, stop } = await open({})
    const remove = await send(Todos.delete, { id: '4' })
    await remove.answer(lost)
    await read(Todos.getList, {})
    expect(shown()).toBe('1')
    table.set('4', ROWS[1]!)
    await read(Todos.getList, {})
    expect(shown()).toBe('1,4')
    stop()
  })
})
