import { type Clock, steady, systemClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { freezePlain, share } from '../base/equal.ts'
import { warnOnce } from '../base/warn.ts'
import { compact } from '../normalize/lists.ts'
import type { Change } from '../normalize/normalize.ts'
import {
  type Draft,
  indexList,
  indexName,
  indexText,
  type Layer,
  type Slot,
  type Table,
  Tables,
  top,
} from '../normalize/tables.ts'
import { INVALID, type Meta } from '../schema/Schema.ts'
import { Subscriptions } from './subscriptions.ts'

/** A request open for longer than this holds no compaction back, in milliseconds. */
const PATIENCE = 300_000
/** How many moments the store remembers the number of. */
const MOMENTS = 512

/** What the store knows of the result of an endpoint beside its value. */
export interface ResultMeta extends Meta {
  readonly prevExpiresAt?: number | undefined
  readonly error?: unknown
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
}

/** A pending operation: what it made of which slots, and how to make it again. */
export interface Operation {
  readonly id: string
  /** Works out the operation over what lies below it; `undefined` when it has no effect now. */
  run(): { change: Change; reads: ReadonlySet<Slot | Table> } | undefined
  slots: readonly Slot[]
  /** The rows it looked at; a table where it asked which rows there are. */
  reads: ReadonlySet<Slot | Table>
}

/** Told before a row is replaced, so that pictures taken earlier keep showing it. */
export interface Journal {
  note(slot: Slot): void
}

/** Rows, their order, and the pending operations over them. */
export class Store {
  readonly tables: Tables = new Tables()
  readonly clock: Clock
  readonly subscriptions: Subscriptions
  /** Pending operations, in the order they were issued. */
  readonly pending: Operation[] = []
  /** Grows with each reset: what was sent in an older epoch is not stored. */
  epoch = 0
  lastReset = 0
  /** The number the last reset took. */
  resetAt = 0
  /** Grows with each commit. */
  version = 0
  journal: Journal | undefined
  private number = 0
  /** Open requests by number, with the time each was opened. Numbers grow, so the first is the oldest. */
  private readonly open = new Map<number, number>()
  /** Slots that hold something only an open request makes necessary: changes of lists, orders of fields. */
  private readonly unfolded = new Set<Slot>()
  /** Tables whose lists may be on their way. */
  private readonly recalling = new Set<Table>()
  /** The horizon up to which everything is folded. */
  private foldedTo = 0
  /** What pending operations looked at or wrote, and how many of them did. */
  private readonly watched = new Map<Slot | Table, number>()
  /** Watched slots that were replaced, until the operations have been worked out again. */
  private readonly moved = new Set<Slot>()
  /** What an operation that has gone had covered, and where it stood: only those above it stood on it. */
  private left: { readonly slots: readonly Slot[]; readonly at: number } | undefined
  /** The last moments at which numbers were taken, and the number reached at each. */
  private readonly moments: { readonly time: number; number: number }[] = []

  constructor(clock: Clock = systemClock) {
    this.clock = steady(clock)
    this.subscriptions = new Subscriptions(this.clock)
    this.tables.reached = () => this.number
    // Restored rows come before their class is known.
    this.tables.onIndex = (table, fields) => {
      for (const slot of table.rows) this.index(slot, undefined, slot.value, fields)
    }
  }

  nextNumber(now: number = this.clock.now()): number {
    const number = ++this.number
    const { moments } = this
    const last = moments[moments.length - 1]
    if (last?.time === now) last.number = number
    else if (moments.push({ time: now, number }) > MOMENTS) moments.shift()
    return number
  }

  /** The number reached at a time. What lies before all that is remembered counts as older than it. */
  numberAt(time: number): number {
    for (let i = this.moments.length - 1; i >= 0; i--) if (this.moments[i]!.time <= time) return this.moments[i]!.number
    return 0
  }

  /** The number reached so far. */
  get reached(): number {
    return this.number
  }

  /** @param isShown its operation is shown meanwhile, which needs the order of fields for as long as it takes */
  openRequest(isShown: boolean): number {
    const now = this.clock.now()
    const sent = this.nextNumber(now)
    this.open.set(sent, isShown ? Infinity : now)
    if (this.foldedTo > sent) this.foldedTo = 0
    return sent
  }

  closeRequest(sent: number): void {
    this.open.delete(sent)
  }

  /** The number of the oldest open request: what is older than it cannot be overtaken any more. */
  horizon(): number {
    if (this.open.size === 0) return Number.POSITIVE_INFINITY
    const now = this.clock.now()
    for (const [sent, since] of this.open) if (now - since <= PATIENCE) return sent
    return Number.POSITIVE_INFINITY
  }

  /** Makes drafts the rows that everybody reads. Nothing here can throw. */
  commit(change: Change): void {
    this.version++
    const stale: Slot[] = []
    for (const slot of change.slots) {
      const draft = slot.draft!
      slot.draft = undefined
      this.put(slot, draft)
      if (draft.stale) stale.push(slot)
    }
    for (const recent of change.recent ?? []) {
      recent.table.recent.push(recent)
      this.recalling.add(recent.table)
    }
    for (const slot of stale) this.markStale(slot)
  }

  /** Ends a change, which may be of several commits: pending operations stand on what is there now. */
  settle(): void {
    const { left } = this
    if (left === undefined && this.moved.size === 0) return
    const moved = new Set(this.moved)
    this.moved.clear()
    this.left = undefined
    if (this.pending.length > 0) this.replay(moved, left)
  }

  /** Replaces a row. */
  put(slot: Slot, { value, meta, except, list }: Pick<Draft, 'value' | 'meta' | 'except' | 'list'>): void {
    const old = slot.value
    const { table } = slot
    this.journal?.note(slot)
    if (this.pending.length > 0 && (this.watched.has(slot) || this.watched.has(table))) this.moved.add(slot)
    slot.meta = meta
    slot.except = except
    if (list !== slot.list) this.putList(slot, list)
    if (except !== undefined) this.unfolded.add(slot)
    // A result may be nothing but an error, so a row needs no value to count.
    if (slot.at < 0) {
      slot.at = table.rows.length
      table.rows.push(slot)
      table.floating.delete(slot)
    }
    if (table.indexes.size > 0) this.index(slot, old, value)
    if (value === old) return
    if (DEV && typeof value === 'object') freezePlain(value)
    slot.value = value
    if (old === undefined || old === INVALID || value === undefined || value === INVALID) joined(table)
    slot.node?.touch()
  }

  private putList(slot: Slot, list: Slot['list']): void {
    const fresh = slot.list === undefined
    slot.list = list
    if (list === undefined) return
    if (fresh) indexList(slot)
    if (list.log.length > 0) this.unfolded.add(slot)
  }

  private index(slot: Slot, old: unknown, value: unknown, fields?: readonly string[]): void {
    const { table, pk } = slot
    for (const field of fields ?? table.indexes.keys()) {
      const was = indexText(old, field)
      const now = indexText(value, field)
      const entries = table.indexes.get(field)!
      if (was !== undefined && was !== now && entries.get(was) === pk) {
        entries.delete(was)
        table.indexNodes.get(indexName(field, was))?.touch()
      }
      if (DEV && now === undefined && typeof value === 'object')
        warnOnce(
          `A record of "${table.key}" lacks a field of its indexes (${[...table.indexes.keys()].join(', ')}), so it is not found by it.`,
        )
      if (now === undefined || entries.get(now) === pk) continue
      entries.set(now, pk)
      table.indexNodes.get(indexName(field, now))?.touch()
    }
  }

  /** A read and a write crossed on this row: it, the lists that hold it and their readers ask once more. */
  markStale(slot: Slot): void {
    const isNew = slot.meta !== undefined && slot.meta.expiresAt > 1
    if (isNew) {
      this.journal?.note(slot)
      slot.meta = { ...slot.meta!, expiresAt: 1 }
    }
    const keys = new Set(slot.list?.keys)
    for (const table of this.tables.tables.values())
      if (isListOf(table, slot.table))
        for (const other of table.rows)
          if (holds(other.value, slot.pk)) for (const key of other.list?.keys ?? []) keys.add(key)
    for (const key of keys) {
      const result = this.tables.endpoints.slots.get(key)
      if (result?.meta !== undefined) this.age(result, 1)
    }
    if (isNew) slot.node?.aged()
  }

  /** Changes until when a result counts as fresh, and lets its readers judge again. */
  age(result: Slot, expiresAt: number): void {
    if (result.meta!.expiresAt === expiresAt) return
    this.journal?.note(result)
    result.meta = { ...result.meta!, expiresAt }
    result.node?.aged()
  }

  // Pending operations

  addOperation(operation: Operation): void {
    this.pending.push(operation)
    this.apply(operation)
  }

  removeOperation(operation: Operation): void {
    const at = this.pending.indexOf(operation)
    if (at < 0) return
    this.pending.splice(at, 1)
    this.lift(operation)
    this.watch(operation, -1)
    this.left = { slots: operation.slots, at }
  }

  /** @param before the layers it had: what is equal keeps its reference, so that nobody is told of it */
  private apply(operation: Operation, before?: ReadonlyMap<Slot, Layer>): void {
    const result = operation.run()
    if (before !== undefined) this.watch(operation, -1)
    operation.slots = result?.change.slots ?? []
    operation.reads = result?.reads ?? operation.reads
    this.watch(operation, 1)
    for (const slot of operation.slots) {
      const { value, meta, except } = slot.draft!
      slot.draft = undefined
      this.lay(slot, { value: share(before?.get(slot)?.value, value), meta, except, by: operation })
    }
  }

  private watch({ slots, reads }: Operation, step: 1 | -1): void {
    const count = (source: Slot | Table): void => {
      const left = (this.watched.get(source) ?? 0) + step
      if (left > 0) this.watched.set(source, left)
      else this.watched.delete(source)
    }
    for (const slot of slots) count(slot)
    for (const read of reads) count(read)
  }

  private lay(slot: Slot, layer: Layer): void {
    if (DEV && typeof layer.value === 'object') freezePlain(layer.value)
    const there = isThere(slot)
    ;(slot.layers ??= []).push(layer)
    if (slot.at < 0) slot.table.floating.add(slot)
    if (isThere(slot) !== there) joined(slot.table)
    slot.node?.touch()
  }

  private lift(operation: Operation): Map<Slot, Layer> {
    const lifted = new Map<Slot, Layer>()
    for (const slot of operation.slots) {
      const at = slot.layers?.findIndex((layer) => layer.by === operation) ?? -1
      if (at < 0) continue
      const there = isThere(slot)
      lifted.set(slot, slot.layers!.splice(at, 1)[0]!)
      if (slot.layers!.length === 0) {
        slot.layers = undefined
        slot.table.floating.delete(slot)
      }
      if (isThere(slot) !== there) joined(slot.table)
      slot.node?.touch()
    }
    return lifted
  }

  /**
   * Works out again the operations that read or wrote what changed, and those above them that depend on these. All
   * layers from the first of them on are taken off and laid again in order, so that each stands on what lies below it.
   */
  private replay(moved: ReadonlySet<Slot>, left: Store['left']): void {
    const changed = new Set<Slot | Table>()
    const add = (slot: Slot): unknown => changed.add(slot).add(slot.table)
    const isReached = (operation: Operation, i: number): boolean => {
      if (i === left?.at) left.slots.forEach(add)
      return isAffected(operation, changed)
    }
    moved.forEach(add)
    const first = this.pending.findIndex(isReached)
    if (first < 0) return
    const above = this.pending.slice(first)
    const lifted = above.map((operation) => this.lift(operation))
    for (const [i, operation] of above.entries()) {
      if (!isReached(operation, first + i)) {
        for (const [slot, layer] of lifted[i]!) this.lay(slot, layer)
        continue
      }
      operation.slots.forEach(add)
      this.apply(operation, lifted[i])
      operation.slots.forEach(add)
    }
  }

  /** Folds what no open request can overtake any more. Called when an answer has been taken in. */
  fold(): void {
    if (this.unfolded.size === 0 && this.recalling.size === 0) return
    const horizon = this.horizon()
    for (const table of this.recalling) {
      table.recent = table.recent.filter(({ meta }) => meta.order >= horizon)
      if (table.recent.length === 0) this.recalling.delete(table)
    }
    if (horizon === this.foldedTo) return
    this.foldedTo = horizon
    for (const slot of this.unfolded) {
      if (slot.except !== undefined && slot.meta!.order < horizon) slot.except = undefined
      if (slot.list !== undefined) slot.list = compact(slot.list, horizon)
      if (slot.except === undefined && (slot.list?.log.length ?? 0) === 0) this.unfolded.delete(slot)
    }
  }

  /** Forgets everything. Open requests keep their numbers, so that their answers are known to be old. */
  reset(): void {
    this.epoch++
    this.version++
    this.lastReset = this.clock.now()
    this.resetAt = this.nextNumber(this.lastReset)
    for (const operation of this.pending.splice(0).reverse()) this.lift(operation)
    for (const table of [...this.tables.tables.values(), this.tables.endpoints]) {
      table.unfiltered.clear()
      table.filtered.clear()
      table.recent = []
      for (const slot of table.rows) this.clear(slot)
      table.rows = []
      for (const entries of table.indexes.values()) entries.clear()
      for (const node of table.indexNodes.values()) node.touch()
      joined(table)
    }
    this.unfolded.clear()
    this.recalling.clear()
    this.watched.clear()
    this.moved.clear()
    this.left = undefined
  }

  private clear(slot: Slot): void {
    this.journal?.note(slot)
    slot.value = undefined
    slot.meta = undefined
    slot.except = undefined
    slot.list = undefined
    slot.at = -1
    slot.node?.touch()
    slot.node?.aged()
  }
}

function isThere(slot: Slot): boolean {
  const { value } = top(slot)
  return value !== undefined && value !== INVALID
}

function joined(table: Table): void {
  table.version++
  table.node?.touch()
}

function isAffected({ slots, reads }: Operation, changed: ReadonlySet<Slot | Table>): boolean {
  for (const slot of slots) if (changed.has(slot)) return true
  for (const read of reads) if (changed.has(read)) return true
  return false
}

/** True for the table of lists that may hold rows of another. */
function isListOf(lists: Table, items: Table): boolean {
  return lists.key.slice(1, -1).split(';').includes(items.key) && (lists.unfiltered.size > 0 || lists.filtered.size > 0)
}

function holds(list: unknown, pk: string): boolean {
  if (typeof list !== 'object' || list === null) return false
  const items: unknown[] = Array.isArray(list) ? list : Object.values(list)
  const isIt = (item: unknown): boolean => typeof item === 'object' && item !== null && 'id' in item && item.id === pk
  return items.some((item) => item === pk || isIt(item))
}
