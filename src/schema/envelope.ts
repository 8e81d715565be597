import { isEntity, membersOf } from './Schema.ts'

/** The schema of the record in an envelope, such as `{ data: User, message: '' }`, and the names that lead to it. */
export function envelopeOf(schema: any, outer: readonly unknown[] = []): { schema: any; path: readonly string[] } {
  if (isRecord(schema)) {
    return { schema, path: [] }
  }
  // A schema may contain itself.
  const members = outer.includes(schema) ? undefined : membersOf(schema)
  const found = Object.entries(members ?? {}).flatMap(([name, member]) => {
    const { schema: record, path } = envelopeOf(member, [...outer, schema])
    return record === undefined ? [] : [{ schema: record as unknown, path: [name, ...path] }]
  })
  return found.length === 1 ? found[0]! : { schema: undefined, path: [] }
}

/** True for an Entity, a Union, and a member of a Collection that adds or moves a record. */
function isRecord(schema: any): boolean {
  return isEntity(schema) || !!(schema?.isUnion || schema?.collection)
}

/** The class of the records that a schema without an envelope adds, moves or is. */
export function classOf(schema: any): any {
  return schema?.collection ? schema.collection.cacheWith.choice.schema : schema
}

/** A record as a response of this schema has it: in its envelope. */
export function wrap(schema: unknown, record: unknown): unknown {
  return envelopeOf(schema).path.reduceRight((inner, name) => ({ [name]: inner }), record)
}
