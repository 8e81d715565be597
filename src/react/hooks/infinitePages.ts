'use client'
import { useMemo, useState, useSyncExternalStore } from 'react'
import type { EndpointInterface, ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import type { ListOf } from '../../rest/extenders.ts'
import type { Denormalize } from '../../schema/Denormalize.ts'
import type { Result } from '../dleReader.ts'
import { keyOf } from './args.ts'
import { createPages, IDLE, itemsIn, type PagesState } from './createPages.ts'
import { useController } from './useController.ts'
import type { RefetchState } from './useDLE.ts'

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

/** The pages around the list that an endpoint names. */
export function usePages(
  endpoint: EndpointInterface,
  args: readonly any[],
): Omit<Infinite<unknown>, 'items' | 'data' | keyof RefetchState> {
  const controller = useController()
  const [state, setState] = useState<PagesState>(IDLE)
  const key = keyOf(endpoint, args)
  const { fetchNextPage, fetchPreviousPage, subscribe, available } = useMemo(
    () => createPages(controller, endpoint, args, key, setState),
    [controller, endpoint, key],
  )
  const { next, previous, error } = state.key === key ? state : IDLE
  const directions = useSyncExternalStore(subscribe, available, available)
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
  pages: ReturnType<typeof usePages>,
  endpoint: EndpointInterface,
  result: Result,
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
