import { DEV } from '../base/env.ts'
import { freezePlain, isObject, isPlain } from '../base/equal.ts'
import { markOrigin } from '../normalize/origin.ts'
import { top } from '../normalize/overlay.ts'
import type { Slot, Tables } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, INVALID } from '../schema/Schema.ts'
import { clean, DIRTY, extras, FAILED, link, MAKING, type Node, NONE, parentsOf } from './memo.ts'
import { findNode, sourceValue } from './nodes.ts'
import { keyOf } from './queryKey.ts'
import { readAll, readItems } from './readList.ts'
import { fillRecord, isShown } from './record.ts'
import { instantiate } from './shape.ts'
import { createReadDelegate, unvisit } from './unvisit.ts'

/**
 * Creates a reader. Each value is kept in a node until a row it was built from changes.
 *
 * @param row which rows are read; with it the reader keeps its values apart from those that all others share
 */
export function createReader(tables: Tables, row?: (slot: Slot) => unknown): Reader {
  return new Reader(tables, row)
}

/**
 * Reads values from rows. Records are created before their fields are set, from a queue: rings of records and chains of any
 * length need no stack.
 */
export class Reader {
  readonly tables: Tables
  readonly row: (slot: Slot) => unknown
  /** Nodes are found at their rows; a reader that sees other rows keeps its own. */
  readonly apart: Map<object, Node> | undefined
  readonly delegate: IDenormalizeDelegate = createReadDelegate(this)
  readonly userDelegate: IDenormalizeDelegate = createReadDelegate(this, true)
  /** The node that is being built, and its arguments. */
  node: Node | undefined = undefined
  args: readonly any[] = []
  /** The field of the record that is being set, for messages. */
  field: string | undefined = undefined
  /** The dependencies of the node, where they are known without noting each. */
  deps: readonly Node[] | undefined = undefined
  /** Dependencies of the nodes that are being built, as one stack: growing an array for each is slow. Those of `node` begin at `start`. */
  private readonly noted: Node[] = []
  private start = 0
  private end = 0
  /** Whether records that others need are shown, as far as this run has found out. */
  readonly judged: Map<Node, boolean> = new Map()
  private isRunning = false
  private hasFailed = false
  /** The nodes of this run, and the records among them whose fields are not set yet. */
  private built: Node[] = []
  private readonly unfilled: Node[] = []

  constructor(tables: Tables, row: ((slot: Slot) => unknown) | undefined) {
    this.tables = tables
    this.row = row ?? top
    this.apart = row && new Map<object, Node>()
  }

  /** The node of an endpoint's result, or of what can be inferred in its place. */
  resultNode(slot: Slot, schema: unknown, args: readonly any[], path: string | undefined): Node {
    return findNode(this, slot, 'result', schema, extras(args, '', path))
  }

  /** The value of a node. Throws what user code threw while it was built. */
  read(node: Node): unknown {
    if (node.flags & DIRTY) {
      // User code that runs while something is read may read as well.
      const { isRunning } = this
      this.isRunning = true
      try {
        this.ensure(node)
        this.fillRecords()
      } finally {
        if (!isRunning) {
          this.finish()
        }
      }
    }
    if (node.flags & FAILED) {
      throw node.value
    }
    return node.value === INVALID ? undefined : node.value
  }

  /** The value of a node, as far as it is built; the node that is being built depends on it. */
  get(child: Node): unknown {
    this.noted[this.end++] = child
    return this.peek(child)
  }

  /** The same without a dependency. */
  peek(child: Node): unknown {
    this.ensure(child)
    if (child.flags & FAILED) {
      throw child.value
    }
    return child.value
  }

  /** Finishes what the node has read, for user code to see; throws where a part of it cannot be built. */
  finishParts(): void {
    this.fillRecords()
    for (let i = this.start; this.hasFailed && i < this.end; i++) {
      this.peek(this.noted[i]!)
    }
  }

  private fillRecords(): void {
    for (let node = this.unfilled.pop(); node !== undefined; node = this.unfilled.pop()) {
      this.build(node)
    }
  }

  /** Ends the run: every node in it is clean. */
  private finish(): void {
    if (this.hasFailed) {
      this.spreadFailure()
    }
    for (const node of this.built) {
      if (DEV && node.extra?.args && (node.flags & FAILED) === 0) {
        freezePlain(node.value)
      }
      clean(node)
    }
    this.built = []
    this.judged.clear()
    this.hasFailed = this.isRunning = false
    // Release the nodes that were noted.
    this.noted.length = this.end = 0
  }

  /** Builds a node that is dirty. */
  private ensure(node: Node): void {
    const { kind, flags, value, seen } = node
    if ((flags & (DIRTY | MAKING)) !== DIRTY) {
      return
    }
    node.flags = DIRTY | MAKING
    const source = (node.seen = sourceValue(this, node))
    this.built.push(node)
    if (kind === 'entity') {
      try {
        node.value = source === undefined ? undefined : isShown(this, node) ? instantiate(node) : INVALID
        this.unfilled.push(node)
      } catch (error) {
        this.fail(node, error)
      }
    } else if (kind === 'leaf') {
      node.value = source
    } else {
      this.build(node, flags & FAILED ? undefined : value, seen)
    }
  }

  /** Builds the value of a node, or sets the fields of a record, and notes dependencies. It keeps what user code throws. */
  private build(node: Node, old?: unknown, before?: unknown): void {
    const { node: outer, args, field, deps, start } = this
    this.node = node
    this.args = node.extra?.args ?? args
    this.deps = undefined
    this.start = this.end
    try {
      if (node.kind === 'entity') {
        fillRecord(this, node)
      } else {
        node.value = asBefore(node, old, this.compute(node, old, before))
      }
    } catch (error) {
      this.fail(node, error)
    }
    link(node, this.deps ?? this.notedFrom(this.start))
    this.end = this.start
    this.node = outer
    this.args = args
    this.field = field
    this.deps = deps
    this.start = start
  }

  private notedFrom(start: number): readonly Node[] {
    const { noted, end } = this
    const one = noted[start]!
    return start === end ? NONE : start + 1 === end ? (one.alone ??= [one]) : noted.slice(start, end)
  }

  private compute(node: Node, old: unknown, before: unknown): unknown {
    const { kind, schema, seen } = node
    if (kind === 'all') {
      return readAll(this, node, old, before)
    }
    if (kind === 'list') {
      if (typeof seen !== 'object') {
        return seen
      }
      const { isMap, cacheWith, orderOf } = schema as Collection
      const order = isMap ? undefined : orderOf?.((node.source as Slot).list?.keyArgs ?? {})
      if (order) {
        const items = cacheWith.denormalize(seen, this.delegate) as unknown[]
        this.finishParts()
        return items.sort(order)
      }
      return isMap ? cacheWith.denormalize(seen, this.delegate) : readItems(this, node, cacheWith.choice, old, before)
    }
    if (kind === 'result' && seen !== undefined) {
      return Array.isArray(schema)
        ? readItems(this, node, listChoice(schema), old, before)
        : unvisit(this, schema, seen)
    }
    // Without a stored result, what the store can tell about a schema with these arguments.
    return schema === null ? undefined : unvisit(this, schema, keyOf(this, node))
  }

  private fail(node: Node, error: unknown): void {
    node.value = error
    node.flags |= FAILED
    this.hasFailed = true
  }

  /** A node that contains a failed one fails, too. */
  private spreadFailure(): void {
    const all = this.built.filter((node) => node.flags & FAILED)
    for (const node of all) {
      for (const parent of parentsOf(node)) {
        if ((parent.flags & (MAKING | FAILED)) === MAKING) {
          this.fail(parent, node.value)
          all.push(parent)
        }
      }
    }
  }
}

/** The old value, where it has the same members. */
function asBefore({ kind, source }: Node, old: unknown, value: unknown): unknown {
  if (isPlain(old) && isPlain(value) && hasSame(old, value)) {
    return old
  }
  if (kind === 'list' && isObject(value)) {
    markOrigin(value, source as Slot)
  }
  if (DEV && (kind === 'list' || kind === 'all')) {
    Object.freeze(value)
  }
  return value
}

function hasSame(old: object, value: object): boolean {
  if (Array.isArray(old) && Array.isArray(value)) {
    return old.length === value.length && old.every((item, i) => Object.is(item, value[i]))
  }
  const [before, now] = [Object.entries(old), Object.entries(value)]
  const isMixed = Array.isArray(old) || Array.isArray(value)
  return !isMixed && before.length === now.length && before.every((entry, i) => hasSame(entry, now[i]!))
}
