import { computed, effect, type Signal, untracked } from '@angular/core'
import { type DLEState, optionsOf, type ReadOptions } from '../binding/args.ts'
import {
  createDLEReader,
  type DLEMembers,
  type DLEReader,
  type DLEResult,
  type Shown,
} from '../binding/createDLEReader.ts'
import type { GetterArgs, PlainGetterArgs } from '../binding/getterArgs.ts'
import { takeAll } from '../binding/Reader.ts'
import type { Known } from '../controller/Controller.ts'
import type { ReadEndpoint, UnknownError } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createReaderOf, createShown, keeping } from './reader.ts'

/**
 * The result of `injectData`: a signal for each member of `useDLE`.
 *
 * @example
 * const show = (user: Data<typeof getUser>) => (user.loading() ? 'loading' : user.data()?.name)
 * @see docs/api/injectData.md#data
 */
export interface Data<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> {
  readonly data: Signal<Known<E>>
  /** Nothing can be shown yet. */
  readonly loading: Signal<boolean>
  /** Why there is no data. */
  readonly error: Signal<UnknownError | undefined>
  /** The three of them, for the compiler: once nothing is loading and nothing failed, the data is there. */
  readonly state: Signal<DLEState<E, A>>
  /** The data is that of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: Signal<boolean>
  /** A request is in flight, also in the background. */
  readonly fetching: Signal<boolean>
  /** The last request failed while data is shown. */
  readonly refetchError: Signal<UnknownError | undefined>
  /** When the request was sent that brought the data, in epoch milliseconds. */
  readonly fetchedAt: Signal<number | undefined>
  /** The data has expired, was marked stale, or could not be refetched. */
  readonly stale: Signal<boolean>
  /** Sends the request now. It never throws: what fails shows in `error` or `refetchError`. */
  readonly refetch: () => void
}

/**
 * The data of an endpoint as signals, fetched while the component is there. Each argument may be a function that reads signals.
 *
 * @example
 * const user = injectData(getUser, () => ({ id: props.id }))
 * const name = () => user.data()?.name
 * @see docs/api/injectData.md
 */
export function injectData<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  return createLoaded(endpoint, args) as never
}

/** The state of an endpoint that is fetched. */
type Loaded = { readonly [K in Exclude<keyof DLEResult, 'refetch'>]: Signal<any> } & {
  readonly state: Signal<Seen>
  readonly refetch: () => void
}

type Seen = Pick<Shown, 'data' | 'loading' | 'error'>

/** @param keeps data that was invalidated stays on the screen until it is fetched again */
export function createLoaded(
  endpoint: ReadEndpoint | ReadOptions<any>,
  args: readonly unknown[],
  keeps?: boolean,
): Loaded {
  const { outside, hold } = injectContext()
  const options = computed(() => optionsOf<any>(endpoint))
  const reader = createReaderOf(() => options().endpoint, args, takeAll, false, keeps)
  const mounted: Parameters<typeof createDLEReader<Pair>>[1] = {}
  const dle = keeping<DLEReader<Pair>>((last) => {
    const one = reader()
    const made = last?.reader === one ? last : createDLEReader(one, mounted, pair)
    made.options = options()
    return made
  })
  const pairs = createShown(dle, (one, isFirst) => (isFirst ? one.getFirst() : one.get()))
  let waited: Promise<unknown> | undefined
  effect(() => {
    const one = reader()
    if (pairs()[1].loading) {
      untracked(() => {
        // The promise tells of a failure that is not stored.
        const promise = outside(() => one.wait(true))
        if (promise !== waited) {
          hold((waited = promise))
        }
      })
    }
  })
  const member = (name: keyof DLEResult): Signal<any> =>
    computed(() => {
      const [members, shown] = pairs()
      return untracked(() => outside(() => members[name](shown) as unknown))
    })
  return {
    data: member('data'),
    loading: member('loading'),
    error: member('error'),
    state: computed(() => pairs()[1], { equal: isSame }),
    placeholder: member('placeholder'),
    fetching: member('fetching'),
    refetchError: member('refetchError'),
    fetchedAt: member('fetchedAt'),
    stale: member('stale'),
    refetch: () => untracked(pairs)[0].refetch(untracked(pairs)[1])(),
  }
}

function isSame(a: Seen, b: Seen): boolean {
  return Object.is(a.data, b.data) && a.loading === b.loading && a.error === b.error
}

/** The members of the result, and what is shown: a new array each time, so that members which follow time or requests are read again. */
type Pair = readonly [members: DLEMembers, shown: Shown]

const pair =
  (members: DLEMembers) =>
  (shown: Shown): Pair => [members, shown]
