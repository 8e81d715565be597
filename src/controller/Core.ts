import { checkExpiry } from '../advice/fetched.ts'
import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { rowsOf } from '../reading/query.ts'
import { normalize } from '../writing/normalize.ts'
import type { Row } from '../rows/Row.ts'
import { shareKinds } from '../schema/argumentKinds.ts'
import { isEntity, isQuery } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { getState, restore } from '../store/State.ts'
import type { State } from '../store/stateShape.ts'
import { Store } from '../store/Store.ts'
import type { ActionTypes, Dispatch, ResponseMeta } from '../requests/actions.ts'
import { type Call, callOf } from '../requests/Call.ts'
import * as types from '../requests/actionTypes.ts'
import { applyError, applyResponse, applyUnknown, type Sent } from '../requests/applyResponse.ts'
import { collect } from '../requests/collect.ts'
import type { Host } from '../requests/Host.ts'
import { expire, expireRows } from '../requests/expire.ts'
import type { CountRefOptions, GCInterface } from './GCInterface.ts'
import type { MutationQueue } from './MutationQueue.ts'
import type { Persisted } from './Persisted.ts'
import type { TabsChannel } from './TabsChannel.ts'
import { handedOut } from '../requests/pending.ts'
import { Reads } from '../requests/read.ts'
import { isEndpoint, isSkip, type Reading, type Target } from '../requests/Reading.ts'
import { receive } from '../requests/receive.ts'
import type { Request } from '../requests/Request.ts'
import type { Spread } from '../requests/spread.ts'
import { Requests } from '../requests/Requests.ts'
import { Result } from '../requests/Result.ts'
import { settle } from '../requests/settle.ts'
import { SharedView } from '../views/SharedView.ts'
import type { ViewHost, ViewObserver } from '../views/ViewHost.ts'

/** A store with its requests and readers: what a Controller stands on. It sends nothing itself. */
export class Core implements Host, ViewHost {
  readonly store: Store
  readonly reads: Reads
  readonly requests: Requests
  /** The views with readers on the screen. */
  readonly mounted: Set<SharedView> = new Set()
  /** Called when data arrives that a reader suspended for. */
  readonly arrivals: Set<() => void> = new Set()
  observer: ViewObserver | undefined
  /** The page is hidden, and its live connection paused or about to be. Written by `live/setHidden.ts` alone. */
  isHidden = false
  /** How far requests are spread that have a cause outside this client (`requests/spread.ts`). */
  spread: Spread | undefined
  /** The names of rows that are held against garbage collection, an object for each holder. */
  holds: ReadonlySet<CountRefOptions> = new Set()
  readonly gcPolicy: GCInterface | undefined
  /** The database of the store, if it has one. */
  persisted: Persisted | undefined
  /** Its channel to other tabs, if it has one. */
  tabs: TabsChannel | undefined
  recall: ViewHost['recall']
  /** Told of the response to a request, before its body is read. */
  onResponse: ((request: Request, response: Response) => void) | undefined
  /** Called before the app fetches. */
  onCall: (() => void) | undefined
  /** Queues mutations, if the store has an outbox. */
  queue: MutationQueue | undefined
  /** Passes actions to managers; a store without a network has none. */
  controller: { readonly dispatch: Dispatch } | undefined
  /** The committed state, the same object until the next commit. */
  readonly getState: () => State
  /** Stores that have the rows of other states. */
  private readonly past = new WeakMap<State, Core>()

  constructor(clock?: Clock, gcPolicy?: GCInterface) {
    const store = (this.store = new Store(clock, Result))
    this.reads = new Reads(store)
    this.requests = new Requests(this)
    this.gcPolicy = gcPolicy
    this.getState = () => getState(store)
  }

  /** Returns the same view for equal arguments. */
  view(target: Target, args: readonly any[]): SharedView {
    const node = this.reads.node(target, args)
    if (!node.aside!.view) {
      // A list may have been restored, and no response of its endpoint has come yet.
      shareKinds(target)
      node.aside!.view = new SharedView(this, target, node, args)
    }
    const view = node.aside!.view as SharedView
    view.target = target
    return view
  }

  /** All that is known of a key. */
  result(key: string): Result {
    return this.store.tables.endpoints.row(key) as Result
  }

  get results(): readonly Result[] {
    return [...this.store.tables.endpoints.byPk.values()] as Result[]
  }

  /** The end of the chain: does what an action says, and ignores actions it does not know. */
  apply(action: ActionTypes): Promise<void> {
    const { requests, store } = this
    switch (action.type) {
      case types.FETCH:
        requests.show(action.meta.requestId)
        break
      case types.SET_RESPONSE: {
        const { key, endpoint, args, response, error, meta } = action
        const request = requests.open.get(meta.requestId!)
        if (!request) {
          store.onRequest?.(key, 0)
          this.respond(callOf(endpoint, args), response, error, meta)
        } else if (receive(requests, request, response, error)) {
          settle(requests, request, response, error)
        }
        break
      }
      case types.SET:
        this.set(action.schema, action.args, action.value)
        break
      case types.INVALIDATE:
        this.invalidate([this.result(action.key)])
        break
      case types.INVALIDATEALL:
        this.invalidate(this.results.filter((one) => isKnown(one) && action.testKey(one.pk)))
        break
      case types.EXPIREALL:
        this.change(() => expire(store, [], action.testKey))
        break
      case types.RESET:
        requests.reset()
        break
      case types.GC:
        this.change(() => collect(store, action))
        break
    }
    return store.notifier.whenTold()
  }

  /** Ends a change and notifies readers. `own`: it was made in the caller's stack. */
  end(own?: boolean): void {
    this.store.end()
    this.store.notifier.flush(own === true)
  }

  /** Makes a change in the caller's stack, so that readers are notified before the call returns. */
  change(run: () => unknown): void {
    try {
      run()
    } finally {
      this.end(true)
    }
  }

  /**
   * Stores a response, or a failure, that no open request is waiting for: `setResponse`, `setError`, or `resolve` with the data of a
   * socket. Without the number of its request it is a value that the app sets now.
   */
  respond(call: Call, response: unknown, isError?: boolean, begun?: Pick<ResponseMeta, 'sent' | 'fetchedAt'>): void {
    const { store } = this
    const { fetchedAt = store.clock.now(), sent } = begun ?? {}
    const fromApp = sent === undefined
    if (DEV) {
      checkExpiry(call.endpoint)
    }
    // It belongs to the user before the reset.
    if (sent === undefined ? fetchedAt < store.lastReset : sent < store.resetAt) {
      return
    }
    const of: Sent = { fetchedAt, sent: sent ?? ++store.reached }
    try {
      if (isError) {
        applyError(store, call, response, of, fromApp)
      } else if (!fromApp && call.endpoint.sideEffect) {
        // It has settled, or was dropped: what it has done since then only the server knows.
        applyUnknown(store, call, of)
      } else {
        applyResponse(store, call, response, of, { fromApp })
      }
    } finally {
      this.end(fromApp)
    }
  }

  /** Writes records. A function receives the committed value, without pending operations; it is not called without one. */
  set(schema: Target, args: readonly any[], value: unknown): void {
    const { store, reads } = this
    let next = value
    let madeFrom: Map<Row, object> | undefined
    if (typeof value === 'function') {
      // An adder or mover reads its list.
      const target = (schema as { collection?: object }).collection ?? schema
      const committed = store.pending.length === 0 ? reads : new Reads(store, ({ value: stored }) => stored)
      const previous: unknown = committed.reader.read(committed.queries.node(target, args))
      if (previous === undefined) {
        return
      }
      next = (value as (previous: unknown) => unknown)(previous)
      handedOut(previous, (madeFrom = new Map()))
    }
    const sent = ++store.reached
    const fetchedAt = store.clock.now()
    const expiresAt = fetchedAt + store.defaults.dataExpiryLength
    // Listing the members is faster than spreading them: the engine then knows the shape of every meta.
    const meta: Meta = { sent, at: sent, kind: 'set', fetchedAt, date: fetchedAt, expiresAt }
    const isNamed = isRecord(schema)
    const intake = { tables: store.tables, args, meta, fromApp: true, isWrite: true, isNamed, madeFrom }
    store.commit(normalize(schema, next, intake))
    this.end(true)
  }

  /** Adds the rows of a state that this store does not have. */
  restore(state: State): void {
    this.change(() => restore(this.store, state))
  }

  /**
   * Reads the store, or a state of it.
   *
   * @param rest the arguments, and the state where one is given
   */
  read(target: Target, rest: readonly any[]): Reading {
    const { store } = this
    const [args, state] = splitState(rest)
    const isPast = state && !isSkip(args) && (state !== this.getState() || store.pending.length > 0)
    return (isPast ? recall(this.past, state, () => coreOf(state, store.clock)) : this).reads.read(target, args)
  }

  /** The rows of a reading, looked up each time: others may have joined it. */
  paths(target: Target, rest: readonly any[]): CountRefOptions {
    const [args] = splitState(rest)
    if (isSkip(args)) {
      return {}
    }
    const { reads, store } = this
    return {
      key: isEndpoint(target) ? target.key(...args) : undefined,
      get paths() {
        const node = reads.node(target, args)
        try {
          reads.read(target, args, node)
        } catch {
          // A query of the app throws: its readers learn of it.
        }
        return rowsOf(node).filter(({ table }) => table !== store.tables.endpoints)
      },
    }
  }

  recover(): void {
    const now = this.store.clock.now()
    for (const view of this.mounted) {
      if (view.failed) {
        view.demand(now)
      } else {
        view.wake()
      }
    }
  }

  mutationEnded(): void {
    for (const view of this.mounted) {
      // Only refetches that events cause come at growing intervals.
      if (view.active > 0) {
        view.result.pace.hurry()
      }
      view.wake()
    }
  }

  private invalidate(results: readonly Result[]): void {
    const { store } = this
    this.change(() => {
      expireRows(store, results, ++store.reached)
      store.invalidate(results)
    })
  }
}

/** True for a result that is stored, is being fetched, or has a reader, who may show the records of other results. */
function isKnown({ position, requests, isRead }: Result): boolean {
  return position >= 0 || requests.size > 0 || isRead
}

/** A store that has the rows of a state. */
function coreOf(state: State, clock: Clock): Core {
  const core = new Core(clock)
  core.restore(state)
  core.reads.clock = undefined
  return core
}

function splitState(rest: readonly any[]): [args: readonly any[], state?: State] {
  const last: unknown = rest.at(-1)
  const isState = isObject(last) && 'entities' in last && 'entitiesMeta' in last
  return isState ? [rest.slice(0, -1), last as State] : [rest]
}

/** True for a schema of one record, which the arguments name. Those of a list name the list. */
function isRecord(schema: unknown): boolean {
  return (
    isEntity(schema) ||
    (isObject(schema) && (schema['isUnion'] === true || (isQuery(schema) && isRecord(schema.schema))))
  )
}
