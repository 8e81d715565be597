// Whether a record belongs to a list, by the arguments of the list. An argument is taken for the field of its name; the items of a list
// tell which arguments are not (`learn.ts`).

import { member } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import { filterText, meaningOf } from './arguments.ts'
import type { List } from './List.ts'

/** @param isSameCollection the write names the Collection of the list */
export function belongs(list: List, record: Fields, isSameCollection: boolean): 'in' | 'out' | 'unknown-argument' {
  const { keyArgs, name, collection } = list
  if (collection?.ownFilter) {
    // It was written for the arguments of an adder; a write of any other kind must not fail because of it.
    try {
      return collection.createCollectionFilter(record, record)(keyArgs) ? 'in' : 'out'
    } catch {
      return 'unknown-argument'
    }
  }
  // A name stands for what no argument says.
  let isKnown = name === undefined || isSameCollection
  for (const [argument, text] of meaningOf(list).filters) {
    const value = member(record, argument)
    if (value !== undefined && filterText(value) === text) {
      continue
    }
    if (value !== undefined && !isLoose(list, argument)) {
      return 'out'
    }
    isKnown = false
  }
  return isKnown ? 'in' : 'unknown-argument'
}

/** True for an argument that is no plain filter: some item has another value, as of `?title=a` where titles only contain it, or the app says so. */
export function isLoose(list: List, argument: string): boolean {
  return list.loose?.includes(argument) === true || meaningOf(list).searches.has(argument)
}

/**
 * True where even an empty list tells that a record does not belong to it. It shows nothing of what its arguments mean, `?status=all` may
 * be any status: only an argument counts that the app declares as the field, or that another list has proven to be it and that is no
 * other name of the value.
 */
export function isSurelyOut(list: List, record: Fields, proven: ReadonlySet<string>): boolean {
  const tells = ([name, text]: readonly [string, string]): boolean => {
    const value = member(record, name)
    const differs = value !== undefined && filterText(value) !== text
    const isField = meaningOf(list).fields.has(name) || (proven.has(name) && !isAlias(text, value))
    return differs && isField && !isLoose(list, name)
  }
  return list.collection?.ownFilter === true || meaningOf(list).filters.some(tells)
}

/** An argument may be another name of the value: `me` of 17, `none` of `null`. */
function isAlias(text: string, value: unknown): boolean {
  return isWord(text) && (value === null || !isWord(filterText(value)))
}

/** True for a text without digits. */
export function isWord(text: string): boolean {
  return !/\d/.test(text)
}
