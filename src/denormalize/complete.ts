import { isObject } from '../base/equal.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { isSchemaClass } from '../schema/Schema.ts'

/**
 * True where everything that a schema names was found in the store. Defaults are found anywhere, so a schema of nothing
 * but defaults is never complete: only a response can fill it.
 */
export function isComplete(root: unknown, value: unknown): boolean {
  let hasFound = false
  const isFound = (schema: any, data: any): boolean => {
    if (schema instanceof ObjectSchema) {
      return isFound(schema.schema, data)
    }
    if (typeof schema !== 'function' && !isObject(schema)) {
      return true
    }
    if (typeof schema === 'function' || Array.isArray(schema) || isSchemaClass(schema)) {
      hasFound = true
      return data !== undefined
    }
    return isObject(data) && Object.keys(schema).every((name) => isFound(schema[name], data[name]))
  }
  return isFound(root, value) && hasFound
}
