import { LEFTOVER, type ListPage, type ListState } from './ListState.ts'
import { keysOf, size, takeOut, withoutKeys } from './listItems.ts'

/**
 * The pages that remain after a new response of the list itself. Items of the old response that the new one does not reach
 * stand before all pages: which of them they belong to is not known.
 */
export function remainingPages(
  { base, baseMeta, pages: all = [], tail = [] }: ListState,
  answer: any,
  isEnd: boolean | undefined,
): Partial<ListState> {
  if (all.length === 0) {
    return {}
  }
  if (baseMeta.order < 0) {
    return { pages: all, tail }
  }
  const old = all.filter(({ isBefore }) => !isBefore)
  const fresh = new Set(keysOf(answer))
  // Without an item in common, something may be missing between them.
  const lacking =
    (keys: ReadonlySet<unknown>) =>
    (page: ListPage): ListPage => ({
      ...page,
      items: withoutKeys(page.items, keys) as unknown,
    })
  const isAdjacent = keysOf(base).some((key) => fresh.has(key))
  const before = isAdjacent ? all.filter(({ isBefore }) => isBefore).map(lacking(fresh)) : []
  if (isEnd) {
    return before.length > 0 ? { pages: before } : {}
  }
  // An item appended locally does not show its position on the server.
  const covered = coveredBy([base, ...old.map(({ items }) => items)], answer)
  if (covered.size === 0) {
    return before.length > 0 ? { pages: before } : {}
  }
  const pages = old.map(lacking(covered))
  const at = pages.findIndex(({ id }) => id === LEFTOVER)
  const [older] = at < 0 ? [] : pages.splice(at, 1)
  const own: unknown = withoutKeys(base, covered)
  const items = older && at === 0 ? join(own, older.items) : own
  // Behind other pages it does not stand together with what is left now.
  if (older && at > 0) {
    pages[at - 1] = { ...pages[at - 1]!, items: join(pages[at - 1]!.items, older.items) }
  }
  const leftover: ListPage[] = size(items) > 0 ? [{ id: LEFTOVER, firstSent: -1, meta: baseMeta, items }] : []
  return { pages: [...before, ...leftover, ...pages], tail: takeOut(tail, answer) as unknown[] }
}

function join(a: any, b: any): unknown {
  return Array.isArray(a) ? [...a, ...b] : { ...b, ...a }
}

/**
 * The items of a response, and those that stand before the last of them in the parts of an older list: the response tells
 * which of these are still there. Empty where they share no item.
 */
export function coveredBy(parts: readonly any[], answer: any): ReadonlySet<unknown> {
  const known = new Set(parts.flatMap(keysOf))
  const fresh = keysOf(answer)
  const last = [...fresh].reverse().find((key) => known.has(key))
  if (last === undefined) {
    return new Set()
  }
  const old = [...known]
  return new Set([...old.slice(0, old.indexOf(last) + 1), ...fresh])
}
