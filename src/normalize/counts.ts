// Numbers beside a list, such as `total`, that follow what joins and leaves it. They are members of the result of an endpoint.

import { isObject } from '../base/equal.ts'
import type { Collection } from '../schema/Collection.ts'
import { INVALID, isOlder, type Meta } from '../schema/Schema.ts'
import type { ListState } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { fitOf, KnownFields, OUT } from './fit.ts'
import { allItems } from './listItems.ts'
import { lastPage, type ListOutcome, nextOf } from './pages.ts'
import { draftedValue } from './shown.ts'
import type { Slot } from './tables.ts'

/**
 * The stored result of a list after the response `result`, such as `{ items, cursor, total }`. The members beside the list are
 * those of the last page; the numbers that count its items are those of the newest response.
 *
 * Example: after page 2 has arrived, page 1 is fetched again. The cursor remains that of page 2, the total is that of page 1.
 *
 * @param reached the last number that the store has given out
 */
export function shownResult(
  { slot, page, taken, delta }: ListOutcome,
  result: any,
  stored: any,
  meta: Meta,
  reached: number,
): unknown {
  const list = slot.draft?.list
  if (!taken || !list || typeof result !== 'object') {
    return result
  }
  const own = list.pages?.find(({ id }) => id === page)
  if (own) {
    own.result = result
  }
  const isNewest = !list.countsMeta || !isOlder(meta, list.countsMeta)
  if (isNewest) {
    list.countsMeta = { ...meta, reached }
  }
  const members: unknown = lastPage(list)?.result ?? (own?.isBefore ? stored : result)
  const shown: any = { ...(members as object) }
  for (const name of list.counts ?? []) {
    const number: unknown = isNewest && typeof result[name] === 'number' ? result[name] + delta : stored?.[name]
    if (number !== undefined) {
      shown[name] = number
    }
  }
  return shown
}

/**
 * Adds `delta` to the numbers beside a list. Returns true if they may be wrong then: a response with the numbers arrived after
 * the change was sent, so it may already include it.
 *
 * Example: the total is 10, a delete is sent, a refetch brings 9, the delete is committed. 8 may be wrong.
 */
export function addToCounts(
  { intake, isPending, below, draft: draftOf }: Drafts,
  list: ListState,
  delta: number,
): boolean {
  if (delta === 0) {
    return false
  }
  const { counts, keys, countsMeta } = list
  for (const key of keys) {
    const slot = intake.tables.endpoints.slots.get(key)
    if (!slot || !isObject((slot.draft ?? below(slot)).value)) {
      continue
    }
    const draft = draftOf(slot)
    const next: any = { ...(draft.value as object) }
    for (const name of counts!) {
      if (typeof next[name] === 'number') {
        next[name] += delta
      }
    }
    draft.value = next
  }
  return !isPending && countsMeta !== undefined && intake.meta.sent <= countsMeta.reached
}

/** The numbers beside lists follow records that were deleted, or came back. */
export function countDeleted(drafts: Drafts): void {
  const { counted } = drafts.intake.tables
  if (counted.size === 0) {
    return
  }
  for (const slot of drafts.slots) {
    const { value: before } = drafts.below(slot)
    const { value: after, entries } = slot.draft!
    if (!entries && before !== undefined && (before === INVALID) !== (after === INVALID)) {
      for (const list of counted) {
        countRecord(drafts, list, slot, before, after === INVALID ? -1 : 1)
      }
    }
  }
}

/** The numbers beside one list follow one record, whose value was `before`: it was deleted (-1) or came back (1). */
function countRecord(drafts: Drafts, at: Slot, slot: Slot, before: unknown, delta: 1 | -1): void {
  const list = at.draft?.list ?? at.list
  const below = drafts.below(at)
  const items = draftedValue(at, below)
  if (!list || !isObject(items) || !at.table.holds.includes(slot.key)) {
    return
  }
  const { choice } = (list.collection as Collection | undefined)?.cacheWith ?? {}
  // Two members of a union may have records of one key.
  const isIt = (item: any): boolean =>
    item === slot.pk || (item?.id === slot.pk && (!choice || drafts.itemSlot(choice, item) === slot))
  const has = (value: unknown): boolean => isObject(value) && allItems(value).some(isIt)
  // A record that came back and joined the list was counted when it joined.
  const isCounted = has(items) && (delta < 0 || has(below.value))
  const isUnsure = isCounted
    ? addToCounts(drafts, list, delta)
    : // A deleted record may have been on a page that is not loaded.
      delta < 0 && nextOf(list) !== undefined && fitOf(list, new KnownFields(before)) !== OUT
  if (isUnsure && !drafts.isPending) {
    drafts.draft(at).stale = true
  }
}
