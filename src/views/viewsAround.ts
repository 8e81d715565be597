import { rowsOf } from '../reading/query.ts'
import { type Node, nodesOf, parentsOf } from '../rows/Node.ts'
import type { Result } from '../requests/Result.ts'
import type { SharedView } from './SharedView.ts'

/** The views on the screen whose results contain rows of a node, and are fetched again: what they bring is fresh. */
export function viewsAround(node: Node): SharedView[] {
  const met = new Set(rowsOf(node).flatMap((row) => (row.node ? nodesOf(row.node) : [])))
  const found: SharedView[] = []
  for (const one of met) {
    const view = one.aside?.view as SharedView | undefined
    const isResult = one.kind === 'result' && one.source !== node.source && (one.source as Result).meta !== undefined
    if (isResult && view && view.active > 0 && view.isFetched) {
      found.push(view)
    }
    for (const parent of parentsOf(one)) {
      met.add(parent)
    }
  }
  return found
}
