import type { AnyRow } from '../lists/ListRow.ts'
import { isObject, share } from '../base/equal.ts'
import { itemsOf } from '../lists/pages.ts'

/**
 * Looks for an invariant of a row that is broken, for development and for the simulator; `undefined` if all hold.
 *
 * | about    | it holds after each commit                                                                  |
 * | -------- | ------------------------------------------------------------------------------------------- |
 * | table    | a row with a response, and no other, has a place in the order of its table                   |
 * | value    | a row without a response has no value                                                        |
 * | list     | the value of a list is the items of its pages and its tail, or the list is gone              |
 * | numbers  | no number of a row lies ahead of the store                                                   |
 * | pending  | without a pending operation a row shows nothing but its value                                |
 * | patch    | no patch of a response is left                                                               |
 *
 * @param reached the number of the store
 */
export function checkRow(row: AnyRow, reached: number): string | undefined {
  const { table, position, meta, value, list, pending, shown, patch, doubt, gone, expired } = row
  const isBroken: Record<string, boolean> = {
    table: (meta !== undefined) !== position >= 0,
    value: meta === undefined && value !== undefined,
    list: list !== undefined && isObject(value) && share(value, itemsOf(list)) !== value,
    numbers: Math.max(doubt.at, gone, expired, meta?.sent ?? 0, meta?.at ?? 0) > reached,
    pending: pending === undefined && shown !== undefined,
    patch: patch !== undefined,
  }
  const about = Object.keys(isBroken).find((name) => isBroken[name])
  return about && `The row ${table.key} ${row.pk} breaks the invariant "${about}" of checkRow.ts.`
}
