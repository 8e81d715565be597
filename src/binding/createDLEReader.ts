import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { isDue, isSkip, type Reading } from '../requests/Reading.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import type { Row } from '../rows/Row.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { DLEState, ReadOptions } from './args.ts'
import { fetchedAtOf } from './fetchedAt.ts'
import type { Reader, Seen } from './Reader.ts'
import { watchRequests } from './watchRequests.ts'

/** The longest delay that a timer takes. */
const LONGEST = 2 ** 31 - 1

/** The state that `useDLE` shows. */
export interface Shown extends Seen {
  /** The data is not that of the arguments. */
  readonly placeholder?: boolean
  /** On a server, and while its page is taken over: what depends on time and requests would differ between the two. */
  readonly isFirst?: boolean
}

/** The requests behind data that is on the screen. */
export interface RefetchState {
  /** A request is in flight, also in the background. */
  readonly fetching: boolean
  /** The last request failed while data is shown. */
  readonly refetchError: UnknownError | undefined
  /** When the request was sent that brought the data, in epoch milliseconds. */
  readonly fetchedAt: number | undefined
  /** The data has expired, was marked stale, or could not be refetched. */
  readonly stale: boolean
  /** Sends the request now. It never throws: what fails shows in `error` or `refetchError`. */
  readonly refetch: () => void
}

/**
 * The result of `useDLE`: once nothing is loading and nothing failed, the data is there.
 *
 * @example
 * const show = ({ data, loading }: DLE<typeof getUser>) => (loading ? 'loading' : data?.name)
 * @see docs/api/useDLE.md#dle
 */
export type DLE<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> = DLEState<E, A> & DLEDetails

interface DLEDetails extends RefetchState {
  /** The data is that of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: boolean
}

/** The result of `useDLE`, without the types of the endpoint. */
export interface DLEResult extends Seen {
  readonly fetching: boolean
  readonly refetchError: any
  readonly fetchedAt: number | undefined
  readonly stale: boolean
  readonly placeholder: boolean
  readonly refetch: () => void
}

/** How each member of the result follows from what is shown. A member that is never read watches nothing. */
export type DLEMembers = { readonly [K in keyof DLEResult]: (shown: Shown) => DLEResult[K] }

/** One use of `useDLE`. */
export interface DLEReader<R> {
  readonly reader: Reader<Seen>
  /** The reader of the previous arguments, until there is data. */
  previous: Reader<Seen> | undefined
  options: Omit<ReadOptions<any>, 'endpoint'>
  readonly get: () => R
  /** On a server, and while its page is hydrated. */
  readonly getFirst: () => R
  readonly subscribe: (notify: () => void) => () => void
}

/**
 * @param mounted that of the same hook which is on the screen
 * @param create makes the result
 */
export function createDLEReader<R>(
  reader: Reader<Seen>,
  mounted: { current?: DLEReader<R> | undefined },
  create: (members: DLEMembers, by?: undefined) => (shown: Shown) => R,
): DLEReader<R> {
  const { controller, view, args } = reader
  const { clock, core } = controller
  const last = mounted.current
  let substitute: unknown
  let notify: (() => void) | undefined
  let timer: unknown
  /** A member was read that follows the requests of the key. */
  let isWatching = false
  let endWatching: (() => void) | undefined
  const watch = (): void => {
    isWatching = true
    if (notify) {
      endWatching ??= watchRequests(controller, (keys) => keys.has(view.key) && notify?.())
    }
  }
  /** Reads something of data that is there and shown. */
  const detail =
    <T>(find: (row: Row, reading: Reading) => T) =>
    ({ loading, placeholder, isFirst }: Shown): T | undefined => {
      if (loading || placeholder || isFirst || isSkip(args)) {
        return undefined
      }
      watch()
      const reading = view.read(reader.target)
      const isThere = reading.data !== undefined && !reading.isPartial
      return isThere ? find(core.reads.node(reader.target, args).source as Row, reading) : undefined
    }
  const refetchError = detail((row) => {
    const meta: ResultMeta | undefined = row.meta
    return meta?.error
  })
  const stale = detail((_row, reading) => {
    const now = clock.now()
    if (isDue(reading, now)) {
      return true
    }
    if (reading.expiresAt - now < LONGEST) {
      timer ??= clock.setTimeout(
        () => {
          timer = undefined
          notify?.()
        },
        reading.expiresAt - now + 1,
      )
    }
    return false
  })
  const isFetching = (): boolean => {
    watch()
    return (
      reader.get().loading ||
      (!isSkip(args) && core.result(view.key).requests.size > 0) ||
      // It is fetched as soon as it is mounted.
      (!notify && isDue(view.read(reader.target), clock.now()))
    )
  }
  // The same function each time. An error shows in the result, so a handler needs no `catch`.
  const refetch = (): void => {
    if (!isSkip(args)) {
      controller.fetch(reader.target as ReadEndpoint, ...args).catch(() => {})
    }
  }
  const track = create({
    data: ({ data }) => data,
    loading: ({ loading }) => loading,
    error: ({ error }) => error,
    fetching: ({ loading, isFirst }) => (isFirst ? loading : isFetching()),
    refetchError,
    fetchedAt: detail(() => fetchedAtOf(core.reads.node(reader.target, args))),
    stale: (shown) => stale(shown) === true || refetchError(shown) !== undefined,
    placeholder: ({ placeholder }) => placeholder === true,
    refetch: () => refetch,
  })
  const show = (seen: Seen): Shown => {
    const { options, previous } = dle
    if (!seen.loading) {
      dle.previous = undefined
      return seen
    }
    // Arguments that were skipped have no data, only the default shape of the schema.
    const before = options.keepPrevious && previous && !isSkip(previous.args) ? previous.get() : undefined
    const isKept = before && !before.loading && before.error === undefined
    const data: unknown = isKept ? before.data : (substitute ??= options.placeholder?.(controller))
    return data === undefined ? seen : { data, loading: false, error: undefined, placeholder: true }
  }
  const dle: DLEReader<R> = {
    reader,
    // One that still loads shows that of the one before it.
    previous: last?.reader.get().loading ? last.previous : last?.reader,
    options: {},
    get: () => track(show(reader.get())),
    getFirst: () => track({ ...show(reader.getFirst()), isFirst: true }),
    subscribe: (listener) => {
      mounted.current = dle
      const end = reader.subscribe(listener)
      // Data that stays on the screen follows the store.
      const endPrevious = dle.previous?.view.subscribe(listener, true)
      notify = listener
      if (isWatching) {
        watch()
      }
      return () => {
        notify = undefined
        endWatching?.()
        endWatching = undefined
        endPrevious?.()
        end()
      }
    },
  }
  return dle
}
