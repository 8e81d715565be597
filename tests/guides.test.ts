// @vitest-environment happy-dom
// What the guides promise, for the pages whose examples only compile otherwise.
import { All, Collection, createStore, Entity, Invalidate, resource, RestEndpoint, Union } from 'restitch'
import { GQLEndpoint, GQLEntity } from 'restitch/graphql'
import { useInfinite } from 'restitch/react'
import { renderDataHook } from 'restitch/test'
import { afterEach, describe, expect, test } from 'vitest'
import { loadBlock } from './guideBlocks.ts'

type Respond = (body: any) => unknown

const realFetch = globalThis.fetch
afterEach(() => {
  globalThis.fetch = realFetch
})

/** A server with one response per `METHOD path`. Returns the requests it received. */
function serve(responses: Record<string, Respond>): string[] {
  const requests: string[] = []
  globalThis.fetch = async (input, init) => {
    const request = `${init?.method ?? 'GET'} ${String(input)}`
    requests.push(request)
    const respond = responses[request]
    if (!respond) {
      throw new TypeError(`no response for ${request}`)
    }
    return Response.json(respond(init?.body ? JSON.parse(String(init.body)) : undefined))
  }
  return requests
}
const idsOf = (list: readonly { id: string }[] | undefined): string[] => (list ?? []).map(({ id }) => id)

test('dates: converted values are sent as JSON, and an optimistic update shows them', async () => {
  class Money {
    readonly cents: bigint
    constructor(text: string) {
      this.cents = BigInt(text.replace('.', ''))
    }
    toJSON(): string {
      return `${this.cents / 100n}.${String(this.cents % 100n).padStart(2, '0')}`
    }
  }
  class Invoice extends Entity {
    id = ''
    total: Money = new Money('0.00')
    paidAt: Date | null = null
    static override key = 'Invoice'
    static override schema = { total: Money, paidAt: Date }
  }
  const Invoices = resource({ path: '/invoices/:id', schema: Invoice, optimistic: true })
  const bodies: unknown[] = []
  serve({
    'GET /invoices/5': () => ({ id: '5', total: '12.50', paidAt: null }),
    'PATCH /invoices/5': (body) => {
      bodies.push(body)
      return { id: '5', ...body }
    },
  })
  const { controller } = createStore()
  const { total, paidAt } = await controller.fetch(Invoices.get, { id: '5' })
  expect([total.cents, paidAt]).toEqual([1250n, null])
  const now = new Date('2030-01-31T10:00:00Z')
  const saved = controller.fetch(Invoices.partialUpdate, { id: '5' }, { paidAt: now, total: new Money('99.05') })
  expect(controller.get(Invoice, { id: '5' })?.paidAt).toEqual(now)
  expect(controller.get(Invoice, { id: '5' })?.total.cents).toBe(9905n)
  await saved
  expect(bodies).toEqual([{ paidAt: '2030-01-31T10:00:00.000Z', total: '99.05' }])
  expect(controller.get(Invoice, { id: '5' })?.paidAt).toEqual(now)
})

test('unions: each kind has its own table, and a change of a record reaches the feed', async () => {
  abstract class FeedItem extends Entity {
    id = ''
    type = ''
  }
  class Post extends FeedItem {
    text = ''
    static override key = 'Post'
  }
  class Link extends FeedItem {
    url = ''
    static override key = 'Link'
  }
  const Feed = resource({ path: '/feed/:id', schema: new Union({ post: Post, link: Link }, 'type') })
  const Posts = resource({ path: '/posts/:id', schema: Post })
  serve({
    'GET /feed': () => [
      { type: 'post', id: '1', text: 'Hi' },
      { type: 'link', id: '1', url: '/about' },
    ],
    'PATCH /posts/1': (body) => ({ type: 'post', id: '1', ...body }),
  })
  const { controller } = createStore()
  await controller.fetch(Feed.getList)
  await controller.fetch(Posts.partialUpdate, { id: '1' }, { text: 'Hello' })
  const feed: unknown = controller.getResponse(Feed.getList).data
  expect(JSON.parse(JSON.stringify(feed))).toEqual([
    { type: 'post', id: '1', text: 'Hello' },
    { type: 'link', id: '1', url: '/about' },
  ])
})

test('two lists: a named list changes by its own responses alone, and deleted records leave it', async () => {
  class Post extends Entity {
    id = ''
    static override key = 'Post'
  }
  const Posts = resource({ path: '/posts/:id', schema: Post }).extend('getTrending', {
    path: '/posts/trending',
    schema: new Collection([Post], { name: 'trending', autoUpdate: false }),
  })
  const requests = serve({
    'GET /posts': () => [{ id: '1' }, { id: '2' }],
    'GET /posts/trending': () => [{ id: '2' }],
    'POST /posts': () => ({ id: '3' }),
    'DELETE /posts/2': () => ({ id: '2' }),
  })
  const { controller } = createStore()
  await controller.fetch(Posts.getList)
  await controller.fetch(Posts.getTrending)
  const read = (): string[][] => [
    idsOf(controller.getResponse(Posts.getList).data),
    idsOf(controller.getResponse(Posts.getTrending).data),
  ]
  await controller.fetch(Posts.create, {})
  expect(read()).toEqual([['1', '2', '3'], ['2']])
  await controller.fetch(Posts.delete, { id: '2' })
  expect(read()).toEqual([['1', '3'], []])
  expect(requests).toHaveLength(4)
})

describe('nested lists', () => {
  class Task extends Entity {
    id = ''
    project = ''
    static override key = 'Task'
  }
  const tasksOfProject = new Collection([Task], {
    argsKey: ({ project }: { project: string }) => ({ project }),
    nestKey: (project: { id: string }) => ({ project: project.id }),
  })
  class Project extends Entity {
    id = ''
    tasks: Task[] = []
    static override key = 'Project'
    static override schema = { tasks: tasksOfProject }
  }
  const getProject = new RestEndpoint({ path: '/projects/:id', schema: Project })
  const getTasks = new RestEndpoint({ path: '/projects/:project/tasks', schema: tasksOfProject })

  test('a task that is created through the endpoint is in the field, too', async () => {
    serve({
      'GET /projects/1': () => ({ id: '1', tasks: [{ id: '1', project: '1' }] }),
      'POST /projects/1/tasks': () => ({ id: '2', project: '1' }),
    })
    const { controller } = createStore()
    await controller.fetch(getProject, { id: '1' })
    await controller.fetch(getTasks.push, { project: '1' }, {})
    expect(idsOf(controller.get(Project, { id: '1' })?.tasks)).toEqual(['1', '2'])
    expect(idsOf(controller.getResponse(getTasks, { project: '1' }).data)).toEqual(['1', '2'])
  })

  test('a folder joins the children of its parent', async () => {
    class Folder extends Entity {
      id = ''
      parent = ''
      children: Folder[] = []
      static override key = 'Folder'
      static override schema: any = {}
    }
    Folder.schema = {
      children: new Collection([Folder], { nestKey: (folder: { id: string }) => ({ parent: folder.id }) }),
    }
    const Folders = resource({ path: '/folders/:id', schema: Folder })
    serve({
      'GET /folders/1': () => ({ id: '1', parent: '', children: [{ id: '2', parent: '1', children: [] }] }),
      'POST /folders': (body) => ({ id: '3', children: [], ...body }),
    })
    const { controller } = createStore()
    await controller.fetch(Folders.get, { id: '1' })
    await controller.fetch(Folders.create, { parent: '2' })
    expect(idsOf(controller.get(Folder, { id: '1' })?.children)).toEqual(['2'])
    expect(idsOf(controller.get(Folder, { id: '2' })?.children)).toEqual(['3'])
  })
})

describe('GraphQL', () => {
  const gql = new GQLEndpoint('/graphql')

  test('lists follow the mutations of other queries', async () => {
    class Todo extends GQLEntity {
      done = false
      static override key = 'Todo'
    }
    const todos = new Collection([Todo])
    const getTodos = gql.query((_: { done?: boolean }) => 'query { todos }', { todos })
    const addTodo = gql.mutation((_: { title: string }) => 'mutation { addTodo }', { addTodo: todos.push })
    const setDone = gql
      .mutation((_: { id: string; done: boolean }) => 'mutation { setDone }', { setDone: Todo })
      .extend({ getOptimisticResponse: (_snapshot, { id, done }) => ({ setDone: { id, done } }) })
    const deleteTodo = gql.mutation((_: { id: string }) => 'mutation { deleteTodo }', {
      deleteTodo: new Invalidate(Todo),
    })
    const server = [
      { id: '1', done: false },
      { id: '2', done: true },
    ]
    serve({
      'POST /graphql': ({ query, variables: { id, done } }) => {
        const data = {
          'query { todos }': { todos: server.filter((todo) => todo.done === done) },
          'mutation { addTodo }': { addTodo: { id: '3', done: false } },
          'mutation { setDone }': { setDone: { id, done } },
          'mutation { deleteTodo }': { deleteTodo: { id } },
        }[query as string]
        return { data }
      },
    })
    const { controller } = createStore()
    const read = (): string[][] =>
      [false, true].map((done) => idsOf(controller.getResponse(getTodos, { done }).data?.todos))
    await controller.fetch(getTodos, { done: false })
    await controller.fetch(getTodos, { done: true })
    await controller.fetch(addTodo, { title: 'New' })
    expect(read()).toEqual([['1', '3'], ['2']])
    const pending = controller.fetch(setDone, { id: '1', done: true })
    expect(read()).toEqual([['3'], ['2', '1']])
    await pending
    await controller.fetch(deleteTodo, { id: '2' })
    expect(read()).toEqual([['3'], ['1']])
  })

  test('useInfinite loads the pages of a query', async () => {
    class Post extends GQLEntity {
      static override key = 'Post'
    }
    const getPosts = gql
      .query((_: { author: string; after?: string }) => 'query { posts }', {
        posts: { items: new Collection([Post]), next: '' },
      })
      .extend({
        paginationField: 'after',
        getNextPage: (data: { posts: { next: string | null } }) => data.posts.next,
      })
    const sent: unknown[] = []
    serve({
      'POST /graphql': ({ variables }) => {
        sent.push(variables)
        const id = Number(variables.after ?? 0)
        return { data: { posts: { items: [{ id: String(id) }], next: id < 1 ? String(id + 1) : null } } }
      },
    })
    const { result, waitFor } = renderDataHook(() => useInfinite(getPosts, { author: 'ann' }))
    await waitFor(() => expect(result.current.hasNextPage).toBe(true))
    void result.current.fetchNextPage()
    await waitFor(() => expect(idsOf(result.current.items)).toEqual(['0', '1']))
    expect(result.current.hasNextPage).toBe(false)
    expect(sent).toEqual([{ author: 'ann' }, { author: 'ann', after: '1' }])
  })
})

test.each([
  ['a temporary id', {}, ['s1', expect.stringMatching(/^optimistic-/)], ['s1']],
  ['an id of the client', { id: 'c1' }, ['c1'], ['c1']],
])('streams, polling: a record that arrives before the response of its create, with %s', async (_, id, both, after) => {
  class Task extends Entity {
    id = ''
    title = ''
    static override key = 'Task'
  }
  const Tasks = resource({ path: '/tasks/:id', schema: Task, optimistic: true })
  const task = { id: 's1', title: 'a', ...id }
  let stored: unknown[] = []
  let respond!: () => void
  const done = new Promise<void>((resolve) => (respond = resolve))
  globalThis.fetch = async (_url, init) => {
    if (init?.method === 'POST') {
      stored = [task]
      await done
    }
    return Response.json(init?.method === 'POST' ? task : stored)
  }
  const { controller } = createStore()
  const ids = (): string[] => idsOf(controller.getResponse(Tasks.getList).data)
  await controller.fetch(Tasks.getList)
  const creating = controller.fetch(Tasks.create, { title: 'a', ...id })
  await controller.fetch(Tasks.getList) // a poll
  expect(ids()).toEqual(both)
  await controller.set(Tasks.getList.schema.push, {}, task) // a message
  expect(ids()).toEqual(both)
  respond()
  await creating
  expect(ids()).toEqual(after)
})

test('queries: All sees records that are known only in part', async () => {
  const { Task, longTasks } = await loadBlock('queries', 1)
  const { controller } = createStore()
  await controller.set(Task, { id: '1' }, { id: '1', title: 'a' })
  await controller.set(Task, { id: '2' }, { id: '2', title: 'b', hours: 9 })
  expect(controller.get(new All(Task) as any)).toHaveLength(2)
  expect(idsOf(controller.get(longTasks) as any)).toEqual(['2'])
})
