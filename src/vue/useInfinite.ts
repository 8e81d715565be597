import { computed, type ComputedRef, type MaybeRef, shallowRef, unref } from 'vue'
import { type IfNull, keyOf } from '../binding/args.ts'
import {
  createPages,
  IDLE_PAGES,
  type Infinite,
  itemsIn,
  type ItemsOf,
  type PagedEndpoint,
  type Pages,
  type PagesState,
  showPages,
} from '../binding/createPages.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { type ComposableArgs, type ComposableData, type PlainArgs, valuesOf } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'
import { type RefetchRefs, refetchRefs, useDLEReader } from './useDLE.ts'
import { waitForData } from './useSuspense.ts'

/**
 * The result of `useInfinite` in Vue: refs, and functions. `D` is the whole data of its endpoint.
 *
 * @example
 * const isComplete = ({ hasNextPage }: InfiniteRefs<unknown[]>) => !hasNextPage.value
 * @see docs/api/useInfinite.md#infiniterefs
 */
export interface InfiniteRefs<T, D = T> extends Pick<Infinite<T>, 'fetchNextPage' | 'fetchPreviousPage'>, RefetchRefs {
  /** The items of all pages that are loaded. They stay while the pages are fetched again. */
  readonly items: ComputedRef<T>
  /** The data of the endpoint, with what lies beside the list, such as `total`. */
  readonly data: ComputedRef<D>
  readonly hasNextPage: ComputedRef<boolean>
  /** True where `getPreviousPage` of the endpoint names a page before the first one. */
  readonly hasPreviousPage: ComputedRef<boolean>
  readonly fetchingNextPage: ComputedRef<boolean>
  readonly fetchingPreviousPage: ComputedRef<boolean>
  /** Why the last page that was requested failed. The items of the others stay. */
  readonly error: ComputedRef<Error | undefined>
}

/**
 * The items of all loaded pages of a list, and functions that load more. It is a promise, as with `useSuspense`.
 *
 * @example
 * const { items, hasNextPage, fetchNextPage } = await useInfinite(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfinite.md#vue
 */
export async function useInfinite<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): Promise<InfiniteRefs<ItemsOf<E> | IfNull<PlainArgs<A>, undefined, never>, ComposableData<E, A>>> {
  const pages = usePages(endpoint, args)
  const { reader, pairs, member } = useDLEReader(endpoint, args, true)
  const data = await waitForData(
    reader,
    computed(() => pairs.value[1]),
  )
  return {
    ...pages,
    ...refetchRefs(member),
    data,
    items: computed(() => itemsIn(unref(endpoint).schema, data.value) as any),
  }
}

export function usePages(endpoint: MaybeRef<EndpointInterface>, args: readonly unknown[]): PagesRefs {
  const controller = useController()
  const state = shallowRef<PagesState>(IDLE_PAGES)
  const update = (change: (now: PagesState) => PagesState): void => {
    state.value = change(state.value)
  }
  const pages = computed<KeyedPages>((last) => {
    const by = unref(endpoint)
    const values = valuesOf(args)
    const key = keyOf(by, values)
    return last?.by === by && last.key === key ? last : { ...createPages(controller, by, values, update), by, key }
  })
  const available = useShown(pages, (one) => one.available())
  const shown = computed(() => {
    const { value: one } = pages
    return showPages(one, available.value, state.value.key === one.key ? state.value : IDLE_PAGES)
  })
  const member = (name: keyof Infinite<unknown>): ComputedRef<any> =>
    computed(() => (shown.value as any)[name] as unknown)
  return {
    hasNextPage: member('hasNextPage'),
    hasPreviousPage: member('hasPreviousPage'),
    fetchNextPage: () => pages.value.fetchNextPage(),
    fetchPreviousPage: () => pages.value.fetchPreviousPage(),
    fetchingNextPage: member('fetchingNextPage'),
    fetchingPreviousPage: member('fetchingPreviousPage'),
    error: member('error'),
  }
}

/** The refs of the pages alone. */
type PagesRefs = Omit<InfiniteRefs<unknown>, 'items' | 'data' | keyof RefetchRefs>

interface KeyedPages extends Pages {
  readonly by: EndpointInterface
  readonly key: string | undefined
}
