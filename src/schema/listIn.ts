import { isObject } from '../base/equal.ts'
import type { ListClass } from './ListClass.ts'
import { isSchemaClass } from './Schema.ts'

/** The first Collection in a schema. */
export function listIn(schema: unknown): Record<string, unknown> | undefined {
  let found: Record<string, unknown> | undefined
  replaceList(schema, (list) => (found = list as never))
  return found
}

/** The schema with its first Collection replaced; `undefined` where it has none. Objects and queries are looked through. */
export function replaceList(schema: any, change: (list: ListClass) => unknown): unknown {
  if (!isObject(schema) || Array.isArray(schema)) {
    return undefined
  }
  // Schemas are known by their members, as in `ListOf`: endpoints alone shall not bring the classes along.
  const isClass = isSchemaClass(schema)
  if (isClass && 'moveWith' in schema) {
    return change(schema as never)
  }
  const wraps = isClass && ('define' in schema || 'process' in schema)
  if (isClass && !wraps) {
    return undefined
  }
  for (const name of wraps ? ['schema'] : Object.keys(schema)) {
    const next = replaceList((schema as Record<string, unknown>)[name], change)
    if (next) {
      return Object.assign(wraps ? Object.create(schema) : { ...(schema as object) }, { [name]: next })
    }
  }
  return undefined
}
