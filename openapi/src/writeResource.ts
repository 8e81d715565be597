import type { Parameter } from './Description.ts'
import type { EntityInfo } from './Entities.ts'
import { isSurelyList } from './findRecord.ts'
import { entityIn, MEMBERS, type Member, type RecordPlan, type ResourcePlan } from './inferResources.ts'
import { Names, pascalCase } from './names.ts'
import { memberName } from './operationName.ts'
import { lastParam, operationConfig } from './paths.ts'
import { pathTemplate } from './pathTemplate.ts'
import { isReceipt } from './isReceipt.ts'
import {
  arrayDoc,
  callDoc,
  chainDoc,
  type Doc,
  type Item,
  memberOf,
  objectDoc,
  print,
  printComment,
  quote,
} from './print.ts'
import type { Operation } from './readOperations.ts'
import { memberDoc, schemaDoc } from './schemaDoc.ts'
import type { Options, TagTask } from './TagTask.ts'
import {
  addSearch,
  addUnwrap,
  bodyDoc,
  endpointClass,
  endpointDoc,
  findIn,
  keyDoc,
  noteEndpoint,
  operationComment,
  optionsDoc,
} from './writeEndpoint.ts'
import { addList, collectionDoc, nonFilterOf, pagesOf } from './writeList.ts'

/** A resource about records. */
type RecordResource = ResourcePlan & { readonly record: RecordPlan }

function isRecordResource(plan: ResourcePlan): plan is RecordResource {
  return plan.record !== undefined
}

/** Writes a resource: `resource()` for records, an object of endpoints for plain data. */
export function writeResource(task: TagTask, plan: ResourcePlan, name: string): void {
  const { types, lines } = task
  const { members, record } = plan
  const rename = (param: string): string =>
    types.field(record?.keyParam?.params.has(param) ? record.keyParam.field : param)
  // One endpoint of records has nothing to keep in step with others: an object does.
  const isPlain = !isRecordResource(plan) || plan.record.fitting.size < 2
  const doc = isPlain
    ? objectDoc(ownItems(task, plan, [...members.keys()], name, rename))
    : resourceDoc(task, plan, name, rename)
  const facts = MEMBERS.flatMap((member) => {
    const operation = !isPlain && record?.fitting.has(member) ? members.get(member) : undefined
    const summary = operation?.raw.summary?.trim().replace(/\.$/, '')
    const note = operation?.raw.deprecated ? ' (deprecated)' : ''
    return operation
      ? [`- \`${member}\`: ${operation.method.toUpperCase()} ${operation.path}${summary ? `, ${summary}` : ''}${note}`]
      : []
  })
  const kinds = record?.shape.kind === 'union' ? [...record.shape.members.values()] : record ? [record.entity] : []
  const subject = kinds.map((kind) => types.className(kind)).join(' and ') || `\`${plan.collection}\``
  lines.push(
    `${printComment([`Endpoints of ${subject}.`, ...facts].join('\n'))}${print([`export const ${name} = `, doc])}\n`,
  )
}

function resourceDoc(task: TagTask, plan: RecordResource, name: string, rename: (param: string) => string): Doc {
  const { types, scope } = task
  const { members, record } = plan
  const fitting = new Map([...members].filter(([member]) => record.fitting.has(member)))
  const [first] = fitting.values()
  const options: Options = new Map()
  const sample = fitting.get('get') ?? first!
  const suffix = sample.path.slice(sample.place.length)
  const itemPath = plan.itemPath ?? `${plan.collection}/{${itemParam(record.entity, plan.collection)}}`
  const template = pathTemplate({ ...sample, path: itemPath + suffix }, rename)
  options.set('path', quote(template))
  options.set('schema', schemaDoc(types, record.shape, scope)!)
  options.set('Endpoint', endpointClass(task, fitting.values()))
  const changes = new Map<Member, Options>()
  const list = fitting.get('getList')
  if (list !== undefined) {
    addGetList(task, plan, list, name, options, changes, rename)
  }
  for (const member of ['get', 'create', 'update', 'partialUpdate', 'delete'] as const) {
    const operation = fitting.get(member)
    if (operation !== undefined) {
      noteEndpoint(task, operation, `${name}.${member}`, rename)
      changes.set(member, memberOptions(task, plan, member, operation, name))
    }
  }
  addPaths(template, fitting, changes, rename)
  shareBody(options, changes)
  scope.useLibrary('resource')
  const chain: Doc[] = [callDoc('resource', [optionsDoc(options)])]
  const changed = [...changes].filter(([, own]) => own.size > 0)
  if (changed.length > 0) {
    chain.push(callDoc('.extend', [objectDoc(changed.map(([member, own]) => memberDoc(member, optionsDoc(own))))]))
  }
  const own = ownItems(
    task,
    plan,
    [...members.keys()].filter((member) => !fitting.has(member)),
    name,
    rename,
  )
  if (own.length > 0) {
    chain.push(['.extend(() => (', objectDoc(own), '))'])
  }
  const doc = chainDoc(chain)
  const missing = MEMBERS.filter((member) => !members.has(member))
  if (missing.length === 0) {
    return doc
  }
  scope.useHelper('without')
  return callDoc('without', [doc, ...missing.map(quote)])
}

/** Adds the paths of members that are not where `resource()` expects them. */
function addPaths(
  template: string,
  members: ReadonlyMap<Member, Operation>,
  changes: ReadonlyMap<Member, Options>,
  rename: (param: string) => string,
): void {
  // As `resource()` makes it: without a slash at the end, and without a format.
  const shorter = template.slice(0, template.replace(/\/$/, '').lastIndexOf('/'))
  const list = members.get('getList')
  for (const [member, operation] of members) {
    const own = pathTemplate(operation, rename)
    // `create` follows the list.
    const base = member === 'create' && list ? pathTemplate(list, rename) : shorter
    if (own !== (member === 'getList' || member === 'create' ? base : template)) {
      changes.get(member)!.set('path', quote(own))
    }
  }
}

/** A parameter for the path of an item that the description does not have. */
function itemParam({ key }: EntityInfo, collection: string): string {
  const [field] = key
  const isFree = key.length === 1 && /^\w+$/.test(field!) && !collection.includes(`{${field}}`)
  return isFree ? field! : 'item_id'
}

/**
 * The body is an option of the resource if all members have the same one; `partialUpdate` then takes a part of it. Otherwise that of `create`
 * is, and `getList.push` takes it too. Without one, `undefined`: the fields of the entity would be spelt out in each declaration file.
 */
function shareBody(options: Options, changes: ReadonlyMap<Member, Options>): void {
  const own = (['create', 'update', 'partialUpdate'] as const).flatMap((member) => changes.get(member) ?? [])
  const create = changes.get('create')
  const texts = new Set(own.map((change) => print(change.get('body') ?? '')))
  const sharing = texts.size === 1 ? own : create ? [create] : []
  options.set('body', sharing[0]?.get('body') ?? 'undefined')
  for (const change of sharing) {
    change.delete('body')
  }
}

/** Shorter paths come first. */
export function rankOf({ collection }: ResourcePlan): string {
  return `${String(collection.length).padStart(4, '0')} ${collection}`
}

function addGetList(
  task: TagTask,
  plan: RecordResource,
  list: Operation,
  name: string,
  options: Options,
  changes: Map<Member, Options>,
  rename: (param: string) => string,
): void {
  noteEndpoint(task, list, `${name}.getList`, rename)
  const { found, shape } = findIn(task, list)!
  const own: Options = new Map()
  addSearch(task, list, typeNameOf(name, 'getList'), own)
  move('searchParams', own, options)
  const listName = ownListName(task, plan, name)
  const pages = pagesOf(task, list, found, shape)
  addList(task, list, found, shape, own, listName, pages)
  move('paginationField', own, options)
  const { shape: item } = plan.record
  const isSame = entityIn(shape)?.schema === entityIn(item)?.schema && shape.kind === item.kind
  if (isSame && found.envelope === undefined && listName === undefined) {
    own.delete('schema')
    const nonFilter = nonFilterOf(task, list, pages)
    if (nonFilter.length > 0) {
      options.set('nonFilterArgumentKeys', arrayDoc(nonFilter.map(quote)))
    }
  }
  task.validators?.add(task, list, own)
  changes.set('getList', own)
}

function move(name: string, from: Options, to: Options): void {
  const value = from.get(name)
  if (value !== undefined) {
    to.set(name, value)
    from.delete(name)
  }
}

const isRequired = ({ required }: Parameter): boolean => required === true

/**
 * The name of the list, if it is apart from others: its records live elsewhere, or another resource has a list that may have the same records
 * and arguments, such as `/orders?customer=5` and `/customers/{customer}/orders`. The shortest path needs none.
 */
function ownListName({ file, resources }: TagTask, plan: RecordResource, name: string): string | undefined {
  const isTaken = resources.some(
    (other) =>
      other !== plan &&
      other.record?.entity.table === plan.record.entity.table &&
      other.record.fitting.has('getList') &&
      other.record.fitting.size > 1 &&
      rankOf(other) < rankOf(plan) &&
      mayMeet(other.members.get('getList')!, plan.members.get('getList')!),
  )
  return isTaken || plan.record.livesElsewhere ? `${file}.${name}` : undefined
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
  plan: RecordResource,
  member: Exclude<Member, 'getList'>,
  operation: Operation,
  name: string,
): Options {
  const { types, scope, report } = task
  const options: Options = new Map()
  if (member === 'partialUpdate' && operation.method === 'post') {
    options.set('method', `'POST'`)
  }
  addSearch(task, operation, typeNameOf(name, member), options)
  // `create` follows the list, whose query is not its own.
  if (member === 'create' && operation.query.length === 0 && plan.members.get('getList')?.query.some(isRequired)) {
    options.set('searchParams', 'undefined')
  }
  if (member === 'delete') {
    addDelete(task, plan, operation, name, options)
    return options
  }
  if (member !== 'get') {
    const body = bodyDoc(task, operation, typeNameOf(name, member))
    options.set('body', body ?? 'undefined')
  }
  const own = findIn(task, operation)
  if (isReceipt(types.model, operation, member, plan.record, own?.found)) {
    // Then the store keeps what was sent, and fetches the record again.
    options.set('process', '() => null')
    const why = 'its response has no field that was sent'
    report.add('inferred', 'endpoint', operation.id, 'an update that returns no record', why)
  } else if (own !== undefined && !isSurelyList(own.found)) {
    const entity = entityIn(own.shape)
    // `create` adds to the list, whose forms are those of the same record.
    if (member !== 'create' && entity !== undefined && entity.schema !== entityIn(plan.record.shape)!.schema) {
      options.set('schema', schemaDoc(types, own.shape, scope)!)
    }
    addUnwrap(task, own.found, options)
  } else if (own !== undefined) {
    report.add('unsure', 'endpoint', operation.id, member, 'its response is a list')
  }
  task.validators?.add(task, operation, options)
  return options
}

/** A delete removes the record from the store, if its arguments or its response say which one it is; one that lives elsewhere leaves the list. */
function addDelete(task: TagTask, plan: RecordResource, operation: Operation, name: string, options: Options): void {
  const { types, scope } = task
  const { entity, keyParam, livesElsewhere } = plan.record
  if (operation.body?.required) {
    options.set('body', bodyDoc(task, operation, `${name}Delete`) ?? 'undefined')
  }
  const own = findIn(task, operation)
  const isRecord = own !== undefined && !isSurelyList(own.found) && entityIn(own.shape)?.table === entity.table
  if (isRecord) {
    addUnwrap(task, own.found, options)
  } else if (keyParam?.params.has(lastParam(operation))) {
    if (operation.response.content !== undefined) {
      // The response is no record: the arguments name it.
      options.set('process', '(_response, params) => params')
    }
  } else {
    options.set('process', keyDoc(types.field(lastParam(operation)), types.field(entity.key[0]!)))
  }
  if (livesElsewhere && plan.record.fitting.has('getList')) {
    const list = findIn(task, plan.members.get('getList')!)!
    const item = schemaDoc(types, list.shape, scope)!
    scope.useLibrary('Collection')
    options.set('schema', memberOf(collectionDoc(item, { name: `${task.file}.${name}` }), 'remove'))
  }
}

/** Members that are endpoints of their own, and further actions. */
function ownItems(
  task: TagTask,
  plan: ResourcePlan,
  members: readonly Member[],
  name: string,
  rename: (param: string) => string,
): Item[] {
  const names = new Names([...MEMBERS, 'extend'])
  const item = (own: string, operation: Operation, typeName: string): Item => ({
    doc: memberDoc(own, endpointDoc(task, operation, typeName, rename, `${name}.${own}`)),
    comment: operationComment(operation),
  })
  return [
    ...MEMBERS.filter((member) => members.includes(member)).map((member) =>
      item(member, plan.members.get(member)!, typeNameOf(name, member)),
    ),
    ...plan.actions.map((operation) => {
      const { name: given } = operationConfig(operation, task.config)
      const own =
        given === undefined
          ? names.take(memberName(operation, plan.collection), operation.name, `${operation.name}Item`)
          : names.takeGiven(given, operation.id)
      return item(own, operation, `${name}${pascalCase(own)}`)
    }),
  ]
}

/** The beginning of the names of types that belong to a member: `PetsList`. */
function typeNameOf(name: string, member: Member): string {
  return name + (member === 'getList' ? 'List' : pascalCase(member))
}
