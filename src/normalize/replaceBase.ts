import { isOlder } from '../schema/Schema.ts'
import { LEFTOVER, type ListState, type ListUpdate, sidesOf } from './ListState.ts'
import { content, foldedContent, foldIn } from './lists.ts'
import { orderPages } from './pageOrder.ts'
import { remainingPages } from './remainingPages.ts'

/**
 * A response of the list itself: its new base, over the old pages. `stale`: the response lacks changes that came later.
 *
 * @param response the new list: its `log` has all changes, also those that the response contains
 * @param hasAllPages all pages were fetched again before
 */
export function replaceBase(
  response: ListState,
  horizon: number = Number.POSITIVE_INFINITY,
  old?: ListState,
  hasAllPages?: boolean,
): ListUpdate {
  const { baseMeta, log } = response
  const list: ListState = {
    ...response,
    // A change that the response contains is kept while an earlier write may have to yield to it, or a page may lack it.
    log: log.filter(({ meta }) => isOlder(baseMeta, meta) || horizon < meta.order),
    // All lists have one shape: it makes copies cheap.
    pages: undefined,
    tail: undefined,
    ...(old?.pages?.length ? pagesBeside(response, old, hasAllPages) : {}),
  }
  const folded: unknown = foldedContent(list)
  const value: unknown = content(list, folded)
  return { list, value, stale: value !== folded }
}

/** The pages, and the appended items, that stay beside the new base. */
function pagesBeside(response: ListState, old: ListState, hasAllPages: boolean | undefined): Partial<ListState> {
  // The new base has these changes, so they are no longer placed over the list. The pages may be older and lack them.
  const contained = response.log.filter(({ meta }) => !isOlder(response.baseMeta, meta))
  const folded = contained.reduce((list, entry) => foldIn(list, [entry]) ?? list, old)
  return hasAllPages ? refreshedPages(folded, response) : remainingPages(folded, response)
}

/** After a refetch of all pages: those that are as new as the list itself. */
function refreshedPages(old: ListState, { next, guess, isEnd, baseMeta: { sent } }: ListState): Partial<ListState> {
  const { before, after } = sidesOf(old.pages?.filter(({ id, meta }) => id !== LEFTOVER && meta.sent > sent))
  const { pages, chain } = orderPages(next, after)
  // With getNextPage, a page that does not follow the list would leave a gap before it.
  const left = next || (isEnd && !guess) ? [...chain] : pages
  const last = left.at(-1)
  if (!last && before.length === 0) {
    return {}
  }
  // Read to the end, or after an invalidation, the responses hold what was appended, or it is gone.
  const isRead = last?.isEnd || (old.invalidatedAt ?? 0) > old.baseMeta.sent
  return { pages: [...before, ...left], tail: isRead && sent > old.compacted ? [] : old.tail }
}
