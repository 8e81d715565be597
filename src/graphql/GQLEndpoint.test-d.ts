import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import type { EndpointInterface, MutateEndpoint, ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { Collection } from '../kinds/Collection.ts'
import type { Denormalize } from '../schema/Denormalize.ts'
import { GQLEndpoint } from './GQLEndpoint.ts'
import { GQLEntity } from './GQLEntity.ts'
import type { GQLOptions } from './GQLOptions.ts'

class User extends GQLEntity {
  name = ''
  static override key = 'User'
}
type UserData = { id: string; name: string }

const gql = new GQLEndpoint('https://api.test/graphql')
const getUser = gql.query((_: { id: string }) => '{ user { id name } }', { user: User })

test('GQL-2 variables come from the argument of the function', () => {
  expectTypeOf(getUser).parameters.toEqualTypeOf<[variables: { id: string }]>()
  expectTypeOf(getUser.key).parameters.toEqualTypeOf<[variables: { id: string }]>()
  expectTypeOf(getUser.getQuery).parameters.toEqualTypeOf<[variables: { id: string }]>()
  // @ts-expect-error a variable is missing
  void (() => getUser({}))
  // @ts-expect-error the variables are required
  void (() => getUser())
  // @ts-expect-error it is misspelt
  void (() => getUser({ di: '5' }))
  const search = gql.query((_: { q?: string }) => '{ users { id } }')
  expectTypeOf(search).parameters.toEqualTypeOf<[variables?: { q?: string }]>()
  const given = gql.query<{ id: string }>('{ user { id } }')
  expectTypeOf(given).parameters.toEqualTypeOf<[variables: { id: string }]>()
  const any = gql.query('{ users { id } }', { users: new Collection([User]) })
  expectTypeOf(any).parameters.toEqualTypeOf<[variables?: any]>()
  void (() => [any(), any({ whatever: 1 })])
})

test('GQL-6 the schema says what a call resolves to, and what a store shows', () => {
  expectTypeOf(getUser).returns.resolves.toEqualTypeOf<{ user: UserData }>()
  expectTypeOf<Denormalize<typeof getUser.schema>>().toEqualTypeOf<{ user: User }>()
  const list = gql.query('{ users { id } }', { users: new Collection([User]) })
  expectTypeOf(list).returns.resolves.toEqualTypeOf<{ users: UserData[] }>()
  expectTypeOf(gql.query('{ a }')).returns.resolves.toBeAny()
})

test('GQL-2 reads and mutations', () => {
  const rename = gql.mutation((_: { id: string; name: string }) => 'mutation { a }', { rename: User })
  expectTypeOf(getUser.sideEffect).toEqualTypeOf<undefined>()
  expectTypeOf(rename.sideEffect).toEqualTypeOf<true>()
  expectTypeOf(getUser).toExtend<ReadEndpoint>()
  expectTypeOf(getUser).toExtend<EndpointInterface>()
  expectTypeOf(rename).toExtend<MutateEndpoint>()
  expectTypeOf(rename).not.toExtend<ReadEndpoint>()
})

test('GQL-1 GQL-6 VALID-11 process and validateResponse say what a call resolves to', () => {
  const named = getUser.extend({ process: (data, { id }) => ({ id, name: String(data.user.name) }) })
  expectTypeOf(named).returns.resolves.toEqualTypeOf<UserData>()
  expectTypeOf(named).parameters.toEqualTypeOf<[variables: { id: string }]>()
  const checked = getUser.extend({ validateResponse: z.object({ user: z.object({ id: z.number() }) }) })
  expectTypeOf(checked).returns.resolves.toEqualTypeOf<{ user: { id: number } }>()
  expectTypeOf(getUser.extend({ dataExpiryLength: 5 })).returns.resolves.toEqualTypeOf<{ user: UserData }>()
  expectTypeOf(getUser.extend({ schema: [User] }).schema).toEqualTypeOf<(typeof User)[]>()
})

test('GQL-1 options, and members of a subclass', () => {
  const options: GQLOptions = {
    errorPolicy: (error) => ('errors' in error && error.errors.length > 0 ? 'soft' : undefined),
    getHeaders: (headers) => ({ ...headers, 'Access-Token': 'a' }),
    errorsWithData: 'keep',
  }
  // @ts-expect-error it is a number
  void (() => new GQLEndpoint('a', { dataExpiryLength: '5' }))
  // @ts-expect-error there is only one way to request it
  void (() => gql.extend({ errorsWithData: 'drop' }))
  class Api extends GQLEndpoint {
    tenant = 'a'
  }
  const api = new Api('a', options)
  expectTypeOf(api.query('{ a }').tenant).toEqualTypeOf<string>()
  expectTypeOf(api.query('{ a }').extend({ dataExpiryLength: 1 }).tenant).toEqualTypeOf<string>()
})
