import { afterRender } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { firedOf, signalsOf } from '../endpoint/signals.ts'
import { DIRTY, type Node } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import { isDue, type Reading, type Target } from '../requests/Reading.ts'
import { isAborted } from '../requests/ResetError.ts'
import type { Readers, Result } from '../requests/Result.ts'
import { STALE } from '../rows/Meta.ts'
import { changeOf, readAnyway } from './changeOf.ts'
import { Load } from './Load.ts'
import { NEVER, WANTED } from './plan.ts'
import type { View, ViewChange } from './View.ts'
import type { ViewHost } from './ViewHost.ts'
import { notifyAll, type ReadBy, type ViewReader } from './ViewReader.ts'
import { Wait } from './Wait.ts'

/** As of then only data is due that was marked: data on the screen is not fetched again only because time has passed. */
const MARKED: number = STALE + 1

/**
 * One endpoint or schema with its arguments: its readers, the last reading they were notified of, and its fetch. All readers of equal
 * arguments share it. A page may have ten thousand, so it is one object without closures.
 */
export class SharedView implements View, Readers {
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
  /** Its fetch, while there is one. */
  load: Load | undefined
  /** From when on it may fetch what is in doubt: the earliest moment of all that has put it in doubt since it was last fetched. */
  dueAt: number = NEVER
  readonly #host: ViewHost
  /** The reading that readers were last told of. Since then something has happened to its freshness. */
  #told: Reading | undefined
  #isAged = false
  // The last reading, for as long as nothing has changed. It is kept while there are readers: only then every change is known.
  #reading: Reading | undefined
  #readBy: Target | undefined
  #readMeta: unknown

  constructor(host: ViewHost, target: Target, node: Node, args: readonly any[]) {
    this.#host = host
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
    return this.isRead || this.load !== undefined
  }

  /** It has a reader, or is about to have one. */
  get isRead(): boolean {
    return this.readers.size > 0 || (this.#isAwaited && !this.failed)
  }

  /** One of those has no signal that has fired. */
  get isWanted(): boolean {
    const isHere = [...this.readers].some(({ by }) => !firedOf(by?.target))
    return isHere || (this.#isAwaited && !this.failed && this.wait!.isWanted)
  }

  /** As of when a reader that comes now judges the age of data: one that waited for it does not call it old, however short that is fresh. */
  get since(): number {
    return this.#isAwaited ? this.wait!.since : this.#host.store.clock.now()
  }

  /** Its data is being fetched, or about to be. */
  get isFetched(): boolean {
    return this.load !== undefined || this.#isDue(MARKED)
  }

  get #isAwaited(): boolean {
    return this.wait !== undefined && this.wait.isExpected(this.#host.store.clock.now())
  }

  /** @param by an endpoint of the same key, whose options count */
  read(by: Target = this.target): Reading {
    const { reads, observer } = this.#host
    if (DEV && observer?.past) {
      return observer.past(this, by)
    }
    if (this.readers.size === 0) {
      return reads.read(by, this.args, this.#attach().node)
    }
    const { node } = this
    const meta: unknown = (node.source as Row | undefined)?.meta
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
    const isPassive = passive || this.node.kind !== 'result'
    const reader: ViewReader = { notify, passive: isPassive, by, ...(DEV && { name: by.name }) }
    this.#add(reader, by.since ?? this.since)
    this.follow(by.target)
    return () => this.#remove(reader)
  }

  #add(reader: ViewReader, since: number): void {
    const { readers, wait } = this
    const { store, mounted } = this.#host
    readers.add(reader)
    if (readers.size === 1) {
      this.#look()
      mounted.add(this)
    }
    if (!reader.passive) {
      this.active++
      this.demand(since)
    }
    // All readers that waited together are mounted in one task.
    if (wait) {
      store.clock.setTimeout(() => {
        this.wait = this.wait === wait && !wait.isSuspended(this.load?.promise) ? undefined : this.wait
      }, 0)
    }
  }

  #remove(reader: ViewReader): void {
    const { readers } = this
    const { reads, requests, mounted } = this.#host
    if (!readers.delete(reader)) {
      return
    }
    if (!reader.passive) {
      this.active--
    }
    if (readers.size === 0) {
      this.#reading = this.#told = undefined
      mounted.delete(this)
    }
    if (this.node.kind === 'result') {
      requests.release(this.result)
    } else if (readers.size === 0) {
      reads.queries.use(this.node)
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
    const waited = this.load && this.wait
    this.want()
    const promise = this.#fetch()
    if (suspends || this.readers.size === 0) {
      this.wait = waited ?? new Wait(since)
      this.wait.add(by, suspends, promise)
    }
    this.follow(by)
    return promise
  }

  /** While it is loading: aborts its request once the signals of all that wait for it have fired. */
  follow(target: Target | undefined): void {
    if (target) {
      this.load?.follow(signalsOf(target))
    }
  }

  /** Fetches data that is due, if it has an active reader. */
  check(asOf: number = MARKED): void {
    if (this.#isDue(asOf)) {
      void this.#fetch()
    } else {
      this.dueAt = NEVER
    }
  }

  /** The same at once, for a reader that mounts or a user who comes back. */
  demand(asOf: number): void {
    this.result.pace.hurry()
    this.want()
    this.check(asOf)
  }

  /** Its fetch need not wait for its moment. */
  want(): void {
    this.dueAt = WANTED
    this.wake()
  }

  /** Its fetch goes on, if it waits. */
  wake(): void {
    this.load?.wake()
  }

  /** Readers that are not on the screen do not wait for it any more. */
  forgetWaiting(): void {
    this.wait = undefined
  }

  /** Readers that mount from now on fetch it, although it has failed. */
  forgive(): void {
    this.failed = this.wait = undefined
  }

  /** The failure that a reader shows instead of data, where the store has not kept it: to fetch again would fail again, for ever. */
  failure(since: number): unknown {
    const { failed } = this
    // A request that was aborted since nobody was there is sent again for a reader that comes back.
    const isOver = failed && (!isAborted(failed.error) || this.#host.requests.isStopped)
    return isOver && since <= failed.at ? failed.error : undefined
  }

  changed(): void {
    this.failed = undefined
    if (this.isMounted) {
      this.#reading = undefined
      this.#host.store.notifier.add(this)
    }
  }

  aged(): void {
    this.#isAged = true
    this.dueAt = Math.min(this.dueAt, this.#host.store.dueAt)
    this.changed()
  }

  tell(): void {
    const told = this.#told
    const isAged = this.#isAged
    const now = this.#look()
    const change = changeOf(now, told, isAged)
    if (change) {
      this.#notify(change)
    }
    // Lost data is due whatever error is stored: it may be an old one, in spite of which the data was shown.
    const asOf = change === 'value' && now.data === undefined ? this.#host.store.clock.now() : MARKED
    // A row that nobody sees may be in doubt, such as a deleted one: then nothing else tells. To find it, all rows are looked at.
    const isDoubted = (): boolean => now.data !== undefined && now.expiresAt === STALE
    // A reader that leaves because of the change needs no request: by then a binding has rendered. Data that is in doubt once more
    // is not settled by a request in flight.
    if (this.active > 0 && (change || isAged || isDoubted()) && isDue(now, asOf)) {
      void afterRender(() => this.check(asOf))
    } else {
      this.dueAt = NEVER
    }
  }

  #notify(change: ViewChange): void {
    this.#host.observer?.notifying(this, change)
    this.wake()
    notifyAll(this.readers, change)
  }

  /** It has an active reader whose signal has not fired, and its data is to be fetched. */
  #isDue(asOf: number): boolean {
    const isDemanded = ({ passive, by }: ViewReader): boolean => !passive && !firedOf(by?.target)
    return this.active > 0 && isDue(this.read(), asOf) && [...this.readers].some(isDemanded)
  }

  /** Reads it for a notification. */
  #look(): Reading {
    this.#isAged = false
    return (this.#told = readAnyway(() => this.read()))
  }

  #fetch(): Promise<any> {
    if (this.load) {
      this.load.isCheckDue = true
      return this.load.promise
    }
    this.failed = undefined
    const load = (this.load = new Load(this, this.#host))
    this.readers.forEach(({ by }) => this.follow(by?.target))
    load.promise.then(
      () => this.#settle(load),
      (error: unknown) => this.#settle(load, { error }),
    )
    return load.promise
  }

  /** Its fetch has ended. */
  #settle(load: Load, thrown?: { readonly error: unknown }): void {
    const { wait } = this
    const { store, arrivals } = this.#host
    this.load = undefined
    load.end()
    // The readers show the reason of their signals, and fetch again with another signal.
    this.failed = thrown && thrown.error !== load.abortedBy ? { ...thrown, at: store.clock.now() } : undefined
    if (load.isCheckDue || load.isRecalled) {
      this.check(load.isRecalled ? store.clock.now() : MARKED)
    } else {
      this.dueAt = NEVER
    }
    if (!wait) {
      return
    }
    wait.settle(store.clock.now(), thrown !== undefined)
    if (wait.suspends) {
      arrivals.forEach((arrive) => arrive())
    }
  }

  /** The store may forget the node of a view without readers. Returns the view of the current node, which may be another one. */
  #attach(): SharedView {
    if (this.node.aside!.view !== this) {
      this.node = this.#host.reads.node(this.target, this.args)
      this.node.aside!.view ??= this
    }
    return this.node.aside!.view as SharedView
  }
}
