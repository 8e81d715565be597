import { Casing } from './Casing.ts'
import type { Config } from './config.ts'
import { memberComment } from './comment.ts'
import type { JsonSchema } from './Description.ts'
import type { Entities, EntityInfo } from './Entities.ts'
import { type Model, type ObjectView, typesOf } from './Model.ts'
import { Names, pascalCase, RESERVED_TYPES, shortName, singularName } from './names.ts'
import { arrayOf, type Doc, type Item, literal, memberName, recordDoc, typeLiteral, unionDoc } from './print.ts'
import type { Report } from './Report.ts'
import { isPrimitive, type Shape, Shapes } from './Shapes.ts'

/** The file for which code is written: it learns which names to import. */
export interface Scope {
  useType(name: string): void
  useEntity(entity: EntityInfo, asValue: boolean): void
  useHelper(name: string): void
}

/** A type with a name of its own: as the app reads it, or as it is sent. */
export interface NamedType {
  readonly schema: string
  readonly mode: 'read' | 'data'
}

/** Writes the types of schemas. */
export class Types {
  readonly model: Model
  readonly entities: Entities
  readonly casing: Casing
  readonly #config: Config
  readonly #names: Names
  readonly #classNames = new Map<string, string>()
  readonly #typeNames = new Map<string, string>()
  readonly #shapes: Shapes
  /** The named types that were used, by name. */
  readonly used: Map<string, NamedType> = new Map()

  constructor(model: Model, entities: Entities, config: Config, report: Report) {
    this.model = model
    this.entities = entities
    this.casing = new Casing(model, config)
    this.#config = config
    this.#shapes = new Shapes(model, entities, report)
    this.#names = new Names(RESERVED_TYPES)
    // In the order of the description, so that a new schema does not rename another. An entity has no other name than plain data.
    for (const name of this.#order()) {
      const wanted = this.#config.names?.[name]
      if (wanted !== undefined) {
        this.#names.takeGiven(wanted, `the schema "${name}"`)
      }
    }
    for (const name of this.#order()) {
      const short = shortName(name)
      const hasId = model.isScalar(model.view(model.component(name))?.properties.get('id'))
      const wanted = pascalCase(hasId ? singularName(short) : short)
      const own = this.#config.names?.[name] ?? this.#names.take(wanted, `${wanted}Model`)
      ;(this.entities.byName.has(name) ? this.#classNames : this.#typeNames).set(name, own)
    }
  }

  #order(): Iterable<string> {
    const components = Object.keys(this.model.description.components?.schemas ?? {})
    return new Set([...components, ...this.entities.byName.keys()])
  }

  className({ schema }: EntityInfo): string {
    return this.#classNames.get(schema)!
  }

  /** The names of all classes and types that schemas have. */
  allNames(): Iterable<string> {
    return [...this.#classNames.values(), ...this.#typeNames.values()]
  }

  /** Keeps names for values: types that are named later have others. */
  reserve(names: Iterable<string>): void {
    for (const name of names) {
      this.#names.reserve(name)
    }
  }

  /** Takes a name that no type has. */
  takeName(wanted: string, ...others: string[]): string {
    return this.#names.take(wanted, ...others)
  }

  /** The name of a member in the code of the app. */
  field(name: string): string {
    return this.casing.field(name)
  }

  /** The meaning of a value of a schema for the store. */
  shapeOf(node: JsonSchema): Shape {
    return this.#shapes.of(node)
  }

  /** The type of a value as the app reads it: records are instances of their classes. */
  read(node: JsonSchema, scope: Scope, shape: Shape = this.shapeOf(node)): Doc {
    return this.#orNull(node, this.#readShape(node, scope, shape))
  }

  #readShape(node: JsonSchema, scope: Scope, shape: Shape): Doc {
    switch (shape.kind) {
      case 'plain':
        return this.#dataOf(node, scope, 'read')
      case 'entity':
        scope.useEntity(shape.entity, false)
        return this.className(shape.entity)
      case 'union':
        return unionDoc(
          [...shape.members.values()].map((entity) => {
            scope.useEntity(entity, false)
            return this.className(entity)
          }),
        )
      case 'either':
        return unionDoc([
          ...shape.others.map((other) => this.#dataOf(other, scope, 'read')),
          this.#readShape(node, scope, shape.record),
        ])
      case 'list':
        return arrayOf(this.read(shape.node, scope, shape.item))
      case 'map':
        return this.#mapOf(this.read(shape.node, scope, shape.value))
      default:
        return shape.name === undefined
          ? this.#literal(shape.view, 'read', scope, shape.members)
          : this.#named(shape.name, 'read', scope)
    }
  }

  /** The type of a value as it is sent; or of plain data as it is read. */
  data(node: JsonSchema, scope: Scope, mode: NamedType['mode'] = 'data'): Doc {
    return this.#orNull(node, this.#dataOf(node, scope, mode))
  }

  #orNull(node: JsonSchema, type: Doc): Doc {
    return this.model.isNullable(node) ? unionDoc([type, 'null']) : type
  }

  #dataOf(node: JsonSchema, scope: Scope, mode: NamedType['mode']): Doc {
    const { name, schema } = this.model.resolve(node)
    if (name !== undefined && !this.#isTrivial(schema)) {
      const isSame = mode === 'read' || !this.model.hasDirections(schema)
      return this.#named(name, isSame && this.shapeOf(node).kind === 'plain' ? 'read' : 'data', scope)
    }
    return this.#structure(schema, mode, scope)
  }

  /** Named texts and numbers without a choice add nothing to `string` and `number`. */
  #isTrivial(schema: JsonSchema): boolean {
    return !schema.enum && !schema.oneOf && !schema.anyOf && !schema.allOf && isPrimitive(this.model, schema)
  }

  #named(name: string, mode: NamedType['mode'], scope: Scope): string {
    const entity = this.entities.named(name)
    if (entity !== undefined && entity.schema !== name) {
      return this.#named(entity.schema, mode, scope)
    }
    let base = entity ? this.className(entity) : this.#typeNames.get(name)
    if (base === undefined) {
      base = this.#names.take(pascalCase(name))
      this.#typeNames.set(name, base)
    }
    const id = mode === 'data' ? `${name} data` : name
    let own = mode === 'read' ? base : this.#typeNames.get(id)
    if (own === undefined) {
      own = this.#names.take(`${base}Data`)
      this.#typeNames.set(id, own)
    }
    this.used.set(own, { schema: name, mode })
    scope.useType(own)
    return own
  }

  /** The declaration of a named type: its members, or the type that it stands for. */
  declaration(
    { schema: name, mode }: NamedType,
    scope: Scope,
  ): { readonly members?: readonly Item[]; readonly type?: Doc } {
    const node = this.model.component(name)
    const { schema } = this.model.resolve(node)
    const shape = this.#shapes.named(name, schema)
    const view = this.model.view(schema)
    if (view !== undefined && view.properties.size > 0) {
      const relations = mode === 'read' && shape.kind === 'object' ? shape.members : new Map<string, Shape>()
      return { members: this.members(view, mode, scope, relations) }
    }
    // A map of itself is no `Record`: TypeScript would have to know it before it is declared.
    this.#isInLoop = this.#shapes.isLoop(name)
    const type = this.#declared(node, schema, mode, scope, shape)
    this.#isInLoop = false
    return { type }
  }

  #isInLoop = false

  /** A map: `Record<string, T>`. */
  #mapOf(type: Doc): Doc {
    return this.#isInLoop ? typeLiteral([['[name: string]: ', type]]) : recordDoc(type)
  }

  #declared(node: JsonSchema, schema: JsonSchema, mode: NamedType['mode'], scope: Scope, shape: Shape): Doc {
    if (mode === 'read' && shape.kind !== 'plain') {
      return this.#readShape(node, scope, shape.kind === 'object' ? { ...shape, name: undefined } : shape)
    }
    return this.#structure(schema, mode, scope)
  }

  /** The members of an object type. */
  members(
    view: ObjectView,
    mode: NamedType['mode'],
    scope: Scope,
    relations: ReadonlyMap<string, Shape> = new Map(),
  ): Item[] {
    const items: Item[] = []
    for (const [name, node] of view.properties) {
      // An id of the server is in no body, and a password in no record.
      const direction = this.model.directionOf(node)
      if (direction === (mode === 'data' ? 'response' : 'body')) {
        continue
      }
      const relation = relations.get(name)
      const type = relation ? this.read(node, scope, relation) : this.data(node, scope, mode)
      const isOptional = !view.required.has(name)
      const own = `${memberName(this.field(name))}${isOptional ? '?' : ''}: `
      // With exactOptionalPropertyTypes, forms and spreads need the `undefined`.
      items.push({
        doc: [own, isOptional && type !== 'unknown' ? unionDoc([type, 'undefined']) : type],
        comment: memberComment(node),
      })
    }
    if (view.additional && items.length > 0) {
      items.push({ doc: '[name: string]: unknown' })
    }
    return items
  }

  #literal(view: ObjectView, mode: NamedType['mode'], scope: Scope, relations?: ReadonlyMap<string, Shape>): Doc {
    if (view.properties.size === 0) {
      return typeof view.additional === 'object'
        ? this.#mapOf(this.data(view.additional, scope, mode))
        : 'Record<string, unknown>'
    }
    return typeLiteral(this.members(view, mode, scope, relations))
  }

  #structure(schema: JsonSchema, mode: NamedType['mode'], scope: Scope): Doc {
    if (schema.const !== undefined) {
      return literal(schema.const)
    }
    if (schema.enum !== undefined) {
      const values = schema.enum.filter((value) => value !== null)
      return values.length === 0
        ? 'null'
        : unionDoc(values.map((value) => (typeof value === 'object' ? 'unknown' : literal(value))))
    }
    const options = schema.oneOf ?? schema.anyOf
    if (options !== undefined && schema.properties === undefined) {
      const own = this.model.options(schema)
      return own.length === 0 ? 'null' : unionDoc(own.map((option) => this.data(option, scope, mode)))
    }
    const view = this.model.view(schema)
    if (view !== undefined) {
      return this.#literal(view, mode, scope)
    }
    if (schema.allOf !== undefined) {
      const parts = schema.allOf.map((part) => this.#dataOf(part, scope, mode)).filter((part) => part !== 'unknown')
      return parts.length === 0
        ? 'unknown'
        : parts.flatMap((part, index) => [index > 0 ? ' & ' : '', isSimple(part) ? part : ['(', part, ')']])
    }
    if (schema.prefixItems !== undefined) {
      const items = schema.prefixItems.map((item) => this.data(item, scope, mode))
      return ['[', ...items.flatMap((item, index) => (index > 0 ? [', ', item] : [item])), ']']
    }
    const types = typesOf(schema).filter((type) => type !== 'null')
    if (types.length === 0 && schema.items === undefined) {
      return typesOf(schema).includes('null') ? 'null' : 'unknown'
    }
    return unionDoc((types.length > 0 ? types : ['array']).map((type) => this.#primitive(type, schema, mode, scope)))
  }

  #primitive(type: string, schema: JsonSchema, mode: NamedType['mode'], scope: Scope): Doc {
    switch (type) {
      case 'string':
        return schema.format === 'binary' ? 'Blob' : 'string'
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'array':
        return typeof schema.items === 'object' ? arrayOf(this.data(schema.items, scope, mode)) : 'unknown[]'
      case 'object':
        return 'Record<string, unknown>'
      default:
        return 'unknown'
    }
  }
}

function isSimple(doc: Doc): boolean {
  return typeof doc === 'string' && !/[|&]/.test(doc)
}
