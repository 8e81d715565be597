'use client'
import { type RefObject, useMemo, useRef, useSyncExternalStore } from 'react'
import { isSkip, type Reading } from '../controller/driver.ts'
import { fetchedAtOf } from '../controller/read.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import { activityOf } from './activity.ts'
import type { ReadOptions } from './hooks/args.ts'
import { all } from './hooks/select.ts'
import { type Reader, type Seen, useReaderOf } from './reader.ts'
import { createTracker } from './tracked.ts'

/** The longest delay that a timer takes. */
const LONGEST = 2 ** 31 - 1

interface Shown extends Seen {
  /** The data is not that of the arguments. */
  readonly placeholder?: boolean
}

interface Result extends Seen {
  readonly fetching: boolean
  readonly refetchError: any
  readonly fetchedAt: number | undefined
  readonly stale: boolean
  readonly placeholder: boolean
}

/**
 * The data of an endpoint, or other data in its place while it loads, with all that `useDLE` tells of it.
 *
 * @param keeps data that was invalidated stays on the screen until it is fetched again
 */
export function useDLEReader(options: ReadOptions<any>, args: readonly any[], keeps?: boolean): Result {
  const reader = useReaderOf(options.endpoint, args, all, false, keeps)
  const mounted = useRef<DLEReader>(undefined)
  const dle = useMemo(() => createDLEReader(reader, mounted), [reader])
  dle.options = options
  const result = useSyncExternalStore(dle.subscribe, dle.get, dle.getFirst)
  // Effects wait for the whole boundary; a request need not.
  if (reader.get().loading) {
    void reader.wait(true)
  }
  return result
}

interface DLEReader {
  readonly get: () => Result
  readonly getFirst: () => Result
  readonly subscribe: (notify: () => void) => () => void
  readonly reader: Reader<Seen>
  options: Omit<ReadOptions<any>, 'endpoint'>
  /** The reader of the previous arguments, until there is data. */
  previous: Reader<Seen> | undefined
}

/** @param mounted that of the same hook which is on the screen */
function createDLEReader(reader: Reader<Seen>, mounted: RefObject<DLEReader | undefined>): DLEReader {
  const { controller, view, args } = reader
  const { clock, core } = controller
  const activity = activityOf(controller)
  const last = mounted.current
  let notified: (() => void) | undefined
  let timer: unknown
  let substitute: unknown

  const delayOf = ({ expiryStatus, expiresAt }: Reading): number => (expiryStatus === 1 ? -1 : expiresAt - clock.now())

  /** Reads something of data that is there and shown. */
  const detail = <T>(find: (reading: Reading) => T): T | undefined => {
    const reading = view.read(reader.target)
    const isShown = !isSkip(args) && !reader.get().loading && reading.data !== undefined && !reading.isPartial
    return isShown ? find(reading) : undefined
  }

  const node = (): ReturnType<typeof core.driver.node> => core.driver.node(reader.target, args)

  const errorOf = (): unknown => {
    const meta: ResultMeta | undefined = (node().source as Slot).meta
    return meta?.error
  }

  const isStale = (reading: Reading): boolean => {
    const delay = delayOf(reading)
    if (delay < 0 || errorOf() !== undefined) {
      return true
    }
    if (delay < LONGEST) {
      timer ??= clock.setTimeout(() => {
        timer = undefined
        notified?.()
      }, delay + 1)
    }
    return false
  }

  const track = createTracker<Shown, Result>({
    data: ({ data }) => data,
    loading: ({ loading }) => loading,
    error: ({ error }) => error,
    fetching: () =>
      reader.get().loading ||
      activity.count(view.key) > 0 ||
      // It is fetched as soon as it is mounted.
      (!notified && delayOf(view.read(reader.target)) < 0),
    refetchError: () => detail(errorOf),
    fetchedAt: () => detail(() => fetchedAtOf(node())),
    stale: () => detail(isStale) ?? false,
    placeholder: ({ placeholder }) => placeholder === true,
  })

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
    options: {},
    // One that still loads shows that of the one before it.
    previous: last?.reader.get().loading ? last.previous : last?.reader,
    get: () => track(show(reader.get())),
    getFirst: () => track(show(reader.getFirst())),
    subscribe(notify) {
      mounted.current = dle
      const ends = [
        reader.subscribe(notify),
        activity.watch(view.key, notify),
        // Data that stays on the screen follows the store.
        dle.previous?.view.subscribe(notify, true),
      ]
      notified = notify
      return () => {
        notified = undefined
        for (const end of ends) {
          end?.()
        }
      }
    },
  }
  return dle
}
