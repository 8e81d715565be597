/**
 * Freezes a schema and everything in it: nested schemas, entity classes with their `schema`, options.
 * The library may not write to a schema, since one schema may serve several entities, endpoints and stores.
 */
export function freezeSchema<T>(schema: T, seen: Set<unknown> = new Set()): T {
  if (seen.has(schema) || (typeof schema !== 'object' && typeof schema !== 'function') || schema === null) {
    return schema
  }
  seen.add(schema)
  for (const member of Object.values(Object.getOwnPropertyDescriptors(schema))) {
    freezeSchema(member.value as unknown, seen)
  }
  return Object.freeze(schema)
}
