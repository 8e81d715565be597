import type { CommittedChange } from '../rows/feed.ts'
import { isWrite } from '../rows/Meta.ts'
import { type Node, nodesOf, parentsOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { SentRow } from './messages.ts'

/** The app has changed a record, or a mutation has. Of lists every tab judges for itself. */
export function isWritten({ row, what, by }: CommittedChange<Row>): boolean {
  return what !== 'age' && by !== undefined && isWrite(by) && row.key !== '' && !row.table.isOfLists
}

/** It was fetched. The age of records goes with that of their results. */
export function isRead({ row, what, by }: CommittedChange<Row>): boolean {
  const isNews = by?.kind === 'read' && row.meta === by && (what === 'value' || row.key === '')
  return isNews && (row.meta as { error?: unknown }).error === undefined && row.value !== undefined
}

/** A mounted reader has it in its data. */
export function isShown({ node }: Row): boolean {
  const met = new Set<Node>(node ? nodesOf(node) : [])
  for (const one of met) {
    if (one.aside?.view?.isMounted) {
      return true
    }
    for (const parent of parentsOf(one)) {
      met.add(parent)
    }
  }
  return false
}

/** Records come before the lists that name them. */
export function rankOf([key]: SentRow): number {
  return key === '' ? 2 : /^[[{]/.test(key) ? 1 : 0
}
