import { recall } from '../base/recall.ts'
import { isEntity } from '../schema/Schema.ts'

const known = new WeakMap<object, ReadonlyMap<string, object>>()
const NONE: ReadonlyMap<string, object> = new Map()

/** The keys of all tables that a schema names, nested ones included, each with the schema of its rows. */
export function tablesOf(schema: any): ReadonlyMap<string, object> {
  return isObject(schema) ? recall(known, schema, () => findTables(schema, () => true)) : NONE
}

/** The keys of the tables of the records and lists at the top level of a schema. */
export function topTablesOf(schema: any): ReadonlyMap<string, object> {
  return isObject(schema) ? findTables(schema, (one) => !isEntity(one)) : NONE
}

function findTables(schema: object, isOpen: (one: any) => boolean): ReadonlyMap<string, object> {
  const found = new Map<string, object>()
  const met = new Set<object>([schema])
  for (const one of met as Set<any>) {
    if (typeof one.key === 'string') {
      found.set(one.key as string, one as object)
    }
    // Entities and schema classes say what they hold under `schema`; plain objects and arrays hold it themselves.
    const inner: unknown = 'schema' in one ? one.schema : typeof one === 'object' ? one : undefined
    if (!isObject(inner) || !isOpen(one)) {
      continue
    }
    met.add(inner)
    if (isEntity(inner)) {
      continue
    }
    // Inherited members too: a page stands on its list and has nothing of its own.
    for (const name in inner) {
      const part: unknown = (inner as Record<string, unknown>)[name]
      if (isObject(part)) {
        met.add(part)
      }
    }
  }
  return found
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
