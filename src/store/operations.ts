import { share } from '../base/equal.ts'
import type { Change } from '../rows/Change.ts'
import { isThere, top } from '../rows/overlay.ts'
import type { ListPatch } from '../lists/ListRow.ts'
import type { RecordPatch } from '../records/RecordRow.ts'
import type { Patch, Pending, PendingChange, Row } from '../rows/Row.ts'
import { membersChanged, type Table } from '../rows/Table.ts'
import { Feed, type VisibleChange } from '../rows/feed.ts'
import type { State } from './stateShape.ts'

/** A pending operation: what it changes of which rows, and how to compute that again. */
export interface Operation extends Pending {
  readonly id: string
  /** The entry in `state.optimistic`. */
  readonly action: object
  /** Its records as they were below it before reads have changed them: lists follow no read. */
  readonly issuedOver: Map<Row, unknown>
  /** Computes its contributions over what lies below it. */
  run(): { change: Pick<Change, 'rows'>; reads: ReadonlySet<Row | Table> }
  rows: readonly Row[]
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
      operation.rows.forEach((row) => this.beforeReplace(row, false, operation.sent))
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
  protected beforeShown(row: Row): void {
    row.table.watch?.(row)
    if (this.visible.isHeard && !this.visible.before(row)) {
      this.visible.note(row, { value: top(row) })
    }
  }

  /**
   * A row is about to be replaced; `joins`: or to come, or to go.
   *
   * @param above operations sent later stand on it
   */
  protected beforeReplace(row: Row, joins: boolean, above = -1): void {
    const { pending } = this
    if (pending.length === 0) {
      return
    }
    const watched = (this.#watched ??=
      pending.length === 1 ? pending[0]!.reads : new Set(pending.flatMap(({ reads }) => [...reads])))
    // An operation that looked for lists does not depend on their content.
    for (const source of joins || !row.table.isOfLists ? [row, row.table] : [row]) {
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
      const left = new Set(operation.rows)
      operation.rows = change.rows
      operation.reads = reads
      for (const row of change.rows) {
        const { value, edits, fields, counts } = row.patch as Patch & Partial<RecordPatch & ListPatch>
        row.patch = undefined
        left.delete(row)
        this.#replaceChange(row, operation, { by: operation, fields, edits, counts, value })
      }
      left.forEach((row) => this.#replaceChange(row, operation))
    }
    this.#watched = undefined
  }

  #takeBack(operation: Operation): void {
    operation.rows.forEach((row) => this.#replaceChange(row, operation))
  }

  /** Replaces the contribution of an operation to a row, and notifies everything that depends on the row or on the set of rows. */
  #replaceChange(row: Row, by: Operation, change?: PendingChange): void {
    this.beforeShown(row)
    const wasThere = isThere(row)
    const shown = shownNow(row)
    const all = (row.pending ?? []).filter((one) => one.by !== by)
    if (change) {
      const above = all.findIndex((one) => one.by.sent > by.sent)
      all.splice(above < 0 ? all.length : above, 0, change)
    }
    row.pending = all.length > 0 ? all : undefined
    row.table.floating[row.position < 0 && row.pending ? 'add' : 'delete'](row)
    if (isThere(row) !== wasThere) {
      membersChanged(row.table)
    }
    showAgain(row, shown)
  }
}

/** The visible record, to compare it with later. Not a list: many changes of one cost a single pass, when it is read. */
export function shownNow(row: Row): unknown {
  return row.table.isOfLists ? undefined : top(row)
}

/** Notifies the readers of a row that has changed. If they see the same record as before, they may wait for other operations. */
export function showAgain(row: Row, shown: unknown): void {
  row.isShownOld = true
  row.node?.[typeof shown === 'object' && top(row) === shown ? 'aged' : 'touch']()
  if (row.pending === undefined) {
    row.shown = undefined
  }
}
