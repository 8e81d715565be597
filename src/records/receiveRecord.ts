// Which response a field belongs to
//
// Every request takes a number when it is sent, every response one when it arrives. Two responses overlap if each was sent before the
// other arrived; only then is their order in question. A response that does not overlap replaces the fields it has. Of two that overlap, a
// write keeps the field against a read, and of two reads or two writes the one sent later does.
//
// Where a mutation is part of an overlap and the two differ, only the server knows: the record is in doubt.

import { isObject, put, share } from '../base/equal.ts'
import type { Change } from '../rows/Change.ts'
import { relation } from '../rows/relation.ts'
import { INVALID } from '../rows/INVALID.ts'
import { isWrite, type Meta } from '../rows/Meta.ts'
import type { Fields } from '../rows/Fields.ts'
import { changedByRead } from './changedByRead.ts'
import { overlay } from './fields.ts'
import type { RecordPatch, RecordRow } from './RecordRow.ts'
import { newestAt, stampOf, type Stamps } from './Stamps.ts'

/** Brings what a value has for a record together with its row. */
export function receiveRecord(change: Change, row: RecordRow, patch: RecordPatch): void {
  const { meta } = change.intake
  const existing = patch.info?.hasMergeHooks ? change.below(row) : undefined
  if (isObject(existing) && isObject(patch.fields)) {
    applyHooks(row, patch, meta, existing)
    patch.fields = change.isPending ? (patch.value as Fields) : patch.fields
  } else if (patch.fields !== undefined && !change.isPending) {
    applyFields(row, patch, meta)
  }
}

/**
 * Completes the patch of a record before its row takes it.
 *
 * @param isAlike no list can tell two versions of the record apart
 */
export function finishRecord(
  { written, wroteTo, intake: { meta } }: Change,
  row: RecordRow,
  patch: RecordPatch,
  isAlike: (a: object, b: object) => boolean,
): void {
  const { meta: old } = row
  patch.meta = old && old.sent > meta.sent ? old : patch.meta
  patch.changedByRead = written?.has(row) ? undefined : changedByRead(row, patch, meta, isAlike)
  if (isWrite(meta) && wroteTo.at(-1) !== row.table) {
    wroteTo.push(row.table)
  }
}

/** Brings incoming fields, or a delete, together with the stored record. */
export function applyFields(row: RecordRow, patch: RecordPatch, meta: Meta): void {
  const { value: stored, wrote, by, gone } = row
  const given = patch.fields!
  const toWrite = relation(meta, wrote, gone)
  patch.value = stored
  if (toWrite === 'formerLife') {
    patch.doubt = stored === INVALID ? undefined : { reason: 'former-life' }
    return
  }
  /** A write of this record that was sent later is here already. An event may be the echo of it: then both say the same. */
  const isLate = isWrite(meta) && toWrite === 'loses'
  const hasCrossed = meta.kind === 'mutation' && toWrite !== 'after'
  const isReversed = isLate && wrote!.kind !== 'set'
  let isOpen = hasCrossed && isReversed
  if (stored === undefined || (stored !== given && [stored, given].includes(INVALID))) {
    // It begins, ends or begins again.
    isOpen ||= stored !== undefined && isWrite(meta) && (isLate || hasCrossed)
    if (stored === undefined || toWrite !== 'loses') {
      patch.value = given
      patch.by = meta
    }
  } else if (stored === given) {
    // Deleted twice. A write in flight may have come between them.
    isOpen = isReversed
  } else if (meta.sent >= newestAt(by!)) {
    patch.value = overlay(stored as Fields, given as Fields)
    patch.by = stamp(by!, given as Fields, meta, patch.value as object)
  } else {
    isOpen = takeFields(row, patch, meta, { isLate, hasCrossed }) || isOpen
  }
  const wasOpen = meta.kind === 'mutation' && row.doubt.at > meta.sent
  patch.doubt = isOpen ? { reason: 'crossed' } : wasOpen ? { reason: 'was-in-doubt' } : undefined
  if (isWrite(meta) && !isLate) {
    patch.wrote = meta
  }
}

/** Decides field by field. Returns whether only the server knows the outcome. */
function takeFields(
  { value, by }: RecordRow,
  patch: RecordPatch,
  meta: Meta,
  { isLate, hasCrossed }: { readonly isLate: boolean; readonly hasCrossed: boolean },
): boolean {
  const [stored, given] = [value as Fields, patch.fields as Fields]
  const taken: Fields = {}
  let isOpen = false
  for (const name of Object.keys(given)) {
    const holder = Object.hasOwn(stored, name) ? stampOf(by, name) : undefined
    const toHolder = relation(meta, holder)
    const crosses = isWrite(meta) ? hasCrossed : toHolder !== 'after' && holder!.kind === 'mutation'
    isOpen ||= crosses && holder !== undefined && share(stored[name], given[name]) !== stored[name]
    // A write that is late loses also against a read, which may have seen the later one.
    const hasSeenLater = isLate && holder !== undefined && !isWrite(holder)
    if (toHolder === 'after' || (toHolder === 'wins' && !hasSeenLater)) {
      put(taken, name, given[name])
    }
  }
  const next = overlay(stored, taken)
  const whole = isWrite(meta) ? next : overlay(next, given)
  patch.value = next
  patch.lost = whole === next ? undefined : whole
  patch.by = stamp(by!, taken, meta, next)
  return isOpen
}

/** The stamps after a response has brought some fields of a record. */
function stamp(by: Stamps, fields: Fields, meta: Meta, record: object): Stamps {
  const names = Object.keys(fields)
  const count = Object.keys(record).length
  if (names.length === 0 || names.length === count) {
    return names.length === 0 ? by : meta
  }
  const { most, others: old } = 'most' in by ? by : { most: by, others: {} }
  const others = { ...old }
  names.forEach((name) => put(others, name, meta))
  // By now each field may have one of its own.
  return { most: Object.keys(others).length < count ? most : meta, others, newest: Math.max(newestAt(by), meta.at) }
}

/** Brings a record together with the stored one as hooks of the user's class decide. */
function applyHooks(row: RecordRow, patch: RecordPatch, meta: Meta, existing: Fields): void {
  const { Entity: Class } = patch.info!
  const incoming = patch.fields as Fields
  const { meta: rowMeta = meta, wrote } = row
  patch.value = share(existing, Class.mergeWithStore(rowMeta, meta, existing, incoming) as unknown)
  const toWrite = relation(meta, wrote)
  if (!Class.shouldUpdate(rowMeta, meta, existing, incoming)) {
    return
  }
  const kept = Class.mergeMetaWithStore(rowMeta, meta, existing, incoming)
  // A hook may make a meta of its own; the numbers are the store's.
  patch.meta = { ...kept, sent: meta.sent, at: meta.at, kind: meta.kind }
  patch.by = meta
  const isMutation = [meta, wrote].some((one) => one?.kind === 'mutation')
  const isOpen = isMutation && toWrite !== 'after' && overlay(patch.value as Fields, incoming) !== patch.value
  patch.doubt = isOpen ? { reason: 'crossed' } : undefined
  if (isWrite(meta) && toWrite !== 'loses') {
    patch.wrote = meta
  }
}
