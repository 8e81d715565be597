import type { JsonSchema } from './Description.ts'
import type { Entities, EntityInfo } from './Entities.ts'
import { isLoose, itemOf } from './findRecord.ts'
import { type Model, type ObjectView, typesOf } from './Model.ts'
import type { Report } from './Report.ts'

/** The meaning of a value for the store. */
export type Shape =
  /** Data without records in it. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'entity'; readonly entity: EntityInfo }
  /** One of several entities; `members` by the value of the field `by`. */
  | { readonly kind: 'union'; readonly by: string; readonly members: ReadonlyMap<string, EntityInfo> }
  /** A record, or something that is no object, such as its id. */
  | { readonly kind: 'either'; readonly record: Shape; readonly others: readonly JsonSchema[] }
  | { readonly kind: 'list'; readonly item: Shape; readonly node: JsonSchema }
  | { readonly kind: 'map'; readonly value: Shape; readonly node: JsonSchema }
  | {
      readonly kind: 'object'
      readonly name: string | undefined
      readonly view: ObjectView
      readonly members: ReadonlyMap<string, Shape>
    }

const PLAIN: Shape = { kind: 'plain' }

/** Finds out where values contain records. */
export class Shapes {
  readonly #model: Model
  readonly #entities: Entities
  readonly #report: Report
  readonly #shapes = new Map<string, Shape>()
  readonly #parts = new Map<string, Set<string>>()

  constructor(model: Model, entities: Entities, report: Report) {
    this.#model = model
    this.#entities = entities
    this.#report = report
  }

  /** The meaning of a value of a schema for the store. */
  of(node: JsonSchema): Shape {
    const { name, schema } = this.#model.resolve(node)
    return name === undefined ? this.#makeShape(node, schema, name) : this.named(name, schema)
  }

  /** The same of a schema that has a name. */
  named(name: string, schema: JsonSchema): Shape {
    let shape = this.#shapes.get(name)
    if (shape === undefined) {
      // A type that contains itself would have a schema without end.
      shape = this.isLoop(name) ? PLAIN : this.#makeShape(schema, schema, name)
      this.#shapes.set(name, shape)
    }
    return shape
  }

  /** True for a named type that contains itself; through an entity does not count. */
  isLoop(name: string): boolean {
    const seen = new Set<string>()
    const pending = [...this.#partsOf(name)]
    for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
      if (part === name) {
        return true
      }
      if (!seen.has(part)) {
        seen.add(part)
        pending.push(...this.#partsOf(part))
      }
    }
    return false
  }

  /** The named types that a named type contains, other than entities. */
  #partsOf(name: string): ReadonlySet<string> {
    let parts = this.#parts.get(name)
    if (parts === undefined) {
      parts = new Set()
      if (this.#entities.named(name) === undefined) {
        this.#collectParts(this.#model.component(name), parts)
      }
      this.#parts.set(name, parts)
    }
    return parts
  }

  #collectParts(schema: JsonSchema, parts: Set<string>): void {
    const item = itemOf(this.#model, schema)
    const view = this.#model.view(schema)
    const additional = typeof view?.additional === 'object' ? [view.additional] : []
    const inner = [...(item ? [item] : []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...additional]
    for (const node of [...inner, ...(view?.properties.values() ?? [])]) {
      const { name, schema: own } = this.#model.resolve(node)
      if (name === undefined) {
        this.#collectParts(own, parts)
      } else if (this.#entities.named(name) === undefined) {
        parts.add(name)
      }
    }
  }

  #makeShape(node: JsonSchema, schema: JsonSchema, name: string | undefined): Shape {
    const entity = name === undefined ? this.#entities.of(node) : this.#entities.named(name)
    if (entity !== undefined) {
      return { kind: 'entity', entity }
    }
    const options = this.#model.options(node)
    if (options.length > 1 || (options.length === 1 && options[0] !== node)) {
      return this.#choiceOf(schema, options)
    }
    const item = itemOf(this.#model, schema)
    // A shape that the description does not fix would be refused if it is another one.
    if (item !== undefined && isLoose(this.#model, schema)) {
      return PLAIN
    }
    if (item !== undefined) {
      const shape = this.of(item)
      return shape.kind === 'plain' ? PLAIN : { kind: 'list', item: shape, node: item }
    }
    const view = this.#model.view(schema)
    if (view === undefined) {
      return PLAIN
    }
    const members = new Map<string, Shape>()
    for (const [member, value] of view.properties) {
      const shape = this.of(value)
      if (shape.kind !== 'plain') {
        members.set(member, shape)
      }
    }
    if (members.size > 0) {
      return { kind: 'object', name, view, members }
    }
    if (view.properties.size === 0 && typeof view.additional === 'object') {
      const value = this.of(view.additional)
      return value.kind === 'plain' ? PLAIN : { kind: 'map', value, node: view.additional }
    }
    return PLAIN
  }

  #choiceOf(schema: JsonSchema, options: readonly JsonSchema[]): Shape {
    if (options.length === 1) {
      return this.of(options[0]!)
    }
    const records = options.filter((option) => !isPrimitive(this.#model, option))
    const others = options.filter((option) => isPrimitive(this.#model, option))
    const entities = records.map((option) => this.#entities.of(option))
    if (records.length === 0 || entities.includes(undefined)) {
      return PLAIN
    }
    const record = this.#unionOf(schema, records, entities as EntityInfo[])
    return record.kind === 'plain' || others.length === 0 ? record : { kind: 'either', record, others }
  }

  #unionOf(schema: JsonSchema, nodes: readonly JsonSchema[], entities: readonly EntityInfo[]): Shape {
    const [first] = entities
    if (entities.length === 1) {
      return { kind: 'entity', entity: first! }
    }
    const discriminator = schema.discriminator ?? this.#parentDiscriminator(entities)
    if (discriminator !== undefined) {
      const mapping = Object.entries(discriminator.mapping ?? {}).flatMap(([value, reference]) => {
        const target = nodes.findIndex((node) => node.$ref === reference || node.$ref?.endsWith(`/${reference}`))
        return target < 0 ? [] : [[value, entities[target]!] as const]
      })
      const members = mapping.length > 0 ? mapping : entities.map((entity) => [entity.schema, entity] as const)
      return { kind: 'union', by: discriminator.propertyName, members: new Map(members) }
    }
    const by = this.#commonConstant(entities)
    if (by !== undefined) {
      const members = entities.map((entity) => [this.#constant(entity, by)!, entity] as const)
      return { kind: 'union', by, members: new Map(members) }
    }
    const isFamily = entities.every(({ table }) => table === first!.table)
    const names = entities.map((entity) => entity.schema).join(', ')
    if (isFamily) {
      return { kind: 'entity', entity: first! }
    }
    this.#report.add(
      'unsure',
      'relation',
      names,
      'plain data',
      'nothing tells these entities apart; a "discriminator" would',
    )
    return PLAIN
  }

  /** The discriminator of a schema that all entities extend by `allOf`, as Swashbuckle writes it. */
  #parentDiscriminator(entities: readonly EntityInfo[]): JsonSchema['discriminator'] {
    /** A schema and those that it extends. */
    const lineOf = (name: string, known: readonly string[]): string[] =>
      known.includes(name)
        ? []
        : [name].concat(
            (this.#model.component(name).allOf ?? []).flatMap((part) => {
              const { name: parent } = this.#model.resolve(part)
              return parent === undefined ? [] : lineOf(parent, known.concat(name))
            }),
          )
    const [first, ...others] = entities.map(({ schema }) => lineOf(schema, []))
    const shared = first!.filter((name) => others.every((names) => names.includes(name)))
    return shared.map((name) => this.#model.component(name).discriminator).find((own) => own !== undefined)
  }

  /** A field that has one value in each entity, and another one in each. */
  #commonConstant(entities: readonly EntityInfo[]): string | undefined {
    return [...entities[0]!.view.properties.keys()].find((field) => {
      const values = entities.map((entity) => this.#constant(entity, field))
      return !values.includes(undefined) && new Set(values).size === entities.length
    })
  }

  #constant({ view }: EntityInfo, field: string): string | undefined {
    const member = view.properties.get(field)
    const schema = member && this.#model.resolve(member).schema
    const value = schema?.const ?? (schema?.enum?.length === 1 ? schema.enum[0] : undefined)
    return typeof value === 'string' ? value : undefined
  }
}

const PRIMITIVES = new Set(['string', 'integer', 'number', 'boolean', 'null'])

/** True for text, numbers and the like. */
export function isPrimitive(model: Model, node: JsonSchema): boolean {
  const types = typesOf(model.resolve(node).schema)
  return types.length > 0 && types.every((type) => PRIMITIVES.has(type))
}
