import type { PagesConfig } from './config.ts'
import type { JsonSchema } from './Description.ts'
import type { Found } from './findRecord.ts'
import { inferPages } from './inferPages.ts'
import { entityIn } from './inferResources.ts'
import { typesOf } from './Model.ts'
import { flatName } from './names.ts'
import {
  access,
  arrayDoc,
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
import type { Shape } from './Shapes.ts'
import type { Options, TagTask } from './TagTask.ts'

/** The schema of a list, with what is beside it in its envelope, and its pages. */
export function addList(
  task: TagTask,
  operation: Operation,
  found: Found,
  shape: Shape,
  options: Options,
  name?: string,
): void {
  const { types, scope, config, report } = task
  scope.useLibrary('Collection')
  const item = schemaDoc(types, shape, scope)!
  const view = found.envelope === undefined ? undefined : types.model.view(operation.response.schema!)
  if (view === undefined) {
    options.set('schema', collectionDoc(item, name))
  } else {
    const counts = [...view.properties].filter(
      ([name, node]) =>
        COUNTS.has(flatName(name)) &&
        types.model.isScalar(node) &&
        typesOf(types.model.resolve(node).schema)[0] !== 'string',
    )
    const countNames = counts.map(([name]) => types.field(name))
    const list = collectionDoc(item, name, countNames)
    const members = [...view.properties].map(([name, node]) => {
      const own = types.field(name)
      const isCount = countNames.includes(own)
      return memberDoc(
        own,
        name === found.envelope ? list : isCount ? '0' : besideDoc(task, node, view.required.has(name)),
      )
    })
    options.set('schema', objectDoc(members))
    report.add('inferred', 'envelope', operation.id, `a list in "${found.envelope}"`, 'the other members describe it')
  }
  const pages = inferPages(types.model, operation, found, entityIn(shape), config, report)
  if (pages !== undefined) {
    addPages(task, pages, found, options)
  }
}

/** A list. With a name, it is apart from other lists of such records that have the same arguments. */
export function collectionDoc(item: Doc, name: string | undefined, counts: readonly string[] = []): Doc {
  const options = [
    ...(name === undefined ? [] : [`name: ${quote(name)}`]),
    ...(counts.length === 0 ? [] : [`counts: [${counts.map(quote).join(', ')}]`]),
  ]
  return callDoc('new Collection', [arrayDoc([item]), ...(options.length > 0 ? [objectDoc(options)] : [])])
}

const COUNTS = new Set(['total', 'totalcount', 'count', 'totalitems', 'totalresults', 'totalelements', 'totalsize'])

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
  { field, next }: PagesConfig,
  found: Found,
  options: Options,
): void {
  const own = types.field(field)
  options.set('paginationField', quote(own))
  if (next === 'count') {
    return
  }
  // A validator does not say what it returns.
  const param = (type: string): string => (validators ? `(response: ${type})` : '(response)')
  const envelope = found.envelope === undefined ? undefined : types.field(found.envelope)
  const list = envelope === undefined ? 'response' : `response${access(envelope)}`
  const listType = (item: string): string =>
    envelope === undefined ? `${item}[]` : `${memberName(envelope)}: ${item}[]`
  const member = (path: string): string =>
    path
      .split('.')
      .map((part, index) => (index === 0 ? access(types.field(part)) : maybe(types.field(part))))
      .join('')
  const memberType = (path: string, leaf: string): string =>
    path.split('.').reduceRight((inner, part) => `{ ${memberName(types.field(part))}?: ${inner} }`, leaf)
  if (next === 'link') {
    scope.useHelper('nextLink')
    options.set('getNextPage', `${param('object')} => nextLink(response, ${quote(field)})`)
  } else if (next === 'offset') {
    const type = envelope === undefined ? 'unknown[]' : `{ ${listType('unknown')} }`
    scope.useHelper('nextOffset')
    options.set('getNextPage', `${param(type).slice(0, -1)}, params) => nextOffset(${list}, params${maybe(own)})`)
  } else if ('cursor' in next) {
    options.set('getNextPage', `${param(memberType(next.cursor, 'string | null'))} => response${member(next.cursor)}`)
  } else if ('url' in next) {
    scope.useHelper('queryOf')
    const type = memberType(next.url, 'string | null')
    options.set('getNextPage', `${param(type)} => queryOf(response${member(next.url)}, ${quote(field)})`)
  } else {
    const last = `${list}.at(-1)${maybe(types.field(next.last))}`
    const item = `{ ${memberName(types.field(next.last))}: string }`
    const type =
      envelope === undefined
        ? `${item}[]`
        : `{ ${listType(item)}${next.while ? `; ${memberName(types.field(next.while))}: boolean` : ''} }`
    const value = next.while ? `(response${member(next.while)} ? ${last} : undefined)` : last
    options.set('getNextPage', `${param(type)} => ${value}`)
  }
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
