import { commentOf, memberComment } from './comment.ts'
import type { JsonSchema, Parameter } from './Description.ts'
import { type Found, findRecord, isSurelyList, itemOf } from './findRecord.ts'
import { entityIn } from './inferResources.ts'
import { RESERVED_VALUES } from './names.ts'
import { collectionOf, envelopeOf, isParam, lastParam, subjectOf } from './paths.ts'
import { pathTemplate } from './pathTemplate.ts'
import {
  access,
  callDoc,
  type Doc,
  type Item,
  memberName,
  objectDoc,
  print,
  printComment,
  quote,
  unionDoc,
} from './print.ts'
import type { Operation } from './readOperations.ts'
import { memberDoc, schemaDoc } from './schemaDoc.ts'
import { stylesOf } from './searchStyles.ts'
import type { Shape } from './Shapes.ts'
import type { Options, TagTask } from './TagTask.ts'
import { addList, isDirect, pagesOf, typedDoc } from './writeList.ts'

/** Declares an interface in the file, and returns its name. */
export function declareInterface(
  { typeNames, lines }: TagTask,
  wanted: string,
  members: readonly Item[],
  comment?: string,
): string {
  const name = typeNames.take(wanted)
  const body = members.map(({ doc, comment: own }) => `${own ? printComment(own, 2) : ''}  ${print(doc, 2)}\n`)
  lines.push(`${comment ? printComment(comment) : ''}export interface ${name} {\n${body.join('')}}\n`)
  return name
}

/** Adds the type of the query of an operation, `searchParams: {} as ListParams | undefined`, and how it is written. */
export function addSearch(task: TagTask, operation: Operation, name: string, options: Options): void {
  const { types, scope } = task
  if (operation.query.length === 0) {
    return
  }
  const items = operation.query.map((parameter): Item => {
    const type = types.data(schemaOf(parameter), scope)
    const own = memberName(types.field(parameter.name))
    const doc: Doc = parameter.required
      ? [`${own}: `, type]
      : [`${own}?: `, type === 'unknown' ? type : unionDoc([type, 'undefined'])]
    return { doc, comment: memberComment(parameter) }
  })
  const declared = declareInterface(task, `${name}Params`, items)
  const isOptional = operation.query.every(({ required }) => !required)
  options.set('searchParams', ['{} as ', isOptional ? unionDoc([declared, 'undefined']) : declared])
  const styles = [...stylesOf(types.model, operation)]
  if (styles.some(([param, style]) => style !== task.styles.get(param))) {
    const own = styles.flatMap(([param, style]) => (style ? [`${memberName(param)}: ${quote(style)}`] : []))
    scope.useHelper('searchOf')
    options.set('searchToString', ['(params) => ', callDoc('searchOf', ['params', objectDoc(own)])])
  }
}

function schemaOf({ schema, content }: Parameter): JsonSchema {
  return schema ?? Object.values(content ?? {})[0]?.schema ?? {}
}

/** The type of the body: `{} as CreateBody`, or `undefined` if the method has one and the operation does not. */
export function bodyDoc(task: TagTask, operation: Operation, name: string): Doc | undefined {
  const { types, scope } = task
  const { body, method } = operation
  if (body === undefined) {
    return method === 'post' || method === 'put' || method === 'patch' ? 'undefined' : undefined
  }
  if (method === 'get' || method === 'head') {
    return undefined
  }
  switch (body.kind) {
    case 'multipart':
      return '{} as FormData'
    case 'text':
      return `'' as string`
    case 'binary':
      return '{} as Blob'
  }
  const { name: named, schema } = types.model.resolve(body.schema)
  const view = named === undefined ? types.model.view(schema) : undefined
  if (view === undefined || view.properties.size === 0) {
    const type = types.data(body.schema, scope)
    return type === 'unknown' ? '{} as unknown' : ['{} as ', type]
  }
  const members = types.members(view, 'data', scope)
  return `{} as ${declareInterface(task, `${name}Body`, members)}`
}

/** Finds the record or the list in the response of an operation. */
export function findIn({ types, config }: TagTask, operation: Operation): { found: Found; shape: Shape } | undefined {
  const collection = isParam(operation.segments.at(-1)) ? collectionOf(operation) : operation.place
  const found = findRecord(types.model, operation.response.schema, subjectOf(collection), envelopeOf(operation, config))
  return found && { found, shape: types.shapeOf(found.schema) }
}

/** Adds the options that describe the response: schema, `process`, `content` and pages. */
function addResponse(
  task: TagTask,
  operation: Operation,
  options: Options,
  typeName: string,
  name: string,
  rename: (param: string) => string,
): void {
  const { types, scope } = task
  const { schema, content } = operation.response
  if (content === undefined) {
    if (operation.method === 'delete' && addInvalidate(task, operation, options, rename)) {
      return
    }
    options.set('process', '() => undefined')
    return
  }
  if (content !== 'json') {
    options.set('content', quote(content))
    return
  }
  const own = findIn(task, operation)
  const isRecord = own !== undefined && entityIn(own.shape) !== undefined
  if (own !== undefined && isRecord && own.found.isList && operation.method === 'get') {
    addList(task, operation, own.found, own.shape, options, `${task.file}.${name}`)
    return
  }
  if (operation.method === 'delete' && addInvalidate(task, operation, options, rename)) {
    return
  }
  if (own?.found.isList && operation.method === 'get') {
    const pages = pagesOf(task, operation, own.found, own.shape)
    // Without pages, a list of plain data needs no place in the store.
    if (pages !== undefined) {
      addList(task, operation, own.found, own.shape, options, `${task.file}.${name}`, pages)
      return
    }
  }
  if (own !== undefined && isRecord && !isSurelyList(own.found)) {
    options.set('schema', schemaDoc(types, own.shape, scope)!)
    addUnwrap(task, own.found, options)
    return
  }
  const shape = schema ? types.shapeOf(schema) : ({ kind: 'plain' } as const)
  const value = schemaDoc(types, shape, scope)
  if (value === undefined || schema === undefined) {
    const type = schema ? responseType(task, schema, shape, typeName) : 'unknown'
    options.set('process', ['(value: ', type, ') => value'])
  } else {
    options.set('schema', isDirect(shape) ? value : typedDoc(task, responseType(task, schema, shape, typeName), value))
  }
}

/** The type of a response. An object that is described in place gets a name. */
function responseType(task: TagTask, schema: JsonSchema, shape: Shape, typeName: string): Doc {
  const { types, scope } = task
  const { model } = types
  const item = itemOf(model, schema)
  const object = item ?? schema
  const view =
    model.resolve(schema).name === undefined && model.resolve(object).name === undefined
      ? model.view(object)
      : undefined
  const inner = shape.kind === 'list' ? shape.item : shape
  if (view === undefined || view.properties.size === 0 || (inner.kind !== 'object' && inner.kind !== 'plain')) {
    return types.read(schema, scope, shape)
  }
  const relations = inner.kind === 'object' ? inner.members : undefined
  const members = types.members(view, 'read', scope, relations)
  const name = declareInterface(task, `${typeName}${item ? 'Item' : 'Response'}`, members)
  const own = item && model.isNullable(item) ? `(${name} | null)[]` : item ? `${name}[]` : name
  return model.isNullable(schema) ? unionDoc([own, 'null']) : own
}

/** A delete of an item whose path names its key removes the record. Returns whether it does. */
function addInvalidate(
  { types, scope, resources }: TagTask,
  operation: Operation,
  options: Options,
  rename: (param: string) => string,
): boolean {
  const record = resources.find(({ members }) => members.get('delete') === operation)?.record
  if (record === undefined || record.livesElsewhere || !record.fitting.has('delete')) {
    return false
  }
  scope.useLibrary('Invalidate')
  options.set('schema', ['new Invalidate(', schemaDoc(types, record.shape, scope)!, ')'])
  options.set('process', keyDoc(rename(lastParam(operation)), types.field(record.entity.key[0]!)))
  return true
}

/** Makes a record of the arguments: `(_response, { petId: id }) => ({ id })`. */
export function keyDoc(param: string, key: string): string {
  const taken = param === key ? param : `${memberName(param)}: ${key}`
  return memberName(key) === key && !RESERVED_VALUES.includes(key)
    ? `(_response, { ${taken} }) => ({ ${key} })`
    : `(_response, params) => ({ ${quote(key)}: params${access(param)} })`
}

/** A single record leaves its envelope, so that mutations and lists see the record alone. */
export function addUnwrap({ scope }: TagTask, { envelope, isList }: Found, options: Options): void {
  const names = envelope?.split('.').map(quote).join(', ')
  if (names !== undefined) {
    scope.useHelper('unwrap')
  }
  if (isList) {
    // The description does not say whether it is one or several.
    scope.useHelper('firstOf')
    options.set('process', names === undefined ? 'firstOf' : `(value: unknown) => firstOf(unwrap(${names})(value))`)
  } else if (names !== undefined) {
    options.set('process', `unwrap(${names})`)
  }
}

/** All options of an endpoint that stands alone. */
function endpointOptions(
  task: TagTask,
  operation: Operation,
  typeName: string,
  rename: (param: string) => string,
  name: string,
): Options {
  const options: Options = new Map()
  options.set('path', quote(pathTemplate(operation, rename)))
  if (operation.method !== 'get') {
    options.set('method', quote(operation.method.toUpperCase()))
  }
  addSearch(task, operation, typeName, options)
  const body = bodyDoc(task, operation, typeName)
  if (body !== undefined) {
    options.set('body', body)
  }
  addResponse(task, operation, options, typeName, name, rename)
  task.validators?.add(task, operation, options)
  return options
}

/** Notes where the endpoint of an operation is, and how its path parameters are called there. */
export function noteEndpoint(
  { endpoints, params }: TagTask,
  operation: Operation,
  name: string,
  rename: (param: string) => string,
): void {
  endpoints.set(operation, name)
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, param]) => param!)
  params.set(operation, Object.fromEntries(names.map((param) => [param, rename(param)])))
}

/** An endpoint that stands alone. */
export function endpointDoc(
  task: TagTask,
  operation: Operation,
  typeName: string,
  rename: (param: string) => string,
  name: string,
): Doc {
  noteEndpoint(task, operation, name, rename)
  const options = endpointOptions(task, operation, typeName, rename, name)
  return callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
}

export function optionsDoc(options: Options): Doc {
  return objectDoc([...options].map(([name, value]) => memberDoc(name, value)))
}

/** The class of an endpoint: forms are encoded by one of their own. */
export function endpointClass({ scope }: TagTask, operations: Iterable<Operation>): string {
  const isForm = [...operations].some(({ body }) => body?.kind === 'form')
  const name = isForm ? 'FormApi' : 'Api'
  scope.useHelper(name)
  return name
}

export function operationComment({ raw, method, path }: Operation): string | undefined {
  const note = `\`${method.toUpperCase()} ${path}\``
  return commentOf(raw, note)
}
