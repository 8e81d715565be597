import { loadSweep } from '#sweep'
import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { when } from '../base/when.ts'
import { type Node, unlink } from '../denormalize/memo.ts'
import { replaceClass } from '../denormalize/nodes.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { recordsBefore } from '../normalize/membership.ts'
import { normalize } from '../normalize/normalize.ts'
import { Slot } from '../normalize/tables.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { type Meta, INVALIDATED, STALE } from '../schema/Schema.ts'
import { restore } from '../store/dehydrate.ts'
import type { Operation } from '../store/overlay.ts'
import { createPictures, type State } from '../store/picture.ts'
import { createCounts } from '../store/holds.ts'
import { createRows, type ResultMeta, type Store } from '../store/Store.ts'
import { nameOf } from './actions.ts'
import { applyError, applyResponse, rankNow, type Sent, UNKNOWN } from './answers.ts'
import type { CountRefOptions } from './GCInterface.ts'
import { instanceOfGone } from './gone.ts'
import { createOperation, handedOut, isShown } from './pending.ts'
import { createReads, isSkip, pathOf, type Reading, type Target } from './read.ts'
import type { Collector } from './sweep.ts'
import { type Entry, type Told, View } from './view.ts'
import { tablesOf } from './tablesOf.ts'

export { asError } from './answers.ts'
export { ABORT } from './pending.ts'
export { ExpiryStatus, isEndpoint, isSkip, type Reading, type Target } from './read.ts'
export type { Entry, Told } from './view.ts'

/** A request under way, as the store knows it. */
export interface DriverRequest {
  readonly id: string
  readonly sent: number
  readonly fetchedAt: number
  /**
   * The network responded. Throws when the response is refused.
   *
   * @param isWhole the pages of the list were fetched again and stored before it: older ones are gone
   */
  answer(value: unknown, isWhole?: boolean): void
  /** After the answer: what readers of the endpoint see now. */
  outcome(): unknown
  /** Lets its optimistic operation show, where that was put off. */
  show(): void
  /** The network failed. */
  fail(error: unknown): void
  /** It was given up: nothing is stored. */
  drop(): void
}

/** An answer that comes from elsewhere, to a request that may or may not be known here. */
export interface Resolved {
  readonly args: readonly any[]
  readonly response: unknown
  readonly fetchedAt: number
  /** The number of the request, where it is known. */
  readonly sent?: number | undefined
  /** True when the response is an error. */
  readonly error?: boolean | undefined
}

/** Everything the store can do, without a network: what a Controller is built on. */
export interface Driver {
  readonly store: Store
  /** A request is sent: it takes its number, and its optimistic operation shows, unless that is put off. */
  open(endpoint: EndpointInterface, args: readonly any[], shows?: boolean): DriverRequest
  /** The view of a target: the same for an equal question. */
  node(target: Target, args: readonly any[]): Node
  /** An answer comes from elsewhere, to the request of that number, or begun at that time. */
  resolve(endpoint: EndpointInterface, resolved: Resolved): void
  /** Writes a value as if it had been answered now. */
  setResponse(endpoint: EndpointInterface, args: readonly any[], value: unknown): void
  /** Notes an error as if a request had failed now. */
  setError(endpoint: EndpointInterface, args: readonly any[], error: unknown): void
  /** Writes records. A function gets what is committed, without pending operations; nothing happens when there is none. */
  set(schema: Target, args: readonly any[], value: unknown): void
  /** What a reader of an endpoint, or of a schema, sees. It never fetches. */
  read(target: Target, args: readonly any[], known?: Node): Reading
  /** Calls the listener when what `read` gives has changed, or its freshness. Gives the function that ends it. */
  subscribe(target: Target, args: readonly any[], listener: (told: Told) => void): () => void
  /** The same for a view that is known. */
  mount(node: Node, entry: Entry): void
  /** Takes one `mount` back. */
  unmount(node: Node, entry: Entry): void
  /** The committed state, the same object until the next commit. */
  getState(): State
  /** Fills in what a state from elsewhere knows and this store does not. */
  restore(state: State): void
  /** Takes the result of an endpoint out; its readers ask again. */
  invalidate(endpoint: EndpointInterface, args: readonly any[]): void
  invalidateAll(options: { testKey(key: string): boolean }): void
  expireAll(options: { testKey(key: string): boolean }): void
  reset(): void
  /** Keeps what a target shows, and all it is made of, from being collected. Gives the function that ends it. */
  retain(target: Target, args: readonly any[]): () => void
  /** Keeps a result and records from being collected, by name. Gives the function that ends it. */
  hold(names: CountRefOptions): () => void
  /** Removes rows that nobody needs. A promise where it has to be loaded first. */
  collector(): Collector | Promise<Collector>
}

const REMEMBERED = 1000

/** Makes a store that can be driven, and that sends nothing itself. */
export function createDriver(clock?: Clock): Driver {
  const store = createRows(clock)
  const { tables, subscriptions } = store
  const { endpoints } = tables
  const reads = createReads(store)
  const { reader, queries, read } = reads
  /** Requests in flight, by number, each with its name: pages of a list share its key. */
  const underWay = new Map<number, { readonly name: string; readonly request: DriverRequest }>()
  const counts = createCounts()
  let collector: Collector | undefined
  /** What was answered, and mutations that have settled, by number, and those before them: what comes twice counts once. */
  let settled = new Map<number, string>()
  let older = settled
  let requests = 0
  let takePicture: (() => State) | undefined
  if (DEV) {
    tables.onReplace = (table, old, next) => {
      replaceClass(table, old, next)
      subscriptions.flush(false)
    }
  }

  /** Everything about a change is written: pending operations are laid over it, and readers told. */
  const end = (own = false): void => {
    store.settle()
    store.fold()
    subscriptions.flush(own)
  }

  /** Does something in the caller's stack. */
  const own = (run: () => unknown): void => {
    try {
      run()
    } finally {
      end(true)
    }
  }

  /** Takes in an answer or an error, and gives the result of an answer. */
  const take = (
    endpoint: EndpointInterface,
    key: string,
    args: readonly any[],
    value: unknown,
    isError: boolean | undefined,
    sent: Sent,
    fromApp?: boolean,
  ): unknown =>
    isError
      ? applyError(store, endpoint, key, value, sent)
      : applyResponse(store, endpoint, key, args, value, sent, fromApp)

  const open: Driver['open'] = (endpoint, args, shows = isShown(endpoint)) => {
    checkExpiry(endpoint)
    const { resetAt } = store
    const key = endpoint.key(...args)
    const name = nameOf(endpoint, args)
    const sent = store.openRequest(isShown(endpoint))
    const fetchedAt = store.clock.now()
    const id = `${++requests}`
    const before = endpoint.sideEffect ? recordsBefore(tables, tablesOf(endpoint.schema), args) : undefined
    let operation: Operation | undefined
    const show = (): void => {
      if (
        endpoint.getOptimisticResponse === undefined ||
        operation !== undefined ||
        !underWay.has(sent) ||
        store.resetAt !== resetAt
      ) {
        return
      }
      operation = createOperation(store, endpoint, key, args, id, { sent, fetchedAt, before })
      store.addOperation(operation)
      subscriptions.flush(true)
    }
    let outcome: () => unknown = () => undefined
    /** @param settle what there is to store, unless the store was reset meanwhile */
    const close = (settle: (isCurrent: boolean) => void, isOver = endpoint.sideEffect): void => {
      if (!underWay.delete(sent)) {
        return
      }
      if (isOver && settled.set(sent, name).size > REMEMBERED) {
        older = settled
        settled = new Map()
      }
      store.closeRequest(sent)
      if (operation !== undefined) {
        store.removeOperation(operation)
      }
      try {
        settle(store.resetAt === resetAt)
      } finally {
        end()
      }
    }
    const taken = (value: unknown, isError: boolean, isWhole?: boolean): unknown =>
      take(endpoint, key, args, value, isError, { sent, order: rankOf(endpoint, sent), fetchedAt, before, isWhole })
    const request: DriverRequest = {
      id,
      sent,
      fetchedAt,
      answer: (value, isWhole) =>
        close((isCurrent) => {
          outcome = () => alone(endpoint, args, value)
          if (!isCurrent) {
            return
          }
          const result = taken(value, false, isWhole)
          outcome = () => outcomeOf(endpoint, key, args, value, result)
        }, true),
      outcome: () => outcome(),
      show,
      fail: (error) => close((isCurrent) => isCurrent && taken(error, true)),
      drop: () => close(() => {}),
    }
    underWay.set(sent, { name, request })
    if (shows) {
      show()
    }
    return request
  }

  /** Reads rank by when they were sent, writes by when they are committed. */
  const rankOf = ({ sideEffect }: EndpointInterface, sent: number): number => (sideEffect ? store.nextNumber() : sent)

  /** What a mutation, or a read, comes to for its caller: what readers see. */
  const outcomeOf = (
    endpoint: EndpointInterface,
    key: string,
    args: readonly any[],
    value: unknown,
    result: unknown,
  ): unknown => {
    const { schema, sideEffect } = endpoint
    const stored: ResultMeta | undefined = endpoints.slots.get(key)?.meta
    if (!sideEffect && !stored?.invalidated) {
      return read(endpoint, args).data
    }
    if (schema === undefined || schema === null || schema instanceof Invalidate) {
      return alone(endpoint, args, value, result)
    }
    // Mutations share a key, and an invalidated result is nobody's: each caller gets what its own answer names.
    const slot = new Slot(endpoints, key)
    slot.value = result
    const node = reader.resultNode(slot, schema, args, pathOf(endpoint))
    try {
      // What was deleted meanwhile is still what the answer to a write says.
      return reader.read(node) ?? (sideEffect ? alone(endpoint, args, value) : undefined)
    } finally {
      unlink(node)
    }
  }

  /** What an answer comes to where nothing of it is stored. */
  const alone = ({ schema }: EndpointInterface, args: readonly any[], value: unknown, result?: unknown): unknown => {
    if (schema === undefined || schema === null) {
      return value
    }
    if (schema instanceof Invalidate) {
      return instanceOfGone(schema, value, args[0], result)
    }
    const driver = createDriver(store.clock)
    const lone: any = Object.assign(() => Promise.resolve(), { key: () => '', schema })
    driver.open(lone, args).answer(value)
    return driver.read(lone, args).data
  }

  const invalidateSlot = (slot: Slot, number: number): void => {
    const { fetchedAt, date, prevExpiresAt } = (slot.meta ?? UNKNOWN) as ResultMeta
    const meta: ResultMeta = {
      sent: number,
      order: number,
      fetchedAt,
      date,
      expiresAt: INVALIDATED,
      prevExpiresAt,
      invalidated: true,
    }
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

  const subscribe: Driver['subscribe'] = (target, args, listener) => {
    if (isSkip(args)) {
      return () => {}
    }
    const node = reads.node(target, args)
    const entry = { call: listener }
    mount(node, entry)
    return () => unmount(node, entry)
  }

  const mount: Driver['mount'] = (node, entry) => {
    const extra = node.extra!
    const view = (extra.told ??= new View(node, reader, store)) as View
    view.add(entry)
  }

  const unmount: Driver['unmount'] = (node, entry) => {
    const extra = node.extra!
    if ((extra.told as View | undefined)?.remove(entry) !== true) {
      return
    }
    extra.told = undefined
    if (node.kind === 'query') {
      queries.use(node)
    }
  }

  return {
    store,
    open,
    read,
    node: reads.node,
    subscribe,
    mount,
    unmount,
    retain: (target, args) => subscribe(target, args, () => {}),
    hold: ({ key, paths = [] }) => {
      const slots = paths.map((path) => tables.table(path.key).slot(path.pk))
      return counts.hold(key === undefined ? slots : [endpoints.slot(key), ...slots])
    },
    collector: () =>
      collector ?? when(loadSweep(), ({ createCollector }) => (collector ??= createCollector(store, counts, end))),
    resolve: (endpoint, { args, response, fetchedAt, sent, error }) => {
      checkExpiry(endpoint)
      const key = endpoint.key(...args)
      const name = nameOf(endpoint, args)
      const known =
        sent === undefined
          ? [...underWay.values()].find((one) => one.name === name && one.request.fetchedAt === fetchedAt)
          : underWay.get(sent)
      if (known?.name === name) {
        known.request[error ? 'fail' : 'answer'](response)
        return
      }
      const number = sent ?? store.numberAt(fetchedAt)
      // What was sent before a reset is not stored after it.
      if (number < store.resetAt || (settled.get(number) ?? older.get(number)) === name) {
        return
      }
      try {
        take(endpoint, key, args, response, error, { sent: number, order: rankOf(endpoint, number), fetchedAt })
      } finally {
        end()
      }
    },
    setResponse: (endpoint, args, value) => {
      checkExpiry(endpoint)
      own(() => take(endpoint, endpoint.key(...args), args, value, false, rankNow(store), true))
    },
    setError: (endpoint, args, error) => {
      checkExpiry(endpoint)
      own(() => take(endpoint, endpoint.key(...args), args, error, true, rankNow(store)))
    },
    set: (schema, args, value) => {
      let next = value
      const seen = new Map<Slot, object>()
      if (typeof value === 'function') {
        // Adders and movers are asked for what they stand for.
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
      const meta: Meta = {
        sent,
        order,
        fetchedAt,
        date: fetchedAt,
        expiresAt: fetchedAt + store.defaults.dataExpiryLength,
      }
      const intake = { tables, args, meta, horizon: store.horizon(), fromApp: true, isWrite: true, read: seen }
      store.commit(normalize(schema, next, intake))
      end(true)
    },
    getState: () => (takePicture ??= createPictures(store))(),
    restore: (state) => own(() => restore(store, state)),
    invalidate: (endpoint, args) =>
      own(() => invalidateSlot(endpoints.slot(endpoint.key(...args)), store.nextNumber())),
    invalidateAll: (options) => {
      const number = store.nextNumber()
      forAll(options, (slot) => invalidateSlot(slot, number))
    },
    expireAll: (options) => forAll(options, (slot) => store.age(slot, STALE)),
    reset: () => own(store.reset),
  }
}

/** Refuses lengths that nobody can mean, of an endpoint or of a manager. */
export function checkExpiry(endpoint: Pick<EndpointInterface, 'dataExpiryLength' | 'errorExpiryLength'>): void {
  for (const name of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    if (endpoint[name]! < 0) {
      throw fail(
        'expiry-negative',
        `${name} of ${pathOf(endpoint as EndpointInterface) ?? 'NetworkManager'}`,
        DEV &&
          `"${name}" of "${pathOf(endpoint as EndpointInterface) ?? 'NetworkManager'}" is ${endpoint[name]}. Give 0 or more milliseconds.`,
      )
    }
  }
}
