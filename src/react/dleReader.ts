'use client'
import { type RefObject, useMemo, useRef, useSyncExternalStore } from 'react'
import { fetchedAtOf, isSkip, type Reading } from '../controller/read.ts'
import type { Node } from '../denormalize/memo.ts'
import type { Slot } from '../normalize/tables.ts'
import type { ResultMeta } from '../store/Store.ts'
import { activityOf } from './activity.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import type { ReadOptions } from './hooks/args.ts'
import { all } from './hooks/select.ts'
import { type Reader, type Seen, useReaderOf } from './reader.ts'
import { createTracker, type Members } from './tracked.ts'

/** The longest delay that a timer takes. */
const LONGEST = 2 ** 31 - 1

interface Shown extends Seen {
  /** The data is not that of the arguments. */
  readonly placeholder?: boolean
  /** On a server, and while its page is taken over: what depends on time and requests would differ between the two. */
  readonly isFirst?: boolean
}

interface Result extends Seen {
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
 */
export function useDLEReader(options: ReadOptions<any>, args: readonly any[], keeps?: boolean): Result {
  const reader = useReaderOf(options.endpoint, args, all, false, keeps)
  const mounted = useRef<DLEReader>(undefined)
  const dle = useMemo(() => new DLEReader(reader, mounted), [reader])
  dle.options = options
  const result = useSyncExternalStore(dle.subscribe, dle.get, dle.getFirst)
  // Effects wait for the whole boundary; a request need not.
  if (reader.get().loading) {
    void reader.wait(true)
  }
  return result
}

const MEMBERS: Members<Shown, Result, DLEReader> = {
  data: ({ data }) => data,
  loading: ({ loading }) => loading,
  error: ({ error }) => error,
  fetching: ({ loading, isFirst }, by) => (isFirst ? loading : by.isFetching()),
  refetchError: (shown, by) => by.detail(shown, () => by.storedError()),
  fetchedAt: (shown, by) => by.detail(shown, () => fetchedAtOf(by.node())),
  stale: (shown, by) => by.detail(shown, (reading) => by.isStale(reading)) ?? false,
  placeholder: ({ placeholder }) => placeholder === true,
  refetch: (_shown, by) => by.refetch(),
}

/** One use of `useDLE`. A page may have ten thousand: most show data alone, so the rest is set up when it is read. */
class DLEReader {
  readonly get: () => Result
  readonly getFirst: () => Result
  readonly subscribe: (notify: () => void) => () => void
  options: Omit<ReadOptions<any>, 'endpoint'> = {}
  private readonly reader: Reader<Seen>
  /** The reader of the previous arguments, until there is data. */
  private previous: Reader<Seen> | undefined
  private substitute: unknown = undefined
  private notify: (() => void) | undefined = undefined
  private timer: unknown = undefined
  private isWatching = false
  private fetchAgain: (() => void) | undefined = undefined
  private endWatching: (() => void) | undefined = undefined

  /** @param mounted that of the same hook which is on the screen */
  constructor(reader: Reader<Seen>, mounted: RefObject<DLEReader | undefined>) {
    const track = createTracker(MEMBERS, this)
    const last = mounted.current
    this.reader = reader
    // One that still loads shows that of the one before it.
    this.previous = last?.reader.get().loading ? last.previous : last?.reader
    this.get = () => track(this.show(reader.get()))
    this.getFirst = () => track({ ...this.show(reader.getFirst()), isFirst: true })
    this.subscribe = (notify) => {
      mounted.current = this
      const end = reader.subscribe(notify)
      // Data that stays on the screen follows the store.
      const endPrevious = this.previous?.view.subscribe(notify, true)
      this.notify = notify
      if (this.isWatching) {
        this.watch()
      }
      return () => {
        this.notify = undefined
        this.endWatching?.()
        endPrevious?.()
        end()
      }
    }
  }

  /** Reads something of data that is there and shown. */
  detail<T>({ loading, placeholder, isFirst }: Shown, find: (reading: Reading) => T): T | undefined {
    const { view, target, args } = this.reader
    if (loading || placeholder || isFirst || isSkip(args)) {
      return undefined
    }
    this.watch()
    const reading = view.read(target)
    return reading.data === undefined || reading.isPartial ? undefined : find(reading)
  }

  /** The same function each time. An error shows in the result, so a handler needs no `catch`. */
  refetch(): () => void {
    const { controller, target, args } = this.reader
    this.fetchAgain ??= () => {
      if (!isSkip(args)) {
        controller.fetch(target as ReadEndpoint, ...args).catch(() => {})
      }
    }
    return this.fetchAgain
  }

  node(): Node {
    const { controller, target, args } = this.reader
    return controller.core.driver.node(target, args)
  }

  storedError(): unknown {
    const meta: ResultMeta | undefined = (this.node().source as Slot).meta
    return meta?.error
  }

  isFetching(): boolean {
    const { controller, view, target } = this.reader
    this.watch()
    return (
      this.reader.get().loading ||
      activityOf(controller).count(view.key) > 0 ||
      // It is fetched as soon as it is mounted.
      (!this.notify && this.delay(view.read(target)) < 0)
    )
  }

  isStale(reading: Reading): boolean {
    const delay = this.delay(reading)
    if (delay < 0 || this.storedError() !== undefined) {
      return true
    }
    if (delay < LONGEST) {
      this.timer ??= this.reader.controller.clock.setTimeout(() => {
        this.timer = undefined
        this.notify?.()
      }, delay + 1)
    }
    return false
  }

  /** Milliseconds until the data is stale. */
  private delay({ expiryStatus, expiresAt }: Reading): number {
    return expiryStatus === 1 ? -1 : expiresAt - this.reader.controller.clock.now()
  }

  /** Follows the requests of the key. */
  private watch(): void {
    const { controller, view } = this.reader
    this.isWatching = true
    if (this.notify && !this.endWatching) {
      const end = activityOf(controller).watch(view.key, this.notify)
      this.endWatching = () => {
        this.endWatching = undefined
        end()
      }
    }
  }

  private show(seen: Seen): Shown {
    const { options, previous, reader } = this
    if (!seen.loading) {
      this.previous = undefined
      return seen
    }
    const before = options.keepPrevious ? previous?.get() : undefined
    const isKept = before && !before.loading && before.error === undefined
    const data: unknown = isKept ? before.data : (this.substitute ??= options.placeholder?.(reader.controller))
    return data === undefined ? seen : { data, loading: false, error: undefined, placeholder: true }
  }
}
