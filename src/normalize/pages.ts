import { stableKey } from '../base/stableKey.ts'
import { keyObject } from '../schema/Collection.ts'
import type { Meta } from '../schema/Schema.ts'
import { LEFTOVER, type ListPage, type ListState, sidesOf } from './ListState.ts'
import type { Slot } from './tables.ts'

/** The outcome for the list at the top of a response. */
export interface ListOutcome {
  readonly slot: Slot
  /** The page that it was a response for. */
  readonly page: string | undefined
  /** False if a newer response was already stored. */
  readonly taken: boolean
  /** How many more items the list has than the numbers in the response say. */
  readonly delta: number
}

/** By what a page is known: the arguments it was requested with. */
export function pageKey(args: readonly any[]): string {
  return stableKey(keyObject(args[0]))
}

/** The loaded pages of a list, in the order they are shown. */
export function pagesOf({ pages = [] }: ListState): ListPage[] {
  return pages.filter(({ id }) => id !== LEFTOVER)
}

/** The arguments of the next page that is not loaded; `undefined` at the end. */
export function nextOf(list: ListState): readonly any[] | undefined {
  return nextAfter(list, lastPage(list) ?? list)
}

function nextAfter(
  list: ListState,
  { next, guess, isEnd }: Pick<ListState, 'next' | 'guess' | 'isEnd'>,
): readonly any[] | undefined {
  if (isEnd || next || !guess) {
    return isEnd ? undefined : next
  }
  // Numbers count up to the first page that is not loaded.
  const page = list.pages?.find(({ id }) => id === pageKey(guess))
  return page ? nextAfter(list, page) : guess
}

/** The arguments of the page before all others; `undefined` at the start. */
export function previousOf(list: ListState): readonly any[] | undefined {
  return (sidesOf(list.pages).before[0] ?? list).previous
}

/** The last page after the list itself. */
export function lastPage(list: ListState): ListPage | undefined {
  return sidesOf(pagesOf(list)).after.at(-1)
}

/** A page in serialised form: enough to fetch it again. */
export type DumpedPage = readonly [args: readonly any[]]

export function dumpPages(list: ListState): DumpedPage[] {
  return sidesOf(pagesOf(list)).after.map(({ args }) => [args!])
}

/** The pages of a list whose items are all in one: each is there to be fetched again. */
export function restorePages(
  pages: readonly DumpedPage[],
  { isMap, next }: Pick<ListState, 'isMap' | 'next'>,
  meta: Meta,
): Pick<ListState, 'pages' | 'next'> {
  return {
    next: pages[0]?.[0] ?? next,
    pages: pages.map(([args], index) => ({
      id: pageKey(args),
      args,
      // Before all pages that are requested now.
      firstSent: index - pages.length,
      meta,
      items: isMap ? {} : [],
      next: pages[index + 1]?.[0] ?? next,
    })),
  }
}
