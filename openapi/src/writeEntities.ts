import type { Config } from './config.ts'
import { commentOf, memberComment } from './comment.ts'
import type { JsonSchema } from './Description.ts'
import { FileScope, type Layout } from './FileScope.ts'
import type { EntityInfo } from './Entities.ts'
import { typesOf } from './Model.ts'
import { camelCase } from './names.ts'
import {
  access,
  arrayDoc,
  callDoc,
  defaultDoc,
  type Doc,
  type Item,
  memberName,
  objectDoc,
  print,
  printComment,
  quote,
  unionDoc,
} from './print.ts'
import type { Report } from './Report.ts'
import { memberDoc, schemaDoc } from './schemaDoc.ts'
import type { Shape } from './Shapes.ts'
import type { Types } from './Types.ts'

/** A field of the class that cannot be one: the class has such a member already. */
const TAKEN = new Set(['pk', 'constructor'])

/** Writes one file for each table: its classes. */
export function writeEntities(
  types: Types,
  layout: Layout,
  config: Config,
  report: Report,
): { readonly texts: ReadonlyMap<string, string>; readonly helpers: ReadonlySet<string> } {
  const texts = new Map<string, string>()
  const helpers = new Set<string>()
  const tables = new Map<string, EntityInfo[]>()
  for (const entity of types.entities.byName.values()) {
    tables.set(entity.table, [...(tables.get(entity.table) ?? []), entity])
  }
  const loops = findLoops(types, tables)
  for (const [table, forms] of tables) {
    const file = layout.entityFile(table)
    const scope = new FileScope(file, types, layout)
    const base = forms.length > 1 ? types.takeName(`${table}Entity`) : undefined
    const relations = sharedRelations(types, forms)
    const before: string[] = []
    const classes = forms.map((entity) =>
      writeClass({ types, scope, entity, base, relations, loops: loops.get(table)!, config, report, before }),
    )
    const shared = base === undefined ? [] : [writeBase(types, scope, base, table, forms[0]!)]
    const code = [before.join(''), ...shared, ...classes].filter((part) => part !== '').join('\n')
    texts.set(file, scope.print(code) + code)
    for (const helper of scope.helpers) {
      helpers.add(helper)
    }
  }
  return { texts, helpers }
}

/** Relations by field, of all forms of a record: each of them has to store what the others read. */
function sharedRelations(types: Types, forms: readonly EntityInfo[]): Map<string, Shape> {
  const shared = new Map<string, Shape>()
  for (const { view } of forms) {
    for (const [name, node] of view.properties) {
      const shape = types.shapeOf(node)
      if (shape.kind !== 'plain' && !shared.has(name)) {
        shared.set(name, shape)
      }
    }
  }
  return shared
}

function writeBase(types: Types, scope: FileScope, base: string, table: string, first: EntityInfo): string {
  scope.useLibrary('Entity')
  const lines = [`  static override key = ${quote(table)}`, ...keyLines(types, first, true)]
  const comment = 'The classes below are forms of the same records: they share a table.'
  return `${printComment(comment)}export abstract class ${base} extends Entity {\n${lines.join('\n')}\n}\n`
}

interface ClassTask {
  readonly types: Types
  readonly scope: FileScope
  readonly entity: EntityInfo
  readonly base: string | undefined
  readonly relations: ReadonlyMap<string, Shape>
  /** The tables that lead back to this one. */
  readonly loops: ReadonlySet<string>
  readonly config: Config
  readonly report: Report
  /** Lines before the classes. */
  readonly before: string[]
}

function writeClass(task: ClassTask): string {
  const { types, scope, entity, base, report } = task
  const { view, schema: name } = entity
  const className = types.className(entity)
  if (base === undefined) {
    scope.useLibrary('Entity')
  }
  const fields: Item[] = []
  const required: string[] = []
  for (const [field, node] of view.properties) {
    if (TAKEN.has(types.field(field))) {
      report.add('left out', 'entity', `${name}.${field}`, 'not a field', `every Entity has a member "${field}"`)
      continue
    }
    if (types.model.directionOf(node) === 'body') {
      continue
    }
    // A record without its key is not stored.
    const isRequired = view.required.has(field) || entity.key.includes(field)
    fields.push({ doc: fieldDoc(task, field, node, isRequired), comment: memberComment(node) })
    if (isRequired) {
      required.push(types.field(field))
    }
  }
  const lines = fields.map(({ doc, comment }) => `${comment ? printComment(comment, 2) : ''}  ${print(doc, 2)}\n`)
  if (base === undefined) {
    lines.push(`  static override key = ${quote(entity.table)}\n`)
  }
  lines.push(...schemaLines(task))
  if (required.length < fields.length) {
    // Without any required field, all records would count as complete.
    const needed = required.length > 0 ? required : entity.key.map((key) => types.field(key.split('.')[0]!))
    lines.push(`  static override required = ${print(arrayDoc(needed.map(quote)), 2, 29)}\n`)
  }
  if (base === undefined) {
    lines.push(...keyLines(types, entity, false).map((line) => `${line}\n`))
  }
  const comment = commentOf(types.model.component(name))
  return `${comment ? printComment(comment) : ''}export class ${className} extends ${base ?? 'Entity'} {\n${lines.join('')}}\n`
}

/** A field with its default: `title = ''`. */
function fieldDoc(
  { types, scope, loops, config }: ClassTask,
  field: string,
  node: JsonSchema,
  isRequired: boolean,
): Doc {
  const { model } = types
  const name = memberName(types.field(field))
  const shape = types.shapeOf(node)
  const isNullable = model.isNullable(node)
  const schema = model.plain(node)
  const isEntity = shape.kind === 'entity'
  const isDate = shape.kind === 'plain' && isDateTime(schema) && config.dates !== false
  const type: Doc = isDate ? 'Date' : types.read(isNullable ? { ...node, nullable: false } : node, scope, shape)
  const own = isDate && isNullable ? unionDoc([type, 'null']) : isNullable ? types.read(node, scope, shape) : type
  if (!isRequired) {
    return own === 'unknown'
      ? `${name}: unknown = undefined`
      : defaultDoc([`${name}: `, unionDoc([own, 'undefined'])], 'undefined')
  }
  if (isNullable) {
    return own === 'unknown' ? `${name}: unknown = null` : defaultDoc([`${name}: `, own], 'null')
  }
  if (isDate) {
    return `${name} = new Date(0)`
  }
  if (isEntity) {
    // A default that contains one of its own kind would never end.
    if (loops.has(shape.entity.table)) {
      return defaultDoc([`${name}: `, unionDoc([own, 'undefined'])], 'undefined')
    }
    scope.useEntity(shape.entity, true)
    return `${name} = ${types.className(shape.entity)}.fromJS()`
  }
  switch (own) {
    case 'string':
      return `${name} = ''`
    case 'number':
      return `${name} = 0`
    case 'boolean':
      return `${name} = false`
    case 'unknown':
      return `${name}: unknown = undefined`
  }
  const first = schema.const ?? schema.enum?.[0]
  if (shape.kind === 'plain' && first !== undefined && typeof first !== 'object') {
    return defaultDoc([`${name}: `, own], typeof first === 'string' ? quote(first) : String(first))
  }
  if (shape.kind === 'list' || (typesOf(schema)[0] === 'array' && !schema.prefixItems)) {
    return defaultDoc([`${name}: `, own], '[]')
  }
  if (model.view(schema) !== undefined) {
    return typeof own === 'string' ? defaultDoc(name, `{} as ${own}`) : [`${name} = {} as `, own]
  }
  return defaultDoc([`${name}: `, unionDoc([own, 'undefined'])], 'undefined')
}

function isDateTime(schema: JsonSchema): boolean {
  return schema.format === 'date-time' && typesOf(schema).includes('string')
}

/** `static schema`: relations and dates. */
function schemaLines(task: ClassTask): string[] {
  const { types, scope, entity, relations, loops, config } = task
  const entries: [name: string, value: Doc, tables: string[]][] = []
  for (const [field, node] of entity.view.properties) {
    const schema = types.model.plain(node)
    const shape = types.shapeOf(node)
    const value = schemaDoc(types, shape, scope)
    if (value !== undefined) {
      entries.push([types.field(field), value, tablesIn(shape)])
    } else if (isDateTime(schema) && config.dates !== false && types.model.directionOf(node) !== 'body') {
      entries.push([types.field(field), 'Date', []])
    }
  }
  for (const [field, shape] of relations) {
    if (!entity.view.properties.has(field)) {
      entries.push([types.field(field), schemaDoc(types, shape, scope)!, tablesIn(shape)])
    }
  }
  if (entries.length === 0) {
    return []
  }
  const value = objectDoc(entries.map(([name, schema]) => memberDoc(name, schema)))
  if (!entries.some(([, , tables]) => tables.some((table) => loops.has(table)))) {
    return [`  static override schema = ${print(value, 2, 27)}\n`]
  }
  const store = `${camelCase(types.className(entity))}Schema`
  scope.useLibrary('Entity')
  task.before.push(`let ${store}: typeof Entity.schema | undefined\n`)
  return [
    '  // Classes that refer to each other are all there when the schema is first read.\n',
    `  static override get schema(): typeof Entity.schema {\n    return (${store} ??= ${print(value, 4, 17 + store.length, 1)})\n  }\n`,
  ]
}

function tablesIn(shape: Shape): string[] {
  switch (shape.kind) {
    case 'plain':
      return []
    case 'entity':
      return [shape.entity.table]
    case 'union':
      return [...shape.members.values()].map(({ table }) => table)
    case 'either':
      return tablesIn(shape.record)
    case 'list':
      return tablesIn(shape.item)
    case 'map':
      return tablesIn(shape.value)
    default:
      return [...shape.members.values()].flatMap(tablesIn)
  }
}

/** `pk()`, unless the key is the field `id`. */
function keyLines(types: Types, { key, scope, view }: EntityInfo, isBase: boolean): string[] {
  if (key.length === 1 && key[0] === 'id' && scope.length === 0) {
    return []
  }
  const parts = key.map((path) => {
    const [first, ...rest] = path.split('.')
    const inner = rest.map((name) => `?.${name}`).join('')
    const value = `this${access(types.field(first!))}${inner}`
    // A record whose key is null has none.
    const isNull = view.properties.has(first!) && types.model.isNullable(view.properties.get(first!)!)
    return isNull && key.length === 1 && scope.length === 0 ? `${value} ?? undefined` : value
  })
  // The base class has no fields: its forms do.
  const fields = key.map((path) => {
    const [first, ...rest] = path.split('.')
    const own = view.properties.get(first!)
    const leaf = own && types.model.isNullable(own) ? 'string | number | null' : 'string | number'
    const type = rest.reduceRight((inner, name) => `{ ${memberName(name)}?: ${inner} }`, leaf)
    return `${memberName(types.field(first!))}?: ${type}`
  })
  const self = isBase ? `this: { ${fields.join('; ')} }` : ''
  if (scope.length === 0) {
    const value = parts.length === 1 ? parts[0]! : `\`${parts.map((part) => `\${${part}}`).join('/')}\``
    const isOptional =
      parts.length === 1 &&
      (key[0]!.includes('.') || !view.required.has(key[0]!) || isBase || parts[0]!.endsWith('undefined'))
    const type = parts.length > 1 ? 'string' : isOptional ? 'string | number | undefined' : 'string | number'
    return ['', `  override pk(${self}): ${type} {`, `    return ${value}`, '  }']
  }
  const params = [...(self ? [self] : []), '_parent?: unknown', '_key?: string', 'args: readonly unknown[] = []']
  const own = scope.map((name) => `params[${quote(types.field(name))}]`)
  const text = [...own, ...parts].map((part) => `\${${part}}`).join('/')
  return [
    '',
    `  // The key is unique only within the path, so the arguments belong to it.`,
    `  ${print([callDoc('override pk', params), ': string {'], 2)}`,
    `    const params = Object(args[0]) as Record<string, unknown>`,
    `    return \`${text}\``,
    '  }',
  ]
}

/** For each table, the tables that it leads to and that lead back to it. */
function findLoops(types: Types, tables: ReadonlyMap<string, readonly EntityInfo[]>): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const [table, forms] of tables) {
    const targets = forms.flatMap(({ view }) =>
      [...view.properties.values()].flatMap((node) => tablesIn(types.shapeOf(node))),
    )
    edges.set(table, new Set(targets))
  }
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>()
    const pending = [...edges.get(from)!]
    for (let table = pending.pop(); table !== undefined; table = pending.pop()) {
      if (!seen.has(table)) {
        seen.add(table)
        pending.push(...edges.get(table)!)
      }
    }
    return seen
  }
  const reached = new Map([...tables.keys()].map((table) => [table, reach(table)]))
  return new Map(
    [...reached].map(([table, targets]) => [
      table,
      new Set([...targets].filter((target) => reached.get(target)!.has(table))),
    ]),
  )
}
