import { DIRTY, type Node, type NodeView } from '../denormalize/memo.ts'
import type { Slot } from '../normalize/tables.ts'
import { STALE } from '../schema/Schema.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { type Listening, report } from '../store/subscriptions.ts'
import { observers } from './observers.ts'
import { expiryOf, isMissing, type Reading, type Reads, type Target, waitingFor } from './read.ts'

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

/** The component or caller behind a subscription. */
export interface Subscriber {
  /** The endpoint it reads by, which has its signal: it may be another one at the next render. */
  readonly target: Target
  /** It has waited for the data it shows. */
  readonly isAwaited?: boolean
  /** The name of the component, where the devtools need it. */
  readonly name?: string | undefined
}

export interface Listener {
  notify(change: ViewChange): void
  /** Set where the listener may fetch. */
  readonly subscriber?: Subscriber | undefined
  /** The name of the component, in development. */
  name?: string | undefined
}

/** Shared by all views of a store. */
export interface ViewSource {
  readonly store: Store
  readonly reads: Reads
  /** Fetches for subscribers; a store without a Controller has none. */
  fetcher: ViewFetcher | undefined
}

/** The part of a view that bindings use. */
export type BoundView = Pick<SharedView, 'key' | 'read' | 'subscribe' | 'load' | 'promise'>

export interface ViewFetcher {
  subscribe(view: SharedView, notify: Listener['notify'], passive?: boolean, subscriber?: Subscriber): () => void
  load(view: SharedView, suspends?: boolean): Promise<any>
  promise(view: SharedView): Promise<any>
}

/** The view that all readers of equal arguments share. A page may have ten thousand, so it is one object without closures. */
export class SharedView implements View, NodeView, Listening {
  /** The endpoint or schema that was last read by. */
  target: Target
  node: Node
  readonly args: readonly any[]
  /** The key of an endpoint; empty for a query. */
  readonly key: string
  /** How many have subscribed. */
  subscribers = 0
  /** How many of them are not passive: stale data is fetched for these. */
  active = 0
  /** The request for its data, shared by all that wait. */
  loading: Promise<any> | undefined = undefined
  /** A reader requested the data while it was loading: check it again afterwards. */
  isCheckDue = false
  private readonly source: ViewSource
  /** Most views have one. */
  private listeners: Listener | Set<Listener> | undefined = undefined

  // The values that listeners were last notified of: `tell` compares them with the store.
  private value: unknown = undefined
  private error: unknown = undefined
  /** Whether the data is invalid or missing, as text. */
  private freshness: string | undefined = undefined
  /** Since then it was marked stale, invalidated, or received an error. */
  private isAged = false

  // The last reading, which `read` returns again while nothing has changed. It is kept while there are listeners, since only
  // then every change is known.
  private reading: Reading | undefined = undefined
  private readBy: Target | undefined = undefined
  private readMeta: unknown = undefined

  constructor(source: ViewSource, target: Target, node: Node, args: readonly any[]) {
    this.source = source
    this.target = target
    this.node = node
    this.args = args
    this.key = node.kind === 'result' ? (node.source as Slot).pk : ''
  }

  get isMounted(): boolean {
    return this.listeners !== undefined
  }

  /** @param by an endpoint of the same key, whose options count */
  read(by: Target = this.target): Reading {
    const { args } = this
    const { reads } = this.source
    if (!this.isMounted) {
      return reads.read(by, args, this.attach().node)
    }
    const { node } = this
    const meta: unknown = (node.source as Slot | undefined)?.meta
    if (this.reading && by === this.readBy && meta === this.readMeta && (node.flags & DIRTY) === 0) {
      return this.reading
    }
    const reading = reads.read(by, args, node)
    // A response to another request may remove a stale mark without a notification.
    const isKept = reading.data !== undefined && (meta === undefined || reading.expiresAt > STALE)
    this.reading = isKept ? reading : undefined
    this.readBy = by
    this.readMeta = meta
    return reading
  }

  subscribe(notify: Listener['notify'], passive?: boolean, subscriber?: Subscriber): () => void {
    const view = this.attach()
    return view.source.fetcher!.subscribe(view, notify, passive, subscriber)
  }

  /**
   * Fetches if that is needed. All callers get the same promise.
   *
   * @param suspends the caller is a reader that suspends before it is mounted
   */
  load(suspends?: boolean): Promise<any> {
    return this.source.fetcher!.load(this, suspends)
  }

  promise(): Promise<any> {
    return this.source.fetcher!.promise(this)
  }

  add(listener: Listener): void {
    const { listeners } = this
    if (listeners === undefined) {
      this.compare()
      this.listeners = listener
    } else if (listeners instanceof Set) {
      listeners.add(listener)
    } else {
      this.listeners = new Set([listeners, listener])
    }
  }

  remove(listener: Listener): void {
    const { listeners, node } = this
    if (listeners instanceof Set ? !listeners.delete(listener) || listeners.size > 0 : listeners !== listener) {
      return
    }
    this.listeners = this.reading = undefined
    if (node.kind === 'query') {
      this.source.reads.queries.use(node)
    }
  }

  /** Returns true if one of the listeners passes. */
  some(test: (listener: Listener) => unknown): boolean {
    const { listeners } = this
    return listeners instanceof Set ? [...listeners].some(test) : listeners !== undefined && Boolean(test(listeners))
  }

  changed(): void {
    if (this.isMounted) {
      this.reading = undefined
      this.source.store.subscriptions.add(this)
    }
  }

  aged(isRenewed?: boolean): void {
    this.isAged = true
    if (isRenewed) {
      this.freshness = undefined
    }
    this.changed()
  }

  tell(): void {
    const change = this.compare()
    const { listeners } = this
    if (change === undefined || listeners === undefined) {
      return
    }
    observers.get(this.source.store)?.notifying(this, change)
    if (!(listeners instanceof Set)) {
      return notify(listeners, change)
    }
    // A listener may remove others; those it adds have seen the new value.
    const all = [...listeners]
    for (const listener of all) {
      if (listeners.has(listener)) {
        notify(listener, change)
      }
    }
  }

  /** Reads again and returns the difference. Fresh for longer is none. */
  private compare(): ViewChange | undefined {
    const { node, value: lastValue, error: lastError, freshness: lastFreshness, isAged: wasAged } = this
    const { store, reads } = this.source
    const meta: ResultMeta | undefined = node.kind === 'result' ? (node.source as Slot).meta : undefined
    let value: unknown
    try {
      value = reads.reader.read(node)
    } catch (thrown) {
      value = thrown
    }
    this.value = value
    const missing = isMissing(node, value)
    // Readers do not see a soft error.
    this.error = meta?.errorPolicy === 'soft' && !missing ? undefined : meta?.error
    const validity = meta?.invalidated ? 'invalid' : 'valid'
    this.freshness = missing ? `${validity} ${waitingFor(store, node, value)?.waiting.join(' ')}` : validity
    this.isAged = false
    if (value !== lastValue) {
      return 'value'
    }
    const differs = this.freshness !== lastFreshness || this.error !== lastError || (wasAged && expiryOf(node) <= STALE)
    return differs ? 'freshness' : undefined
  }

  /** The store may forget the node of a view without listeners. Returns the view of the current node, which may be another one. */
  private attach(): SharedView {
    if (this.node.extra!.view !== this) {
      this.node = this.source.reads.node(this.target, this.args)
      this.node.extra!.view ??= this
    }
    return this.node.extra!.view as SharedView
  }
}

function notify(listener: Listener, change: ViewChange): void {
  try {
    listener.notify(change)
  } catch (thrown) {
    report(thrown)
  }
}
