import type { StoreClock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { asBefore, freezePlain } from '../base/equal.ts'
import { top } from '../rows/overlay.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import { type AllTables } from '../lists/ListRow.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { type IDenormalizeDelegate, INVALID } from '../schema/Schema.ts'
import { clean, DIRTY, FAILED, link, type Live, MAKING, type Node, NONE, parentsOf } from '../rows/Node.ts'
import { sourceValue } from './nodes.ts'
import { keyOf, rowsOf } from './query.ts'
import { listsOf, recordsOf } from './code.ts'
import { readItems } from './readItems.ts'
import { createReadDelegate, unvisit } from './unvisit.ts'

/** The parts of a store that live queries need from its reader. */
export interface ReaderHost {
  /** The node of an endpoint or a schema. */
  node(target: object, args: readonly any[]): Node
  /** The clock of a store whose changes are followed; `undefined` for a state. */
  readonly clock: StoreClock | undefined
}

/** Records below this depth wait in a queue until their fields are set: recursion is faster, but a stack has an end. */
const DEEPEST = 50

/**
 * Reads values from rows. Each is kept in a node until a row it was built from changes. Records are created before their fields are set:
 * rings of records refer to the same objects.
 */
export class Reader {
  readonly tables: AllTables
  readonly row: (row: Row) => unknown
  /** Nodes are found at their rows; a reader that sees other rows keeps its own. */
  readonly apart: Map<object, Node> | undefined
  readonly host: ReaderHost | undefined
  readonly delegate: IDenormalizeDelegate = createReadDelegate(this)
  readonly userDelegate: IDenormalizeDelegate = createReadDelegate(this, true)
  /** The node that is being built, and its arguments. */
  node: Node | undefined = undefined
  args: readonly any[] = []
  /** The field of the record that is being set, for messages. */
  field: string | undefined = undefined
  /** Its dependencies so far. */
  deps: readonly Node[] = NONE
  #isRunning = false
  /** How many nodes are being built, each a part of the one before. */
  #depth = 0
  readonly #unfilled: Node[] = []
  #failed: Node[] = []

  /** @param row which rows are read; with it the reader keeps its values apart from those that all others share */
  constructor(tables: AllTables, row?: (row: Row) => unknown, host?: ReaderHost) {
    this.tables = tables
    this.host = host
    this.row = row ?? top
    this.apart = row && new Map<object, Node>()
  }

  /** The value of a node. Throws what user code threw while it was built. */
  read(node: Node): unknown {
    if (node.flags & DIRTY) {
      // User code that runs while something is read may read as well.
      const isRunning = this.#isRunning
      this.#isRunning = true
      try {
        this.#ensure(node)
        this.#fillRecords()
      } finally {
        if (!isRunning) {
          // A node that contains a failed one fails, too, unless it is still to be built.
          for (const failed of this.#failed) {
            for (const parent of parentsOf(failed)) {
              if ((parent.flags & (DIRTY | FAILED)) === 0) {
                this.#fail(parent, failed.value)
              }
            }
          }
          this.#failed = []
          this.#isRunning = false
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
    if (this.deps === NONE) {
      this.deps = [child]
    } else {
      ;(this.deps as Node[]).push(child)
    }
    return this.peek(child)
  }

  /** The same without a dependency. */
  peek(child: Node): unknown {
    this.#ensure(child)
    if (child.flags & FAILED) {
      throw child.value
    }
    return child.value
  }

  /** The same with all records that it refers to, for user code. */
  whole(child: Node): unknown {
    const value = this.peek(child)
    this.#fillRecords()
    return value
  }

  /** Finishes what the node has read, for user code to see; throws where a part of it cannot be built. */
  finishParts(): void {
    this.#fillRecords()
    if (this.#failed.length > 0) {
      this.deps.forEach((dep) => this.peek(dep))
    }
  }

  #fillRecords(): void {
    for (let node = this.#unfilled.pop(); node !== undefined; node = this.#unfilled.pop()) {
      this.#build(node)
    }
  }

  /** Builds a node that is dirty. */
  #ensure(node: Node): void {
    const { kind, flags, value, seen } = node
    if ((flags & (DIRTY | MAKING)) !== DIRTY) {
      return
    }
    node.flags = DIRTY | MAKING
    node.seen = sourceValue(this, node)
    const source = node.source as Row | undefined
    if (source?.doubt && source.doubt.at > node.doubt.at && isInDoubt(source)) {
      node.raise(source.doubt)
    }
    if (kind === 'entity') {
      try {
        node.value = node.seen === undefined ? undefined : recordsOf(node.schema).make(this, node)
      } catch (error) {
        this.#fail(node, error)
      }
    }
    if (kind === 'entity' && this.#depth > DEEPEST) {
      this.#unfilled.push(node)
    } else {
      this.#build(node, flags & FAILED ? undefined : value, seen)
    }
  }

  /** Builds the value of a node, or sets the fields of a record, and notes dependencies. It keeps what user code throws. */
  #build(node: Node, old?: unknown, before?: unknown): void {
    const { node: outer, args, field, deps } = this
    this.node = node
    this.args = node.aside?.args ?? args
    this.deps = NONE
    this.#depth++
    try {
      if (node.kind !== 'entity') {
        node.value = this.#compute(node, old, before)
        if (DEV) {
          ;(node.aside?.args ? freezePlain : Object.freeze)(node.value)
        }
      } else if ((node.flags & FAILED) === 0) {
        recordsOf(node.schema).fill(this, node)
      }
    } catch (error) {
      this.#fail(node, error)
    }
    const doubt = link(node, this.deps)
    if (doubt.at > node.doubt.at && node.kind !== 'live' && rowsOf(node).some(isInDoubt)) {
      node.raise(doubt)
    }
    clean(node)
    this.#depth--
    this.node = outer
    this.args = args
    this.field = field
    this.deps = deps
  }

  #compute(node: Node, old: unknown, before: unknown): unknown {
    const { kind, schema, seen } = node
    if (kind === 'leaf') {
      return seen
    }
    if (kind === 'live') {
      return (schema as Live<Reader>).compute(this, node, old)
    }
    if (kind === 'all') {
      return recordsOf(schema).readAll(this, node, old, before)
    }
    if (kind === 'list') {
      return listsOf(schema).read(this, node, old, before)
    }
    const hasResult = kind === 'result' && seen !== undefined
    if (hasResult && Array.isArray(schema)) {
      return readItems(this, node, listChoice(schema), old, before)
    }
    // Without a stored result, what the store can tell about a schema with these arguments.
    const input: unknown = hasResult ? seen : schema === null ? undefined : keyOf(this, node)
    const value: unknown = unvisit(this, schema, input)
    // A list, or a live query, has compared its values itself, which takes long for large ones.
    const [part] = this.deps
    return part !== undefined && part === node.deps[0] && part.value === value ? value : asBefore(old, value)
  }

  #fail(node: Node, error: unknown): void {
    node.value = error
    node.flags |= FAILED
    this.#failed.push(node)
  }
}
