import { DIRTY, MUST_REBUILD, link, type Node, nodesOf, unlink } from '../denormalize/memo.ts'
import type { Slot, Tables } from '../normalize/tables.ts'
import { INVALID } from '../schema/Schema.ts'
import { listsOf } from '../store/holds.ts'
import { createNames } from '../store/refs.ts'
import type { Store } from '../store/Store.ts'
import type { Garbage } from './sweep.ts'

/** The slots of rows and results. */
export function findSlots({ tables, endpoints }: Tables, garbage: Garbage): Slot[] {
  const slots: (Slot | undefined)[] = garbage.endpoints.map((key) => endpoints.slots.get(key))
  for (const { key, pk } of garbage.entities) {
    slots.push(tables.get(key)?.slots.get(pk))
  }
  return slots.filter((slot): slot is Slot => slot !== undefined)
}

/**
 * Removes rows and results. Lists that name a removed row become stale; the mark of a deleted record is removed from them.
 *
 * @param isSwept nothing that stays names them
 */
export function collect(store: Store, slots: readonly Slot[], isSwept: boolean): void {
  for (const slot of slots) {
    if (slot.value === INVALID) {
      for (const list of listsOf(store.tables, slot)) {
        store.removeItem(list, slot)
      }
    }
  }
  const isNamed = ({ table, value }: Slot): boolean => table !== store.tables.endpoints && value !== INVALID
  if (!isSwept) {
    ageNaming(store, new Set(slots.filter(isNamed)))
  }
  store.drop(slots)
  slots.forEach(forget)
}

/** Lists and results that name a removed row become stale. */
function ageNaming(store: Store, removed: ReadonlySet<Slot>): void {
  if (removed.size === 0) {
    return
  }
  const { endpoints } = store.tables
  let names: boolean
  const follow = createNames(store.tables, (slot) => (names ||= removed.has(slot)))
  for (const table of [endpoints, ...store.tables.tables.values()]) {
    for (const slot of table.rows) {
      if (table !== endpoints && slot.list === undefined) {
        continue
      }
      names = false
      follow(slot)
      if (!names) {
        continue
      }
      store.expire(slot)
      for (const key of slot.list?.keys ?? []) {
        const result = endpoints.slots.get(key)
        if (result?.meta !== undefined) {
          store.expire(result)
        }
      }
    }
  }
}

/** Removes the nodes of a removed row, and its slot, unless something still depends on it. */
export function forget(slot: Slot): void {
  const nodes = slot.node ? nodesOf(slot.node as Node) : []
  if (slot.pending !== undefined || nodes.some((node) => node.extra?.view?.isMounted)) {
    return
  }
  for (const node of nodes) {
    if (node.up === undefined) {
      unlink(node)
    } else if (node.flags & DIRTY) {
      // Rows that refer to each other have to be unlinked; other dependents see that the value has changed.
      link(node, [])
      node.flags |= MUST_REBUILD
    }
  }
  if (nodes.every((node) => node.up === undefined)) {
    slot.table.slots.delete(slot.pk)
  }
}
