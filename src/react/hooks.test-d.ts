import { createElement, type ReactElement, use } from 'react'
import { describe, expectTypeOf, test } from 'vitest'
import { createStore } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import type { ReadEndpoint, UnknownError } from '../endpoint/EndpointOptions.ts'
import { resource } from '../rest/resource.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Query } from '../kinds/Query.ts'
import { AsyncBoundary } from './AsyncBoundary.ts'
import { DataProvider } from './DataProvider.ts'
import { ErrorBoundary } from './ErrorBoundary.ts'
import { useCache } from './hooks/useCache.ts'
import { useCancelling } from './hooks/useCancelling.ts'
import { useController } from './hooks/useController.ts'
import { useDebounce } from './hooks/useDebounce.ts'
import { useDLE } from './hooks/useDLE.ts'
import { useDLEAll } from './hooks/useDLEAll.ts'
import { useError } from './hooks/useError.ts'
import type { Usable } from '../binding/usableOf.ts'
import { useFetch } from './hooks/useFetch.ts'
import type { PagedEndpoint } from '../binding/createPages.ts'
import { useInfinite } from './hooks/useInfinite.ts'
import { useInfiniteDLE } from './hooks/useInfiniteDLE.ts'
import { useLive } from './hooks/useLive.ts'
import { useLoading } from './hooks/useLoading.ts'
import { useQuery } from './hooks/useQuery.ts'
import { useSubscription } from './hooks/useSubscription.ts'
import { useSuspenseAll } from './hooks/useSuspenseAll.ts'
import { useSuspense } from './hooks/useSuspense.ts'

class User extends Entity {
  id = ''
  name = ''
  age = 0
}
const Users = resource({ path: '/users/:id', schema: User, paginationField: 'page' })
const getUser = new RestEndpoint({ path: '/user/:id', schema: User })
const getPage = new RestEndpoint({ path: '/page', schema: { users: new Collection([User]), total: 0 } })
const getTime = new Endpoint((zone: string, precise: boolean) => Promise.resolve({ zone, time: precise ? 5 : 6 }), {
  name: 'time',
})
const getNow = new Endpoint(() => Promise.resolve(5), { name: 'now' })
const update = new RestEndpoint({ path: '/user/:id', method: 'PATCH', schema: User, body: {} as Partial<User> })
const adults = new Query(new All(User), (all, { above }: { above: number }) => all.filter(({ age }) => age > above))

declare const id: string | undefined

describe('hooks', () => {
  test('HK-3 useSuspense, useLive: the data; it may be missing where the arguments may be null', () => {
    expectTypeOf(useSuspense(getUser, { id: 5 })).toEqualTypeOf<User>()
    expectTypeOf(useSuspense(getUser, id ? { id } : null)).toEqualTypeOf<User | undefined>()
    expectTypeOf(useSuspense(getUser, null)).toEqualTypeOf<User | undefined>()
    expectTypeOf(useSuspense(getPage).total).toEqualTypeOf<number>()
    expectTypeOf(useSuspense(getPage).users).toEqualTypeOf<User[]>()
    expectTypeOf(useSuspense(getPage, null).users).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(useSuspense(getTime, 'UTC', true)).toEqualTypeOf<{ zone: string; time: number }>()
    expectTypeOf(useSuspense(getTime, ...(id ? ([id, true] as const) : ([null] as const)))).toEqualTypeOf<
      { zone: string; time: number } | undefined
    >()
    expectTypeOf(useSuspense(getNow)).toEqualTypeOf<number>()
    expectTypeOf(useSuspense(Users.get, { id: 5 })).toEqualTypeOf<User>()
    expectTypeOf(useSuspense(Users.getList)).toEqualTypeOf<User[]>()
    expectTypeOf(useLive(getUser, { id: 5 })).toEqualTypeOf<User>()
    expectTypeOf(useLive(getUser, id ? { id } : null)).toEqualTypeOf<User | undefined>()
    // @ts-expect-error: the path needs an id
    useSuspense(getUser, {})
    // @ts-expect-error: no arguments
    useSuspense(getUser)
    // @ts-expect-error: it may be missing
    useSuspense(getUser, { id })
    // @ts-expect-error: two arguments
    useSuspense(getTime, 'UTC')
  })

  test('TY-10 hooks check their arguments as controller.fetch does', () => {
    const Tasks = resource({
      path: '/tasks/:id',
      schema: User,
      searchParams: {} as { group: string; sort?: 'new' | 'old' },
    })
    expectTypeOf(useSuspense(Tasks.getList, { group: 'g', sort: 'new' })).toEqualTypeOf<User[]>()
    // @ts-expect-error: a misspelt query parameter
    useSuspense(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a number
    useSuspense(Tasks.getList, { group: 'g', sort: 5 })
    // @ts-expect-error: misspelt beside null
    useSuspense(Tasks.getList, id ? { group: 'g', srot: 'new' } : null)
    // @ts-expect-error: a misspelt query parameter
    useLive(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useDLE(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useFetch(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useCache(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useError(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useSubscription(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useCancelling(Tasks.getList, { group: 'g', srot: 'new' })
    // @ts-expect-error: a misspelt query parameter
    useInfinite(Tasks.getList, { group: 'g', srot: 'new' })
    // A hook of the app's own passes its arguments on.
    const useFirst = <E extends ReadEndpoint>(endpoint: E, ...args: readonly [...Parameters<E>]): unknown =>
      useSuspense(endpoint, ...args)
    useFirst(Tasks.getList, { group: 'g' })
  })

  test('HK-11 TY-10 useSuspenseAll, useDLEAll: a tuple, with the arguments of each endpoint', () => {
    const Tasks = resource({
      path: '/tasks/:id',
      schema: User,
      searchParams: {} as { group: string; sort?: 'new' | 'old' },
    })
    const getMany = new Endpoint((_: { ids: string[] }) => Promise.resolve([1]), { name: 'many' })
    const all = useSuspenseAll([
      [getUser, { id: 5 }],
      [getTime, 'UTC', true],
      [getNow],
      [Tasks.getList, { group: 'g', sort: 'new' }],
      [getMany, { ids: ['a'] }],
    ])
    expectTypeOf(all).toEqualTypeOf<[User, { zone: string; time: number }, number, User[], number[]]>()
    expectTypeOf(useSuspenseAll([[getUser, id ? { id } : null]])).toEqualTypeOf<[User | undefined]>()
    const ids = ['a', 'b']
    expectTypeOf(useSuspenseAll(ids.map((id) => [getUser, { id }] as const))).toEqualTypeOf<User[]>()
    const [user, time] = useDLEAll([[getUser, { id: 5 }], [getNow]])
    expectTypeOf(user.error).toEqualTypeOf<UnknownError | undefined>()
    expectTypeOf(time.data).toEqualTypeOf<number | undefined>()
    if (!user.loading && !user.error) {
      expectTypeOf(user.data).toEqualTypeOf<User>()
    }
    // @ts-expect-error: the path needs an id
    useSuspenseAll([[getUser, {}]])
    // @ts-expect-error: no arguments
    useSuspenseAll([[getNow], [getUser]])
    // @ts-expect-error: two arguments
    useSuspenseAll([[getTime, 'UTC']])
    // @ts-expect-error: a misspelt query parameter
    useSuspenseAll([[getNow], [Tasks.getList, { group: 'g', srot: 'new' }]])
    // @ts-expect-error: a misspelt query parameter
    useDLEAll([[Tasks.getList, { group: 'g', srot: 'new' }]])
    // @ts-expect-error: misspelt beside null
    useSuspenseAll([[Tasks.getList, id ? { group: 'g', srot: 'new' } : null]])
    // @ts-expect-error: a number
    useDLEAll([[Tasks.getList, { group: 'g', sort: 5 }]])
    // @ts-expect-error: a mutation
    useDLEAll([[update, { id: 5 }, {}]])
  })

  test('PAG-10 useInfiniteDLE: the items are there once nothing loads and nothing failed', () => {
    const list = useInfiniteDLE(getPage)
    expectTypeOf(list.items).toEqualTypeOf<User[] | undefined>()
    if (!list.loading && !list.error) {
      expectTypeOf(list.items).toEqualTypeOf<User[]>()
    }
    expectTypeOf(list.data.users).toEqualTypeOf<User[] | undefined>()
    if (!list.loading && !list.error) {
      expectTypeOf(list.data.total).toEqualTypeOf<number>()
    }
    expectTypeOf(list.stale).toEqualTypeOf<boolean>()
    expectTypeOf(list.error).toEqualTypeOf<UnknownError | undefined>()
    expectTypeOf(list.fetchPreviousPage).toEqualTypeOf<() => Promise<void>>()
    new RestEndpoint({
      path: '/page',
      schema: { users: new Collection([User]), older: '', newer: '' },
      getNextPage: ({ older }) => older,
      getPreviousPage: ({ newer }) => newer,
    })
    // @ts-expect-error: a mutation
    useInfiniteDLE(update, { id: 5 }, {})
  })

  test('HK-5 read hooks refuse mutations', () => {
    // @ts-expect-error: a mutation
    useSuspense(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useSuspense(Users.delete, { id: 5 })
    // @ts-expect-error: a mutation
    useFetch(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useDLE(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useLive(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useSubscription(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useCancelling(update, { id: 5 }, {})
    // @ts-expect-error: a mutation
    useInfinite(Users.getList.push, {}, {})
    expectTypeOf(useCache(update, { id: 5 }, {})).toEqualTypeOf<User | undefined>()
    expectTypeOf(useError(update, { id: 5 }, {})).toEqualTypeOf<UnknownError | undefined>()
  })

  test('HK-3 arguments of type any are taken not to be null', () => {
    const args: any = {}
    expectTypeOf(useSuspense(getUser, args)).toEqualTypeOf<User>()
    expectTypeOf(useLive(getUser, args)).toEqualTypeOf<User>()
    expectTypeOf(useFetch(getUser, args)).toEqualTypeOf<Usable<User>>()
  })

  test('HK-3 useFetch: a promise; none where the arguments may be null', () => {
    expectTypeOf(useFetch(getUser, { id: 5 })).toEqualTypeOf<Usable<User>>()
    expectTypeOf(useFetch(getUser, id ? { id } : null)).toEqualTypeOf<Usable<User> | undefined>()
    expectTypeOf(use(useFetch(getUser, { id: 5 }))).toEqualTypeOf<User>()
    expectTypeOf(useFetch(getUser, { id: 5 }).resolved).toEqualTypeOf<boolean>()
  })

  test('HK-3 useDLE: the data is there once nothing loads and nothing failed', () => {
    const { data, loading, error } = useDLE(getUser, { id: 5 })
    expectTypeOf(data).toEqualTypeOf<User | undefined>()
    expectTypeOf(loading).toEqualTypeOf<boolean>()
    expectTypeOf(error).toEqualTypeOf<UnknownError | undefined>()
    if (!loading && !error) {
      expectTypeOf(data).toEqualTypeOf<User>()
    }
    expectTypeOf(useDLE(getPage).data.users).toEqualTypeOf<User[] | undefined>()
    const skipped = useDLE(getUser, id ? { id } : null)
    if (!skipped.loading && !skipped.error) {
      expectTypeOf(skipped.data).toEqualTypeOf<User | undefined>()
    }
    // @ts-expect-error: the path needs an id
    useDLE(getUser, {})
  })

  test('HK-3 useCache, useQuery, useError: what is there', () => {
    expectTypeOf(useCache(getUser, { id: 5 })).toEqualTypeOf<User | undefined>()
    expectTypeOf(useCache(getPage).users).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(useQuery(User, { id: '5' })).toEqualTypeOf<User | undefined>()
    expectTypeOf(useQuery(adults, { above: 17 })).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(useQuery(adults, id ? { above: 17 } : null)).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(useError(getUser, { id: 5 })?.status).toEqualTypeOf<number | undefined>()
    // @ts-expect-error: the query needs a number
    useQuery(adults, { above: 'x' })
    // @ts-expect-error: the path needs an id
    useCache(getUser, {})
  })

  test('PAG-5 useInfinite: the items', () => {
    const { items, fetchNextPage, hasNextPage, fetchingNextPage, error } = useInfinite(Users.getList)
    expectTypeOf(items).toEqualTypeOf<User[]>()
    expectTypeOf(fetchNextPage).toEqualTypeOf<() => Promise<void>>()
    expectTypeOf({ hasNextPage, fetchingNextPage }).toEqualTypeOf<{ hasNextPage: boolean; fetchingNextPage: boolean }>()
    expectTypeOf(error).toEqualTypeOf<Error | undefined>()
    expectTypeOf(useInfinite(getPage).items).toEqualTypeOf<User[]>()
    // The whole data of the endpoint, with the total.
    expectTypeOf(useInfinite(getPage).data.total).toEqualTypeOf<number>()
    expectTypeOf(useInfinite(Users.getList).data).toEqualTypeOf<User[]>()
    expectTypeOf(useInfinite(Users.getList, id ? { id } : null).data).toEqualTypeOf<User[] | undefined>()
    expectTypeOf(useInfinite(getPage).refetchError).toEqualTypeOf<UnknownError | undefined>()
    expectTypeOf(useInfinite(getPage).refetch).toEqualTypeOf<() => void>()
    expectTypeOf(useInfinite(getPage, null).items).toEqualTypeOf<User[] | undefined>()
  })

  test('TY-21 useInfinite takes no list of a resource that has no pages', () => {
    const Plain = resource({ path: '/users/:id', schema: User })
    // @ts-expect-error: neither paginationField nor getNextPage
    useInfinite(Plain.getList)
    // @ts-expect-error: neither paginationField nor getNextPage
    useInfiniteDLE(Plain.getList)
    useInfinite(Plain.getList.extend({ paginationField: 'page' }))
    useInfinite(Plain.getList.extend({ getNextPage: (users) => [{ after: users.length }] }))
    useInfinite(Plain.getList.extend({ getNextPage: () => [{ after: 5 }] }).extend({ timeout: 5 }))
    useInfinite(Plain.extend({ getList: { getNextPage: (users) => [{ after: users.length }] } }).getList)
    useInfinite(Plain.extend('getList', { getNextPage: (users) => [{ after: users.length }] }).getList)
    useInfiniteDLE(new Endpoint(async () => [], { schema: new Collection([User]), getNextPage: () => 5 }))
    class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
      override getNextPage(): number {
        return 5
      }
    }
    useInfinite(resource({ path: '/users/:id', schema: User, Endpoint: Api }).getList)
    const useAny = (endpoint: PagedEndpoint) => useInfinite(endpoint).items
    useAny(Plain.getList.extend({ paginationField: 'page' }))
  })

  test('TY-22 useQuery finds a record by at least one field', () => {
    // @ts-expect-error: no field
    useQuery(User, {})
    useQuery(User, {} as { id?: string })
    useQuery(User, id ? { id } : null)
    useQuery(User, '5')
    useQuery(Users.getList.schema, {})
    useQuery<typeof User>(User, { id: '5' })
  })

  test('TY-5 a member of an object schema that may be null or undefined', async () => {
    const getPage = new RestEndpoint({
      path: '/groups/:group/users',
      schema: {
        users: new Collection([User]),
        next: '' as string | null,
        meta: { total: 0 as number | undefined, next: null as string | null },
      },
      paginationField: 'after',
      getNextPage(page) {
        expectTypeOf(page.next).toEqualTypeOf<string | null>()
        return page.meta.next
      },
    })
    const group = { group: 'g' }
    const pages = [
      useSuspense(getPage, group),
      await useController().fetch(getPage, group),
      await getPage(group),
      useCache(getPage, group),
    ] as const
    for (const page of pages) {
      expectTypeOf(page.next).toEqualTypeOf<string | null>()
      expectTypeOf(page.meta).toEqualTypeOf<{ total: number | undefined; next: string | null }>()
    }
  })

  test('HK-3 the others', () => {
    expectTypeOf(useController()).toEqualTypeOf<Controller>()
    expectTypeOf(useSubscription(getUser, { id: 5 })).toEqualTypeOf<void>()
    useSubscription(getUser, null)
    expectTypeOf(useCancelling(getUser, { id: 5 })).toEqualTypeOf<typeof getUser>()
    const [run, loading, error] = useLoading((name: string) => Promise.resolve(name.length), [])
    expectTypeOf(run).toEqualTypeOf<(name: string) => Promise<number | undefined>>()
    expectTypeOf(loading).toEqualTypeOf<boolean>()
    expectTypeOf(error).toEqualTypeOf<Error | undefined>()
    expectTypeOf(useDebounce({ text: '' }, 100)).toEqualTypeOf<[{ text: string }, boolean]>()
  })
})

describe('components', () => {
  test('BND-2 RCT-12 their props', () => {
    const store = createStore({ start: false })
    const Failed = ({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary(): void }): ReactElement =>
      createElement('button', { onClick: resetErrorBoundary }, error.message)
    createElement(DataProvider, { store, own: true }, 'x')
    createElement(DataProvider, { devButton: null })
    createElement(AsyncBoundary<Error>, { fallback: 'x', errorComponent: Failed, listen: () => () => {} })
    createElement(ErrorBoundary<Error>, { fallbackComponent: Failed, className: 'x' })
    // @ts-expect-error: no such corner
    createElement(DataProvider, { devButton: 'middle' })
    // @ts-expect-error: no such prop
    createElement(DataProvider, { manager: [] })
  })
})
