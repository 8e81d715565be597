import { describe, expectTypeOf, test } from 'vitest'
import { computed, type ComputedRef, type Ref, ref } from 'vue'
import type { Usable } from '../binding/usableOf.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { All } from '../kinds/All.ts'
import { Entity } from '../kinds/Entity.ts'
import { Query } from '../kinds/Query.ts'
import { useCache } from './useCache.ts'
import { useDLE } from './useDLE.ts'
import { useFetch } from './useFetch.ts'
import { useMutation } from './useMutation.ts'
import { useLive } from './useLive.ts'
import { useQuery } from './useQuery.ts'
import { useSubscription } from './useSubscription.ts'
import { useSuspense } from './useSuspense.ts'

class User extends Entity {
  id = ''
  name = ''
  age = 0
}
const Users = resource({ path: '/users/:id', schema: User, searchParams: {} as { page?: number } | undefined })
const getUser = new RestEndpoint({ path: '/user/:id', schema: User })
const getTime = new Endpoint((zone: string, precise: boolean) => Promise.resolve({ zone, time: precise ? 5 : 6 }), {
  name: 'time',
})
const getNow = new Endpoint(() => Promise.resolve(5), { name: 'now' })
const adults = new Query(new All(User), (all, { above }: { above: number }) => all.filter(({ age }) => age > above))

declare const id: Ref<string | undefined>
declare const props: { readonly id: string; readonly user: User }

describe('arguments of composables', () => {
  test('VUE-2 may be values, refs, computed and getters', () => {
    expectTypeOf(useSuspense(getUser, { id: 5 })).toEqualTypeOf<Promise<ComputedRef<User>>>()
    expectTypeOf(useSuspense(getUser, ref({ id: 5 }))).toEqualTypeOf<Promise<ComputedRef<User>>>()
    expectTypeOf(useSuspense(getUser, () => ({ id: props.id }))).toEqualTypeOf<Promise<ComputedRef<User>>>()
    expectTypeOf(
      useSuspense(
        getUser,
        computed(() => ({ id: props.id })),
      ),
    ).toEqualTypeOf<Promise<ComputedRef<User>>>()
    expectTypeOf(useSuspense(getNow)).toEqualTypeOf<Promise<ComputedRef<number>>>()
    expectTypeOf(useSuspense(getTime, () => 'UTC', ref(true))).toEqualTypeOf<
      Promise<ComputedRef<{ zone: string; time: number }>>
    >()
    expectTypeOf(useSuspense(ref(getUser), { id: 5 })).toEqualTypeOf<Promise<ComputedRef<User>>>()
    expectTypeOf(useSuspense(Users.getList)).toEqualTypeOf<Promise<ComputedRef<User[]>>>()
    expectTypeOf(useSuspense(Users.getList, () => ({ page: 2 }))).toEqualTypeOf<Promise<ComputedRef<User[]>>>()
  })

  test('VUE-2 null: the data may be missing', () => {
    expectTypeOf(useSuspense(getUser, null)).toEqualTypeOf<Promise<ComputedRef<User | undefined>>>()
    expectTypeOf(useSuspense(getUser, () => (id.value ? { id: id.value } : null))).toEqualTypeOf<
      Promise<ComputedRef<User | undefined>>
    >()
    expectTypeOf(
      useLive(
        getUser,
        computed(() => (id.value ? { id: id.value } : null)),
      ),
    ).toEqualTypeOf<Promise<ComputedRef<User | undefined>>>()
    expectTypeOf(useSuspense(getTime, null)).toEqualTypeOf<
      Promise<ComputedRef<{ zone: string; time: number } | undefined>>
    >()
  })

  test('VUE-2 misspelt, missing and wrong arguments are errors', () => {
    // @ts-expect-error a misspelt member
    void useSuspense(getUser, { id: 5, nmae: 'a' })
    // @ts-expect-error a misspelt member in a getter
    void useSuspense(getUser, () => ({ id: 5, nmae: 'a' }))
    const misspelt = computed(() => ({ id: 5, nmae: 'a' }))
    // @ts-expect-error a misspelt member in a computed
    void useSuspense(getUser, misspelt)
    // @ts-expect-error a misspelt member in a getter that may return null
    void useSuspense(getUser, () => (id.value ? { id: id.value, nmae: 'a' } : null))
    // @ts-expect-error a missing member
    void useSuspense(getUser, {})
    // @ts-expect-error a missing member in a getter
    void useSuspense(getUser, () => ({}))
    // @ts-expect-error no argument
    void useSuspense(getUser)
    // @ts-expect-error a wrong type
    void useSuspense(getUser, () => ({ id: true }))
    // @ts-expect-error one argument too many
    void useSuspense(getUser, () => ({ id: 5 }), { name: 'a' })
    // @ts-expect-error one argument missing
    void useSuspense(getTime, () => 'UTC')
    // @ts-expect-error a ref of another type
    useDLE(getUser, ref('5'))
    // @ts-expect-error an optional search parameter that does not exist
    useDLE(Users.getList, () => ({ pge: 2 }))
    // @ts-expect-error a mutation
    useFetch(Users.update, { id: 5 }, { name: 'a' })
    // @ts-expect-error a mutation
    void useLive(Users.delete, { id: 5 })
    // @ts-expect-error a misspelt member
    useSubscription(getUser, () => ({ di: 5 }))
  })
})

describe('results', () => {
  test('VUE-7 useDLE', () => {
    const { data, loading, error, fetchedAt, refetch } = useDLE(getUser, () => ({ id: props.id }))
    expectTypeOf(data).toEqualTypeOf<ComputedRef<User | undefined>>()
    expectTypeOf(loading).toEqualTypeOf<ComputedRef<boolean>>()
    expectTypeOf(error).toEqualTypeOf<ComputedRef<UnknownError | undefined>>()
    expectTypeOf(fetchedAt).toEqualTypeOf<ComputedRef<number | undefined>>()
    expectTypeOf(refetch).toEqualTypeOf<() => void>()
    expectTypeOf(useDLE({ endpoint: getUser, keepPrevious: true }, { id: 5 }).data).toEqualTypeOf<
      ComputedRef<User | undefined>
    >()
    // @ts-expect-error a misspelt member
    useDLE({ endpoint: getUser, keepPrevious: true }, () => ({ id: 5, nmae: 'a' }))
  })

  test('VUE-8 useCache, useQuery', () => {
    expectTypeOf(useCache(getUser, { id: 5 })).toEqualTypeOf<ComputedRef<User | undefined>>()
    expectTypeOf(useQuery(User, () => ({ id: '5' }))).toEqualTypeOf<ComputedRef<User | undefined>>()
    expectTypeOf(useQuery(adults, { above: 17 })).toEqualTypeOf<ComputedRef<User[] | undefined>>()
    expectTypeOf(useQuery(adults, null)).toEqualTypeOf<ComputedRef<User[] | undefined>>()
    // @ts-expect-error a misspelt member
    useQuery(adults, () => ({ above: 17, blow: 99 }))
    // @ts-expect-error a misspelt field
    useQuery(User, () => ({ di: '5' }))
  })

  test('VUE-9 useFetch', () => {
    expectTypeOf(useFetch(getUser, { id: 5 })).toEqualTypeOf<ComputedRef<Usable<User>>>()
    expectTypeOf(useFetch(getUser, () => (id.value ? { id: id.value } : null))).toEqualTypeOf<
      ComputedRef<Usable<User> | undefined>
    >()
  })
})

test('MUT-3 the callbacks of useMutation know parameters and body, also of a ref', () => {
  const Notes = resource({ path: '/notes/:id', schema: User, body: {} as { name: string } })
  type Args = [params: { id: string | number }, body: { name: string }]
  const checks = (): void => {
    useMutation(Notes.update, {
      onError: (error, variables) => {
        expectTypeOf(error).toEqualTypeOf<UnknownError>()
        expectTypeOf(variables).toEqualTypeOf<Args>()
      },
      onSuccess: (user, [, body]) => {
        expectTypeOf(user).toEqualTypeOf<User>()
        expectTypeOf(body).toEqualTypeOf<{ name: string }>()
      },
    })
    useMutation(
      computed(() => Notes.update),
      { onError: (_error, [, body]) => expectTypeOf(body).toEqualTypeOf<{ name: string }>() },
    )
    useMutation(Notes.update).mutate.with({
      onError: (_error, variables) => expectTypeOf(variables).toEqualTypeOf<Args>(),
    })
  }
  expectTypeOf(checks).toBeFunction()
})
