import { stableKey } from '../base/stableKey.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import { extras, Node, unlink } from './memo.ts'

/** Queries nobody is subscribed to that are kept for the next reader. */
const KEPT = 200

/** The views of queries: one for each schema and arguments, as long as somebody reads it or it was read lately. */
export interface Queries {
  node(schema: object, args: readonly any[]): Node
  /** Lets go of what was not read for long, except what somebody is subscribed to. */
  use(node: Node): void
}

/** Makes the place for views of queries. */
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
      if (old.extra!.told !== undefined || old.up !== undefined) {
        continue
      }
      unlink(old)
      bySchema.get(old.schema as object)?.delete(old.extra!.variant)
    }
  }
  function node(schema: object, args: readonly any[]): Node {
    let views = bySchema.get(schema)
    if (views === undefined) {
      bySchema.set(schema, (views = new Map()))
    }
    const name = isSorted(args) ? JSON.stringify(args) : stableKey(args)
    let found = views.get(name)
    if (found === undefined) {
      views.set(name, (found = queryNode(schema, args, name)))
    }
    // What is mounted stays in any case.
    if (found.extra!.told === undefined) {
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

/** A view of a query that nobody else reads. */
export function queryNode(schema: object, args: readonly any[], name?: string): Node {
  return new Node('query', schema, undefined, extras(args, name))
}

/** Every row that a value was made from, missing ones too, and every table whose rows it asked for. */
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

/** Every row that a value was made from, missing ones too. */
export function slotsOf(root: Node): Slot[] {
  return [...sourcesOf(root)].filter((source): source is Slot => !(source instanceof Table))
}
