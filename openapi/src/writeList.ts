import type { PagesConfig, PagesEnd } from './config.ts'
import type { JsonSchema } from './Description.ts'
import type { Found } from './findRecord.ts'
import { inferPages } from './inferPages.ts'
import { entityIn } from './inferResources.ts'
import { memberPath, viewsOf } from './memberPath.ts'
import { type Model, type ObjectView, typesOf } from './Model.ts'
import { flatName } from './names.ts'
import {
  access,
  arrayDoc,
  arrowDoc,
  callDoc,
  type Doc,
  memberName,
  objectDoc,
  print,
  quote,
  typeArguments,
  unionDoc,
} from './print.ts'
import type { Operation } from './readOperations.ts'
import { memberDoc, schemaDoc } from './schemaDoc.ts'
import { SIZES } from './pageNames.ts'
import type { Shape } from './Shapes.ts'
import type { Options, TagTask } from './TagTask.ts'
import type { Types } from './Types.ts'

/** The schema of a list, with what is beside it in its envelope, and its pages. A list of plain data needs a name. */
export function addList(
  task: TagTask,
  operation: Operation,
  found: Found,
  shape: Shape,
  options: Options,
  name?: string,
  pages: PagesConfig | undefined = pagesOf(task, operation, found, shape),
): void {
  const { types, scope, report } = task
  scope.useLibrary('Collection')
  const item = schemaDoc(types, shape, scope) ?? typedDoc(task, types.read(found.schema, scope, shape))
  const own = { name, nonFilter: nonFilterOf(task, operation, pages) }
  if (found.envelope === undefined) {
    options.set('schema', collectionDoc(item, own))
  } else {
    const view = types.model.view(operation.response.schema!)!
    options.set('schema', envelopeDoc(task, view, found.envelope.split('.'), item, own))
    reportTotals(task, operation, view, found.envelope.split('.'))
    report.add('inferred', 'envelope', operation.id, `a list in "${found.envelope}"`, 'the other members describe it')
  }
  if (pages !== undefined) {
    addPages(task, operation, pages, found, options)
  }
}

/** Names a total that is not in the same object as its list: it does not follow what joins and leaves the list. */
function reportTotals(
  { types, report }: TagTask,
  { id }: Operation,
  view: ObjectView,
  [wrapper, ...inner]: readonly string[],
): void {
  for (const [name, node] of view.properties) {
    const own = name === wrapper ? undefined : types.model.view(node)
    const total = [...(own?.properties ?? [])].find(([member, value]) => isTotal(types, member, value))
    if (total !== undefined && inner.length === 0 && !isTotal(types, name, node)) {
      const why = `"${name}.${total[0]}" is not beside the list, so it is right only after each response; a "process" of your "baseClass" may flatten it`
      report.add('unsure', 'envelope', id, 'a total that does not follow', why)
    }
  }
}

/** The pages of a list. */
export function pagesOf(
  { types, config, report }: TagTask,
  operation: Operation,
  found: Found,
  shape: Shape,
): PagesConfig | undefined {
  return inferPages(types.model, operation, found, entityIn(shape), config, report)
}

/** An object around a list: `{ data: { items: [User] }, total: 0 }`. */
function envelopeDoc(
  task: TagTask,
  view: ObjectView,
  [wrapper, ...inner]: readonly string[],
  item: Doc,
  options: ListOptions,
): Doc {
  const { types } = task
  const counts = [...view.properties].filter(([name, node]) => isTotal(types, name, node)).map(([name]) => name)
  const members = [...view.properties].map(([name, node]) => {
    const own = types.field(name)
    if (name !== wrapper) {
      const isCounted = counts.includes(name) && inner.length === 0
      return memberDoc(own, isCounted ? '0' : besideDoc(task, node, view.required.has(name)))
    }
    const [only = node] = types.model.options(node)
    const value =
      inner.length > 0
        ? envelopeDoc(task, types.model.view(only)!, inner, item, options)
        : collectionDoc(item, { ...options, counts: counts.map((count) => types.field(count)) })
    return memberDoc(own, value)
  })
  return objectDoc(members)
}

/** True for the number of all items, which follows what joins and leaves the list. */
function isTotal({ model }: Types, name: string, node: JsonSchema): boolean {
  return COUNTS.has(flatName(name)) && model.isScalar(node) && typesOf(model.resolve(node).schema)[0] !== 'string'
}

/** The options of a Collection. */
interface ListOptions {
  /** It keeps the list apart from other lists of such records that have the same arguments. */
  readonly name?: string | undefined
  readonly counts?: readonly string[]
  /** Arguments that do not filter. */
  readonly nonFilter?: readonly string[]
}

export function collectionDoc(item: Doc, { name, counts = [], nonFilter = [] }: ListOptions = {}): Doc {
  const options = [
    ...(name === undefined ? [] : [`name: ${quote(name)}`]),
    ...(counts.length === 0 ? [] : [`counts: [${counts.map(quote).join(', ')}]`]),
    ...(nonFilter.length === 0 ? [] : [`nonFilterArgumentKeys: [${nonFilter.map(quote).join(', ')}]`]),
  ]
  return callDoc('new Collection', [arrayDoc([item]), ...(options.length > 0 ? [objectDoc(options)] : [])])
}

/** Parameters that say how much of each record comes. */
const SHAPES = new Set('fields expand embed pretty prettyprint optfields optpretty select'.split(' '))

/**
 * The parameters that change neither which records a list has nor their order: the size of its pages, and the fields of each record. Without
 * pages, a number of items cuts the list: then another record may take the place of one that leaves it.
 */
export function nonFilterOf(
  { types }: TagTask,
  { query }: Operation,
  pages: PagesConfig | undefined,
): readonly string[] {
  return query
    .filter(({ name, schema }) => {
      const isNumber =
        schema !== undefined && /^(?:integer|number)$/.test(typesOf(types.model.resolve(schema).schema)[0] ?? '')
      const isSize = isNumber && SIZES.includes(flatName(name)) && name !== pages?.field
      return SHAPES.has(flatName(name)) || (pages !== undefined && isSize)
    })
    .map(({ name }) => types.field(name))
}

const COUNTS = new Set(
  'total totalcount count totalitems totalresults totalelements totalsize totalrecords totalentries'.split(' '),
)

/** A member beside a list. */
function besideDoc(task: TagTask, node: JsonSchema, isRequired: boolean): Doc {
  const { types, scope } = task
  const shape = types.shapeOf(node)
  const type = types.read(node, scope, shape)
  const value = schemaDoc(types, shape, scope)
  const whole = isRequired || type === 'unknown' ? type : unionDoc([type, 'undefined'])
  if (value !== undefined) {
    return isDirect(shape) && isRequired ? value : typedDoc(task, whole, value)
  }
  const text = print(whole)
  const [first, ...others] = text.split(' | ')
  const example = EXAMPLES.get(first!)
  if (example === undefined || !others.every((other) => other === 'null' || other === 'undefined')) {
    return typedDoc(task, whole)
  }
  return text === first ? example : `${example} as ${text}`
}

const EXAMPLES = new Map([
  ['string', `''`],
  ['number', '0'],
  ['boolean', 'false'],
])

function addPages(
  { types, scope, validators }: TagTask,
  operation: Operation,
  { field, next, first, after, end = {} }: PagesConfig,
  found: Found,
  options: Options,
): void {
  const own = field === undefined ? undefined : types.field(field)
  if (own !== undefined) {
    options.set('paginationField', quote(own))
  }
  if (next === 'count' && first === undefined && after === undefined && Object.keys(end).length === 0) {
    return
  }
  const envelope = found.envelope?.split('.').map((name) => types.field(name))
  const leaves: [path: readonly string[], type: string][] = []
  /** The value in a member of the response. */
  const value = (path: string, type: string): string => {
    const own = memberPath(types.model, operation.response.schema, path)
    const names = own.map((name) => types.field(name))
    // TypeScript does not read a member that only some choices have.
    if (passesChoice(types, operation.response.schema, own)) {
      scope.useHelper('textAt')
      const text = `textAt(response, ${names.map(quote).join(', ')})`
      return type.startsWith('string') ? text : type.startsWith('number') ? `Number(${text})` : `${text} === 'true'`
    }
    leaves.push([names, type])
    return `response${names.map((name, index) => (index === 0 ? access(name) : maybe(name))).join('')}`
  }
  const list = (item: string): string => {
    if (envelope !== undefined) {
      leaves.push([envelope, `${item}[]`])
    }
    return `response${(envelope ?? []).map((name, index) => (index === 0 ? access(name) : maybe(name))).join('')}`
  }
  const set = (code: Doc, ...params: readonly string[]): void => {
    const type = envelope === undefined && leaves.length === 0 ? 'object' : typeOf(leaves)
    // A validator does not say what it returns.
    const response = validators ? `response: ${listType ?? type}` : 'response'
    options.set('getNextPage', arrowDoc(`(${[response, ...params].join(', ')})`, code))
  }
  let listType: string | undefined
  const query = field === undefined ? '' : quote(field)
  /** The arguments of the next page. A list without arguments receives none. */
  const followed = (url: string): [code: string, ...params: string[]] =>
    operation.query.length + operation.pathParams.length > 0
      ? [`nextArgs(${url}, params)`, 'params']
      : [`nextArgs(${url})`]
  if (next === 'link') {
    scope.useHelper('nextLink')
    if (field === undefined) {
      scope.useHelper('nextArgs')
    }
    if (field === undefined) {
      set(...followed('nextLink(response)'))
    } else {
      set(`nextLink(response, ${query})`)
    }
  } else if (next === 'count' || next === 'offset') {
    const helper = next === 'count' ? 'nextPage' : 'nextOffset'
    scope.useHelper(helper)
    listType = envelope === undefined ? 'unknown[]' : undefined
    const items = list('unknown')
    const number = 'number | null'
    const facts = [
      ...(end.more === undefined ? [] : [`more: ${value(end.more, 'boolean | null')}`]),
      ...(end.last === undefined ? [] : [`last: ${value(end.last, 'boolean | null')}`]),
      ...(end.pages === undefined ? [] : [`pages: ${value(end.pages, number)}`]),
      ...(end.total === undefined ? [] : [`total: ${value(end.total, number)}`]),
      ...(end.count === undefined ? [] : [`count: ${value(end.count, number)}`]),
      ...(end.size === undefined || next === 'offset' ? [] : [`size: ${value(end.size, number)}`]),
      ...(end.sizeField === undefined || next === 'offset' ? [] : [`size: ${sizeOf(types, end.sizeField)}`]),
      ...(first === undefined ? [] : [`first: ${first}`]),
    ]
    const at = `params${maybe(own!)}${after === undefined ? '' : ` ?? ${value(after, number)}`}`
    const args = [items, at, ...(facts.length === 0 ? [] : [objectDoc(facts)])]
    set(callDoc(helper, args), 'params')
  } else if ('cursor' in next) {
    // The next page is never that with the number 0: some servers end a list with it.
    const cursor =
      value(next.cursor, 'string | null') + (isNumberAt(types.model, operation, next.cursor) ? ' || undefined' : '')
    set(next.while === undefined ? cursor : `(${value(next.while, 'boolean')} ? ${cursor} : undefined)`)
  } else if ('url' in next) {
    const url = value(next.url, 'string | null')
    scope.useHelper(field === undefined ? 'nextArgs' : 'queryOf')
    if (field === undefined) {
      set(...followed(url))
    } else {
      set(`queryOf(${url}, ${query})`)
    }
  } else {
    const item = `{ ${memberName(types.field(next.last))}: string }`
    listType = envelope === undefined ? `${item}[]` : undefined
    const last = `${list(item)}.at(-1)${maybe(types.field(next.last))}`
    set(next.while ? `(${value(next.while, 'boolean')} ? ${last} : undefined)` : last)
  }
}

/** True if a member of the response is a number. */
function isNumberAt(model: Model, { response }: Operation, path: string): boolean {
  let at = response.schema
  for (const name of memberPath(model, at, path)) {
    at = at && viewsOf(model, at).flatMap(({ properties }) => properties.get(name) ?? [])[0]
  }
  return at !== undefined && /^(?:integer|number)$/.test(typesOf(model.resolve(at).schema)[0] ?? '')
}

/** The size of a page. One that is sent, and that the server may cut, says nothing. */
function sizeOf(types: Types, { field, default: own, most }: NonNullable<PagesEnd['sizeField']>): string {
  const param = `params${maybe(types.field(field))}`
  return most === undefined ? `${param} ? undefined : ${own}` : `Math.min(${param} ?? ${own}, ${most})`
}

/** True if a member of the response is one of a choice, which other choices may lack. */
function passesChoice({ model }: Types, schema: JsonSchema | undefined, path: readonly string[]): boolean {
  let at = schema
  for (const name of path) {
    const [only = at] = at ? model.options(at) : []
    const view = only && model.view(only)
    if (at === undefined || model.options(at).length > 1 || view === undefined) {
      return true
    }
    at = view.properties.get(name)
  }
  return false
}

/** The type of an object with these members: `{ meta?: { next?: string | null } }`. */
function typeOf(leaves: readonly (readonly [path: readonly string[], type: string])[]): string {
  const names = [...new Set(leaves.map(([[name]]) => name!))]
  const members = names.map((name) => {
    const own = leaves.filter(([[first]]) => first === name)
    const inner = own.filter(([path]) => path.length > 1).map(([[, ...rest], type]) => [rest, type] as const)
    const isList = own.some(([, type]) => type.endsWith('[]'))
    return `${memberName(name)}${isList ? '' : '?'}: ${inner.length > 0 ? typeOf(inner) : own[0]![1]}`
  })
  return `{ ${members.join('; ')} }`
}

/** The member of a value that may be missing: `?.name` or `?.['a-b']`. */
function maybe(name: string): string {
  return access(name).replace(/^\.?/, '?.')
}

/** True for a schema whose type says all about the value. */
export function isDirect(shape: Shape): boolean {
  return shape.kind === 'list' ? isDirect(shape.item) : shape.kind === 'entity' || shape.kind === 'union'
}

/** A schema with a type of its own. */
export function typedDoc({ scope }: TagTask, type: Doc, value?: Doc): Doc {
  scope.useHelper('typed')
  return [typeArguments('typed', [type]), callDoc('', value === undefined ? [] : [value])]
}
