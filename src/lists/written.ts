// The records that a response has written, as they were and as they are.

import type { ChangedLists } from './ChangedLists.ts'
import { itemRow } from './itemRow.ts'
import type { StoreChange } from './ListRow.ts'
import { isObject } from '../base/equal.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, type ListChange } from '../schema/Schema.ts'
import { coverFields, overlay } from '../records/fields.ts'
import { type Fields } from '../rows/Fields.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import { isInDoubt, type Row } from '../rows/Row.ts'
import { withParams } from './arguments.ts'
import { listsNamedBy, type Names } from './named.ts'

export interface Written {
  /** `undefined` for an item of an adder that is no record. */
  readonly row: RecordRow | undefined
  /** `undefined` where it was not known. */
  readonly before: Fields | typeof INVALID | undefined
  /** `undefined` where it is deleted. */
  readonly now: Fields | undefined
  /** As it was when the operation was issued, where reads have changed it since: what is pending is shown, whatever they say. */
  readonly issuedOver: Fields | undefined
  readonly hasChanged: boolean
  /** A read has changed it while the write was in flight, perhaps to what the write makes of it. */
  readonly isOvertaken: boolean
  /** It crossed another write, or has been in doubt since it was sent: only the server knows what it is now. */
  readonly isCrossed: boolean
  /** A write that was sent later is already here. */
  readonly isLate: boolean
  /** Its fields may not have been those of the server. */
  readonly wasInDoubt: boolean
  /** The adder, remover or mover that the schema names. */
  readonly how: ListChange | undefined
  /** Its item; in a map `[name, item]`. */
  readonly entry: unknown
  /** Whether an adder or a remover names a list. */
  readonly names: Names | undefined
}

/** The written records: those of each adder, remover and mover, then all others. */
export function writtenRecords(change: StoreChange): Written[][] {
  const written = change.written as Set<RecordRow> | undefined
  const changes = (change.lists as ChangedLists | undefined)?.changes ?? []
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? change.intake.args[0] : undefined
  const groups: Written[][] = []
  const named = new Set<Row>()
  for (const how of changes) {
    groups.push(writtenBy(change, how, params, named))
  }
  const others: Written[] = []
  for (const row of written ?? []) {
    if (!named.has(row)) {
      others.push(writtenRecord(change, row, params))
    }
  }
  return [...groups, others]
}

/** The records of an adder, a remover or a mover, which are noted as `named`. */
function writtenBy(change: StoreChange, how: ListChange, params: unknown, named: Set<Row>): Written[] {
  const { items, item: choice, kind, args } = how
  // A single argument of a mover is the body.
  const paramsOfChange = kind === 'move' && args.length < 2 ? undefined : params
  const entries = Object.entries(items).filter(([, item]) => item !== null && item !== undefined)
  return entries.map(([label, item]) => {
    const row = itemRow(change.intake.tables, choice as Choice, item)
    const entry: unknown = Array.isArray(items) ? item : [label, item]
    if (!row) {
      return writtenItem(change, how, entry)
    }
    named.add(row)
    return writtenRecord(change, row, paramsOfChange, how, entry)
  })
}

/** An item that is no record, as one of a union that no class recognises: only its adder concerns it. */
function writtenItem({ intake }: StoreChange, how: ListChange, entry: unknown): Written {
  return {
    row: undefined,
    before: undefined,
    now: {},
    issuedOver: undefined,
    hasChanged: true,
    isOvertaken: false,
    isCrossed: false,
    isLate: false,
    wasInDoubt: false,
    how,
    entry,
    names: listsNamedBy(intake.endpoint, how, []),
  }
}

function writtenRecord(
  change: StoreChange,
  row: RecordRow,
  params: unknown,
  how?: ListChange,
  entry?: unknown,
): Written {
  const { meta, dependsOn, issuedOver } = change.intake
  dependsOn?.add(row)
  const old = change.below(row)
  const isOvertaken = (row.changedByRead?.at ?? 0) > meta.sent
  // Lists follow writes: what others write below the operation they know.
  if (change.isPending && !isOvertaken) {
    issuedOver?.set(row, old)
  }
  const stored = storedAfter(change, row)
  const isLate = (row.wrote?.sent ?? 0) > meta.sent
  const now = how?.kind === 'move' && !isLate ? withBody(change, row, stored, how) : stored
  const whole = (fields: unknown): Fields | undefined => (isObject(fields) ? withParams(fields, params) : undefined)
  return {
    row,
    before: old === INVALID ? old : whole(old),
    now: whole(now),
    issuedOver: isOvertaken ? whole(issuedOver?.get(row)) : undefined,
    hasChanged: stored !== old || isOvertaken,
    isOvertaken,
    // A later write says nothing about the lists that a remover names.
    isCrossed: row.patch?.doubt !== undefined || (isLate && how?.kind === 'remove'),
    isLate,
    wasInDoubt: isInDoubt(row),
    how,
    entry,
    // A removed record may be known from before only, or not as the server has it.
    names: how && listsNamedBy(change.intake.endpoint, how, [old, stored].filter(isObject), row.patch?.fields),
  }
}

/** The record after the write. */
function storedAfter(change: StoreChange, row: RecordRow): unknown {
  const { patch } = row
  if (!change.isPending) {
    return (patch ?? row).value
  }
  const below = change.below(row)
  return patch?.fields ? coverFields(row, below, patch.fields, change.intake.meta.sent) : below
}

/** The body of a mover says where to, also where the response does not. */
function withBody({ intake }: StoreChange, { patch }: RecordRow, stored: unknown, { items }: ListChange): unknown {
  const body: unknown = intake.args.at(-1)
  if (!isObject(stored) || !isObject(body) || Object.keys(items).length !== 1) {
    return stored
  }
  return overlay(overlay(stored, body), isObject(patch?.fields) ? patch.fields : {})
}
