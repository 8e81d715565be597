import { isOlder } from '../schema/Entity.ts'
import type { Meta } from '../schema/Schema.ts'
import { LEFTOVER, type ListPage, type ListState } from './ListState.ts'
import { keysOf, size, takeOut, withoutKeys } from './listItems.ts'
import { content, isInBase } from './lists.ts'
import { isNext } from './pages.ts'
import { coveredBy } from './remainingPages.ts'

type IdOf = (args: readonly any[]) => string

/** A response of one page replaces that page. It removes others only where it tells that they are gone. */
export function replacePage(
  list: ListState,
  response: ListPage,
  idOf: IdOf,
): { list: ListState; value: unknown; stale: boolean } {
  const { page, stale } = withLaterRemovals(list, response)
  const paged = page.isBefore ? withPreviousPage(list, page) : withNextPage(list, page, idOf)
  return { list: paged, value: content(paged), stale }
}

/** A page before the list: each page names the one in front of it, so a new one is the first. */
function withPreviousPage(list: ListState, page: ListPage): ListState {
  const { pages = [] } = list
  const isKnown = pages.some(({ id, isBefore }) => isBefore && id === page.id)
  return {
    ...list,
    pages: isKnown ? pages.map((one) => (one.isBefore && one.id === page.id ? page : one)) : [page, ...pages],
  }
}

/** A page after the list. */
function withNextPage(list: ListState, response: ListPage, idOf: IdOf): ListState {
  const { baseMeta, compacted, base, pages: stored = [] } = list
  const leftover = stored.find(({ id }) => id === LEFTOVER)
  const old = stored.filter((one) => one !== leftover && isNext(one))
  const known = old.find(({ id }) => id === response.id)
  const page: ListPage = {
    ...response,
    firstSent: known?.firstSent ?? response.firstSent,
    next: response.next ?? (response.isEnd ? known?.next : undefined),
    isCursor: known?.isCursor || countsDown(response, response.number! - 1),
  }
  const { pages: all, chain, after } = arrange(list, withPage(old, known, page), idOf, leftover)
  const isChained = chain.has(page)
  const isGone = endOf(page, all.indexOf(page), isChained, after)
  let pages = all.filter((one, i) => !isGone(one, i))
  const own = new Set(keysOf(page.items))
  const covered =
    known || leftover ? coveredBy([base, ...stored.filter(isNext).map(({ items }) => items)], page.items) : own
  if (known) {
    // Items that it lacks, though it reaches beyond them, would show up again where a later page has them.
    const lacks = new Set(keysOf(known.items).filter((key) => covered.has(key) && !own.has(key)))
    pages = withoutLacking(pages, page, lacks)
  }
  const leftItems: unknown = leftover && withoutKeys(leftover.items, isChained ? covered : own)
  if (leftover && size(leftItems) > 0 && !(isChained && page.isEnd)) {
    const stop = pages.findIndex((one) => !chain.has(one) || isOlder(one.meta, baseMeta))
    pages.splice(stop < 0 ? pages.length : stop, 0, { ...leftover, items: leftItems })
  }
  // Read once more from the first page to the end, the responses hold what was appended, or it is gone.
  const isReadAgain =
    isChained && page.isEnd && baseMeta.sent > compacted && pages.every((one) => one.meta.sent > baseMeta.sent)
  const previous = stored.filter(({ isBefore }) => isBefore)
  return { ...list, pages: [...previous, ...pages], ...(isReadAgain && { tail: [] }) }
}

/** The pages with a new response of one of them; a page that is not among them stands where it was first requested. */
function withPage(pages: readonly ListPage[], known: ListPage | undefined, page: ListPage): ListPage[] {
  if (known) {
    return pages.map((one) => (one === known ? page : one))
  }
  const isLater = ({ firstSent }: ListPage): boolean => firstSent > page.firstSent
  return [...pages.filter((one) => !isLater(one)), page, ...pages.filter(isLater)]
}

/** The pages without some items in those after `page`, unless their responses are newer. */
function withoutLacking(pages: ListPage[], page: ListPage, lacks: ReadonlySet<unknown>): ListPage[] {
  const at = pages.indexOf(page)
  return lacks.size === 0
    ? pages
    : pages.map((one, i) =>
        i <= at || isOlder(page.meta, one.meta) ? one : { ...one, items: withoutKeys(one.items, lacks) as unknown },
      )
}

/**
 * A page without the items that were removed while its request was pending. The list itself may have been refetched since: its
 * response has those removals, the page does not. `stale`: the page lacks some change.
 */
function withLaterRemovals(list: ListState, page: ListPage): { page: ListPage; stale: boolean } {
  const missed = list.log.filter((entry) => isOlder(page.meta, entry.meta))
  const removed = missed.filter((entry) => !entry.merge && isInBase(list, entry))
  const items: unknown = removed.reduce((left, entry) => takeOut(left, entry.items), page.items as unknown)
  return { page: { ...page, items }, stale: missed.length > 0 }
}

/** A list after a refetch of all its pages: it keeps the responses that are as new as its own. */
export function refreshed(
  old: ListState,
  { next }: Pick<ListState, 'next'>,
  { sent }: Meta,
  idOf: IdOf,
): Partial<ListState> {
  const all = (old.pages ?? []).filter((page) => page.id !== LEFTOVER && page.meta.sent > sent)
  const fresh = all.filter(isNext)
  const before = all.filter(({ isBefore }) => isBefore)
  const { pages, chain } = arrange({ next }, fresh, idOf, undefined)
  // With getNextPage, a page that does not follow the list would leave a gap before it.
  const isNamed = fresh.some((page) => page.number === undefined && (page.next || page.isEnd))
  const left = isNamed ? [...chain] : pages
  const last = left.at(-1)
  // Read to the end, or after an invalidation, the responses hold what was appended, or it is gone.
  const isKnown = last?.isEnd || (old.since ?? 0) > old.baseMeta.sent
  return last || before.length > 0
    ? { pages: [...before, ...left], tail: isKnown && sent > old.compacted ? [] : old.tail }
    : {}
}

/**
 * Pages in the order they are shown: those that follow one another together, the others by when they were first
 * requested. Without `getNextPage` pages count up, unless a page shows that its number is a cursor that counts down.
 */
function arrange(
  list: Pick<ListState, 'next'>,
  all: readonly ListPage[],
  idOf: IdOf,
  leftover: ListPage | undefined,
): {
  pages: ListPage[]
  /** The pages that follow the list itself. */
  chain: ReadonlySet<ListPage>
  after: (page: ListPage) => ListPage | undefined
} {
  const byId = new Map(all.map((page) => [page.id, page]))
  const after = ({ next, firstSent }: ListPage): ListPage | undefined => {
    const page = next && byId.get(idOf(next))
    return page?.isCursor && page.firstSent < firstSent ? undefined : page
  }
  const isCounted = all.some(({ number }) => number !== undefined)
  const first = isCounted ? firstCounted(all, leftover) : list.next && byId.get(idOf(list.next))
  const chain = run(first, after)
  const followers = new Set(all.map(after))
  const heads = all.filter((page) => !followers.has(page))
  const pages = new Set(isCounted ? [] : chain)
  for (const head of [...heads, ...all]) {
    run(head, after).forEach((page) => pages.add(page))
  }
  return { pages: [...pages], chain, after }
}

/** The page after the list itself where pages are counted; `undefined` where their numbers look like cursors. */
function firstCounted(all: readonly ListPage[], leftover: ListPage | undefined): ListPage | undefined {
  // Whether the list itself is page 0 or page 1 is not known.
  const first = [0, 1, 2].map((number) => all.find((page) => page.number === number)).find(Boolean)
  const isFirst =
    !all.some(({ firstSent }) => first && firstSent < first.firstSent) || !all.some((page) => countsDown(page, 0))
  return first && isFirst && (!leftover || keysOf(leftover.items).at(-1) !== `${first.number}`) ? first : undefined
}

function run(start: ListPage | undefined, after: (page: ListPage) => ListPage | undefined): Set<ListPage> {
  const pages = new Set<ListPage>()
  for (let page = start; page && !pages.has(page); page = after(page)) {
    pages.add(page)
  }
  return pages
}

/** Which pages are gone when a page is the end: older ones that follow it, and from the list itself on everything beyond. */
function endOf(
  page: ListPage,
  place: number,
  isChained: boolean,
  after: (page: ListPage) => ListPage | undefined,
): (one: ListPage, at: number) => boolean {
  const followers = run(page.isEnd ? after(page) : undefined, after)
  const isBeyond = (one: ListPage, at: number): boolean =>
    page.number === undefined ? at > place : one.number! > page.number && !countsDown(one, page.number)
  return (one, at) =>
    one !== page &&
    page.isEnd === true &&
    one.meta.sent <= page.meta.sent &&
    (followers.has(one) || (isChained && isBeyond(one, at)))
}

/** Whether a page holds an item that stands between its number and a lower one: then the numbers are cursors that count down. */
function countsDown({ number, items }: ListPage, to: number): boolean {
  return keysOf(items).some((key) => Number(key) >= to && Number(key) < number!)
}
