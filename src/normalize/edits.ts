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
export function editsOf({ intake, isPending, slots, written, decisions, below }: Drafts): Edit[] | undefined {
  const { tables, meta, args, horizon, before: sent } = intake
  let edits: Edit[] | undefined
  // Of several records each speaks for itself.
  const params: unknown = written?.size === 1 ? args[0] : undefined
  for (const slot of slots) {
    const isWrite = written?.has(slot) === true
    const { value, stale, incoming } = slot.draft!
    const decision = decisions?.get(slot)
    // A write, or a delete, that crossed a write sent later, which stays: the server has one or the other.
    const isYielding = isWrite && stale && value !== INVALID
    const response: unknown = isYielding ? incoming && overlay(value as Record<string, unknown>, incoming) : value
    if (response !== value) {
      const own = { isBack: false, decision: undefined, params: undefined }
      ;(edits ??= []).push({ slot, old: value, now: response, isWrite, isOverruled: true, ...own })
    }
    const row = below(slot)
    let before = row.value
    const wasStale = !isPending && row.meta?.expiresAt === STALE
    // A read may already contain the effect of a write whose response is still pending.
    if (before === value && isWrite && sent !== undefined && !isPending) {
      before = sent.get(slot)
    }
    if (before === value && decision === undefined && !wasStale) {
      continue
    }
    const isNew = before === undefined || before === INVALID
    const now: unknown = value === INVALID ? undefined : (decision?.to ?? value)
    // Lists may still hold the key of a deleted record that comes back.
    if (!isWrite && (before === undefined || isPending || now === undefined)) {
      continue
    }
    const old = isNew ? undefined : before
    const lists = tables.holders.get(slot.key)
    // A list that is on its way may have missed a write, and a pending operation has to know of lists that come later.
    const mayBeMissed = isWrite && (decision !== undefined || horizon <= meta.order || isPending)
    if (mayBeMissed || wasStale || lists?.some((table) => isConcerned(table, old, now, isWrite))) {
      const own = isWrite ? params : undefined
      ;(edits ??= []).push({ slot, old, now, isWrite, isBack: before === INVALID, wasStale, decision, params: own })
    }
  }
  return edits
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
