// Tests of docs/guide/objections.md. The titles are its headings.
import { readFileSync } from 'node:fs'
import { Collection, createStore, Entity, GCPolicy, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { ConflictError, etagEndpoint, ifMatch } from 'restitch/etag'
import { afterEach, expect, test, vi } from 'vitest'
import { type Reply, type Sent, serve } from './guideBlocks.ts'

class Todo extends Entity {
  id = ''
  title = ''
  done = false
  rank = 0
  static override key = 'Todo'
}
const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true, searchParams: {} as object | undefined })
const ROWS = [1, 2, 3].map((id) => ({ id: `${id}`, title: `t${id}`, done: id === 3, rank: id }))

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Responds to a PATCH with the changed row, and to a GET with the rows that match the filter. */
function serveTodos(latency = 0): Sent[] {
  const rows = ROWS.map((row) => ({ ...row }))
  return serve(async ({ method, url, body }): Promise<Reply> => {
    if (latency > 0) {
      await new Promise((done) => setTimeout(done, latency))
    }
    const { pathname, searchParams } = new URL(url, 'http://x')
    const row = rows.find(({ id }) => pathname.endsWith(`/${id}`))
    if (method !== 'GET') {
      return [200, Object.assign(row!, body)]
    }
    const done = searchParams.get('done')
    const least = Number(searchParams.get('least') ?? 0)
    return [200, rows.filter((one) => (!done || String(one.done) === done) && one.rank >= least)]
  })
}

async function open(options?: object): Promise<any> {
  const store = createStore(options as never) as any
  const show = async (endpoint: unknown, args?: object): Promise<any> => {
    const view = store.view(endpoint, ...(args ? [args] : []))
    const end = view.subscribe(() => {})
    await view.promise()
    return { ids: () => view.read().data.map(({ id }: Todo) => id), data: () => view.read().data, end }
  }
  return { ...store, show, fetch: store.controller.fetch }
}
const linesOf = (requests: readonly Sent[]): string[] => requests.map(({ method, url }) => `${method} ${url}`)

test('Do I write the logic of the server a second time?', async () => {
  vi.useFakeTimers()
  const requests = serveTodos()
  const getDeclared = new RestEndpoint({
    path: '/todos',
    searchParams: {} as object | undefined,
    schema: new Collection([Todo], {
      name: 'declared',
      createCollectionFilter:
        (...args: any[]) =>
        ({ least }: any) =>
          args.at(-1).rank >= Number(least),
    }),
  })
  const { show, fetch, stop } = await open()
  const [openTodos, found, declared] = await Promise.all([
    show(Todos.getList, { done: false }),
    show(Todos.getList, { q: 't' }),
    show(getDeclared, { least: 2 }),
  ])
  const before = requests.length
  await fetch(Todos.partialUpdate, { id: '2' }, { done: true, rank: 1 })
  // Computed and declared: at once.
  expect([openTodos.ids(), declared.ids()]).toEqual([['1'], ['3']])
  await vi.advanceTimersByTimeAsync(10_000)
  // Asked: once.
  expect(linesOf(requests.slice(before))).toEqual(['PATCH /todos/2', 'GET /todos?q=t'])
  expect(found.ids()).toEqual(['1', '2', '3'])
  stop()
})

test('Does it refetch all the time?', async () => {
  vi.useFakeTimers()
  const requests = serveTodos(300)
  const { show, controller, fetch, stop } = await open()
  const ready = Promise.all([show(Todos.getList, { done: false }), show(Todos.getList, { q: 't' })])
  await vi.advanceTimersByTimeAsync(1_000)
  await ready
  const during = async (count: number, pause: number, change: (at: number) => unknown): Promise<string[]> => {
    const { length } = requests
    for (let at = 0; at < count; at++) {
      void change(at)
      await vi.advanceTimersByTimeAsync(pause)
    }
    await vi.advanceTimersByTimeAsync(20_000)
    return linesOf(requests.slice(length)).filter((line) => line.startsWith('GET'))
  }
  const rename = (at: number): unknown => fetch(Todos.partialUpdate, { id: '1' }, { title: `x${at}` })
  // One after the other: a read of the search each, and none of the list that is computed.
  expect(await during(3, 1_000, rename)).toEqual(['GET /todos?q=t', 'GET /todos?q=t', 'GET /todos?q=t'])
  // Changes that overlap: one read of each list.
  expect(await during(10, 100, rename)).toEqual(['GET /todos?done=false', 'GET /todos?q=t'])
  // 100 messages of the server in ten seconds.
  const push = (at: number): unknown => controller.set(Todo, { id: '1' }, { id: '1', title: `y${at}` })
  expect((await during(100, 100, push)).length).toBeLessThan(10)
  expect(await during(600, 1_000, () => {})).toEqual([])
  stop()
})

test('Is a list of 10,000 records slow?', async () => {
  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id: `${id}`, title: 'a', done: false, rank: id }))
  serve(({ method }) => [200, method === 'GET' ? rows : { ...rows[5], title: 'b' }])
  const { show, fetch, stop } = await open()
  const list = await show(Todos.getList)
  const before = list.data()
  await fetch(Todos.partialUpdate, { id: '5' }, { title: 'b' })
  const after = list.data()
  expect(after).not.toBe(before)
  expect(after.filter((todo: Todo, at: number) => todo !== before[at]).map(({ title }: Todo) => title)).toEqual(['b'])
  stop()
})

test('What about a response that is no record?', async () => {
  let total = 3
  serve(({ url }) => [200, url.includes('true') ? 1 : total])
  const getTotal = new RestEndpoint({ path: '/todos/total', searchParams: {} as { done: boolean }, schema: undefined })
  const { show, controller, stop } = await open()
  const [all, done] = await Promise.all([show(getTotal, { done: false }), show(getTotal, { done: true })])
  expect([all.data(), done.data()]).toEqual([3, 1])
  total = 4
  controller.expireAll(getTotal)
  await expect.poll(() => all.data()).toBe(4)
  stop()
})

test('What about data that I did not declare?', async () => {
  const owner = { id: '7', name: 'Ann' }
  serve(() => [200, { ...ROWS[0], owner }])
  const { show, stop } = await open()
  const view = await show(Todos.get, { id: '1' })
  expect(view.data().owner).toEqual(owner)
  stop()
})

test('Does the cache grow forever?', async () => {
  vi.useFakeTimers()
  serveTodos()
  const { show, getState, stop } = await open({ gcPolicy: new GCPolicy({ intervalMS: 10_000 }) })
  const { end } = await show(Todos.getList)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(Object.keys(getState().entities.Todo)).toHaveLength(3)
  end()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(Object.keys(getState().entities.Todo ?? {})).toEqual([])
  stop()
})

test('What if two optimistic changes are pending, and one fails?', async () => {
  const replies: ((reply: Reply) => void)[] = []
  serve(({ method }) => (method === 'GET' ? [200, ROWS] : new Promise<Reply>((done) => replies.push(done))))
  const { show, fetch, stop } = await open()
  const list = await show(Todos.getList)
  const titles = (): string[] => list.data().map(({ title, done }: Todo) => `${title} ${done}`)
  const failing = fetch(Todos.partialUpdate, { id: '1' }, { title: 'new' }).catch((error: Error) => error)
  const other = fetch(Todos.partialUpdate, { id: '1' }, { done: true })
  await expect.poll(() => replies.length).toBe(2)
  expect(titles()[0]).toBe('new true')
  replies[0]!([422])
  await failing
  expect(titles()[0]).toBe('t1 true')
  replies[1]!([200, { ...ROWS[0], done: true }])
  await other
  expect(titles()[0]).toBe('t1 true')
  stop()
})

test('What if somebody else changed the record in the meantime?', async () => {
  const server = { ...ROWS[0]!, version: 1 }
  const body = (): object => ({ ...server, version: undefined })
  const headers = (): object => ({ etag: `"${server.version}"` })
  serve(({ method, headers: sent, body: given }) => {
    if (method === 'GET') {
      return [200, body(), headers()]
    }
    if (sent.get('if-match') !== `"${server.version}"`) {
      return [412]
    }
    Object.assign(server, given, { version: server.version + 1 })
    return [200, body(), headers()]
  })
  const Notes = resource({ path: '/todos/:id', schema: Todo, Endpoint: etagEndpoint() })
  const { show, fetch, stop } = await open({ managers: getDefaultManagers() })
  const view = await show(Notes.get, { id: '1' })
  Object.assign(server, { title: 'theirs', version: 2 })
  const error = await fetch(ifMatch(Notes.partialUpdate, view.data()), { id: '1' }, { title: 'mine' }).catch(
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConflictError)
  expect((error as ConflictError<Todo>).current!.title).toBe('theirs')
  expect(server.title).toBe('theirs')
  stop()
})

test('And when it is wrong all the same?', () => {
  const page = readFileSync('docs/guide/objections.md', 'utf8')
  const own = readFileSync('tests/objections.test.ts', 'utf8')
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
  expect(headings.length).toBeGreaterThan(8)
  for (const heading of headings) {
    expect(own, heading).toContain(`test('${heading}'`)
  }
})
