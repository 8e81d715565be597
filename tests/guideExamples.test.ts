// Runs examples of docs/guide as they are printed, against a fake `fetch`.
import { fieldErrors, resource } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadBlock, openStore } from './guideBlocks.ts'

type Respond = (method: string, url: string, body: any) => [status: number, body?: unknown, headers?: object]

let requests: string[]
let respond: Respond

beforeEach(() => {
  requests = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: { method?: string; body?: string } = {}) => {
    requests.push(`${method} ${url}`)
    const [status, value, headers] = respond(method, url, body && JSON.parse(body))
    const init = { status, headers: { 'content-type': 'application/json', ...headers } }
    return new Response(value === undefined ? null : JSON.stringify(value), init)
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('adapt-your-api: one class renames fields and unwraps envelopes', async () => {
  const { Tasks } = await loadBlock('adapt-your-api', 0)
  const task = { id: '1', title: 'a', due_at: 'x', assigned_to: '5' }
  let sent: unknown
  respond = (method, _url, body) => {
    sent = body
    const created: ReturnType<Respond> = [201, { data: { ...task, id: '2' } }]
    const listed: ReturnType<Respond> = [200, { data: [task], meta: { total: 12 } }]
    return method === 'POST' ? created : method === 'PATCH' ? [422, { errors: { due_at: ['is taken'] } }] : listed
  }
  const { fetch, read } = openStore()
  await fetch(Tasks.getList, { assignedTo: '5' })
  await fetch(Tasks.create, { title: 'a', dueAt: 'x', assignedTo: '5' })
  expect(sent).toEqual({ title: 'a', due_at: 'x', assigned_to: '5' })
  expect(requests).toEqual(['GET https://api.test/v2/tasks?assigned_to=5', 'POST https://api.test/v2/tasks'])
  const { data, total } = read(Tasks.getList, { assignedTo: '5' })
  expect(data[1]).toMatchObject({ id: '2', title: 'a', dueAt: 'x', assignedTo: '5' })
  expect([data.length, total]).toEqual([2, 13])
  const error = await fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' }).catch((thrown: unknown) => thrown)
  expect(fieldErrors(error)).toEqual({ dueAt: ['is taken'] })
})

test('adapt-your-api: a class of your own writes queries and reads error messages', async () => {
  const { ApiEndpoint } = await loadBlock('adapt-your-api', 1)
  vi.stubGlobal('localStorage', { getItem: () => 'secret' })
  respond = (_method, url) => (url.includes('tags') ? [200, []] : [422, { fault: { text: 'Too long' } }])
  const getTasks = new ApiEndpoint({ path: '/tasks' })
  await getTasks({ tags: ['a', 'b'], assignedTo: '5' })
  expect(requests).toEqual(['GET https://api.test/v2/tasks?assignedTo=5&tags=a%2Cb'])
  await expect(getTasks()).rejects.toThrow('Too long')
})

test('pages: the next page comes from a Link header', async () => {
  const { getIssues } = await loadBlock('pages', 2)
  const link = '<https://api.test/issues?page=2>; rel="next"'
  respond = (method, url) => {
    const listed: ReturnType<Respond> = url.includes('page=2')
      ? [200, [{ id: '3' }]]
      : [200, [{ id: '1' }, { id: '2' }], { link }]
    return method === 'POST' ? [201, { id: '9' }] : listed
  }
  const { fetch, read } = openStore()
  const { next } = await fetch(getIssues)
  await fetch(getIssues.getPage, { page: next })
  await fetch(getIssues.push, {})
  expect(read(getIssues).issues.map(({ id }: any) => id)).toEqual(['1', '2', '3', '9'])
  expect(requests).toEqual(['GET /issues', 'GET /issues?page=2', 'POST /issues'])
})

test('two-lists: a new post joins the list, and not the trending ones', async () => {
  const { Posts } = await loadBlock('two-lists', 0)
  respond = (method) =>
    method === 'POST' ? [201, { id: '2', title: 'b' }] : method === 'GET' ? [200, [{ id: '1', title: 'a' }]] : [204]
  const { fetch, read } = openStore()
  const lengths = (): number[] => [Posts.getList, Posts.getTrending].map((list) => read(list).length)
  await fetch(Posts.getList)
  await fetch(Posts.getTrending)
  await fetch(Posts.create, { title: 'b' })
  expect(lengths()).toEqual([2, 1])
  await fetch(Posts.delete, { id: '1' })
  expect(lengths()).toEqual([1, 0])
})

test('nested-lists: the field and its endpoint are one list', async () => {
  const { getProject, getTasks } = await loadBlock('nested-lists', 0, 'getProject, getTasks')
  const task = { id: '1', title: 'a', project: '1' }
  respond = (method) =>
    method === 'POST' ? [201, { ...task, id: '2' }] : [200, { id: '1', name: 'Project', tasks: [task] }]
  const { fetch, read } = openStore()
  await fetch(getProject, { id: '1' })
  await fetch(getTasks.push, { project: '1' }, { title: 'a' })
  expect(read(getProject, { id: '1' }).tasks.length).toBe(2)
  expect(read(getTasks, { project: '1' }).length).toBe(2)
})

test('lists: a sorted list, and a filter of your own', async () => {
  const { getTasks, createTask } = await loadBlock('lists', 1)
  const titles = ['c', 'a'].map((title) => ({ id: title, title }))
  respond = (method) => (method === 'POST' ? [201, { id: 'b', title: 'b' }] : [200, titles])
  const { fetch, read } = openStore()
  await fetch(getTasks)
  await fetch(createTask, { title: 'b' })
  expect(read(getTasks).map(({ title }: any) => title)).toEqual(['a', 'b', 'c'])

  const { tasks, Task } = await loadBlock('lists', 2, 'Task')
  const Tasks: any = resource({ path: '/tasks/:id', schema: Task as any }).extend({ getList: { schema: tasks } } as any)
  respond = (method) => (method === 'GET' ? [200, [{ id: '1', state: 'open' }]] : [200, { id: '1', state: 'done' }])
  const other = openStore()
  await other.fetch(Tasks.getList, { status: 'active' })
  await other.fetch(Tasks.getList)
  requests = []
  await other.fetch(Tasks.partialUpdate, { id: '1' }, { state: 'done' })
  expect([{ status: 'active' }, undefined].map((args) => other.read(Tasks.getList, args).length)).toEqual([0, 1])
  expect(requests).toEqual(['PATCH /tasks/1'])
})

test('lists: a filter by dates and relations', async () => {
  const { Bookings } = await loadBlock('lists', 3)
  const booking = { id: '1', start: '2030-01-10T09:00:00+02:00', room: { id: 'r1', name: 'Blue' } }
  respond = (method, _url, body) =>
    method === 'GET' ? [200, [booking]] : [200, { ...booking, ...(method === 'POST' && { id: '2' }), ...body }]
  const { fetch, read } = openStore()
  const january = { from: '2030-01-01', to: '2030-02-01', room: 'r1' }
  const length = () => read(Bookings.getList, january).length
  await fetch(Bookings.getList, january)
  await fetch(Bookings.create, { start: new Date('2030-01-31') })
  expect(length()).toBe(2)
  await fetch(Bookings.create, { id: '3', start: new Date('2030-02-01') })
  expect(length()).toBe(2)
  await fetch(Bookings.partialUpdate, { id: '2' }, { id: '2', room: { id: 'r2', name: 'Red' } })
  expect(length()).toBe(1)
})

test('dates: fields are converted as they are read', async () => {
  const { Invoices } = await loadBlock('dates', 0)
  respond = () => [200, { id: '5', total: '12.50', issuedAt: '2030-01-31T10:00:00Z', paidAt: null }]
  const invoice = await openStore().fetch(Invoices.get, { id: '5' })
  expect(invoice).toMatchObject({ issuedAt: new Date('2030-01-31T10:00:00Z'), paidAt: null })
  expect(JSON.stringify(invoice.total)).toBe('"12.50"')
})

test('graphql: lists follow mutations', async () => {
  const { getTodos, addTodo, setDone } = await loadBlock('graphql', 0, 'getTodos, addTodo, setDone')
  const todo = { id: '1', title: 'a', done: false }
  respond = (_method, _url, { query }) => {
    const data = query.includes('addTodo')
      ? { addTodo: { ...todo, id: '2' } }
      : query.includes('setDone')
        ? { setDone: { id: '1', done: true } }
        : { todos: [todo] }
    return [200, { data }]
  }
  const { fetch, read } = openStore()
  const ids = (): string[] => read(getTodos, { done: false }).todos.map(({ id }: any) => id)
  await fetch(getTodos, { done: false })
  await fetch(addTodo, { title: 'a' })
  expect(ids()).toEqual(['1', '2'])
  await fetch(setDone, { id: '1', done: true })
  expect(ids()).toEqual(['2'])
})

test('validation: a body that is not valid is not sent', async () => {
  const { Users } = await loadBlock('validation', 0)
  respond = () => [200, { id: '1', name: '' }]
  const { fetch } = openStore()
  const issues = [expect.objectContaining({ message: 'A name is required' })]
  await expect(fetch(Users.create, { name: '' })).rejects.toMatchObject({ code: 'validate-body', status: 400, issues })
  expect(requests).toEqual([])
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ code: 'validate-entity' })
})

test('queries: the total of a cart', async () => {
  const { getCart, cartTotal } = await loadBlock('queries', 0, 'getCart, cartTotal')
  respond = () => [200, [{ id: '1', product: 'Tea', price: 2, quantity: 3 }]]
  const { fetch, controller } = openStore()
  await fetch(getCart)
  expect((controller.get as any)(cartTotal, controller.getState())).toBe(6)
})

test('streams: events of the server are written into the store', async () => {
  let push!: (text: string) => void
  vi.stubGlobal('fetch', async (url: string) => {
    const body = new ReadableStream({
      start: (stream) => {
        push = (text) => stream.enqueue(new TextEncoder().encode(text))
      },
    })
    requests.push(url)
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  const { store, live, Tasks } = await loadBlock('streams', 0)
  await vi.waitFor(() => expect(live.status).toBe('open'))
  const read = (): any => store.controller.get(Tasks.get.schema, { id: '5' })
  push(
    'data: {"id":"5","title":"new","updatedAt":"2026-02-01"}\n\ndata: {"id":"5","title":"old","updatedAt":"2026-01-01"}\n\n',
  )
  await vi.waitFor(() => expect(read()?.title).toBe('new'))
  push('event: deleted\ndata: {"id":"5"}\n\n')
  await vi.waitFor(() => expect(read()).toBeUndefined())
  store.stop()
  expect(requests).toEqual(['https://api.test/events'])
})
