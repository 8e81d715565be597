import { computed, type ComputedRef, type MaybeRef, onServerPrefetch, unref, watch } from 'vue'
import { optionsOf, type ReadOptions } from '../binding/args.ts'
import { createDLEReader, type DLEMembers, type DLEResult, type Shown } from '../binding/createDLEReader.ts'
import { type Reader, type Seen, takeAll } from '../binding/Reader.ts'
import { isOnServer } from '../binding/onServer.ts'
import type { Known } from '../controller/Controller.ts'
import type { ReadEndpoint, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs } from './args.ts'
import { refresh, useReaderOf, useShown } from './reader.ts'

/**
 * The data of an endpoint with `loading`, `error` and more beside it, each a ref. It never suspends.
 *
 * @example
 * const { data, loading, error } = useDLE(getUser, () => ({ id: props.id }))
 * @see docs/api/useDLE.md#vue
 */
export function useDLE<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E | ReadOptions<E>>,
  ...args: ComposableArgs<Parameters<E>, A>
): DLERefs<E> {
  const { member } = useLoaded(endpoint, args)
  return {
    data: member('data'),
    loading: member('loading'),
    error: member('error'),
    placeholder: member('placeholder'),
    ...refetchRefs(member),
  }
}

/** The state of an endpoint that is fetched without waiting for it. */
export function useLoaded(
  endpoint: MaybeRef<ReadEndpoint | ReadOptions<any>>,
  args: readonly unknown[],
  keeps?: boolean,
): DLEState {
  const state = useDLEReader(endpoint, args, keeps)
  const { reader, pairs, isServer } = state
  const load = (): Promise<unknown> | undefined => {
    const one = reader.value
    // The promise tells of a failure that is not stored.
    return one.get().loading ? one.wait(true).catch(() => {}) : undefined
  }
  if (isServer) {
    onServerPrefetch(async () => {
      await load()
      refresh()
    })
  } else {
    watch([reader, pairs], () => void load(), { immediate: true, flush: 'post' })
  }
  return state
}

/**
 * The result of `useDLE` in Vue: refs, and `refetch`.
 *
 * @example
 * const isEmpty = ({ data, loading }: DLERefs<typeof getPosts>) => !loading.value && data.value?.length === 0
 * @see docs/api/useDLE.md#dlerefs
 */
export interface DLERefs<E extends ReadEndpoint> extends RefetchRefs {
  readonly data: ComputedRef<Known<E>>
  /** There is nothing to show yet. */
  readonly loading: ComputedRef<boolean>
  /** Why there is no data. */
  readonly error: ComputedRef<UnknownError | undefined>
  /** The data is that of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: ComputedRef<boolean>
}

/** The requests behind data that is on the screen. */
export interface RefetchRefs {
  /** A request is in flight, also in the background. */
  readonly fetching: ComputedRef<boolean>
  /** The last request failed while data is shown. */
  readonly refetchError: ComputedRef<UnknownError | undefined>
  /** When the request was sent that brought the data, in epoch milliseconds. */
  readonly fetchedAt: ComputedRef<number | undefined>
  /** The data has expired, was marked stale, or could not be refetched. */
  readonly stale: ComputedRef<boolean>
  /** Sends the request now. It never throws: what fails shows in `error` or `refetchError`. */
  readonly refetch: () => void
}

/** The state of an endpoint, which the component follows, and a ref for each of its members. */
interface DLEState {
  readonly reader: ComputedRef<Reader<Seen>>
  readonly pairs: ComputedRef<Pair>
  readonly member: (name: keyof DLEResult) => ComputedRef<any>
  readonly isServer: boolean
}

/** @param keeps data that was invalidated stays on the screen until it is fetched again */
export function useDLEReader(
  endpoint: MaybeRef<ReadEndpoint | ReadOptions<any>>,
  args: readonly unknown[],
  keeps?: boolean,
): DLEState {
  const options = computed(() => optionsOf<any>(unref(endpoint)))
  const target = computed(() => options.value.endpoint)
  const reader = useReaderOf(target, args, takeAll, false, keeps)
  const mounted: Parameters<typeof createDLEReader<Pair>>[1] = {}
  const dle = computed(() => {
    const made = createDLEReader(reader.value, mounted, pair)
    made.options = options.value
    return made
  })
  const isServer = isOnServer(reader.value.controller)
  const pairs = useShown(dle, (one, isFirst) => (isFirst || isServer ? one.getFirst() : one.get()))
  const member = (name: keyof DLEResult): ComputedRef<any> =>
    computed(() => {
      const [members, shown] = pairs.value
      return members[name](shown) as unknown
    })
  return { reader, pairs, member, isServer }
}

export function refetchRefs(member: DLEState['member']): RefetchRefs {
  const refetch = member('refetch')
  return {
    fetching: member('fetching'),
    refetchError: member('refetchError'),
    fetchedAt: member('fetchedAt'),
    stale: member('stale'),
    refetch: () => refetch.value(),
  }
}

/** The members of the result, and what is shown: a new array each time, so that members which follow time or requests are read again. */
type Pair = readonly [members: DLEMembers, shown: Shown]

const pair =
  (members: DLEMembers) =>
  (shown: Shown): Pair => [members, shown]
