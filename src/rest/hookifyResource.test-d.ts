import { expectTypeOf, test } from 'vitest'
import { GQLEndpoint } from '../graphql/GQLEndpoint.ts'
import { Collection } from '../kinds/Collection.ts'
import { hookifyResource } from './hookifyResource.ts'
import { resource } from './resource.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { User } from '../testing/entities.ts'

const get = new RestEndpoint({ path: '/users/:id', schema: User })
const getList = get.extend({ path: '/users', schema: new Collection([User]), searchParams: {} as { q: string } })
const search = new GQLEndpoint('/graphql').query((_: { q: string }) => '{ users { id } }', { users: [User] })
declare const maybe: typeof get | undefined
const members = { get, getList, search, maybe, nothing: undefined, extend: (name: string) => name, path: '/users/:id' }

test('HKF-1 HKF-8 the names of the hooks', () => {
  const hooks = hookifyResource(members, () => ({ headers: { 'Access-Token': 'a' } }))
  expectTypeOf<keyof typeof hooks>().toEqualTypeOf<'useGet' | 'useGetList' | 'useSearch' | 'useMaybe'>()
  // @ts-expect-error init has no such header type
  hookifyResource(members, () => ({ headers: 5 }))
})

test('HKF-2 a hook gives the endpoint, with its arguments and its result', () => {
  const hooks = hookifyResource(members, () => undefined)
  expectTypeOf(hooks.useGet).parameters.toEqualTypeOf<[]>()
  expectTypeOf(hooks.useGet()).toEqualTypeOf<typeof get>()
  expectTypeOf(hooks.useGet()).parameters.toEqualTypeOf<[params: { id: string | number }]>()
  expectTypeOf(hooks.useGetList()).parameters.toEqualTypeOf<[params: { q: string }]>()
  expectTypeOf(hooks.useSearch()).parameters.toEqualTypeOf<[variables: { q: string }]>()
})

test('HKF-1 HKF-6 a resource: all its members, and what hangs on them', () => {
  const UserResource = resource({ path: '/users/:id', schema: User })
  const hooks = hookifyResource(UserResource, () => ({}))
  expectTypeOf<keyof typeof hooks>().toEqualTypeOf<
    'useGet' | 'useGetList' | 'useCreate' | 'useUpdate' | 'usePartialUpdate' | 'useDelete'
  >()
  expectTypeOf(hooks.useGet()).toEqualTypeOf<typeof UserResource.get>()
  expectTypeOf(hooks.useGetList().push).toEqualTypeOf<typeof UserResource.getList.push>()
  const more = hookifyResource(UserResource.extend('current', { path: '/me' }), () => ({}))
  expectTypeOf(more.useCurrent).returns.toBeCallableWith()
})
