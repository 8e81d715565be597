import { untrack } from 'svelte'
import { type DataOf, type IfNull, keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import {
  createPages,
  IDLE_PAGES,
  type Infinite,
  type InfiniteDLE,
  itemsIn,
  type ItemsOf,
  type PagedEndpoint,
  type Pages,
  type PagesState,
  showPages,
} from '../binding/createPages.ts'
import type { DLEResult } from '../binding/createDLEReader.ts'
import { type GetterArgs, type PlainGetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { Known } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createLoaded } from './createData.ts'
import { joinSources, type Member } from './members.ts'

/**
 * The result of `createInfinite` in Svelte: the members of `useInfiniteDLE`. Awaited, its first page is there.
 *
 * @example
 * const isComplete = (list: InfiniteData<unknown[]>) => !list.loading && !list.hasNextPage
 * @see docs/api/createInfinite.md#infinitedata
 */
export type InfiniteData<T, D = T, K = D | undefined> = InfiniteDLE<T, D, K> & PromiseLike<Infinite<T, D>>

/**
 * The items of all loaded pages of a list, and functions that load more.
 *
 * @example
 * const posts = createInfinite(PostResource.getList, () => ({ userId: 5 }))
 * const more = () => posts.hasNextPage && posts.fetchNextPage()
 * @see docs/api/createInfinite.md#svelte
 */
export function createInfinite<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): InfiniteData<ItemsOf<E> | IfNull<PlainGetterArgs<A>, undefined, never>, DataOf<E, PlainGetterArgs<A>>, Known<E>> {
  const pagesOf = createPagesSource(endpoint, args)
  const show =
    (name: Exclude<keyof Infinite<unknown>, keyof DLEResult | 'items'>): Member<any> =>
    ({ part }: { readonly part: KeyedPages }) =>
      showPages(part, part.available(), part.state())[name]
  return createLoaded(endpoint, args, {
    keeps: true,
    wrap: (source) => joinSources(source, pagesOf),
    add: ({ data, error }) => ({
      items: (source, isFirst) => itemsIn((source.reader.target as PagedEndpoint).schema, data(source, isFirst)),
      error: (source, isFirst) => error(source, isFirst) ?? (source as any).part.state().error,
      hasNextPage: show('hasNextPage'),
      hasPreviousPage: show('hasPreviousPage'),
      fetchingNextPage: show('fetchingNextPage'),
      fetchingPreviousPage: show('fetchingPreviousPage'),
      fetchNextPage: show('fetchNextPage'),
      fetchPreviousPage: show('fetchPreviousPage'),
    }),
  }) as never
}

interface KeyedPages extends Pages {
  readonly by: EndpointInterface
  readonly key: string | undefined
  readonly state: () => PagesState
}

function createPagesSource(endpoint: PagedEndpoint | ReadOptions<any>, args: readonly unknown[]): () => KeyedPages {
  const controller = useController()
  let state = IDLE_PAGES
  let notify: (() => void) | undefined
  const update = (change: (now: PagesState) => PagesState): void => {
    state = change(state)
    notify?.()
  }
  let last: KeyedPages | undefined
  return () => {
    const by = optionsOf<any>(endpoint).endpoint as EndpointInterface
    const values = valuesOf(args)
    return untrack(() => {
      const key = keyOf(by, values)
      if (last?.by === by && last.key === key) {
        return last
      }
      const pages = createPages(controller, by, values, update)
      const subscribe = (listener: () => void): (() => boolean) => {
        notify = listener
        return pages.subscribe(listener)
      }
      return (last = { ...pages, subscribe, by, key, state: () => (state.key === key ? state : IDLE_PAGES) })
    })
  }
}
