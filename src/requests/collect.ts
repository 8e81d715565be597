import { DIRTY, link, nodesOf, unlink } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { Store } from '../store/Store.ts'
import type { GCAction } from './actions.ts'
import type { Result } from './Result.ts'

/** Removes rows and results. Data that was made from them is fetched again when it is shown again. */
export function collect(store: Store, { entities, endpoints }: Omit<GCAction, 'type'>): void {
  const { tables } = store
  const rows = [
    ...endpoints.map((key) => tables.endpoints.byPk.get(key)),
    ...entities.map(({ key, pk }) => tables.tables.get(key)?.byPk.get(pk)),
  ].filter((row): row is Row => row !== undefined)
  store.doubt(rows, 'collected')
  store.drop(rows, 'collected')
  rows.forEach(forget)
}

/** Removes the nodes of a removed row, and its row, unless something still depends on it. */
export function forget(row: Row): void {
  const nodes = row.node ? nodesOf(row.node) : []
  if (
    row.pending !== undefined ||
    (row as Result).requests?.size > 0 ||
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
    row.table.byPk.delete(row.pk)
  }
}
