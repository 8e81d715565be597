// Finds the lists that a record may belong to without asking each of them: by their first argument that filters by a field.

import { recall } from '../base/recall.ts'
import { meaningOf } from './fit.ts'
import type { List } from './lists.ts'
import type { Slot } from './tables.ts'

/** The name under which lists are found that any record may concern: no argument filters, or a filter of the app's own does. */
const ANY = ''

export class ListIndex {
  /** Argument -> value -> lists. */
  private readonly lists = new Map<string, Map<string, Set<Slot>>>()
  private readonly places = new WeakMap<Slot, Set<Slot>>()

  /** Puts a list where it is found; `undefined` takes it out. */
  put(slot: Slot, list: List | undefined): void {
    const place = list && this.placeOf(list)
    const old = this.places.get(slot)
    if (place === old) {
      return
    }
    old?.delete(slot)
    place?.add(slot)
    if (place) {
      this.places.set(slot, place)
    } else {
      this.places.delete(slot)
    }
  }

  /** The lists of some values of each argument; of all values where `textsOf` does not know them. */
  find(textsOf: (name: string) => readonly string[] | undefined): Slot[] {
    const found: Slot[] = []
    for (const [name, values] of this.lists) {
      const texts = name === ANY ? undefined : textsOf(name)
      const places = texts ? new Set(texts.map((text) => values.get(text))) : values.values()
      for (const place of places) {
        found.push(...(place ?? []))
      }
    }
    return found
  }

  private placeOf(list: List): Set<Slot> {
    const { collection, loose } = list
    const isOwn = !collection || collection.ownFilter
    const [name, text] = (isOwn ? undefined : meaningOf(list).filters.find(([one]) => !loose?.includes(one))) ?? [
      ANY,
      '',
    ]
    return recall(
      recall(this.lists, name, () => new Map()),
      text,
      () => new Set(),
    )
  }
}
