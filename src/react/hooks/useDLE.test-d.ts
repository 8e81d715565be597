import { describe, expectTypeOf, test } from 'vitest'
import type { Controller } from '../../controller/Controller.ts'
import { Endpoint } from '../../endpoint/Endpoint.ts'
import type { ReadEndpoint, UnknownError } from '../../endpoint/EndpointOptions.ts'
import { resource } from '../../rest/resource.ts'
import { RestEndpoint } from '../../rest/RestEndpoint.ts'
import type { ReadOptions } from '../../binding/args.ts'
import type { DLE } from '../../binding/createDLEReader.ts'
import { useDLE } from './useDLE.ts'
import { useInfiniteDLE } from './useInfiniteDLE.ts'
import { User } from '../../testing/entities.ts'

const Users = resource({ path: '/users/:id', schema: User, searchParams: {} as { page?: number } | undefined })
const getUser = new RestEndpoint({ path: '/user/:id', schema: User })
const rename = new RestEndpoint({ path: '/user/:id', method: 'PATCH', schema: User })
const getTime = new Endpoint((zone: string, precise: boolean) => Promise.resolve({ zone, time: precise ? 5 : 6 }), {
  name: 'time',
})

declare const id: string | undefined

describe('useDLE', () => {
  test('DLE-1 its members', () => {
    const { fetching, refetchError, fetchedAt, stale, placeholder, ...rest } = useDLE(getUser, { id: 5 })
    expectTypeOf({ fetching, stale, placeholder }).toEqualTypeOf<
      Record<'fetching' | 'stale' | 'placeholder', boolean>
    >()
    expectTypeOf(refetchError).toEqualTypeOf<UnknownError | undefined>()
    expectTypeOf(fetchedAt).toEqualTypeOf<number | undefined>()
    expectTypeOf(rest.data).toEqualTypeOf<User | undefined>()
    const dle = useDLE(getUser, { id: 5 })
    if (!dle.loading && !dle.error) {
      expectTypeOf(dle.data).toEqualTypeOf<User>()
    }
    expectTypeOf<DLE<typeof getUser>['fetching']>().toEqualTypeOf<boolean>()
  })

  test('DLE-7 an endpoint with options has the arguments and the data of the endpoint', () => {
    const { data, loading, error } = useDLE({ endpoint: getUser, keepPrevious: true }, { id: 5 })
    if (!loading && !error) {
      expectTypeOf(data).toEqualTypeOf<User>()
    }
    expectTypeOf(useDLE({ endpoint: getUser, keepPrevious: true }, id ? { id } : null).data).toEqualTypeOf<
      User | undefined
    >()
    expectTypeOf(useDLE({ endpoint: Users.getList, keepPrevious: true }, { page: 1 }).data).toEqualTypeOf<
      User[] | undefined
    >()
    useDLE({ endpoint: getTime, keepPrevious: true }, 'UTC', true)
    useDLE(
      {
        endpoint: getUser,
        placeholder: (controller) => {
          expectTypeOf(controller).toEqualTypeOf<Controller>()
          return controller.get(User, { id: 5 })
        },
      },
      { id: 5 },
    )
    // @ts-expect-error: the path needs an id
    useDLE({ endpoint: getUser, keepPrevious: true }, {})
    // @ts-expect-error: two arguments
    useDLE({ endpoint: getTime, keepPrevious: true }, 'UTC')
    // @ts-expect-error: a misspelt option
    useDLE({ endpoint: getUser, keepPreviousData: true }, { id: 5 })
    // @ts-expect-error: a misspelt query parameter
    useDLE({ endpoint: Users.getList, keepPrevious: true }, { pgae: 1 })
    // @ts-expect-error: a mutation
    useDLE({ endpoint: rename }, { id: 5 }, {})
    // @ts-expect-error: another record
    useDLE({ endpoint: getUser, placeholder: () => ({ id: 5 }) }, { id: 5 })
  })

  test('DLE-7 DLE-8 useInfiniteDLE takes the same options', () => {
    const { items, placeholder, error, loading } = useInfiniteDLE(
      { endpoint: Users.getList.extend({ paginationField: 'page' }), keepPrevious: true },
      { page: 1 },
    )
    expectTypeOf(placeholder).toEqualTypeOf<boolean>()
    if (!loading && !error) {
      expectTypeOf(items).toEqualTypeOf<User[]>()
    }
    // @ts-expect-error: a misspelt query parameter
    useInfiniteDLE({ endpoint: Users.getList, keepPrevious: true }, { pgae: 1 })
  })

  test('DLE-7 a hook of the app passes its options on', () => {
    const useKept = <E extends ReadEndpoint>(endpoint: E, ...args: readonly [...Parameters<E>]): unknown =>
      useDLE({ endpoint, keepPrevious: true }, ...args)
    useKept(getUser, { id: 5 })
    const options: ReadOptions<typeof getUser> = { endpoint: getUser, keepPrevious: true }
    expectTypeOf(useDLE(options, { id: 5 }).data).toEqualTypeOf<User | undefined>()
  })
})
