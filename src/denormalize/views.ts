import { stableKey } from '../base/stableKey.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import { extras } from './denormalize.ts'
import { Node, unlink } from './memo.ts'

/** Queries nobody is subscribed to that are kept for the next reader. */
const KEPT = 200

/** The views of queries: one for each schema and arguments, as long as somebody reads it or it was read lately. */
export class Queries {
  private readonly bySchema = new WeakMap<object, Map<string, Node>>()
  private readonly idle = new Set<Node>()

  node(schema: object, args: readonly any[]): Node {
    let views = this.bySchema.get(schema)
    if (views === undefined) this.bySchema.set(schema, (views = new Map()))
    const name = stableKey(args)
    let node = views.get(name)
    if (node === undefined) {
      node = new Node('query', schema, undefined, extras(args, name))
      views.set(name, node)
    }
    this.use(node)
    return node
  }

  /** Lets go of what was not read for long, except what somebody is subscribed to. */
  use(node: Node): void {
    this.idle.delete(node)
    this.idle.add(node)
    if (this.idle.size <= KEPT) return
    for (const old of this.idle) {
      this.idle.delete(old)
      if (old.extra!.told !== undefined || old.up !== undefined) continue
      unlink(old)
      this.bySchema.get(old.schema as object)?.delete(old.extra!.variant)
      if (this.idle.size <= KEPT) return
    }
  }
}

/** Every row that a value was made from, missing ones too, and every table whose rows it asked for. */
export function sourcesOf(root: Node): Set<Slot | Table> {
  const sources = new Set<Slot | Table>()
  const met = new Set<Node>([root])
  for (const node of met) {
    if (node.source !== undefined) sources.add(node.source)
    for (const dep of node.deps) met.add(dep)
  }
  return sources
}

/** Every row that a value was made from, missing ones too. */
export function slotsOf(root: Node): Slot[] {
  return [...sourcesOf(root)].filter((source): source is Slot => !(source instanceof Table))
}
