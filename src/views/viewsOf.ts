import { nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { SharedView } from './SharedView.ts'

/** The views of a row: one for each schema by which it is read. */
export function viewsOf({ node }: Row): SharedView[] {
  return node ? nodesOf(node).flatMap(({ aside }) => (aside?.view as SharedView | undefined) ?? []) : []
}
