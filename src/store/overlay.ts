import { DEV } from '../base/env.ts'
import { freezePlain, share } from '../base/equal.ts'
import { keepEqual } from '../normalize/listItems.ts'
import { ListLayer } from '../normalize/listLayer.ts'
import type { Change } from '../normalize/normalize.ts'
import { isThere, joined, type Layer, type Slot, type Table } from '../normalize/tables.ts'

/** A pending operation: what it made of which slots, and how to make it again. */
export interface Operation {
  readonly id: string
  /** What states show of it. */
  readonly action: object
  /** Works out the operation over what lies below it. */
  run(): { change: Change; reads: ReadonlySet<Slot | Table> }
  slots: readonly Slot[]
  /** Its dependencies: rows, and tables whose rows it has listed. A change of one makes it run again. */
  reads: ReadonlySet<Slot | Table>
}

/** Pending operations: layers over the rows they touch, folded in the order they were issued. */
export interface Overlay {
  /** In the order they were issued. */
  readonly pending: Operation[]
  addOperation(operation: Operation): void
  removeOperation(operation: Operation): void
  /** A row below is about to be replaced; `joins`: or to come, or to go. */
  moved(slot: Slot, joins: boolean): void
  /** Ends a change, which may be of several commits: pending operations stand on what is there now. */
  settle(): void
  /** Takes all of them off. */
  clear(): void
}

export function createOverlay(): Overlay {
  const pending: Operation[] = []
  /** The dependencies of pending operations, with the number of operations for each. */
  const watched = new Map<Slot | Table, number>()
  /** Watched slots that were replaced, until the operations have been worked out again. */
  const changed = new Set<Slot | Table>()
  /** What an operation that has gone had covered, and where it stood: only those above it stood on it. */
  let left: readonly Slot[] = []
  let leftAt = 0

  // An operation that looked for lists does not depend on their content.
  const add = (slot: Slot, joins?: unknown): unknown =>
    joins === true || slot.list === undefined ? changed.add(slot).add(slot.table) : changed.add(slot)

  const watch = ({ reads }: Operation, step: 1 | -1): void => {
    for (const source of reads) {
      const count = (watched.get(source) ?? 0) + step
      if (count > 0) {
        watched.set(source, count)
      } else {
        watched.delete(source)
      }
    }
  }

  /** @param before the layers it had: what is equal keeps its reference, so that nobody is told of it */
  const apply = (operation: Operation, before?: ReadonlyMap<Slot, Layer>): void => {
    const { change, reads } = operation.run()
    operation.slots = change.slots
    operation.reads = reads
    watch(operation, 1)
    for (const slot of operation.slots) {
      const { value, meta, entries } = slot.draft!
      const old = before?.get(slot)
      slot.draft = undefined
      lay(
        slot,
        entries
          ? new ListLayer(slot, operation, entries, old)
          : { value: (slot.list ? keepEqual : share)(old?.value, value), meta, by: operation },
      )
    }
  }

  const lay = (slot: Slot, layer: Layer): void => {
    if (DEV && !layer.entries && typeof layer.value === 'object') {
      freezePlain(layer.value)
    }
    alter(slot, () => {
      renew([layer])
      ;(slot.layers ??= []).push(layer)
      if (slot.at < 0) {
        slot.table.floating.add(slot)
      }
    })
  }

  const lift = (operation: Operation): Map<Slot, Layer> => {
    const lifted = new Map<Slot, Layer>()
    for (const slot of operation.slots) {
      const { layers } = slot
      const at = layers?.findIndex((layer) => layer.by === operation) ?? -1
      if (at < 0) {
        continue
      }
      alter(slot, () => {
        lifted.set(slot, layers!.splice(at, 1)[0]!)
        renew(layers!.slice(at))
        if (layers!.length > 0) {
          return
        }
        slot.layers = undefined
        slot.table.floating.delete(slot)
      })
    }
    return lifted
  }

  const isReached = ({ reads }: Operation, i: number): boolean => {
    if (i === leftAt) {
      left.forEach(add)
    }
    for (const source of reads) {
      if (changed.has(source)) {
        return true
      }
    }
    return false
  }

  return {
    pending,
    addOperation: (operation) => {
      pending.push(operation)
      apply(operation)
    },
    removeOperation: (operation) => {
      const at = pending.indexOf(operation)
      if (at < 0) {
        return
      }
      pending.splice(at, 1)
      lift(operation)
      watch(operation, -1)
      left = operation.slots
      leftAt = at
    },
    moved: (slot, joins) => {
      if (pending.length > 0 && (watched.has(slot) || watched.has(slot.table))) {
        add(slot, joins)
      }
      if (slot.layers !== undefined) {
        renew(slot.layers)
        slot.node?.touch()
      }
    },
    /**
     * Runs the operations again that depend on what changed, and those above them that depend on these. All layers from
     * the first of them on are taken off and laid again in order, so that each stands on what lies below it.
     */
    settle: () => {
      if (left.length === 0 && changed.size === 0) {
        return
      }
      const first = pending.findIndex(isReached)
      if (first >= 0) {
        const above = pending.slice(first)
        const lifted = above.map(lift)
        for (const [i, operation] of above.entries()) {
          if (!isReached(operation, first + i)) {
            for (const [slot, layer] of lifted[i]!) {
              lay(slot, layer)
            }
            continue
          }
          operation.slots.forEach(add)
          watch(operation, -1)
          apply(operation, lifted[i])
          operation.slots.forEach(add)
        }
      }
      changed.clear()
      left = []
    },
    clear: () => {
      pending.splice(0).reverse().forEach(lift)
      watched.clear()
      changed.clear()
      left = []
    },
  }
}

/** Makes them compute their lists again from the rows below. */
function renew(layers: readonly Layer[]): void {
  for (const layer of layers) {
    if (layer instanceof ListLayer) {
      layer.renew()
    }
  }
}

/** Changes the layers of a slot; whoever depends on it, or on which rows there are, is told. */
function alter(slot: Slot, change: () => void): void {
  const there = isThere(slot)
  change()
  if (isThere(slot) !== there) {
    joined(slot.table)
  }
  slot.node?.touch()
}
