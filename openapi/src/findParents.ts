import type { Description, JsonSchema } from './Description.ts'

export const SCHEMAS = '#/components/schemas/'

/** A schema that more others extend is the beginning of all schemas, and no choice. */
const MOST = 30

/** A schema that others extend by `allOf`, with the field that tells them apart. */
export interface Parent {
  readonly by: string
  /** The names of its children, by the value of the field. */
  readonly values: ReadonlyMap<string, string>
  /** True if the description names the values. Without that, they are the names of the children, which some servers do not send. */
  readonly isNamed: boolean
}

/** The schemas with a discriminator that others extend by `allOf`, as Swashbuckle writes them: a reference to one of them means any of its children. */
export function findParents({ components }: Description): Map<string, Parent> {
  const schemas = components?.schemas ?? {}
  const children = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(schemas)) {
    for (const parent of Array.isArray(schema?.allOf) ? schema.allOf.flatMap((part) => nameOf(part?.$ref) ?? []) : []) {
      children.set(parent, [...(children.get(parent) ?? []), name])
    }
  }
  const parents = new Map<string, Parent>()
  for (const [name, schema] of Object.entries(schemas)) {
    const { discriminator, oneOf, anyOf } = schema ?? {}
    if (typeof discriminator?.propertyName === 'string' && oneOf === undefined && anyOf === undefined) {
      const heirs = heirsOf(name, children)
      const values = new Map(
        Object.entries(discriminator.mapping ?? {}).flatMap(([value, target]) => {
          const own = nameOf(target) ?? target
          return own === name || heirs.has(own) ? [[value, own]] : []
        }),
      )
      // Without a value of its own, the name of a schema is the value.
      const known = new Set(values.values())
      for (const heir of heirs) {
        if (!known.has(heir) && !children.has(heir)) {
          values.set(heir, heir)
        }
      }
      const count = new Set(values.values()).size
      if (count > 1 && count <= MOST) {
        parents.set(name, { by: discriminator.propertyName, values, isNamed: known.size > 0 })
      }
    }
  }
  return parents
}

/** The schemas that extend another one, and those that extend them. */
function heirsOf(name: string, children: ReadonlyMap<string, readonly string[]>): Set<string> {
  const heirs = new Set(children.get(name))
  for (const heir of heirs) {
    for (const next of children.get(heir) ?? []) {
      heirs.add(next)
    }
  }
  heirs.delete(name)
  return heirs
}

function nameOf(reference: string | undefined): string | undefined {
  const path = typeof reference === 'string' && reference.startsWith(SCHEMAS) ? reference.slice(SCHEMAS.length) : '/'
  return path.includes('/') ? undefined : path.replaceAll('~1', '/').replaceAll('~0', '~')
}

export function pointerTo(name: string): string {
  return `${SCHEMAS}${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The union that a reference to a parent means. `ownName`: the name of what the children inherit. */
export function unionOf({ by, values }: Parent, schema: JsonSchema, ownName: (name: string) => string): JsonSchema {
  const to = (name: string): string => pointerTo(ownName(name))
  const mapping = Object.fromEntries([...values].map(([value, name]) => [value, to(name)]))
  const { description, deprecated, nullable } = schema
  return {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(nullable === undefined ? {} : { nullable }),
    oneOf: [...new Set(values.values())].map((name) => ({ $ref: to(name) })),
    discriminator: { propertyName: by, mapping },
  }
}
