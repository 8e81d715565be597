import { computed, type Signal, signal, untracked } from '@angular/core'
import { type DataOf, type IfNull, keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import {
  createPages,
  IDLE_PAGES,
  itemsIn,
  type ItemsOf,
  type PagedEndpoint,
  type Pages,
  type PagesState,
  showPages,
} from '../binding/createPages.ts'
import { type GetterArgs, type PlainGetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { Known } from '../controller/Controller.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createLoaded } from './injectData.ts'
import { createShown, keeping } from './reader.ts'

/**
 * The result of `injectInfinite`: a signal for each member of `useInfiniteDLE`.
 *
 * @example
 * const isComplete = (list: InfiniteData<unknown[]>) => !list.loading() && !list.hasNextPage()
 * @see docs/api/injectInfinite.md#infinitedata
 */
export interface InfiniteData<T, D = T, K = D | undefined> {
  /** The items of all pages that are loaded. They stay while the pages are fetched again. */
  readonly items: Signal<T | undefined>
  /** The data of the endpoint, with what lies beside the list, such as `total`. */
  readonly data: Signal<K>
  /** Nothing can be shown yet. */
  readonly loading: Signal<boolean>
  /** Why the list, or the last page that was requested, failed. The items of the others stay. */
  readonly error: Signal<UnknownError | undefined>
  readonly state: Signal<PagesShown<T, D, K>>
  readonly hasNextPage: Signal<boolean>
  /** True where `getPreviousPage` of the endpoint names a page before the first one. */
  readonly hasPreviousPage: Signal<boolean>
  readonly fetchingNextPage: Signal<boolean>
  readonly fetchingPreviousPage: Signal<boolean>
  /** Loads the next page. It never rejects; while that page is loading it returns the same promise. */
  readonly fetchNextPage: () => Promise<void>
  /** Loads the page before the first one, in the same way. */
  readonly fetchPreviousPage: () => Promise<void>
  /** The items are those of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: Signal<boolean>
  /** A request is in flight, also in the background. */
  readonly fetching: Signal<boolean>
  /** The last request failed while items are shown. */
  readonly refetchError: Signal<UnknownError | undefined>
  /** When the request was sent that brought the list, in epoch milliseconds. */
  readonly fetchedAt: Signal<number | undefined>
  /** The list has expired, was marked stale, or could not be refetched. */
  readonly stale: Signal<boolean>
  /** Sends the request now. It never throws: what fails shows in `error` or `refetchError`. */
  readonly refetch: () => void
}

/** The items, `loading` and `error` of a list: once nothing is loading and nothing failed, the items are there. */
export type PagesShown<T, D, K> =
  | { readonly items: T; readonly data: D; readonly loading: false; readonly error: undefined }
  | {
      readonly items: T | undefined
      readonly data: K
      readonly loading: true
      readonly error: UnknownError | undefined
    }
  | { readonly items: T | undefined; readonly data: K; readonly loading: false; readonly error: UnknownError }

/**
 * The items of all loaded pages of a list as signals, and functions that load more.
 *
 * @example
 * const posts = injectInfinite(PostResource.getList, () => ({ userId: 5 }))
 * const more = () => posts.hasNextPage() && posts.fetchNextPage()
 * @see docs/api/injectInfinite.md
 */
export function injectInfinite<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): InfiniteData<ItemsOf<E> | IfNull<PlainGetterArgs<A>, undefined, never>, DataOf<E, PlainGetterArgs<A>>, Known<E>> {
  const target = (): EndpointInterface => optionsOf<any>(endpoint).endpoint
  const { error: pageError, ...pages } = createPageSignals(target, args)
  const loaded = createLoaded(endpoint, args, true)
  const { data, loading } = loaded
  const items = computed(() => itemsIn(target().schema, data()))
  const error = computed<unknown>(() => loaded.error() ?? pageError())
  const state = computed(() => ({ items: items(), data: data() as unknown, loading: loading(), error: error() }))
  return { ...pages, ...loaded, items, error, state } as never
}

type Shown = ReturnType<typeof showPages>

function createPageSignals(target: () => EndpointInterface, args: readonly unknown[]) {
  const { controller } = injectContext()
  const state = signal<PagesState>(IDLE_PAGES)
  const pages = keeping<KeyedPages>((last) => {
    const by = target()
    const values = valuesOf(args)
    return untracked(() => {
      const key = keyOf(by, values)
      const update = (change: (now: PagesState) => PagesState): void => state.update(change)
      return last?.by === by && last.key === key ? last : { ...createPages(controller, by, values, update), by, key }
    })
  })
  const available = createShown(pages, (one) => one.available())
  const shown = computed<Shown>(() => {
    const [one, now] = [pages(), state()]
    return showPages(one, available(), now.key === one.key ? now : IDLE_PAGES)
  })
  const member = <K extends keyof Shown>(name: K): Signal<Shown[K]> => computed(() => shown()[name])
  return {
    hasNextPage: member('hasNextPage'),
    hasPreviousPage: member('hasPreviousPage'),
    fetchingNextPage: member('fetchingNextPage'),
    fetchingPreviousPage: member('fetchingPreviousPage'),
    error: member('error'),
    fetchNextPage: (): Promise<void> => untracked(pages).fetchNextPage(),
    fetchPreviousPage: (): Promise<void> => untracked(pages).fetchPreviousPage(),
  }
}

interface KeyedPages extends Pages {
  readonly by: EndpointInterface
  readonly key: string | undefined
}
