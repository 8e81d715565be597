import { isObject } from '../base/equal.ts'
import { originOf } from '../normalize/origin.ts'
import { top } from '../normalize/overlay.ts'
import type { Entity } from '../schema/Entity.ts'
import type { Scalar } from '../schema/Scalar.ts'
import { isEntity, isQuery, membersOf } from '../schema/Schema.ts'
import { shapeOf } from './shape.ts'

/**
 * True where everything that a schema names was found in the store, and each record has received its fields. Defaults are
 * found anywhere, so a schema of nothing but defaults is never complete: only a response can fill it.
 */
export function isComplete(root: unknown, value: unknown): boolean {
  let hasFound = false
  const isFound = (schema: any, data: any): boolean => {
    if (typeof schema !== 'function' && !isObject(schema)) {
      return true
    }
    const members = membersOf(schema)
    if (members) {
      return isObject(data) && Object.keys(members).every((name) => isFound(members[name], data[name]))
    }
    hasFound = true
    // A Query may return anything; its entries were complete before it ran.
    return data !== undefined && (isQuery(schema) || isReceived(data))
  }
  return isFound(root, value) && hasFound
}

/** True for a record, and for a list or map of records, that lacks no field. */
function isReceived(data: unknown): boolean {
  if (Array.isArray(data)) {
    return data.every(isReceived)
  }
  const list = originOf(data)?.list
  return list === undefined ? missingField(data) === undefined : Object.values(data as object).every(isReceived)
}

/** The first field that the class of a record declares, or names in `static required`, and that nothing stored has set. */
export function missingField(record: unknown): string | undefined {
  const slot = originOf(record)
  // Of a Union the schema does not say which class it is.
  const Class = slot && (Object.getPrototypeOf(record) as { constructor: typeof Entity }).constructor
  if (!isEntity(Class)) {
    return undefined
  }
  const { required, schema } = Class
  const { declared } = shapeOf(Class)
  // The instance has the defaults of the class; its row has what was received.
  const row = top(slot!) as object
  for (const name of required ?? declared) {
    if (!Object.hasOwn(row, name)) {
      return name
    }
    // A Scalar may have been received for other arguments only.
    const isScalar = (schema[name] as Partial<Scalar> | undefined)?.lens !== undefined
    if (isScalar && (record as Record<string, unknown>)[name] === undefined) {
      return name
    }
  }
  return undefined
}
