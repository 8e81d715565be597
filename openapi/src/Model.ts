import type { Description, JsonSchema, Reference } from './Description.ts'
import { OpenApiError } from './errors.ts'
import { findParents, pointerTo, SCHEMAS, unionOf } from './findParents.ts'

/** A schema without its references and `allOf`: what an object of it has. */
export interface ObjectView {
  readonly properties: ReadonlyMap<string, JsonSchema>
  readonly required: ReadonlySet<string>
  /** The schema of further members; `true` for any. */
  readonly additional: JsonSchema | boolean
}

/** A schema and the name of the component that it is, if it is one. */
export interface Resolved {
  readonly schema: JsonSchema
  readonly name: string | undefined
}

const ANY: JsonSchema = {}

/** Answers questions about the schemas of a description. */
export class Model {
  readonly description: Description
  readonly #views = new WeakMap<JsonSchema, ObjectView | null>()
  readonly #directions = new WeakMap<JsonSchema, boolean>()
  readonly #targets = new Map<string, unknown>()
  /** Schemas that are written where they are used, and were given a name. */
  readonly #inline = new Map<JsonSchema, string>()
  readonly #named = new Map<string, JsonSchema>()

  /** The part that children inherit from a schema that stands for all of them. */
  readonly #inherited = new Map<string, JsonSchema>()
  readonly #children = new Set<JsonSchema>()
  /** The values of the field that tells children apart. */
  readonly #constants = new Map<JsonSchema, { readonly by: string; readonly values: readonly string[] }>()

  constructor(description: Description) {
    this.description = description
    this.#readParents()
  }

  /** A reference to a schema with children means one of them. The part that they inherit has a name of its own. */
  #readParents(): void {
    const schemas = this.description.components?.schemas ?? {}
    const parents = findParents(this.description)
    const ownName = (name: string): string => (parents.has(name) ? `${name}Base` : name)
    for (const [name, parent] of parents) {
      const schema = schemas[name]!
      this.#inherited.set(pointerTo(name), schema)
      if (!(ownName(name) in schemas)) {
        this.#named.set(ownName(name), schema)
        this.#targets.set(pointerTo(ownName(name)), schema)
      }
      this.#targets.set(pointerTo(name), unionOf(parent, schema, ownName))
      for (const child of new Set(parent.values.values())) {
        this.#children.add(schemas[child]!)
      }
      for (const child of parent.isNamed ? new Set(parent.values.values()) : []) {
        const values = [...parent.values].filter(([, own]) => own === child).map(([value]) => value)
        this.#constants.set(schemas[child]!, { by: parent.by, values })
      }
    }
  }

  /** Follows a reference to anything. */
  follow<T extends object>(node: T & Reference): T {
    let at: T & Reference = node
    for (let hops = 0; at.$ref !== undefined; hops++) {
      if (hops > 50) {
        throw new OpenApiError(`The reference "${node.$ref}" leads back to itself. Give it a target.`)
      }
      at = this.#lookUp(at.$ref) as T & Reference
    }
    return at
  }

  /** Follows the references of a schema; the last component on the way names it. */
  resolve(node: JsonSchema): Resolved {
    // `true` and `false` are schemas in 3.1: any value, and none.
    let schema = typeof node === 'object' ? node : ANY
    let name: string | undefined
    for (let hops = 0; hops < 50; hops++) {
      if (schema.$ref !== undefined) {
        name = nameIn(schema.$ref)
        const target = this.#lookUp(schema.$ref) as JsonSchema
        if (name !== undefined && !this.hasComponent(name)) {
          this.#named.set(name, target)
        }
        schema = target
        continue
      }
      // A reference in an `allOf` of its own is how 3.0 adds a description or `nullable`; a child may add nothing to its parent.
      name ??= this.#inline.get(schema)
      const only = schema.allOf?.length === 1 && !schema.properties && !schema.oneOf ? schema.allOf[0]! : undefined
      if (only?.$ref === undefined || name !== undefined || this.#children.has(schema)) {
        return { schema, name }
      }
      schema = only
    }
    throw new OpenApiError(`The reference "${node.$ref}" leads back to itself. Give it a target.`)
  }

  /** Names a schema that is written where it is used; further schemas of that name count as the first. */
  nameInline(schema: JsonSchema, name: string): void {
    this.#inline.set(schema, name)
    if (!this.hasComponent(name)) {
      this.#named.set(name, schema)
    }
  }

  hasComponent(name: string): boolean {
    return this.#named.has(name) || this.description.components?.schemas?.[name] !== undefined
  }

  component(name: string): JsonSchema {
    return (
      this.#named.get(name) ??
      (this.#lookUp(`${SCHEMAS}${name.replaceAll('~', '~0').replaceAll('/', '~1')}`) as JsonSchema)
    )
  }

  /** The members of an object; `undefined` for anything else. */
  view(node: JsonSchema): ObjectView | undefined {
    const { schema } = this.resolve(node)
    const known = this.#views.get(schema)
    if (known !== undefined) {
      return known ?? undefined
    }
    // Until it is known, a schema that contains itself in an `allOf` is nothing.
    this.#views.set(schema, null)
    const view = this.#makeView(schema)
    this.#views.set(schema, view ?? null)
    return view
  }

  #makeView(schema: JsonSchema): ObjectView | undefined {
    const { allOf = [], properties = {}, required = [] } = schema
    if (schema.enum || schema.const !== undefined || ((schema.oneOf ?? schema.anyOf) && !schema.properties)) {
      return undefined
    }
    const types = typesOf(schema)
    const isObject = types.includes('object') || schema.properties !== undefined || schema.additionalProperties
    if ((!isObject && allOf.length === 0) || types.some((type) => type !== 'object' && type !== 'null')) {
      return undefined
    }
    const parts = allOf.map((part) => this.view(this.#inherited.get(part.$ref ?? '') ?? part))
    if (parts.includes(undefined)) {
      // `allOf: [{ required: ['a'] }]` describes no type of its own.
      const others = allOf.filter((part, index) => parts[index] === undefined && !isAnnotation(part))
      if (others.length > 0) {
        return undefined
      }
    }
    const members = new Map<string, JsonSchema>()
    const needed = new Set<string>(required)
    let additional: JsonSchema | boolean = schema.additionalProperties ?? false
    for (const part of parts) {
      for (const [name, member] of part?.properties ?? []) {
        members.set(name, member)
      }
      for (const name of part?.required ?? []) {
        needed.add(name)
      }
      additional ||= part?.additional ?? false
    }
    for (const part of allOf) {
      for (const name of part.required ?? []) {
        needed.add(name)
      }
    }
    for (const [name, member] of Object.entries(properties)) {
      // A second description of a member, often without a type, adds to the first.
      const before = members.get(name)
      members.set(name, before && isAnnotation(member) ? before : member)
    }
    const constant = this.#constants.get(schema)
    const kind = constant && members.get(constant.by)
    if (kind !== undefined && typesOf(this.resolve(kind).schema).includes('string')) {
      const { description = '' } = this.resolve(kind).schema
      members.set(constant!.by, { type: 'string', ...(description && { description }), enum: constant!.values })
    }
    if (members.size === 0 && schema.additionalProperties === undefined && allOf.length === 0) {
      additional = true
    }
    return { properties: members, required: needed, additional }
  }

  isNullable(node: JsonSchema): boolean {
    const { schema } = this.resolve(node)
    return (
      node.nullable === true ||
      schema.nullable === true ||
      typesOf(schema).includes('null') ||
      (schema.enum?.includes(null) ?? false) ||
      (schema.oneOf ?? schema.anyOf ?? []).some((option) => isNull(this.resolve(option).schema))
    )
  }

  /** The options of `oneOf` or `anyOf` without `null`; one of a single schema if it is no choice. */
  options(node: JsonSchema): readonly JsonSchema[] {
    const { schema } = this.resolve(node)
    const options = schema.oneOf ?? schema.anyOf
    if (options === undefined || schema.properties) {
      return [node]
    }
    return options.filter((option) => !isNull(this.resolve(option).schema))
  }

  /** True if a value is sent otherwise than it is received: a member is only in responses, or only in bodies. */
  hasDirections(node: JsonSchema): boolean {
    const { schema } = this.resolve(node)
    const known = this.#directions.get(schema) ?? this.#findDirections(schema, new Set())
    this.#directions.set(schema, known)
    return known
  }

  #findDirections(node: JsonSchema, seen: Set<JsonSchema>): boolean {
    const { schema } = this.resolve(node)
    if (seen.has(schema)) {
      return false
    }
    seen.add(schema)
    const view = this.view(schema)
    const isOneWay = [...(view?.properties.values() ?? [])].some((member) => this.directionOf(member))
    const inner = [
      ...(view?.properties.values() ?? []),
      ...[view?.additional, schema.items].filter((part): part is JsonSchema => typeof part === 'object'),
      ...(schema.oneOf ?? []),
      ...(schema.anyOf ?? []),
      ...(view === undefined ? (schema.allOf ?? []) : []),
    ]
    return isOneWay || inner.some((part) => this.#findDirections(part, seen))
  }

  /** `body` for a member that responses do not have, `response` for one that bodies need not have. */
  directionOf(node: JsonSchema): 'body' | 'response' | undefined {
    const { schema } = this.resolve(node)
    const has = (name: 'readOnly' | 'writeOnly'): boolean => (node[name] ?? schema[name]) === true
    return has('readOnly') ? 'response' : has('writeOnly') ? 'body' : undefined
  }

  /** The schema of a value that is not null: `anyOf: [date, null]` is the date. */
  plain(node: JsonSchema): JsonSchema {
    const options = this.options(node)
    return options.length === 1 && options[0] !== node ? this.plain(options[0]!) : this.resolve(node).schema
  }

  isScalar(node: JsonSchema | undefined): boolean {
    if (node === undefined) {
      return false
    }
    const types = typesOf(this.plain(node)).filter((type) => type !== 'null')
    return types.length > 0 && types.every((type) => type === 'string' || type === 'integer' || type === 'number')
  }

  #lookUp(pointer: string): unknown {
    let target = this.#targets.get(pointer)
    if (target === undefined) {
      target = this.#find(pointer)
      this.#targets.set(pointer, target)
    }
    return target
  }

  #find(pointer: string): unknown {
    let at: unknown = this.description
    for (const part of pointer.slice(2).split('/')) {
      at = Object(at)[unescape(part)]
    }
    if (at === undefined || !pointer.startsWith('#/')) {
      throw new OpenApiError(`The reference "${pointer}" leads nowhere. Correct it, or declare its target.`, [pointer])
    }
    return at
  }
}

/** The types of a schema, as a list also in 3.0. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type
}

function isNull(schema: JsonSchema): boolean {
  return (
    (typesOf(schema).length === 1 && typesOf(schema)[0] === 'null') || schema.const === null || isOnlyNull(schema.enum)
  )
}

function isOnlyNull(values: readonly unknown[] | undefined): boolean {
  return values?.length === 1 && values[0] === null
}

/** True for a schema that says nothing about the type. */
function isAnnotation(schema: JsonSchema): boolean {
  return !['$ref', 'type', 'properties', 'items', 'oneOf', 'anyOf', 'allOf', 'enum', 'const', 'format'].some(
    (name) => name in schema,
  )
}

function unescape(part: string): string {
  if (!/[~%]/.test(part)) {
    return part
  }
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The name of the component that a reference leads to; a part of one is named after both. */
function nameIn(reference: string): string | undefined {
  if (!reference.startsWith(SCHEMAS)) {
    return undefined
  }
  const parts = reference.slice(SCHEMAS.length).split('/').map(unescape)
  return parts.length === 1 ? parts[0] : parts.filter((part) => part !== 'properties').join('-')
}
