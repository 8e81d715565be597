import { stableKey } from '../base/stableKey.ts'
import { recall } from '../base/recall.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import { extras, Node, unlink } from './memo.ts'

/** How many queries without readers are kept at most, for the next reader; half of them are when it is exceeded. */
const MOST = 400

/** The nodes of queries: one for each schema and arguments, while it has readers or was read lately. */
export interface Queries {
  node(schema: object, args: readonly any[]): Node
  /** Marks a node as read; forgets those without readers that were not read for long. */
  use(node: Node): void
}

export function createQueries(): Queries {
  const bySchema = new WeakMap<object, Map<string, Node>>()
  // In the order they were last read.
  const idle = new Set<Node>()
  const use = (node: Node): void => {
    idle.delete(node)
    idle.add(node)
    for (const old of idle.size > MOST ? [...idle].slice(0, MOST / 2) : []) {
      idle.delete(old)
      if (!old.extra!.view?.isMounted && old.up === undefined) {
        unlink(old)
        bySchema.get(old.schema as object)?.delete(old.extra!.variant)
      }
    }
  }
  return {
    use,
    node(schema, args) {
      const name = isSorted(args) ? JSON.stringify(args) : stableKey(args)
      const nodes = recall(bySchema, schema, () => new Map<string, Node>())
      const found = recall(nodes, name, () => queryNode(schema, args, name))
      if (!found.extra!.view?.isMounted) {
        use(found)
      }
      return found
    },
  }
}

/** True where a stable key is plain JSON, as for most arguments: that is many times as fast. */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return true
  }
  let last = ''
  return (
    !('toJSON' in value) &&
    Object.entries(value).every(([name, member]) => {
      const isNext = Array.isArray(value) || name >= last
      last = name
      return isNext && isSorted(member)
    })
  )
}

/** A new node of a query. */
export function queryNode(schema: object, args: readonly any[], name?: string): Node {
  return new Node('query', schema, undefined, extras(args, name))
}

/** Every row of a value, missing ones included, and every table whose rows it lists. */
export function sourcesOf(root: Node): Set<Slot | Table> {
  const sources = new Set<Slot | Table>()
  const met = new Set<Node>([root])
  for (const node of met) {
    if (node.source !== undefined) {
      sources.add(node.source)
    }
    node.deps.forEach((dep) => met.add(dep))
  }
  return sources
}

/** Every row of a value, missing ones included. */
export function slotsOf(root: Node): Slot[] {
  return [...sourcesOf(root)].filter((source): source is Slot => !(source instanceof Table))
}
