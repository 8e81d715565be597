// The order of the pages after a list.
//
// With `getNextPage` each response names the page after it, so the names lead from the list to its last page.
//
// Without it the argument is taken for a page number: `?page=3` follows `?page=2`, whichever was loaded first. But it may as well be
// a cursor, the id of an item, and nothing tells which of the two. `?after=4` brings 5 6, `?after=6` brings 7 8: here no page
// follows another by number, so they stand in the order in which they were first requested, which is right. A cursor that counts
// down (`?before=9` brings 8 7) may look like a page number, though its items show what it is:
//
// - `?before=3` brings 2, `?before=2` brings 1. By number 3 would follow 2 (`isDownCursor`).
// - `?before=2` is not the page after the list (`firstNumbered`).
// - `?before=3` is the end, and `?before=9` does not stand behind it (`withoutPagesAfter`).

import type { ListPage, ListState } from './ListState.ts'
import { keysOf } from './listItems.ts'
import { pageKey } from './pages.ts'

export interface PageOrder {
  /** All pages, in the order they are shown. */
  readonly pages: readonly ListPage[]
  /** Those that follow the list itself without a gap. */
  readonly chain: ReadonlySet<ListPage>
  readonly after: After
}

type After = (page: ListPage) => ListPage | undefined

/**
 * Puts pages in order.
 *
 * @param next the arguments of the page after the list itself
 * @param all pages in the order in which they were first requested
 */
export function orderPages(next: ListState['next'], all: readonly ListPage[], leftover?: ListPage): PageOrder {
  const byId = new Map(all.map((page) => [page.id, page]))
  const named = (args: ListState['next']): ListPage | undefined => args && byId.get(pageKey(args))
  const after: After = ({ next: args, firstSent }) => {
    const page = named(args)
    // `?before=3` brought 2, then `?before=2` brought 1: page 3 does not follow page 2.
    return page?.isDownCursor && page.firstSent < firstSent ? undefined : page
  }
  const isNumbered = all.some(({ number }) => number !== undefined)
  const chain = follow(isNumbered ? firstNumbered(all, leftover) : named(next), after)
  const followers = new Set(all.map(after))
  const heads = all.filter((page) => !followers.has(page))
  const pages = new Set(isNumbered ? [] : chain)
  // A circle of pages has no head.
  for (const start of [...heads, ...all]) {
    follow(start, after).forEach((page) => pages.add(page))
  }
  return { pages: [...pages], chain, after }
}

/** A page, and those that follow one another after it. */
function follow(start: ListPage | undefined, after: After): Set<ListPage> {
  const pages = new Set<ListPage>()
  for (let page = start; page && !pages.has(page); page = after(page)) {
    pages.add(page)
  }
  return pages
}

/** The page after the list itself where pages have numbers; `undefined` where these look like cursors. */
function firstNumbered(all: readonly ListPage[], leftover: ListPage | undefined): ListPage | undefined {
  // Whether the list itself is page 0 or page 1 is not known.
  const first = [0, 1, 2].map((number) => all.find((page) => page.number === number)).find(Boolean)
  if (!first) {
    return undefined
  }
  // `?before=9` brought 8 7, `?before=2` was requested later: it is not page 2.
  const isDownCursor =
    all.some(({ firstSent }) => firstSent < first.firstSent) && all.some((page) => holdsBelow(page, 0))
  // `?after=2`, and the items before it end with item 2: this is no page number either.
  const isUpCursor = leftover && keysOf(leftover.items).at(-1) === `${first.number}`
  return isDownCursor || isUpCursor ? undefined : first
}

/**
 * The pages that remain when the response of `last` says that no page follows. Pages that were requested later may know more.
 * Of the others those that follow it are gone, and if it follows the list itself, everything behind it.
 */
export function withoutPagesAfter({ pages, chain, after }: PageOrder, last: ListPage): ListPage[] {
  const followers = follow(after(last), after)
  const place = pages.indexOf(last)
  const isBehind = (page: ListPage, at: number): boolean =>
    last.number === undefined ? at > place : page.number! > last.number && !holdsBelow(page, last.number)
  return pages.filter(
    (page, at) =>
      page === last ||
      page.meta.sent > last.meta.sent ||
      !(followers.has(page) || (chain.has(last) && isBehind(page, at))),
  )
}

/** True where a page holds an item between a number and its own, as with a cursor that counts down. */
export function holdsBelow({ number, items }: ListPage, from: number): boolean {
  return keysOf(items).some((key) => Number(key) >= from && Number(key) < number!)
}
