import type { Config } from './config.ts'
import type { JsonSchema } from './Description.ts'
import type { EntityInfo } from './Entities.ts'
import { type Found, findRecord, isSurelyList } from './findRecord.ts'
import { isNamedBy } from './inferEntities.ts'
import { typesOf } from './Model.ts'
import { flatName, isPlural } from './names.ts'
import { isReceipt } from './isReceipt.ts'
import { memberName } from './print.ts'
import { collectionOf, envelopeOf, isParam, lastParam, operationConfig, subjectOf } from './paths.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import type { Shape } from './Shapes.ts'
import type { Types } from './Types.ts'

export const MEMBERS = ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'] as const
export type Member = (typeof MEMBERS)[number]

/** Operations that make a resource. */
export interface ResourcePlan {
  readonly tag: string
  /** The path of a list, without the parameter of an item. */
  readonly collection: string
  /** The path of an item, if the description has one. */
  readonly itemPath: string | undefined
  readonly members: ReadonlyMap<Member, Operation>
  readonly actions: readonly Operation[]
  /** The records that it is about; `undefined` for plain data. */
  readonly record: RecordPlan | undefined
}

/** The records of a resource. */
export interface RecordPlan {
  readonly entity: EntityInfo
  /** The record that `get` returns, or an item of the list. */
  readonly shape: Shape
  /** True if another resource returns single records of the table: a DELETE then only takes one out of the list. */
  readonly livesElsewhere: boolean
  /** The members that `resource()` makes; the others are endpoints of their own. */
  readonly fitting: ReadonlySet<Member>
  /** The path parameters that are the key, and the name that they get: `{id}`, and `{petId}` where another operation says so. */
  readonly keyParam: { readonly params: ReadonlySet<string>; readonly field: string } | undefined
}

/** The place of an operation in a resource, by its own path, method and response. */
type Role = { readonly collection: string; readonly member: Member | undefined }

/**
 * Groups operations by path. An operation is a member because of its own path, method and response, whatever others there are and whatever
 * is an entity: a new operation then joins a resource, and renames nothing.
 */
export function inferResources(
  types: Types,
  operations: readonly Operation[],
  config: Config,
  report: Report,
): { readonly resources: ResourcePlan[]; readonly others: Operation[] } {
  const find = finder(types, config)
  const roleOf = roles(operations, find)
  const groups = new Map<string, { tag: string; collection: string; members: Map<Member, Operation> }>()
  const actions = new Map<Operation, string>()
  const others = new Set<Operation>()
  const keyOf = ({ tag }: Operation, collection: string): string => `${tag} ${collection}`
  // Of two operations that could be the same member, the one with the shorter path is.
  for (const operation of [...operations].sort((a, b) => a.segments.length - b.segments.length)) {
    const { name, resource } = operationConfig(operation, config)
    const role = resource === false ? undefined : roleOf(operation)
    if (role === undefined || resourceConfig(role.collection, config) === false) {
      others.add(operation)
      continue
    }
    const key = keyOf(operation, role.collection)
    const group = groups.get(key) ?? { tag: operation.tag, collection: role.collection, members: new Map() }
    const member = name === undefined ? role.member : undefined
    if (member === undefined || group.members.has(member)) {
      actions.set(operation, key)
    } else {
      group.members.set(member, operation)
      groups.set(key, group)
    }
  }
  const joined = new Map([...groups.keys()].map((key) => [key, [] as Operation[]]))
  for (const [operation, key] of actions) {
    const own = joined.get(key)
    // Actions alone make no resource.
    if (own === undefined) {
      others.add(operation)
    } else {
      own.push(operation)
    }
  }
  reportCreates([...groups.values()], find, report)
  const homes = findHomes([...groups.values()], find)
  const resources = [...groups].map(([key, group]): ResourcePlan => {
    const own = joined.get(key)!
    const { tag, collection, members } = group
    const plan = { tag, collection, members, itemPath: itemPathOf(members, own), actions: own }
    const record = planRecord(types, plan, find, homes, report)
    const what = record ? `a resource of ${types.className(record.entity)}` : 'endpoints of plain data'
    report.add('inferred', 'resource', plan.itemPath ?? collection, what, `it has ${[...members.keys()].join(', ')}`)
    return Object.assign(plan, { record })
  })
  return { resources, others: operations.filter((operation) => others.has(operation)) }
}

/** Names the operations that make a record whose list was not found. */
function reportCreates(
  groups: readonly { readonly collection: string; readonly members: ReadonlyMap<Member, Operation> }[],
  find: Find,
  report: Report,
): void {
  for (const { members, collection } of groups) {
    const made = members.get('create')
    const own = entityOf(find(made))
    const other = groups.find((group) => group.collection === collection && group.members.has('getList'))
    if (made !== undefined && !members.has('getList') && other !== undefined) {
      const why = `the list of ${collection} has another tag. If it makes records of that list, give both one tag`
      report.add('unsure', 'endpoint', made.id, 'a create that joins no list', why)
    } else if (made !== undefined && own !== undefined && !members.has('getList')) {
      const why = `no GET of that path returns a list. If it does: operations: { 'GET ${made.path}': { envelope: '…' } }`
      report.add('unsure', 'endpoint', made.id, 'a create that joins no list', why)
    }
  }
}

type Find = (operation: Operation | undefined) => { readonly found: Found; readonly shape: Shape } | undefined

/** Finds the records in responses. */
function finder(types: Types, config: Config): Find {
  return (operation) => {
    const collection = operation && (isParam(operation.segments.at(-1)) ? collectionOf(operation) : operation.place)
    const found =
      operation &&
      findRecord(types.model, operation.response.schema, subjectOf(collection!), envelopeOf(operation, config))
    return found && { found, shape: types.shapeOf(found.schema) }
  }
}

/** The name that the configuration gives to a resource, by the path of an item or of the list. */
export function resourceConfig(collection: string, { resources = {} }: Config): string | false | undefined {
  return resources[collection] ?? Object.entries(resources).find(([path]) => stemOf(path) === collection)?.[1]
}

/** Tells the role of each operation; `undefined` for one that stands alone. */
function roles(operations: readonly Operation[], find: Find): (operation: Operation) => Role | undefined {
  const withItems = new Set(
    operations.filter(({ segments }) => isParam(segments.at(-1))).map(({ place }) => stemOf(place)),
  )
  // A path in the singular, `/pet`, is a collection if `/pet/{petId}` is an item.
  const isCollection = (place: string): boolean =>
    isPlural(place.slice(place.lastIndexOf('/') + 1)) || withItems.has(place)
  return (operation) => {
    const { place, segments } = operation
    if (isParam(segments.at(-1))) {
      // `/statuses/destroy/{id}` does something.
      const isAction = ACTIONS.test(stemOf(place))
      return isAction ? undefined : { collection: stemOf(place), member: memberOnItem(operation, operations, find) }
    }
    if (isCollection(place)) {
      return roleOnCollection(operation, find)
    }
    const base = collectionOf(operation)
    const isBelow = isParam(segments.at(-2)) || (base !== '' && isCollection(base))
    return isBelow ? { collection: stemOf(base), member: undefined } : undefined
  }
}

const ACTIONS = /\/(?:show|destroy|get|delete|update|create|find|remove|add|fetch|retrieve|edit)$/i

/** The path of a collection, without the parameters of an item: `/repos` of `/repos/{owner}/{repo}`. */
function stemOf(place: string): string {
  return place.replace(/(?:\/\{[^{}/]+\})+$/, '')
}

/** Further operations on a collection, such as a DELETE of all, stand alone. */
function roleOnCollection(operation: Operation, find: Find): Role | undefined {
  const { method, place } = operation
  if (method === 'get') {
    return isList(operation, find) ? { collection: place, member: 'getList' } : undefined
  }
  const isCreate = method === 'post' && !isSurelyList(find(operation)?.found)
  return isCreate ? { collection: place, member: 'create' } : undefined
}

function memberOnItem(operation: Operation, operations: readonly Operation[], find: Find): Member | undefined {
  const found = find(operation)?.found
  const isRecord = operation.response.content === 'json' && found !== undefined && !isSurelyList(found)
  const beside = operations.filter(({ place }) => place === operation.place)
  // `/files/{folder}` may be a list of `/files/{folder}/{name}`.
  if (beside.some((other) => isList(other, find))) {
    return operation.method === 'get' ? 'getList' : operation.method === 'post' ? 'create' : undefined
  }
  switch (operation.method) {
    case 'get':
      return isRecord ? 'get' : undefined
    case 'put':
      // Without a body it is an action: `PUT /following/{user}`.
      return operation.body === undefined ? undefined : 'update'
    case 'patch':
      return 'partialUpdate'
    case 'delete':
      return 'delete'
    case 'post': {
      const isAlone = !beside.some(({ method }) => method === 'put' || method === 'patch')
      return isRecord && isAlone ? 'partialUpdate' : undefined
    }
    default:
      return undefined
  }
}

function isList(operation: Operation, find: Find): boolean {
  return operation.method === 'get' && find(operation)?.found.isList === true
}

function itemPathOf(members: ReadonlyMap<Member, Operation>, actions: readonly Operation[]): string | undefined {
  const names = ['get', 'partialUpdate', 'update', 'delete'] as const
  const member = names.flatMap((name) => members.get(name) ?? [])[0]
  const action = actions.find(({ segments }) => isParam(segments.at(-1)) || isParam(segments.at(-2)))
  return member?.place ?? action?.place.replace(/\/[^/{}]+$/, '')
}

/** The tables whose records have a path that returns one. */
function findHomes(groups: readonly { readonly members: ReadonlyMap<Member, Operation> }[], find: Find): Set<string> {
  return new Set(groups.flatMap(({ members }) => entityOf(find(members.get('get')))?.table ?? []))
}

function entityOf(own: ReturnType<Find>): EntityInfo | undefined {
  return own && entityIn(own.shape)
}

/** Finds the records of a resource, and the members that return them. */
function planRecord(
  types: Types,
  { members, actions, itemPath, collection }: Omit<ResourcePlan, 'record'>,
  find: Find,
  homes: ReadonlySet<string>,
  report: Report,
): RecordPlan | undefined {
  const [gotten, listed] = [find(members.get('get')), find(members.get('getList'))]
  const isHome = entityOf(gotten) !== undefined
  const named = gotten || listed ? undefined : entityNamed(types, collection, itemPath, [...members.values()], homes)
  const shape = named ? { kind: 'entity' as const, entity: named } : (isHome ? gotten : listed)?.shape
  const entity = shape && entityIn(shape)
  if (entity === undefined) {
    const [made, list] = [members.get('create'), members.get('getList')]
    const own = entityOf(find(made))
    if (made !== undefined && own !== undefined && list !== undefined) {
      const why = `it returns ${own.schema}, and ${list.id} has no such records: name the schema of its items in "entities"`
      report.add('unsure', 'endpoint', made.id, 'a create that joins no list', why)
    }
    return undefined
  }
  const livesElsewhere = !isHome && homes.has(entity.table)
  const keyParam =
    itemPath === undefined ? undefined : keyParamOf(types, entity, itemPath, [...members.values(), ...actions])
  const fits = (member: Member, operation: Operation): boolean => {
    const own = find(operation)
    const isSame = entityOf(own)?.table === entity.table
    const isRecord = isSame && !isSurelyList(own!.found)
    switch (member) {
      case 'get':
      case 'getList':
        return isSame
      case 'delete': {
        return (
          isRecord ||
          keyParam?.params.has(lastParam(operation)) ||
          isKeyParam(types, entity, operation, lastParam(operation))
        )
      }
      default: {
        const isReceived = isReceipt(types.model, operation, member, { entity, keyParam }, own?.found)
        const isEmpty = operation.response.content === undefined && (member !== 'create' || members.has('getList'))
        return isRecord || isReceived || (isEmpty && !livesElsewhere)
      }
    }
  }
  const fitting = [...members].filter(([member, operation]) => fits(member, operation)).map(([member]) => member)
  const made = members.get('create')
  const list = members.get('getList')
  if (made !== undefined && list !== undefined && !fitting.includes('create')) {
    const own = entityOf(find(made))
    const why =
      own === undefined
        ? `its response is no ${types.className(entity)}. If it holds one: operations: { '${made.operationId ?? made.id}': { envelope: '…' } }`
        : `it returns ${own.schema}, and the list has ${entity.schema}. If they are the same records: entities: { ${memberName(own.schema)}: { key: '${own.key.join()}', table: '${entity.table}' } }`
    report.add('unsure', 'endpoint', made.id, 'a create that joins no list', why)
  }
  const gone = fitting.includes('delete') ? undefined : members.get('delete')
  if (gone !== undefined) {
    const why = `{${lastParam(gone)}} is not the key "${entity.key.join(', ')}", so the store cannot know which record is gone; refetch the lists`
    report.add('unsure', 'endpoint', gone.id, 'a delete without a record', why)
  }
  return { entity, shape: shape!, livesElsewhere, fitting: new Set(fitting), keyParam }
}

/** The entity of a resource that returns none: `DELETE /notes/{note_id}` is about a Note, if no other path returns one. */
function entityNamed(
  types: Types,
  collection: string,
  itemPath: string | undefined,
  operations: readonly Operation[],
  homes: ReadonlySet<string>,
): EntityInfo | undefined {
  const subject = flatName(subjectOf(collection))
  return [...types.entities.byName.values()].find(
    (entity) =>
      itemPath !== undefined &&
      flatName(entity.table) === subject &&
      entity.scope.length === 0 &&
      !homes.has(entity.table) &&
      keyParamOf(types, entity, itemPath, operations) !== undefined,
  )
}

function keyParamOf(
  types: Types,
  entity: EntityInfo,
  itemPath: string,
  operations: readonly Operation[],
): RecordPlan['keyParam'] {
  const field = entity.key[0]!
  const collection = itemPath.slice(0, itemPath.lastIndexOf('/'))
  const params = new Set<string>()
  for (const operation of operations) {
    const { place } = operation
    const param = place.startsWith(`${collection}/{`) ? place.slice(collection.length + 2).split('}')[0]! : undefined
    const isTaken = param !== field && place.includes(`{${field}}`)
    if (param !== undefined && !isTaken && isKeyParam(types, entity, operation, param)) {
      params.add(param)
    }
  }
  return params.has(itemPath.slice(itemPath.lastIndexOf('/') + 2, -1)) ? { params, field } : undefined
}

/** True if a path parameter of an operation is the key of a record. */
export function isKeyParam(
  types: Types,
  { key, schema, view }: EntityInfo,
  operation: Operation,
  param: string,
): boolean {
  const [field] = key
  const subject = subjectOf(operation.place.slice(0, operation.place.lastIndexOf(`/{${param}}`)))
  if (key.length > 1 || field!.includes('.') || !isNamedBy(field!, { param, subject }, schema)) {
    return false
  }
  if (flatName(param).endsWith(flatName(field!))) {
    return true
  }
  // `{pet}` may be its id, and `{repo}` the name of one whose id is a number.
  const isNumber = (node: JsonSchema | undefined): boolean =>
    node !== undefined && ['integer', 'number'].includes(typesOf(types.model.resolve(node).schema)[0] ?? '')
  const given = operation.pathParams.find(({ name }) => name === param)?.schema
  return isNumber(given) === isNumber(view.properties.get(field!))
}

/** The entity of a record, or the first of a union. */
export function entityIn(shape: Shape): EntityInfo | undefined {
  return shape.kind === 'entity' ? shape.entity : shape.kind === 'union' ? [...shape.members.values()][0] : undefined
}
