import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import { type Live, Node, unlink } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import type { Entry } from './Entry.ts'
import { type Hub, loop } from './Hub.ts'
import { track } from './track.ts'

/** A function of a record and the arguments of the query. */
export type Run = (record: any, ...args: any[]) => any

/** One operator of a query. Stages of the same step and arguments are shared. */
export interface Step {
  readonly name: string
  /** False where no function of it can see the arguments: then all arguments share the stage. */
  readonly usesArgs: boolean
  /** Nothing can follow it. */
  readonly isLast?: boolean
  make(parent: Stage, args: readonly any[]): Stage
}

/** Entries to look at. */
export interface Batch extends Iterable<Entry> {
  has(entry: Entry): boolean
}

const NO_ENTRIES: ReadonlySet<Entry> = /* @__PURE__ */ new Set()

type Rows = Set<Row | Table>

/** A part of a query that keeps its entries up to date. It looks again only at those that were touched since it was last computed. */
export abstract class Stage implements Live<Reader> {
  readonly hub: Hub
  readonly parent: Stage | undefined
  readonly args: readonly any[]
  readonly node: Node = new Node('live', this, undefined)
  /** The entries to look at again, and those of which only the place is another one. */
  readonly inbox: Set<Entry> = new Set()
  readonly moved: Set<Entry> = new Set()
  /** The stages that follow. */
  readonly #followers: Stage[] = []
  readonly #next = new Map<Step, Map<string, Stage>>()
  /** What functions have thrown. */
  readonly errors: Map<Entry, unknown> = new Map()
  /** The rows beside its own that a function has read for an entry, and the other way round. */
  readonly #foreign = new Map<Row | Table, { seen: unknown; readonly entries: Set<Entry> }>()
  readonly #foreignOf = new Map<Entry, ReadonlySet<Row | Table>>()
  readonly #touched = new Set<Row | Table>()
  #isRunning = false
  #isMade = false

  constructor(hub: Hub, parent: Stage | undefined, args: readonly any[]) {
    this.hub = hub
    this.parent = parent
    this.args = args
  }

  /** The stage that makes the input. */
  get source(): Stage {
    return this.parent?.source ?? this
  }

  /** True for an entry that it passes on. */
  abstract has(entry: Entry): boolean
  /** All of those. */
  abstract all(): Iterable<Entry>
  /** How many entries it keeps something for. */
  abstract readonly size: number
  /** Looks at entries again, and passes on what followers have to look at. */
  protected abstract look(reader: Reader, entries: Batch, foreign: ReadonlySet<Entry>): void

  /** Its entries have places. */
  get isOrdered(): boolean {
    return false
  }

  /** Compares its entries, where it gives them an order of their own. */
  get compare(): ((a: Entry, b: Entry) => number) | undefined {
    return undefined
  }

  /** The value of a result that ends with this stage; a stage without order has none. */
  read?(reader: Reader, old: unknown): unknown

  /** The stage that follows by a step. */
  follow(step: Step, args: readonly any[]): Stage {
    const stages = recall(this.#next, step, () => new Map<string, Stage>())
    return recall(stages, step.usesArgs ? stableKey(args) : '', () => {
      const made = step.make(this, args)
      this.#followers.push(made)
      return made
    })
  }

  /** True where neither a result nor another stage needs it. */
  get isUnused(): boolean {
    return this.node.up === undefined && this.#followers.length === 0
  }

  /** Gives its memory back. */
  drop(): void {
    unlink(this.node)
    this.#foreign.forEach((_, row) => this.hub.unwatch(row, this))
    if (this.parent) {
      this.parent.#lose(this)
    }
  }

  #lose(follower: Stage): void {
    this.#followers.splice(this.#followers.indexOf(follower), 1)
    for (const [step, stages] of this.#next) {
      stages.forEach((stage, key) => stage === follower && stages.delete(key))
      if (stages.size === 0) {
        this.#next.delete(step)
      }
    }
  }

  compute(reader: Reader): unknown {
    const { parent, inbox } = this
    if (this.#isRunning) {
      throw loop()
    }
    this.#isRunning = true
    try {
      if (parent) {
        reader.get(parent.node)
      }
      const isFirst = parent && !this.#isMade
      this.#isMade = true
      this.look(reader, isFirst ? allOf(parent) : inbox, this.#takeForeign(reader))
      inbox.clear()
      this.moved.clear()
    } finally {
      this.#isRunning = false
    }
    return undefined
  }

  /** A row is about to change that a function of it has read, or one of a table. */
  touch(_row: Row, watched: Row | Table): void {
    this.#touched.add(watched)
    this.node.touch()
  }

  /** True where a stage follows that has been computed. */
  protected get isFollowed(): boolean {
    return this.#followers.some((stage) => stage.#isMade)
  }

  /** Has the followers look at an entry again, or only at its place. */
  protected pass(entry: Entry, isMoved = false): void {
    for (const stage of this.#followers) {
      if (stage.#isMade) {
        stage[isMoved ? 'moved' : 'inbox'].add(entry)
      }
    }
  }

  /** Calls functions for an entry, and notes which rows they read. What they throw is an error of the query. */
  protected run<T>(reader: Reader, entry: Entry, call: (value: any) => T): T | undefined {
    this.forget(entry)
    const rows: Rows | undefined = entry.isFlat ? undefined : new Set()
    try {
      const value = entry.whole(reader)
      return rows ? track(reader, value, rows, call) : this.hub.guard(value, call)
    } catch (error) {
      this.errors.set(entry, error)
      return undefined
    } finally {
      if (rows) {
        this.note(reader, entry, rows)
      }
    }
  }

  /** An entry has left, or is looked at again. */
  protected forget(entry: Entry): void {
    if (this.errors.size > 0) {
      this.errors.delete(entry)
    }
    const rows = this.#foreignOf.size > 0 ? this.#foreignOf.get(entry) : undefined
    if (rows) {
      rows.forEach((row) => this.#release(entry, row))
      this.#foreignOf.delete(entry)
    }
  }

  #release(entry: Entry, row: Row | Table): void {
    const { entries } = this.#foreign.get(row)!
    entries.delete(entry)
    if (entries.size === 0) {
      this.#foreign.delete(row)
      this.hub.unwatch(row, this)
    }
  }

  /** Notes the rows that were read for an entry. */
  protected note(reader: Reader, entry: Entry, rows: Set<Row | Table>): void {
    rows.delete(entry.row)
    if (rows.size === 0) {
      return
    }
    this.#foreignOf.set(entry, rows)
    for (const row of rows) {
      recall(this.#foreign, row, () => {
        this.hub.watch(row, this)
        return { seen: contentOf(reader, row), entries: new Set<Entry>() }
      }).entries.add(entry)
    }
  }

  /** The entries for which a function has read a row that is another one now. */
  #takeForeign(reader: Reader): ReadonlySet<Entry> {
    if (this.#touched.size === 0) {
      return NO_ENTRIES
    }
    const found = new Set<Entry>()
    for (const row of this.#touched) {
      const foreign = this.#foreign.get(row)
      const now = contentOf(reader, row)
      if (foreign && (foreign.seen !== now || row instanceof Table)) {
        foreign.seen = now
        foreign.entries.forEach((entry) => found.add(entry))
      }
    }
    this.#touched.clear()
    return found
  }
}

/** Entries of both, each once. */
export function both(entries: Batch, foreign: ReadonlySet<Entry>): Batch {
  return foreign.size > 0 ? new Set([...entries, ...foreign]) : entries
}

/** The first batch of a follower. */
function allOf(stage: Stage): Batch {
  return { has: () => true, [Symbol.iterator]: () => stage.all()[Symbol.iterator]() }
}

function contentOf(reader: Reader, row: Row | Table): unknown {
  return row instanceof Table ? undefined : reader.row(row)
}
