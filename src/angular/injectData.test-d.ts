import type { ElementRef, InputSignal, Signal } from '@angular/core'
import { describe, expectTypeOf, test } from 'vitest'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { Entity } from '../kinds/Entity.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { injectCancelling } from './injectCancelling.ts'
import { injectData } from './injectData.ts'
import { injectDataAll } from './injectDataAll.ts'
import { injectEndRef } from './injectEndRef.ts'
import { injectInfinite } from './injectInfinite.ts'
import { injectLive } from './injectLive.ts'
import { injectMutation } from './injectMutation.ts'
import { injectQuery } from './injectQuery.ts'

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

declare const id: InputSignal<string>
declare const ids: Signal<readonly string[]>
declare const optional: Signal<string | undefined>

describe('arguments', () => {
  test('SIG-1 are values or functions, such as signals', () => {
    expectTypeOf(injectData(getUser, { id: 5 }).data()).toEqualTypeOf<User | undefined>()
    expectTypeOf(injectData(getUser, () => ({ id: id() })).data()).toEqualTypeOf<User | undefined>()
    expectTypeOf(injectData({ endpoint: getUser, keepPrevious: true }, { id: 5 }).data()).toEqualTypeOf<
      User | undefined
    >()
    expectTypeOf(injectData(getTime, id, true).data()).toEqualTypeOf<{ zone: string; time: number } | undefined>()
    expectTypeOf(injectQuery(User, () => ({ id: id() }))()).toEqualTypeOf<User | undefined>()
  })

  test('SIG-1 misspelt, missing and wrong arguments are errors', () => {
    // @ts-expect-error a misspelt member
    injectData(getUser, { id: 5, nmae: 'a' })
    // @ts-expect-error a misspelt member in a function
    injectData(getUser, () => ({ id: id(), nmae: 'a' }))
    // @ts-expect-error no argument
    injectData(getUser)
    // @ts-expect-error a wrong type
    injectLive(getUser, () => ({ id: true }))
    // @ts-expect-error a signal of a wrong type
    injectData(getTime, ids, true)
    // @ts-expect-error a mutation
    injectData(Users.update, { id: 5 }, { name: 'a' })
    // @ts-expect-error an optional search parameter that does not exist
    injectInfinite(Users.getList, () => ({ pge: 2 }))
  })
})

describe('results', () => {
  test('SIG-2 once nothing is loading and nothing failed, the data of the state is there', () => {
    const user = injectData(getUser, () => ({ id: id() }))
    expectTypeOf(user.error()).toEqualTypeOf<UnknownError | undefined>()
    const state = user.state()
    if (!state.loading && !state.error) {
      expectTypeOf(state.data).toEqualTypeOf<User>()
    }
    const maybe = injectData(getUser, () => (optional() ? { id: optional()! } : null)).state()
    if (!maybe.loading && !maybe.error) {
      expectTypeOf(maybe.data).toEqualTypeOf<User | undefined>()
    }
    const list = injectInfinite(Users.getList)
    expectTypeOf(list.items()).toEqualTypeOf<User[] | undefined>()
    const pages = list.state()
    if (!pages.loading && !pages.error) {
      expectTypeOf(pages.items).toEqualTypeOf<User[]>()
    }
  })

  test('SIG-2 mutations have the arguments and the result of their endpoint', () => {
    const save = injectMutation(Users.partialUpdate)
    expectTypeOf(save.mutate).parameter(0).toEqualTypeOf<Parameters<typeof Users.partialUpdate>[0]>()
    expectTypeOf(save.data()).toEqualTypeOf<User | undefined>()
    // @ts-expect-error an argument is missing
    save.mutate()
  })
})

describe('several reads, signals and ends', () => {
  test('SIG-7 once nothing is loading and nothing failed, all data is there', () => {
    const both = injectDataAll([
      [getUser, { id: 5 }],
      [getTime, 'UTC', true],
    ]).state()
    if (!both.loading && !both.error) {
      expectTypeOf(both.data).toEqualTypeOf<[User, { zone: string; time: number }]>()
    }
    const [first] = both.states
    if (!first.loading && !first.error) {
      expectTypeOf(first.data).toEqualTypeOf<User>()
    }
    const all = injectDataAll(() => ids().map((one) => [getUser, { id: one }] as const))
    expectTypeOf(all.data()).toEqualTypeOf<User[] | undefined>()
    // @ts-expect-error a misspelt member
    injectDataAll([[getUser, { id: 5, nmae: 'a' }]])
    // @ts-expect-error an argument is missing
    injectDataAll(() => [[getTime, 'UTC']])
  })

  test('SIG-8 a list has an end', () => {
    const end = {} as Signal<ElementRef<Element> | undefined>
    injectEndRef(injectInfinite(Users.getList), end, 100)
    // @ts-expect-error no list
    injectEndRef(injectData(getUser, { id: 5 }), end)
  })

  test('SIG-9 the endpoint with a signal stands in place of the endpoint', () => {
    const one = injectCancelling(getUser, () => ({ id: id() }))
    expectTypeOf(one.endpoint).toEqualTypeOf<typeof getUser>()
    expectTypeOf(injectData(one, () => ({ id: id() })).data()).toEqualTypeOf<User | undefined>()
    // @ts-expect-error a misspelt member
    injectCancelling(getUser, { id: 5, nmae: 'a' })
  })
})
