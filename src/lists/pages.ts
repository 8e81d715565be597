// A list is its pages, as the server sent them and as the app's own writes have changed them, and behind them a tail of items that
// were appended here. A list without pages is one page.

import { countAt } from '../rows/counts.ts'
import { stableKey } from '../base/stableKey.ts'
import { keyObject } from './listKey.ts'
import { append } from '../schema/merges.ts'
import type { Edit, List, ListPage } from './List.ts'
import { applyEdit, contains, size, takeOut, unique } from './items.ts'

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

/** A list after a change of membership, and its items, which were `items`. An append does not visit the pages. */
export function editList(list: List, items: unknown, edit: Edit): readonly [List, unknown] {
  const { pages, tail } = list
  if (!edit.merge) {
    const left = pages.map((page) => {
      const stay: unknown = takeOut(page.items, edit.items)
      return stay === page.items ? page : withItems(page, stay, true)
    })
    return withItsItems(withPages(list, left, takeOut(tail, edit.items) as unknown[]))
  }
  const [first, ...others] = pages
  const isWhole = others.length === 0 && nextOf(list) === undefined
  if (edit.merge === append && !isWhole && !list.isMap) {
    const joined = applyEdit(items, edit) as unknown[]
    const fresh = joined.slice(size(items))
    return [withPages(list, pages, [...tail, ...fresh]), joined]
  }
  // A place of the app's own is found in the first page, or where there is only one, in all.
  const placed: unknown = applyEdit(isWhole ? items : first!.items, edit)
  return withItsItems(withPages(list, [withItems(first!, placed, true), ...others], isWhole ? [] : tail))
}

function withItsItems(list: List): readonly [List, unknown] {
  return [list, itemsOf(list)]
}

/** A list with other pages. Members that override those of a spread would take ten times as long. */
export function withPages(list: List, pages: readonly ListPage[], tail: readonly unknown[]): List {
  const copy = { ...list }
  copy.pages = pages
  copy.tail = tail
  return copy
}

/** @param isEdited the app has changed it; without this it is as before */
export function withItems(page: ListPage, items: unknown, isEdited: boolean | undefined = page.isEdited): ListPage {
  const copy = { ...page }
  copy.items = items
  copy.isEdited = isEdited
  return copy
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

/** Arguments that name an item, also where its name is a number. */
const CURSOR = /cursor|after|before|since|until|token|key|id$/i

/** True where pages are named by what comes before them, as by a number or an offset: those behind an item that leaves move up. */
export function areCounted({ pages }: Pick<List, 'pages'>): boolean {
  return pages.some(({ args, next, guess }) => {
    const [from, to] = [keyObject(args?.[0]), keyObject(next?.[0])]
    const isCount = (name: string): boolean => to[name] !== from[name] && !CURSOR.test(name) && isWhole(to[name])
    return next ? Object.keys(to).some(isCount) : guess !== undefined
  })
}

function isWhole(value: unknown): boolean {
  return value !== '' && Number.isSafeInteger(Number(value))
}

/** The page that has an item, by its id; `undefined` for the whole list. */
export function pageWith({ pages }: List, item: unknown): readonly string[] | undefined {
  if (pages.length < 2) {
    return undefined
  }
  const page = pages.find(({ items }) => contains(items, item))
  return page && [page.id]
}

/**
 * The pages to fetch again where some may be wrong. Counted pages behind them may have moved, and so may those behind the first that the
 * app has changed since it arrived.
 */
export function pagesToFetch(list: List, wrong: ReadonlySet<string>): ReadonlySet<string> {
  const { pages } = list
  if (!areCounted(list)) {
    return wrong
  }
  const first = pages.findIndex(({ id, isEdited }) => isEdited === true || wrong.has(id))
  return new Set(pages.slice(first).map(({ id }) => id))
}

/**
 * True where the server has cut a list without being asked: no page follows, and yet more items are counted beside it than it has.
 *
 * @param beside the value with the numbers that count the items
 */
export function isCutShort(list: Pick<List, 'pages' | 'counted'>, beside: unknown, items: unknown): boolean {
  const [, , ...names] = list.counted ?? []
  return names.some((name) => Number(countAt(beside, name)) > size(items)) && !hasOtherPages(list)
}

function hasOtherPages(list: Pick<List, 'pages'>): boolean {
  return nextOf(list) !== undefined || list.pages[0]?.previous !== undefined
}
