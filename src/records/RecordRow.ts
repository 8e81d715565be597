import { isObject, put, share } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import { INVALID } from '../rows/INVALID.ts'
import { isWrite, type Meta } from '../rows/Meta.ts'
import { Patch, type PendingChange, Row, type RowContent } from '../rows/Row.ts'
import type { Table } from '../rows/Table.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { metasOf, oldestSent, stampOf, type Stamps } from './Stamps.ts'

/** Several values: nobody has kept them all. */
export const SEVERAL: unique symbol = Symbol('several')

/**
 * Reads have changed a record since its last write, and lists follow no read. When the first of those that overlap did, and the fields
 * before, where they were known; `SEVERAL` if several reads have changed a field that is an argument of a list. `only`: the response
 * that brought the change, if no other overlaps it: its lists show that. `seenAt`: the responses that had the whole record as it is now,
 * so that their lists know it.
 */
export interface ChangedByRead {
  readonly at: number
  readonly only: number | undefined
  readonly from: Fields | typeof SEVERAL | undefined
  readonly seenAt?: readonly number[] | undefined
}

/** The row of a record. `take` sets its own members, and `clear` ends them. */
export class RecordRow extends Row {
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
    super.take(next)
    this.by = next.by ?? this.by
    this.wrote = next.wrote ?? this.wrote
    this.changedByRead = 'changedByRead' in next ? next.changedByRead : this.changedByRead
  }

  override clear(): void {
    super.clear()
    this.by = this.wrote = undefined
    this.changedByRead = undefined
  }

  protected override coverOne(value: unknown, change: PendingChange): unknown {
    const fields = change.fields as RecordPatch['fields']
    const { sent, queued } = change.by
    return fields === undefined
      ? super.coverOne(value, change)
      : coverFields(this, value, fields, queued ? Infinity : sent)
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

export type RecordTable = Table<RecordRow>

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

/** The fields of a pending operation over the record below it. Those of a write that was sent later, and has its response, stay. */
export function coverFields(
  { value, by, wrote }: { readonly value: unknown; readonly by: Stamps | undefined; readonly wrote: Meta | undefined },
  below: unknown,
  fields: Fields | typeof INVALID,
  sent: number,
): unknown {
  if (below === undefined || below === INVALID || fields === INVALID) {
    return wrote && wrote.sent > sent ? below : fields
  }
  const isLeft = ([name]: [string, unknown]): boolean => {
    const holder = isObject(value) && Object.hasOwn(value, name) ? stampOf(by, name) : undefined
    return !holder || !isWrite(holder) || holder.sent < sent
  }
  return overlay(below as Fields, Object.fromEntries(Object.entries(fields).filter(isLeft)))
}

/** `existing` with the fields of `incoming`; `existing` itself when none of them differs. */
export function overlay(existing: Fields, incoming: Fields): Fields {
  let out: Fields | undefined
  for (const name in incoming) {
    const next = incoming[name]
    const old = existing[name]
    if (next === old && (next !== undefined || Object.hasOwn(existing, name))) {
      continue
    }
    const part = typeof next === 'object' && Object.hasOwn(existing, name) ? share(old, next) : next
    if (Object.is(part, old) && Object.hasOwn(existing, name)) {
      continue
    }
    out ??= { ...existing }
    put(out, name, part)
  }
  return out ?? existing
}
