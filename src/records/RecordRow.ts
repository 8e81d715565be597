import type { Fields } from '../rows/Fields.ts'
import { isObject } from '../base/equal.ts'
import type { Change } from '../rows/Change.ts'
import type { INVALID } from '../rows/INVALID.ts'
import type { Meta } from '../rows/Meta.ts'
import { Patch, type PendingChange, Row, type RowContent } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { metasOf, oldestSent, type Stamps } from './Stamps.ts'

/** More versions of a record than are kept. */
export const SEVERAL: unique symbol = Symbol('several')

/**
 * Reads have changed a record since its last write, and lists follow no read. When the first of those that overlap did, and the fields
 * that lists may still know, where there were any: those before, and those between reads that differ for a list. `only`: the response
 * that brought the change, if no other overlaps it: its lists show that. `seenAt`: other responses that had the whole record as it is now,
 * so that their lists know it.
 */
export interface ChangedByRead {
  readonly at: number
  readonly only: number | undefined
  readonly from: readonly Fields[] | typeof SEVERAL
  readonly seenAt?: readonly number[] | undefined
}

/** The row of a record. `take` sets its own members, and `clear` ends them. */
export class RecordRow extends Row {
  declare readonly table: RecordTable & Table
  declare patch: RecordPatch | undefined
  /** The responses that brought its fields. */
  by: Stamps | undefined = undefined
  /** The last write of the app, by when it was sent. */
  wrote: Meta | undefined = undefined
  changedByRead: ChangedByRead | undefined = undefined

  override get oldest(): number | undefined {
    return this.by ? oldestSent(this.by) : this.meta?.sent
  }

  override get metas(): readonly Meta[] {
    return this.by ? metasOf(this.by) : super.metas
  }

  override draft(meta: Meta): RecordPatch {
    const patch = new RecordPatch(this.value, meta)
    patch.changedByRead = this.changedByRead
    return patch
  }

  override take(next: RecordContent): void {
    const old = this.value
    super.take(next)
    this.index(old)
    this.by = next.by ?? this.by
    this.wrote = next.wrote ?? this.wrote
    this.changedByRead = 'changedByRead' in next ? next.changedByRead : this.changedByRead
  }

  override clear(): void {
    const old = this.value
    super.clear()
    this.index(old)
    this.by = this.wrote = undefined
    this.changedByRead = undefined
  }

  protected override coverOne(value: unknown, change: PendingChange): unknown {
    const fields = change.fields as RecordPatch['fields']
    const { sent, queued } = change.by
    if (fields === undefined) {
      return super.coverOne(value, change)
    }
    return this.table.code
      ? this.table.code.cover(this, value, fields, queued ? Infinity : sent)
      : withFields(value, fields)
  }

  private index(old: unknown): void {
    if (this.table.indexes.size > 0) {
      this.table.code!.index(this, old, this.value)
    }
  }
}

export type RecordContent = RowContent & Partial<Pick<RecordPatch, 'by' | 'wrote' | 'changedByRead'>>

/** News about a record. */
export class RecordPatch extends Patch {
  /** The fields as they came in; `INVALID` deletes it. */
  fields: Fields | typeof INVALID | undefined = undefined

  // The row afterwards.
  by: Stamps | undefined = undefined
  wrote: Meta | undefined = undefined
  changedByRead: ChangedByRead | undefined = undefined

  /** The record as a read has it that lost some of its fields: a list of that response may know it so. */
  lost: Fields | undefined = undefined

  // While its value is walked.
  info: ClassInfo | undefined = undefined
  /** The very object that came in: met again, it is not visited again. */
  input: unknown = undefined
  /** How often its fields are being visited now, and the objects that arrived for it since. */
  busy = 0
  met: Set<unknown> | undefined = undefined
}

/** A record with other fields, where the store has met no class: a schema of the app names it. */
export function withFields(value: unknown, fields: Fields | typeof INVALID): unknown {
  return isObject(value) && isObject(fields) ? { ...value, ...fields } : fields
}

/** All records of one kind. */
export class RecordTable extends Table<RecordRow> {
  private readonly of: { readonly recordCode: RecordCode | undefined }

  /** @param of the tables of the store */
  constructor(key: string, of: { readonly recordCode: RecordCode | undefined }) {
    super(key, RecordRow)
    this.of = of
  }

  /** The code that the first class of the store has brought; `undefined` while there are restored records only. */
  get code(): RecordCode | undefined {
    return this.of.recordCode
  }
}

/** The code of records (`code.ts`). An Entity brings it, and the core calls it through this interface: an app without records does not carry it. */
export interface RecordCode {
  /** Brings what a value has for a record together with its row. */
  receive(change: Change, row: RecordRow, patch: RecordPatch): void
  /** Completes the patch of a record before its row takes it. `isAlike`: no list can tell two versions of the record apart. */
  finish(change: Change, row: RecordRow, patch: RecordPatch, isAlike: (a: object, b: object) => boolean): void
  /** The fields of a pending operation, which was sent at this number, over the record below it. */
  cover(row: RecordRow, below: unknown, fields: Fields | typeof INVALID, sent: number): unknown
  /** Enters a row in the indexes of its table. */
  index(row: RecordRow, old: unknown, value: unknown): void
}

/** Computed once per class and store. */
export interface ClassInfo {
  readonly Entity: RecordClass
  readonly table: RecordTable
  /** The class has merge hooks of its own: its records are merged as a whole, not field by field. */
  readonly hasMergeHooks: boolean
  readonly ownProcess: boolean
  readonly ownPk: boolean
  checked: boolean
}
