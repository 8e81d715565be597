import type { Change } from '../normalize/normalize.ts'
import { isThere, type PendingChange, top } from '../normalize/overlay.ts'
import { membersChanged, type Slot, type Table } from '../normalize/tables.ts'
import { createCounts } from './holds.ts'

/** A pending operation: what it changes of which slots, and how to compute that again. */
export interface Operation {
  readonly id: string
  /** The number at which its request was sent. */
  readonly sent: number
  /** The entry in `state.optimistic`. */
  readonly action: object
  /** Computes its contributions over what lies below it. */
  run(): { change: Pick<Change, 'slots'>; reads: ReadonlySet<Slot | Table> }
  slots: readonly Slot[]
  /** Its dependencies: rows, and tables whose rows it has listed. A change of one makes it run again. */
  reads: ReadonlySet<Slot | Table>
  /** Ends the watching of its dependencies. */
  unwatch?: () => void
}

/** Pending operations, in the order they were issued. */
export interface Operations {
  readonly pending: Operation[]
  addOperation(operation: Operation): void
  removeOperation(operation: Operation): void
  /** A row below is about to be replaced; `joins`: or to come, or to go. */
  beforeReplace(slot: Slot, joins: boolean): void
  /** Ends a change, which may be of several commits: operations that depend on it run again. */
  rerun(): void
  clear(): void
}

export function createOperations(): Operations {
  const pending: Operation[] = []
  /** The dependencies of pending operations. */
  const watched = createCounts()
  /** Slots and tables that have changed since they ran, with the number of the first operation that depends on each. */
  const changed = new Map<Slot | Table, number>()

  /** @param from operations sent later stand on the change */
  const note = (slot: Slot, from: number, joins = false): void => {
    // An operation that looked for lists does not depend on their content.
    for (const source of joins || slot.list === undefined ? [slot, slot.table] : [slot]) {
      changed.set(source, Math.min(from, changed.get(source) ?? from))
    }
  }
  const noteAll = ({ slots, sent }: Operation): void => slots.forEach((slot) => note(slot, sent))

  const run = (operation: Operation): void => {
    const { change, reads } = operation.run()
    const left = new Set(operation.slots)
    operation.unwatch?.()
    operation.slots = change.slots
    operation.reads = reads
    operation.unwatch = watched.hold(reads)
    for (const slot of change.slots) {
      const { value, edits, fields, counts } = slot.patch!
      slot.patch = undefined
      left.delete(slot)
      replaceChange(slot, operation, { by: operation, fields, edits, counts, value })
    }
    left.forEach((slot) => replaceChange(slot, operation))
  }

  const takeBack = (operation: Operation): void => {
    operation.unwatch!()
    operation.slots.forEach((slot) => replaceChange(slot, operation))
  }

  const isReached = ({ reads, sent }: Operation): boolean => {
    for (const source of reads) {
      if (changed.get(source)! < sent) {
        return true
      }
    }
    return false
  }

  const rerun = (): void => {
    // To clear a map takes time, even where it is empty, and this runs after every write.
    if (changed.size === 0) {
      return
    }
    for (const operation of pending) {
      if (isReached(operation)) {
        noteAll(operation)
        run(operation)
        noteAll(operation)
      }
    }
    changed.clear()
  }

  return {
    pending,
    addOperation: (operation) => {
      const above = pending.findIndex(({ sent }) => sent > operation.sent)
      pending.splice(above < 0 ? pending.length : above, 0, operation)
      run(operation)
      // A manager may have held its action back: those that were issued later stand on it.
      if (above >= 0) {
        noteAll(operation)
        rerun()
      }
    },
    removeOperation: (operation) => {
      const at = pending.indexOf(operation)
      if (at >= 0) {
        pending.splice(at, 1)
        takeBack(operation)
        noteAll(operation)
      }
    },
    beforeReplace: (slot, joins) => {
      if (watched.has(slot) || watched.has(slot.table)) {
        note(slot, -1, joins)
      }
    },
    rerun,
    clear: () => {
      pending.splice(0).forEach(takeBack)
      changed.clear()
    },
  }
}

/** Replaces the contribution of an operation to a slot, and notifies everything that depends on the slot or on the set of rows. */
function replaceChange(slot: Slot, by: Operation, change?: PendingChange): void {
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

/** The visible record, to compare it with later. Not a list: many changes of one cost a single pass, when it is read. */
export function shownNow(slot: Slot): unknown {
  return slot.list ? undefined : top(slot)
}

/** Notifies the readers of a row that has changed. If they see the same record as before, they may wait for other operations. */
export function showAgain(slot: Slot, shown: unknown): void {
  slot.isShownOld = true
  slot.node?.[typeof shown === 'object' && top(slot) === shown ? 'aged' : 'touch']()
  if (slot.pending === undefined) {
    slot.shown = undefined
  }
}
