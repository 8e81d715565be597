import type { ListPage, ListState } from './ListState.ts'
import { pageKey } from './pages.ts'

/**
 * The order of the pages after a list. With `getNextPage` each response names the page after it, so the names lead from the list
 * to its last page. All other pages stand in the order in which they were first requested.
 */
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
export function orderPages(next: ListState['next'], all: readonly ListPage[]): PageOrder {
  const byId = new Map(all.map((page) => [page.id, page]))
  const named = (args: ListState['next']): ListPage | undefined => args && byId.get(pageKey(args))
  const after: After = (page) => named(page.next)
  const chain = follow(named(next), after)
  const followers = new Set(all.map(after))
  const heads = all.filter((page) => !followers.has(page))
  const pages = new Set(chain)
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

/**
 * The pages that remain when the response of `last` says that no page follows. Pages that were requested later may know more.
 * Of the others those that follow it are gone, and if it follows the list itself, everything behind it.
 */
export function withoutPagesAfter({ pages, chain, after }: PageOrder, last: ListPage): ListPage[] {
  const followers = follow(after(last), after)
  const place = chain.has(last) ? pages.indexOf(last) : Infinity
  return pages.filter(
    (page, at) => page === last || page.meta.sent > last.meta.sent || !(followers.has(page) || at > place),
  )
}
