// The visible row: the committed one, changed by pending operations in the order they were issued.

import { DEV } from '../base/env.ts'
import { freezePlain } from '../base/equal.ts'
import { INVALID } from './INVALID.ts'
import type { Row } from './Row.ts'

/** The visible value. */
export function top(row: Row): unknown {
  const { pending } = row
  if (pending === undefined) {
    return row.value
  }
  if (row.isShownOld) {
    const value = row.share(row.shown, row.cover(row.value, pending))
    if (DEV) {
      freezePlain(value)
    }
    row.shown = value
    row.isShownOld = false
  }
  return row.shown
}

/** The value below a pending operation: the committed one, changed by operations issued before it. */
export function valueBelow(row: Row, sent: number): unknown {
  const { pending, value } = row
  if (pending === undefined) {
    return value
  }
  return pending.at(-1)!.by.sent < sent
    ? top(row)
    : row.cover(
        value,
        pending.filter(({ by }) => by.sent < sent),
      )
}

/** True if readers see a value. The changes of a list need not be applied to know it: only a list that is there has them. */
export function isThere({ pending = [], value }: Row): boolean {
  const last = [...pending].reverse().find(({ edits, counts }) => !edits && !counts)
  const shown = last ? (last.fields ?? last.value) : value
  return shown !== undefined && shown !== INVALID
}
