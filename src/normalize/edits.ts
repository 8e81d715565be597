import { INVALID, STALE } from '../schema/Schema.ts'
import type { Decision, Drafts } from './drafts.ts'
import { overlay } from './records.ts'
import type { Slot, Table } from './tables.ts'

/** A record before and after a write or a read. */
export interface Edit {
  readonly slot: Slot
  /** `undefined` where nothing was known of it. */
  readonly old: any
  /** `undefined` where it was deleted. */
  readonly now: any
  readonly isWrite: boolean
  /** It had been deleted: what it was then is not known any more. */
  readonly isBack: boolean
  /** It was marked stale: the server may have another value, so a list that does not agree with this one is refetched. */
  readonly wasStale?: boolean
  /** Of an item of an adder or a mover: the lists that it has decided on. */
  readonly decision: Decision | undefined
  /** Parameters of the request, which stand in for fields that the record lacks. */
  readonly params: unknown
  /** A write sent later stands in its place, though the server may have executed this one last: it moves nothing. */
  readonly isOverruled?: boolean
}

/** The records that lists have to follow. */
export function editsOf(drafts: Drafts): Edit[] | undefined {
  const { intake, slots, written } = drafts
  let edits: Edit[] | undefined
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? intake.args[0] : undefined
  for (const slot of slots) {
    const isWrite = written?.has(slot) === true
    const overruled = isWrite ? overruledEdit(slot) : undefined
    const edit = editOf(drafts, slot, isWrite, params)
    if (overruled) {
      ;(edits ??= []).push(overruled)
    }
    if (edit) {
      ;(edits ??= []).push(edit)
    }
  }
  return edits
}

/** A write, or a delete, that crossed a write sent later, which stays: the server has one or the other. */
function overruledEdit(slot: Slot): Edit | undefined {
  const { value, stale, incoming } = slot.draft!
  if (!stale || value === INVALID) {
    return undefined
  }
  const now = incoming && overlay(value as Record<string, unknown>, incoming)
  const own = { isBack: false, decision: undefined, params: undefined }
  return now === value ? undefined : { slot, old: value, now, isWrite: true, isOverruled: true, ...own }
}

/** The record of a slot before and after; `undefined` where no list can be concerned. */
function editOf(drafts: Drafts, slot: Slot, isWrite: boolean, params: unknown): Edit | undefined {
  const { intake, isPending, mayBeMissed, decisions, below } = drafts
  const { value } = slot.draft!
  const decision = decisions?.get(slot)
  const row = below(slot)
  const wasStale = !isPending && row.meta?.expiresAt === STALE
  // A read that arrived before the response of the write may contain its effect: then nothing differs any more, and the record is
  // compared with what it was when the write was sent.
  const wasRead = row.value === value && isWrite && intake.before !== undefined && !isPending
  const before: unknown = wasRead ? intake.before.get(slot) : row.value
  if (before === value && decision === undefined && !wasStale) {
    return undefined
  }
  const now: unknown = value === INVALID ? undefined : (decision?.to ?? value)
  // Lists may still hold the key of a deleted record that comes back.
  if (!isWrite && (before === undefined || isPending || now === undefined)) {
    return undefined
  }
  const isBack = before === INVALID
  const old = isBack ? undefined : before
  // Lists that come later are judged by it, too.
  const isKept = isWrite && (decision !== undefined || mayBeMissed || isPending)
  const lists = intake.tables.holders.get(slot.key)
  return isKept || wasStale || lists?.some((table) => isConcerned(table, old, now, isWrite))
    ? { slot, old, now, isWrite, isBack, wasStale, decision, params: isWrite ? params : undefined }
    : undefined
}

/** True where a field has changed that is an argument of a list; of a write, where lists have arguments at all. */
function isConcerned({ listArgs }: Table, old: any, now: any, isWrite: boolean): boolean {
  if (isWrite || old === undefined) {
    return listArgs.size > 0 || old === undefined
  }
  for (const name of listArgs) {
    if (name === true || old[name] !== now[name]) {
      return true
    }
  }
  return false
}
