import type { JsonSchema } from './Description.ts'
import { FileScope, type Layout } from './FileScope.ts'
import { typesOf } from './Model.ts'
import { camelCase, Names, pascalCase, RESERVED_VALUES } from './names.ts'
import { arrayDoc, type Doc, literal, memberName, objectDoc, print, printComment, quote, WIDTH } from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Shape } from './Shapes.ts'
import type { Types } from './Types.ts'

/** Deeper objects are left empty. */
const DEEPEST = 6

/**
 * Writes `mocks.ts`: a factory for each kind of record, fixtures for `restitch/mock`, and responses by URL for servers such as MSW. The same
 * number makes the same record.
 */
export function writeMocks(
  types: Types,
  layout: Layout,
  operations: readonly Operation[],
  endpoints: ReadonlyMap<string, string>,
): string {
  const { model, entities } = types
  const scope = new FileScope('mocks', types, layout)
  const names = new Names()
  const factories = new Map(
    [...entities.byName.values()].map((entity) => [entity.schema, names.take(`make${types.className(entity)}`)]),
  )
  const making: string[] = []
  /** A value of a schema as JSON, of the record with that number. */
  const valueOf = (node: JsonSchema, name: string, index: string, depth: number): Doc => {
    const schema = model.plain(node)
    const first = schema.const ?? schema.enum?.find((value) => value !== null)
    if (first !== undefined && typeof first !== 'object') {
      return literal(first)
    }
    const entity = entityOf(types.shapeOf(node))
    const factory = entity && factories.get(entity)
    if (factory !== undefined) {
      // Records that contain each other would have no end.
      return making.includes(entity!) || depth > DEEPEST ? 'null' : `${factory}({}, ${index})`
    }
    const options = model.options(node)
    if (options.length > 1) {
      return valueOf(options[0]!, name, index, depth + 1)
    }
    switch (typesOf(schema).find((type) => type !== 'null')) {
      case 'string':
        return textOf(schema, name, index)
      case 'integer':
      case 'number':
        return index
      case 'boolean':
        return 'false'
      case 'array':
        return '[]'
    }
    const view = model.view(node)
    return view === undefined ? 'null' : depth > DEEPEST ? '{}' : objectOf(view.properties, index, depth)
  }
  /** A value as wide as its schema: another choice, and another list, fits as well. */
  const typedValue = (node: JsonSchema, value: Doc): Doc => {
    const shape = types.shapeOf(node)
    const text = print(value)
    if (shape.kind !== 'plain') {
      return text === '[]' ? '[] as unknown[]' : text === 'null' ? 'null as unknown' : value
    }
    const type = print(types.data(node, scope, 'read'))
    return ['string', 'number', 'boolean'].includes(type)
      ? value
      : type === 'unknown'
        ? [value, ' as unknown']
        : [value, text === 'null' && !/\bnull\b/.test(type) ? ` as unknown as ${type}` : ` as ${type}`]
  }
  const objectOf = (properties: ReadonlyMap<string, JsonSchema>, index: string, depth: number): Doc =>
    objectDoc(
      [...properties]
        .filter(([, node]) => model.directionOf(node) !== 'body')
        .map(([name, node]) => [`${memberName(name)}: `, typedValue(node, valueOf(node, name, index, depth + 1))]),
    )
  const parts = [...entities.byName.values()].map((entity) => {
    making.push(
      entity.schema,
      ...[...entities.byName.values()]
        .filter((other) => reaches(types, other.schema, entity.schema))
        .map(({ schema }) => schema),
    )
    const body = objectOf(entity.view.properties, 'index', 0)
    making.length = 0
    const name = factories.get(entity.schema)!
    const own = camelCase(types.className(entity))
    const type = `ReturnType<typeof ${own}Fields>`
    const params = [`fields: Partial<${type}> = {}`, 'index = 1']
    const line = `export function ${name}(${params.join(', ')}): ${type}`
    const signature =
      line.length + 2 <= WIDTH ? line : `export function ${name}(\n  ${params.join(',\n  ')},\n): ${type}`
    // A record of constants needs no number.
    const number = /\bindex\b/.test(print(body)) ? 'index' : '_index'
    return `${print([`const ${own}Fields = (${number}: number) => (`, body, ')'])}

${printComment(`The JSON of a ${types.className(entity)}. The same number makes the same record.`)}${signature} {
  return { ...${own}Fields(index), ...fields }
}
`
  })
  const files = new Map<string, Set<string>>()
  const fixtures: Doc[] = []
  const responses: Doc[] = []
  for (const operation of operations) {
    const { method, response, path, pathParams, id } = operation
    if (response.content !== 'json' || response.schema === undefined) {
      continue
    }
    const value = responseOf(types, response.schema, (node, name, index) => valueOf(node, name, index, 0))
    const url = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `:${camelCase(name)}`)
    responses.push(
      objectDoc([
        `method: ${quote(method)} as const`,
        `path: ${quote(url)}`,
        isObject(value) ? ['response: () => (', value, ')'] : ['response: () => ', value],
      ]),
    )
    const [file, ...rest] = (endpoints.get(id) ?? '').split('.')
    if (method !== 'get' || pathParams.length > 0 || operation.query.some(({ required }) => required)) {
      continue
    }
    files.set(file!, (files.get(file!) ?? new Set()).add(rest[0]!))
    fixtures.push(objectDoc([`endpoint: ${aliasOf(file!)}.${rest.join('.')}`, 'args: []', ['response: ', value]]))
  }
  const imports = [...files.keys()].sort().map((file) => `import * as ${aliasOf(file)} from '${scope.pathTo(file)}'`)
  const lists = [
    `${printComment('The first page of every list, and everything else that needs no argument: for `restitch/mock`.')}${print(['export const fixtures = ', arrayDoc(fixtures)])}\n`,
    `${printComment('Responses by URL. With MSW: `responses.map(({ method, path, response }) => http[method](origin + path, () => HttpResponse.json(response())))`.')}${print(['export const responses = ', arrayDoc(responses)])}\n`,
  ]
  const code = [...parts, ...lists].join('\n')
  return `${imports.join('\n')}${imports.length > 0 ? '\n' : ''}${scope.print(code) || '\n'}${code}`
}

/** The name that a file has in this one. */
function aliasOf(file: string): string {
  const name = camelCase(file)
  return RESERVED_VALUES.includes(name) || ['fixtures', 'responses', 'index'].includes(name) ? `${name}Endpoints` : name
}

function isObject(doc: Doc): boolean {
  return typeof doc === 'object' && 'kind' in doc && doc.kind === 'group' && doc.open === '{'
}

/** The value of a response: three records for a list. */
function responseOf(
  types: Types,
  node: JsonSchema,
  valueOf: (node: JsonSchema, name: string, index: string) => Doc,
  depth = 0,
): Doc {
  const { model } = types
  const schema = model.plain(node)
  if (typesOf(schema).includes('array') && typeof schema.items === 'object') {
    const item = schema.items
    const items = ['1', '2', '3'].map((index) => print(valueOf(item, 'item', index)))
    return depth > 2 ? '[]' : `[${items.join(', ')}]`
  }
  const view = entityOf(types.shapeOf(node)) === undefined ? model.view(node) : undefined
  if (view === undefined || depth > 2) {
    return valueOf(node, 'value', '1')
  }
  return objectDoc(
    [...view.properties].map(([name, member]) => {
      // One page holds everything.
      const own = model.plain(member)
      const isText = typesOf(own).includes('string')
      const isEnd = /next|prev|cursor|token/i.test(name) && (isText || model.isNullable(member))
      const isCount = /total|count/i.test(name) && /integer|number/.test(typesOf(own).join())
      const value = isEnd
        ? model.isNullable(member)
          ? 'null'
          : `''`
        : isCount
          ? '3'
          : responseOf(types, member, valueOf, depth + 1)
      return [`${memberName(name)}: `, value]
    }),
  )
}

function textOf({ format = '', minLength }: JsonSchema, name: string, index: string): Doc {
  switch (format) {
    case 'date-time':
      return `'2026-01-02T03:04:05.000Z'`
    case 'date':
      return `'2026-01-02'`
    case 'uuid':
      return `\`00000000-0000-4000-8000-\${String(${index}).padStart(12, '0')}\``
    case 'email':
      return `\`user\${${index}}@example.test\``
    case 'uri':
    case 'url':
      return `\`https://example.test/${camelCase(name)}/\${${index}}\``
  }
  const text = `${pascalCase(name).toLowerCase()} \${${index}}`
  return minLength !== undefined && minLength > 12 ? `\`${text}\`.padEnd(${minLength}, 'x')` : `\`${text}\``
}

function entityOf(shape: Shape): string | undefined {
  return shape.kind === 'entity'
    ? shape.entity.schema
    : shape.kind === 'union'
      ? [...shape.members.values()][0]?.schema
      : shape.kind === 'either'
        ? entityOf(shape.record)
        : undefined
}

/** True if a record contains another one, perhaps inside others. */
function reaches(types: Types, from: string, target: string): boolean {
  const seen = new Set<string>()
  const visit = (shape: Shape): boolean => {
    switch (shape.kind) {
      case 'plain':
        return false
      case 'list':
      case 'map':
        return false
      case 'either':
        return visit(shape.record)
      case 'object':
        return [...shape.members.values()].some(visit)
    }
    const entities = shape.kind === 'entity' ? [shape.entity] : [...shape.members.values()]
    return entities.some(({ schema, view }) => {
      if (schema === target) {
        return true
      }
      if (seen.has(schema)) {
        return false
      }
      seen.add(schema)
      return [...view.properties.values()].some((node) => visit(types.shapeOf(node)))
    })
  }
  const own = types.entities.named(from)!
  return [...own.view.properties.values()].some((node) => visit(types.shapeOf(node)))
}
