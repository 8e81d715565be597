import type { Config } from './config.ts'
import { FileScope, type Layout } from './FileScope.ts'
import { operationConfig } from './paths.ts'
import { entityIn, MEMBERS, type Member, type ResourcePlan } from './inferResources.ts'
import { Names, pascalCase, plural, RESERVED_TYPES, RESERVED_VALUES, singularName, wordsOf } from './names.ts'
import { pathTemplate } from './pathTemplate.ts'
import {
  access,
  callDoc,
  chainDoc,
  type Doc,
  type Item,
  memberName,
  objectDoc,
  print,
  printComment,
  quote,
} from './print.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import { memberDoc, schemaDoc } from './schemaDoc.ts'
import type { Options, TagTask } from './TagTask.ts'
import type { Types } from './Types.ts'
import type { Validators } from './Validators.ts'
import {
  addUnwrap,
  bodyDoc,
  endpointClass,
  endpointOptions,
  findIn,
  operationComment,
  optionsDoc,
  searchParams,
} from './writeEndpoint.ts'
import { addList } from './writeList.ts'

/** The parts of a tag, in the order of the description. */
export type TagItem = ResourcePlan | Operation

/** Writes the file of a tag: its resources and endpoints. */
export function writeTag(
  file: string,
  items: readonly TagItem[],
  types: Types,
  layout: Layout,
  config: Config,
  report: Report,
  validators: Validators | undefined,
): { readonly text: string; readonly scope: FileScope } {
  const scope = new FileScope(file, types, layout)
  const typeNames = new Names([...RESERVED_TYPES, ...types.allNames()])
  const task: TagTask = { types, scope, config, report, typeNames, validators, lines: [] }
  const names = new Names([...RESERVED_VALUES, ...types.allNames()])
  const lists = new Map<string, string>()
  const resources = nameResources(items, names, config)
  for (const item of items) {
    if ('itemPath' in item) {
      writeResource(task, item, resources.get(item)!)
    } else {
      writeEndpoint(task, item, names, lists)
    }
  }
  const code = task.lines.join('\n')
  return { text: scope.print(code) + code, scope }
}

function writeEndpoint(task: TagTask, operation: Operation, names: Names, lists: Map<string, string>): void {
  const { types, config, lines } = task
  const subject = pascalCase(singularName(operation.tag))
  const name = names.take(operationConfig(operation, config).name ?? operation.name, `${operation.name}${subject}`)
  const typeName = pascalCase(name)
  const comment = operationComment(operation)
  const rename = (param: string): string => types.field(param)
  const own = findIn(task, operation)
  const list = operation.method === 'post' ? lists.get(operation.place) : undefined
  const isCreated = own !== undefined && !own.found.isList && entityIn(own.shape)?.table === list?.split(' ')[1]
  let doc: Doc
  if (list !== undefined && isCreated) {
    const options: Options = new Map()
    const body = bodyDoc(task, operation, typeName)
    if (body !== undefined) {
      options.set('body', body)
    }
    addUnwrap(task, own.found, options)
    task.validators?.add(task, operation, options)
    doc = callDoc(`${list.split(' ')[0]}.push.extend`, [optionsDoc(options)])
  } else {
    const options = endpointOptions(task, operation, typeName, rename)
    doc = callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
    if (operation.method === 'get' && own?.found.isList && entityIn(own.shape)) {
      lists.set(operation.place, `${name} ${entityIn(own.shape)!.table}`)
    }
  }
  lines.push(`${comment ? printComment(comment) : ''}${print([`export const ${name} = `, doc])}\n`)
}

function writeResource(task: TagTask, plan: ResourcePlan, name: string): void {
  const { types, scope, lines } = task
  const { members, entity, keyParam } = plan
  const rename = (param: string): string => types.field(param === keyParam?.param ? keyParam.field : param)
  const first = members.get('get') ?? [...members.values()].find((operation) => operation.place === plan.itemPath)!
  const options: Options = new Map()
  const suffix = first.path.endsWith('/') ? '/' : ''
  options.set('path', quote(pathTemplate({ ...first, path: plan.itemPath + suffix }, rename)))
  options.set('schema', schemaDoc(types, plan.shape, scope)!)
  const all = [...members.values()]
  options.set('Endpoint', endpointClass(task, all))
  const changes = new Map<Member, Options>()
  const list = members.get('getList')
  if (list !== undefined) {
    addGetList(task, plan, list, name, options, changes)
  }
  for (const member of ['get', 'create', 'update', 'partialUpdate', 'delete'] as const) {
    const operation = members.get(member)
    if (operation !== undefined) {
      changes.set(member, memberOptions(task, plan, member, operation, name))
    }
  }
  shareBody(options, changes)
  const base = callDoc('resource', [optionsDoc(options)])
  scope.useLibrary('resource')
  const chain: Doc[] = [base]
  const changed = [...changes].filter(([, own]) => own.size > 0)
  if (changed.length > 0) {
    chain.push(callDoc('.extend', [objectDoc(changed.map(([member, own]) => memberDoc(member, optionsDoc(own))))]))
  }
  if (plan.actions.length > 0) {
    chain.push(actionsDoc(task, plan, name, rename))
  }
  const missing = MEMBERS.filter((member) => !members.has(member))
  let doc = chainDoc(chain)
  if (missing.length > 0) {
    scope.useHelper('without')
    doc = callDoc('without', [doc, ...missing.map(quote)])
  }
  const facts = MEMBERS.flatMap((member) => {
    const operation = members.get(member)
    const summary = operation?.raw.summary?.trim().replace(/\.$/, '')
    const note = operation?.raw.deprecated ? ' (deprecated)' : ''
    return operation
      ? [`- \`${member}\`: ${operation.method.toUpperCase()} ${operation.path}${summary ? `, ${summary}` : ''}${note}`]
      : []
  })
  const kinds = plan.shape.kind === 'union' ? [...plan.shape.members.values()] : [entity]
  const comment = [`Endpoints of ${kinds.map((kind) => types.className(kind)).join(' and ')}.`, ...facts].join('\n')
  lines.push(`${printComment(comment)}${print([`export const ${name} = `, doc])}\n`)
}

/** One body for all members is an option of the resource; `partialUpdate` then takes a part of it. */
function shareBody(options: Options, changes: ReadonlyMap<Member, Options>): void {
  const own = (['create', 'update', 'partialUpdate'] as const).flatMap((member) => changes.get(member) ?? [])
  const texts = new Set(own.map((change) => print(change.get('body') ?? '')))
  const [text] = texts
  if (texts.size !== 1 || text === 'undefined' || text === '') {
    return
  }
  options.set('body', text!)
  for (const change of own) {
    change.delete('body')
  }
}

/** Names the resources of a file: the shortest path gets the shortest name. */
function nameResources(items: readonly TagItem[], names: Names, config: Config): Map<ResourcePlan, string> {
  const plans = items.filter((item) => 'itemPath' in item)
  const lengthOf = ({ itemPath }: ResourcePlan): number => itemPath.split('/').length
  const named = new Map<ResourcePlan, string>()
  for (const plan of plans.sort((a, b) => lengthOf(a) - lengthOf(b))) {
    const configured = config.resources?.[plan.itemPath]
    const segments = plan.collection.split('/').filter((part) => part !== '' && !part.startsWith('{'))
    const own = segments.at(-1) ?? 'items'
    const words = wordsOf(own)
    const many = [...words.slice(0, -1), plural(words.at(-1) ?? own)].join('-')
    const long = [...segments.slice(-2, -1).map(singularName), many].join('-')
    const wanted = typeof configured === 'string' ? configured : pascalCase(own)
    named.set(plan, names.take(wanted, pascalCase(many), pascalCase(long), `${pascalCase(many)}Resource`))
  }
  return named
}

function addGetList(
  task: TagTask,
  plan: ResourcePlan,
  list: Operation,
  name: string,
  options: Options,
  changes: Map<Member, Options>,
): void {
  const { types } = task
  const { found, shape } = findIn(task, list)!
  const search = searchParams(task, list, `${name}List`)
  if (search !== undefined) {
    options.set('searchParams', search)
  }
  const own: Options = new Map()
  addList(task, list, found, shape, own)
  const pagination = own.get('paginationField')
  if (pagination !== undefined) {
    options.set('paginationField', pagination)
    own.delete('paginationField')
  }
  const isSame = entityIn(shape)?.schema === entityIn(plan.shape)?.schema && shape.kind === plan.shape.kind
  if (isSame && found.envelope === undefined) {
    own.delete('schema')
  }
  task.validators?.add(task, list, own)
  const template = pathTemplate(list, (param) => types.field(param))
  if (list.path.endsWith('/') !== plan.members.get('get')?.path.endsWith('/') && plan.members.has('get')) {
    own.set('path', quote(template))
  }
  changes.set('getList', own)
}

function memberOptions(
  task: TagTask,
  plan: ResourcePlan,
  member: Exclude<Member, 'getList'>,
  operation: Operation,
  name: string,
): Options {
  const { types, scope, report } = task
  const options: Options = new Map()
  if (member === 'partialUpdate' && operation.method === 'post') {
    options.set('method', `'POST'`)
  }
  if (member === 'get' && operation.query.length > 0) {
    const search = searchParams(task, operation, `${name}Get`)
    if (search !== undefined) {
      options.set('searchParams', search)
    }
  }
  if (member === 'delete') {
    addDelete(task, plan, operation, name, options)
    return options
  }
  if (member !== 'get') {
    const typeName = `${name}${member === 'create' ? 'Create' : member === 'update' ? 'Update' : 'PartialUpdate'}`
    const body = bodyDoc(task, operation, typeName)
    options.set('body', body ?? 'undefined')
  }
  const own = findIn(task, operation)
  if (own !== undefined && !own.found.isList) {
    const entity = entityIn(own.shape)
    // `create` adds to the list, whose forms are those of the same record.
    if (member !== 'create' && entity !== undefined && entity.schema !== entityIn(plan.shape)!.schema) {
      options.set('schema', schemaDoc(types, own.shape, scope)!)
    }
    addUnwrap(task, own.found, options)
  } else if (own !== undefined) {
    report.add('unsure', 'endpoint', operation.id, member, 'its response is a list')
  }
  task.validators?.add(task, operation, options)
  return options
}

/** A delete removes the record from the store, if its arguments or its response say which one it is. */
function addDelete(
  { types, report, ...task }: TagTask,
  plan: ResourcePlan,
  operation: Operation,
  name: string,
  options: Options,
): void {
  const whole = { types, report, ...task }
  const { entity, keyParam, itemPath } = plan
  const param = itemPath.slice(itemPath.lastIndexOf('/') + 2, -1)
  const search = searchParams(whole, operation, `${name}Delete`)
  if (search !== undefined) {
    options.set('searchParams', search)
  }
  if (operation.body?.required) {
    options.set('body', bodyDoc(whole, operation, `${name}Delete`) ?? 'undefined')
  }
  const own = findIn(whole, operation)
  const isRecord = own !== undefined && !own.found.isList && entityIn(own.shape)?.table === entity.table
  if (isRecord) {
    addUnwrap(whole, own.found, options)
  } else if (keyParam !== undefined || entity.scope.length > 0) {
    if (operation.response.content !== undefined) {
      // The response is no record: the arguments name it.
      options.set('process', '(_response, params) => params')
    }
  } else if (entity.key.length === 1 && itemPath.includes(`{${entity.key[0]}}`) && param !== entity.key[0]) {
    const field = types.field(entity.key[0]!)
    options.set('process', `(_response, params) => ({ ${memberName(field)}: params${access(types.field(param))} })`)
  } else {
    options.set('schema', 'undefined')
    options.set('process', '() => undefined')
    const why = `{${param}} is not the key "${entity.key.join(', ')}", so the store cannot know which record is gone; refetch the lists`
    report.add('unsure', 'endpoint', operation.id, 'a delete without a record', why)
  }
}

function actionsDoc(task: TagTask, plan: ResourcePlan, name: string, rename: (param: string) => string): Doc {
  const { config } = task
  const names = new Names([...MEMBERS, 'extend'])
  const items = plan.actions.map((operation): Item => {
    const own = names.take(operationConfig(operation, config).name ?? operation.name, `${operation.name}Item`)
    const options = endpointOptions(task, operation, `${name}${pascalCase(own)}`, rename)
    const value = callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
    return { doc: memberDoc(own, value), comment: operationComment(operation) }
  })
  return ['.extend(() => (', objectDoc(items), '))']
}
