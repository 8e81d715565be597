import type { Config } from './config.ts'
import type { Description, JsonSchema } from './Description.ts'
import { type Model, typesOf } from './Model.ts'

/** Parts of a description whose names are not those of members. */
const NO_SCHEMAS = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** The names of members in the code of the app, as `adaptEndpoint` of the library changes them. */
export class Casing {
  readonly isCamel: boolean
  /** By the name in the app, the names of the API that do not follow the rule. */
  readonly exceptions: ReadonlyMap<string, string>
  /** Members whose names are data: maps of plain values. */
  readonly data: readonly string[]
  readonly #toApp = new Map<string, string>()

  constructor(model: Model, { casing }: Config) {
    this.isCamel = casing === 'camel'
    const members = this.isCamel ? membersOf(model.description) : new Map<string, JsonSchema[]>()
    const exceptions = new Map<string, string>()
    for (const name of members.keys()) {
      const camel = toCamel(name)
      // The API may have both `first_name` and `firstName`.
      const own = camel !== name && members.has(camel) ? name : camel
      this.#toApp.set(name, own)
      if (toSnake(own) !== name || (own === name && camel !== name)) {
        exceptions.set(own, name)
      }
    }
    this.exceptions = exceptions
    this.data = [...members]
      .filter(([, schemas]) => schemas.length > 0 && schemas.every((schema) => isMap(model, schema)))
      .map(([name]) => this.field(name))
      .sort()
  }

  /** The name of a member in the app. */
  field(name: string): string {
    return this.#toApp.get(name) ?? (this.isCamel ? toCamel(name) : name)
  }
}

/** As the library does: underscores at the beginning and before a digit stay. */
function toCamel(name: string): string {
  return name.replace(/(?<=[^_]_*)_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function toSnake(name: string): string {
  return /^[A-Z]/.test(name) ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The members of all schemas and the parameters of all queries, with their schemas. */
function membersOf(description: Description): Map<string, JsonSchema[]> {
  const members = new Map<string, JsonSchema[]>()
  const add = (name: string, schema: JsonSchema): void => void members.set(name, [...(members.get(name) ?? []), schema])
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) {
      return
    }
    const { properties, in: place, name, schema = {} } = node as JsonSchema & Record<string, unknown>
    for (const [member, own] of Object.entries(properties ?? {})) {
      add(member, Object(own) as JsonSchema)
    }
    if (place === 'query' || place === 'path') {
      add(String(name), schema as JsonSchema)
    }
    for (const [key, child] of Object.entries(node)) {
      // A member may be called `example`.
      if (!NO_SCHEMAS.has(key) || properties === undefined) {
        visit(NO_SCHEMAS.has(key) && !isSchema(child) ? undefined : child)
      }
    }
  }
  visit(description.components)
  visit(description.paths)
  return members
}

function isSchema(node: unknown): boolean {
  return ['type', '$ref', 'properties', 'allOf', 'oneOf', 'anyOf'].some((name) => name in Object(node))
}

/** True for a map of values that have no members. */
function isMap(model: Model, schema: JsonSchema): boolean {
  const view = model.view(schema)
  if (view === undefined || view.properties.size > 0) {
    return false
  }
  const value = typeof view.additional === 'object' ? model.resolve(view.additional).schema : undefined
  return value === undefined || typesOf(value).every((type) => type !== 'object' && type !== 'array')
}
