import { notUsable, warnMissing } from '../advice/fetched.ts'
import { soon } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { recall } from '../base/recall.ts'
import { missingField } from '../denormalize/query.ts'
import { DIRTY, type Node, type NodeView } from '../denormalize/memo.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, reasonOf, signalsOf } from '../endpoint/signals.ts'
import { originOf } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import { STALE } from '../schema/Schema.ts'
import { type Listening, report } from '../store/subscriptions.ts'
import { callOf } from './actions.ts'
import { readPages } from './listPages.ts'
import { ExpiryStatus, isDue, type Reading, type Target } from './read.ts'
import { isAborted, ResetError } from './ResetError.ts'
import type { Views } from './views.ts'

/** A read of one endpoint or schema with its arguments. */
export interface View<T = any, R = T> {
  /** The data in the store. It never fetches. */
  read(): Omit<Reading, 'data'> & { readonly data: T }
  /**
   * Calls the listener when the value or its freshness changes. Until it ends, stale and missing data is fetched, unless the
   * subscriber is passive.
   */
  subscribe(listener: (change: ViewChange) => void, passive?: boolean): () => void
  /** Fetches if that is needed and resolves to the data. It follows the signal of the endpoint. */
  promise(): Promise<R>
}

/** The kind of a change: the value, or only how fresh it is. */
export type ViewChange = 'value' | 'freshness'

/** The component behind a reader. */
export interface Subscriber {
  /** As of when it judges the age of data. */
  readonly since?: number
  /** The name of the component, where the devtools need it. */
  readonly name?: string | undefined
}

/** One that is notified of changes. */
export interface ViewReader extends Pick<Subscriber, 'name'> {
  notify(change: ViewChange): void
  /** It never fetches. */
  readonly passive?: boolean | undefined
}

/** Told why readers fetch and what they are notified of, for the devtools. */
export interface ViewObserver {
  /** The next request for a key is sent for this reason, or because of what a reader has read. */
  because(key: string, why: string | Reading): void
  /** Listeners of a view are about to be called. */
  notifying(view: SharedView, change: ViewChange): void
}

/** Requests for one view that may be sent without a usable response. */
const TRIES = 3

/** As of then only data is due that was marked: data on the screen is not fetched again only because time has passed. */
const MARKED: number = STALE + 1

/** Milliseconds in which a reader that failed renders again: React tries twice in a row. */
const AGAIN = 100

/** Milliseconds in which a reader is mounted that waited for data: React renders readers together that suspended together. */
const AWAITED = 10_000

const A_DAY = 86_400_000

/** Milliseconds for which a refetch waits for mutations in flight, at most. */
const PATIENCE = 3_000

/** Data that is in doubt again and again is refetched at once, then after 250 ms, 750 ms and so on; lists with pages more rarely. */
const CALM = 125
const MOST_CALM = 4_000

/**
 * One endpoint or schema with its arguments: its readers, the last reading they were notified of, and its fetch. All readers of equal
 * arguments share it. A page may have ten thousand, so it is one object without closures.
 */
export class SharedView implements View, NodeView, Listening {
  /** The endpoint or schema that was last read by. */
  target: Target
  node: Node
  readonly args: readonly any[]
  /** The key of an endpoint; empty for a query. */
  readonly key: string
  /** Those on the screen. */
  readonly readers: Set<ViewReader> = new Set()
  /** How many of them are not passive: stale and missing data is fetched for these. */
  active = 0
  /** Those that wait for the data and are not on the screen yet: React forgets a component that suspends before it is mounted. */
  wait: Wait | undefined
  /** How the last fetch failed: the store does not keep each failure. */
  failed: { readonly error: unknown; readonly expiresAt: number; readonly at: number } | undefined
  /** Its fetch, shared by all that wait. */
  loading: Promise<any> | undefined
  /** Requests since the last usable response, mount, or call of the user. */
  tries = 0
  readonly #views: Views
  /** A reader requested the data while it was loading: check it again afterwards. */
  #isCheckDue = false
  /** For each signal, the promise that follows it: React has to get the same promise at each render. */
  #followed: WeakMap<AbortSignal, Promise<any>> | undefined
  /** Its fetch waits: goes on with it. */
  #wake: (() => void) | undefined
  /** When data in doubt was last fetched, and how often in a row. */
  #asked: { readonly count: number; readonly at: number } = NEVER

  /** The reading that readers were last told of. Since then it was marked stale, or became fresh again. */
  #told: Reading | undefined
  #isAged = false
  #isRenewed = false
  // The last reading, which `read` returns again while nothing has changed. It is kept while there are readers, since only
  // then every change is known.
  #reading: Reading | undefined
  #readBy: Target | undefined
  #readMeta: unknown

  constructor(views: Views, target: Target, node: Node, args: readonly any[]) {
    this.#views = views
    this.target = target
    this.node = node
    this.args = args
    this.key = node.kind === 'result' ? (node.source as Slot).pk : ''
  }

  /** It receives changes, and its data is not collected. */
  get isMounted(): boolean {
    return this.isRead || this.loading !== undefined
  }

  /** It has a reader, or is about to have one. */
  get isRead(): boolean {
    return this.readers.size > 0 || (this.wait?.targets.size ?? 0) > 0
  }

  /** As of when a reader that comes now judges the age of data: one that waited for it does not call it old, however short that is fresh. */
  get since(): number {
    const { wait } = this
    const now = this.#views.core.store.clock.now()
    return wait && now <= wait.settledAt + AWAITED ? wait.since : now
  }

  /** @param by an endpoint of the same key, whose options count */
  read(by: Target = this.target): Reading {
    const { reads } = this.#views.core
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

  subscribe(notify: ViewReader['notify'], passive?: boolean, by: Subscriber = {}): () => void {
    const current = this.#attach()
    if (current !== this) {
      return current.subscribe(notify, passive, by)
    }
    const { readers, wait } = this
    const views = this.#views
    const { store, reads } = views.core
    const isQuery = this.node.kind !== 'result'
    const reader: ViewReader = { notify, passive: passive || isQuery, ...(DEV && { name: by.name }) }
    readers.add(reader)
    if (readers.size === 1) {
      this.#compare()
      views.mounted.add(this)
    }
    if (!reader.passive) {
      this.active++
      this.resetTries()
      this.check(by.since ?? this.since)
    }
    // All readers that waited together are mounted in one task. One that suspends cannot be mounted yet.
    if (wait) {
      store.clock.setTimeout(() => {
        if (this.wait === wait && (!wait.suspends || wait.settledAt < Infinity)) {
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
        this.#reading = undefined
        views.mounted.delete(this)
      }
      if (!isQuery) {
        views.release(this.key, this.target as EndpointInterface)
      } else if (readers.size === 0) {
        reads.queries.use(this.node)
      }
    }
  }

  /** Fetches if that is needed. It follows the signal of the endpoint. */
  promise(suspends?: boolean, since: number = this.since): Promise<any> {
    const { target } = this
    if (this.node.kind !== 'result') {
      return Promise.resolve(this.read().data)
    }
    const fired = firedOf(target)
    if (!fired && (suspends || this.readers.size === 0)) {
      this.wait = (this.loading && this.wait) ?? { since, targets: new Set(), settledAt: Infinity }
      this.wait.targets.add(target)
      this.wait.suspends ||= suspends
    }
    let promise = fired ? Promise.reject(reasonOf(fired)) : this.#load()
    const [signal] = signalsOf(target)
    if (signal) {
      const leave = (): void => {
        this.wait?.targets.delete(target)
        this.#views.core.requests.dropUnused(this.key)
      }
      promise = recall((this.#followed ??= new WeakMap()), signal, () => follow(promise, target, leave))
      // The caller may ignore it.
      promise.catch(() => {})
    }
    if (this.wait) {
      this.wait.promise = promise
    }
    return promise
  }

  /** Fetches data that is due, if it has an active reader. */
  check(asOf: number = MARKED): void {
    if (this.active > 0 && isDue(this.read(), asOf)) {
      void this.#load()
    }
  }

  /** The failure that a reader shows instead of data, where the store has not kept it: to fetch again would fail again, for ever. */
  failure(reading: Reading, since: number): unknown {
    const { failed } = this
    // A request that was aborted since nobody was there is sent again for a reader that comes back.
    const isOver = failed && (!isAborted(failed.error) || this.#views.core.requests.isStopped)
    return isOver && since <= failed.at && failed.expiresAt === reading.expiresAt ? failed.error : undefined
  }

  /** Someone fetches on purpose: earlier requests do not count. */
  resetTries(): void {
    this.tries = 0
    this.#asked = NEVER
  }

  /** A mutation has ended: a refetch that waits for it goes on. */
  wake(): void {
    this.#wake?.()
  }

  changed(): void {
    if (this.isMounted) {
      this.#reading = undefined
      this.#views.core.store.subscriptions.add(this)
    }
  }

  aged(isRenewed?: boolean): void {
    this.#isAged = true
    this.#isRenewed ||= isRenewed === true
    this.changed()
  }

  tell(): void {
    const { readers } = this
    const views = this.#views
    const isAged = this.#isAged
    const change = this.#compare()
    if (change) {
      views.observer?.notifying(this, change)
      this.#wake?.()
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
    const asOf = change === 'value' && this.#told!.data === undefined ? views.core.store.clock.now() : MARKED
    // A reader that leaves because of the change needs no request: by then a binding has rendered. Data that is in doubt once more
    // is not settled by a request in flight.
    if ((change || isAged) && this.active > 0 && isDue(this.#told!, asOf)) {
      soon(() => this.check(asOf))
    }
  }

  /** Reads again and returns the difference. Fresh for longer is none. */
  #compare(): ViewChange | undefined {
    const told = this.#told
    const isAged = this.#isAged
    const isRenewed = this.#isRenewed
    let now: Reading
    try {
      now = this.read()
    } catch (thrown) {
      // A query of the app.
      now = { data: thrown, error: undefined, expiryStatus: ExpiryStatus.Valid, expiresAt: Infinity }
    }
    this.#told = now
    this.#isAged = this.#isRenewed = false
    if (now.data !== told?.data) {
      return 'value'
    }
    const isSame =
      now.error === told?.error &&
      (now.expiryStatus === ExpiryStatus.Invalid) === (told?.expiryStatus === ExpiryStatus.Invalid) &&
      now.isPartial === told?.isPartial &&
      String(now.waiting) === String(told?.waiting)
    return isSame && !isRenewed && !(isAged && now.expiresAt <= STALE) ? undefined : 'freshness'
  }

  #load(): Promise<any> {
    if (this.loading) {
      this.#isCheckDue = true
      return this.loading
    }
    this.#followed = this.failed = undefined
    const loading = (this.loading = this.#fetch())
    loading.then(
      () => this.#settle(),
      (error: unknown) => this.#settle({ error }),
    )
    return loading
  }

  /** Its fetch has ended. */
  #settle(thrown?: { readonly error: unknown }): void {
    const { wait, key, target } = this
    const views = this.#views
    const { clock } = views.core.store
    const release = (): void => views.release(key, target as EndpointInterface)
    this.loading = undefined
    if (thrown) {
      this.failed = { ...thrown, expiresAt: this.read().expiresAt, at: clock.now() }
    }
    if (this.#isCheckDue) {
      this.check()
    }
    if (!wait) {
      return
    }
    wait.settledAt = clock.now()
    if (thrown) {
      wait.targets.clear()
      release()
    }
    const patience = thrown ? AGAIN : views.patience
    if (patience < Infinity) {
      clock.setTimeout(() => {
        if (this.wait === wait) {
          this.wait = undefined
          release()
        }
      }, patience)
    }
    if (wait.suspends) {
      views.arrivals.forEach((arrive) => arrive())
    }
  }

  /** Fetches until there is data to show: the one place that deals with a response that did not help. */
  async #fetch(): Promise<any> {
    const { args, key } = this
    const { core, observer } = this.#views
    const { store, requests } = core
    const { clock } = store
    const began = clock.now()
    for (;;) {
      this.#isCheckDue = false
      if (requests.isStopped) {
        throw new ResetError()
      }
      const reading = this.read()
      const { waiting, data: old, error } = reading
      if (!waiting && !isDue(reading, clock.now())) {
        this.tries = 0
        if (error !== undefined) {
          throw error
        }
        return old
      }
      const endpoint = this.target as EndpointInterface
      // Pending operations hide the data, the server allows no request yet, or it is not quiet.
      const isRefetch = old !== undefined && reading.expiresAt === STALE
      const rest = isRefetch ? this.#restlessFor(endpoint, began) : 0
      const delay = waiting ? A_DAY : Math.max(requests.retryAt(key) - clock.now(), rest)
      if (delay > 0) {
        await this.#pause(delay)
        // The reader may leave the screen because the pending operation has ended.
        if (waiting && isDue(this.read(), clock.now())) {
          await requests.wait(0).promise
        }
        if (!this.isRead) {
          throw new ResetError()
        }
        continue
      }
      const call = callOf(endpoint, args)
      if (!requests.running(call) && this.tries++ >= TRIES) {
        if (error === undefined && old === undefined) {
          core.respond(call, notUsable(endpoint, key), true)
        }
        const { data, error: last } = this.read()
        if (last !== undefined) {
          throw last
        }
        return data
      }
      if (DEV) {
        observer?.because(key, { ...reading })
      }
      if (isRefetch) {
        const now = clock.now()
        const { count, at } = this.#asked
        this.#asked = { count: now - at < MOST_CALM * 2 ? count + 1 : 1, at: now }
      }
      let value: unknown
      try {
        value = await requests.fetch(endpoint, args, true)
      } catch (thrown) {
        if (isAborted(thrown) && this.isRead) {
          continue
        }
        // A stored error ends the tries. One that expires at once does not: it would be fetched for ever.
        if (this.read().expiresAt > clock.now()) {
          this.tries = 0
        }
        throw thrown
      }
      const { data, expiryStatus } = this.read()
      const lacking = DEV && reading.isPartial ? missingField(data) : undefined
      if (DEV && lacking !== undefined) {
        warnMissing(originOf(data)!.key, lacking)
      }
      if (data !== undefined && expiryStatus !== ExpiryStatus.Invalid) {
        this.tries = 0
        return data
      }
      if (!this.isRead) {
        throw new ResetError()
      }
      // Fetching again would return the same.
      if (value === undefined && !endpoint.schema) {
        this.tries = TRIES
      }
    }
  }

  /**
   * How long data that is in doubt is not fetched yet: while a mutation is in flight, whose response may put it in doubt
   * again, and at growing intervals if it is in doubt again and again, as under a stream of events. A refetch of a list with pages
   * takes more requests, and comes more rarely.
   */
  #restlessFor(endpoint: EndpointInterface, began: number): number {
    const { store, requests } = this.#views.core
    const { count, at } = this.#asked
    const cost = 1 + readPages(store.tables, endpoint, this.args).loaded
    const calm = at + Math.min(CALM * (2 ** count * cost - 2), MOST_CALM)
    const quiet = requests.isWriting() ? began + PATIENCE : 0
    return Math.max(calm, quiet) - store.clock.now()
  }

  /** Waits for a while, or until it changes. */
  async #pause(delay: number): Promise<void> {
    const { promise, wake } = this.#views.core.requests.wait(delay)
    this.#wake = wake
    this.#compare()
    await promise
    this.#wake = undefined
  }

  /** The store may forget the node of a view without readers. Returns the view of the current node, which may be another one. */
  #attach(): SharedView {
    if (this.node.extra!.view !== this) {
      this.node = this.#views.core.reads.node(this.target, this.args)
      this.node.extra!.view ??= this
    }
    return this.node.extra!.view as SharedView
  }
}

/** Data in doubt that was not fetched yet. */
const NEVER = { count: 0, at: -Infinity }

/** Readers that wait for a view and are not mounted yet. A reader that waited for data does not call it old, however short that is fresh. */
interface Wait {
  /** As of when they judge the age of the data. */
  readonly since: number
  /** The endpoints they read by: each may have a signal. */
  readonly targets: Set<Target>
  /** One of them has suspended: it cannot be mounted before the data arrives. */
  suspends?: boolean | undefined
  /** When the data arrived, or failed. */
  settledAt: number
  /** The promise that the last of them received. */
  promise?: Promise<any>
}
