'use client'
import type { UnknownError } from '../../endpoint/EndpointOptions.ts'
import { useDLEReader } from '../dleReader.ts'
import { type HookArgs, type IfNull, optionsOf, type ReadOptions } from './args.ts'
import { type Infinite, itemsIn, type ItemsOf, type PagedEndpoint, usePages } from './infinitePages.ts'

/**
 * The items of all loaded pages of a list, with `loading` and `error`. It never suspends.
 *
 * @example
 * const { items, loading, hasNextPage, fetchNextPage } = useInfiniteDLE(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfiniteDLE.md
 */
export function useInfiniteDLE<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: HookArgs<E, A>
): InfiniteDLE<ItemsOf<E> | IfNull<A, undefined, never>> {
  const options = optionsOf(endpoint)
  const pages = usePages(options.endpoint, args)
  const { data, loading, error = pages.error, placeholder } = useDLEReader(options, args, true)
  return { ...pages, items: itemsIn(options.endpoint.schema, data), loading, error, placeholder } as never
}

/** The result of `useInfiniteDLE`: once nothing is loading and nothing failed, the items are there. */
export type InfiniteDLE<T> = Omit<Infinite<T>, 'items' | 'error'> & {
  /** The items are those of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: boolean
} & (
    | { readonly items: T; readonly loading: false; readonly error: undefined }
    | { readonly items: T | undefined; readonly loading: true; readonly error: UnknownError | undefined }
    /** The list, or the last page that was requested, failed. The items of the others stay. */
    | { readonly items: T | undefined; readonly loading: false; readonly error: UnknownError }
  )
