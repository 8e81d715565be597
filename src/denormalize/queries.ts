import { stableKey } from '../base/stableKey.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import { extras, Node, unlink } from './memo.ts'

/** How many queries without subscribers are kept for the next reader. */
const KEPT = 200

/** The nodes of queries: one for each schema and arguments, while it has readers or was read lately. */
export interface Queries {
  node(schema: object, args: readonly any[]): Node
  /** Marks a node as read; forgets those without readers that were not read for long. */
  use(node: Node): void
}

export function createQueries(): Queries {
  const bySchema = new WeakMap<object, Map<string, Node>>()
  const idle = new Set<Node>()
  function use(node: Node): void {
    idle.delete(node)
    idle.add(node)
    for (const old of idle) {
      if (idle.size <= KEPT) {
        return
      }
      idle.delete(old)
      if (old.extra!.view?.isMounted || old.up !== undefined) {
        continue
      }
      unlink(old)
      bySchema.get(old.schema as object)?.delete(old.extra!.variant)
    }
  }
  function node(schema: object, args: readonly any[]): Node {
    let nodes = bySchema.get(schema)
    if (nodes === undefined) {
      bySchema.set(schema, (nodes = new Map()))
    }
    const name = isSorted(args) ? JSON.stringify(args) : stableKey(args)
    let found = nodes.get(name)
    if (found === undefined) {
      nodes.set(name, (found = queryNode(schema, args, name)))
    }
    if (!found.extra!.view?.isMounted) {
      use(found)
    }
    return found
  }
  return { node, use }
}

/** True where a stable key is plain JSON, as for most arguments: that is many times as fast. */
function isSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return true
  }
  if (Array.isArray(value)) {
    return value.every(isSorted)
  }
  if ('toJSON' in value) {
    return false
  }
  let last = ''
  for (const name in value) {
    if (name < last || !isSorted((value as Record<string, unknown>)[name])) {
      return false
    }
    last = name
  }
  return true
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
    for (const dep of node.deps) {
      met.add(dep)
    }
  }
  return sources
}

/** Every row of a value, missing ones included. */
export function slotsOf(root: Node): Slot[] {
  return [...sourcesOf(root)].filter((source): source is Slot => !(source instanceof Table))
}
