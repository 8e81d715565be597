import { put } from '../base/equal.ts'

/**
 * Sets the fields of an instance. A field the class has a getter for keeps the getter: what the server sends
 * may neither throw nor replace it.
 */
export function assignFields(instance: object, fields: object): void {
  for (const name of Object.keys(fields)) {
    const value = (fields as Record<string, unknown>)[name]
    if (name === '__proto__' || !(name in instance) || Object.hasOwn(instance, name)) {
      put(instance, name, value)
    }
    // An assignment would throw for these members.
    else {
      Reflect.set(instance, name, value)
    }
  }
}
