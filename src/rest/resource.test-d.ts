import { describe, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { Collection } from '../kinds/Collection.ts'
import type { EntityClass } from '../schema/Denormalize.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'
import type { RestGenerics } from './RestOptions.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { type Resource, resource, type ResourceGenerics, type ResourceOptions } from './resource.ts'

class User extends Entity {
  id = ''
  name = ''
  age = 0
  static override key = 'User'
}
type Id = { id: string | number }
type UserData = { id: string; name: string; age: number }
type Draft = { name: string; age: number }

const Users = resource({ path: '/users/:id', schema: User })
const Posts = resource({
  urlPrefix: 'https://api.test',
  path: '/blogs/:blog/posts/:id',
  schema: User,
  body: {} as Draft,
  searchParams: {} as { sort?: 'asc' | 'desc' },
  paginationField: 'cursor',
})
type Post = { blog: string | number; id: string | number }

test('RES-1 every member has the path, the method and the kind of its row', () => {
  expectTypeOf(Users.get.path).toEqualTypeOf<'/users/:id'>()
  expectTypeOf(Users.get.method).toEqualTypeOf<'GET'>()
  expectTypeOf(Users.getList.path).toEqualTypeOf<'/users'>()
  expectTypeOf(Users.getList.push.path).toEqualTypeOf<'/users'>()
  expectTypeOf(Users.getList.push.method).toEqualTypeOf<'POST'>()
  expectTypeOf(Users.create.path).toEqualTypeOf<'/users'>()
  expectTypeOf(Users.getList.unshift.method).toEqualTypeOf<'POST'>()
  expectTypeOf(Users.getList.move.path).toEqualTypeOf<'/users/:id'>()
  expectTypeOf(Users.getList.move.method).toEqualTypeOf<'PATCH'>()
  expectTypeOf(Users.getList.remove.path).toEqualTypeOf<'/users'>()
  expectTypeOf(Users.update.method).toEqualTypeOf<'PUT'>()
  expectTypeOf(Users.partialUpdate.method).toEqualTypeOf<'PATCH'>()
  expectTypeOf(Users.delete.method).toEqualTypeOf<'DELETE'>()
  expectTypeOf(Users.delete.schema).toEqualTypeOf<Invalidate<typeof User>>()
  expectTypeOf(Users.getList.schema).toEqualTypeOf<Collection<(typeof User)[]>>()
  expectTypeOf(Posts.getList.path).toEqualTypeOf<'/blogs/:blog/posts'>()
})

test('RES-10 what a direct call resolves to', () => {
  expectTypeOf(Users.get({ id: 1 })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(Users.getList()).resolves.toEqualTypeOf<UserData[]>()
  expectTypeOf(Users.getList.push({ name: '' })).resolves.toEqualTypeOf<UserData | UserData[]>()
  expectTypeOf(Users.update({ id: 1 }, { name: '' })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(Users.partialUpdate({ id: 1 }, { name: '' })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(Users.delete({ id: 1 })).resolves.toEqualTypeOf<UserData | string | number>()
  expectTypeOf(Posts.getList.getPage({ blog: 1, cursor: 2 })).resolves.toEqualTypeOf<UserData[]>()
})

test('TY-1 TY-8 arguments come from the path; without searchParams a list takes any query', () => {
  expectTypeOf(Users.get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(Users.delete).parameters.toEqualTypeOf<[params: Id]>()
  Users.getList()
  Users.getList({ anything: 1 })
  Users.getList.push({ anything: 1 }, { name: '' })
  expectTypeOf(Posts.get).parameters.toEqualTypeOf<[params: Post]>()
  resource({ path: '/blogs/:blog/posts/:id', schema: User }).getList({ blog: 1, anything: 2 })
  // @ts-expect-error the id is missing
  Users.get({})
  // @ts-expect-error the id is misspelt
  Users.update({ idd: 1 }, {})
  // @ts-expect-error the blog is missing
  Posts.getList({ sort: 'asc' })
})

test('RES-6 TY-3 declared searchParams are those of getList and its extenders only', () => {
  expectTypeOf(Posts.getList).parameters.toEqualTypeOf<[params: { sort?: 'asc' | 'desc'; blog: string | number }]>()
  Posts.getList.push({ blog: 1, sort: 'asc' }, { name: '', age: 1 })
  expectTypeOf(Posts.get).parameters.toEqualTypeOf<[params: Post]>()
  expectTypeOf(Posts.update).parameters.toEqualTypeOf<[params: Post, body: Draft]>()
  // @ts-expect-error no such order
  Posts.getList({ blog: 1, sort: 'up' })
  // @ts-expect-error not declared
  Posts.getList({ blog: 1, other: 'up' })
})

test('RES-6 TY-9 the body is the declared one, or the fields of the entity', () => {
  expectTypeOf(Posts.getList.push).parameters.toEqualTypeOf<
    [params: { sort?: 'asc' | 'desc'; blog: string | number }, body: Draft]
  >()
  expectTypeOf(Posts.create).parameters.toEqualTypeOf<Parameters<typeof Posts.getList.push>>()
  expectTypeOf(Posts.partialUpdate).parameters.toEqualTypeOf<[params: Post, body: Partial<Draft>]>()
  Posts.getList.move({ blog: 1, id: 2 }, { age: 5 })
  Users.create({ name: '' })
  Users.create(new FormData())
  Users.create([{ name: 'a' }, { name: 'b' }])
  Users.update({ id: 1 }, { age: 5 })
  Users.partialUpdate({ id: 1 }, new FormData())
  Users.getList.move({ id: 1 }, { name: '' })
  Users.getList.remove({ group: 'a' }, { id: 1 })
  // @ts-expect-error a field is missing
  Posts.create({ blog: 1 }, { name: '' })
  // @ts-expect-error no such field
  Users.update({ id: 1 }, { nam: '' })
  // @ts-expect-error wrong type
  Users.partialUpdate({ id: 1 }, { age: '5' })
  // @ts-expect-error wrong type
  Users.create({ age: true })
  const bodiless = resource({ path: '/users/:id', schema: User, body: undefined })
  expectTypeOf(bodiless.update).parameters.toEqualTypeOf<[params: Id]>()
})

test('EXT-7 getPage is there with paginationField', () => {
  Posts.getList.getPage({ blog: 1, cursor: 'x', sort: 'asc' })
  // @ts-expect-error the cursor is missing
  Posts.getList.getPage({ blog: 1 })
  expectTypeOf(Users.getList.getPage).toEqualTypeOf<undefined>()
  // @ts-expect-error no map
  Users.getList.assign({})
})

test('EP-13 reads are reads, mutations are none', () => {
  expectTypeOf(Users.get).toExtend<ReadEndpoint>()
  expectTypeOf(Users.getList).toExtend<ReadEndpoint>()
  expectTypeOf(Users.delete).not.toExtend<ReadEndpoint>()
  expectTypeOf(Users.create).not.toExtend<ReadEndpoint>()
})

test('RES-5 VALID-10 ROP-4 options are known by name', () => {
  resource({
    path: '/users/:id',
    schema: User,
    dataExpiryLength: 5,
    optimistic: true,
    nonFilterArgumentKeys: ['page', /^sort/],
    errorPolicy: (error) => (error.status === 404 ? undefined : 'soft'),
    getHeaders: (headers) => ({ ...headers, a: 'b' }),
  })
  // @ts-expect-error misspelt
  resource({ path: '/users/:id', schema: User, dataExpiryLenght: 5 })
  // @ts-expect-error misspelt
  resource({ path: '/users/:id', schema: User, serachParams: {} })
  // @ts-expect-error per member
  resource({ path: '/users/:id', schema: User, validateResponse: z.object({}) })
  // @ts-expect-error per member
  resource({ path: '/users/:id', schema: User, validateBody: z.object({}) })
  // @ts-expect-error per member
  resource({ path: '/users/:id', schema: User, optimistic: true, getOptimisticResponse: () => ({}) })
  // @ts-expect-error the schema is missing
  resource({ path: '/users/:id' })
})

test('REX-1 the function form has the base, and what it returns wins', () => {
  const More = Users.extend((base) => ({
    current: base.get.extend({ path: '/me' }),
    get: base.get.extend({ searchParams: {} as { fields?: string } }),
    time: new Endpoint(async (zone: string) => zone.length, { name: 'time' }),
  }))
  expectTypeOf(More.current).parameters.toEqualTypeOf<[]>()
  expectTypeOf(More.current()).resolves.toEqualTypeOf<UserData>()
  More.get({ id: 1, fields: 'name' })
  expectTypeOf(More.time('UTC')).resolves.toEqualTypeOf<number>()
  expectTypeOf(More.update).parameters.toEqualTypeOf<Parameters<typeof Users.update>>()
  // @ts-expect-error what is no endpoint is not added
  Users.extend(() => ({ five: 5 })).five
})

test('REX-2 the batch form changes members that are there', () => {
  const More = Users.extend({
    getList: { path: '/groups/:group/users', dataExpiryLength: 5 },
    update: { method: 'POST', body: {} as Draft },
    delete: { process: (value: { gone: string }) => value.gone },
    get: {
      key({ id }) {
        expectTypeOf(id).toEqualTypeOf<string | number>()
        return `user ${id}`
      },
    },
  })
  expectTypeOf(More.getList.path).toEqualTypeOf<'/groups/:group/users'>()
  expectTypeOf(More.update).parameters.toEqualTypeOf<[params: Id, body: Draft]>()
  expectTypeOf(More.update.method).toEqualTypeOf<'POST'>()
  expectTypeOf(More.delete({ id: 1 })).resolves.toEqualTypeOf<string>()
  expectTypeOf(More.get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(More.partialUpdate).parameters.toEqualTypeOf<Parameters<typeof Users.partialUpdate>>()
  // @ts-expect-error no such member
  Users.extend({ nope: { path: '/x' } })
  // @ts-expect-error misspelt option
  Users.extend({ getList: { dataExpiryLenght: 5 } })
  // @ts-expect-error extend is no endpoint
  Users.extend({ extend: {} })
})

test('REX-3 REX-4 the single form adds a member, or changes one; extensions add up', () => {
  const More = Users.extend('archive', { path: '/users/:id/archive', method: 'POST', body: undefined })
    .extend('count', { path: '/users/count', schema: undefined, process: (value: { n: number }) => value.n })
    .extend('get', { searchParams: {} as { deep: boolean } })
  expectTypeOf(More.archive).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(More.archive({ id: 1 })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(More.get).parameters.toEqualTypeOf<[params: { deep: boolean; id: string | number }]>()
  expectTypeOf(More.count()).resolves.toEqualTypeOf<number>()
  expectTypeOf(More.extend({ count: { dataExpiryLength: 5 } }).count()).resolves.toEqualTypeOf<number>()
  expectTypeOf(More.delete).parameters.toEqualTypeOf<[params: Id]>()
  // @ts-expect-error misspelt option
  Users.extend('archive', { path: '/users/:id/archive', metod: 'POST' })
})

test('REX-5 create follows a replaced getList, in every form', () => {
  const batch = Users.extend({ getList: { path: '/groups/:group/users' } })
  expectTypeOf(batch.create.path).toEqualTypeOf<'/groups/:group/users'>()
  const single = Users.extend('getList', { path: '/groups/:group/users' })
  expectTypeOf(single.create.path).toEqualTypeOf<'/groups/:group/users'>()
  const made = Users.extend((base) => ({ getList: base.getList.extend({ path: '/groups/:group/users' }) }))
  expectTypeOf(made.create.path).toEqualTypeOf<'/groups/:group/users'>()
  const both = Users.extend({ getList: { path: '/groups/:group/users' }, create: { body: {} as Draft } })
  expectTypeOf(both.create.path).toEqualTypeOf<'/groups/:group/users'>()
  both.create({ group: 1 }, { name: '', age: 1 })
  const none = Users.extend({ getList: { schema: [User] } })
  expectTypeOf(none.create.path).toEqualTypeOf<'/users'>()
})

test('REX-6 a reshaped list is typed, and its Collection is found', () => {
  const Paged = Users.extend({
    getList: { schema: { results: new Collection([User]), total: 0, next: '' }, paginationField: 'page' },
  })
  expectTypeOf(Paged.getList()).resolves.toEqualTypeOf<{ results: UserData[]; total: number; next: string }>()
  Paged.getList.push({ name: '' })
  Paged.create({ name: '' })
  Paged.getList.move({ id: 1 }, { name: '' })
  Paged.getList.getPage({ page: 2 })
})

test('REX-6 a factory over resource() keeps the types of what it is given', () => {
  function paged<const P extends string, S extends EntityClass>(options: { path: P; schema: S }) {
    return resource({ ...options, urlPrefix: 'https://api.test' }).extend({
      getList: { schema: { results: new Collection([options.schema]), total: 0, limit: 0, skip: 0 } },
    })
  }
  const Paged = paged({ path: '/users/:id', schema: User })
  expectTypeOf(Paged.get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(Paged.get({ id: 1 })).resolves.toEqualTypeOf<UserData>()
  expectTypeOf(Paged.getList()).resolves.toEqualTypeOf<{
    results: UserData[]
    total: number
    limit: number
    skip: number
  }>()
  Paged.getList.push({ name: '' })
  // @ts-expect-error the id is missing
  Paged.get({})

  function prefixed<O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions): Resource<O> {
    return resource(options)
  }
  const Prefixed = prefixed({ path: '/users/:id', schema: User, dataExpiryLength: 5 })
  expectTypeOf(Prefixed.get).parameters.toEqualTypeOf<[params: Id]>()
  expectTypeOf(Prefixed.getList()).resolves.toEqualTypeOf<UserData[]>()
})

test('VALID-10 TY-7 validators given per member type its body', () => {
  const Checked = Users.extend({ create: { validateBody: z.object({ name: z.string() }) } })
  Checked.create({ name: '' })
})

test('RES-7 members have what their class adds, also after extend', () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override urlPrefix = 'https://api.test'
    version = 3
  }
  const Custom = resource({ path: '/users/:id', schema: User, Endpoint: Api })
  expectTypeOf(Custom.get.version).toEqualTypeOf<number>()
  expectTypeOf(Custom.getList.push.version).toEqualTypeOf<number>()
  expectTypeOf(Custom.create.version).toEqualTypeOf<number>()
  expectTypeOf(new Api({ path: '/users', schema: new Collection([User]) }).unshift.version).toEqualTypeOf<number>()
  expectTypeOf(Custom.get).parameters.toEqualTypeOf<[params: Id]>()
  const More = Custom.extend({ update: { path: '/people/:id' } }).extend('archive', { method: 'POST' })
  expectTypeOf(More.update.version).toEqualTypeOf<number>()
  expectTypeOf(More.update.path).toEqualTypeOf<'/people/:id'>()
  expectTypeOf(More.archive.version).toEqualTypeOf<number>()
  class Newest<S extends any[], Args extends readonly any[] = any> extends Collection<S, Args> {}
  resource({ path: '/users/:id', schema: User, Collection: Newest })
})

test('UNI-6 a union as schema', () => {
  class Link extends Entity {
    id = ''
    type = 'link' as const
    url = ''
    static override key = 'Link'
  }
  class Note extends Entity {
    id = ''
    type = 'note' as const
    text = ''
    static override key = 'Note'
  }
  const items = new Union({ link: Link, note: Note }, 'type')
  const Items = resource({ path: '/items/:id', schema: items })
  type LinkData = { id: string; type: 'link'; url: string }
  type NoteData = { id: string; type: 'note'; text: string }
  expectTypeOf(Items.get({ id: 1 })).resolves.toEqualTypeOf<LinkData | NoteData>()
  expectTypeOf(Items.getList()).resolves.toEqualTypeOf<(LinkData | NoteData)[]>()
  expectTypeOf(Items.delete.schema).toEqualTypeOf<Invalidate<typeof items>>()
  Items.create({ type: 'link', url: '' })
  // @ts-expect-error no such field
  Items.create({ nope: 1 })
})

test('RES-1 a resource is a Resource', () => {
  expectTypeOf(Users).toExtend<Resource<{ path: '/users/:id'; schema: typeof User }>>()
  const any: Resource = Users
  any.get({ anything: 1 })
})

describe('what a call accepts', () => {
  class Task extends Entity {
    id = ''
    title = ''
    userId = ''
    state: 'open' | 'closed' = 'open'
    static override key = 'Task'
  }
  const Tasks = resource({ path: '/tasks/:id', schema: Task, paginationField: 'page' })

  test('TY-11 an optimistic response keeps its literals', () => {
    new RestEndpoint({
      path: '/tasks/:id/close',
      method: 'POST',
      body: undefined,
      schema: Task,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, state: 'closed' }),
    })
    Tasks.get.extend({
      method: 'POST',
      body: undefined,
      getOptimisticResponse: (_, { id }) => ({ id, state: 'closed' }),
    })
    Tasks.extend('close', {
      path: '/tasks/:id/close',
      method: 'POST',
      body: undefined,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, state: 'closed' }),
    })
    Tasks.extend({ partialUpdate: { getOptimisticResponse: (_, { id }) => ({ id, state: 'closed' }) } })
    const close = new RestEndpoint({
      path: '/tasks/:id/close',
      method: 'POST',
      body: undefined,
      schema: Task,
      getOptimisticResponse: (_snapshot, { id }) => ({ id }),
    })
    // The result of a direct call is what the server sends, not what was expected of it.
    expectTypeOf(close).returns.resolves.toHaveProperty('title')
    Tasks.get.extend({
      method: 'POST',
      body: undefined,
      // @ts-expect-error no such state
      getOptimisticResponse: (_, { id }) => ({ id, state: 'klosed' }),
    })
  })

  test('ERR-4 errorPolicy receives a numeric status', () => {
    new RestEndpoint({ path: '/x', errorPolicy: (error) => (error.status >= 500 ? 'soft' : undefined) })
    resource({ path: '/x/:id', schema: Task, errorPolicy: (error) => (error.status >= 500 ? 'soft' : undefined) })
  })

  test('TY-8 a page takes any query parameter where searchParams is not declared', () => {
    void (() => Tasks.getList.getPage({ team: 'a', page: 1 }))
    void (() => Tasks.getList.getPage({ page: 1 }))
    // @ts-expect-error no page
    void (() => Tasks.getList.getPage({ team: 'a' }))
    const Declared = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { team: string },
      paginationField: 'page',
    })
    // @ts-expect-error not declared
    void (() => Declared.getList.getPage({ team: 'a', page: 1, q: '' }))
  })

  test('TY-12 only key fields of a body take numbers for text', () => {
    void (() => Tasks.update({ id: 1 }, { id: 5, userId: 7, title: 'x' }))
    // @ts-expect-error a number instead of text
    void (() => Tasks.update({ id: 1 }, { title: 5 }))
  })
})

test('TY-18 an option of a resource or of a member may be undefined', () => {
  const shared = resource({ path: '/users/:id', schema: User, getHeaders: undefined, errorPolicy: undefined })
  const off = shared.extend({
    partialUpdate: { getOptimisticResponse: undefined, errorPolicy: undefined },
    getList: { pollFrequency: undefined, process: undefined },
    create: { getOptimisticResponse: undefined },
  })
  expectTypeOf(off.partialUpdate).toEqualTypeOf(Users.partialUpdate)
  expectTypeOf(off.getList()).resolves.toEqualTypeOf<UserData[]>()
  expectTypeOf(Users.extend('update', { getOptimisticResponse: undefined }).update).toEqualTypeOf(Users.update)
})

test('TY-19 TY-20 a new member of a resource is checked like an endpoint', () => {
  const Users = resource({ path: '/users/:id', schema: User })
  Users.extend('rename', { method: 'POST', getOptimisticResponse: (_, { id }) => ({ id, name: 'Ann' }) })
  // @ts-expect-error: misspelt
  Users.extend('rename', { method: 'POST', getOptimisticResponse: (_, { id }) => ({ id, nmae: 'Ann' }) })
  // @ts-expect-error: a number is no record
  Users.extend('count', { process: () => 5 })
})

test('TY-19 TY-20 REX-2 so are the members of the batch form', () => {
  class Ticket extends Entity {
    id = ''
    status: 'open' | 'closed' = 'open'
  }
  const Tickets = resource({ path: '/tickets/:id', schema: Ticket })
  const More = Tickets.extend({
    update: { getOptimisticResponse: () => ({ id: '1', status: 'closed' }) },
    partialUpdate: { getOptimisticResponse: (_, { id }) => ({ id, status: 'closed' }) },
    delete: { getOptimisticResponse: (_, params) => params, process: (_: unknown, { id }) => id },
    get: { process: (value: any) => value },
    create: { getOptimisticResponse: (_, body) => body, process: () => null },
  })
  expectTypeOf(More.delete({ id: 1 })).resolves.toEqualTypeOf<string | number>()
  expectTypeOf(More.update).parameters.toEqualTypeOf<Parameters<typeof Tickets.update>>()
  Tickets.extend({ update: { getOptimisticResponse: undefined }, get: { schema: undefined, process: () => 5 } })
  // @ts-expect-error: misspelt, in a function without parameters
  Tickets.extend({ update: { getOptimisticResponse: () => ({ id: '1', staus: 'closed' }) } })
  // @ts-expect-error: misspelt, in a function with parameters
  Tickets.extend({ update: { getOptimisticResponse: (_, { id }) => ({ id, staus: 'closed' }) } })
  // @ts-expect-error: no such status
  Tickets.extend({ update: { getOptimisticResponse: () => ({ id: '1', status: 'close' }) } })
  // @ts-expect-error: a number is no record
  Tickets.extend({ update: { process: () => 5 } })
})

test('TY-20 `expires` and `mutationsExpire` take endpoints that read, and Entity classes', () => {
  const getStats = new RestEndpoint({ path: '/stats' })
  const Users = resource({ path: '/users/:id', schema: User, mutationsExpire: [getStats, User] })
  const Tasks = resource({ path: '/tasks/:id', schema: User }).extend({
    update: { expires: [getStats, Users.get, Users.getList, User, { testKey: (key: string) => key === 'x' }] },
  })
  expectTypeOf(Tasks.update).toEqualTypeOf(resource({ path: '/tasks/:id', schema: User }).update)
  Users.extend('close', { method: 'POST', expires: [getStats] })
  // @ts-expect-error misspelt
  resource({ path: '/users/:id', schema: User, mutationExpires: [getStats] })
  // @ts-expect-error a resource has several endpoints
  resource({ path: '/users/:id', schema: User, mutationsExpire: [Users] })
  // @ts-expect-error names are no endpoints
  Users.update.extend({ expires: ['getStats'] })
  // @ts-expect-error a mutation has no results
  Users.update.extend({ expires: [Users.create] })
  // @ts-expect-error misspelt
  Users.update.extend({ expire: [getStats] })
  // @ts-expect-error there is no such member
  Users.update.extend({ expires: [Users.getAll] })
})

test('COL-48 RE-31 `argumentKinds` takes known kinds, and changes no type', () => {
  const argumentKinds = { context: 'shape', q: 'search' } as const
  const Users = resource({ path: '/users/:id', schema: User, argumentKinds })
  expectTypeOf(Users.getList).toEqualTypeOf(resource({ path: '/users/:id', schema: User }).getList)
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override argumentKinds = argumentKinds
  }
  resource({ path: '/users/:id', schema: User, Endpoint: Api })
  new Api({ path: '/users', schema: new Collection([User], { argumentKinds }), argumentKinds: { limit: 'filter' } })
  // @ts-expect-error no kind
  resource({ path: '/users/:id', schema: User, argumentKinds: { context: 'view' } })
  // @ts-expect-error no kind
  new Collection([User], { argumentKinds: { sort: 'sort' } })
})

test('TY-24 params of a resource are those of all its members', () => {
  const Files = resource({
    path: '/:kind/files/:id',
    schema: User,
    params: {} as { kind: 'image' | 'text'; id: number },
  })
  type Item = { kind: 'image' | 'text'; id: number }
  expectTypeOf<Parameters<typeof Files.get>>().toEqualTypeOf<[params: Item]>()
  expectTypeOf<Parameters<typeof Files.delete>>().toEqualTypeOf<[params: Item]>()
  expectTypeOf<Parameters<typeof Files.update>[0]>().toEqualTypeOf<Item>()
  expectTypeOf<Parameters<typeof Files.partialUpdate>[0]>().toEqualTypeOf<Item>()
  expectTypeOf<Parameters<typeof Files.getList>[0]['kind']>().toEqualTypeOf<'image' | 'text'>()
  expectTypeOf<Parameters<typeof Files.create>[0]['kind']>().toEqualTypeOf<'image' | 'text'>()
  const more = Files.extend('act', {
    path: '/:kind/files/:id/:action',
    method: 'POST',
    params: {} as { action: 'lock' },
    body: undefined,
  })
  expectTypeOf<Parameters<typeof more.act>[0]>().toEqualTypeOf<{
    kind: string | number
    id: string | number
    action: 'lock'
  }>()
  // @ts-expect-error: another kind
  void (() => Files.get({ kind: 'video', id: 5 }))
})
