import { isObject } from '../base/equal.ts'
import type { ListEntry } from './ListState.ts'
import { addToCounts } from './counts.ts'
import type { Drafts } from './drafts.ts'
import { isPlain, itemKey, place, size, unique } from './listItems.ts'
import { changeList, undecided } from './lists.ts'
import { draftedValue, isThere, showsItem } from './shown.ts'
import type { Slot } from './tables.ts'

/**
 * Adds one change to the log of one list, and to the numbers beside it. An item that was deleted before makes no difference to
 * these, since its delete made one.
 *
 * @param deleted the keys (`itemKey`) of items that were deleted before
 */
export function applyEntry(drafts: Drafts, slot: Slot, entry: ListEntry, deleted: ReadonlySet<unknown>): void {
  if (drafts.isPending) {
    addPendingEntry(drafts, slot, entry, deleted)
    return
  }
  const draft = drafts.draft(slot)
  const { list, value } = draft
  if (!isObject(value) || list === undefined) {
    return
  }
  const next = changeList(list, value, entry, drafts.intake.horizon)
  const gain = sizeWithout(deleted, next.value) - sizeWithout(deleted, value)
  const isCountUnsure = list.counts && addToCounts(drafts, list, gain)
  // The list keeps its age: a change of membership is not a response.
  draft.list = next.list
  draft.value = next.value
  draft.stale ||= next.stale || isCountUnsure === true
}

/** Notes a change of a pending operation. It is placed on whatever is below when the list is read. */
function addPendingEntry(drafts: Drafts, slot: Slot, entry: ListEntry, deleted: ReadonlySet<unknown>): void {
  const { list, draft } = slot
  const [open = entry] = list ? undecided([entry], list.log) : []
  if (draft && !draft.entries) {
    // The operation brings the whole list.
    draft.value = isObject(draft.value) ? place(draft.value, open) : draft.value
    return
  }
  if (!list) {
    return
  }
  if (list.counts) {
    drafts.intake.dependsOn?.add(slot)
  }
  if (list.counts && isThere(slot)) {
    addToCounts(drafts, list, pendingGain(drafts, slot, open, deleted))
  }
  // Of a list that another operation hides it shows nothing, until that one fails.
  drafts.change(slot).push(entry)
}

/** How many items a list gains by a change of a pending operation. */
function pendingGain(drafts: Drafts, slot: Slot, entry: ListEntry, deleted: ReadonlySet<unknown>): number {
  if (slot.list!.isMap || !isPlain(entry)) {
    const value = draftedValue(slot, drafts.below(slot))
    return sizeWithout(deleted, place(value, entry)) - sizeWithout(deleted, value)
  }
  const isAdded = entry.merge !== undefined
  const isChanged = (item: unknown): boolean => showsItem(slot, item, drafts.intake.meta.sent) !== isAdded
  const changed = unique(entry.items as unknown[]).filter((item) => !deleted.has(itemKey(item)) && isChanged(item))
  return isAdded ? changed.length : -changed.length
}

/** How many items of a list were not deleted before. */
function sizeWithout(deleted: ReadonlySet<unknown>, items: any): number {
  return deleted.size > 0
    ? Object.values(items as object).filter((item) => !deleted.has(itemKey(item))).length
    : size(items)
}
