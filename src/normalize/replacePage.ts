import { isOlder } from '../schema/Schema.ts'
import { LEFTOVER, type ListPage, type ListState, type ListUpdate, sidesOf } from './ListState.ts'
import { keysOf, size, takeOut, withoutKeys } from './listItems.ts'
import { content, isInBase } from './lists.ts'
import { orderPages, withoutPagesAfter } from './pageOrder.ts'
import { coveredBy } from './remainingPages.ts'

/**
 * A response of one page replaces that page. It removes others only where it tells that they are gone. `stale`: the response
 * lacks a change of the list.
 */
export function replacePage(list: ListState, response: ListPage): ListUpdate {
  const missed = list.log.filter(({ meta }) => isOlder(response.meta, meta))
  // The base may have been refetched while the page was loading. It has these removals, so they are not placed over the list, but
  // the page lacks them.
  const removals = missed.filter((entry) => !entry.merge && isInBase(list, entry))
  const items: unknown = removals.reduce((left: unknown, entry) => takeOut(left, entry.items), response.items)
  const page = { ...response, items }
  const next = page.isBefore ? withPreviousPage(list, page) : withNextPage(list, page)
  return { list: next, value: content(next), stale: missed.length > 0 }
}

/** A page before the list: each page names the one in front of it, so a new one is the first. */
function withPreviousPage(list: ListState, page: ListPage): ListState {
  const { before, after } = sidesOf(list.pages)
  const known = before.find(({ id }) => id === page.id)
  return { ...list, pages: [...(known ? replaced(before, known, page) : [page, ...before]), ...after] }
}

/** A page after the list. */
function withNextPage(list: ListState, response: ListPage): ListState {
  const { baseMeta, compacted, base } = list
  const { before, after } = sidesOf(list.pages)
  const leftover = after.find(({ id }) => id === LEFTOVER)
  const loaded = after.filter((one) => one !== leftover)
  const known = loaded.find(({ id }) => id === response.id)
  const page: ListPage = {
    ...response,
    firstSent: known?.firstSent ?? response.firstSent,
    next: response.next ?? (response.isEnd ? known?.next : undefined),
  }
  const order = orderPages(list.next, known ? replaced(loaded, known, page) : added(loaded, page))
  const isLast = page.isEnd === true && order.chain.has(page)
  let pages = page.isEnd ? withoutPagesAfter(order, page) : [...order.pages]
  const held = new Set(keysOf(page.items))
  const covered = known || leftover ? coveredBy([base, ...after.map(({ items }) => items)], page.items) : held
  if (known) {
    const missing = keysOf(known.items).filter((key) => covered.has(key) && !held.has(key))
    pages = withoutMissing(pages, page, new Set(missing))
  }
  if (leftover && !isLast) {
    // A page that does not follow the list tells only of its own items.
    const items: unknown = withoutKeys(leftover.items, order.chain.has(page) ? covered : held)
    pages = withLeftover(pages, { ...leftover, items }, (one) => order.chain.has(one) && !isOlder(one.meta, baseMeta))
  }
  // Read once more from the list itself to the end, the responses hold what was appended, or it is gone.
  const isRead = isLast && baseMeta.sent > compacted && pages.every((one) => one.meta.sent > baseMeta.sent)
  return { ...list, pages: [...before, ...pages], ...(isRead && { tail: [] }) }
}

/** The leftover of the list stands behind the first pages, those that `isReached`: they follow the list, and are newer than it. */
function withLeftover(pages: ListPage[], leftover: ListPage, isReached: (page: ListPage) => boolean): ListPage[] {
  if (size(leftover.items) === 0) {
    return pages
  }
  const end = pages.findIndex((page) => !isReached(page))
  const at = end < 0 ? pages.length : end
  return [...pages.slice(0, at), leftover, ...pages.slice(at)]
}

function replaced(pages: readonly ListPage[], known: ListPage, page: ListPage): ListPage[] {
  return pages.map((one) => (one === known ? page : one))
}

/** The pages and a new one, which stands where it was first requested. */
function added(pages: readonly ListPage[], page: ListPage): ListPage[] {
  const isLater = ({ firstSent }: ListPage): boolean => firstSent > page.firstSent
  return [...pages.filter((one) => !isLater(one)), page, ...pages.filter(isLater)]
}

/**
 * The pages without the items that a new response of one of them shows to be gone.
 *
 * Example: the page `C D` is now `C E`. The page after it is `D E`, since an item was inserted before it was loaded: D would show
 * up again there. A newer response of that page is right.
 */
function withoutMissing(pages: ListPage[], page: ListPage, missing: ReadonlySet<unknown>): ListPage[] {
  const place = pages.indexOf(page)
  return missing.size === 0
    ? pages
    : pages.map((one, i) =>
        i <= place || isOlder(page.meta, one.meta)
          ? one
          : { ...one, items: withoutKeys(one.items, missing) as unknown },
      )
}
