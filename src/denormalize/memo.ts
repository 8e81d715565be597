import type { Slot, Table, Watcher } from '../normalize/tables.ts'

/** What was handed out may be out of date. */
export const DIRTY = 1
/** It is out of date for certain and has to be made again. */
export const KNOWN = 2
/** It is being made: there is an object to refer to, whose fields are not all set. */
export const MAKING = 4
/** User code threw while it was made; `view` is the error. */
export const FAILED = 8
/** A pending operation changed something it was made from. */
export const COVERED = 16
/** It may yet be shown as it was before a pending operation; nobody may refer to it before that is decided. */
export const TRYING = 32
const VISITING = 64

const NONE: readonly Node[] = []
export const UNMADE: unique symbol = Symbol('unmade')

export type Kind = 'entity' | 'list' | 'result' | 'query' | 'all' | 'table' | 'cell' | 'index'

/** A mounted reader of a view. */
export interface Told {
  /** The view may have changed. */
  changed(): void
  /** It may have become stale, or is fresh again. */
  aged(anew?: boolean): void
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
  view: any = undefined
  /** The value of its source when it was made. */
  seen: unknown = UNMADE
  deps: readonly Node[] = NONE
  /** Of many dependencies those touched since it was made; `undefined`: any of them. */
  touched: Node[] | undefined = undefined
  /** An array of itself alone: what all nodes have as `deps` that depend on nothing else. */
  alone: readonly Node[] | undefined = undefined
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

  /** Lets the readers of everything it is part of judge their freshness again. */
  aged(anew?: boolean): void {
    const met = new Set(viewsOf(this))
    for (const node of met) {
      node.extra?.told?.aged(anew)
      for (const parent of parentsOf(node)) {
        met.add(parent)
      }
    }
  }

  touch(): void {
    const mark = isCovered(this) ? DIRTY | COVERED : DIRTY
    const stack = viewsOf(this)
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const { flags } = node
      if ((flags & mark) === mark) {
        continue
      }
      node.flags |= mark
      const isFirst = (flags & DIRTY) === 0
      if (isFirst) {
        node.extra?.told?.changed()
      }
      const { up } = node
      if (up instanceof Node) {
        reach(up, isFirst, node, stack)
      } else if (up !== undefined) {
        for (const parent of up) {
          reach(parent, isFirst, node, stack)
        }
      }
    }
  }
}

function reach(parent: Node, isFirst: boolean, node: Node, stack: Node[]): void {
  if (isFirst && parent.touched !== undefined && parent.touched.push(node) > MANY) {
    parent.touched = undefined
  }
  stack.push(parent)
}

/** True while pending operations make something of its row, or rows of its table. */
export function isCovered({ source }: Node): boolean {
  const { layers, floating } = (source ?? {}) as Partial<Slot & Table>
  return layers !== undefined || (floating !== undefined && floating.size > 0)
}

/** All views of the row that a node is the first view of. */
export function viewsOf(first: Node): Node[] {
  return [first, ...(first.extra?.siblings ?? [])]
}

/** What a node was, and from when until when it was that. */
export interface Kept {
  readonly view: unknown
  readonly seen: unknown
  readonly deps: readonly Node[]
  readonly builtAt: number
  readonly since: number
  readonly until: number
}

/** What only few nodes have. */
export interface NodeExtra {
  /** Unset where the arguments are those of whoever reads it. */
  readonly args: readonly any[] | undefined
  /** Arguments and depth that its value depends on, as text; empty for most. */
  readonly variant: string
  /** How many levels of relations are left; `Infinity` for most. */
  readonly depth: number
  readonly path: string | undefined
  /** Other views of the same row. */
  siblings?: Node[]
  told?: Told | undefined
  /** Who asks for it. */
  seat?: object | undefined
  /** What it was before a pending operation. */
  kept?: Kept | undefined
  /** What it is again, since the run in which it changed last. */
  back?: Kept | undefined
  /** The value that was last found complete. */
  complete?: unknown
}

/** Extras of a node that depends on nothing special. */
export function extras(args?: readonly any[], variant = '', depth: number = Infinity, path?: string): NodeExtra {
  return { args, variant, depth, path }
}

/** True when a node shows what it showed in the run `at`. */
export function isAsOf(node: Node, at: number): boolean {
  const { changedAt, extra } = node
  if (changedAt <= at) {
    return true
  }
  // `until` is no later than the run in which it came back.
  const back = extra?.back
  return back !== undefined && back.view === node.view && back.since <= at && at < back.until
}

/** True where a node may yet be again what it was, by what becomes of the pending operations. */
export function mayReturn(node: Node, { seen, deps, builtAt }: Kept): boolean {
  const isKept = ({ extra }: Node): boolean =>
    extra?.kept !== undefined && extra.kept.since <= builtAt && builtAt < extra.kept.until
  return (node.seen === seen || isCovered(node)) && deps.every((dep) => isAsOf(dep, builtAt) || isKept(dep))
}

/** Makes `deps` what the node depends on, and takes it out of what it no longer depends on. */
export function link(node: Node, deps: readonly Node[]): void {
  const old = node.deps
  if (deps === old) {
    return
  }
  let start = 0
  const least = Math.min(old.length, deps.length)
  while (start < least && old[start] === deps[start]) {
    start++
  }
  if (start === old.length && start === deps.length) {
    return
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

/** What was noted from `from` to `to`, as dependencies. */
export function depsFrom(noted: readonly Node[], from: number, to: number): readonly Node[] {
  if (from === to) {
    return NONE
  }
  const one = noted[from]!
  return to === from + 1 ? (one.alone ??= [one]) : noted.slice(from, to)
}

/** Takes a node out of the graph. */
export function unlink(node: Node): void {
  link(node, NONE)
  node.flags |= DIRTY | KNOWN
  node.seen = UNMADE
  node.view = undefined
  // Who asks next finds another.
  if (node.extra?.seat) {
    node.extra.seat = undefined
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

/** What a node is part of. */
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

/**
 * Finds out which dirty nodes below `root` have really changed: each is clean afterwards, or known to be out of date.
 * Values that went and came back, as under an optimistic update that failed, keep their views this way.
 */
export function verify(root: Node, own: (node: Node) => unknown, now: number): void {
  const met = [root]
  const known: Node[] = []
  root.flags |= VISITING
  for (const node of met) {
    let isKnown = own(node) !== node.seen
    // Those that are part of something known need not be looked at for its sake.
    for (const dep of isKnown ? NONE : (node.touched ?? node.deps)) {
      // It may have been made anew for another reader and be in doubt again since.
      if (dep.changedAt > node.builtAt || dep.flags & (KNOWN | MAKING | TRYING)) {
        isKnown = true
      } else if ((dep.flags & (DIRTY | VISITING)) === DIRTY) {
        dep.flags |= VISITING
        met.push(dep)
      }
    }
    if (isKnown) {
      node.flags |= KNOWN
      known.push(node)
    }
  }
  const spread = (parent: Node): void => {
    if ((parent.flags & (VISITING | KNOWN)) !== VISITING) {
      return
    }
    parent.flags |= KNOWN
    known.push(parent)
  }
  for (const { up } of known) {
    if (up instanceof Node) {
      spread(up)
    } else {
      up?.forEach(spread)
    }
  }
  // From below: what others are made from comes first.
  for (const node of met.reverse()) {
    if (node.flags & KNOWN) {
      node.flags &= ~VISITING
    } else {
      clean(node, now)
      if (node.extra?.kept && !mayReturn(node, node.extra.kept)) {
        node.extra.kept = undefined
      }
    }
  }
}

/** A node is right as it stands. */
export function clean(node: Node, now: number): void {
  node.flags &= FAILED
  node.builtAt = now
  node.touched = node.deps.length > FEW ? [] : undefined
}
