import { DIRTY, link, nodesOf, unlink } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { Store } from '../store/Store.ts'
import type { GCAction } from './actions.ts'
import type { Result } from './Result.ts'

/** Removes rows and results. Data that was made from them is fetched again when it is shown again. */
export function collect(store: Store, { entities, endpoints }: Omit<GCAction, 'type'>): void {
  const { tables } = store
  const slots = [
    ...endpoints.map((key) => tables.endpoints.slots.get(key)),
    ...entities.map(({ key, pk }) => tables.tables.get(key)?.slots.get(pk)),
  ].filter((slot): slot is Row => slot !== undefined)
  store.doubt(slots, 'collected')
  store.drop(slots, 'collected')
  slots.forEach(forget)
}

/** Removes the nodes of a removed row, and its slot, unless something still depends on it. */
export function forget(slot: Row): void {
  const nodes = slot.node ? nodesOf(slot.node) : []
  if (
    slot.pending !== undefined ||
    (slot as Result).requests?.size > 0 ||
    nodes.some((node) => node.aside?.view?.isMounted)
  ) {
    return
  }
  for (const node of nodes) {
    if (node.up === undefined) {
      unlink(node)
    } else if (node.flags & DIRTY) {
      // Rows that refer to each other have to be unlinked; other dependents see that the value has changed.
      link(node, [])
    }
  }
  if (nodes.every((node) => node.up === undefined)) {
    slot.table.slots.delete(slot.pk)
  }
}
