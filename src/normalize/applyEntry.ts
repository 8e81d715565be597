import { isObject } from '../base/equal.ts'
import type { ListEntry, ListState } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { isPlain, place, size, unique } from './listItems.ts'
import { changeList, undecided } from './lists.ts'
import { count, nextOf } from './pages.ts'
import { draftedValue, isThere, showsItem } from './shown.ts'
import type { Slot } from './tables.ts'

/**
 * Adds one change to the log of one list, and to the numbers beside it.
 *
 * @param leaving how many items leave that its number counts, whether they are loaded or not
 * @param dead items that its number does not count any more
 */
export function applyEntry(
  drafts: Drafts,
  slot: Slot,
  entry: ListEntry,
  leaving = 0,
  dead: ReadonlySet<unknown> = NONE,
): void {
  if (drafts.isPending) {
    addPendingEntry(drafts, slot, entry, leaving, dead)
    return
  }
  const draft = drafts.draft(slot)
  const { list, value } = draft
  if (!isObject(value) || list === undefined) {
    return
  }
  const next = changeList(list, value, entry, drafts.intake.horizon)
  const isCountUnsure =
    list.counts && changeCount(drafts, list, alive(next.value, dead) - alive(value, dead), next.stale ? 0 : leaving)
  // The list keeps its age: a change of membership is not a response.
  draft.list = next.list
  draft.value = next.value
  draft.stale ||= next.stale || isCountUnsure === true
}

const NONE: ReadonlySet<unknown> = new Set()

/** Notes a change of a pending operation. It is placed on whatever is below when the list is read. */
function addPendingEntry(
  drafts: Drafts,
  slot: Slot,
  entry: ListEntry,
  leaving: number,
  dead: ReadonlySet<unknown>,
): void {
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
    drafts.intake.reads?.add(slot)
  }
  if (list.counts && isThere(slot)) {
    changeCount(drafts, list, pendingGain(drafts, slot, open, dead), open === entry ? leaving : 0)
  }
  // Of a list that another operation hides it shows nothing, until that one fails.
  drafts.change(slot).push(entry)
}

/** How many items a list gains by a change of a pending operation. */
function pendingGain(drafts: Drafts, slot: Slot, entry: ListEntry, dead: ReadonlySet<unknown>): number {
  if (slot.list!.isMap || !isPlain(entry)) {
    const value = draftedValue(slot, drafts.below(slot))
    return alive(place(value, entry), dead) - alive(value, dead)
  }
  const isAdded = entry.merge !== undefined
  const isChanged = (item: unknown): boolean => showsItem(slot, item, drafts.intake.meta.sent) !== isAdded
  const changed = unique(entry.items as unknown[]).filter((item) => !dead.has(item) && isChanged(item))
  return isAdded ? changed.length : -changed.length
}

function alive(items: any, dead: ReadonlySet<unknown>): number {
  return dead.size > 0 ? Object.values(items as object).filter((item) => !dead.has(item)).length : size(items)
}

/**
 * The numbers beside a list follow a change of its size. True where they have to be fetched again.
 *
 * @param leaving how many items leave that the number counts, whether they are loaded or not
 */
function changeCount(drafts: Drafts, list: ListState, delta: number, leaving: number): boolean {
  // One on a page that is not loaded was not seen to leave.
  const unseen = leaving > 0 && nextOf(list) ? Math.max(0, leaving + delta) : 0
  return count(drafts, list, delta - unseen) || (unseen > 0 && !drafts.isPending)
}

export function addItem(into: Map<Slot, unknown[]>, slot: Slot, item: unknown): void {
  const items = into.get(slot)
  if (items === undefined) {
    into.set(slot, [item])
  }
  // It may leave a list by what it was at two times.
  else if (items.at(-1) !== item) {
    items.push(item)
  }
}
