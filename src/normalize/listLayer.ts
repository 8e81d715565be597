import { DEV } from '../base/env.ts'
import { freezePlain, isObject } from '../base/equal.ts'
import type { Meta } from '../schema/Schema.ts'
import type { ListEntry } from './ListState.ts'
import { contains, keepEqual, placeAll } from './listItems.ts'
import { undecided } from './lists.ts'
import type { Draft, Layer, Row, Slot } from './tables.ts'

/**
 * How a pending operation changes a list. Its value is computed on the first read, from the nearest row below whose
 * value is known: of many operations on one list only the last one is read, so together they cost one pass.
 */
export class ListLayer implements Layer {
  readonly by: object
  readonly entries: readonly ListEntry[]
  private readonly slot: Slot
  private computed: unknown = undefined
  /** The value before something below it changed: an equal list keeps its reference. */
  private before: unknown

  constructor(slot: Slot, by: object, entries: readonly ListEntry[], old: Layer | undefined) {
    this.slot = slot
    this.by = by
    this.entries = entries
    this.before = old instanceof ListLayer ? (old.computed ?? old.before) : old?.value
  }

  get meta(): Meta | undefined {
    return this.slot.meta
  }

  get value(): unknown {
    if (this.computed === undefined) {
      this.computed = keepEqual(this.before, this.compute())
      if (DEV) {
        freezePlain(this.computed)
      }
    }
    return this.computed
  }

  /** Forgets the value, since something below it has changed. */
  renew(): void {
    this.before = this.computed ?? this.before
    this.computed = undefined
  }

  private compute(): unknown {
    const { layers = [], list, value } = this.slot
    const entries: (readonly ListEntry[])[] = []
    let known: unknown
    for (let at = layers.indexOf(this); known === undefined && at >= 0; at--) {
      const layer = layers[at]!
      if (layer instanceof ListLayer && layer.computed === undefined) {
        entries.push(layer.entries)
      } else {
        known = layer.value
      }
    }
    const below = known ?? value
    return isObject(below) && list ? placeAll(below, undecided(entries.reverse().flat(), list.log)) : below
  }
}

/** Whether a list, as pending operations show it, holds an item: the last change that names it decides. */
export function showsItem({ layers = [], draft, list, value }: Slot, item: unknown): boolean {
  const rows: (Layer | Draft)[] = draft ? [...layers, draft] : layers
  for (let at = rows.length - 1; at >= 0; at--) {
    const { entries } = rows[at]!
    if (!entries) {
      return contains(rows[at]!.value, item)
    }
    const last = [...entries].reverse().find(({ items }) => contains(items, item))
    if (last && contains(undecided([last], list!.log)[0]!.items, item)) {
      return last.merge !== undefined
    }
  }
  return contains(value, item)
}

/** The value of a slot while an operation is being prepared. */
export function draftedValue({ draft, list }: Slot, below: Row): unknown {
  return draft?.entries ? placeAll(below.value, undecided(draft.entries, list!.log)) : (draft ?? below).value
}
