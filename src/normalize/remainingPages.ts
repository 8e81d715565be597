import { hasBase, LEFTOVER, type ListPage, type ListState, sidesOf } from './ListState.ts'
import { joinParts, keysOf, size, takeOut, withoutKeys } from './listItems.ts'

/**
 * The pages that remain when a response replaces only the base of a list.
 *
 * The response tells about the old list up to the last item that both have; what it lacks before that item is gone. Items of the
 * old base after that item become a page of their own, the leftover: the page that they belong to now is not known.
 *
 * Example: the base is `A B C D`, the pages are `E F` and `G H`.
 * - `X A B` ends at B: `X A B`, leftover `C D`, `E F`, `G H`.
 * - `A B D E` ends at E, and C is gone: `A B D E`, `F`, `G H`.
 * - `X Y Z` shares no item: others may be missing between it and the pages, so they are removed.
 */
export function remainingPages(
  old: ListState,
  { base: response, isEnd }: Pick<ListState, 'base' | 'isEnd'>,
): Partial<ListState> {
  const { base, baseMeta, tail = [] } = old
  if (!hasBase(old)) {
    return { pages: old.pages, tail }
  }
  const sides = sidesOf(old.pages)
  const keys = new Set(keysOf(response))
  const isAdjacent = keysOf(base).some((key) => keys.has(key))
  const before = isAdjacent ? sides.before.map((page) => pageWithout(page, keys)) : []
  const covered = isEnd ? NONE : coveredBy([base, ...sides.after.map(({ items }) => items)], response)
  if (covered.size === 0) {
    return { pages: before }
  }
  const leftover: ListPage = { id: LEFTOVER, firstSent: -1, meta: baseMeta, items: base }
  const after = [leftover, ...sides.after].map((page) => pageWithout(page, covered))
  // An older leftover becomes a part of what stands before it.
  const at = after.findIndex(({ id }, i) => i > 0 && id === LEFTOVER)
  if (at > 0) {
    const page = after[at - 1]!
    after.splice(at - 1, 2, { ...page, items: joinParts(page.items, after[at]!.items) })
  }
  return {
    pages: [...before, ...after.slice(size(after[0]!.items) > 0 ? 0 : 1)],
    tail: takeOut(tail, response) as unknown[],
  }
}

const NONE: ReadonlySet<unknown> = new Set()

function pageWithout(page: ListPage, keys: ReadonlySet<unknown>): ListPage {
  return { ...page, items: withoutKeys(page.items, keys) as unknown }
}

/**
 * The keys of a response, and of those items of an older list that stand before the last item that both have: the response tells
 * which of these are still there. Empty where they share no item.
 */
export function coveredBy(parts: readonly any[], response: any): ReadonlySet<unknown> {
  const known = new Set(parts.flatMap(keysOf))
  const keys = keysOf(response)
  const last = [...keys].reverse().find((key) => known.has(key))
  const old = [...known]
  return last === undefined ? NONE : new Set([...old.slice(0, old.indexOf(last) + 1), ...keys])
}
