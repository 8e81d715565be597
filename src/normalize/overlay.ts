// The visible row: the committed one, changed by pending operations in the order they were issued.

import { DEV } from '../base/env.ts'
import { freezePlain, isObject, share } from '../base/equal.ts'
import { INVALID } from '../schema/Schema.ts'
import { keepEqual, placeAll } from '../lists/items.ts'
import { coverFields } from './stamps.ts'
import type { Fields, Patch, Slot } from './tables.ts'

/** The change of a row by a pending operation: fields of a record, edits of a list, numbers beside one, or a whole value. */
export type PendingChange = { readonly by: { readonly sent: number } } & Partial<
  Pick<Patch, 'fields' | 'edits' | 'counts' | 'value'>
>

/** The visible value. */
export function top(slot: Slot): unknown {
  const { pending } = slot
  if (pending === undefined) {
    return slot.value
  }
  if (slot.isShownOld) {
    const next = cover(slot, pending)
    const value: unknown = (slot.list ? keepEqual : share)(slot.shown, next)
    if (DEV) {
      freezePlain(value)
    }
    slot.shown = value
    slot.isShownOld = false
  }
  return slot.shown
}

/** The value below a pending operation: the committed one, changed by operations issued before it. */
export function valueBelow(slot: Slot, sent: number): unknown {
  const { pending, value } = slot
  if (pending === undefined) {
    return value
  }
  return pending.at(-1)!.by.sent < sent
    ? top(slot)
    : cover(
        slot,
        pending.filter(({ by }) => by.sent < sent),
      )
}

/** True if readers see a value. The changes of a list need not be applied to know it: only a list that is there has them. */
export function isThere({ pending = [], value }: Slot): boolean {
  const last = [...pending].reverse().find(({ edits, counts }) => !edits && !counts)
  const shown = last ? (last.fields ?? last.value) : value
  return shown !== undefined && shown !== INVALID
}

/** The committed value with the changes of operations. */
function cover(slot: Slot, changes: readonly PendingChange[]): unknown {
  let { value: out } = slot
  for (let i = 0; i < changes.length; i++) {
    const { by, fields, edits, counts, value } = changes[i]!
    if (edits) {
      // Many operations on one list cost one pass together.
      const all = [...edits]
      while (changes[i + 1]?.edits) {
        all.push(...changes[++i]!.edits!)
      }
      out = isObject(out) ? placeAll(out, all) : out
    } else if (fields !== undefined) {
      out = coverFields(slot, out, fields, by.sent)
    } else {
      out = counts ? addCounts(out, counts) : value
    }
  }
  return out
}

/** An object with other numbers. */
export function addCounts(value: unknown, counts: Readonly<Record<string, number>>): unknown {
  if (!isObject(value)) {
    return value
  }
  const next: Fields = { ...value }
  for (const [name, by] of Object.entries(counts)) {
    const number = next[name]
    if (typeof number === 'number') {
      next[name] = number + by
    }
  }
  return next
}
