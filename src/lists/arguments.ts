// The meaning of the arguments of a list: some filter by a field of the record, some sort the list or cut a part out of it.

import { isObject, member, put } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { type ArgumentKind, kindByName, mayFilter } from '../schema/argumentKinds.ts'
import type { Fields } from '../rows/Fields.ts'
import type { List, Meaning } from './List.ts'

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
  let out = fields
  for (const name of isObject(params) ? Object.keys(params) : []) {
    if (member(fields, name) === undefined) {
      out = out === fields ? { ...fields } : out
      put(out, name, (params as Fields)[name])
    }
  }
  return out
}
