// Finds the lists that a record may belong to without asking each of them: by their first argument that filters by a field.

import { recall } from '../base/recall.ts'
import { isLoose, isWord, meaningOf } from './fit.ts'
import { size } from './listItems.ts'
import type { List } from './lists.ts'
import type { Slot } from './tables.ts'

/** The name under which lists are found that any record may concern: no argument filters, a filter of the app's own does, or it is empty (`placeOf`). */
const ANY = ''

export class ListIndex {
  /** Argument -> value -> lists. */
  private readonly lists = new Map<string, Map<string, Set<Slot>>>()
  private readonly places = new WeakMap<Slot, readonly [name: string, text: string]>()

  /** Puts a list where it is found; `undefined` takes it out. */
  put(slot: Slot, list: List | undefined): void {
    const place = list && placeOf(list)
    const old = this.places.get(slot)
    if (place?.[0] === old?.[0] && place?.[1] === old?.[1]) {
      return
    }
    if (old) {
      const values = this.lists.get(old[0])!
      const slots = values.get(old[1])!
      slots.delete(slot)
      // Of searches that are over nothing stays.
      if (slots.size === 0) {
        values.delete(old[1])
      }
      this.places.delete(slot)
    }
    if (place) {
      const values = recall(this.lists, place[0], () => new Map<string, Set<Slot>>())
      recall(values, place[1], () => new Set<Slot>()).add(slot)
      this.places.set(slot, place)
    }
  }

  /** The lists of some values of each argument; of all values where `textsOf` does not know them. */
  find(textsOf: (name: string) => readonly string[] | undefined): Slot[] {
    const found: Slot[] = []
    for (const [name, values] of this.lists) {
      const texts = name === ANY ? undefined : textsOf(name)
      const places = texts ? new Set(texts.map((text) => values.get(text))) : values.values()
      for (const place of places) {
        place?.forEach((slot) => found.push(slot))
      }
    }
    return found
  }
}

/** The argument and the value under which a list is found. An empty list of `assignee=me` may be about any record. */
function placeOf(list: List): readonly [name: string, text: string] {
  const { collection, pages } = list
  const isOwn = !collection || collection.ownFilter
  const place = isOwn ? undefined : meaningOf(list).filters.find(([one]) => !isLoose(list, one))
  return place && !(isWord(place[1]) && pages.every(({ items }) => size(items) === 0)) ? place : [ANY, '']
}
