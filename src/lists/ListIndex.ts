// Finds lists by the first of their arguments that filters by a field, so that a write looks at few of them.

import { member } from '../base/equal.ts'
import { recall } from '../base/recall.ts'
import { filterText, meaningOf } from './arguments.ts'
import { isLoose, isWord } from './membership.ts'
import { size } from './items.ts'
import type { List } from './List.ts'

/** The place of lists that any record may concern. */
const ANY = ['', ''] as const

export class ListIndex<Row> {
  /** Argument -> value -> lists. */
  private readonly lists = new Map<string, Map<string, Set<Row>>>()
  /** Arguments that some list has shown to be a field of its items, with the same value. */
  readonly proven: Set<string> = new Set()
  /** The arguments of all lists, also of those that are gone. */
  private readonly names = new Set<string>()

  /** The list of a row changes from `old` to `list`; `undefined`: there is none. */
  put(row: Row, old: List | undefined, list: List | undefined): void {
    if (old) {
      const [name, text] = placeOf(old)
      const values = this.lists.get(name)
      const rows = values?.get(text)
      // Of searches that are over nothing stays.
      if (rows?.delete(row) && rows.size === 0) {
        values!.delete(text)
      }
    }
    if (list) {
      Object.keys(list.keyArgs).forEach((name) => this.names.add(name))
      list.proven?.forEach((name) => this.proven.add(name))
      const [name, text] = placeOf(list)
      const values = recall(this.lists, name, () => new Map<string, Set<Row>>())
      recall(values, text, () => new Set<Row>()).add(row)
    }
  }

  /** True where no list can tell two versions of a record apart by its arguments. */
  isAlike(a: object, b: object): boolean {
    return [...this.names].every((name) => filterText(member(a, name)) === filterText(member(b, name)))
  }

  /** Adds the lists with some values of each argument to those that were found; with any value where `textsOf` does not know them. */
  find(textsOf: (name: string) => readonly string[] | undefined, found: Row[] = []): Row[] {
    for (const [name, values] of this.lists) {
      const texts = this.proven.has(name) ? textsOf(name) : undefined
      for (const place of texts ? new Set(texts.map((text) => values.get(text))) : values.values()) {
        place?.forEach((row) => found.push(row))
      }
    }
    return found
  }
}

/**
 * The argument and the value under which a list is found. Any record may concern a list whose arguments say nothing, or not all: an
 * empty one of a word such as `me`, one with a filter of the app's own, and one with numbers beside it, which may count records that are not loaded.
 */
function placeOf(list: List): readonly [name: string, text: string] {
  const { collection, pages } = list
  if (!collection || collection.ownFilter) {
    return ANY
  }
  const filter = meaningOf(list).filters.find(([name]) => !isLoose(list, name))
  const isUnclear = filter && isWord(filter[1]) && pages.every(({ items }) => size(items) === 0)
  return collection.counts !== undefined || isUnclear ? ANY : (filter ?? ANY)
}
