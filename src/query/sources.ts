import { classInfo } from '../records/classInfo.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import { stableKey } from '../base/stableKey.ts'
import type { Reader } from '../denormalize/denormalize.ts'
import { entityNode, shapeOf } from '../denormalize/nodes.ts'
import { isShown } from '../denormalize/record.ts'
import { originOf } from '../normalize/origin.ts'
import { type Node, nodesOf } from '../rows/Node.ts'
import type { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isObject, member } from '../base/equal.ts'
import { INVALID, isEntity, isList, isQuery, membersOf } from '../schema/Schema.ts'
import { Entry } from './Entry.ts'
import type { Hub } from './Hub.ts'
import { Stage } from './Stage.ts'

const sources = /* @__PURE__ */ new WeakMap<Hub, Map<unknown, Map<string, Stage>>>()

/** The stage of the records of an input. Those of the same input are shared. */
export function sourceOf(hub: Hub, input: any, args: readonly any[]): Stage {
  const isUnion = isObject(input) && input['isUnion'] === true
  const classes: readonly RecordClass[] | undefined = isUnion
    ? Object.values(input['schema'] as Record<string, RecordClass>)
    : isEntity(input)
      ? [input as unknown as RecordClass]
      : undefined
  const isShared = classes?.every((Class) => !shapeOf(Class).usesArgs)
  const ofHub = recall(sources, hub, () => new Map<unknown, Map<string, Stage>>())
  const stages = recall(ofHub, input, () => new Map<string, Stage>())
  return recall(stages, isShared ? '' : stableKey(args), () =>
    classes ? new ClassSource(hub, args, classes) : new ListSource(hub, args, input as object),
  )
}

/** The records of an input. */
export abstract class Source extends Stage {
  /** The input is there: without it the result is `undefined`. */
  isKnown = false
  protected readonly entries: Map<Row, Entry> = new Map()

  has(entry: Entry): boolean {
    return this.entries.get(entry.row) === entry
  }

  all(): Iterable<Entry> {
    return this.entries.values()
  }

  get size(): number {
    return this.entries.size
  }

  override drop(): void {
    super.drop()
    const ofHub = sources.get(this.hub)
    ofHub?.forEach((stages, input) => {
      stages.forEach((stage, key) => stage === this && stages.delete(key))
      if (stages.size === 0) {
        ofHub.delete(input)
      }
    })
  }

  /** A query with readers keeps its input from the garbage collector. */
  *inputs(): Iterable<Node> {
    for (const { node } of this.entries.values()) {
      yield node
    }
  }

  /** A row is there, as it is now. */
  protected put(row: Row, node: Node, seen: unknown, at: number): Entry {
    let entry = this.entries.get(row)
    if (!entry) {
      entry = new Entry(node, seen, at, row.pk)
      this.entries.set(row, entry)
      this.pass(entry)
    } else if (entry.seen !== seen || entry.at !== at) {
      this.pass(entry, entry.seen === seen)
    }
    entry.seen = seen
    entry.at = at
    return entry
  }

  protected remove(row: Row): void {
    const entry = this.entries.get(row)
    if (entry) {
      this.entries.delete(row)
      this.forget(entry)
      this.pass(entry)
    }
  }
}

/** Rows that only pending operations fill come after all others. */
const FLOATING = 2 ** 40
/** The members of a union stand one after the other. */
const NEXT_CLASS = 2 ** 44

/** All records of a class, or of the classes of a union. */
class ClassSource extends Source {
  readonly #classes: readonly RecordClass[]
  readonly #changed = new Set<Row>()
  /** Records that are not shown: their class refuses them, or a record that they require was deleted. */
  readonly #hidden = new Set<Entry>()
  /** Rows that records may require and that are about to change, and whether they were deleted. */
  readonly #required = new Map<Row, boolean>()
  readonly #requiredTables = new Set<Table>()
  #watched: ReadonlySet<Table> = this.#requiredTables
  #floating = 0
  #isFilled = false

  constructor(hub: Hub, args: readonly any[], classes: readonly RecordClass[]) {
    super(hub, undefined, args)
    this.#classes = classes
  }

  override has(entry: Entry): boolean {
    return super.has(entry) && !this.#hidden.has(entry)
  }

  override touch(row: Row): void {
    this.#changed.add(row)
    if (this.#requiredTables.has(row.table) && !this.#required.has(row)) {
      this.#required.set(row, isDeleted(this.hub.reader, row))
    }
    this.node.touch()
  }

  protected look(reader: Reader): void {
    const changed = this.#changed
    if (!this.#isFilled) {
      this.#watch(reader)
    }
    const isAnyOther = [...this.#required].some(([row, was]) => isDeleted(reader, row) !== was)
    this.#required.clear()
    this.isKnown = false
    this.#classes.forEach((Class, i) => {
      const { table, Entity } = classInfo(reader.tables, Class)
      const { rows, floating } = table
      for (const row of this.#isFilled ? changed : rows) {
        if (row.table === table && !floating.has(row as never)) {
          this.#see(reader, Entity, row, i * NEXT_CLASS + row.position)
        }
      }
      let last = 0
      for (const row of floating) {
        const at = this.entries.get(row)?.at ?? 0
        const isInOrder = at % NEXT_CLASS >= FLOATING && at > last
        last = isInOrder ? at : i * NEXT_CLASS + FLOATING + this.#floating++
        if (!this.#isFilled || !isInOrder || changed.has(row)) {
          this.#see(reader, Entity, row, last)
        }
      }
      this.isKnown ||= rows.length > 0 || [...floating].some((row) => isObject(reader.row(row)))
    })
    this.#isFilled = true
    changed.clear()
    // A record that others require is rarely deleted, so it is not noted which do.
    for (const entry of isAnyOther ? this.entries.values() : []) {
      this.#judge(reader, entry)
    }
  }

  #watch(reader: Reader): void {
    const classes = new Set<RecordClass>()
    for (const Class of this.#classes) {
      const { schema } = Class
      classes.add(Class)
      for (const name of shapeOf(Class).required) {
        const choices = isEntity(schema[name]) ? [schema[name]] : Object.values(schema[name].schema as object)
        choices
          .filter(isEntity)
          .forEach((one) => this.#requiredTables.add(classInfo(reader.tables, one as never).table))
      }
    }
    const tables = [...classes].map((Class) => classInfo(reader.tables, Class).table)
    this.#watched = new Set<Table>([...tables, ...this.#requiredTables])
    this.#watched.forEach((table) => this.hub.watch(table, this))
  }

  override drop(): void {
    super.drop()
    this.#watched.forEach((table) => this.hub.unwatch(table, this))
  }

  #see(reader: Reader, Class: RecordClass, row: Row, at: number): void {
    const seen = reader.row(row)
    if (!isObject(seen)) {
      this.remove(row)
      return
    }
    const entry = this.put(row, this.entries.get(row)?.node ?? entityNode(reader, Class, row), seen, at)
    if (Class.validate || shapeOf(Class).required.length > 0) {
      this.#judge(reader, entry)
    }
  }

  #judge(reader: Reader, entry: Entry): void {
    const wasHidden = this.#hidden.has(entry)
    let isHidden = false
    try {
      isHidden = !isShown(reader, { schema: entry.node.schema as unknown, seen: entry.seen })
    } catch {
      // Reading the record throws the same.
    }
    if (isHidden !== wasHidden) {
      this.#hidden[isHidden ? 'add' : 'delete'](entry)
      this.pass(entry)
    }
  }

  protected override remove(row: Row): void {
    const entry = this.entries.get(row)
    if (entry) {
      this.#hidden.delete(entry)
    }
    super.remove(row)
  }
}

function isDeleted(reader: Reader, row: Row): boolean {
  return reader.row(row) === INVALID
}

/** The records of a list: of an endpoint, or of a Collection. */
class ListSource extends Source {
  readonly #list: object
  #items: readonly unknown[] = []

  constructor(hub: Hub, args: readonly any[], list: object) {
    super(hub, undefined, args)
    this.#list = list
  }

  protected look(reader: Reader): void {
    const { host } = reader
    const path = pathIn(typeof this.#list === 'function' ? (this.#list as { schema?: unknown }).schema : this.#list)
    if (!host || !path) {
      throw notInput()
    }
    const value: any = reader.get(host.node(this.#list, this.args))
    const items = recordsOf(path.reduce((part: any, name) => part?.[name] as unknown, value))
    const before = this.#items
    this.#items = items ?? []
    this.isKnown = items !== undefined
    const left = new Map<Row, unknown>()
    before.forEach((item, at) => item !== this.#items[at] && left.set(originOf(item)!, item))
    this.#items.forEach((item, at) => {
      if (item !== before[at]) {
        const row = originOf(item)!
        left.delete(row)
        const node = nodesOf(row.node!).find((one) => one.value === item)!
        this.put(row, node, reader.row(row), at)
      }
    })
    // One that stands twice has left a place, not the list.
    const stayed = left.size > 0 ? new Set(this.#items.map(originOf)) : undefined
    left.forEach((_, row) => stayed!.has(row) || this.remove(row))
  }
}

/** The names that lead from the value of a schema to its first list; `undefined` where it has none. */
function pathIn(schema: unknown): readonly string[] | undefined {
  if (Array.isArray(schema) || isList(schema) || member(schema, 'choice')) {
    return []
  }
  if (isObject(schema) && isQuery(schema)) {
    return pathIn(schema.schema)
  }
  for (const [name, inner] of Object.entries(membersOf(schema) ?? {})) {
    const path = pathIn(inner)
    if (path) {
      return [name, ...path]
    }
  }
  return undefined
}

/** The records of a list, which may be a map. */
function recordsOf(list: unknown): readonly unknown[] | undefined {
  if (!isObject(list)) {
    return undefined
  }
  const items = Array.isArray(list) ? (list as unknown[]) : Object.values(list)
  if (!items.every((item) => originOf(item)?.table.isOfLists === false)) {
    throw notInput()
  }
  return items
}

/** What is given as input is none. */
export function notInput(): Error {
  return fail(
    'query-input',
    'input',
    DEV &&
      'The input of a query is an Entity, a Union, an endpoint or a Collection whose value has a list of records, or another query without totals.',
    TypeError,
  )
}
