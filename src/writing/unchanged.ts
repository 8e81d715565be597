import { isObject, share } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import type { ClassInfo } from '../records/RecordRow.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Row } from '../rows/Row.ts'
import type { Walk } from './Walk.ts'

/**
 * Removes the fields that the app read and gives back unchanged: only those that it changed count as written.
 *
 * 1. A spread, such as `{ ...todo, done: true }`, loses the fields that are as they were shown. It is known by what the app has
 *    read to create it, or by a field that only the store can have made.
 * 2. Any other record that has every field may come from elsewhere, for example from a socket: its fields are all written.
 * 3. Both lose the defaults of fields that were never received. An empty list among them would empty the list it stands for.
 * 4. A record that lacks a field is a partial update: all of it is written, and so are its defaults.
 */
export function dropUnchanged(walk: Walk, info: ClassInfo, row: Row, processed: Fields): void {
  const stored = walk.below(row) as Fields | undefined
  if (!isObject(stored)) {
    return
  }
  const { Entity: Class, hasMergeHooks } = info
  const read = walk.intake.madeFrom?.get(row)
  // A view of an older row says nothing about this one: a pending operation may meet its own values in it.
  const shown = (read ?? (row.node?.seen === stored ? row.node?.value : undefined)) as Fields | undefined
  const isSpread = read !== undefined || isMadeFrom(processed, shown, stored)
  const hasAll = (fields: object): boolean => Object.keys(fields).every((name) => Object.hasOwn(processed, name))
  let isWhole: boolean | undefined = isSpread || undefined
  for (const name in processed) {
    const value = processed[name]
    // A merge hook gets every field, but for the defaults of relations, which would empty lists.
    const isUnchanged = Object.hasOwn(stored, name)
      ? isSpread && !hasMergeHooks && isSameField(shown, name, value)
      : (!hasMergeHooks || Object.hasOwn(Class.schema, name)) &&
        Object.hasOwn(Class.defaults as Fields, name) &&
        (isWhole ??= hasAll(stored) && hasAll(Class.defaults as object)) &&
        isDefault(Class.defaults[name], value)
    if (isUnchanged) {
      Reflect.deleteProperty(processed, name)
    }
  }
}

/** True if a field is an object of the record that was shown, or a value that was shown and is stored in another form. */
function isMadeFrom(processed: Fields, shown: Fields | undefined, stored: Fields): boolean {
  for (const name in processed) {
    const value = processed[name]
    const isOther = isObject(value) || (!Object.is(value, stored[name]) && Object.hasOwn(stored, name))
    if (isOther && isSameField(shown, name, value)) {
      return true
    }
  }
  return false
}

function isSameField(fields: Fields | undefined, name: string, value: unknown): boolean {
  return isObject(fields) && Object.is(fields[name], value) && Object.hasOwn(fields, name)
}

/** Each instance has defaults of its own, so they are compared by their content. */
function isDefault(value: any, given: any): boolean {
  return (
    share(value, given) === value ||
    (typeof value?.toJSON === 'function' &&
      value.constructor === given?.constructor &&
      stableKey(value) === stableKey(given))
  )
}
