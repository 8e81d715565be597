import { isEntity } from './Schema.ts'

/** The keys of the tables of the records and lists at the top level of a schema, each with the schema of its rows. */
export function topTablesOf(schema: any): ReadonlyMap<string, object> {
  const found = new Map<string, object>()
  const met = new Set<any>([schema])
  for (const one of met) {
    if (!isObject(one)) {
      continue
    }
    const { key, schema: own } = one as { key?: unknown; schema?: unknown }
    if (typeof key === 'string') {
      found.set(key, one)
    }
    // Entities and schema classes say what they hold under `schema`; plain objects and arrays hold it themselves.
    const inner = 'schema' in one ? own : typeof one === 'object' ? one : undefined
    if (isEntity(one) || !isObject(inner)) {
      continue
    }
    met.add(inner)
    // Inherited members too: a page stands on its list and has nothing of its own.
    for (const name in isEntity(inner) ? {} : inner) {
      met.add((inner as Record<string, unknown>)[name])
    }
  }
  return found
}

function isObject(value: unknown): value is object {
  return Object(value) === value
}
