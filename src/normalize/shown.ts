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

/** True if the row is visible to readers. */
export function isThere({ pending = [], value }: Slot): boolean {
  // Only a list that is there can be changed, and computing its value just for this would be dear.
  const last = lastValue(pending)
  const shown: unknown = last < 0 ? value : pending[last]!.value
  return shown !== undefined && shown !== INVALID
}

/** Whether a list, as a pending operation that is being prepared sees it, holds an item: the last change that names it decides. */
export function showsItem(slot: Slot, item: unknown, sent: number): boolean {
  const changes: Pick<PendingChange, 'value' | 'entries'>[] = changesBelow(slot, sent)
  for (const { value, entries } of [...changes, ...(slot.draft ? [slot.draft] : [])].reverse()) {
    if (!entries) {
      return contains(value, item)
    }
    const last = [...entries].reverse().find(({ items }) => contains(items, item))
    if (last && contains(undecided([last], slot.list!.log)[0]!.items, item)) {
      return last.merge !== undefined
    }
  }
  return contains(slot.value, item)
}

/** The value of a slot while an operation is being prepared. */
export function draftedValue({ draft, list }: Slot, below: Row): unknown {
  return draft?.entries ? placeAll(below.value, undecided(draft.entries, list!.log)) : (draft ?? below).value
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
