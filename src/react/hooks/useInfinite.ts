'use client'
import type { DataOf, HookArgs, IfNull } from '../../binding/args.ts'
import { type Infinite, type ItemsOf, joinPages, type PagedEndpoint } from '../../binding/createPages.ts'
import { useDLEReader } from '../dleReader.ts'
import { usePages } from './infinitePages.ts'

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
): Infinite<ItemsOf<E> | IfNull<A, undefined, never>, DataOf<E, A>> {
  return joinPages(usePages(endpoint, args), endpoint, useDLEReader({ endpoint }, args, true, true)) as never
}
