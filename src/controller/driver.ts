import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { Reader } from '../denormalize/denormalize.ts'
import { type Node, unlink } from '../denormalize/memo.ts'
import { Queries, sourcesOf } from '../denormalize/views.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import { type Change, discard, type Intake, normalize } from '../normalize/normalize.ts'
import { isCrossing } from '../normalize/merge.ts'
import { originOf, STAND_IN } from '../normalize/origin.ts'
import { Draft, Slot, Table, top } from '../normalize/tables.ts'
import { argsPk, type Entity, isOlder } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { INVALID, isEntity, isSchemaClass, type Meta } from '../schema/Schema.ts'
import { restore } from '../store/dehydrate.ts'
import { Pictures, type State } from '../store/picture.ts'
import { type Operation, type ResultMeta, Store } from '../store/Store.ts'
import { report } from '../store/subscriptions.ts'

/** How far data can be trusted. */
export const ExpiryStatus = { Invalid: 1, InvalidIfStale: 2, Valid: 3 } as const

/** What a reader sees. */
export interface Reading {
  readonly data: any
  readonly error: any
  readonly expiryStatus: 1 | 2 | 3
  readonly expiresAt: number
  /** Requests whose pending operations hide the data: it is not missing, and nobody needs to ask for it. */
  readonly waiting?: readonly string[]
}

/** A request under way, as the store knows it. */
export interface DriverRequest {
  readonly id: string
  readonly sent: number
  readonly fetchedAt: number
  /** The network answered. Throws when the answer cannot be taken in. */
  answer(value: unknown): void
  /** After the answer: what readers of the endpoint see now. */
  outcome(): unknown
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

/** When something was sent, and how it ranks. */
type Sent = Pick<Meta, 'sent' | 'order' | 'fetchedAt'>

/** What a listener is told: the value changed, or how fresh it is. */
export type Told = 'value' | 'freshness'

/** Anything that can be read: an endpoint, or a schema that can be asked. */
export type Target = any

/** What an operation throws to show nothing. One serves all: an error is dear to make. */
const ABORT = new Error('aborted')
const DATA_EXPIRY = 60_000
const ERROR_EXPIRY = 1_000

/** Everything the store can do, without a network: what a Controller is built on. */
export class Driver {
  readonly store: Store
  private readonly reader: Reader
  private readonly pictures: Pictures
  private readonly queries = new Queries()
  private requests = 0
  /** Requests under way, by number. */
  private readonly underWay = new Map<number, { readonly key: string; readonly request: DriverRequest }>()
  private readonly listeners = new Map<Node, View>()

  constructor(clock?: Clock) {
    this.store = new Store(clock)
    this.reader = new Reader(this.store.tables)
    this.store.journal = this.pictures = new Pictures(this.store)
    this.store.tables.onReplace = (table, old, next) => {
      this.reader.replaceClass(table, old, next)
      this.store.subscriptions.flush(false)
    }
  }

  /** A request is sent: it takes its number, and its optimistic operation shows. */
  open(endpoint: EndpointInterface, args: readonly any[]): DriverRequest {
    checkExpiry(endpoint)
    const { store } = this
    const { epoch } = store
    const key = endpoint.key(...args)
    const sent = store.openRequest(isShown(endpoint))
    const fetchedAt = store.clock.now()
    const id = `${++this.requests}`
    const operation = this.optimistic(endpoint, args, id, sent, fetchedAt)
    if (operation !== undefined) {
      store.addOperation(operation)
      store.subscriptions.flush(true)
    }
    let outcome: () => unknown = () => undefined
    const close = (): boolean => {
      this.underWay.delete(sent)
      store.closeRequest(sent)
      if (operation !== undefined) store.removeOperation(operation)
      return store.epoch === epoch
    }
    // What is delivered twice counts once.
    const isOpen = (): boolean => this.underWay.has(sent)
    const order = (): number => (endpoint.sideEffect ? store.nextNumber() : sent)
    const request: DriverRequest = {
      id,
      sent,
      fetchedAt,
      answer: (value) => {
        if (!isOpen()) return
        try {
          if (close()) {
            const result = this.respond(endpoint, args, value, { sent, order: order(), fetchedAt })
            outcome = () => this.outcome(endpoint, args, value, result)
          } else outcome = () => this.alone(endpoint, args, value)
        } finally {
          this.end()
        }
      },
      outcome: () => outcome(),
      fail: (error) => {
        if (!isOpen()) return
        if (close()) this.respondError(endpoint, args, error, { sent, order: order(), fetchedAt })
        this.end()
      },
      drop: () => {
        if (!isOpen()) return
        close()
        this.end()
      },
    }
    this.underWay.set(sent, { key, request })
    return request
  }

  /** An answer comes from elsewhere, to the request of that number, or begun at that time. */
  resolve(endpoint: EndpointInterface, { args, response, fetchedAt, sent, error }: Resolved): void {
    checkExpiry(endpoint)
    const { store } = this
    const key = endpoint.key(...args)
    const open = sent === undefined ? this.begun(key, fetchedAt) : this.underWay.get(sent)?.request
    if (open !== undefined) {
      if (error === true) open.fail(response)
      else open.answer(response)
      return
    }
    const number = sent ?? store.numberAt(fetchedAt)
    // What was sent before a reset is not stored after it.
    if (number < store.resetAt) return
    const meta: Sent = { sent: number, order: endpoint.sideEffect ? store.nextNumber() : number, fetchedAt }
    try {
      if (error === true) this.respondError(endpoint, args, response, meta)
      else this.respond(endpoint, args, response, meta)
    } finally {
      this.end()
    }
  }

  private begun(key: string, fetchedAt: number): DriverRequest | undefined {
    for (const one of this.underWay.values())
      if (one.key === key && one.request.fetchedAt === fetchedAt) return one.request
    return undefined
  }

  /** Everything about a change is written: pending operations are laid over it, and readers told. */
  private end(own = false): void {
    this.store.settle()
    this.store.fold()
    this.store.subscriptions.flush(own)
  }

  /** Writes a value as if it had been answered now. */
  setResponse(endpoint: EndpointInterface, args: readonly any[], value: unknown): void {
    checkExpiry(endpoint)
    try {
      this.respond(endpoint, args, value, this.now(), true)
    } finally {
      this.end(true)
    }
  }

  /** Notes an error as if a request had failed now. */
  setError(endpoint: EndpointInterface, args: readonly any[], error: unknown): void {
    checkExpiry(endpoint)
    this.respondError(endpoint, args, error, this.now())
    this.end(true)
  }

  /** Writes records. A function gets what is committed, without pending operations; nothing happens when there is none. */
  set(schema: Target, args: readonly any[], value: unknown): void {
    let next = value
    let read: Map<Slot, object> | undefined
    if (typeof value === 'function') {
      const previous = this.committed(schema, args)
      if (previous === undefined) return
      next = (value as (previous: unknown) => unknown)(previous)
      read = handedOut(previous)
    }
    const { sent, order, fetchedAt } = this.now()
    const meta: Meta = { sent, order, fetchedAt, date: fetchedAt, expiresAt: fetchedAt + DATA_EXPIRY }
    this.store.commit(normalize(schema, next, this.intake(args, meta, { fromApp: true, read })))
    this.end(true)
  }

  /** What a reader of an endpoint, or of a schema, sees. It never fetches. */
  read(target: Target, args: readonly any[]): Reading {
    if (isSkip(args)) {
      const data: unknown = isEndpoint(target) ? defaultShape(target.schema) : undefined
      return { data, error: undefined, expiryStatus: 3, expiresAt: Infinity }
    }
    return isEndpoint(target) ? this.readEndpoint(target, args) : this.readQuery(target, args)
  }

  /** Calls the listener when what `read` gives has changed, or its freshness. Gives the function that ends it. */
  subscribe(target: Target, args: readonly any[], listener: (told: Told) => void): () => void {
    if (isSkip(args)) return () => {}
    const node = this.node(target, args)
    let view = this.listeners.get(node)
    if (view === undefined) {
      view = new View(node, this.reader, this.store)
      this.listeners.set(node, view)
      node.extra!.told = view
    }
    const mine = view
    const entry = { call: listener }
    mine.entries.add(entry)
    return () => {
      mine.entries.delete(entry)
      if (mine.entries.size > 0 || this.listeners.get(node) !== mine) return
      this.listeners.delete(node)
      node.extra!.told = undefined
      if (node.kind === 'query') this.queries.use(node)
    }
  }

  /** The committed state, the same object until the next commit. */
  getState(): State {
    return this.pictures.take()
  }

  /** Fills in what a state from elsewhere knows and this store does not. */
  restore(state: State): void {
    restore(this.store, state)
    this.end(true)
  }

  /** Takes the result of an endpoint out; its readers ask again. */
  invalidate(endpoint: EndpointInterface, args: readonly any[]): void {
    this.invalidateKey(endpoint.key(...args))
    this.end(true)
  }

  invalidateAll({ testKey }: { testKey(key: string): boolean }): void {
    for (const slot of this.store.tables.endpoints.slots.values())
      if (slot.meta !== undefined && testKey(slot.pk)) this.invalidateKey(slot.pk)
    this.end(true)
  }

  expireAll({ testKey }: { testKey(key: string): boolean }): void {
    for (const slot of this.store.tables.endpoints.slots.values())
      if (slot.meta !== undefined && testKey(slot.pk)) this.store.age(slot, 1)
    this.end(true)
  }

  reset(): void {
    this.store.reset()
    this.end(true)
  }

  private invalidateKey(key: string): void {
    const slot = this.store.tables.endpoints.slot(key)
    const number = this.store.nextNumber()
    const { error: _error, errorPolicy: _policy, ...old } = (slot.meta ?? farMeta()) as ResultMeta
    const meta: ResultMeta = { ...old, expiresAt: 0, invalidated: true, sent: number, order: number }
    this.store.put(slot, { value: undefined, meta, except: undefined, list: undefined })
    slot.node?.aged()
  }

  // Taking in

  private now(): Sent {
    const fetchedAt = this.store.clock.now()
    return { sent: this.store.nextNumber(fetchedAt), order: this.store.nextNumber(fetchedAt), fetchedAt }
  }

  private intake(args: readonly any[], meta: Meta, more: Partial<Intake>): Intake {
    return { tables: this.store.tables, args, meta, horizon: this.store.horizon(), ...more }
  }

  private respond(
    endpoint: EndpointInterface,
    args: readonly any[],
    value: unknown,
    { sent, order, fetchedAt }: Sent,
    fromApp = false,
  ): unknown {
    const { store } = this
    const key = endpoint.key(...args)
    const date = store.clock.now()
    const meta: Meta = { sent, order, fetchedAt, date, expiresAt: date + (endpoint.dataExpiryLength ?? DATA_EXPIRY) }
    let change: Change
    try {
      change = normalize(endpoint.schema, value, this.intake(args, meta, { key, path: pathOf(endpoint), fromApp }))
      checkRecord(endpoint, key, args, change)
    } catch (error) {
      const refused = processing(key, error, endpoint.schema, value)
      if (DEV) console.error(refused)
      this.respondError(endpoint, args, refused, { sent, order, fetchedAt })
      throw refused
    }
    const result = store.tables.endpoints.slot(key)
    const stale = change.slots.some((slot) => slot.draft?.stale)
    store.commit(change)
    this.putResult(result, change.result, meta, stale)
    this.runUpdate(endpoint, args, change.result, meta)
    return change.result
  }

  private putResult(slot: Slot, value: unknown, meta: Meta, stale: boolean): void {
    const old: ResultMeta | undefined = slot.meta
    if (old !== undefined && isOlder(meta, old)) {
      if (stale || isCrossing(old, meta)) this.store.age(slot, 1)
      return
    }
    const next: ResultMeta = { ...meta, expiresAt: stale ? 1 : meta.expiresAt, prevExpiresAt: old?.expiresAt }
    this.store.put(slot, { value: share(slot.value, value), meta: next, except: undefined, list: undefined })
    if (stale || old?.invalidated || old?.error !== undefined) slot.node?.aged()
  }

  private respondError(
    endpoint: EndpointInterface,
    args: readonly any[],
    thrown: unknown,
    { sent, order, fetchedAt }: Sent,
  ): void {
    const error = asError(thrown)
    const slot = this.store.tables.endpoints.slot(endpoint.key(...args))
    const date = this.store.clock.now()
    const expiresAt = date + (endpoint.errorExpiryLength ?? ERROR_EXPIRY)
    const errorPolicy = endpoint.errorPolicy?.(error as UnknownError)
    const meta: ResultMeta = { sent, order, fetchedAt, date, expiresAt, error, errorPolicy }
    if (slot.meta !== undefined && isOlder(meta, slot.meta)) return
    this.store.put(slot, { value: slot.value, meta, except: undefined, list: undefined })
    slot.node?.aged()
  }

  /** `update` of an endpoint changes the results of others. */
  private runUpdate(endpoint: EndpointInterface, args: readonly any[], result: unknown, { sent, order }: Meta): void {
    for (const [slot, value] of this.updates(endpoint, args, result, (other) => other.value)) {
      const old = slot.meta ?? farMeta()
      // What a write made of a result stands against reads that crossed it.
      const meta = endpoint.sideEffect ? { ...old, sent, order } : old
      this.store.put(slot, { value, meta, except: undefined, list: undefined })
    }
  }

  private updates(
    endpoint: EndpointInterface,
    args: readonly any[],
    result: unknown,
    current: (slot: Slot) => unknown,
  ): [Slot, unknown][] {
    try {
      const updaters = endpoint.update?.(result, ...(args as [])) ?? {}
      return Object.entries(updaters).map(([key, update]) => {
        const slot = this.store.tables.endpoints.slot(key)
        return [slot, share(slot.value, update(current(slot)))]
      })
    } catch (error) {
      console.error(error)
      return []
    }
  }

  // Pending operations

  private optimistic(
    endpoint: EndpointInterface,
    args: readonly any[],
    id: string,
    sent: number,
    fetchedAt: number,
  ): Operation | undefined {
    if (!isShown(endpoint)) return undefined
    const meta: Meta = { sent, order: Infinity, fetchedAt, date: fetchedAt, expiresAt: Infinity }
    const lists: unknown = (endpoint.schema as { collection?: { key: string } } | undefined)?.collection?.key
    const run: Operation['run'] = () => {
      const snapshot = this.snapshot(fetchedAt)
      if (typeof lists === 'string') snapshot.reads.add(this.store.tables.table(lists))
      try {
        const value: unknown = endpoint.getOptimisticResponse!.call(endpoint, snapshot.snapshot, ...(args as []))
        const more = { fromApp: true, read: snapshot.read, standIn: `${STAND_IN}${id}`, key: endpoint.key(...args) }
        const change = normalize(endpoint.schema, value, this.intake(args, meta, more))
        const slots = [...change.slots, ...this.overlayResults(endpoint, args, change.result, meta)]
        return { change: { ...change, slots }, reads: snapshot.reads }
      } catch (error) {
        if (DEV && error !== snapshot.snapshot.abort) console.error(error)
        return { change: { result: undefined, slots: [] }, reads: snapshot.reads }
      }
    }
    return { id, run, slots: [], reads: new Set() }
  }

  private overlayResults(endpoint: EndpointInterface, args: readonly any[], result: unknown, meta: Meta): Slot[] {
    const own = this.store.tables.endpoints.slot(endpoint.key(...args))
    const results = this.updates(endpoint, args, result, (slot) => top(slot).value).filter(([slot]) => slot !== own)
    return [[own, result] as const, ...results].map(([slot, value]) => {
      slot.draft = new Draft(value, top(slot).meta ?? meta)
      return slot
    })
  }

  /** The store as an operation sees it, and what the operation looked at. */
  private snapshot(fetchedAt: number): {
    snapshot: SnapshotInterface
    read: Map<Slot, object>
    reads: Set<Slot | Table>
  } {
    let apart: Reader | undefined
    const read = new Map<Slot, object>()
    const reads = new Set<Slot | Table>()
    // Most operations look at nothing.
    const reader = (): Reader => (apart ??= new Reader(this.store.tables, top))
    const look = (node: Node): unknown => {
      const value = reader().read(node)
      for (const source of sourcesOf(node)) reads.add(source)
      for (const [slot, instance] of handedOut(value) ?? []) read.set(slot, instance)
      return value
    }
    const response = (endpoint: EndpointInterface, args: readonly any[]): Reading => {
      const slot = this.store.tables.endpoints.slot(endpoint.key(...args))
      return this.judge(
        endpoint,
        slot,
        look(reader().resultNode(slot, endpoint.schema, args, pathOf(endpoint))),
        undefined,
      )
    }
    const snapshot = {
      abort: ABORT,
      fetchedAt,
      get: (schema: object, ...args: any[]) => look(new Queries().node(schema, args)),
      getQueryMeta: (schema: object, ...args: any[]) => ({ data: look(new Queries().node(schema, args)) }),
      getResponse: (endpoint: EndpointInterface, ...args: any[]) => response(endpoint, args),
      getResponseMeta: (endpoint: EndpointInterface, ...args: any[]) => response(endpoint, args),
      getError: (endpoint: EndpointInterface, ...args: any[]) => response(endpoint, args).error as never,
    }
    return { snapshot: snapshot as never, read, reads }
  }

  // Reading

  private node(target: Target, args: readonly any[]): Node {
    if (!isEndpoint(target)) return this.queries.node(target as object, args)
    const slot = this.store.tables.endpoints.slot(target.key(...args))
    return this.reader.resultNode(slot, target.schema, args, pathOf(target))
  }

  private readEndpoint(endpoint: EndpointInterface, args: readonly any[]): Reading {
    const node = this.node(endpoint, args)
    let data: unknown
    try {
      data = this.reader.read(node)
    } catch (thrown) {
      // What was noted when the answer came says more than what reading it comes to.
      const meta: ResultMeta | undefined = (node.source as Slot).meta
      const error: unknown = meta?.error ?? thrown
      return { data: undefined, error, expiryStatus: 2, expiresAt: 1 }
    }
    return this.judge(endpoint, node.source as Slot, data, node)
  }

  private judge(endpoint: EndpointInterface, slot: Slot, data: unknown, node: Node | undefined): Reading {
    const meta: ResultMeta | undefined = slot.meta
    const waiting = data === undefined ? waitingFor(node, this.store) : undefined
    if (meta === undefined && top(slot).value === undefined) {
      const found = data !== undefined && isComplete(endpoint.schema, data)
      if (!found) {
        const age = endpoint.schema
          ? ({ expiryStatus: 2, expiresAt: 1 } as const)
          : ({ expiryStatus: 1, expiresAt: 0 } as const)
        return { data, error: undefined, ...age, ...waiting }
      }
      return inferred(data, endpoint.invalidIfStale ? 2 : 3, node)
    }
    const { error: raw, errorPolicy, invalidated } = meta ?? farMeta()
    const error: unknown = errorPolicy === 'soft' && data !== undefined ? undefined : raw
    const status =
      invalidated || (data === undefined && raw === undefined)
        ? 1
        : data === undefined || endpoint.invalidIfStale
          ? 2
          : 3
    return { data, error, expiryStatus: status, expiresAt: resultAge(this.store, endpoint.schema, slot), ...waiting }
  }

  private readQuery(schema: object, args: readonly any[]): Reading {
    const node = this.queries.node(schema, args)
    const data = this.reader.read(node)
    if (data !== undefined) return inferred(data, 3, node)
    return { data, error: undefined, expiryStatus: 2, expiresAt: 1, ...waitingFor(node, this.store) }
  }

  /** Reads without pending operations. */
  private committed(schema: object, args: readonly any[]): unknown {
    if (this.store.pending.length === 0) return this.reader.read(this.queries.node(inner(schema), args))
    return new Reader(this.store.tables, (slot) => slot).read(new Queries().node(inner(schema), args))
  }

  /** What a mutation, or a read, comes to for its caller: what readers see. */
  private outcome(endpoint: EndpointInterface, args: readonly any[], value: unknown, result: unknown): unknown {
    if (endpoint.schema === undefined || endpoint.schema === null || endpoint.schema instanceof Invalidate)
      return this.alone(endpoint, args, value, result)
    const { endpoints } = this.store.tables
    const key = endpoint.key(...args)
    const stored: ResultMeta | undefined = endpoints.slots.get(key)?.meta
    if (!endpoint.sideEffect && !stored?.invalidated) return this.readEndpoint(endpoint, args).data
    // Mutations share a key, and an invalidated result is nobody's: each caller gets what its own answer names.
    const slot = new Slot(endpoints, key)
    slot.value = result
    const node = this.reader.resultNode(slot, endpoint.schema, args, pathOf(endpoint))
    try {
      return this.reader.read(node)
    } finally {
      unlink(node)
    }
  }

  /** What an answer comes to where nothing of it is stored. */
  private alone(endpoint: EndpointInterface, args: readonly any[], value: unknown, result?: unknown): unknown {
    const { schema } = endpoint
    if (schema === undefined || schema === null) return value
    if (schema instanceof Invalidate) return schema.instance(value, result)
    const driver = new Driver(this.store.clock)
    const lone = Object.assign(() => Promise.resolve(), { key: () => '', schema })
    driver.respond(lone as never, args, value, driver.now())
    return driver.readEndpoint(lone as never, args).data
  }
}

/** A mounted reader of a node, with all its listeners. */
class View {
  readonly entries = new Set<{ readonly call: (told: Told) => void }>()
  private readonly node: Node
  private readonly reader: Reader
  private readonly store: Store
  private value: unknown
  private freshness: string | undefined
  private error: unknown
  /** It was marked stale, invalidated, or met an error. */
  private old = false

  constructor(node: Node, reader: Reader, store: Store) {
    this.node = node
    this.reader = reader
    this.store = store
    this.judge()
  }

  changed(): void {
    this.store.subscriptions.add(this)
  }

  aged(): void {
    this.old = true
    this.store.subscriptions.add(this)
  }

  tell(): void {
    const told = this.judge()
    if (told === undefined) return
    // A listener may end others; those that begin now have seen the new value.
    const entries = [...this.entries]
    for (const entry of entries) {
      if (!this.entries.has(entry)) continue
      try {
        entry.call(told)
      } catch (error) {
        report(error)
      }
    }
  }

  /** Looks again, and says what is different. A later end of freshness is no news. */
  private judge(): Told | undefined {
    const { node, store, old } = this
    const meta: ResultMeta | undefined = node.kind === 'result' ? (node.source as Slot).meta : undefined
    const value = this.look()
    const error: unknown = meta?.error
    const waiting = value === undefined ? waitingFor(node, store)?.waiting : undefined
    const freshness = `${meta?.invalidated === true} ${waiting?.join(' ')}`
    this.old = false
    const isNew = value !== this.value
    const isStale = freshness !== this.freshness || error !== this.error || (old && ageOf(store, node) <= 1)
    this.value = value
    this.freshness = freshness
    this.error = error
    return isNew ? 'value' : isStale ? 'freshness' : undefined
  }

  private look(): unknown {
    try {
      return this.reader.read(this.node)
    } catch (error) {
      return error
    }
  }
}

function isEndpoint(target: Target): target is EndpointInterface {
  return typeof target === 'function' && typeof (target as { key?: unknown }).key === 'function'
}

function pathOf(endpoint: EndpointInterface): string | undefined {
  const { path, name } = endpoint as { path?: string; name?: string }
  return path ?? name
}

/** Adders and movers are asked for what they stand for. */
function inner(schema: any): object {
  return (schema as { collection?: object }).collection ?? (schema as object)
}

function handedOut(value: unknown): Map<Slot, object> | undefined {
  const slot = originOf(value)
  return slot === undefined ? undefined : new Map([[slot, value as object]])
}

/** Until when what a node shows is fresh. */
function ageOf(store: Store, node: Node): number {
  const slot = node.source as Slot
  return node.kind === 'result' && slot.meta !== undefined ? resultAge(store, node.schema, slot) : earliest(node)
}

/** Until when a stored result is fresh. A record on which a read and a write crossed is stale, whoever brought it. */
function resultAge({ tables }: Store, schema: unknown, { meta, value }: Slot): number {
  const row = isEntity(schema) && typeof value === 'string' ? tables.table(schema.key).slots.get(value) : undefined
  return row?.meta?.expiresAt === 1 ? 1 : (meta?.expiresAt ?? 0)
}

/** A reading that no answer stands behind. Its age is that of all its rows, so it is worked out when asked for. */
function inferred(data: unknown, expiryStatus: 2 | 3, node: Node | undefined): Reading {
  return {
    data,
    error: undefined,
    expiryStatus,
    get expiresAt() {
      return node === undefined ? Infinity : earliest(node)
    },
  }
}

/** The earliest end of freshness of all rows a value was made from. */
function earliest(node: Node): number {
  let expiresAt = Number.POSITIVE_INFINITY
  for (const source of sourcesOf(node)) {
    if (source instanceof Table || source.meta === undefined) continue
    // A deleted record is not part of the value; one that may have been deleted by mistake has been marked stale.
    if (source.value !== INVALID || source.meta.expiresAt <= 1) expiresAt = Math.min(expiresAt, source.meta.expiresAt)
  }
  return expiresAt
}

/** The pending operations that hide what a node needs. */
function waitingFor(node: Node | undefined, { pending }: Store): { waiting: readonly string[] } | undefined {
  if (node === undefined || pending.length === 0) return undefined
  const hiding = new Set<object>()
  for (const source of sourcesOf(node)) {
    if (source instanceof Table || source.value === INVALID || source.value === undefined) continue
    for (const layer of source.layers ?? []) if (layer.value === INVALID) hiding.add(layer.by)
  }
  const waiting = pending.filter((operation) => hiding.has(operation)).map(({ id }) => id)
  return waiting.length === 0 ? undefined : { waiting }
}

/** `null` in the place of arguments asks for nothing. */
function isSkip(args: readonly any[]): boolean {
  return args.length === 1 && args[0] === null
}

/** What an object of schemas shows before anything is known: its defaults. */
function defaultShape(schema: any): unknown {
  if (typeof schema !== 'object' || schema === null) return typeof schema === 'function' ? undefined : schema
  if (Array.isArray(schema) || (isSchemaClass(schema) && !(schema instanceof ObjectSchema))) return undefined
  const members: object = schema instanceof ObjectSchema ? (schema.schema as object) : (schema as object)
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, defaultShape(member)]))
}

/** Whatever was thrown, as an object: what is none is wrapped. */
function asError(thrown: unknown): object {
  return (typeof thrown === 'object' && thrown !== null) || typeof thrown === 'function'
    ? thrown
    : new Error(String(thrown), { cause: thrown })
}

/** Of an object schema every member has to be there. */
function isComplete(schema: any, data: any): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || 'normalize' in schema) return true
  return Object.keys(schema as object).every((name) => data[name] !== undefined)
}

function farMeta(): ResultMeta {
  return { fetchedAt: 0, date: 0, expiresAt: 0, sent: 0, order: 0 }
}

function checkExpiry(endpoint: EndpointInterface): void {
  for (const name of ['dataExpiryLength', 'errorExpiryLength'] as const)
    if (endpoint[name]! < 0)
      throw fail(
        'expiry-negative',
        `${name} of ${pathOf(endpoint) ?? 'an endpoint'}`,
        DEV && `"${name}" of "${pathOf(endpoint)}" is ${endpoint[name]}. Give 0 or more milliseconds.`,
      )
}

/** True where an operation is shown while the request is under way. */
function isShown({ sideEffect, getOptimisticResponse }: EndpointInterface): boolean {
  return sideEffect === true && getOptimisticResponse !== undefined
}

/** The answer is about the record that was asked for, where that can be told. */
function checkRecord(endpoint: EndpointInterface, key: string, args: readonly any[], change: Change): void {
  const { schema, strict } = endpoint as { schema?: any; strict?: boolean }
  if (strict === false || !isEntity(schema) || typeof change.result !== 'string') return
  // The only argument of a mutation may be a body, whose id is the client's; and an action may answer with another record.
  if (endpoint.sideEffect && (strict !== true || args.length < 2)) return
  const pk = argsPk(schema as unknown as typeof Entity, args)
  if (pk === undefined || pk === change.result) return
  const text = `"${key}" was answered with the record "${change.result}" of "${schema.key}", not with "${pk}".`
  if (strict === true) {
    discard(change.slots)
    throw fail('answer-other-record', `${change.result} for ${key}`, DEV && text, Error, { status: 400, refused: true })
  }
  if (!DEV || warned.has(endpoint)) return
  warned.add(endpoint)
  warnOnce(`${text} Set strict: false where the argument is another name of it, or strict: true to refuse it.`)
}

/** Endpoints that were answered with another record and have been warned about. */
const warned = new WeakSet<EndpointInterface>()

/** An answer that could not be taken in. */
function processing(key: string, thrown: unknown, schema: any, response: unknown): unknown {
  const error = asError(thrown) as Error
  const name: unknown = schema?.key ?? schema?.constructor?.name
  const message = DEV ? `Error processing ${key} (${String(name)}): ${error.message}` : error.message
  const more = { status: 400, refused: true, response }
  try {
    return Object.assign(error, { message }, more)
  } catch {
    // Frozen, or of a kind whose message is fixed.
    return Object.assign(new Error(message, { cause: error }), more)
  }
}
