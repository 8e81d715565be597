import type { Slot, Table, Watcher } from '../normalize/tables.ts'

/** What was handed out may be out of date. */
export const DIRTY = 1
/** It is out of date for certain and has to be made again. */
export const KNOWN = 2
/** It is being made: there is an object to refer to, whose fields are not all set. */
export const MAKING = 4
/** User code threw while it was made; `view` is the error. */
export const FAILED = 8
const VISITING = 16
const UNSURE = 32

const NONE: readonly Node[] = []
export const UNMADE: unique symbol = Symbol('unmade')

export type Kind = 'entity' | 'list' | 'result' | 'query' | 'all' | 'table' | 'cell' | 'index'

/** A mounted reader of a view. */
export interface Told {
  /** The view may have changed. */
  changed(): void
  /** It may have become stale. */
  aged(): void
}

/**
 * A value made from the store, and what it was made from. Dependencies are known in both directions: downwards to
 * see whether something really changed, upwards to find what a changed row was part of.
 */
export class Node implements Watcher {
  readonly kind: Kind
  readonly schema: any
  /** The row, or the table, it is made from. */
  readonly source: Slot | Table | undefined
  readonly extra: NodeExtra | undefined
  view: any = undefined
  /** The value of its source when it was made. */
  seen: unknown = UNMADE
  deps: readonly Node[] = NONE
  /** What it is part of: nothing, one, a few, many. */
  up: Node | Node[] | Set<Node> | undefined = undefined
  flags: number = DIRTY | KNOWN
  /** When it was last found to be right, and when it last changed, in runs of the reader. */
  builtAt = 0
  changedAt = 0
  mark = 0

  constructor(kind: Kind, schema: any, source: Slot | Table | undefined, extra?: NodeExtra) {
    this.kind = kind
    this.schema = schema
    this.source = source
    this.extra = extra
  }

  aged(): void {
    tellAged(this)
    for (const other of this.extra?.siblings ?? []) tellAged(other)
  }

  touch(): void {
    const stack: Node[] = [this, ...(this.extra?.siblings ?? [])]
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.flags & DIRTY) continue
      node.flags |= DIRTY
      node.extra?.told?.changed()
      const { up } = node
      if (up === undefined) continue
      if (up instanceof Node) stack.push(up)
      else for (const parent of up) stack.push(parent)
    }
  }
}

/** Lets the readers of everything a node is part of judge their freshness again. */
function tellAged(node: Node): void {
  const met = new Set<Node>([node])
  for (const part of met) {
    part.extra?.told?.aged()
    const { up } = part
    if (up instanceof Node) met.add(up)
    else for (const parent of up ?? []) met.add(parent)
  }
}

/** What only few nodes have. */
export interface NodeExtra {
  readonly args: readonly any[]
  /** False where the arguments are those of whoever reads it. */
  readonly hasArgs: boolean
  /** Arguments and depth that its value depends on, as text; empty for most. */
  readonly variant: string
  /** How many levels of relations are left; `Infinity` for most. */
  readonly depth: number
  readonly path: string | undefined
  /** Other views of the same row. */
  siblings: Node[] | undefined
  told: Told | undefined
  /** What it was before a pending operation. */
  kept: { view: unknown; seen: unknown; deps: readonly Node[]; builtAt: number } | undefined
}

/** Makes `noted[from..to]` what the node depends on, and takes it out of what it no longer depends on. */
export function link(node: Node, noted: readonly Node[], from: number, to: number): void {
  const old = node.deps
  const size = to - from
  let same = 0
  while (same < old.length && same < size && old[same] === noted[from + same]) same++
  if (same === old.length && same === size) return
  const deps = size === 0 ? NONE : noted.slice(from, to)
  node.deps = deps
  if (same === old.length) {
    for (let i = same; i < size; i++) addUp(deps[i]!, node)
    return
  }
  const stamp = ++stamps
  for (const dep of deps) dep.mark = stamp
  for (const dep of old) {
    if (dep.mark === stamp) dep.mark = -stamp
    else if (dep.mark !== -stamp) removeUp(dep, node)
  }
  for (const dep of deps) if (dep.mark === stamp) addUp(dep, node)
}

/** Takes a node out of the graph. */
export function unlink(node: Node): void {
  for (const dep of node.deps) removeUp(dep, node)
  node.deps = NONE
  node.flags |= DIRTY | KNOWN
  node.seen = UNMADE
  node.view = undefined
}

let stamps = 0

/** Most nodes are part of one thing, some of a few; a set is for those that are part of many. */
const MANY = 8

function addUp(node: Node, parent: Node): void {
  const { up } = node
  if (up === undefined) node.up = parent
  else if (up instanceof Node) {
    if (up !== parent) node.up = [up, parent]
  } else if (up instanceof Set) up.add(parent)
  else if (!up.includes(parent)) {
    up.push(parent)
    if (up.length > MANY) node.up = new Set(up)
  }
}

/** What a node is part of. */
export function parentsOf({ up }: Node): Iterable<Node> {
  return up === undefined ? NONE : up instanceof Node ? [up] : up
}

function removeUp(node: Node, parent: Node): void {
  const { up } = node
  if (up === parent) node.up = undefined
  else if (up instanceof Set) {
    up.delete(parent)
    if (up.size === 0) node.up = undefined
  } else if (Array.isArray(up)) {
    const at = up.indexOf(parent)
    if (at >= 0) up.splice(at, 1)
    if (up.length === 0) node.up = undefined
  }
}

/**
 * Finds out which dirty nodes below `root` have really changed: `root` is clean afterwards, or known to be out of date.
 * Values that went and came back, as under an optimistic update that failed, keep their views this way.
 */
export function verify(root: Node, own: (node: Node) => unknown, now: number): void {
  const path = [root]
  const places = [0]
  const open = [false]
  const unsure: Node[] = []
  root.flags |= VISITING
  next: while (path.length > 0) {
    const top = path.length - 1
    const node = path[top]!
    let known = (node.flags & KNOWN) !== 0 || own(node) !== node.seen
    for (let i = places[top]!; !known && i < node.deps.length; i++) {
      const dep = node.deps[i]!
      // It may have been made anew for another reader and be in doubt again since.
      if (dep.changedAt > node.builtAt) known = true
      else if ((dep.flags & DIRTY) === 0) continue
      else if (dep.flags & (KNOWN | MAKING)) known = true
      else if (dep.flags & (VISITING | UNSURE)) open[top] = true
      else {
        dep.flags |= VISITING
        places[top] = i
        path.push(dep)
        places.push(0)
        open.push(false)
        continue next
      }
    }
    path.pop()
    places.pop()
    node.flags &= ~VISITING
    if (known) node.flags |= KNOWN
    else if (open[top]) {
      node.flags |= UNSURE
      unsure.push(node)
    } else clean(node, now)
    open.pop()
  }
  settle(unsure, now)
}

/** Nodes on a ring: out of date when any of them is. */
function settle(unsure: readonly Node[], now: number): void {
  for (let again = unsure.length > 0; again;) {
    again = false
    for (const node of unsure) {
      if (node.flags & KNOWN) continue
      if (node.deps.some((dep) => dep.flags & KNOWN || dep.changedAt > node.builtAt)) {
        node.flags |= KNOWN
        again = true
      }
    }
  }
  for (const node of unsure) {
    node.flags &= ~UNSURE
    if ((node.flags & KNOWN) === 0) clean(node, now)
  }
}

function clean(node: Node, now: number): void {
  node.flags &= ~DIRTY
  node.builtAt = now
}
