// Servers with other manners: snake_case, envelopes, JSON:API, and what they do when they fail.
import fc from 'fast-check'
import {
  bracketSearch,
  Collection,
  createStore,
  Entity,
  fieldErrors,
  resource,
  RestEndpoint,
  type RestGenerics,
} from 'restitch'
import { adaptEndpoint, type AdaptOptions, camelizeKeys } from 'restitch/adapt'
import { createAuth } from 'restitch/auth'
import { MockController } from 'restitch/mock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createCasing } from '../../src/adapt/casing.ts'
import { json, openServer, send, type TestServer } from '../server.ts'

class Task extends Entity {
  id = ''
  title = ''
  dueAt = ''
  assignedTo = ''
  labels: Record<string, string> = {}
  static override key = 'Task'
}
const there = { id: '1', title: 'a', due_at: 'x', assigned_to: '5', labels: { in_progress: 'yes' } }
const here = { id: '1', title: 'a', dueAt: 'x', assignedTo: '5', labels: { in_progress: 'yes' } }

let server: TestServer
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

const sent = (): any => JSON.parse(server.last.body.toString())
const open = (options: AdaptOptions, more: object = {}) => {
  const Api = adaptEndpoint(options)
  const Tasks = resource({ urlPrefix: server.origin, path: '/tasks/:id', schema: Task, Endpoint: Api, ...more } as {
    path: '/tasks/:id'
    schema: typeof Task
  })
  const { controller } = createStore()
  return { Api, Tasks, controller, fetch: controller.fetch }
}
const snake: AdaptOptions = { casing: { style: 'snake', except: ['labels'] } }

test('ADA-1 fields are renamed in responses, bodies and search parameters, at any depth', async () => {
  const { Tasks, fetch } = open(snake)
  server.answer(json([there, { ...there, id: '2', sub_tasks: [{ due_at: 'y' }] }]))
  const list: any = await fetch(Tasks.getList, { assignedTo: '5', createdBy: ['a_b'] })
  expect(list[0]).toMatchObject(here)
  expect(server.last.url).toBe('/tasks?assigned_to=5&created_by=a_b')
  server.answer(json(there))
  await fetch(Tasks.partialUpdate, { id: '1' }, { dueAt: 'y', labels: { in_progress: 'no' } })
  expect(sent()).toEqual({ due_at: 'y', labels: { in_progress: 'no' } })
})

test('ADA-1 path parameters keep the names of the template; forms are renamed, files and dates are not touched', async () => {
  const { Api } = open(snake)
  server.answer(json({ is_ok: true }))
  const send = new Api({
    urlPrefix: server.origin,
    path: '/users/:userId/files',
    method: 'POST',
    searchParams: {} as any,
    body: {} as any,
  })
  const form = new FormData()
  form.append('fileName', 'a_b')
  expect(await send({ userId: '7', keepOld: true }, form)).toEqual({ isOk: true })
  expect(server.last.url).toBe('/users/7/files?keep_old=true')
  expect(server.last.body.toString()).toContain('name="file_name"')
  await send({ userId: '7' }, { startsAt: new Date(0), nested: [{ innerName: 1 }] })
  expect(sent()).toEqual({ starts_at: '1970-01-01T00:00:00.000Z', nested: [{ inner_name: 1 }] })
  await send({ userId: '7' }, new Blob(['{"keepMe":1}']))
  expect(sent()).toEqual({ keepMe: 1 })
  await send({ userId: '7' }, new URLSearchParams({ innerName: 'x' }))
  expect(server.last.body.toString()).toBe('inner_name=x')
})

test('ADA-1 an endpoint may write its query in its own way', async () => {
  const { Tasks } = open(snake)
  server.answer(json([]))
  await Tasks.getList.extend({ searchToString: bracketSearch })({ dueBetween: { startsAt: '1', endsAt: '2' } })
  expect(decodeURIComponent(server.last.url)).toBe('/tasks?due_between[ends_at]=2&due_between[starts_at]=1')
})

test('ADA-2 error bodies are renamed, and fieldErrors names fields as the app does', async () => {
  const { Tasks, fetch } = open(snake)
  const fail = async (body: unknown): Promise<any> => {
    server.answer(json(body, 422))
    return fetch(Tasks.create, { dueAt: '' } as any).catch((error: unknown) => error)
  }
  const error = await fail({
    message: 'no',
    error_code: 5,
    errors: { due_at: ['is required'], 'items.0.due_at': ['x'] },
  })
  expect(error.body).toMatchObject({ errorCode: 5, errors: { dueAt: ['is required'] } })
  expect(fieldErrors(error)).toEqual({ dueAt: ['is required'], 'items.0.dueAt': ['x'] })
  expect(fieldErrors(await fail({ errors: [{ pointer: '#/sub_tasks/0/due_at', detail: 'x' }] }))).toEqual({
    'subTasks.0.dueAt': ['x'],
  })
  expect(fieldErrors(await fail({ non_field_errors: ['x'] }))).toEqual({ '': ['x'] })
  server.answer(send('<html>', { 'content-type': 'text/html' }, 502))
  await expect(fetch(Tasks.get, { id: '1' })).rejects.toMatchObject({ status: 502, body: '<html>' })
})

test('ADA-3 names that do not follow the rule; the way back leads to the same name', () => {
  const { toApp, toServer, rename } = createCasing({ names: { iosURL: 'ios_url' }, except: ['raw_data'] })
  const pairs = [
    ['ios_url', 'iosURL'],
    ['due_at', 'dueAt'],
    ['a_b_c', 'aBC'],
    ['line_1', 'line_1'],
    ['address2_line', 'address2Line'],
    ['_id', '_id'],
    ['__all__', '__all__'],
    ['USD', 'USD'],
    ['two__bars', 'two_Bars'],
    ['id', 'id'],
  ] as const
  for (const [server, app] of pairs) {
    expect([toApp(server), toServer(app)]).toEqual([app, server])
  }
  const word = fc.stringMatching(/^[a-z][a-z\d]*$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const name = words.join('_')
      expect(toServer(toApp(name))).toBe(name)
    }),
  )
  expect(rename({ raw_data: { a_b: 1 }, list_of: [{ raw_data: { a_b: 1 } }] }, toApp)).toEqual({
    rawData: { a_b: 1 },
    listOf: [{ rawData: { a_b: 1 } }],
  })
  expect(rename({ rawData: { aB: 1 } }, toServer)).toEqual({ raw_data: { aB: 1 } })
  const hostile = rename(JSON.parse('{"__proto__":{"a_b":1},"constructor":{"a_b":2}}'), toApp) as object
  expect(Object.entries(hostile)).toEqual([
    ['__proto__', { aB: 1 }],
    ['constructor', { aB: 2 }],
  ])
  expect(({} as any).aB).toBeUndefined()
})

test('ADA-4 optimistic updates, validation and lists see the names of the app', async () => {
  const { Tasks, fetch, controller } = open(snake, { optimistic: true })
  server.answer(json([there]))
  await fetch(Tasks.getList, { assignedTo: '5' })
  let answer!: () => void
  server.answer((request, response) => {
    answer = () => json({ ...there, assigned_to: '6' })(request, response)
  })
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { assignedTo: '6' })
  expect(controller.getResponse(Tasks.getList, { assignedTo: '5' }).data).toEqual([])
  await expect.poll(() => server.received.length).toBe(1)
  answer()
  expect(await done).toMatchObject({ assignedTo: '6' })
  const checked = Tasks.create.extend({ validateBody: z.object({ dueAt: z.string().min(1, 'is required') }) })
  expect(fieldErrors(await fetch(checked, { dueAt: '' } as any).catch((error: unknown) => error))).toEqual({
    dueAt: ['is required'],
  })
  const strict = Tasks.get.extend({ validateResponse: z.object({ id: z.string(), dueAt: z.string() }) })
  server.answer(json(there))
  expect(await fetch(strict, { id: '1' })).toMatchObject({ dueAt: 'x' })
})

test.each([
  ['data', there, [there], { data: there }, { data: [there], meta: { total_count: 12 } }],
  ['root', there, [there], { task: there }, { tasks: [there], meta: { total_count: 12 } }],
] as const)(
  'ADA-5 an envelope of the kind %s is removed from records and lists',
  async (envelope, _a, _b, item, list) => {
    const { Tasks, fetch } = open({ ...snake, envelope })
    server.answer(json(list))
    expect(await fetch(Tasks.getList)).toMatchObject([here])
    server.answer(json(item))
    expect(await fetch(Tasks.get, { id: '1' })).toMatchObject(here)
    server.answer(json(item, 201))
    expect(await fetch(Tasks.create, { title: 'a' })).toMatchObject(here)
    expect(await fetch(Tasks.update, { id: '1' }, { title: 'a' })).toMatchObject(here)
    server.answer(send('', {}, 204))
    await fetch(Tasks.delete, { id: '1' })
  },
)

test.each([
  ['data', 'data'],
  ['root', 'tasks'],
] as const)('ADA-6 a schema of the envelope keeps it: pages and counts, %s', async (envelope, name) => {
  const { Tasks: Base, fetch, controller } = open({ ...snake, envelope }, { optimistic: true })
  const Tasks = Base.extend({
    getList: {
      schema: { [name]: new Collection([Task], { counts: ['totalCount'] as any }), totalCount: 0, nextPage: '' },
      searchParams: {} as { page?: string } | undefined,
      paginationField: 'page',
      getNextPage: (value: any) => value.nextPage,
    },
  } as any) as any
  server.answer((request, response) =>
    json(
      request.method === 'POST'
        ? { [name]: { ...there, id: '9' } }
        : request.url.includes('page')
          ? { [name]: [{ ...there, id: '2' }], meta: { total_count: 2, next_page: null } }
          : { [name]: [there], meta: { total_count: 2, next_page: 'b' } },
    )(request, response),
  )
  await fetch(Tasks.getList)
  const read = (): any => (controller.getResponse as any)(Tasks.getList).data
  expect([read()[name].length, read().totalCount, read().nextPage]).toEqual([1, 2, 'b'])
  await fetch(Tasks.getList.getPage, { page: 'b' })
  expect(read()[name].map(({ id }: Task) => id)).toEqual(['1', '2'])
  await fetch(Tasks.create, { title: 'a' })
  expect([read()[name].length, read().totalCount]).toEqual([3, 3])
})

test('ADA-7 resources of JSON:API become records, with their relations', async () => {
  class Person extends Entity {
    id = ''
    firstName = ''
    static override key = 'Person'
  }
  class Article extends Entity {
    id = ''
    title = ''
    author = new Person()
    comments: string[] = []
    static override key = 'Article'
    static override schema = { author: Person }
  }
  const Api = adaptEndpoint({ casing: 'snake', envelope: 'jsonapi' })
  const Articles = resource({ urlPrefix: server.origin, path: '/articles/:id', schema: Article, Endpoint: Api })
  const { fetch } = createStore().controller
  const article = {
    type: 'articles',
    id: '1',
    attributes: { title: 'a' },
    relationships: {
      author: { data: { type: 'people', id: '9' } },
      comments: { data: [{ type: 'comments', id: '5' }] },
      reviewer: { links: { related: '/x' } },
    },
  }
  const included = [
    {
      type: 'people',
      id: '9',
      attributes: { first_name: 'Ann' },
      relationships: { articles: { data: [{ type: 'articles', id: '1' }] }, boss: { data: null } },
    },
  ]
  server.answer(json({ data: [article], included, meta: { total: 1 } }))
  const [first] = await fetch(Articles.getList)
  expect(first).toMatchObject({ id: '1', title: 'a', comments: ['5'] })
  expect(first!.author).toMatchObject({ id: '9', firstName: 'Ann' })
  server.answer(json({ data: article }))
  expect((await fetch(Articles.get, { id: '1' })).author).toMatchObject({ firstName: 'Ann' })
  server.answer(json({ data: null }))
  await expect(fetch(Articles.get, { id: '2' })).rejects.toBeInstanceOf(Error)
})

test('ADA-7 relations that lead in a circle, or are broken, end', async () => {
  const Api = adaptEndpoint({ envelope: 'jsonapi' })
  const get = new Api({ urlPrefix: server.origin, path: '/a' })
  const link = (id: string) => ({ type: 'a', id })
  const node = (id: string, to: unknown) => ({ ...link(id), relationships: { next: { data: to } } })
  server.answer(json({ data: node('1', link('2')), included: [node('2', link('1')), null, 5] }))
  expect(await get()).toEqual({ type: 'a', id: '1', next: { type: 'a', id: '2', next: '1' } })
  server.answer(json({ data: [5, null, { id: '1', relationships: { next: null, other: { data: 7 } } }], included: {} }))
  expect(await get()).toMatchObject([5, null, { id: '1', other: 7 }])
})

test('ADA-8 a function removes an envelope of another kind', async () => {
  const { Tasks, fetch } = open({ envelope: (body) => body.response?.items ?? body.response ?? body })
  server.answer(json({ response: { items: [here] } }))
  expect(await fetch(Tasks.getList)).toMatchObject([here])
  server.answer(json({ response: here }))
  expect(await fetch(Tasks.get, { id: '1' })).toMatchObject(here)
})

test.each([
  ['a response without an envelope', json({ ok: true })],
  ['an empty envelope', json({ data: null })],
  ['a page', send('<html></html>', { 'content-type': 'text/html' })],
  ['JSON that breaks off', send('{"data":', { 'content-type': 'application/json' })],
  ['text in the envelope', json({ data: 'none' })],
])('ADA-9 %s is refused, and stored data stays', async (_, answer) => {
  const { Tasks, fetch, controller } = open({ ...snake, envelope: 'data' })
  server.answer(json({ data: there }))
  await fetch(Tasks.get, { id: '1' })
  server.answer(answer)
  const error: any = await fetch(Tasks.get, { id: '1' }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(Error)
  expect(controller.get(Task, { id: '1' })).toMatchObject(here)
})

test('ADA-10 it combines with another class, and fixtures have the names of the app', async () => {
  const auth = createAuth({
    origins: [server.origin],
    load: () => ({ accessToken: 'secret' }),
    refresh: () => ({ accessToken: 'x' }),
  })
  class Api<O extends RestGenerics = any> extends adaptEndpoint(
    { casing: 'snake', envelope: 'data' },
    auth.Endpoint,
  )<O> {
    override urlPrefix = server.origin
  }
  const Tasks = resource({ path: '/tasks/:id', schema: Task, Endpoint: Api })
  server.answer(json({ data: there }))
  expect(await createStore().controller.fetch(Tasks.get, { id: '1' })).toMatchObject({ dueAt: 'x' })
  expect(server.last.headers.authorization).toBe('Bearer secret')
  const Controller = MockController(
    createStore().controller.constructor as never,
    {
      fixtures: [{ endpoint: Tasks.get, args: [{ id: '1' }], response: here }],
    } as never,
  ) as any
  const { controller } = createStore({ Controller })
  expect(await controller.fetch(Tasks.get, { id: '1' })).toMatchObject({ dueAt: 'x' })
  expect(new RestEndpoint({ path: '/tasks/:id' }).url({ id: '1', dueAt: 'x' } as any)).toBe('/tasks/1?dueAt=x')
})

test('ADA-11 messages of a stream get the names that a response would have', async () => {
  const casing = { style: 'snake', except: ['labels'], names: { iosURL: 'ios_url' } } as const
  const { Tasks, fetch } = open({ casing })
  const message = { ...there, ios_url: 'y', _id: 1, line_1: 'z', sub_tasks: [{ due_at: null }] }
  server.answer(json(message))
  const task = await fetch(Tasks.get, { id: '1' })
  const renamed = camelizeKeys(message, casing)
  expect(renamed).toEqual({ ...here, iosURL: 'y', _id: 1, line_1: 'z', subTasks: [{ dueAt: null }] })
  expect(task).toMatchObject(renamed)
  expect(message).toHaveProperty('due_at')
  expect(camelizeKeys([{ in_progress: { due_at: 5 } }])).toEqual([{ inProgress: { dueAt: 5 } }])
  expect([camelizeKeys('a_b'), camelizeKeys(null)]).toEqual(['a_b', null])
})

class Post extends Entity {
  id = ''
  title = ''
  static override key = 'BlogPost'
}
const openPosts = (options: AdaptOptions, more: object = {}): any => {
  const Posts = resource({
    urlPrefix: server.origin,
    path: '/posts/:id',
    schema: Post,
    Endpoint: adaptEndpoint(options),
  })
  return Posts.extend(more as any)
}

test('ADA-12 numbers and the next page come from headers', async () => {
  const Posts = openPosts(
    { listHeaders: { total: 'X-Total-Count', next: 'Link', previous: 'link', none: 'X-None' } },
    {
      getList: {
        schema: { items: new Collection([Post], { counts: ['total'] as any }), total: 0, next: '' },
        getNextPage: ({ next }: any) => next && [Object.fromEntries(new URL(next as string).searchParams)],
      },
    },
  )
  const link =
    '</posts?_page=1>; rel="first", </posts?_page=1>; title="a, b"; rel="prev", </posts?_page=2&_limit=1>; rel="Next last"'
  const headers = { 'content-type': 'application/json', 'x-total-count': '26', link }
  server.answer(send('[{"id":"1"}]', headers))
  const { controller } = createStore()
  expect(await controller.fetch(Posts.getList)).toEqual({
    items: [Post.fromJS({ id: '1' })],
    total: 26,
    next: `${server.origin}/posts?_page=2&_limit=1`,
    previous: `${server.origin}/posts?_page=1`,
  })
  // A record and a list without an envelope stay as they are.
  server.answer(send('{"id":"2"}', headers))
  expect(await controller.fetch(Posts.get, { id: '2' })).toEqual(Post.fromJS({ id: '2' }))
  server.answer(send('{"id":"3","title":"n"}', headers, 201))
  await controller.fetch(Posts.create, { title: 'n' })
  const { data } = controller.getResponse(Posts.getList) as any
  expect([data.items.map(({ id }: Post) => id), data.total]).toEqual([['1', '3'], 27])
  server.answer(send('[{"id":"1"}]', { 'content-type': 'application/json' }))
  expect(await controller.fetch(Posts.getList)).toMatchObject({ items: [{ id: '1' }], next: '' })
  expect(await controller.fetch(openPosts({ listHeaders: { total: 'X-Total-Count' } }).getList)).toHaveLength(1)
})

test.each([
  ['root', { blog_post: { due_at: 'x' } }],
  ['data', { data: { due_at: 'x' } }],
  [(body: object, name: string) => ({ type: name, ...body }), { type: 'blog_post', due_at: 'x' }],
] as const)('ADA-13 bodies are sent in an envelope of the kind %s', async (bodyEnvelope, expected) => {
  const Posts = openPosts({ casing: 'snake', bodyEnvelope })
  const { fetch } = createStore().controller
  server.answer(json({ id: '1' }))
  await fetch(Posts.create, { dueAt: 'x' })
  expect(sent()).toEqual(expected)
  await fetch(Posts.partialUpdate, { id: '1' }, { dueAt: 'x' })
  expect(sent()).toEqual(expected)
  await fetch(Posts.get, { id: '1' })
  expect(server.last.body.toString()).toBe('')
  server.answer(json([{ id: '1' }]))
  await fetch(Posts.create, [{ dueAt: 'x' }])
  expect(sent()).toEqual([{ due_at: 'x' }])
})

test('ADA-13 without an Entity a body has no root', async () => {
  const Api = adaptEndpoint({ bodyEnvelope: 'root' })
  server.answer(json({ ok: true }))
  await new Api({ urlPrefix: server.origin, path: '/login', method: 'POST' })({ name: 'ann' })
  expect(sent()).toEqual({ name: 'ann' })
})

test.each([
  ['repeat', 'id=4&id=3&q=x'],
  ['brackets', 'id[]=4&id[]=3&q=x'],
  [undefined, 'id=4,3&q=x'],
] as const)('ADA-14 lists in a query are written by the style %s', async (arrays, expected) => {
  const Posts = openPosts({ arrays })
  server.answer(json([]))
  await Posts.getList({ q: 'x', id: [4, 3], none: undefined })
  expect(decodeURIComponent(server.last.url)).toBe(`/posts?${expected}`)
  await Posts.getList({ id: [] })
  expect(server.last.url).toBe(arrays ? '/posts' : '/posts?id=')
})

test('ADA-15 constants are sent with each request, and arguments win', async () => {
  const Posts = openPosts({ constants: { meta: '*', page: 1, id: 'no' }, arrays: 'repeat' })
  const { fetch, getResponse } = createStore().controller as any
  server.answer(json([]))
  await fetch(Posts.getList)
  expect(server.last.url).toBe('/posts?id=no&meta=*&page=1')
  await fetch(Posts.getList, { page: 2, meta: undefined })
  expect(server.last.url).toBe('/posts?id=no&meta=*&page=2')
  server.answer(json({ id: '5' }))
  await fetch(Posts.get, { id: '5' })
  expect(server.last.url).toBe('/posts/5?meta=*&page=1')
  // They are no arguments of a list.
  await fetch(Posts.create, { title: 'n' })
  expect(server.last.url).toBe('/posts?id=no&meta=*&page=1')
  expect(getResponse(Posts.getList).data).toHaveLength(1)
})
