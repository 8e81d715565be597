'use client'
import type { HookArgs, IfNull } from './args.ts'
import { type Infinite, itemsIn, type ItemsOf, type PagedEndpoint, usePages } from './infinitePages.ts'
import { useData } from './useSuspense.ts'

/**
 * The items of all loaded pages of a list, and functions that load more. It suspends until the first page is there.
 *
 * @example
 * const { items, hasNextPage, fetchNextPage } = useInfinite(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfinite.md
 */
export function useInfinite<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): Infinite<ItemsOf<E> | IfNull<A, undefined, never>> {
  const pages = usePages(endpoint, args)
  return { ...pages, items: itemsIn(endpoint.schema, useData(endpoint, args, true)) as never }
}
