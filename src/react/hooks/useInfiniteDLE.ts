'use client'
import type { Known } from '../../controller/Controller.ts'
import { useDLEReader } from '../dleReader.ts'
import { type DataOf, type HookArgs, type IfNull, optionsOf, type ReadOptions } from '../../binding/args.ts'
import { type InfiniteDLE, type ItemsOf, joinPages, type PagedEndpoint } from '../../binding/createPages.ts'
import { usePages } from './infinitePages.ts'

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
): InfiniteDLE<ItemsOf<E> | IfNull<A, undefined, never>, DataOf<E, A>, Known<E>> {
  const options = optionsOf(endpoint)
  const pages = usePages(options.endpoint, args)
  const result = useDLEReader(options, args, true)
  const { loading, error = pages.error, placeholder } = result
  return Object.assign(joinPages(pages, options.endpoint, result), { loading, error, placeholder }) as never
}
