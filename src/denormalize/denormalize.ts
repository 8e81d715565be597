import { DEV } from '../base/env.ts'
import { freezePlain, isObject } from '../base/equal.ts'
import { markOrigin } from '../normalize/origin.ts'
import { top } from '../normalize/overlay.ts'
import type { Slot, Tables } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, INVALID } from '../schema/Schema.ts'
import { clean, DIRTY, extras, FAILED, link, MAKING, MUST_REBUILD, type Node, NONE, parentsOf, verify } from './memo.ts'
import { findNode, sourceValue } from './nodes.ts'
import { keyOf } from './queryKey.ts'
import { readAll, readItems } from './readList.ts'
import { fillRecord, isShown } from './record.ts'
import { instantiate } from './shape.ts'
import { createReadDelegate, unvisit } from './unvisit.ts'

/** The node that is being built. */
interface Frame {
  readonly node: Node
  readonly args: readonly any[]
  /** Where its dependencies begin in `noted`. */
  readonly start: number
  /** The field of the record that is being set, for messages. */
  field: string | undefined
  /** Its dependencies, where they are known without noting each. */
  deps: readonly Node[] | undefined
}

// Outside of any node; nothing is read there.
const TOP: Frame = { node: undefined as never, args: [], start: 0, field: undefined, deps: undefined }

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
  frame: Frame = TOP
  /** Dependencies of the frames, as one stack up to `end`: most nodes have few, and growing an array for each is slow. */
  readonly noted: Node[] = []
  end = 0
  /** Whether records that others need are shown, as far as this run has found out. */
  readonly judged: Map<Node, boolean> = new Map()
  private run = 0
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
    return findNode(this, slot, 'result', schema, extras(args, '', Infinity, path))
  }

  /** The value of a node. Throws what user code threw while it was built. */
  read(node: Node): unknown {
    if (node.flags & DIRTY) {
      // User code that runs while something is read may read as well.
      const { frame, isRunning } = this
      this.frame = TOP
      try {
        if (!isRunning) {
          this.isRunning = true
          this.run++
        }
        this.ensure(node)
        this.fillRecords()
      } finally {
        this.frame = frame
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

  /** The value of a node, as far as it is built; the node in the frame depends on it. */
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

  /** How many levels of relations the node in the frame may still show. */
  get depth(): number {
    return this.frame.node.extra?.depth ?? Infinity
  }

  /** Finishes what the node in the frame has read, for user code to see; throws where a part of it cannot be built. */
  finishParts(): void {
    this.fillRecords()
    for (let i = this.frame.start; this.hasFailed && i < this.end; i++) {
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
      clean(node, this.run)
    }
    this.built = []
    this.judged.clear()
    this.hasFailed = this.isRunning = false
    // Release the nodes that were noted.
    this.noted.length = this.end = 0
  }

  /** Makes a dirty node clean, or builds it. */
  private ensure(node: Node): void {
    if ((node.flags & (DIRTY | MAKING)) !== DIRTY) {
      return
    }
    if ((node.flags & MUST_REBUILD) === 0) {
      verify(node, this.run, (one) => sourceValue(this, one))
    }
    if (node.flags & DIRTY) {
      this.rebuild(node)
    }
  }

  private rebuild(node: Node): void {
    const { kind, flags, value, seen, changedAt } = node
    node.flags = DIRTY | MUST_REBUILD | MAKING
    const source = (node.seen = sourceValue(this, node))
    // Until its value is known, readers have to take it for changed.
    node.changedAt = this.run
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
    if (node.value === value && ((flags | node.flags) & FAILED) === 0) {
      node.changedAt = changedAt
    }
  }

  /** Builds the value of a node, or sets the fields of a record, and notes dependencies. It keeps what user code throws. */
  private build(node: Node, old?: unknown, before?: unknown): void {
    const outer = this.frame
    const start = this.end
    const frame = { node, args: node.extra?.args ?? outer.args, start, field: undefined, deps: undefined }
    this.frame = frame
    try {
      if (node.kind === 'entity') {
        fillRecord(this, node)
      } else {
        node.value = asBefore(node, old, this.compute(node, old, before))
      }
    } catch (error) {
      this.fail(node, error)
    }
    link(node, frame.deps ?? this.notedFrom(start))
    this.end = start
    this.frame = outer
  }

  private notedFrom(start: number): readonly Node[] {
    const { noted, end } = this
    const one = noted[start]!
    return start === end ? NONE : start + 1 === end ? (one.alone ??= [one]) : noted.slice(start, end)
  }

  private compute(node: Node, old: unknown, before: unknown): unknown {
    const { kind, schema, seen } = node
    if (kind === 'all') {
      return readAll(this, node, old)
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
    node.changedAt = this.run
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

/** The old value, where it has the same items. */
function asBefore({ kind, source }: Node, old: unknown, value: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(value) && old.length === value.length) {
    if (old.every((item, i) => Object.is(item, value[i]))) {
      return old
    }
  }
  if (kind === 'list' && isObject(value)) {
    markOrigin(value, source as Slot)
  }
  if (DEV && (kind === 'list' || kind === 'all')) {
    Object.freeze(value)
  }
  return value
}
