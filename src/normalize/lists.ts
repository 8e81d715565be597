// A list is its pages, as the server sent them and as the app's own writes have changed them, and behind them a tail of items that
// were appended here. A list without pages is one page.

import { member } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { append, keyObject } from '../schema/Collection.ts'
import type { ListSchema } from '../schema/Schema.ts'
import type { Meaning } from './fit.ts'
import { allItems, itemKey, keepItems, place, size, takeOut, unique } from './listItems.ts'

/** A change of membership: the items that join a list, placed by `merge`; without it those that leave. */
export interface Edit {
  readonly items: any
  readonly merge: ((existing: any, incoming: any) => any) | undefined
}

/** A page, from its newest response. */
export interface ListPage {
  /** By what it is known: its arguments. */
  readonly id: string
  items: any
  /** When its response arrived. */
  readonly at?: number
  /** The number of the request that brought it, and of the one that brought it first: pages stand in that order. */
  readonly sent: number
  readonly firstSent: number
  readonly args?: readonly any[] | undefined
  readonly endpoint?: unknown
  /** It stands before the list itself. */
  readonly isBefore?: boolean | undefined
  /** The arguments of the page after it: as the response names them, and where the number of the page only counts up. */
  readonly next?: readonly any[] | undefined
  readonly guess?: readonly any[] | undefined
  /** The response said that nothing comes after it. */
  readonly isEnd?: boolean | undefined
  /** The arguments of the page before it; `undefined` at the start. */
  readonly previous?: readonly any[] | undefined
  /** The whole response that contains the list, for the members beside it. Set when all of it is normalised. */
  result?: unknown
}

/** The state of a list besides its content. */
export interface List {
  /** The arguments that tell it from other lists. */
  readonly keyArgs: Readonly<Record<string, any>>
  readonly name: string | undefined
  /** The Collection that its last response came with; not known of a restored list. */
  readonly collection?: ListSchema | undefined
  /** Arguments that do not simply filter by a field: some items have that field with another value. */
  readonly loose?: readonly string[] | undefined
  /** The path of the endpoint whose response it is; not of a nested list, nor where the app makes the key itself. */
  readonly path: string | undefined
  /** The result of `meaningOf`. */
  meaning?: Meaning | undefined
  readonly isMap: boolean
  /** In the order they are shown. */
  pages: readonly ListPage[]
  /** Items that the app appended, which no response contains yet. */
  tail: readonly unknown[]
  /** The numbers beside the list that count its items: their names, and in which row they stand, a result or a record. */
  readonly counted?: readonly [table: string, pk: string, ...names: string[]] | undefined
}

/** The `id` of the list itself, as the first page. */
export const FIRST = ''

/** By what a page is known: the arguments it was requested with. */
export function pageKey(args: readonly any[]): string {
  return stableKey(keyObject(args[0]))
}

/** All items of a list, each once. */
export function itemsOf({ pages, tail }: Pick<List, 'pages' | 'tail'>): any {
  const [first, ...others] = pages.map(({ items }): any => items)
  if (others.length === 0 && tail.length === 0) {
    return first
  }
  if (Array.isArray(first)) {
    return unique([...[first, ...others].flat(), ...tail])
  }
  const entries = [first, ...others].reverse().flatMap((one) => Object.entries(one as object))
  return Object.fromEntries(entries)
}

/** A list after a change of membership. */
export function editList(list: List, edit: Edit): List {
  const { pages, tail } = list
  if (!edit.merge) {
    const left = pages.map((page) => {
      const items: unknown = takeOut(page.items, edit.items)
      return items === page.items ? page : withItems(page, items)
    })
    return withPages(list, left, takeOut(tail, edit.items) as unknown[])
  }
  const [first, ...others] = pages
  const isWhole = others.length === 0 && nextOf(list) === undefined
  if (edit.merge === append && !isWhole && !list.isMap) {
    const held = new Set((itemsOf(list) as unknown[]).map(itemKey))
    const fresh = unique(edit.items as unknown[]).filter((item) => !held.has(itemKey(item)))
    return withPages(list, pages, [...tail, ...fresh])
  }
  // A place of the app's own is found in the first page, or where there is only one, in all.
  const items: unknown = place(isWhole ? itemsOf(list) : first!.items, edit)
  return withPages(list, [withItems(first!, items), ...others], isWhole ? [] : tail)
}

/** A list with other pages. Members that override those of a spread would take ten times as long. */
export function withPages(list: List, pages: readonly ListPage[], tail: readonly unknown[]): List {
  const copy = { ...list }
  copy.pages = pages
  copy.tail = tail
  return copy
}

function withItems(page: ListPage, items: unknown): ListPage {
  const copy = { ...page }
  copy.items = items
  return copy
}

/**
 * A list after a response of one of its pages. The response speaks for every record but those that the app wrote after it was sent:
 * these are in the list, or not, as they are now.
 *
 * Example: the list is requested, a is deleted and b is created, then the list arrives with a and without b. It has b, and not a.
 *
 * @param shown the items of the list so far
 * @param hasAllPages all pages were fetched again, the list itself comes last: older ones are gone
 * @param isOurs whether the app wrote the record of an item after the response was requested
 * @param isKept whether such a record is in the list now
 */
export function receivePage(
  old: Pick<List, 'pages' | 'tail'>,
  page: ListPage,
  shown: unknown,
  hasAllPages: boolean | undefined,
  isOurs: (item: unknown) => boolean,
  isKept: (item: unknown) => boolean,
): Pick<List, 'pages' | 'tail'> & { readonly differs: boolean } {
  const isFirst = page.id === FIRST
  const known = old.pages.find(({ id }) => id === page.id)
  const others = old.pages.filter((one) => one !== known && (!hasAllPages || !isFirst || one.sent > page.sent))
  const items: unknown = keepItems(page.items, (item) => !isOurs(item) || isKept(item))
  const mine = { ...page, items, firstSent: known?.firstSent ?? page.firstSent }
  const pages = inOrder([...others, mine])
  const got = new Set(pages.flatMap((one) => allItems(one.items)).map(itemKey))
  const isLacking = (item: unknown): boolean => !got.has(itemKey(item))
  // Appended items stay until the list itself is fetched again.
  const tail = old.tail.filter((item) => isLacking(item) && (!isFirst || isOurs(item)))
  const before: any = known?.items ?? (isFirst ? shown : undefined) ?? []
  const lacking: any = keepItems(before, (item) => isOurs(item) && isLacking(item))
  const isEnd = !hasAllPages && pages.at(-1)!.isEnd === true
  const differs = items !== page.items || tail.some((item) => isEnd || isOurs(item)) || size(lacking) > 0
  if (size(lacking) === 0) {
    return { pages, tail, differs }
  }
  const put = (all: unknown): readonly ListPage[] => pages.map((one) => (one === mine ? withItems(mine, all) : one))
  if (!Array.isArray(items)) {
    return { pages: put({ ...lacking, ...(items as object) }), tail, differs }
  }
  // Own records that the response lacks keep their end of the list.
  if (lacking[0] === before[0]) {
    return { pages: put([...lacking, ...items]), tail, differs }
  }
  return pages.length === 1
    ? { pages: put([...items, ...lacking]), tail, differs }
    : { pages, tail: [...lacking, ...tail], differs }
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

/** True where the pages do not fit together: one is older than the list itself, or is not the one that the page before it names. */
export function isTorn(pages: readonly ListPage[]): boolean {
  const after = pages.filter(({ isBefore }) => !isBefore)
  return after.some(({ id, sent }, i) => {
    const { next, endpoint, isEnd } = after[i - 1] ?? {}
    const isNaming = (endpoint as { getNextPage?: unknown } | undefined)?.getNextPage !== undefined
    return sent < after[0]!.sent || (next ? pageKey(next) !== id : isNaming && isEnd === true)
  })
}

/** The last page after the list itself. */
export function lastPage({ pages }: Pick<List, 'pages'>): ListPage | undefined {
  const last = pages.at(-1)
  // Pages before the list come first.
  return last?.isBefore ? undefined : last
}

/** The arguments of the next page that is not loaded; `undefined` at the end. */
export function nextOf(list: Pick<List, 'pages'>): readonly any[] | undefined {
  let page = lastPage(list)
  let args: readonly any[] | undefined
  // A page may name one before it.
  for (let left = list.pages.length; page && left > 0; left--) {
    args = page.isEnd ? undefined : (page.next ?? page.guess)
    const id = args && pageKey(args)
    page = list.pages.find((one) => one.id === id)
  }
  return args
}

/**
 * True where the server has cut a list without being asked: no page follows, and yet more items are counted beside it than it has.
 *
 * @param beside the value with the numbers that count the items
 */
export function isCutShort(list: Pick<List, 'pages' | 'counted'>, beside: unknown, items: unknown): boolean {
  const [, , ...names] = list.counted ?? []
  return names.some((name) => Number(member(beside, name)) > size(items)) && !hasOtherPages(list)
}

function hasOtherPages(list: Pick<List, 'pages'>): boolean {
  return nextOf(list) !== undefined || list.pages[0]?.previous !== undefined
}
