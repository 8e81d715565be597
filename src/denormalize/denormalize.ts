import { DEV } from '../base/env.ts'
import { freezePlain, isObject } from '../base/equal.ts'
import { markOrigin } from '../normalize/origin.ts'
import { top } from '../normalize/shown.ts'
import type { Row, Slot, Tables } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, INVALID } from '../schema/Schema.ts'
import { type Frame, type ReadContext, sourceValue } from './context.ts'
import { hasSameItems } from './items.ts'
import { clean, depsFrom, DIRTY, extras, FAILED, MUST_REBUILD, link, MAKING, type Node, parentsOf } from './memo.ts'
import { findNode } from './nodes.ts'
import { keyOf } from './queryKey.ts'
import { readAll, readItems } from './readList.ts'
import { fillRecord, isShown } from './record.ts'
import { instantiate } from './shape.ts'
import { createReadDelegate, unvisit } from './unvisit.ts'
import { verify } from './verify.ts'

// Outside of any node; nothing is read there.
const TOP: Frame = { node: undefined as never, args: [], start: 0, field: undefined, deps: undefined }

/** Reads values from rows. */
export interface Reader {
  /** The value of a node. Throws what user code threw while it was built. */
  read(node: Node): unknown
  /** The node of an endpoint's result, or of what can be inferred in its place. */
  resultNode(slot: Slot, schema: unknown, args: readonly any[], path: string | undefined): Node
}

/**
 * Creates a reader. Each value is kept in a node until a row it was built from changes.
 *
 * @param row which rows are read; with it the reader keeps its values apart from those that all others share
 */
export function createReader(tables: Tables, row?: (slot: Slot) => Row): Reader {
  return new Run(tables, row)
}

/**
 * A reader and its current run. Records are created before their fields are set, from a queue: rings of records and
 * chains of any length need no stack.
 */
class Run implements Reader, ReadContext {
  readonly tables: Tables
  readonly row: (slot: Slot) => Row
  readonly apart: Map<object, Node> | undefined
  readonly delegate: IDenormalizeDelegate = createReadDelegate(this)
  readonly userDelegate: IDenormalizeDelegate = createReadDelegate(this, true)
  readonly noted: Node[] = []
  readonly usable: Map<Node, boolean> = new Map()
  frame: Frame = TOP
  end = 0
  hasFailed = false
  private number = 0
  private isRunning = false
  /** The nodes of this run, and the records among them whose fields are not set yet. */
  private built: Node[] = []
  private readonly unfilled: Node[] = []

  constructor(tables: Tables, row: ((slot: Slot) => Row) | undefined) {
    this.tables = tables
    this.row = row ?? top
    this.apart = row && new Map<object, Node>()
  }

  resultNode(slot: Slot, schema: unknown, args: readonly any[], path: string | undefined): Node {
    return findNode(this.apart, slot, 'result', schema, extras(args, '', Infinity, path))
  }

  read(node: Node): unknown {
    if (node.flags & DIRTY) {
      // User code that runs while something is read may read as well.
      const { frame, isRunning } = this
      this.frame = TOP
      try {
        if (!isRunning) {
          this.isRunning = true
          this.number++
        }
        this.ensure(node)
        this.finishRecords()
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

  get(child: Node): unknown {
    this.noted[this.end++] = child
    return this.peek(child)
  }

  peek(child: Node): unknown {
    this.ensure(child)
    if (child.flags & FAILED) {
      throw child.value
    }
    return child.value
  }

  finishRecords(): void {
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
      clean(node, this.number)
    }
    this.built = []
    this.usable.clear()
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
      verify(this, node, this.number)
    }
    if (node.flags & DIRTY) {
      this.rebuild(node)
    }
  }

  private rebuild(node: Node): void {
    const { kind, flags, value, seen, changedAt } = node
    const old: unknown = flags & FAILED ? undefined : value
    node.flags = DIRTY | MUST_REBUILD | MAKING
    const source = (node.seen = sourceValue(this, node))
    // Until its value is known, readers have to take it for changed.
    node.changedAt = this.number
    this.built.push(node)
    if (kind === 'entity') {
      try {
        node.value = source === undefined ? undefined : isShown(this, node) ? instantiate(node) : INVALID
        this.unfilled.push(node)
      } catch (error) {
        this.fail(node, error)
      }
    } else if (kind === 'cell' || kind === 'table' || kind === 'index') {
      node.value = source
    } else {
      this.build(node, old, seen)
    }
    if (node.value === value && ((flags | node.flags) & FAILED) === 0) {
      node.changedAt = changedAt
    }
  }

  /** Builds the value of a node, or sets the fields of a record, and notes dependencies. It keeps what user code throws. */
  private build(node: Node, old?: unknown, seen?: unknown): void {
    const outer = this.frame
    const start = this.end
    const frame = { node, args: node.extra?.args ?? outer.args, start, field: undefined, deps: undefined }
    this.frame = frame
    try {
      if (node.kind === 'entity') {
        fillRecord(this, node)
      } else {
        node.value = this.asBefore(node, old, this.compute(node, old, seen))
      }
    } catch (error) {
      this.fail(node, error)
    }
    link(node, frame.deps ?? depsFrom(this.noted, start, this.end))
    this.end = start
    this.frame = outer
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
      const { isMap, cacheWith } = schema as Collection
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

  /** The old value, where it has the same items. */
  private asBefore(node: Node, old: unknown, value: unknown): unknown {
    if (hasSameItems(old, value)) {
      return old
    }
    if (node.kind === 'list' && isObject(value)) {
      markOrigin(value, node.source as Slot)
    }
    if (DEV && (node.kind === 'list' || node.kind === 'all')) {
      Object.freeze(value)
    }
    return value
  }

  private fail(node: Node, error: unknown): void {
    node.value = error
    node.flags |= FAILED
    node.changedAt = this.number
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
