import type { Config } from './config.ts'
import { type Found, findRecord } from './findRecord.ts'
import type { EntityInfo } from './Entities.ts'
import { isNamedBy } from './inferEntities.ts'
import type { JsonSchema } from './Description.ts'
import { typesOf } from './Model.ts'
import { flatName, isPlural } from './names.ts'
import { collectionOf, envelopeOf, isParam, operationConfig, subjectOf } from './paths.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import type { Shape } from './Shapes.ts'
import type { Types } from './Types.ts'

export const MEMBERS = ['get', 'getList', 'create', 'update', 'partialUpdate', 'delete'] as const
export type Member = (typeof MEMBERS)[number]

/** Operations that make a resource. */
export interface ResourcePlan {
  readonly tag: string
  readonly itemPath: string
  readonly collection: string
  readonly entity: EntityInfo
  /** The record that `get` returns. */
  readonly shape: Shape
  readonly members: ReadonlyMap<Member, Operation>
  readonly actions: readonly Operation[]
  /** The path parameter that is the key, and the name that it gets. */
  readonly keyParam: { readonly param: string; readonly field: string } | undefined
}

/**
 * Groups the operations of a collection and its items, however many there are: a new one then joins them, and renames nothing. A list of
 * records whose GET is at another path is no resource: its DELETE only takes one out of the list.
 */
export function inferResources(
  types: Types,
  operations: readonly Operation[],
  config: Config,
  report: Report,
): { readonly resources: ResourcePlan[]; readonly others: Operation[] } {
  const free = new Set(operations)
  const byPlace = new Map<string, Operation[]>()
  for (const operation of operations) {
    byPlace.set(operation.place, [...(byPlace.get(operation.place) ?? []), operation])
  }
  const homes = findHomes(types, operations, config)
  const plans: (Omit<ResourcePlan, 'actions'> & { actions: Operation[] })[] = []
  for (const [place, onItem] of byPlace) {
    const [first] = onItem
    if (!isParam(first!.segments.at(-1)) || config.resources?.[place] === false) {
      continue
    }
    const collection = collectionOf(first!)
    const isFree = (operation: Operation): boolean =>
      free.has(operation) && operationConfig(operation, config).resource !== false
    const onList = (byPlace.get(collection) ?? []).filter(isFree)
    const plan = planResource(types, place, collection, onItem.filter(isFree), onList, config, homes)
    if (plan === undefined) {
      continue
    }
    for (const operation of plan.members.values()) {
      free.delete(operation)
    }
    plans.push({ ...plan, actions: [] })
    const names = [...plan.members.keys()].join(', ')
    report.add('inferred', 'resource', place, `a resource of ${types.className(plan.entity)}`, `it has ${names}`)
  }
  for (const operation of free) {
    const plan = plans.find((candidate) => isAction(operation, candidate))
    if (plan !== undefined && operationConfig(operation, config).resource !== false) {
      plan.actions.push(operation)
      free.delete(operation)
    }
  }
  return { resources: plans, others: [...free] }
}

/** The tables whose records have a path that returns one. */
function findHomes(types: Types, operations: readonly Operation[], config: Config): Set<string> {
  const tables = operations.flatMap((operation) => {
    const found =
      operation.method === 'get' && isParam(operation.segments.at(-1))
        ? findRecord(
            types.model,
            operation.response.schema,
            subjectOf(collectionOf(operation)),
            envelopeOf(operation, config),
          )
        : undefined
    return found && !found.isList ? (entityIn(types.shapeOf(found.schema))?.table ?? []) : []
  })
  return new Set(tables)
}

function planResource(
  types: Types,
  itemPath: string,
  collection: string,
  onItem: readonly Operation[],
  onList: readonly Operation[],
  config: Config,
  homes: ReadonlySet<string>,
): Omit<ResourcePlan, 'actions'> | undefined {
  const subject = subjectOf(collection)
  const find = (operation: Operation | undefined): { found: Found; shape: Shape } | undefined => {
    const found =
      operation && findRecord(types.model, operation.response.schema, subject, envelopeOf(operation, config))
    return found && { found, shape: types.shapeOf(found.schema) }
  }
  const on = (all: readonly Operation[], method: string): Operation | undefined =>
    all.find((operation) => operation.method === method)
  const [get, list] = [on(onItem, 'get'), on(onList, 'get')]
  const [gotten, listed] = [find(get), find(list)]
  const isHome = gotten && !gotten.found.isList && entityIn(gotten.shape) !== undefined
  const record = isHome ? gotten : listed?.found.isList ? listed : undefined
  const entity = record && entityIn(record.shape)
  if (entity === undefined || (!isHome && homes.has(entity.table))) {
    return undefined
  }
  const isRecord = (operation: Operation | undefined): boolean => {
    const own = find(operation)
    return own !== undefined && !own.found.isList && entityIn(own.shape)?.table === entity.table
  }
  const isEmpty = (operation: Operation): boolean => operation.response.content === undefined
  const members = new Map<Member, Operation>()
  const add = (member: Member, operation: Operation | undefined, fits: boolean): void => {
    if (operation !== undefined && fits) {
      members.set(member, operation)
    }
  }
  add('get', get, isHome === true)
  add('getList', list, listed?.found.isList === true && entityIn(listed.shape)?.table === entity.table)
  const [create, put, patch, post] = [on(onList, 'post'), on(onItem, 'put'), on(onItem, 'patch'), on(onItem, 'post')]
  add('create', create, create !== undefined && (isRecord(create) || (isEmpty(create) && members.has('getList'))))
  add('update', put, put !== undefined && (isRecord(put) || isEmpty(put)))
  add('partialUpdate', patch, patch !== undefined && (isRecord(patch) || isEmpty(patch)))
  if (!members.has('update') && !members.has('partialUpdate')) {
    add('partialUpdate', post, isRecord(post))
  }
  add('delete', on(onItem, 'delete'), true)
  const param = itemPath.slice(itemPath.lastIndexOf('/') + 2, -1)
  const field = entity.key[0]!
  const isKey = isKeyParam(types, entity, (get ?? onItem[0])!, param)
  const isTaken = param !== field && itemPath.includes(`{${field}}`)
  return {
    tag: (members.get('getList') ?? get)!.tag,
    itemPath,
    collection,
    entity,
    shape: record!.shape,
    members,
    keyParam: isKey && !isTaken ? { param, field } : undefined,
  }
}

/** True if the last path parameter of an operation is the key of a record. */
export function isKeyParam(
  types: Types,
  { key, schema, view }: EntityInfo,
  operation: Operation,
  param: string,
): boolean {
  const [field] = key
  const subject = subjectOf(collectionOf(operation))
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

/**
 * True for a further operation on an item or on the collection, such as `/pets/{id}/feed` and `/pets/search`. A plural is a list of its own:
 * `/pets/{id}/owners`.
 */
function isAction(operation: Operation, { itemPath, collection, tag }: Omit<ResourcePlan, 'actions'>): boolean {
  const { place } = operation
  if (operation.tag !== tag) {
    return false
  }
  if (place === itemPath || place === collection) {
    return true
  }
  const [base, name] = [place.slice(0, place.lastIndexOf('/')), operation.segments.at(-1)!]
  return !isParam(name) && !isPlural(name) && (base === itemPath || (base === collection && collection !== ''))
}
