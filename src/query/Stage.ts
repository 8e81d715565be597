import { DEV } from '../base/env.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../reading/denormalize.ts'
import { nameOf } from '../explain/rowNames.ts'
import { noteLook, noteTime } from '../explain/queryLooks.ts'
import { type Live, Node, unlink } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import type { Entry } from './Entry.ts'
import { type Hub, loop } from './Hub.ts'
import { areFields, membersOf, type Run } from './functions.ts'
import { isFlat, track } from './track.ts'

/** One operator of a query. Stages of the same step and arguments are shared. */
export interface Step {
  readonly name: string
  /** False where no function of it can see the arguments: then all arguments share the stage. */
  readonly usesArgs: boolean
  /** Nothing can follow it. */
  readonly isLast?: boolean
  /** It follows a stage whose entries have places. */
  readonly isOfPlaces?: boolean
  make(parent: Stage, args: readonly any[]): Stage
}

/** Why a stage looks at an entry: its place is another one; a function has read another row that has changed; it is another record. */
export type Why = typeof MOVED | typeof READ | typeof CHANGED
export const MOVED = 1
export const READ = 2
export const CHANGED = 3

/** Another row that functions have read, its content then, and for which entries. */
interface Reading {
  seen: unknown
  readonly entries: Set<Entry>
}

/** A part of a query that keeps its entries up to date. It looks again only at those that were touched since it was last computed. */
export abstract class Stage implements Live<Reader> {
  readonly hub: Hub
  readonly parent: Stage | undefined
  readonly args: readonly any[]
  readonly node: Node = new Node('live', this, undefined)
  /** The errors that functions have thrown. */
  readonly errors: Map<Entry, unknown> = new Map()
  /** The entries to look at again. */
  protected readonly inbox: Map<Entry, Why> = new Map()
  readonly #followers: Stage[] = []
  readonly #next = new Map<Step, Map<string, Stage>>()
  readonly #readings = new Map<Row | Table, Reading>()
  readonly #readFor = new Map<Entry, readonly (Row | Table)[]>()
  readonly #touched = new Set<Row | Table>()
  /** The name of its operator and its functions, for the devtools. */
  #name = ''
  readonly #runs: readonly Run[]
  /** The members of a record that its functions read, and whether these are fields of a class. */
  readonly #members: readonly string[] | undefined
  #Class: RecordClass | undefined
  #areFields = false
  #isRunning = false
  #isMade = false

  constructor(hub: Hub, parent: Stage | undefined, args: readonly any[], runs: readonly Run[] = []) {
    this.hub = hub
    this.parent = parent
    this.args = args
    this.#runs = DEV ? runs : []
    this.#members = membersOf(runs)
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
  /** Looks at an entry again, which the stage before may have no more, and passes it on. */
  protected abstract see(reader: Reader, entry: Entry, why: Why, isHere: boolean): void
  /** All entries were looked at. */
  protected finish?(): void

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
      if (DEV) {
        made.#name = step.name
      }
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
    this.#readings.forEach((_, row) => this.hub.unwatch(row, this))
    const { parent } = this
    if (parent) {
      parent.#followers.splice(parent.#followers.indexOf(this), 1)
      forgetIn(parent.#next, this)
    }
  }

  compute(reader: Reader): unknown {
    if (this.#isRunning) {
      throw loop()
    }
    this.#isRunning = true
    try {
      if (this.parent) {
        reader.get(this.parent.node)
      }
      const start = DEV ? performance.now() : 0
      this.update(reader, !this.#isMade)
      if (DEV) {
        noteTime(reader.tables, this, performance.now() - start)
      }
      this.#isMade = true
    } finally {
      this.#isRunning = false
    }
    return undefined
  }

  protected update(reader: Reader, isFirst: boolean): void {
    const { inbox } = this
    const parent = this.parent!
    if (isFirst) {
      for (const entry of parent.all()) {
        this.see(reader, entry, CHANGED, true)
      }
    } else {
      if (this.#touched.size > 0) {
        this.#findReaders(reader)
      }
      for (const [entry, why] of inbox) {
        const isHere = parent.has(entry)
        if (!isHere) {
          this.forget(entry)
        }
        this.see(reader, entry, why, isHere)
      }
      inbox.clear()
    }
    this.finish?.()
  }

  /** A row is about to change that a function of it has read. */
  touch(_: Row, watched: Row | Table): void {
    this.#touched.add(watched)
    this.node.touch()
  }

  /** True where a stage follows that has been computed, and looks at its entries one by one. */
  protected get isFollowed(): boolean {
    return this.#followers.some((stage) => stage.#isMade && stage.looksAtEntries)
  }

  /** It takes the entries of the stage before one by one. */
  protected get looksAtEntries(): boolean {
    return true
  }

  /** Has the followers look at an entry again, or only at its place. */
  protected pass(entry: Entry, why: Why = CHANGED): void {
    for (const stage of this.#followers) {
      if (stage.#isMade) {
        put(stage.inbox, entry, why)
      }
    }
  }

  /** Calls functions for an entry, and notes which rows they read. */
  protected run<T>(reader: Reader, entry: Entry, call: (value: any) => T): T | undefined {
    this.forget(entry)
    if (DEV) {
      noteLook(reader.tables, this, this.#name, this.#runs, entry.row ? nameOf(entry.row) : `group ${entry.id}`)
    }
    const { row, seen, info } = entry
    const { hub } = this
    const members = this.#members
    try {
      if (info && this.#Class !== info.Entity) {
        this.#Class = info.Entity
        this.#areFields = members !== undefined && areFields(info.Entity, members)
      }
      const readsFields = info !== undefined && this.#areFields
      // The fields of the row will do: no record has to be made.
      if (readsFields && members!.every((name) => name in (seen as object))) {
        return hub.guard(seen, call)
      }
      const value: any = reader.whole(entry.node(reader))
      if (readsFields || (info ? isFlat(info.Entity) : !Array.isArray(value?.records))) {
        return hub.guard(value, call)
      }
      const rows = new Set<Row | Table>()
      try {
        return track(reader, value, rows, call)
      } finally {
        rows.delete(row!)
        this.#note(reader, entry, [...rows])
      }
    } catch (error) {
      this.errors.set(entry, error)
      return undefined
    }
  }

  /** An entry has left, or is looked at again. */
  protected forget(entry: Entry): void {
    if (this.errors.size > 0) {
      this.errors.delete(entry)
    }
    if (this.#readFor.size > 0) {
      this.#readFor.get(entry)?.forEach((row) => {
        const { entries } = this.#readings.get(row)!
        entries.delete(entry)
        if (entries.size === 0) {
          this.#readings.delete(row)
          this.hub.unwatch(row, this)
        }
      })
      this.#readFor.delete(entry)
    }
  }

  /** Notes the rows that were read for an entry. */
  #note(reader: Reader, entry: Entry, rows: readonly (Row | Table)[]): void {
    if (rows.length > 0) {
      this.#readFor.set(entry, rows)
    }
    for (const row of rows) {
      recall(this.#readings, row, () => {
        this.hub.watch(row, this)
        return { seen: contentOf(reader, row), entries: new Set<Entry>() }
      }).entries.add(entry)
    }
  }

  /** Finds the entries for which a function has read a row that is another one now. */
  #findReaders(reader: Reader): void {
    for (const row of this.#touched) {
      const reading = this.#readings.get(row)
      const now = contentOf(reader, row)
      if (reading && (reading.seen !== now || row instanceof Table)) {
        reading.seen = now
        reading.entries.forEach((entry) => put(this.inbox, entry, READ))
      }
    }
    this.#touched.clear()
  }
}

function contentOf(reader: Reader, row: Row | Table): unknown {
  return row instanceof Table ? undefined : reader.row(row)
}

function put(inbox: Map<Entry, Why>, entry: Entry, why: Why): void {
  if (!(inbox.get(entry)! >= why)) {
    inbox.set(entry, why)
  }
}

/** Removes a stage, or a result, from where it is found. */
export function forgetIn<T>(found: Map<unknown, Map<string, T>>, gone: T): void {
  for (const [by, ones] of found) {
    ones.forEach((one, key) => one === gone && ones.delete(key))
    if (ones.size === 0) {
      found.delete(by)
    }
  }
}
