import { computed, type ComputedRef, type MaybeRef, unref } from 'vue'
import { type IfNull, optionsOf, type ReadOptions } from '../binding/args.ts'
import { itemsIn, type ItemsOf, type PagedEndpoint } from '../binding/createPages.ts'
import type { Known } from '../controller/Controller.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs, PlainArgs } from './args.ts'
import { refetchRefs, useLoaded } from './useDLE.ts'
import { type InfiniteRefs, usePages } from './useInfinite.ts'

/**
 * The result of `useInfiniteDLE` in Vue: refs, and functions. Items and data are missing until the list has arrived.
 *
 * @example
 * const isEmpty = ({ items, loading }: InfiniteDLERefs<unknown[]>) => !loading.value && items.value?.length === 0
 * @see docs/api/useInfiniteDLE.md#infinitedlerefs
 */
export interface InfiniteDLERefs<T, D = T> extends Omit<InfiniteRefs<T | undefined, D>, 'error'> {
  readonly loading: ComputedRef<boolean>
  /** Why the list, or the last page that was requested, failed. The items of the others stay. */
  readonly error: ComputedRef<UnknownError | undefined>
  /** The items are those of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: ComputedRef<boolean>
}

/**
 * The items of all loaded pages of a list, with `loading` and `error`. It never suspends.
 *
 * @example
 * const { items, loading, hasNextPage, fetchNextPage } = useInfiniteDLE(PostResource.getList, { userId: 5 })
 * @see docs/api/useInfiniteDLE.md#vue
 */
export function useInfiniteDLE<E extends PagedEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E | ReadOptions<E>>,
  ...args: ComposableArgs<Parameters<E>, A>
): InfiniteDLERefs<ItemsOf<E> | IfNull<PlainArgs<A>, undefined, never>, Known<E>> {
  const target = computed(() => optionsOf(unref(endpoint) as E).endpoint)
  const { error, ...pages } = usePages(target, args)
  const { member } = useLoaded(endpoint as MaybeRef<E>, args, true)
  const [data, failure] = [member('data'), member('error')]
  return {
    ...pages,
    ...refetchRefs(member),
    data,
    items: computed(() => itemsIn(target.value.schema, data.value) as any),
    loading: member('loading'),
    error: computed(() => (failure.value ?? error.value) as UnknownError | undefined),
    placeholder: member('placeholder'),
  }
}
