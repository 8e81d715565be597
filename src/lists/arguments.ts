// What the arguments of a list mean: some filter by a field of the record, some sort the list or cut a part out of it.

import { isObject, member } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { POSITION } from '../schema/Collection.ts'
import type { Fields } from '../rows/Fields.ts'
import type { List, Meaning } from './List.ts'

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

/** How an argument of a list is compared: as text. */
export function filterText(value: unknown): string {
  // A NUL keeps `null` and objects apart from the text that looks like them.
  return typeof value === 'object' ? `\0${stableKey(value)}` : String(value)
}

/** A name without case, `-` and `_`. */
export function plain(name: string): string {
  return name.replace(/[-_]/g, '').toLowerCase()
}

/** The fields of a record; parameters of the request stand in for those that it lacks. `null` is a value. */
export function withParams(fields: Fields, params: unknown): Fields {
  const others = Object.entries(isObject(params) ? params : {}).filter(([name]) => member(fields, name) === undefined)
  return others.length > 0 ? { ...fields, ...Object.fromEntries(others) } : fields
}
