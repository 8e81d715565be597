import { isEntity, membersOf } from '../schema/Schema.ts'

/** Fields as they go to the server: dates and the like as text, as the response will have them. */
export function sent(fields: object): object {
  const text = (value: any): unknown => (typeof value?.toJSON === 'function' ? value.toJSON() : value)
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, text(value)]))
}

/** A record as a response of this schema has it: in the object around it, such as `{ data: User }`. */
export function wrap(schema: unknown, record: unknown): unknown {
  const members = membersOf(schema) ?? {}
  const names = Object.keys(members).filter((name) => hasRecord(members[name]))
  return names.length === 1 ? { [names[0]!]: wrap(members[names[0]!], record) } : record
}

function hasRecord(schema: any): boolean {
  return isEntity(schema) || schema?.isUnion === true || Object.values(membersOf(schema) ?? {}).some(hasRecord)
}
