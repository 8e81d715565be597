import { nodesOf } from '../normalize/Node.ts'
import type { Slot } from '../normalize/tables.ts'
import type { SharedView } from './SharedView.ts'

/** The views of a row: one for each schema by which it is read. */
export function viewsOf({ node }: Slot): SharedView[] {
  return node ? nodesOf(node).flatMap(({ aside }) => (aside?.view as SharedView | undefined) ?? []) : []
}
