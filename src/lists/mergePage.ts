import { allItems, itemKey, keepEqual, keepItems, size } from './items.ts'
import type { List, ListPage } from './List.ts'
import { FIRST, pageKey, withItems } from './pages.ts'

/** Writes of the app that the response of a page does not contain: they were made after it was requested. */
export interface OwnWrites {
  /** The app wrote the record of an item after the response was requested. */
  isOurs(item: unknown): boolean
  /** Such a record is in the list now. */
  isKept(item: unknown): boolean
}

/** The pages of a list, and the items that the app appended behind them. */
type Pages = Pick<List, 'pages' | 'tail'>

/** How pages were fetched again: all of them, with the list itself last, so that older ones are gone; or only some, and the others stay. */
interface Refetch {
  readonly hasAllPages?: boolean | undefined
  readonly keepsPages?: boolean | undefined
}

/**
 * A list after a response of one of its pages. The response speaks for every record but those that the app wrote after it was sent:
 * these are in the list, or not, as they are now. `differs` if that makes a difference.
 *
 * Example: the list is requested, a is deleted and b is created, then the list arrives with a and without b. It has b, and not a.
 *
 * @param shown the items of the list so far
 */
export function mergePage(
  old: Pages,
  page: ListPage,
  shown: unknown,
  how: Refetch,
  { isOurs, isKept }: OwnWrites,
): Pages & { readonly differs: boolean } {
  const { hasAllPages, keepsPages } = how
  const isFirst = page.id === FIRST
  const stored = old.pages.find(({ id }) => id === page.id)
  const items: unknown = keepItems(page.items, (item) => !isOurs(item) || isKept(item))
  const merged = { ...page, items, firstSent: stored?.firstSent ?? page.firstSent }
  const others = old.pages.filter((one) => one !== stored)
  const pages = inOrder([...(isFirst ? pagesAfter(others, stored, page, how) : others), merged])
  const got = new Set(pages.flatMap((one) => allItems(one.items)).map(itemKey))
  const isLacking = (item: unknown): boolean => !got.has(itemKey(item))
  // Appended items stay until the list itself is fetched again, with its pages.
  const tail = old.tail.filter((item) => isLacking(item) && (!isFirst || keepsPages || isOurs(item)))
  const before: any = stored?.items ?? (isFirst ? shown : undefined) ?? []
  const lacking: unknown = keepItems(before, (item) => isOurs(item) && isLacking(item))
  const isEnd = !hasAllPages && pages.at(-1)!.isEnd === true
  const differs = items !== page.items || tail.some((item) => isEnd || isOurs(item)) || size(lacking) > 0
  return { ...putBack(lacking, before, merged, { pages, tail }), differs }
}

/** The other pages after a response of the list itself. */
function pagesAfter(
  others: readonly ListPage[],
  stored: ListPage | undefined,
  { items, sent }: ListPage,
  { hasAllPages, keepsPages }: Refetch,
): readonly ListPage[] {
  if (hasAllPages) {
    return others.filter((one) => one.sent > sent)
  }
  // Behind the same items others still follow. Where the items have changed, so may have the pages behind them.
  const isSame = keepsPages && stored && keepEqual(stored.items, items) === stored.items
  return isSame ? others.map((one) => (one.sent < sent ? { ...one, sent } : one)) : others
}

/** Own records that the response of a page lacks keep their end of the list. */
function putBack(lacking: any, before: any, page: ListPage, { pages, tail }: Pages): Pages {
  const withAll = (items: unknown): Pages => ({
    pages: pages.map((one) => (one === page ? withItems(page, items) : one)),
    tail,
  })
  const { items } = page
  if (size(lacking) === 0) {
    return { pages, tail }
  }
  if (!Array.isArray(items)) {
    return withAll({ ...lacking, ...items })
  }
  if (lacking[0] === before[0]) {
    return withAll([...lacking, ...items])
  }
  return pages.length === 1 ? withAll([...items, ...lacking]) : { pages, tail: [...lacking, ...tail] }
}

/** Pages before the list, the list itself, the pages that each names as the next one, and others in the order of their first requests. */
function inOrder(pages: readonly ListPage[]): ListPage[] {
  const group = ({ isBefore, id }: ListPage): number => (isBefore ? 0 : id === FIRST ? 1 : 2)
  const left = [...pages].sort(
    (a, b) => group(a) - group(b) || (a.isBefore ? b.firstSent - a.firstSent : a.firstSent - b.firstSent),
  )
  const out: ListPage[] = []
  while (left.length > 0) {
    const last = out.at(-1)
    const next = last?.next && !last.isBefore ? pageKey(last.next) : undefined
    const at = left.findIndex(({ id }) => id === next)
    out.push(...left.splice(Math.max(0, at), 1))
  }
  return out
}
