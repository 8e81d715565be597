// The arguments of a list say whether a record belongs to it, and whether its place may change. An argument is taken for a field of the
// record; the items of a list tell which arguments are not (`learnArgs`).

import { isObject, member } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { POSITION } from '../schema/Collection.ts'
import type { List } from './lists.ts'
import type { Fields, Table } from './tables.ts'

export type Fit = typeof OUT | typeof UNSURE | typeof IN
export const OUT = 0
/** The list has an argument of which the record says nothing. */
export const UNSURE = 1
export const IN = 2

/** The arguments of a list, by what their names mean. */
export interface Meaning {
  /** Those that filter by a field, and their values as text. */
  readonly filters: readonly (readonly [name: string, text: string])[]
  /** The fields that the server sorts by, as far as an argument names them; `undefined` where none sorts or cuts, or the app tells the order. */
  readonly sortedBy: ReadonlySet<string> | undefined
  /** One of them cuts a part out of a longer list. */
  readonly isCut: boolean
}

const ORDER = /^(order|sort)/

export function meaningOf(list: List): Meaning {
  return (list.meaning ??= findMeaning(list))
}

function findMeaning({ keyArgs, collection }: List): Meaning {
  const isFilter = (name: string): boolean =>
    !(collection ? collection.nonFilterArgumentKeys(name) : POSITION.test(name))
  const names = Object.keys(keyArgs)
  // The app may declare all arguments that do not filter: then their names say nothing.
  const places = collection?.guessesPosition === false ? [] : names.filter((name) => POSITION.test(name))
  const orders = places.filter((name) => ORDER.test(name))
  const words = orders.flatMap((name) => String(keyArgs[name]).split(/[^\w-]+|\b(?:a|de)sc\b/i))
  const isOrdered = collection?.orderOf?.(keyArgs) !== undefined
  return {
    filters: names.filter(isFilter).map((name) => [name, filterText(keyArgs[name])]),
    sortedBy: isOrdered || places.length === 0 ? undefined : new Set(words.map(plain).filter((word) => word !== '')),
    isCut: places.length > orders.length,
  }
}

/** The fields of a record; parameters of the request stand in for those that it lacks. `null` is a value. */
export function withParams(fields: Fields, params: unknown): Fields {
  const others = Object.entries(isObject(params) ? params : {}).filter(([name]) => member(fields, name) === undefined)
  return others.length > 0 ? { ...fields, ...Object.fromEntries(others) } : fields
}

/**
 * Judges whether a record belongs to a list.
 *
 * @param isSameCollection the write names the Collection of the list
 * @param proven of an empty list: the arguments that are known to be fields. Of `?status=all` without items nobody knows that it means
 *   any status, and of `?assignee=me` whom it means
 */
export function fitOf(list: List, known: Fields, isSameCollection: boolean, proven?: ReadonlySet<string>): Fit {
  const { keyArgs, name: own, collection, loose } = list
  if (collection?.ownFilter) {
    // It was written for the arguments of an adder; a write of any other kind must not fail because of it.
    try {
      return collection.createCollectionFilter(known, known)(keyArgs) ? IN : OUT
    } catch {
      return UNSURE
    }
  }
  // A name stands for what no argument says.
  let fit: Fit = own === undefined || isSameCollection ? IN : UNSURE
  for (const [name, text] of meaningOf(list).filters) {
    const value = member(known, name)
    if (value !== undefined && filterText(value) === text) {
      continue
    }
    const isAlias = isWord(text) && (value === null || !isWord(filterText(value)))
    if (value !== undefined && !loose?.includes(name) && (!proven || (proven.has(name) && !isAlias))) {
      return OUT
    }
    fit = UNSURE
  }
  return fit
}

/** True for a text without digits. An argument may be another name of the value: `me` of 17, `none` of `null`. */
export function isWord(text: string): boolean {
  return !/\d/.test(text)
}

/** True where an argument sorts the list or cuts a part out of it. */
export function hasPosition(list: List): boolean {
  const { sortedBy, isCut } = meaningOf(list)
  return sortedBy !== undefined || isCut
}

/**
 * True where a record may stand elsewhere in a list than before. The list is sorted, and the record differs in a field that the argument
 * names, as `sort=-created_at` names `createdAt`, or the argument names none; or it is a part of a list whose order nobody knows.
 */
export function mayMove(list: List, before: Fields | undefined, now: Fields): boolean {
  const { sortedBy } = meaningOf(list)
  if (!sortedBy) {
    return false
  }
  const fields = Object.keys(now).filter((name) => sortedBy.has(plain(name)))
  return !before || fields.length === 0 || fields.some((name) => member(before, name) !== now[name])
}

/** A name without case, `-` and `_`. */
function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/**
 * True where the list may be cut out of a longer one, by an argument that the record says nothing about: when an item leaves, another
 * one may take its place.
 */
export function isCut(list: List, known: Fields | undefined): boolean {
  const { filters, isCut: isPart } = meaningOf(list)
  const isUnknown = (name: string): boolean => list.loose?.includes(name) === true || member(known, name) === undefined
  return isPart || (!list.collection?.ownFilter && filters.some(([name]) => isUnknown(name)))
}

/** How an argument of a list is compared: as text. */
export function filterText(value: unknown): string {
  // A NUL keeps `null` and objects apart from the text that looks like them.
  return typeof value === 'object' ? `\0${stableKey(value)}` : String(value)
}

/**
 * Learns from the items of a list what its arguments mean. Returns those that are fields of some items with another value, as
 * of `?title=a` where titles only contain it; those with the same value are noted with the table: they filter by the field.
 * An empty response changes nothing.
 */
export function learnArgs({ provenArgs }: Table, list: List, items: readonly unknown[]): readonly string[] | undefined {
  if (list.collection?.ownFilter) {
    return undefined
  }
  let loose: string[] | undefined
  for (const [name, text] of meaningOf(list).filters) {
    const known = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    if (known.some((value) => filterText(value) !== text) || (known.length === 0 && list.loose?.includes(name))) {
      ;(loose ??= []).push(name)
    } else if (known.length > 0) {
      provenArgs.add(name)
    }
  }
  return loose
}
