// Which response a field belongs to
//
// Every request takes a number when it is sent, every response one when it arrives. Two responses overlap if each was sent before the
// other arrived; only then is their order in question. A response that does not overlap replaces the fields it has. Of two that overlap, a
// write keeps the field against a read, and of two reads or two writes the one sent later does.
//
// Where a mutation is part of an overlap and the two differ, only the server knows: the record is in doubt.

import { isObject, put, share } from '../base/equal.ts'
import { INVALID, isOlder, isWrite, type Meta } from '../schema/Schema.ts'
import type { Fields, Patch, Slot } from './tables.ts'

/** The response that brought each field: one for all, or one for most and others for the rest. */
export type Stamps =
  | Meta
  | { readonly most: Meta; readonly others: Readonly<Record<string, Meta>>; readonly newest: number }

/** Several values. */
export const MANY: unique symbol = Symbol('many')

/** The changes of a record that lists have missed, since reads brought them. */
export interface Unfollowed {
  /** When the last read changed it. */
  readonly at: number
  /** Its fields before the first, where they were known; `MANY` before several. */
  readonly fields: Fields | typeof MANY | undefined
  /** The responses that overlapped the change and had the whole record as it is now: their lists know it. */
  readonly seenAt?: readonly number[]
}

/** The response that brought a field. */
export function stampOf(by: Stamps | undefined, name: string): Meta | undefined {
  return !by || !('most' in by) ? by : Object.hasOwn(by.others, name) ? by.others[name] : by.most
}

/** The number at which the oldest of the responses was sent that the fields come from. */
export function oldestSent(by: Stamps): number {
  return 'most' in by ? Math.min(...metasOf(by).map(({ sent }) => sent)) : by.sent
}

/** The responses that the fields come from. */
export function metasOf(by: Stamps): readonly Meta[] {
  return 'most' in by ? [by.most, ...Object.values(by.others)] : [by]
}

/** The number at which the last of them arrived. */
function newestAt(by: Stamps): number {
  return 'most' in by ? by.newest : by.at
}

/** Brings incoming fields, or a delete, together with the stored record. */
export function applyFields(slot: Slot, patch: Patch, meta: Meta): void {
  const { value: stored, wrote, by } = slot
  const given = patch.fields!
  const isOwn = isWrite(meta)
  patch.value = stored
  // It tells of a former life of the record.
  if (!isOwn && meta.sent < slot.gone) {
    patch.isDoubted = stored !== INVALID
    return
  }
  /** A write of this record that was sent later is here already. */
  patch.isLate = isOwn && wrote !== undefined && meta.sent < wrote.sent
  const hasCrossed = meta.kind === 'mutation' && wrote !== undefined && meta.sent < wrote.at
  // An event may be the echo of the mutation: then both say the same.
  patch.isDoubted = hasCrossed && patch.isLate && wrote.kind !== 'set'
  if (stored === undefined) {
    patch.value = given
    patch.by = meta
  } else if (stored === given) {
    // Deleted twice. A write in flight may have come between them.
    patch.isDoubted = patch.isLate && wrote!.kind !== 'set'
  } else if (stored === INVALID || given === INVALID) {
    const isLost = wrote !== undefined && isOlder(meta, wrote)
    patch.isDoubted ||= isOwn && (isLost || hasCrossed)
    if (!isLost) {
      patch.value = given
      patch.by = meta
    }
  } else if (meta.sent >= newestAt(by!)) {
    patch.value = overlay(stored as Fields, given)
    patch.by = stamp(by!, given, meta, patch.value as object)
  } else {
    takeFields(slot, patch, given, meta, hasCrossed)
  }
  patch.isDoubted ||= meta.kind === 'mutation' && slot.doubt > meta.sent
  if (isOwn && !patch.isLate) {
    patch.wrote = meta
  }
}

/** Decides field by field. */
function takeFields({ value, by }: Slot, patch: Patch, given: Fields, meta: Meta, hasCrossed: boolean): void {
  const stored = value as Fields
  const taken: Fields = {}
  for (const name of Object.keys(given)) {
    const holder = Object.hasOwn(stored, name) ? stampOf(by, name) : undefined
    const overlaps = holder !== undefined && meta.sent < holder.at
    const crosses = isWrite(meta) ? hasCrossed : overlaps && holder.kind === 'mutation'
    patch.isDoubted ||= crosses && holder !== undefined && share(stored[name], given[name]) !== stored[name]
    // A write that is late loses also against a read, which may have seen the later one.
    if (!overlaps || !(isOlder(meta, holder) || (patch.isLate && !isWrite(holder)))) {
      put(taken, name, given[name])
    } else {
      patch.hasLost ||= share(stored[name], given[name]) !== stored[name]
    }
  }
  patch.value = overlay(stored, taken)
  patch.by = stamp(by!, taken, meta, patch.value as object)
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

/** The changes of a record that lists have missed, after a read of it. */
export function missedBy(slot: Slot, patch: Patch, { sent, at }: Meta): Unfollowed | undefined {
  const { unfollowed: old, value: stored } = slot
  const { value, hasLost } = patch
  if (value !== stored || hasLost) {
    const fields = old?.fields || hasLost ? MANY : isObject(stored) ? stored : undefined
    return fields === MANY && isWhole(patch) ? { at, fields, seenAt: [at] } : { at, fields }
  }
  return old && sent < old.at && isWhole(patch) ? { ...old, seenAt: [...(old.seenAt ?? []), at] } : old
}

/** True where a response had every field of the record as it is now. */
function isWhole({ value, fields }: Patch): boolean {
  return (
    isObject(value) &&
    isObject(fields) &&
    Object.keys(fields).length === Object.keys(value).length &&
    overlay(value, fields) === value
  )
}

/** Brings a record together with the stored one as hooks of the user's class decide. */
export function applyHooks(slot: Slot, patch: Patch, meta: Meta, existing: Fields): void {
  const { Entity: Class } = patch.info!
  const incoming = patch.fields as Fields
  const { meta: rowMeta = meta, wrote } = slot
  patch.value = share(existing, Class.mergeWithStore(rowMeta, meta, existing, incoming) as unknown)
  patch.isLate = isWrite(meta) && wrote !== undefined && meta.sent < wrote.sent
  if (!Class.shouldUpdate(rowMeta, meta, existing, incoming)) {
    return
  }
  const kept = Class.mergeMetaWithStore(rowMeta, meta, existing, incoming)
  // A hook may make a meta of its own; the numbers are the store's.
  patch.meta = { ...kept, sent: meta.sent, at: meta.at, kind: meta.kind }
  patch.by = meta
  const isMutation = [meta, wrote].some((one) => one?.kind === 'mutation')
  const hasCrossed = isMutation && wrote !== undefined && meta.sent < wrote.at
  patch.isDoubted = hasCrossed && overlay(patch.value as Fields, incoming) !== patch.value
  if (isWrite(meta) && !patch.isLate) {
    patch.wrote = meta
  }
}

/** The fields of a pending operation over the record below it. Those of a write that was sent later, and has its response, stay. */
export function coverFields(
  { value, by, wrote }: Slot,
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
