import { INVALID } from '../schema/Schema.ts'
import type { ListEntry, ListState } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { isPlain, size, unique } from './listItems.ts'
import { changeList, undecided } from './lists.ts'
import { count, nextOf } from './pages.ts'
import { draftedValue, isThere, showsItem } from './shown.ts'
import type { Slot } from './tables.ts'

/**
 * @param leaving how many items leave that its number counts, whether they are loaded or not
 * @param dead items that its number does not count any more
 */
export function applyEntry(
  drafts: Drafts,
  slot: Slot,
  entry: ListEntry,
  leaving = 0,
  dead?: ReadonlySet<unknown>,
): void {
  const { intake } = drafts
  const pending = intake.standIn !== undefined
  if (pending && applyLater(drafts, slot, entry, leaving, dead)) {
    return
  }
  const draft = drafts.draft(slot)
  if (draft.entries) {
    draft.value = draftedValue(slot, drafts.below(slot))
    draft.entries = undefined
    draft.list = slot.list
  }
  if (draft.value === INVALID || draft.value === undefined || draft.list === undefined) {
    return
  }
  // Of a pending operation nothing is remembered, but what was sent later has the last word here too.
  const next = changeList(draft.list, draft.value, entry, pending ? 0 : intake.horizon)
  if (draft.list.counts) {
    const alive = (items: any): number =>
      dead?.size ? Object.values(items as object).filter((item) => !dead.has(item)).length : size(items)
    const delta = alive(next.value) - alive(draft.value)
    draft.stale ||= countChange(drafts, draft.list, delta, next.stale ? 0 : leaving)
  }
  draft.value = next.value
  if (pending) {
    return
  }
  // The list keeps its age: a change of membership is not a response.
  draft.list = next.list
  draft.stale ||= next.stale
}

/** Leaves a pending change to the first reader of the list; false where its value is needed now. */
function applyLater(
  drafts: Drafts,
  slot: Slot,
  entry: ListEntry,
  leaving: number,
  dead: ReadonlySet<unknown> | undefined,
): boolean {
  const { list, draft } = slot
  if (!list || (draft ? !draft.entries : !isThere(slot)) || (list.counts && (list.isMap || !isPlain(entry)))) {
    return false
  }
  if (list.counts) {
    drafts.intake.reads?.add(slot)
    const [open = entry] = undecided([entry], list.log)
    const isAdded = entry.merge !== undefined
    const changed = unique(open.items as unknown[]).filter(
      (item) => !dead?.has(item) && showsItem(slot, item, drafts.intake.meta.sent) !== isAdded,
    )
    countChange(drafts, list, isAdded ? changed.length : -changed.length, open === entry ? leaving : 0)
  }
  drafts.change(slot).push(entry)
  return true
}

/**
 * The numbers beside a list follow a change of its size. True where they have to be fetched again.
 *
 * @param leaving how many items leave that the number counts, whether they are loaded or not
 */
function countChange(drafts: Drafts, list: ListState, delta: number, leaving: number): boolean {
  // One on a page that is not loaded was not seen to leave.
  const unseen = leaving > 0 && nextOf(list) ? Math.max(0, leaving + delta) : 0
  return count(drafts, list, delta - unseen) || (unseen > 0 && drafts.intake.standIn === undefined)
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
