// The arguments of a list say whether a record belongs to it, and whether its place may change. An argument is taken for a field of the
// record; the items of a list tell which arguments are not (`learnArgs`).

import { isObject, member } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { type ArgumentKind, kindByName, mayFilter } from '../schema/argumentKinds.ts'
import { itemsOf, type List } from './lists.ts'
import type { Fields, Table } from './tables.ts'

export type Fit = typeof OUT | typeof UNSURE | typeof IN
export const OUT = 0
/** The list has an argument of which the record says nothing. */
export const UNSURE = 1
export const IN = 2

/** The arguments of a list, by what they mean. */
export interface Meaning {
  /** Those that may filter, and their values as text. */
  readonly filters: readonly (readonly [name: string, text: string])[]
  /** Of these, the ones that the app declares: those that filter by the field of their name, and those that do not. */
  readonly fields: ReadonlySet<string>
  readonly searches: ReadonlySet<string>
  /** The fields that the server sorts by, as far as an argument names them; `undefined` where none sorts or cuts, or the app tells the order. */
  readonly sortedBy: ReadonlySet<string> | undefined
  /** One of them sorts the list. */
  readonly isSorted: boolean
  /** One of them cuts a part out of a longer list. */
  readonly isCut: boolean
}

export function meaningOf(list: List): Meaning {
  return (list.meaning ??= findMeaning(list))
}

function findMeaning({ keyArgs, collection }: List): Meaning {
  const names = Object.keys(keyArgs)
  const kinds = names.map((name) => (collection ? collection.argumentKind(name) : kindByName(name)))
  const ofKind = (kind: ArgumentKind): string[] => names.filter((_, i) => kinds[i] === kind)
  const orders = ofKind('order')
  const words = orders.flatMap((name) => textOf(keyArgs[name]).split(/[^\w-]+|\b(?:a|de)sc\b/i))
  const isSorted = orders.length > 0
  const isPart = kinds.includes('part')
  const isOrdered = collection?.orderOf?.(keyArgs) !== undefined
  return {
    filters: names.filter((_, i) => mayFilter(kinds[i])).map((name) => [name, filterText(keyArgs[name])]),
    fields: new Set(ofKind('filter')),
    searches: new Set(ofKind('search')),
    sortedBy: isOrdered || !(isSorted || isPart) ? undefined : new Set(words.map(plain).filter((word) => word !== '')),
    isSorted,
    isCut: isPart,
  }
}

/** The value of an argument that sorts: `-title`, `title:asc`, `{ title: -1 }`. */
function textOf(value: unknown): string {
  return typeof value === 'object' ? stableKey(value) : String(value)
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
  const { keyArgs, name: own, collection } = list
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
  const { filters, fields } = meaningOf(list)
  for (const [name, text] of filters) {
    const value = member(known, name)
    if (value !== undefined && filterText(value) === text) {
      continue
    }
    const isAlias = isWord(text) && (value === null || !isWord(filterText(value)))
    const isField = !proven || fields.has(name) || (proven.has(name) && !isAlias)
    if (value !== undefined && !isLoose(list, name) && isField) {
      return OUT
    }
    fit = UNSURE
  }
  return fit
}

/** True for an argument that does not simply filter by the field of its name: some items have another value, or the app says so. */
export function isLoose(list: List, name: string): boolean {
  return list.loose?.includes(name) === true || meaningOf(list).searches.has(name)
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
  const { sortedBy, isSorted } = meaningOf(list)
  if (!sortedBy) {
    return false
  }
  if (!before) {
    return true
  }
  if (!isSorted) {
    return !isInKeyOrder(list)
  }
  const fields = Object.keys(now).filter((name) => sortedBy.has(plain(name)))
  return fields.length === 0 || fields.some((name) => member(before, name) !== now[name])
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
  const isUnknown = (name: string): boolean => isLoose(list, name) || member(known, name) === undefined
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
  const { filters, searches } = meaningOf(list)
  for (const [name, text] of filters.filter(([one]) => !searches.has(one))) {
    const known = items.map((item) => member(item, name)).filter((value) => value !== undefined)
    if (known.some((value) => filterText(value) !== text) || (known.length === 0 && list.loose?.includes(name))) {
      ;(loose ??= []).push(name)
    } else if (known.length > 0) {
      provenArgs.add(name)
    }
  }
  return loose
}
