import { type Accessor, createSignal, untrack } from 'solid-js'
import { type DataOf, type IfNull, keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import {
  createPages,
  IDLE_PAGES,
  type InfiniteDLE,
  itemsIn,
  type ItemsOf,
  type PagedEndpoint,
  type Pages,
  type PagesState,
  showPages,
} from '../binding/createPages.ts'
import { type GetterArgs, type PlainGetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { Known } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { createLoaded } from './createData.ts'
import { createChecked, createShown, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The result of `createInfinite` in Solid: the members of `useInfiniteDLE`, and a function. Called, it returns the items, lets the nearest
 * `<Suspense>` wait for the first page, and throws the error that prevents it.
 *
 * @example
 * const isComplete = (list: InfiniteData<unknown[]>) => !list.loading && !list.hasNextPage
 * @see docs/api/createInfinite.md#infinitedata
 */
export type InfiniteData<T, D = T, K = D | undefined> = Accessor<T | undefined> & InfiniteDLE<T, D, K>

/**
 * The items of all loaded pages of a list, and functions that load more.
 *
 * @example
 * const posts = createInfinite(PostResource.getList, () => ({ userId: 5 }))
 * const more = () => posts.hasNextPage && posts.fetchNextPage()
 * @see docs/api/createInfinite.md#solid
 */
export function createInfinite<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): InfiniteData<ItemsOf<E> | IfNull<PlainGetterArgs<A>, undefined, never>, DataOf<E, PlainGetterArgs<A>>, Known<E>> {
  const target = (): EndpointInterface => optionsOf<any>(endpoint).endpoint
  const pages = createPageMembers(target, args)
  const { members, read } = createLoaded(endpoint, args, true)
  const items = (data: unknown): unknown => itemsIn(target().schema, data)
  return defineMembers(() => items(read()), {
    ...pages,
    ...members,
    items: () => items(members.data()),
    error: () => members.error() ?? pages['error']!(),
  }) as never
}

function createPageMembers(
  target: Accessor<EndpointInterface>,
  args: readonly unknown[],
): Record<string, () => unknown> {
  const controller = useController()
  const [state, setState] = createSignal<PagesState>(IDLE_PAGES)
  const pages = createChecked<KeyedPages>((last) => {
    const by = target()
    const values = valuesOf(args)
    const key = keyOf(by, values)
    return last?.by === by && last.key === key ? last : { ...createPages(controller, by, values, setState), by, key }
  })
  const available = createShown(pages, (one) => one.available())
  const shown = (): ReturnType<typeof showPages> => {
    const [one, now] = [pages(), state()]
    return showPages(one, available(), now.key === one.key ? now : IDLE_PAGES)
  }
  const fetchPage = (name: 'fetchNextPage' | 'fetchPreviousPage') => {
    const fetch = (): Promise<void> => untrack(pages)[name]()
    return () => fetch
  }
  return {
    hasNextPage: () => shown().hasNextPage,
    hasPreviousPage: () => shown().hasPreviousPage,
    fetchingNextPage: () => shown().fetchingNextPage,
    fetchingPreviousPage: () => shown().fetchingPreviousPage,
    error: () => shown().error,
    fetchNextPage: fetchPage('fetchNextPage'),
    fetchPreviousPage: fetchPage('fetchPreviousPage'),
  }
}

interface KeyedPages extends Pages {
  readonly by: EndpointInterface
  readonly key: string | undefined
}
