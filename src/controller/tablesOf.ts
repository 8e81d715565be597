const known = new WeakMap<object, ReadonlySet<string>>()
const NONE: ReadonlySet<string> = new Set()

/** The keys of all tables that a schema names, nested ones included. */
export function tablesOf(schema: any): ReadonlySet<string> {
  if (!isObject(schema)) {
    return NONE
  }
  let tables = known.get(schema)
  if (tables === undefined) {
    const found = new Set<string>()
    const met = new Set<object>([schema])
    for (const one of met as Set<any>) {
      if (typeof one.key === 'string') {
        found.add(one.key as string)
      }
      // Entities and schema classes say what they hold under `schema`; plain objects and arrays hold it themselves.
      const inner: unknown = 'schema' in one ? one.schema : typeof one === 'object' ? one : undefined
      if (!isObject(inner)) {
        continue
      }
      met.add(inner)
      // A page stands on its list and has nothing of its own.
      for (const name in inner) {
        const part: unknown = (inner as Record<string, unknown>)[name]
        if (isObject(part)) {
          met.add(part)
        }
      }
    }
    known.set(schema, (tables = found))
  }
  return tables
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
