import type { Config } from './config.ts'
import { FileScope, type Layout } from './FileScope.ts'
import { operationConfig } from './paths.ts'
import { entityIn, MEMBERS, type Member, type ResourcePlan } from './inferResources.ts'
import { Names, pascalCase, pathName, RESERVED_TYPES, RESERVED_VALUES, singularName } from './names.ts'
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
  resources: readonly ResourcePlan[],
): { readonly text: string; readonly scope: FileScope } {
  const scope = new FileScope(file, types, layout)
  const typeNames = new Names([...RESERVED_TYPES, ...types.allNames()])
  const names = new Names([...RESERVED_VALUES, ...types.allNames()])
  const resourceNames = nameResources(items, names, config)
  const operations = items.filter((item) => 'method' in item)
  const endpointNames = nameEndpoints(operations, names, config)
  const task: TagTask = {
    file,
    types,
    scope,
    config,
    report,
    typeNames,
    validators,
    resources,
    lines: [],
    lists: new Map(),
  }
  for (const operation of operations) {
    const own = operation.method === 'get' ? findIn(task, operation) : undefined
    if (own?.found.isList && entityIn(own.shape)) {
      task.lists.set(operation.place, { name: endpointNames.get(operation)!, shape: own.shape })
    }
  }
  for (const item of items) {
    if ('itemPath' in item) {
      writeResource(task, item, resourceNames.get(item)!)
    } else {
      writeEndpoint(task, item, endpointNames.get(item)!)
    }
  }
  const code = task.lines.join('\n')
  return { text: scope.print(code) + code, scope }
}

function nameEndpoints(operations: readonly Operation[], names: Names, config: Config): Map<Operation, string> {
  return new Map(
    operations.map((operation) => {
      const { name, tag } = operation
      const own = operationConfig(operation, config).name ?? name
      return [operation, names.take(own, `${name}${pascalCase(singularName(tag))}`)]
    }),
  )
}

function writeEndpoint(task: TagTask, operation: Operation, name: string): void {
  const { types, lines } = task
  const typeName = pascalCase(name)
  const comment = operationComment(operation)
  const rename = (param: string): string => types.field(param)
  const list = operation.method === 'post' ? task.lists.get(operation.place) : undefined
  const own = list && findIn(task, operation)
  let doc: Doc
  if (own && !own.found.isList && entityIn(own.shape)?.table === entityIn(list.shape)!.table) {
    const options: Options = new Map()
    const body = bodyDoc(task, operation, typeName)
    if (body !== undefined) {
      options.set('body', body)
    }
    addUnwrap(task, own.found, options)
    task.validators?.add(task, operation, options)
    doc = callDoc(`${list.name}.push.extend`, [optionsDoc(options)])
  } else {
    const options = endpointOptions(task, operation, typeName, rename, name)
    doc = callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
  }
  lines.push(`${comment ? printComment(comment) : ''}${print([`export const ${name} = `, doc])}\n`)
}

function writeResource(task: TagTask, plan: ResourcePlan, name: string): void {
  const { types, lines } = task
  const { members, keyParam } = plan
  const rename = (param: string): string => types.field(param === keyParam?.param ? keyParam.field : param)
  const doc = members.size === 1 ? plainResourceDoc(task, plan, name, rename) : resourceDoc(task, plan, name, rename)
  const facts = MEMBERS.flatMap((member) => {
    const operation = members.get(member)
    const summary = operation?.raw.summary?.trim().replace(/\.$/, '')
    const note = operation?.raw.deprecated ? ' (deprecated)' : ''
    return operation
      ? [`- \`${member}\`: ${operation.method.toUpperCase()} ${operation.path}${summary ? `, ${summary}` : ''}${note}`]
      : []
  })
  const kinds = plan.shape.kind === 'union' ? [...plan.shape.members.values()] : [plan.entity]
  const comment = [`Endpoints of ${kinds.map((kind) => types.className(kind)).join(' and ')}.`, ...facts].join('\n')
  lines.push(`${printComment(comment)}${print([`export const ${name} = `, doc])}\n`)
}

/** One endpoint and further actions have nothing to keep in step: an object does. */
function plainResourceDoc(task: TagTask, plan: ResourcePlan, name: string, rename: (param: string) => string): Doc {
  const [[member, operation]] = [...plan.members] as [[Member, Operation]]
  const options = endpointOptions(
    task,
    operation,
    name + (member === 'get' ? 'Get' : 'List'),
    rename,
    `${name}.${member}`,
  )
  const value = callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
  return objectDoc([memberDoc(member, value), ...actionItems(task, plan, name, rename)])
}

function resourceDoc(task: TagTask, plan: ResourcePlan, name: string, rename: (param: string) => string): Doc {
  const { types, scope } = task
  const { members } = plan
  const first = members.get('get') ?? [...members.values()].find(({ place }) => place === plan.itemPath)!
  const options: Options = new Map()
  const suffix = first.path.endsWith('/') ? '/' : ''
  options.set('path', quote(pathTemplate({ ...first, path: plan.itemPath + suffix }, rename)))
  options.set('schema', schemaDoc(types, plan.shape, scope)!)
  options.set('Endpoint', endpointClass(task, members.values()))
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
  scope.useLibrary('resource')
  const chain: Doc[] = [callDoc('resource', [optionsDoc(options)])]
  const changed = [...changes].filter(([, own]) => own.size > 0)
  if (changed.length > 0) {
    chain.push(callDoc('.extend', [objectDoc(changed.map(([member, own]) => memberDoc(member, optionsDoc(own))))]))
  }
  if (plan.actions.length > 0) {
    chain.push(['.extend(() => (', objectDoc(actionItems(task, plan, name, rename)), '))'])
  }
  const doc = chainDoc(chain)
  const missing = MEMBERS.filter((member) => !members.has(member))
  if (missing.length === 0) {
    return doc
  }
  scope.useHelper('without')
  return callDoc('without', [doc, ...missing.map(quote)])
}

/** One body for all members is an option of the resource; `partialUpdate` then takes a part of it. */
function shareBody(options: Options, changes: ReadonlyMap<Member, Options>): void {
  const own = (['create', 'update', 'partialUpdate'] as const).flatMap((member) => changes.get(member) ?? [])
  const texts = new Set(own.map((change) => print(change.get('body') ?? '')))
  const body = own[0]?.get('body')
  if (texts.size !== 1 || body === undefined || body === 'undefined') {
    return
  }
  options.set('body', body)
  for (const change of own) {
    change.delete('body')
  }
}

/** Names the resources of a file by their paths alone, so that a new one renames no other. */
function nameResources(items: readonly TagItem[], names: Names, config: Config): Map<ResourcePlan, string> {
  const plans = items.filter((item) => 'itemPath' in item)
  return new Map(
    plans.map((plan) => {
      const configured = config.resources?.[plan.itemPath]
      const name = typeof configured === 'string' ? configured : pathName(plan.collection)
      // `/user/keys` and `/users/{name}/keys`, or `/gists` and `/gists/{id}/{sha}`.
      const param = plan.itemPath.slice(plan.itemPath.lastIndexOf('{'))
      const others = [pathName(plan.collection, (part) => part), `${name}By${pascalCase(param)}`]
      return [plan, names.take(name, ...others)]
    }),
  )
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
  const listName = ownListName(task, plan, name)
  addList(task, list, found, shape, own, listName)
  const pagination = own.get('paginationField')
  if (pagination !== undefined) {
    options.set('paginationField', pagination)
    own.delete('paginationField')
  }
  const isSame = entityIn(shape)?.schema === entityIn(plan.shape)?.schema && shape.kind === plan.shape.kind
  if (isSame && found.envelope === undefined && listName === undefined) {
    own.delete('schema')
  }
  task.validators?.add(task, list, own)
  const template = pathTemplate(list, (param) => types.field(param))
  if (list.path.endsWith('/') !== (plan.members.get('get')?.path.endsWith('/') ?? false)) {
    own.set('path', quote(template))
  }
  changes.set('getList', own)
}

/**
 * The name of the list, if another resource has one that may have the same records and arguments: `/orders?customer=5` and
 * `/customers/{customer}/orders`. The shortest path needs none.
 */
function ownListName({ file, resources }: TagTask, plan: ResourcePlan, name: string): string | undefined {
  const rank = ({ collection }: ResourcePlan): string => `${String(collection.length).padStart(4, '0')} ${collection}`
  const isTaken = resources.some(
    (other) =>
      other !== plan &&
      other.entity.table === plan.entity.table &&
      other.members.has('getList') &&
      rank(other) < rank(plan) &&
      mayMeet(other.members.get('getList')!, plan.members.get('getList')!),
  )
  return isTaken ? `${file}.${name}` : undefined
}

/** True if two lists may have the same arguments: what one needs, the other one takes. */
function mayMeet(a: Operation, b: Operation): boolean {
  const takes = ({ pathParams, query }: Operation): Set<string> =>
    new Set([...pathParams, ...query].map(({ name }) => name))
  const needs = ({ pathParams, query }: Operation): string[] =>
    [...pathParams, ...query.filter(({ required }) => required)].map(({ name }) => name)
  const [ofA, ofB] = [takes(a), takes(b)]
  return needs(a).every((name) => ofB.has(name)) && needs(b).every((name) => ofA.has(name))
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

function actionItems(task: TagTask, plan: ResourcePlan, name: string, rename: (param: string) => string): Item[] {
  const names = new Names([...MEMBERS, 'extend'])
  return plan.actions.map((operation) => {
    const own = names.take(operationConfig(operation, task.config).name ?? operation.name, `${operation.name}Item`)
    const options = endpointOptions(task, operation, `${name}${pascalCase(own)}`, rename, `${name}.${own}`)
    const value = callDoc(`new ${endpointClass(task, [operation])}`, [optionsDoc(options)])
    return { doc: memberDoc(own, value), comment: operationComment(operation) }
  })
}
