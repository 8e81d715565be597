import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import type { Reader } from '../reading/denormalize.ts'
import { shapeOf } from '../reading/recordNodes.ts'
import { isShown } from '../reading/record.ts'
import { classInfo } from '../records/classInfo.ts'
import type { ClassInfo } from '../records/RecordRow.ts'
import type { Row } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { INVALID, isEntity } from '../schema/Schema.ts'
import type { Entry } from './Entry.ts'
import type { Hub } from './Hub.ts'
import { Source } from './Source.ts'

/** Rows that only pending operations fill come after all others. */
const FLOATING = 2 ** 40
/** The members of a union stand one after the other. */
const NEXT_CLASS = 2 ** 44

/** All records of a class, or of the classes of a union. */
export class ClassSource extends Source {
  readonly #classes: readonly RecordClass[]
  /** The classes that have taken their places in development. */
  readonly #current: RecordClass[] = []
  readonly #changed = new Set<Row>()
  /** Records that are not shown: their class refuses them, or a record that they require was deleted. */
  readonly #hidden = new Set<Entry>()
  /** Tables of records that others require, and their rows that are about to change, with whether they were deleted. */
  readonly #requiredTables = new Set<Table>()
  readonly #required = new Map<Row, boolean>()
  #watched: ReadonlySet<Table> = this.#requiredTables
  #floating = 0

  constructor(hub: Hub, args: readonly any[], classes: readonly RecordClass[]) {
    super(hub, args)
    this.#classes = classes
  }

  override has(entry: Entry): boolean {
    return super.has(entry) && !this.#hidden.has(entry)
  }

  override all(): Iterable<Entry> {
    const all = this.entries.values()
    return this.#hidden.size > 0 ? [...all].filter((entry) => this.has(entry)) : all
  }

  override touch(row: Row): void {
    this.#changed.add(row)
    if (this.#requiredTables.has(row.table) && !this.#required.has(row)) {
      this.#required.set(row, isDeleted(this.hub.reader, row))
    }
    this.node.touch()
  }

  protected override update(reader: Reader, isFirst: boolean): void {
    const changed = this.#changed
    if (isFirst) {
      this.#watch(reader)
    }
    this.isKnown = false
    this.#classes.forEach((Class, i) => {
      const info = classInfo(reader.tables, Class)
      const { rows, floating } = info.table
      if (DEV) {
        this.#followReload(info.Entity, i)
      }
      for (const row of isFirst ? rows : changed) {
        if (row.table === info.table && !floating.has(row as never)) {
          this.#look(reader, info, row, i * NEXT_CLASS + row.position, isFirst)
        }
      }
      let last = 0
      for (const row of floating) {
        const at = this.entries.get(row)?.at ?? 0
        const isInOrder = at % NEXT_CLASS >= FLOATING && at > last
        last = isInOrder ? at : i * NEXT_CLASS + FLOATING + this.#floating++
        if (isFirst || !isInOrder || changed.has(row)) {
          this.#look(reader, info, row, last, isFirst)
        }
      }
      this.isKnown ||= rows.length > 0 || [...floating].some((row) => isObject(reader.row(row)))
    })
    changed.clear()
    // A record that others require is rarely deleted, so it is not noted which do.
    if ([...this.#required].some(([row, was]) => isDeleted(reader, row) !== was)) {
      this.entries.forEach((entry) => this.#judge(reader, entry))
    }
    this.#required.clear()
  }

  /** Hot reload has replaced a class: functions may see other getters. */
  #followReload(Entity: RecordClass, i: number): void {
    // Metro drops no unused member, so one that only development calls is empty in production.
    if (DEV) {
      const before = this.#current[i]
      this.#current[i] = Entity
      if (before && before !== Entity) {
        this.entries.forEach((entry) => this.pass(entry))
      }
    }
  }

  #watch(reader: Reader): void {
    const tables = new Set<Table>()
    for (const Class of this.#classes) {
      const { schema } = Class
      tables.add(classInfo(reader.tables, Class).table)
      for (const name of shapeOf(Class).required) {
        const choices = isEntity(schema[name]) ? [schema[name]] : Object.values(schema[name].schema as object)
        for (const one of choices.filter(isEntity)) {
          const { table } = classInfo(reader.tables, one as never)
          this.#requiredTables.add(table)
          tables.add(table)
          for (const row of [...table.rows, ...table.floating]) {
            this.#required.set(row, false)
          }
        }
      }
    }
    this.#watched = tables
    tables.forEach((table) => this.hub.watch(table, this))
  }

  override drop(): void {
    super.drop()
    this.#watched.forEach((table) => this.hub.unwatch(table, this))
  }

  #look(reader: Reader, info: ClassInfo, row: Row, at: number, isFirst: boolean): void {
    const seen = reader.row(row)
    if (!isObject(seen)) {
      this.remove(row)
      return
    }
    const { Entity } = info
    const entry = this.put(row, seen, at, info)
    if (Entity.validate || (!isFirst && shapeOf(Entity).required.length > 0)) {
      this.#judge(reader, entry)
    }
  }

  #judge(reader: Reader, entry: Entry): void {
    const wasHidden = this.#hidden.has(entry)
    let isHidden = false
    try {
      isHidden = !isShown(reader, { schema: entry.info!.Entity, seen: entry.seen })
    } catch {
      // Reading the record throws the same.
    }
    if (isHidden !== wasHidden) {
      this.#hidden[isHidden ? 'add' : 'delete'](entry)
      this.pass(entry)
    }
  }

  protected override remove(row: Row): void {
    this.#hidden.delete(this.entries.get(row)!)
    super.remove(row)
  }
}

function isDeleted(reader: Reader, row: Row): boolean {
  return reader.row(row) === INVALID
}
