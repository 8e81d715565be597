'use client'
import type { ReadEndpoint, UnknownError } from '../../endpoint/EndpointOptions.ts'
import { useReader } from '../reader.ts'
import type { HookArgs } from './args.ts'
import { type Infinite, itemsIn, type ItemsOf, usePages } from './pages.ts'
import { all } from './select.ts'

/**
 * The items of all loaded pages of a list, with `loading` and `error`. It never suspends.
 *
 * @example
 * const { items, loading, hasNextPage, fetchNextPage } = useInfiniteDLE(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfiniteDLE.md
 */
export function useInfiniteDLE<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): InfiniteDLE<ItemsOf<E> | (null extends A[0] ? undefined : never)> {
  const pages = usePages(endpoint, args)
  const [{ data, loading, error = pages.error }, reader] = useReader(endpoint, args, all, false, true)
  if (loading) {
    void reader.wait(true)
  }
  return { ...pages, items: itemsIn(endpoint.schema, data), loading, error } as never
}

/** What `useInfiniteDLE` returns: once nothing is loading and nothing failed, the items are there. */
export type InfiniteDLE<T> = Omit<Infinite<T>, 'items' | 'error'> &
  (
    | { readonly items: T; readonly loading: false; readonly error: undefined }
    | { readonly items: T | undefined; readonly loading: true; readonly error: UnknownError | undefined }
    /** The list, or the last page that was requested, failed. The items of the others stay. */
    | { readonly items: T | undefined; readonly loading: false; readonly error: UnknownError }
  )
