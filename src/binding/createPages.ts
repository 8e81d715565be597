import type { Controller } from '../controller/Controller.ts'
import { listState } from '../requests/listPages.ts'
import { nextOf } from '../lists/pages.ts'
import type { EndpointInterface, ReadEndpoint, UnknownError } from '../endpoint/EndpointOptions.ts'
import { type ListOf } from '../rest/extenders.ts'
import { replaceList } from '../schema/listIn.ts'
import { pageEndpoint, previousPageEndpoint } from '../lists/paginate.ts'
import type { Denormalize } from '../schema/Denormalize.ts'
import { isSchemaClass } from '../schema/Schema.ts'
import { keyOf } from './args.ts'
import type { DLEResult, RefetchState } from './createDLEReader.ts'

/** A list with further pages. `D` is the whole data of its endpoint. */
export interface Infinite<T, D = T> extends RefetchState {
  /** The items of all pages that are loaded. They stay while the pages are fetched again. */
  readonly items: T
  /** The data of the endpoint, with what lies beside the list, such as `total`. */
  readonly data: D
  readonly hasNextPage: boolean
  /** True where `getPreviousPage` of the endpoint names a page before the first one. */
  readonly hasPreviousPage: boolean
  /** Loads the next page. It never rejects; while that page is loading it returns the same promise. */
  fetchNextPage(): Promise<void>
  /** Loads the page before the first one, in the same way. */
  fetchPreviousPage(): Promise<void>
  readonly fetchingNextPage: boolean
  readonly fetchingPreviousPage: boolean
  /** Why the last page that was requested failed. The items of the others stay. */
  readonly error: Error | undefined
}

/** The result of `useInfiniteDLE`: once nothing is loading and nothing failed, the items are there. */
export type InfiniteDLE<T, D = T, K = D | undefined> = Omit<Infinite<T>, 'items' | 'data' | 'error'> & {
  /** The items are those of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: boolean
} & (
    | { readonly items: T; readonly data: D; readonly loading: false; readonly error: undefined }
    | {
        readonly items: T | undefined
        readonly data: K
        readonly loading: true
        readonly error: UnknownError | undefined
      }
    /** The list, or the last page that was requested, failed. The items of the others stay. */
    | { readonly items: T | undefined; readonly data: K; readonly loading: false; readonly error: UnknownError }
  )

/**
 * An endpoint whose list has further pages: with `paginationField`, or with `getNextPage`.
 *
 * @example
 * const useCount = (endpoint: PagedEndpoint) => useInfinite(endpoint).items.length
 * @see docs/api/useInfinite.md
 */
export type PagedEndpoint = ReadEndpoint &
  // The list of a resource is known to have no pages. Others may have got `getNextPage` in a way that leaves no trace in their type.
  ({ readonly paginationField: string } | { readonly _paged: true } | { readonly movePath?: undefined })

/** The list in what an endpoint gives. */
export type ItemsOf<E extends EndpointInterface> = Denormalize<ListOf<E['schema']>>

type Direction = 'next' | 'previous'

/** Loads the pages around a list. */
export interface Pages {
  readonly fetchNextPage: () => Promise<void>
  readonly fetchPreviousPage: () => Promise<void>
  readonly subscribe: (notify: () => void) => () => boolean
  /** 1 for a next page, 2 for a previous one, 3 for both. */
  readonly available: () => number
}

/**
 * The pages around the list that an endpoint names.
 *
 * @param update changes the state of the component
 */
export function createPages(
  controller: Controller,
  endpoint: EndpointInterface,
  args: readonly any[],
  update: (change: (now: PagesState) => PagesState) => void,
): Pages {
  const key = keyOf(endpoint, args)
  const { store, requests } = controller.core
  const { tables, pagers } = store
  const running: { [D in Direction]?: Promise<void> | undefined } = {}
  /** The arguments of a page: `undefined` at either end, and while the list itself is not there. */
  const find = (direction: Direction): readonly any[] | undefined => {
    const list = key === undefined ? undefined : listState(tables, endpoint, args)
    return list && (direction === 'next' ? nextOf(list) : list.pages[0]?.previous)
  }
  const run = async (direction: Direction): Promise<void> => {
    const change = (fetching: boolean, error?: Error): void =>
      update((now) => ({ ...(now.key === key ? now : IDLE_PAGES), key, error, [direction]: fetching }))
    change(true)
    let error: Error | undefined
    try {
      // A list that is being fetched again may name another page.
      const refresh = [...requests.open.values()].find((open) => open.key === key && open.name === key)
      await refresh?.action.meta.promise.catch(() => {})
      const page = direction === 'next' ? pageEndpoint(endpoint, args) : previousPageEndpoint(endpoint, args)
      const pageArgs = find(direction)
      if (pageArgs) {
        await controller.fetch(page as EndpointInterface, ...pageArgs)
      }
    } catch (thrown) {
      error = thrown as Error
    }
    running[direction] = undefined
    update((now) => (now.key === key ? { ...now, error, [direction]: false } : now))
  }
  const fetchPage = (direction: Direction) => (): Promise<void> => {
    const isThere = find(direction) !== undefined
    return running[direction] ?? (isThere ? (running[direction] = run(direction)) : Promise.resolve())
  }
  return {
    fetchNextPage: fetchPage('next'),
    fetchPreviousPage: fetchPage('previous'),
    // An empty page, or one that another component fetched, leaves the items as they are.
    subscribe: (notify: () => void): (() => boolean) => {
      const pager = { tell: notify }
      pagers.add(pager)
      return () => pagers.delete(pager)
    },
    available: () => (find('next') ? 1 : 0) + (find('previous') ? 2 : 0),
  }
}

/** The state of the pages, as a component shows it. */
export function showPages(
  { fetchNextPage, fetchPreviousPage }: Pages,
  directions: number,
  { next, previous, error }: PagesState,
): Omit<Infinite<unknown>, 'items' | 'data' | keyof RefetchState> {
  return {
    hasNextPage: (directions & 1) > 0,
    hasPreviousPage: (directions & 2) > 0,
    fetchNextPage,
    fetchPreviousPage,
    fetchingNextPage: next,
    fetchingPreviousPage: previous,
    error,
  }
}

/** The pages with the data of the list. Details are looked up when they are read: a component renders for those alone. */
export function joinPages(
  pages: ReturnType<typeof showPages>,
  endpoint: EndpointInterface,
  result: DLEResult,
): Infinite<unknown> {
  const { data, refetch } = result
  return {
    ...pages,
    data,
    items: itemsIn(endpoint.schema, data),
    get fetching() {
      return result.fetching
    },
    get refetchError() {
      return result.refetchError
    },
    get fetchedAt() {
      return result.fetchedAt
    },
    get stale() {
      return result.stale
    },
    refetch,
  }
}

/** Which pages are loading, and why the last one failed. It is about one key. */
export interface PagesState {
  readonly key?: string | undefined
  /** Pages that are loading. */
  readonly next: boolean
  readonly previous: boolean
  readonly error?: Error | undefined
}

export const IDLE_PAGES: PagesState = { next: false, previous: false }

/** The list, wherever it is in the data. */
export function itemsIn(schema: any, data: any): unknown {
  if (data === undefined || Array.isArray(data)) {
    return data
  }
  const members = isSchemaClass(schema) ? (schema as { schema?: any }).schema : schema
  const name = Object.keys((members ?? {}) as object).find((name) => replaceList(members[name], () => true))
  return name === undefined ? undefined : itemsIn(members[name], data[name])
}
