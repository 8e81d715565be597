import type { Node } from '../rows/Node.ts'
import { rowsOf } from '../reading/query.ts'
import type { Row } from '../rows/Row.ts'
import type { ResultMeta } from '../store/Store.ts'

/** When the value of a node was fetched: its response, or without one the oldest record in it. */
export function fetchedAtOf(node: Node): number | undefined {
  const { meta, value } = node.source as Row
  if (value !== undefined) {
    const { error, fetchedAt, valueFetchedAt } = meta as ResultMeta
    return error === undefined ? fetchedAt : valueFetchedAt
  }
  const times = rowsOf(node).flatMap((row) => (row !== node.source && row.meta ? [row.meta.fetchedAt] : []))
  return times.length > 0 ? Math.min(...times) : undefined
}
