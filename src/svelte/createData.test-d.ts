import { describe, expectTypeOf, test } from 'vitest'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { Entity } from '../kinds/Entity.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { createCancelling } from './createCancelling.ts'
import { createData } from './createData.ts'
import { createDataAll } from './createDataAll.ts'
import { createEndRef } from './createEndRef.ts'
import { createInfinite } from './createInfinite.ts'
import { createLive } from './createLive.ts'
import { createMutation } from './createMutation.ts'
import { createQuery } from './createQuery.ts'

class User extends Entity {
  id = ''
  name = ''
}
const Users = resource({
  path: '/users/:id',
  schema: User,
  searchParams: {} as { page?: number } | undefined,
  paginationField: 'page',
})
const getUser = new RestEndpoint({ path: '/user/:id', schema: User })
const getTime = new Endpoint((zone: string, precise: boolean) => Promise.resolve({ zone, time: precise ? 5 : 6 }), {
  name: 'time',
})

declare const props: { readonly id: string; readonly ids: readonly string[]; readonly optional?: string }

test('SIG-1 arguments are values or functions, and wrong ones are errors', () => {
  expectTypeOf(createData(getUser, () => ({ id: props.id })).data).toEqualTypeOf<User | undefined>()
  expectTypeOf(createData({ endpoint: getUser, keepPrevious: true }, { id: 5 }).data).toEqualTypeOf<User | undefined>()
  expectTypeOf(createData(getTime, () => 'UTC', true).data).toEqualTypeOf<{ zone: string; time: number } | undefined>()
  expectTypeOf(createQuery(User, () => ({ id: '5' })).data).toEqualTypeOf<User | undefined>()
  // @ts-expect-error a misspelt member
  createData(getUser, { id: 5, nmae: 'a' })
  // @ts-expect-error a misspelt member in a function
  createData(getUser, () => ({ id: 5, nmae: 'a' }))
  // @ts-expect-error no argument
  createData(getUser)
  // @ts-expect-error a wrong type
  createLive(getUser, () => ({ id: true }))
  // @ts-expect-error a mutation
  createData(Users.update, { id: 5 }, { name: 'a' })
  // @ts-expect-error an optional search parameter that does not exist
  createInfinite(Users.getList, () => ({ pge: 2 }))
})

describe('results', () => {
  test('SIG-2 once nothing is loading and nothing failed, the data is there', () => {
    const user = createData(getUser, () => ({ id: props.id }))
    expectTypeOf(user.error).toEqualTypeOf<UnknownError | undefined>()
    if (!user.loading && !user.error) {
      expectTypeOf(user.data).toEqualTypeOf<User>()
    }
    const optional = createData(getUser, () => (props.optional ? { id: props.optional } : null))
    if (!optional.loading && !optional.error) {
      expectTypeOf(optional.data).toEqualTypeOf<User | undefined>()
    }
    expectTypeOf(createMutation(Users.partialUpdate).mutate)
      .parameter(0)
      .toEqualTypeOf<Parameters<typeof Users.partialUpdate>[0]>()
  })

  test('SIG-2 awaited, the data is there', async () => {
    expectTypeOf((await createData(getUser, () => ({ id: props.id }))).data).toEqualTypeOf<User>()
    const optional = await createData(getUser, () => (props.optional ? { id: props.optional } : null))
    expectTypeOf(optional.data).toEqualTypeOf<User | undefined>()
    expectTypeOf((await createInfinite(Users.getList)).items).toEqualTypeOf<User[]>()
  })
})

describe('several reads, signals and ends', () => {
  test('SIG-7 once nothing is loading and nothing failed, all data is there', () => {
    const both = createDataAll([
      [getUser, { id: props.id }],
      [getTime, 'UTC', true],
    ])
    if (!both.loading && !both.error) {
      expectTypeOf(both.data).toEqualTypeOf<[User, { zone: string; time: number }]>()
    }
    const [first] = both.states
    if (!first.loading && !first.error) {
      expectTypeOf(first.data).toEqualTypeOf<User>()
    }
    const all = createDataAll(() => props.ids.map((id) => [getUser, { id }] as const))
    expectTypeOf(all.data).toEqualTypeOf<User[] | undefined>()
    // @ts-expect-error a misspelt member
    createDataAll([[getUser, { id: 5, nmae: 'a' }]])
    // @ts-expect-error an argument is missing
    createDataAll(() => [[getTime, 'UTC']])
  })

  test('SIG-8 a list has an end', () => {
    createEndRef(createInfinite(Users.getList), 100)
    // @ts-expect-error no list
    createEndRef(createData(getUser, { id: 5 }))
  })

  test('SIG-9 the endpoint with a signal stands in place of the endpoint', () => {
    const one = createCancelling(getUser, () => ({ id: props.id }))
    expectTypeOf(one.endpoint).toEqualTypeOf<typeof getUser>()
    expectTypeOf(createData(one, () => ({ id: props.id })).data).toEqualTypeOf<User | undefined>()
    // @ts-expect-error a misspelt member
    createCancelling(getUser, { id: 5, nmae: 'a' })
  })
})
