import { type Doubt, laterDoubt, NO_DOUBT } from './doubt.ts'
import type { Row } from './Row.ts'
import type { Table } from './Table.ts'

/** A row that it was made from has changed: it is built again by the next read. */
export const DIRTY = 1
/** It is being built: there is an object to refer to, but its fields are not all set. */
export const MAKING = 2
/** User code threw while it was built; `value` is the error. */
export const FAILED = 4

export const NONE: readonly Node[] = []

/** `leaf`: the very content of a row, an entry of an index, the version of a table. `live`: its schema is a `Live`. */
export type Kind = 'entity' | 'list' | 'result' | 'query' | 'all' | 'leaf' | 'live'

/** A value that keeps itself up to date: a part of a live query (`query/`). */
export interface Live<R = unknown> {
  /** Computes the value. `old` is the one before, unless that was released. */
  compute(reader: R, node: Node, old: unknown): unknown
  /** The nodes that it is made from beside its dependencies: they are many, and it finds out by itself which have changed. */
  inputs?(): Iterable<Node>
}

/** A node with more dependencies than this remembers which of them were touched, as long as they are not more. */
const FEW = 8

/**
 * A value made from the store, and what it was made from. Dependencies are known in both directions: downwards to
 * find all rows of a value, upwards to find what a changed row was part of.
 */
export class Node {
  readonly kind: Kind
  schema: any
  /** The row, or the table, it is made from. */
  readonly source: Row | Table | undefined
  aside: NodeExtra | undefined
  value: any = undefined
  /** The value of its source when it was made. */
  seen: unknown = undefined
  deps: readonly Node[] = NONE
  /** Of many dependencies those touched since it was made; `undefined`: any of them. */
  touched: Node[] | undefined = undefined
  /** The nodes it is part of. For most that is one; of many it is a set once one of them has left. */
  up: Node | Node[] | Set<Node> | undefined = undefined
  /** In which comparison of dependencies it was last met: see `link`. */
  met = 0
  flags: number = DIRTY
  /** The last doubt of a row in it. */
  doubt: Doubt = NO_DOUBT

  constructor(kind: Kind, schema: any, source: Row | Table | undefined, aside?: NodeExtra) {
    this.kind = kind
    this.schema = schema
    this.source = source
    this.aside = aside
  }

  /** Lets the readers of everything it is part of judge their freshness again. A change of many rows tells each once (`met`). */
  aged(met: Set<Node> = new Set()): void {
    const stack = nodesOf(this)
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (!met.has(node)) {
        met.add(node)
        node.aside?.view?.aged()
        for (const parent of parentsOf(node)) {
          stack.push(parent)
        }
      }
    }
  }

  /** A row of it is in doubt, and so are the results that it is part of; `note` is called with each of those before. */
  raise(doubt: Doubt, note?: (result: Row) => void): void {
    const stack: Node[] = [this]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.doubt.at < doubt.at) {
        if (node.kind === 'result') {
          note?.(node.source as Row)
        }
        node.doubt = doubt
        for (const parent of parentsOf(node)) {
          stack.push(parent)
        }
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
      node.aside?.view?.changed()
      for (const parent of parentsOf(node)) {
        if (parent.touched !== undefined && parent.touched.push(node) > FEW) {
          parent.touched = undefined
        }
        stack.push(parent)
      }
    }
  }
}

/** Releases what was last made from rows that are gone, and everything that was made from it; a reader makes it again. */
export function release(first: Node, met: Set<Node>): void {
  const stack = nodesOf(first)
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!met.has(node) && (node.flags & (DIRTY | MAKING)) === DIRTY) {
      met.add(node)
      node.value = node.seen = undefined
      if (node.aside?.complete) {
        node.aside.complete = undefined
      }
      for (const parent of parentsOf(node)) {
        stack.push(parent)
      }
    }
  }
}

/** Members that few nodes need. */
export interface NodeExtra {
  /** Unset where the arguments are those of the node above it. */
  readonly args?: readonly any[]
  /** The arguments that its value depends on, as text, where there may be several nodes of a schema. */
  readonly variant?: string | undefined
  readonly path?: string | undefined
  /** Other nodes of the same row. */
  siblings?: Node[]
  /** The readers that are notified (`SharedView`). */
  view?:
    | {
        readonly isMounted: boolean
        /** The value may have changed. */
        changed(): void
        /** It may have become stale, or fresh again. */
        aged(): void
      }
    | undefined
  /** The value that was last found complete. */
  complete?: unknown
}

/** All nodes of the row that a node is the first of. */
export function nodesOf(first: Node): Node[] {
  const siblings = first.aside?.siblings
  return siblings ? [first, ...siblings] : [first]
}

/** The nodes that a node is part of. */
export function parentsOf({ up }: Node): Iterable<Node> {
  return up instanceof Node ? [up] : (up ?? NONE)
}

let comparisons = 0

/** Sets the dependencies of a node. Returns the last doubt in those that are new, which may be settled. */
export function link(node: Node, deps: readonly Node[]): Doubt {
  const old = node.deps
  if (deps === old) {
    return NO_DOUBT
  }
  let start = 0
  while (start < deps.length && old[start] === deps[start]) {
    start++
  }
  if (start === old.length && start === deps.length) {
    return NO_DOUBT
  }
  node.deps = deps
  // One that leaves its place may stand before `start`, too.
  start = start < old.length ? 0 : start
  const had = ++comparisons
  const has = ++comparisons
  for (let i = start; i < old.length; i++) {
    old[i]!.met = had
  }
  let doubt = NO_DOUBT
  for (let i = start; i < deps.length; i++) {
    const dep = deps[i]!
    if (dep.met < had) {
      doubt = laterDoubt(doubt, dep.doubt)
      addParent(dep, node)
    }
    dep.met = has
  }
  for (let i = start; i < old.length; i++) {
    if (old[i]!.met === had) {
      removeParent(old[i]!, node)
    }
  }
  return doubt
}

function addParent(dep: Node, node: Node): void {
  const { up } = dep
  if (up instanceof Set) {
    up.add(node)
  } else if (Array.isArray(up)) {
    up.push(node)
  } else {
    dep.up = up ? [up, node] : node
  }
}

/** To find one in a long array takes time, and so does filling a set: most nodes lose no parent. */
function removeParent(dep: Node, node: Node): void {
  if (dep.up === node) {
    dep.up = undefined
    return
  }
  const left = dep.up instanceof Set ? dep.up : new Set(parentsOf(dep))
  left.delete(node)
  dep.up = left.size > FEW ? left : left.size > 1 ? [...left] : [...left][0]
}

/** Removes a node from the graph. */
export function unlink(node: Node): void {
  link(node, NONE)
  node.flags |= DIRTY
  node.seen = node.value = undefined
  // The next reader gets another view.
  if (node.aside?.view) {
    node.aside.view = undefined
  }
}

/** Marks a node as up to date. */
export function clean(node: Node): void {
  node.flags &= FAILED
  node.touched = node.deps.length > FEW ? [] : undefined
}
