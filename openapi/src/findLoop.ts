import type { Description, JsonSchema } from './Description.ts'
import { OpenApiError } from './errors.ts'

const SCHEMAS = '#/components/schemas/'

/** Finds a schema that is made of itself, by a reference or in an `allOf`. `placeOf` says where a pointer leads. */
export function findLoop({ components }: Description, placeOf: (pointer: string) => string): OpenApiError | undefined {
  const schemas = components?.schemas ?? {}
  const done = new Set<string>()
  const visit = (pointer: string, path: readonly string[]): OpenApiError | undefined => {
    const name = nameOf(pointer)
    if (path.includes(pointer)) {
      const message =
        schemas[name]?.$ref === undefined
          ? `The schema "${name}" contains itself, by ${path.map(nameOf).join(', ')}. Remove one of them from "allOf".`
          : `The schema "${name}" is a reference that leads back to itself. Give it a target.`
      return new OpenApiError(message, [placeOf(pointer)])
    }
    if (done.has(pointer)) {
      return undefined
    }
    done.add(pointer)
    return first(partsOf(schemas[name]), (part) => visit(part, [...path, pointer]))
  }
  const pointers = Object.keys(schemas).map((name) => SCHEMAS + name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return first(pointers, (pointer) => visit(pointer, []))
}

function first<T>(items: readonly string[], find: (item: string) => T | undefined): T | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) {
      return found
    }
  }
  return undefined
}

/** The components that a schema is made of. A member may lead back to it. */
function partsOf(schema: JsonSchema | undefined): string[] {
  const { $ref, allOf = [] } = Object(schema) as JsonSchema
  return $ref === undefined ? allOf.flatMap(partsOf) : $ref.startsWith(SCHEMAS) ? [$ref] : []
}

function nameOf(pointer: string): string {
  return pointer.slice(SCHEMAS.length).replaceAll('~1', '/').replaceAll('~0', '~')
}
