'use client'
import { type RefObject, useMemo, useRef, useSyncExternalStore } from 'react'
import { isDue, isSkip, type Reading } from '../controller/read.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { fetchedAtOf } from './fetchedAt.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import { watchRequests } from './activity.ts'
import type { ReadOptions } from './hooks/args.ts'
import { all, type Reader, type Seen, useReaderOf } from './reader.ts'
import { createTracker } from './tracked.ts'

/** The longest delay that a timer takes. */
const LONGEST = 2 ** 31 - 1

interface Shown extends Seen {
  /** The data is not that of the arguments. */
  readonly placeholder?: boolean
  /** On a server, and while its page is taken over: what depends on time and requests would differ between the two. */
  readonly isFirst?: boolean
}

export interface Result extends Seen {
  readonly fetching: boolean
  readonly refetchError: any
  readonly fetchedAt: number | undefined
  readonly stale: boolean
  readonly placeholder: boolean
  readonly refetch: () => void
}

/**
 * The data of an endpoint, or other data in its place while it loads, with all that `useDLE` tells of it.
 *
 * @param keeps data that was invalidated stays on the screen until it is fetched again
 * @param suspends the hook suspends while there is no data, and throws the error that keeps it away
 */
export function useDLEReader(
  options: ReadOptions<any>,
  args: readonly any[],
  keeps?: boolean,
  suspends?: boolean,
): Result {
  const reader = useReaderOf(options.endpoint, args, all, false, keeps)
  const mounted = useRef<DLEReader>(undefined)
  const dle = useMemo(() => createDLEReader(reader, mounted), [reader])
  dle.options = options
  const result = useSyncExternalStore(dle.subscribe, dle.get, dle.getFirst)
  if (suspends) {
    if (result.loading) {
      // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
      throw reader.wait()
    }
    if (result.error !== undefined) {
      throw result.error
    }
  } else if (reader.get().loading) {
    // Effects wait for the whole boundary; a request need not.
    void reader.wait(true)
  }
  return result
}

/** One use of `useDLE`. */
interface DLEReader {
  readonly reader: Reader<Seen>
  /** The reader of the previous arguments, until there is data. */
  previous: Reader<Seen> | undefined
  options: Omit<ReadOptions<any>, 'endpoint'>
  readonly get: () => Result
  readonly getFirst: () => Result
  readonly subscribe: (notify: () => void) => () => void
}

/** @param mounted that of the same hook which is on the screen */
function createDLEReader(reader: Reader<Seen>, mounted: RefObject<DLEReader | undefined>): DLEReader {
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
    <T>(find: (slot: Slot, reading: Reading) => T) =>
    ({ loading, placeholder, isFirst }: Shown): T | undefined => {
      if (loading || placeholder || isFirst || isSkip(args)) {
        return undefined
      }
      watch()
      const reading = view.read(reader.target)
      const isThere = reading.data !== undefined && !reading.isPartial
      return isThere ? find(core.reads.node(reader.target, args).source as Slot, reading) : undefined
    }
  const refetchError = detail((slot) => {
    const meta: ResultMeta | undefined = slot.meta
    return meta?.error
  })
  const stale = detail((_slot, reading) => {
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
      [...core.requests.open.values()].some(({ key }) => key === view.key) ||
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
  const track = createTracker<Shown, Result, undefined>(
    {
      data: ({ data }) => data,
      loading: ({ loading }) => loading,
      error: ({ error }) => error,
      fetching: ({ loading, isFirst }) => (isFirst ? loading : isFetching()),
      refetchError,
      fetchedAt: detail(() => fetchedAtOf(core.reads.node(reader.target, args))),
      stale: (shown) => stale(shown) === true || refetchError(shown) !== undefined,
      placeholder: ({ placeholder }) => placeholder === true,
      refetch: () => refetch,
    },
    undefined,
  )
  const show = (seen: Seen): Shown => {
    const { options, previous } = dle
    if (!seen.loading) {
      dle.previous = undefined
      return seen
    }
    const before = options.keepPrevious ? previous?.get() : undefined
    const isKept = before && !before.loading && before.error === undefined
    const data: unknown = isKept ? before.data : (substitute ??= options.placeholder?.(controller))
    return data === undefined ? seen : { data, loading: false, error: undefined, placeholder: true }
  }
  const dle: DLEReader = {
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
