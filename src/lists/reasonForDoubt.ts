import type { NewDoubt } from '../rows/doubt.ts'
import { meaningOf } from './arguments.ts'
import type { List, ListPage } from './List.ts'
import { allItems, contains } from './items.ts'
import { pageKey } from './pages.ts'

/** A list as it has just arrived, or one of its pages. */
export interface Arrival {
  /** When it was requested. */
  readonly sent: number
  readonly isFirstPage: boolean
  /** A further page, which arrives for the first time. */
  readonly isNewPage: boolean
  /** All pages were fetched again: each is judged with the list itself, which comes last. */
  readonly hasAllPages: boolean
  /** It lacks a record that the app wrote since it was requested, or has one that the app removed. */
  readonly differs: boolean
  /** It, as a page. */
  readonly page: ListPage
  /** The list before, and after it. */
  readonly old: List | undefined
  readonly list: List
  /** They are parts of a longer list. Called where it matters, and only of a list that was there before. */
  wasPart(): boolean
  isPart(): boolean
  /** The numbers of the last write of one of its records, and of the last mutation among them. */
  readonly lastWrite: number
  readonly lastMutation: number
}

/**
 * Why a list that has just arrived is in doubt.
 *
 * | it arrives                                                                       | it is in doubt as of | because of        |
 * | -------------------------------------------------------------------------------- | -------------------- | ----------------- |
 * | as a page that lacks an own write: the list itself may be newer than the write   | now                  | `lacks-own-write` |
 * | as a page, or with all its pages, requested before the last mutation             | now                  | `crossed`         |
 * | with pages that do not fit together                                              | now                  | `torn-pages`      |
 * | without an own write, or for the first time, requested before the last write     | that write           | `lacks-own-write` |
 * | with a number that may count what was written since, on a page that is not loaded | that write          | `counted`         |
 * | as a new page, before an event, with a number that may count what that has changed | now, that page alone | `counted`         |
 */
export function reasonForDoubt(one: Arrival): NewDoubt | undefined {
  const { sent, isFirstPage, hasAllPages, differs, old, list, lastWrite, lastMutation } = one
  if (differs && !isFirstPage) {
    return { reason: 'lacks-own-write' }
  }
  // Pages that are fetched again with the list are judged with it, which comes last.
  const isJudged = isFirstPage || !hasAllPages
  /** A page by itself, or a list with all its pages: they may have been done at several moments. */
  const hasMoments = isFirstPage === hasAllPages
  if (isJudged && hasMoments && sent < lastMutation) {
    return { reason: 'crossed' }
  }
  if (isJudged && isTorn(list.pages)) {
    return { reason: 'torn-pages' }
  }
  if (sent >= lastWrite) {
    return undefined
  }
  if (differs || !old) {
    return { reason: 'lacks-own-write', at: lastWrite }
  }
  return list.collection?.counts ? doubtOfNumber(one) : undefined
}

/** Events may come all the time. They doubt a number when the list becomes a part, and that of a page which the user has just loaded. */
function doubtOfNumber(one: Arrival): NewDoubt | undefined {
  const { sent, list, page, lastWrite, lastMutation, isNewPage } = one
  const isOfMutation = sent < lastMutation
  const isPart = one.isPart() || (isOfMutation && meaningOf(list).isCut)
  if (isPart && (isOfMutation || !one.wasPart())) {
    return { reason: 'counted', at: lastWrite }
  }
  return isPart && isNewPage ? { reason: 'counted', pages: [page.id] } : undefined
}

/**
 * True where the pages do not fit together: one is older than the list itself, or is not the one that the page before it names and does
 * not overlap it either.
 */
export function isTorn(pages: readonly ListPage[]): boolean {
  const after = pages.filter(({ isBefore }) => !isBefore)
  return after.some((page, i) => {
    const { next, endpoint, isEnd, items = [] } = after[i - 1] ?? {}
    const isNaming = (endpoint as { getNextPage?: unknown } | undefined)?.getNextPage !== undefined
    const isOther = next ? pageKey(next) !== page.id : isNaming && isEnd === true
    return page.sent < after[0]!.sent || (isOther && !contains(page.items, allItems(items).at(-1)))
  })
}
