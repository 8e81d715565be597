import { isObject } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { type Collection, keyObject } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, type Meta } from '../schema/Schema.ts'
import { LEFTOVER, type ListPage, type ListState } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { fitOf, OUT } from './fit.ts'
import { draftedValue } from './shown.ts'
import type { Slot } from './tables.ts'

/** The outcome for the list at the top of a response. */
export interface ListOutcome {
  readonly slot: Slot
  /** The page that it was a response for. */
  readonly page: string | undefined
  /** False if a newer response was already stored. */
  readonly taken: boolean
  /** The difference between a number beside the list and that in the response. */
  readonly delta: number
}

/**
 * The stored result of a list after the response `result`: members beside the list are those of the last page shown,
 * numbers that count its items those of the newest response.
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
  const last: unknown = lastPage(list)?.result ?? (own?.isBefore ? stored : result)
  const shown: any = { ...(last as object) }
  const isNewest = !list.countsMeta || !isOlder(meta, list.countsMeta)
  for (const name of list.counts ?? []) {
    const brings = isNewest && typeof result[name] === 'number'
    const number: unknown = brings ? result[name] + delta : stored?.[name]
    if (number !== undefined) {
      shown[name] = number
    }
  }
  if (isNewest) {
    list.countsMeta = { ...meta, reached }
  }
  return shown
}

/**
 * Adjusts the numbers beside a list by its changes. Returns true if the result is uncertain: the response with the
 * numbers arrived while the change was pending, so it may already include it.
 */
export function count({ intake, isPending, draft: draftOf }: Drafts, list: ListState, delta: number): boolean {
  if (delta === 0) {
    return false
  }
  const { counts, keys, countsMeta } = list
  for (const key of keys) {
    const slot = intake.tables.endpoints.slots.get(key)
    const draft = slot && draftOf(slot)
    const value: any = draft?.value
    if (typeof value !== 'object' || value === null) {
      continue
    }
    const next = { ...value }
    for (const name of counts!) {
      if (typeof next[name] === 'number') {
        next[name] += delta
      }
    }
    draft!.value = next
  }
  return !isPending && countsMeta !== undefined && intake.meta.sent <= countsMeta.reached
}

/** By what a page is known: the arguments it was requested with. */
export function pageKey(args: readonly any[]): string {
  return stableKey(keyObject(args[0]))
}

/** The loaded pages of a list, in the order they are shown. */
export function pagesOf({ pages = [] }: ListState): ListPage[] {
  return pages.filter(({ id }) => id !== LEFTOVER)
}

/** The arguments of the next page that is not loaded; `undefined` at the end. */
export function nextOf(list: ListState): readonly any[] | undefined {
  const last = lastPage(list) ?? list
  return last.isEnd ? undefined : last.next
}

/** The arguments of the page before all others; `undefined` at the start. */
export function previousOf(list: ListState): readonly any[] | undefined {
  return (list.pages?.find(({ isBefore }) => isBefore) ?? list).previous
}

/** The last page after the list itself. */
function lastPage(list: ListState): ListPage | undefined {
  return pagesOf(list).reverse().find(isNext)
}

/** True for pages that stand after the list itself. */
export function isNext({ isBefore }: ListPage): boolean {
  return !isBefore
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

/** The numbers beside one list follow one record, whose value was `before`. */
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
  const has = (value: unknown): boolean => isObject(value) && Object.values(value).some(isIt)
  // One that came back and joined was counted when it joined.
  const isHeld = has(items) && (delta < 0 || has(below.value))
  // It may have been on a page that is not loaded: then the number is refetched.
  const isElsewhere = delta < 0 && nextOf(list) !== undefined && fitOf(list, before, undefined) !== OUT
  const isUnsure = isHeld ? count(drafts, list, delta) : isElsewhere
  if (isUnsure && !drafts.isPending) {
    drafts.draft(at).stale = true
  }
}

/** A page in serialised form: enough to fetch it again. */
export type DumpedPage = readonly [args: readonly any[], number?: number | null | undefined]

export function dumpPages(list: ListState): DumpedPage[] {
  return pagesOf(list)
    .filter(isNext)
    .map(({ args, number }) => [args!, number])
}

/** The pages of a list whose items are all in one: each is there to be fetched again. */
export function restorePages(
  pages: readonly DumpedPage[],
  { isMap, next }: Pick<ListState, 'isMap' | 'next'>,
  meta: Meta,
): Pick<ListState, 'pages' | 'next'> {
  return {
    next: pages[0]?.[0] ?? next,
    pages: pages.map(([args, number], index) => ({
      id: pageKey(args),
      args,
      firstSent: index,
      meta,
      items: isMap ? {} : [],
      next: pages[index + 1]?.[0] ?? next,
      // JSON makes null of what is not a number.
      number: number === null ? NaN : number,
    })),
  }
}
