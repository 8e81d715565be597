import { put, share } from '../base/equal.ts'
import { INVALID, isOlder, type Meta } from '../schema/Schema.ts'
import type { Drafts } from './drafts.ts'
import { type Contribution, isCrossing, ranksByCommit, placeOf, sentLater, compactableCount } from './log.ts'
import type { Draft, Slot } from './tables.ts'

type Fields = Record<string, unknown>
type RecordValue = Fields | typeof INVALID

/** Some fields of a record, or that it was deleted. */
export interface RecordEvent extends Contribution {
  readonly fields: RecordValue
  /** Its value before it yielded to writes that were sent later. */
  readonly given?: RecordValue
}

/** A record whose history is forgotten is one contribution. */
function logOf({ log, meta, value }: Slot): readonly RecordEvent[] {
  return log ?? (meta && value !== undefined ? [{ meta, fields: value as RecordValue }] : [])
}

/**
 * Adds a contribution to a record, in the draft of its slot: each field is that of the last contribution that has it. Nearly always
 * this one is the newest, and the record has no log; all others take the slower way of `insert`.
 */
export function contribute(drafts: Drafts, slot: Slot, given: RecordValue): void {
  const { meta, horizon, tables } = drafts.intake
  const { log, meta: stored } = slot
  const draft = drafts.draft(slot)
  if (drafts.isPending) {
    // A pending operation stands over the row, and yields to writes that were sent later, as a committed write does.
    draft.value = apply(drafts.below(slot).value as RecordValue, remainingFields(given, laterWrites(logOf(slot), meta)))
    draft.meta = meta
    return
  }
  const existing = slot.value as RecordValue | undefined
  if (log !== undefined || (stored !== undefined && isOlder(meta, stored))) {
    insert(draft, slot, given, meta, horizon)
    return
  }
  draft.value = apply(existing, given)
  draft.meta = meta
  if (existing === undefined || stored === undefined) {
    draft.stale ||= tables.recentWrites.some((write) => isCrossing(write.meta, meta) && write.mayChange?.(slot))
    return
  }
  // A write that was pending together with a delete may have been executed before it.
  draft.stale ||= existing === INVALID && given !== INVALID && meta.sent < stored.order
  if (horizon <= meta.order) {
    const old: RecordEvent = { meta: stored, fields: existing }
    draft.log = isNeeded(old, given, horizon) ? [old, { meta, fields: given }] : undefined
  }
}

/** Puts a contribution where it belongs in the log of a record, and folds all of them again. */
function insert(draft: Draft, slot: Slot, given: RecordValue, meta: Meta, horizon: number): void {
  const log = logOf(slot)
  const existing = slot.value as RecordValue
  const later = laterWrites(log, meta)
  const place = placeOf(log, meta)
  const after = log.slice(place)
  const isLast = after.length === 0 && later.length === 0
  if (given === INVALID && !isLast) {
    // A delete that others overtook leaves the record as it is.
    draft.stale ||= existing !== INVALID && [...later, ...after].some((one) => isCrossing(one.meta, meta))
    return
  }
  const fields = remainingFields(given, later)
  const own: RecordEvent = later.length > 0 ? { meta, fields, given } : { meta, fields }
  const events = [...log.slice(0, place).filter((one) => isNeeded(one, fields, horizon)), own, ...after]
  draft.value = isLast ? apply(existing, fields) : share(existing, fold(events))
  draft.log = compactRecord(events, horizon)
  draft.meta = isLast ? meta : raise(slot.meta!, meta)
  draft.stale ||= disagrees(own, after, draft.value as RecordValue, existing, log.at(-1)!.meta)
}

/** Joins the contributions that no open request can be ranked before any more; `undefined` where one is left. */
export function compactRecord(log: readonly RecordEvent[], horizon: number): readonly RecordEvent[] | undefined {
  const count = compactableCount(log, horizon)
  const settled = log.slice(0, count)
  const events: readonly RecordEvent[] =
    count > 1 ? [{ meta: settled.at(-1)!.meta, fields: fold(settled)! }, ...log.slice(count)] : log
  return events.length > 1 ? events : undefined
}

/** Adds a contribution to a record as a whole, as hooks of the user's class decide. */
export function mergeWithHooks(drafts: Drafts, slot: Slot, incoming: Fields): void {
  const { meta, horizon } = drafts.intake
  const draft = drafts.draft(slot)
  const { value: existing, meta: rowMeta = meta } = drafts.below(slot)
  const Class = draft.info!.Entity
  const merged: unknown = Class.mergeWithStore(rowMeta, meta, existing, incoming)
  draft.value = share(existing, merged)
  if (!Class.shouldUpdate(rowMeta, meta, existing, incoming)) {
    return
  }
  const kept = Class.mergeMetaWithStore(rowMeta, meta, existing, incoming)
  // A hook may make a meta of its own; the numbers are the store's.
  const sent = (kept as Partial<Meta>).sent ?? meta.sent
  draft.meta = { ...kept, sent, order: Math.max(rowMeta.order, meta.order) }
  const log = logOf(slot)
  const isCrossed = isCrossing(rowMeta, meta) || laterWrites(log, meta).length > 0
  draft.stale ||= isCrossed && overlay(draft.value as Fields, incoming) !== draft.value
  const writes = log.filter((one) => ranksByCommit(one.meta) && horizon < one.meta.sent)
  draft.log = writes.length > 0 ? [...writes, { meta: draft.meta, fields: draft.value as Fields }] : undefined
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

function fold(events: readonly RecordEvent[]): RecordValue | undefined {
  return events.reduce<RecordValue | undefined>((value, { fields }) => apply(value, fields), undefined)
}

/** A record with one more contribution. */
function apply(value: RecordValue | undefined, fields: RecordValue): RecordValue | undefined {
  if (fields === INVALID) {
    return INVALID
  }
  if (value !== undefined && value !== INVALID) {
    return overlay(value, fields)
  }
  // A write that has yielded altogether does not bring a deleted record back.
  return fields === NOTHING ? value : fields
}

/** False where a newer contribution covers an older one, and no open write may have to yield to the older one. */
function isNeeded({ meta, fields }: RecordEvent, newer: RecordValue, horizon: number): boolean {
  if (ranksByCommit(meta) && horizon < meta.sent) {
    return true
  }
  if (newer === INVALID) {
    return false
  }
  if (fields === INVALID) {
    return true
  }
  for (const name in fields) {
    if (!Object.hasOwn(newer, name)) {
      return true
    }
  }
  return false
}

/** The remaining fields of a write that yields to others. */
function remainingFields(given: RecordValue, later: readonly RecordEvent[]): RecordValue {
  if (later.length === 0) {
    return given
  }
  const fields: Fields = {}
  const isOpen = (name: string): boolean => !later.some((one) => isAbout(one, name))
  const names = given === INVALID ? [] : Object.keys(given).filter(isOpen)
  for (const name of names) {
    put(fields, name, (given as Fields)[name])
  }
  return names.length > 0 ? fields : NOTHING
}

/** The contribution of a write that has yielded every field to others, and of a write whose fields nobody knows. It adds no field. */
export const NOTHING: Fields = {}

/** The writes that another one yields to. It does not yield to one of which nobody knows the fields. */
function laterWrites(log: readonly RecordEvent[], meta: Meta): readonly RecordEvent[] {
  return sentLater(log, meta).filter(({ fields, given = fields }) => given !== NOTHING)
}

function isAbout({ fields, given = fields }: RecordEvent, name: string): boolean {
  return given === INVALID || Object.hasOwn(given, name)
}

/**
 * True where a contribution crossed another and they disagree: only the server knows which came last, so the record is fetched
 * again.
 *
 * Example: a read is sent, a write of `title: 'b'` is committed, the read arrives with `title: 'a'`. The record shows 'b', and is
 * fetched again. If the read says 'b', nothing is in doubt.
 *
 * @param after the contributions that rank after it
 * @param value the record with it
 * @param existing the record without it
 * @param last the meta of the last contribution to the existing record
 */
function disagrees(
  own: RecordEvent,
  after: readonly RecordEvent[],
  value: RecordValue,
  existing: RecordValue,
  last: Meta,
): boolean {
  const { meta, fields, given = fields } = own
  const hasYielded = given !== fields
  const isLate = after.length > 0 || hasYielded
  if (given === INVALID) {
    return false
  }
  if (existing === INVALID) {
    // A write that was pending together with the delete may have been executed before it.
    return isLate || meta.sent < last.order
  }
  const hasChangedShown = value !== existing && (hasYielded || isCrossing(last, meta))
  return isLate && (hasChangedShown || Object.keys(given).some((name) => hasLost(own, name, after, value)))
}

/** True where a field of a contribution is not shown, because another one that crossed it says something else. */
function hasLost(own: RecordEvent, name: string, after: readonly RecordEvent[], value: RecordValue): boolean {
  const { meta, fields, given = fields } = own
  const winner = [...after].reverse().find((one) => isAbout(one, name))
  if (winner ? !isCrossing(winner.meta, meta) : Object.hasOwn(fields as Fields, name)) {
    return false
  }
  // A winner that has yielded itself says something else than what is shown: it settles nothing to agree with one of them.
  const mine = (given as Fields)[name]
  const differs = (theirs: RecordValue): boolean => theirs === INVALID || share(theirs[name], mine) !== theirs[name]
  return differs(value) || differs(winner?.given ?? value)
}

/** The meta of a record that keeps it: that of a write gets the higher order of the two. */
function raise(kept: Meta, other: Meta): Meta {
  return ranksByCommit(kept) && other.order > kept.order ? { ...kept, order: other.order } : kept
}
