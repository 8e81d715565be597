import type { ReadersFact } from '../advice/Explanation.ts'
import type { SharedView } from '../views/SharedView.ts'
import type { ViewReader } from '../views/ViewReader.ts'
import { type Node, nodesOf, parentsOf } from '../rows/Node.ts'
import { type Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { nodeName } from './rowNames.ts'

/** The readers of some views. */
export function readersOf(nodes: readonly Node[]): ReadersFact {
  const listeners: ViewReader[] = nodes.flatMap(({ aside }) => [
    ...((aside?.view as SharedView | undefined)?.readers ?? []),
  ])
  return {
    count: listeners.length,
    fetching: listeners.filter(({ passive }) => !passive).length,
    components: [...new Set(listeners.flatMap(({ name }) => name ?? []))],
    views: [...new Set(nodes.map(nodeName))],
  }
}

/** The mounted views of one node's row, or the node itself. */
export function mountedViews(node: Node): Node[] {
  const { source } = node
  const first = source === undefined || source instanceof Table ? node : (source.node ?? node)
  return [...new Set([node, ...nodesOf(first)])].filter(isMounted)
}

/** The mounted views that a row is part of. */
export function mountedOn({ node }: Row): Node[] {
  const met = new Set<Node>(node ? nodesOf(node) : [])
  const found: Node[] = []
  for (const one of met) {
    if (isMounted(one)) {
      found.push(one)
    }
    for (const parent of parentsOf(one)) {
      met.add(parent)
    }
  }
  return found
}

function isMounted({ aside }: Node): boolean {
  return (aside?.view as SharedView | undefined)?.isMounted === true
}
