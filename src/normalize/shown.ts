import { DEV } from '../base/env.ts'
import { freezePlain, isObject, share } from '../base/equal.ts'
import { INVALID } from '../schema/Schema.ts'
import type { ListEntry } from './ListState.ts'
import { contains, keepEqual, placeAll } from './listItems.ts'
import { undecided } from './lists.ts'
import type { Row, Slot } from './tables.ts'

/** The contribution of a pending operation to a slot. It is applied over the committed row, whatever the rank of that. */
export interface PendingChange {
  readonly by: { readonly sent: number }
  /** The value it made; it runs again when the row below changes. */
  readonly value?: unknown
  /** The items it adds to a list and removes from it; applied to the row below. */
  readonly entries?: readonly ListEntry[] | undefined
}

/** The visible row: the committed one, changed by pending operations. */
export function top(slot: Slot): Row {
  const { pending, shown } = slot
  if (pending === undefined) {
    return slot
  }
  if (shown === undefined || slot.isShownOld) {
    // Of many operations on one list only the last is read: together they cost one pass.
    const next = fold(slot, pending)
    const value: unknown = shown ? (slot.list ? keepEqual : share)(shown.value, next) : next
    if (DEV && typeof value === 'object') {
      freezePlain(value)
    }
    slot.shown = { value, meta: slot.meta }
    slot.isShownOld = false
  }
  return slot.shown!
}

/** The row below a pending operation: the committed one, changed by operations issued before it. */
export function rowBelow(slot: Slot, sent: number): Row {
  const { pending, meta } = slot
  if (pending === undefined || pending.at(-1)!.by.sent < sent) {
    return top(slot)
  }
  return { value: fold(slot, changesBelow(slot, sent)), meta }
}

/** True if readers see a value. The changes of a list need not be applied to know it: only a list that is there has them. */
export function isThere({ pending = [], value }: Slot): boolean {
  const last = lastValue(pending)
  const shown: unknown = last < 0 ? value : pending[last]!.value
  return shown !== undefined && shown !== INVALID
}

/** The value of a slot as the operation that is being prepared sees it: the row below, and what the operation has changed so far. */
export function draftedValue({ draft, list }: Slot, below: Row): unknown {
  return draft?.entries ? placeAll(below.value, undecided(draft.entries, list!.log)) : (draft ?? below).value
}

/**
 * True if `draftedValue` of a list contains an item. It does not put the list together: the last change that names the item
 * decides, else the committed list.
 */
export function showsItem(slot: Slot, item: unknown, sent: number): boolean {
  const changes: Pick<PendingChange, 'value' | 'entries'>[] = changesBelow(slot, sent)
  for (const { value, entries } of [...changes, ...(slot.draft ? [slot.draft] : [])].reverse()) {
    if (!entries) {
      return contains(value, item)
    }
    const last = [...entries].reverse().find(({ items }) => contains(items, item))
    const remaining = last && undecided([last], slot.list!.log)[0]!
    if (remaining && contains(remaining.items, item)) {
      return last.merge !== undefined
    }
  }
  return contains(slot.value, item)
}

function changesBelow({ pending = [] }: Slot, sent: number): PendingChange[] {
  return pending.filter(({ by }) => by.sent < sent)
}

/** The place of the last change that is not of a list's items, or -1. */
function lastValue(pending: readonly PendingChange[]): number {
  let last = pending.length - 1
  while (last >= 0 && pending[last]!.entries) {
    last--
  }
  return last
}

function fold({ value: committed, list }: Slot, pending: readonly PendingChange[]): unknown {
  const last = lastValue(pending)
  const value = last < 0 ? committed : pending[last]!.value
  const entries = pending.slice(last + 1).flatMap((change) => change.entries!)
  return isObject(value) && list ? placeAll(value, undecided(entries, list.log)) : value
}
