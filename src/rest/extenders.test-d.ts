import { expectTypeOf, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import type { Denormalize } from '../schema/Denormalize.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from '../kinds/Query.ts'
import { Values } from '../kinds/Values.ts'
import type { RestGenerics } from './RestOptions.ts'
import { resource } from './resource.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { User } from '../testing/entities.ts'

interface Id {
  id: string | number
}

const getUser = new RestEndpoint({ path: '/users/:id', schema: User })
const getUsers = new RestEndpoint({
  path: '/groups/:id/users',
  searchParams: {} as { q?: string },
  body: {} as { name: string },
  schema: new Collection([User]),
  movePath: '/users/:id',
  paginationField: 'page',
})

test('EXT-3 TY-1 extenders are typed by the Collection, the path and the body', () => {
  expectTypeOf(getUsers.push.method).toEqualTypeOf<'POST'>()
  expectTypeOf(getUsers.push.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(getUsers.push.schema).toEqualTypeOf<typeof getUsers.schema.push>()
  expectTypeOf(getUsers.push).parameters.toEqualTypeOf<
    [params: { q?: string; id: string | number }, body: { name: string }]
  >()
  expectTypeOf<Denormalize<typeof getUsers.push.schema>>().toEqualTypeOf<User>()
  expectTypeOf(getUsers.unshift.method).toEqualTypeOf<'POST'>()
  expectTypeOf(getUsers.move.method).toEqualTypeOf<'PATCH'>()
  expectTypeOf(getUsers.move.path).toEqualTypeOf<'/users/:id'>()
  expectTypeOf(getUsers.remove.path).toEqualTypeOf<'/groups/:id/users'>()
  expectTypeOf(getUsers.move).parameter(1).toEqualTypeOf<{ name?: string }>()
  const plain = new RestEndpoint({ path: '/users', schema: new Collection([User]) })
  expectTypeOf(plain.push).parameter(0).extract<{ readonly name?: unknown }>().toEqualTypeOf<{
    readonly id?: string | number | undefined
    readonly name?: string | undefined
  }>()
  void (() => plain.push([{ name: 'Ann' }, { name: 'Bob' }]))
  void (() => plain.push(new FormData()))
  // @ts-expect-error a misspelt field
  void (() => plain.push({ nmae: 'Ann' }))
  // @ts-expect-error a number instead of text
  void (() => plain.push({ name: 5 }))
})

test('EXT-3 EXT-5 plain members beside the Collection, schema.Object and Query do not hide it', () => {
  const list = new Collection([User])
  const beside = new RestEndpoint({ path: '/users', schema: { users: list, total: 0, next: '' } })
  expectTypeOf(beside.push.schema).toEqualTypeOf<typeof list.push>()
  const object = new RestEndpoint({ path: '/users', schema: new ObjectSchema({ page: { users: list }, total: 0 }) })
  expectTypeOf(object.unshift.schema).toEqualTypeOf<typeof list.unshift>()
  const sorted = new RestEndpoint({ path: '/users', schema: new Query(list, (users) => users.toSorted()) })
  expectTypeOf(sorted.push.schema).toEqualTypeOf<typeof list.push>()
})

test('EXT-4 a member that is not there cannot be used', () => {
  // @ts-expect-error there is no Collection
  void (() => getUser.push({ id: 1 }, {}))
  // @ts-expect-error there is no schema
  void (() => new RestEndpoint({ path: '/users' }).push({}))
  // @ts-expect-error arrays are not entered
  void (() => new RestEndpoint({ path: '/users', schema: [new Collection([User])] }).move({}))
  // @ts-expect-error a list has no entries
  void (() => getUsers.assign({ id: 1 }, {}))
  // @ts-expect-error a created record is none
  void (() => getUsers.push.push({ id: 1 }, {}))
  // @ts-expect-error there is no Collection
  void (() => getUser.paginated('page'))
  const map = new RestEndpoint({ path: '/users', schema: new Collection(new Values(User)) })
  expectTypeOf(map.assign.schema).toEqualTypeOf<typeof map.schema.assign>()
  // @ts-expect-error a map has no end
  void (() => map.push({}))
})

test('EXT-7 RE-9 getPage is there with paginationField, and wants it', () => {
  expectTypeOf(getUsers.getPage).parameters.toEqualTypeOf<
    [params: { q?: string; readonly page: string | number; id: string | number }]
  >()
  expectTypeOf(getUsers.getPage.schema).toEqualTypeOf<typeof getUsers.schema>()
  expectTypeOf(getUsers.getPage.method).toEqualTypeOf<'GET'>()
  const without = new RestEndpoint({ path: '/users', schema: new Collection([User]) })
  expectTypeOf(without.getPage).toEqualTypeOf<undefined>()
  const given = without.extend({ paginationField: 'cursor' })
  expectTypeOf(given.getPage).parameters.toEqualTypeOf<[params: { readonly cursor: string | number }]>()
  // @ts-expect-error there is no Collection
  void (() => new RestEndpoint({ path: '/users', schema: User, paginationField: 'page' }).getPage({ page: 1 }))
})

test('EXT-8 paginated takes a field or a function', () => {
  const byField = getUsers.paginated('cursor')
  expectTypeOf(byField).parameters.toEqualTypeOf<
    [params: { q?: string; readonly cursor: string | number; id: string | number }]
  >()
  const byFunction = getUsers.paginated(({ cursor: _cursor, ...params }: Id & { cursor: string }) => [params])
  expectTypeOf(byFunction).parameters.toEqualTypeOf<[params: { q?: string; id: string | number; cursor: string }]>()
})

test('RE-25 PAG-5 getNextPage receives the processed response and the arguments', () => {
  new RestEndpoint({
    path: '/groups/:id/users',
    schema: { users: new Collection([User]), next: '' },
    paginationField: 'cursor',
    getNextPage(value, params) {
      expectTypeOf(value.next).toEqualTypeOf<string>()
      expectTypeOf(value.users[0]!.name).toEqualTypeOf<string>()
      expectTypeOf(params.id).toEqualTypeOf<string | number>()
      return value.next
    },
  })
})

test('PAG-5 the arguments that getNextPage is given may name a page, and null says that there is none', () => {
  new RestEndpoint({
    path: '/users',
    searchParams: {} as { q?: string },
    schema: new Collection([User]),
    paginationField: 'offset',
    getNextPage(value, params) {
      expectTypeOf(params).toEqualTypeOf<{ q?: string; readonly offset?: string | number } | undefined>()
      return value.length === 0 ? null : Number(params?.offset ?? 0) + value.length
    },
  })
  const Users = resource({ path: '/users/:id', schema: User, paginationField: 'page' })
  Users.extend({
    getList: {
      getNextPage: (users, params) => (users.length > 0 ? Number(params?.page ?? 0) + 1 : undefined),
    },
  })
})

test('EXT-1 a subclass has the extenders of its schema', () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    token = ''
  }
  const list = new Api({ path: '/users', schema: new Collection([User]) })
  expectTypeOf(list.push.method).toEqualTypeOf<'POST'>()
  // @ts-expect-error there is no Collection
  void (() => new Api({ path: '/users', schema: User }).push({}))
})

test('PAG-4 counts takes names of numbers beside the list', () => {
  const users = new Collection([User], { counts: ['total'] })
  void (() => new RestEndpoint({ path: '/users', schema: { users, total: 0, next: '' } }).push({}))
  const deep = new Collection([User], { counts: ['meta.total'] })
  void (() => new RestEndpoint({ path: '/users', schema: { users: deep, meta: { total: 0, page: '' } } }).push({}))
  // @ts-expect-error it is a text
  void (() => new RestEndpoint({ path: '/users', schema: { users: deep, meta: { total: '' } } }))
  // @ts-expect-error it is a text
  void (() => new RestEndpoint({ path: '/users', schema: { users, total: '' } }))
  // @ts-expect-error it is misspelt
  void (() => new RestEndpoint({ path: '/users', schema: { users, totals: 0 } }))
  const uncounted = new RestEndpoint({ path: '/users', schema: { users: new Collection([User]), total: 0 } })
  // @ts-expect-error it is misspelt
  void (() => uncounted.extend({ schema: { users, totals: 0 } }))
})
