// Where in a list a record stands, and what else moves with it: why only the server knows.

import { member } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import { meaningOf, plain } from './arguments.ts'
import { isLoose } from './membership.ts'
import type { List } from './List.ts'
import { areCounted, itemsOf, nextOf } from './pages.ts'

/** Why the place of an item is not known: an argument sorts the list, or cuts a part out of it. */
export function placeIn(list: List): 'sorted' | 'cut' | undefined {
  const { sortedBy, isCut } = meaningOf(list)
  return isCut ? 'cut' : sortedBy && 'sorted'
}

/**
 * Why a record may stand elsewhere in a list than before. The list is sorted, and the record differs in a field that the argument
 * names, as `sort=-created_at` names `createdAt`, or the argument names none; or it is a part of a list whose order nobody knows.
 *
 * @param before the fields that the place comes from, where they are known
 */
export function movedIn(list: List, before: Fields | undefined, now: Fields): 'sorted' | 'cut' | undefined {
  const { sortedBy, isSorted } = meaningOf(list)
  if (!sortedBy || (before && !isSorted && isInKeyOrder(list))) {
    return undefined
  }
  const fields = isSorted ? Object.keys(now).filter((name) => sortedBy.has(plain(name))) : []
  const mayMove = !before || fields.length === 0 || fields.some((name) => member(before, name) !== now[name])
  return mayMove ? placeIn(list) : undefined
}

/** Two items stand in the order of their keys by chance. */
const FEWEST_IN_ORDER = 3

/** True where the items show that the server sorts by the primary key, which no write changes. */
function isInKeyOrder(list: List): boolean {
  const keys: unknown = itemsOf(list)
  if (!Array.isArray(keys) || keys.length < FEWEST_IN_ORDER || !keys.every((key) => typeof key === 'string')) {
    return false
  }
  const steps = new Set(keys.slice(1).map((key, i) => compareKeys(keys[i] as string, key)))
  return steps.size === 1
}

/** Negative, 0 or positive. Numbers come before longer numbers. */
function compareKeys(a: string, b: string): number {
  const isNumber = /^\d+$/.test(a + b)
  return (isNumber && Math.sign(a.length - b.length)) || (a < b ? -1 : a > b ? 1 : 0)
}

/** Why another item may take the place of one that leaves: it is a part of a longer list. Cursors name items, so nothing moves up. */
export function gapIn(list: List, record: Fields | undefined): 'more-pages' | 'cut' | undefined {
  const part = partOf(list, record)
  return part === 'more-pages' && !areCounted(list) ? undefined : part
}

/** Why a list is a part of a longer one: it goes on, or was cut out of it. */
export function partOf(list: List, record: Fields | undefined): 'more-pages' | 'cut' | undefined {
  if (nextOf(list) !== undefined) {
    return 'more-pages'
  }
  // An argument that the record says nothing about may cut, too.
  const isUnknown = (name: string): boolean => isLoose(list, name) || member(record, name) === undefined
  const { isCut, filters } = meaningOf(list)
  return isCut || (!list.collection?.ownFilter && filters.some(([name]) => isUnknown(name))) ? 'cut' : undefined
}
