import { share } from '../base/equal.ts'
import type { Walk } from '../normalize/Walk.ts'
import { isThere, top } from '../rows/overlay.ts'
import type { ListPatch } from '../lists/ListRow.ts'
import type { RecordPatch } from '../records/RecordRow.ts'
import type { Patch, Pending, PendingChange, Row } from '../rows/Row.ts'
import { membersChanged, type Table } from '../rows/Table.ts'
import { Feed, type VisibleChange } from '../rows/feed.ts'
import type { State } from './stateShape.ts'

/** A pending operation: what it changes of which slots, and how to compute that again. */
export interface Operation extends Pending {
  readonly id: string
  /** The entry in `state.optimistic`. */
  readonly action: object
  /** Its records as they were below it before reads have changed them: lists follow no read. */
  readonly issuedOver: Map<Row, unknown>
  /** Computes its contributions over what lies below it. */
  run(): { change: Pick<Walk, 'slots'>; reads: ReadonlySet<Row | Table> }
  slots: readonly Row[]
  /** Its dependencies: rows, and tables whose rows it has listed. A change of one makes it run again. */
  reads: ReadonlySet<Row | Table>
}

/** Pending operations, in the order they were issued. */
export class Operations {
  readonly pending: Operation[] = []
  /** Tells which rows readers see differently, pending operations included. */
  readonly visible: Feed<Row, { readonly value: unknown }, VisibleChange<Row>> = new Feed((row, { value }) => {
    const now = top(row)
    // A response may bring what was pending.
    return share(value, now) === value ? undefined : { row, before: value, now }
  })
  /** The store as data, until something changes (`State.ts`). */
  state: State | undefined = undefined
  /** The dependencies of all of them, where they are known: a response of ten thousand rows looks each up. */
  #watched: ReadonlySet<Row | Table> | undefined
  /** The first operation that has to run again, by when it was sent. */
  #due = Infinity

  addOperation(operation: Operation): void {
    const { pending } = this
    // A manager may have held its action back: those that were issued later stand on it.
    const above = pending.findIndex(({ sent }) => sent > operation.sent)
    const at = above < 0 ? pending.length : above
    pending.splice(at, 0, operation)
    this.state = undefined
    this.#runFrom(at)
  }

  removeOperation(operation: Operation): void {
    const at = this.pending.indexOf(operation)
    if (at >= 0) {
      this.#takeBack(operation)
      operation.slots.forEach((slot) => this.beforeReplace(slot, false, operation.sent))
      this.pending.splice(at, 1)
      this.state = undefined
      this.#watched = undefined
    }
  }

  /** Ends a change, which may be of several commits: from the first operation that depends on it on, all run again. */
  rerun(): void {
    const { pending } = this
    const due = this.#due
    if (due < Infinity) {
      this.#due = Infinity
      this.#runFrom(pending.filter(({ sent }) => sent < due).length)
    }
  }

  /** Readers are about to see a row differently. */
  protected beforeShown(slot: Row): void {
    slot.table.watch?.(slot)
    if (this.visible.isHeard && !this.visible.before(slot)) {
      this.visible.note(slot, { value: top(slot) })
    }
  }

  /**
   * A row is about to be replaced; `joins`: or to come, or to go.
   *
   * @param above operations sent later stand on it
   */
  protected beforeReplace(slot: Row, joins: boolean, above = -1): void {
    const { pending } = this
    if (pending.length === 0) {
      return
    }
    const watched = (this.#watched ??=
      pending.length === 1 ? pending[0]!.reads : new Set(pending.flatMap(({ reads }) => [...reads])))
    // An operation that looked for lists does not depend on their content.
    for (const source of joins || !slot.table.isOfLists ? [slot, slot.table] : [slot]) {
      if (watched.has(source)) {
        const first = pending.find(({ reads, sent }) => sent > above && reads.has(source))
        this.#due = Math.min(this.#due, first?.sent ?? Infinity)
      }
    }
  }

  protected clearOperations(): void {
    this.pending.splice(0).forEach((operation) => this.#takeBack(operation))
    this.state = undefined
    this.#due = Infinity
  }

  #runFrom(first: number): void {
    for (const operation of this.pending.slice(first)) {
      const { change, reads } = operation.run()
      const left = new Set(operation.slots)
      operation.slots = change.slots
      operation.reads = reads
      for (const slot of change.slots) {
        const { value, edits, fields, counts } = slot.patch as Patch & Partial<RecordPatch & ListPatch>
        slot.patch = undefined
        left.delete(slot)
        this.#replaceChange(slot, operation, { by: operation, fields, edits, counts, value })
      }
      left.forEach((slot) => this.#replaceChange(slot, operation))
    }
    this.#watched = undefined
  }

  #takeBack(operation: Operation): void {
    operation.slots.forEach((slot) => this.#replaceChange(slot, operation))
  }

  /** Replaces the contribution of an operation to a slot, and notifies everything that depends on the slot or on the set of rows. */
  #replaceChange(slot: Row, by: Operation, change?: PendingChange): void {
    this.beforeShown(slot)
    const wasThere = isThere(slot)
    const shown = shownNow(slot)
    const all = (slot.pending ?? []).filter((one) => one.by !== by)
    if (change) {
      const above = all.findIndex((one) => one.by.sent > by.sent)
      all.splice(above < 0 ? all.length : above, 0, change)
    }
    slot.pending = all.length > 0 ? all : undefined
    slot.table.floating[slot.position < 0 && slot.pending ? 'add' : 'delete'](slot)
    if (isThere(slot) !== wasThere) {
      membersChanged(slot.table)
    }
    showAgain(slot, shown)
  }
}

/** The visible record, to compare it with later. Not a list: many changes of one cost a single pass, when it is read. */
export function shownNow(slot: Row): unknown {
  return slot.table.isOfLists ? undefined : top(slot)
}

/** Notifies the readers of a row that has changed. If they see the same record as before, they may wait for other operations. */
export function showAgain(slot: Row, shown: unknown): void {
  slot.isShownOld = true
  slot.node?.[typeof shown === 'object' && top(slot) === shown ? 'aged' : 'touch']()
  if (slot.pending === undefined) {
    slot.shown = undefined
  }
}
