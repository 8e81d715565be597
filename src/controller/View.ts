import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { firedOf, onAbort, reasonOf, signalsOf } from '../endpoint/signals.ts'
import { DIRTY, type Node } from '../normalize/Node.ts'
import type { Slot } from '../normalize/tables.ts'
import { STALE } from '../rows/Meta.ts'
import { report } from '../base/report.ts'
import { fetchDue } from './fetchDue.ts'
import { isDue, type Reading, type Target, USABLE, USABLE_IF_FRESH } from './read.ts'
import { isAborted } from './ResetError.ts'
import type { Result } from './Result.ts'
import type { Core } from './Core.ts'

/** A read of one endpoint or schema with its arguments. */
export interface View<T = any, R = T> {
  /** The data in the store. It never fetches. */
  read(): Omit<Reading, 'data'> & { readonly data: T }
  /**
   * Calls the listener when the value or its freshness changes. Until it ends, stale and missing data is fetched, unless the
   * subscriber is passive.
   */
  subscribe(listener: (change: ViewChange) => void, passive?: boolean): () => void
  /** Fetches if that is needed and resolves to the data. */
  promise(): Promise<R>
}

/** The kind of a change: the value, or only how fresh it is. */
export type ViewChange = 'value' | 'freshness'

/** One that is notified of changes. */
export interface ViewReader {
  notify(change: ViewChange): void
  /** It never fetches. */
  readonly passive?: boolean | undefined
  /** The name of the component, where the devtools need it. */
  readonly name?: string | undefined
  /** A component, with the endpoint that it reads by at the moment: it follows the signal of that. */
  readonly by?: ReadBy | undefined
}

interface ReadBy {
  readonly target?: Target | undefined
}

/** Told why readers fetch and what they are notified of, for the devtools. */
export interface ViewObserver {
  /** The next request for a key is sent for this reason, or because of what a reader has read. */
  because(key: string, why: string | Reading): void
  /** Listeners of a view are about to be called. */
  notifying(view: SharedView, change: ViewChange): void
  /** What readers see while the devtools show an earlier state; in development. */
  past: ((view: SharedView, by: Target) => Reading) | undefined
}

/** As of then only data is due that was marked: data on the screen is not fetched again only because time has passed. */
const MARKED: number = STALE + 1

/** Milliseconds for which data is kept for a reader that waited for it and is not mounted yet. */
export const SUSPENDED_READER_KEPT = 30_000

/** Milliseconds in which a reader that failed renders again: React tries twice in a row. */
const AGAIN = 300

/**
 * One endpoint or schema with its arguments: its readers, the last reading they were notified of, and its fetch. All readers of equal
 * arguments share it. A page may have ten thousand, so it is one object without closures.
 */
export class SharedView implements View {
  /** The endpoint or schema that was last read by. */
  target: Target
  node: Node
  readonly args: readonly any[]
  /** Those on the screen. */
  readonly readers: Set<ViewReader> = new Set()
  /** How many of them are not passive: stale and missing data is fetched for these. */
  active = 0
  /** Those that wait for the data and are not on the screen yet: React forgets a component that suspends before it is mounted. */
  wait: Wait | undefined
  /** How the last fetch failed, if nothing has changed since: the store does not keep each failure. */
  failed: { readonly error: unknown; readonly at: number } | undefined
  /** Its fetch, shared by all that wait. */
  loading: Promise<any> | undefined
  /** A reader requested the data while it was loading: check it again afterwards. */
  isCheckDue = false
  /** Its fetch waits, for example until a mutation has ended: goes on with it. */
  wake: (() => void) | undefined
  /** Why its last request was aborted: the signals of all that waited for it have fired. */
  abortedBy: any
  /** The signals that are followed while it is loading, with the functions that stop that. */
  readonly #signals = new Map<AbortSignal, () => void>()
  readonly #core: Core
  /** The reading that readers were last told of. Since then something has happened to its freshness. */
  #told: Reading | undefined
  #isAged = false
  // The last reading, which `read` returns again while nothing has changed. It is kept while there are readers, since only
  // then every change is known.
  #reading: Reading | undefined
  #readBy: Target | undefined
  #readMeta: unknown

  constructor(core: Core, target: Target, node: Node, args: readonly any[]) {
    this.#core = core
    this.target = target
    this.node = node
    this.args = args
  }

  /** All that is known of its key. A query has none. */
  get result(): Result {
    return this.node.source as Result
  }

  /** The key of an endpoint; empty for a query. */
  get key(): string {
    return this.node.kind === 'result' ? this.result.pk : ''
  }

  /** It receives changes, and its data is not collected. */
  get isMounted(): boolean {
    return this.isRead || this.loading !== undefined
  }

  /** It has a reader, or is about to have one. */
  get isRead(): boolean {
    return this.readers.size > 0 || (this.#isAwaited && !this.failed)
  }

  /** One of those has no signal that has fired. */
  get isWanted(): boolean {
    const isHere = [...this.readers].some(({ by }) => !firedOf(by?.target))
    return isHere || (this.#isAwaited && !this.failed && [...this.wait!.targets].some((target) => !firedOf(target)))
  }

  /** As of when a reader that comes now judges the age of data: one that waited for it does not call it old, however short that is fresh. */
  get since(): number {
    return this.#isAwaited ? this.wait!.since : this.#core.store.clock.now()
  }

  /** It has an active reader whose signal has not fired. */
  get #isDemanded(): boolean {
    return [...this.readers].some(({ passive, by }) => !passive && !firedOf(by?.target))
  }

  get #isAwaited(): boolean {
    return this.wait !== undefined && this.#core.store.clock.now() < this.wait.until
  }

  /** @param by an endpoint of the same key, whose options count */
  read(by: Target = this.target): Reading {
    const { reads, observer } = this.#core
    if (DEV && observer?.past) {
      return observer.past(this, by)
    }
    if (this.readers.size === 0) {
      return reads.read(by, this.args, this.#attach().node)
    }
    const { node } = this
    const meta: unknown = (node.source as Slot | undefined)?.meta
    if (this.#reading && by === this.#readBy && meta === this.#readMeta && (node.flags & DIRTY) === 0) {
      return this.#reading
    }
    const reading = reads.read(by, this.args, node)
    // A response to another request may remove a stale mark without a notification.
    const isKept = reading.data !== undefined && (meta === undefined || reading.expiresAt > STALE)
    this.#reading = isKept ? reading : undefined
    this.#readBy = by
    this.#readMeta = meta
    return reading
  }

  /** @param by the component behind it: as of when it judges the age of data, its name and its endpoint */
  subscribe(
    notify: ViewReader['notify'],
    passive?: boolean,
    by: Pick<ViewReader, 'name'> & ReadBy & { readonly since?: number } = {},
  ): () => void {
    const current = this.#attach()
    if (current !== this) {
      return current.subscribe(notify, passive, by)
    }
    const { readers, wait } = this
    const core = this.#core
    const { store, reads, requests } = core
    const isQuery = this.node.kind !== 'result'
    const reader: ViewReader = { notify, passive: passive || isQuery, by, ...(DEV && { name: by.name }) }
    readers.add(reader)
    if (readers.size === 1) {
      this.#look()
      core.mounted.add(this)
    }
    if (!reader.passive) {
      this.active++
      this.result.asked = 0
      this.check(by.since ?? this.since)
    }
    this.follow(by.target)
    // All readers that waited together are mounted in one task. One that suspends cannot be mounted yet.
    if (wait) {
      store.clock.setTimeout(() => {
        if (this.wait === wait && !(wait.suspends && this.loading && wait.promise === this.loading)) {
          this.wait = undefined
        }
      }, 0)
    }
    return () => {
      if (!readers.delete(reader)) {
        return
      }
      if (!reader.passive) {
        this.active--
      }
      if (readers.size === 0) {
        this.#reading = this.#told = undefined
        core.mounted.delete(this)
      }
      if (!isQuery) {
        requests.release(this.result)
      } else if (readers.size === 0) {
        reads.queries.use(this.node)
      }
    }
  }

  /**
   * Fetches if that is needed. A request ends with its last reader.
   *
   * @param by the endpoint of the component that waits, whose signal it follows; those who share the view follow none
   */
  promise(suspends?: boolean, since: number = this.since, by: Target = this): Promise<any> {
    if (this.node.kind !== 'result') {
      return Promise.resolve(this.read().data)
    }
    const waited = this.loading && this.wait
    const promise = this.#load()
    if (suspends || this.readers.size === 0) {
      this.wait = waited ?? { since, until: Infinity, promise, targets: new Set() }
      this.wait.targets.add(by)
      this.wait.suspends ||= suspends
      this.wait.promise = promise
      // The data that those before it waited for may have arrived long ago.
      this.wait.until = Infinity
    }
    this.follow(by)
    return promise
  }

  /** While it is loading: aborts its request once the signals of all that wait for it have fired. */
  follow(target: Target | undefined): void {
    for (const signal of this.loading && target ? signalsOf(target) : []) {
      if (!this.#signals.has(signal)) {
        this.#signals.set(
          signal,
          onAbort([signal], () => this.#leave(signal)),
        )
      }
    }
  }

  #leave(signal: AbortSignal): void {
    if (!this.isWanted) {
      this.abortedBy = reasonOf(signal)
      this.wake?.()
    }
    this.#core.requests.dropUnused(this.result, reasonOf(signal))
    for (const reader of Array.from(this.readers)) {
      if (firedOf(reader.by?.target)) {
        reader.notify('freshness')
      }
    }
  }

  /** Fetches data that is due, if it has an active reader. */
  check(asOf: number = MARKED): void {
    if (this.active > 0 && isDue(this.read(), asOf) && this.#isDemanded) {
      void this.#load()
    }
  }

  /** The failure that a reader shows instead of data, where the store has not kept it: to fetch again would fail again, for ever. */
  failure(since: number): unknown {
    const { failed } = this
    // A request that was aborted since nobody was there is sent again for a reader that comes back.
    const isOver = failed && (!isAborted(failed.error) || this.#core.requests.isStopped)
    return isOver && since <= failed.at ? failed.error : undefined
  }

  changed(): void {
    this.failed = undefined
    if (this.isMounted) {
      this.#reading = undefined
      this.#core.store.notifier.add(this)
    }
  }

  aged(): void {
    this.#isAged = true
    this.changed()
  }

  tell(): void {
    const { readers } = this
    const core = this.#core
    const told = this.#told
    const isAged = this.#isAged
    const now = this.#look()
    const isOld = isAged && now.expiresAt <= STALE
    const change = now.data !== told?.data ? 'value' : isOld || !isAsFresh(now, told) ? 'freshness' : undefined
    if (change) {
      core.observer?.notifying(this, change)
      this.wake?.()
      // A reader may remove others; those it adds have seen the new value.
      for (const reader of Array.from(readers)) {
        try {
          if (readers.has(reader)) {
            reader.notify(change)
          }
        } catch (thrown) {
          report(thrown)
        }
      }
    }
    // Lost data is due whatever error is stored: it may be an old one, in spite of which the data was shown.
    const asOf = change === 'value' && now.data === undefined ? core.store.clock.now() : MARKED
    // A row that nobody sees may be in doubt, such as a deleted one: then nothing else tells.
    const isDoubted = now.data !== undefined && now.expiresAt === STALE
    // A reader that leaves because of the change needs no request: by then a binding has rendered. Data that is in doubt once more
    // is not settled by a request in flight.
    if ((change || isAged || isDoubted) && this.active > 0 && isDue(now, asOf)) {
      soon(() => this.check(asOf))
    }
  }

  /** Reads it for a notification. */
  #look(): Reading {
    this.#isAged = false
    try {
      return (this.#told = this.read())
    } catch (thrown) {
      // A query of the app.
      return (this.#told = { data: thrown, error: undefined, expiryStatus: USABLE, expiresAt: Infinity })
    }
  }

  #load(): Promise<any> {
    if (this.loading) {
      this.isCheckDue = true
      return this.loading
    }
    this.failed = undefined
    this.abortedBy = undefined
    const loading = (this.loading = fetchDue(this, this.#core))
    this.readers.forEach(({ by }) => this.follow(by?.target))
    loading.then(
      () => this.#settle(),
      (error: unknown) => this.#settle({ error }),
    )
    return loading
  }

  /** Its fetch has ended. */
  #settle(thrown?: { readonly error: unknown }): void {
    const { wait } = this
    const core = this.#core
    const { clock } = core.store
    this.loading = undefined
    this.#signals.forEach((end) => end())
    this.#signals.clear()
    // The readers show the reason of their signals, and fetch again with another signal.
    this.failed = thrown && thrown.error !== this.abortedBy ? { ...thrown, at: clock.now() } : undefined
    if (this.isCheckDue) {
      this.check()
    }
    if (!wait) {
      return
    }
    wait.until = clock.now() + (thrown ? AGAIN : SUSPENDED_READER_KEPT)
    // It would keep the data.
    wait.promise = undefined
    if (wait.suspends) {
      core.arrivals.forEach((arrive) => arrive())
    }
  }

  /** The store may forget the node of a view without readers. Returns the view of the current node, which may be another one. */
  #attach(): SharedView {
    if (this.node.aside!.view !== this) {
      this.node = this.#core.reads.node(this.target, this.args)
      this.node.aside!.view ??= this
    }
    return this.node.aside!.view as SharedView
  }
}

/** True where two readings of the same data differ in nothing that a reader shows. Fresh for longer is no difference. */
function isAsFresh(one: Reading, other: Reading | undefined): boolean {
  return (
    one.error === other?.error &&
    one.expiryStatus === other?.expiryStatus &&
    // Readers may not have shown data that had expired.
    (one.data === undefined || one.expiryStatus !== USABLE_IF_FRESH || one.expiresAt === other.expiresAt) &&
    one.waiting === other?.waiting
  )
}

/** Readers that wait for a view and are not mounted yet. A reader that waited for data does not call it old, however short that is fresh. */
interface Wait {
  /** As of when they judge the age of the data. */
  readonly since: number
  /** One of them has suspended: it cannot be mounted before the data arrives. */
  suspends?: boolean | undefined
  /** From then on they are not expected any more. */
  until: number
  /** The promise that the last of them received, until it settles. */
  promise: Promise<any> | undefined
  /** The endpoints that they wait by. */
  readonly targets: Set<Target>
}
