import { loadSweep } from '#sweep'
import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { when } from '../base/when.ts'
import type { Node } from '../denormalize/memo.ts'
import { replaceClass } from '../denormalize/nodes.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { normalize } from '../normalize/normalize.ts'
import type { Slot } from '../normalize/tables.ts'
import { INVALIDATED, type Meta } from '../schema/Schema.ts'
import { createGetState } from '../store/getState.ts'
import { restore } from '../store/restore.ts'
import type { State } from '../store/State.ts'
import { type Counts, createCounts } from '../store/holds.ts'
import { createRowStore, type ResultMeta, type Store } from '../store/Store.ts'
import { type Call, callOf } from './actions.ts'
import { applyError, applyResponse, rankNow, rankOf, UNKNOWN } from './applyResponse.ts'
import type { CountRefOptions } from './GCInterface.ts'
import { handedOut } from './pending.ts'
import { createReads, type Reading, type Target } from './read.ts'
import { checkExpiry, Request, type RequestContext } from './Request.ts'
import type { Collector } from './sweep.ts'
import { SharedView, type ViewChange, type ViewSource } from './SharedView.ts'

/** A response to a request that may or may not be open here. */
export interface Resolved {
  readonly args: readonly any[]
  readonly response: unknown
  readonly fetchedAt: number
  /** The number of the request, where it is known. */
  readonly sent?: number | undefined
  readonly requestId?: string | undefined
  /** True when the response is an error. */
  readonly error?: boolean | undefined
}

/** The store without a network: a Controller is built on it. */
export interface Driver {
  readonly store: Store
  /** The open requests, by id. */
  readonly openRequests: Map<string, Request>
  /** Opens a request, and shows the optimistic operation of a mutation. */
  open(endpoint: EndpointInterface, args: readonly any[]): Request
  /**
   * Opens a request: it takes its number.
   *
   * @param auto the library fetches
   */
  openCall(call: Call, auto?: boolean): Request
  /** The request that a response belongs to: by its id, by its number, or by when it began. */
  find(endpoint: EndpointInterface, of: Omit<Resolved, 'response'>): Request | undefined
  /** Stores a response from elsewhere, to a request that is not open here. */
  resolve(endpoint: EndpointInterface, resolved: Resolved): void
  /** The rows that are held against garbage collection. */
  readonly counts: Counts
  readonly viewSource: ViewSource
  /** The view of a target; the same for equal arguments. */
  view(target: Target, args: readonly any[]): SharedView
  node(target: Target, args: readonly any[]): Node
  /** Stores a value as the response of a request that was sent now. */
  setResponse(endpoint: EndpointInterface, args: readonly any[], value: unknown): void
  /** Stores an error as if a request had failed now. */
  setError(endpoint: EndpointInterface, args: readonly any[], error: unknown): void
  /** Writes records. A function receives the committed value, without pending operations; it is not called without one. */
  set(schema: Target, args: readonly any[], value: unknown): void
  /** Reads an endpoint or a schema. It never fetches. */
  read(target: Target, args: readonly any[], known?: Node): Reading
  /** Calls the listener when a reading changes, or its freshness; it never fetches. Returns the function that ends it. */
  subscribe(target: Target, args: readonly any[], listener: (change: ViewChange) => void): () => void
  /** The committed state, the same object until the next commit. */
  getState(): State
  /** Adds the rows of a state that this store does not have. */
  restore(state: State): void
  /** Removes the result of a key; its readers fetch it again. */
  invalidate(key: string): void
  invalidateAll(options: { testKey(key: string): boolean }): void
  expireAll(options: { testKey(key: string): boolean }): void
  reset(): void
  /** Keeps a result and records from being collected, by name. Returns the function that ends it. */
  hold(names: CountRefOptions): () => void
  /** Removes unused rows. A promise where it has to be loaded first. */
  collector(): Collector | Promise<Collector>
}

/** How many settled requests are remembered, at least. */
const REMEMBERED = 1000

/** Creates a store that sends nothing itself. */
export function createDriver(clock?: Clock): Driver {
  const store = createRowStore(clock)
  const { tables, subscriptions } = store
  const { endpoints } = tables
  const reads = createReads(store)
  const { read } = reads
  const counts = createCounts()
  let collector: Collector | undefined
  let getState: (() => State) | undefined
  if (DEV) {
    tables.onReplace = (table, old, next) => {
      replaceClass(table, old, next)
      subscriptions.flush(false)
    }
  }

  /** Ends a change: applies pending operations to it and notifies readers. */
  const end = (own = false): void => {
    store.rerun()
    store.compact()
    subscriptions.flush(own)
  }

  /** Makes a change in the caller's stack, so that readers are notified before the call returns. */
  const own = (run: () => unknown): void => {
    try {
      run()
    } finally {
      end(true)
    }
  }

  const openRequests = new Map<string, Request>()
  /** Names of requests that have a response, and of mutations that have settled, by number: a second response is ignored. */
  let settled = new Map<number, string>()
  let older = settled
  let count = 0
  const context: RequestContext = {
    store,
    reads,
    end,
    onClose({ id, name, action }, isSettled) {
      openRequests.delete(id)
      if (isSettled && settled.set(action.meta.sent, name).size > REMEMBERED) {
        older = settled
        settled = new Map()
      }
    },
  }

  const openCall: Driver['openCall'] = (call, auto) => {
    checkExpiry(call.endpoint)
    const request = new Request(context, call, `${++count}`, auto)
    openRequests.set(request.id, request)
    return request
  }

  const find: Driver['find'] = (endpoint, { args, requestId, sent, fetchedAt }) => {
    if (requestId !== undefined) {
      return openRequests.get(requestId)
    }
    const { name } = callOf(endpoint, args)
    for (const request of openRequests.values()) {
      const { meta } = request.action
      if (request.name === name && (sent === undefined ? meta.fetchedAt === fetchedAt : meta.sent === sent)) {
        return request
      }
    }
    return undefined
  }

  const invalidateSlot = (slot: Slot, number: number): void => {
    const { error: _error, errorPolicy: _policy, valueFetchedAt: _at, ...known }: ResultMeta = slot.meta ?? UNKNOWN
    const meta = { ...known, sent: number, order: number, expiresAt: INVALIDATED, invalidated: true }
    store.put(slot, { value: undefined, meta })
    slot.node?.aged()
  }

  /** Every stored result whose key passes. */
  const forAll = (options: { testKey(key: string): boolean }, change: (slot: Slot) => void): void =>
    own(() => {
      for (const slot of endpoints.rows) {
        if (options.testKey(slot.pk)) {
          change(slot)
        }
      }
    })

  const viewSource: ViewSource = { store, reads, fetcher: undefined }
  const view: Driver['view'] = (target, args) => {
    const node = reads.node(target, args)
    return (node.extra!.view ??= new SharedView(viewSource, target, node, args)) as SharedView
  }

  const subscribe: Driver['subscribe'] = (target, args, notify) => {
    const found = view(target, args)
    const listener = { notify }
    found.add(listener)
    return () => found.remove(listener)
  }

  return {
    store,
    openRequests,
    open: (endpoint, args) => {
      const request = openCall(callOf(endpoint, args))
      if (endpoint.sideEffect) {
        request.show()
      }
      return request
    },
    openCall,
    find,
    resolve: (endpoint, resolved) => {
      checkExpiry(endpoint)
      const { args, response, fetchedAt, error } = resolved
      const call = callOf(endpoint, args)
      const sent = resolved.sent ?? store.numberAt(fetchedAt)
      if (sent < store.resetAt || (settled.get(sent) ?? older.get(sent)) === call.name) {
        return
      }
      try {
        const rank = rankOf(store, endpoint, { sent, fetchedAt })
        if (error) {
          applyError(store, call, response, rank)
        } else {
          applyResponse(store, call, response, rank)
        }
      } finally {
        end()
      }
    },
    counts,
    read,
    node: reads.node,
    viewSource,
    view,
    subscribe,
    hold: ({ key, paths = [] }) => {
      const slots = paths.map((path) => tables.table(path.key).slot(path.pk))
      return counts.hold(key === undefined ? slots : [endpoints.slot(key), ...slots])
    },
    collector: () =>
      collector ?? when(loadSweep(), ({ createCollector }) => (collector ??= createCollector(store, counts, end))),
    setResponse: (endpoint, args, value) => {
      checkExpiry(endpoint)
      own(() => applyResponse(store, callOf(endpoint, args), value, rankNow(store), { fromApp: true }))
    },
    setError: (endpoint, args, error) => {
      checkExpiry(endpoint)
      own(() => applyError(store, callOf(endpoint, args), error, rankNow(store)))
    },
    set: (schema, args, value) => {
      let next = value
      const seen = new Map<Slot, object>()
      if (typeof value === 'function') {
        // An adder or mover reads its list.
        const target = (schema as { collection?: object }).collection ?? schema
        const committed = store.pending.length === 0 ? reads : createReads(store, (slot) => slot)
        const previous: unknown = committed.reader.read(committed.queries.node(target, args))
        if (previous === undefined) {
          return
        }
        next = (value as (previous: unknown) => unknown)(previous)
        handedOut(previous, seen)
      }
      const { sent, order, fetchedAt } = rankNow(store)
      const expiresAt = fetchedAt + store.defaults.dataExpiryLength
      // Listing the members is faster than spreading them: the engine then knows the shape of every meta.
      const meta: Meta = { sent, order, fetchedAt, date: fetchedAt, expiresAt }
      const intake = { tables, args, meta, horizon: store.horizon(), fromApp: true, isWrite: true, madeFrom: seen }
      store.commit(normalize(schema, next, intake))
      end(true)
    },
    getState: () => (getState ??= createGetState(store))(),
    restore: (state) => own(() => restore(store, state)),
    invalidate: (key) => own(() => invalidateSlot(endpoints.slot(key), store.nextNumber())),
    invalidateAll: (options) => {
      const number = store.nextNumber()
      forAll(options, (slot) => invalidateSlot(slot, number))
    },
    expireAll: (options) => forAll(options, (slot) => store.expire(slot)),
    reset: () => own(store.reset),
  }
}
