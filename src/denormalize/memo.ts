import type { Slot, Table, Watcher } from '../normalize/tables.ts'

/** Something below it was written: its value may be outdated. */
export const DIRTY = 1
/** Its value is outdated and has to be built again. */
export const MUST_REBUILD = 2
/** It is being built: there is an object to refer to, but its fields are not all set. */
export const MAKING = 4
/** User code threw while it was built; `value` is the error. */
export const FAILED = 8
/** `verify` has met it. */
export const VISITING = 16

export const NONE: readonly Node[] = []
export const UNMADE: unique symbol = Symbol('unmade')

export type Kind = 'entity' | 'list' | 'result' | 'query' | 'all' | 'table' | 'cell' | 'index'

/** The view of a node, which has the readers that are notified. */
export interface NodeView {
  /** It has readers. */
  readonly isMounted: boolean
  /** The value may have changed. */
  changed(): void
  /** It may have become stale. `isRenewed`: or fresh again, which readers would not notice otherwise. */
  aged(isRenewed?: boolean): void
}

/** A node with more dependencies than this keeps a record of those that were touched; past `MANY` it looks at all. */
const FEW = 8
const MANY = 64

/**
 * A value made from the store, and what it was made from. Dependencies are known in both directions: downwards to
 * see whether something really changed, upwards to find what a changed row was part of.
 */
export class Node implements Watcher {
  readonly kind: Kind
  readonly schema: any
  /** The row, or the table, it is made from. */
  readonly source: Slot | Table | undefined
  extra: NodeExtra | undefined
  value: any = undefined
  /** The value of its source when it was made. */
  seen: unknown = UNMADE
  deps: readonly Node[] = NONE
  /** Of many dependencies those touched since it was made; `undefined`: any of them. */
  touched: Node[] | undefined = undefined
  /** An array of itself alone, shared as `deps` by all nodes that depend on it only. */
  alone: readonly Node[] | undefined = undefined
  /** The nodes it is part of: none, one, a few, many. */
  up: Node | Node[] | Set<Node> | undefined = undefined
  flags: number = DIRTY | MUST_REBUILD
  /** When it was last up to date, and when it last changed, in runs of the reader. */
  builtAt = 0
  changedAt = 0
  mark = 0

  constructor(kind: Kind, schema: any, source: Slot | Table | undefined, extra?: NodeExtra) {
    this.kind = kind
    this.schema = schema
    this.source = source
    this.extra = extra
  }

  /** Lets the readers of everything it is part of judge their freshness again. */
  aged(isRenewed?: boolean): void {
    const met = new Set(nodesOf(this))
    for (const node of met) {
      node.extra?.view?.aged(isRenewed)
      for (const parent of parentsOf(node)) {
        met.add(parent)
      }
    }
  }

  touch(): void {
    const stack = nodesOf(this)
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.flags & DIRTY) {
        continue
      }
      node.flags |= DIRTY
      node.extra?.view?.changed()
      const { up } = node
      if (up instanceof Node) {
        reach(up, node, stack)
      } else if (up !== undefined) {
        for (const parent of up) {
          reach(parent, node, stack)
        }
      }
    }
  }
}

function reach(parent: Node, node: Node, stack: Node[]): void {
  if (parent.touched !== undefined && parent.touched.push(node) > MANY) {
    parent.touched = undefined
  }
  stack.push(parent)
}

/** All nodes of the row that a node is the first of. */
export function nodesOf(first: Node): Node[] {
  return [first, ...(first.extra?.siblings ?? [])]
}

/** Members that few nodes need. */
export interface NodeExtra {
  /** Unset where the arguments are those of the node above it. */
  readonly args: readonly any[] | undefined
  /** Arguments and depth that its value depends on, as text; empty for most. */
  readonly variant: string
  /** How many levels of relations are left; `Infinity` for most. */
  readonly depth: number
  readonly path: string | undefined
  /** Other nodes of the same row. */
  siblings?: Node[]
  view?: NodeView | undefined
  /** The value that was last found complete. */
  complete?: unknown
}

/** Extras of a node that depends on nothing special. */
export function extras(args?: readonly any[], variant = '', depth: number = Infinity, path?: string): NodeExtra {
  return { args, variant, depth, path }
}

/** Sets the dependencies of a node. */
export function link(node: Node, deps: readonly Node[]): void {
  const old = node.deps
  let start = 0
  while (start < deps.length && old[start] === deps[start]) {
    start++
  }
  node.deps = deps
  if (start < old.length) {
    const stamp = ++stamps
    for (const dep of deps) {
      dep.mark = stamp
    }
    for (let i = start; i < old.length; i++) {
      if (old[i]!.mark !== stamp) {
        removeUp(old[i]!, node)
      }
    }
  }
  for (let i = start; i < deps.length; i++) {
    addUp(deps[i]!, node)
  }
}

/** The dependencies that were noted from `from` to `to`. */
export function depsFrom(noted: readonly Node[], from: number, to: number): readonly Node[] {
  if (from === to) {
    return NONE
  }
  const one = noted[from]!
  return to === from + 1 ? (one.alone ??= [one]) : noted.slice(from, to)
}

/** Removes a node from the graph. */
export function unlink(node: Node): void {
  link(node, NONE)
  node.flags |= DIRTY | MUST_REBUILD
  node.seen = UNMADE
  node.value = undefined
  // The next reader gets another view.
  if (node.extra?.view) {
    node.extra.view = undefined
  }
}

let stamps = 0

/** Most nodes are part of one thing, some of a few; a set is for those that are part of many. */
function addUp(node: Node, parent: Node): void {
  const { up } = node
  if (up === undefined) {
    node.up = parent
  } else if (up instanceof Node) {
    if (up !== parent) {
      node.up = [up, parent]
    }
  } else if (up instanceof Set) {
    up.add(parent)
  } else if (!up.includes(parent)) {
    up.push(parent)
    if (up.length > FEW) {
      node.up = new Set(up)
    }
  }
}

/** The nodes that a node is part of. */
export function parentsOf({ up }: Node): Iterable<Node> {
  return up === undefined ? NONE : up instanceof Node ? [up] : up
}

function removeUp(node: Node, parent: Node): void {
  const { up } = node
  if (up === parent) {
    node.up = undefined
  } else if (up instanceof Set) {
    if (up.delete(parent) && up.size === 0) {
      node.up = undefined
    }
  } else if (Array.isArray(up)) {
    const rest = up.filter((other) => other !== parent)
    node.up = rest.length > 0 ? rest : undefined
  }
}

/** Marks a node as up to date. */
export function clean(node: Node, now: number): void {
  node.flags &= FAILED
  node.builtAt = now
  node.touched = node.deps.length > FEW ? [] : undefined
}
