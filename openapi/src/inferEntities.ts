import type { Config, EntityConfig } from './config.ts'
import { Entities, type EntityInfo, signatureOf } from './Entities.ts'
import { OpenApiError } from './errors.ts'
import { findRecord } from './findRecord.ts'
import { isShortFor, joinFamilies, tableOf } from './joinFamilies.ts'
import type { Model, ObjectView } from './Model.ts'
import { flatName, Names, pascalCase, pathName, singularName, wordsOf } from './names.ts'
import { memberName } from './print.ts'
import { collectionOf, envelopeOf, isParam, subjectOf } from './paths.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'
import { Uses } from './Uses.ts'

interface Candidate {
  readonly name: string
  readonly param: string
  readonly subject: string
  /** The path of the collection. */
  readonly collection: string
  readonly place: string
}

/** Finds the schemas whose objects have an identity: a path leads to one of them. */
export function inferEntities(
  model: Model,
  operations: readonly Operation[],
  config: Config,
  report: Report,
): Entities {
  nameInlineRecords(model, operations, config)
  const candidates = new Map<string, Candidate[]>()
  const add = (candidate: Candidate): void =>
    void candidates.set(candidate.name, [...(candidates.get(candidate.name) ?? []), candidate])
  for (const candidate of findCandidates(model, operations, config)) {
    add(candidate)
  }
  const families = findFamilies(model, operations, config)
  const entities = new Map<string, EntityInfo>()
  const uses = new Uses(model, operations, config)
  const tables = [...candidates.keys()].map(tableOf)
  for (const candidate of namedCandidates(model, operations, uses)) {
    // Further forms of a record are found by their fields.
    const table = tableOf(candidate.name)
    if (!tables.some((known) => known === table || isShortFor(table, known))) {
      add(candidate)
    }
  }
  for (const [name, places] of candidates) {
    const configured = config.entities?.[name]
    if (configured === false) {
      report.add('configured', 'entity', name, 'plain data', 'the configuration says so')
      continue
    }
    const entity = configured ? undefined : inferEntity(model, name, places, uses, report, families)
    if (entity !== undefined) {
      entities.set(name, entity)
    }
  }
  for (const [name, configured] of Object.entries(config.entities ?? {})) {
    if (configured !== false) {
      entities.set(name, configuredEntity(model, name, configured, candidates.get(name)))
      report.add('configured', 'entity', name, 'an entity', 'the configuration says so')
    }
  }
  // The order of operations must not decide which form is the first, nor where a class is written.
  const ordered = new Map(inOrder(model, entities.keys()).map((name) => [name, entities.get(name)!]))
  const aliases = joinFamilies(model, ordered, inOrder(model, uses.reachable()), config, report, families)
  reportOthers(model, ordered, aliases, uses, config, report)
  const all = inOrder(model, ordered.keys()).map((name) => [name, ordered.get(name)!] as const)
  return new Entities(model, new Map(all), aliases)
}

/**
 * Schemas of one collection: the items of `/orders` and the record of `/orders/{id}` are forms of one record, whatever they are called. By the
 * name of the form, that of the record.
 */
function findFamilies(model: Model, operations: readonly Operation[], config: Config): Map<string, string> {
  const records = new Map<string, string>()
  const nameOf = (operation: Operation, collection: string, isList: boolean): string | undefined => {
    const found = findRecord(model, operation.response.schema, subjectOf(collection), envelopeOf(operation, config))
    const name = found?.isList === isList ? model.resolve(found.schema).name : undefined
    return name !== undefined && model.view(model.component(name)) ? name : undefined
  }
  for (const operation of operations) {
    if (operation.method === 'get' && isParam(operation.segments.at(-1))) {
      const collection = collectionOf(operation)
      const name = nameOf(operation, collection, false)
      if (name !== undefined && !records.has(collection)) {
        records.set(collection, name)
      }
    }
  }
  const forms = new Map<string, Set<string>>()
  for (const operation of operations) {
    const { method, place, segments } = operation
    const isItem = isParam(segments.at(-1))
    const collection = isItem ? collectionOf(operation) : place
    const main = records.get(collection)
    const name =
      main === undefined || (method === 'get' && isItem) ? undefined : nameOf(operation, collection, method === 'get')
    if (name !== undefined) {
      forms.set(name, (forms.get(name) ?? new Set()).add(main!))
    }
  }
  // A schema of several collections belongs to none of them.
  const own = [...forms].flatMap(([name, mains]) =>
    mains.size === 1 && !mains.has(name) ? [[name, [...mains][0]!] as const] : [],
  )
  const names = new Set(own.map(([name]) => name))
  return new Map(own.filter(([, main]) => !names.has(main)))
}

/** Names of schemas in the order of the description; those that it does not name come last. */
function inOrder(model: Model, names: Iterable<string>): string[] {
  const places = new Map(Object.keys(model.description.components?.schemas ?? {}).map((name, index) => [name, index]))
  const placeOf = (name: string): number => places.get(name) ?? places.size
  return [...names].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
}

/** Gives records that are written where they are used a name: that of their path. */
function nameInlineRecords(model: Model, operations: readonly Operation[], config: Config): void {
  const components = Object.keys(model.description.components?.schemas ?? {})
  const names = new Names(components.map(pascalCase))
  const named = new Map<string, { name: string; view: ObjectView }>()
  const onItems = operations.filter(({ segments }) => isParam(segments.at(-1)))
  const collections = new Set(onItems.map(collectionOf))
  const onLists = operations.filter(({ place, method }) => method === 'get' && collections.has(place))
  for (const operation of [...onItems.filter(({ method }) => method === 'get'), ...onLists]) {
    const isItem = isParam(operation.segments.at(-1))
    const collection = isItem ? collectionOf(operation) : operation.place
    const subject = subjectOf(collection)
    const found = findRecord(model, operation.response.schema, subject, envelopeOf(operation, config))
    if (found === undefined || found.isList === isItem) {
      continue
    }
    const { name, schema } = model.resolve(found.schema)
    const view = name === undefined ? model.view(schema) : undefined
    if (view === undefined || view.properties.size < 2) {
      continue
    }
    // A record with something added is still that record.
    const parts = (schema.allOf ?? []).flatMap((part) => model.resolve(part).name ?? [])
    if (parts.length === 1) {
      model.nameInline(schema, parts[0]!)
      continue
    }
    const twin = components.find((component) => flatName(component) === flatName(subject))
    const twinView = twin === undefined ? undefined : model.view(model.component(twin))
    if (twinView !== undefined && signatureOf(twinView) === signatureOf(view)) {
      model.nameInline(schema, twin!)
      continue
    }
    const known = named.get(collection)
    if (known !== undefined && signatureOf(known.view) === signatureOf(view)) {
      model.nameInline(schema, known.name)
      continue
    }
    const wanted = pascalCase(singularName(pathName(collection)))
    const own = names.take(isItem || !known ? wanted : `${wanted}Summary`, `${wanted}Record`)
    model.nameInline(schema, own)
    named.set(collection, known ?? { name: own, view })
  }
}

function* findCandidates(model: Model, operations: readonly Operation[], config: Config): Iterable<Candidate> {
  const lists = new Map(
    operations.filter(({ method }) => method === 'get').map((operation) => [operation.place, operation]),
  )
  for (const operation of operations) {
    const last = operation.segments.at(-1)
    if (isParam(last)) {
      yield* candidatesIn(model, operation, false, collectionOf(operation), last!.slice(1, -1), config)
    }
  }
  // The key may also be on the way to something else: `/pets` and `/pets/{id}/photo`.
  const seen = new Set<string>()
  for (const { place } of operations) {
    for (const { 0: segment, 1: param, index } of place.matchAll(/\/\{([^{}/]+)\}(?=\/|$)/g)) {
      const collection = place.slice(0, index)
      const list = seen.has(collection + segment) ? undefined : lists.get(collection)
      seen.add(collection + segment)
      if (list !== undefined) {
        yield* candidatesIn(model, list, true, collection, param!, config)
      }
    }
  }
}

/** Schemas whose id is the parameter of a path that returns none of them, such as `DELETE /files/{file_id}`: a File with an `id`. */
function* namedCandidates(model: Model, operations: readonly Operation[], uses: Uses): Iterable<Candidate> {
  const places = new Map<string, Candidate[]>()
  for (const { place, id } of operations) {
    for (const { 1: param, index } of place.matchAll(/\/\{([^{}/]+)\}(?=\/|$)/g)) {
      const collection = place.slice(0, index)
      const subject = subjectOf(collection)
      const own = { name: '', param: param!, subject, collection, place: id }
      places.set(flatName(subject), [...(places.get(flatName(subject)) ?? []), own])
    }
  }
  for (const name of uses.reachable()) {
    const view = model.view(model.component(name))
    const field = ['id', ...GLOBAL_KEYS].find((key) => model.isScalar(view?.properties.get(key)))
    for (const place of field === undefined ? [] : (places.get(flatName(tableOf(name))) ?? [])) {
      if (isNamedBy(field!, place, name)) {
        yield { ...place, name }
      }
    }
  }
}

function* candidatesIn(
  model: Model,
  operation: Operation,
  isList: boolean,
  collection: string,
  param: string,
  config: Config,
): Iterable<Candidate> {
  const subject = subjectOf(collection)
  const record = findRecord(model, operation.response.schema, subject, envelopeOf(operation, config))
  for (const option of record?.isList === isList ? model.options(record.schema) : []) {
    const { name } = model.resolve(option)
    if (name !== undefined && model.view(option) !== undefined) {
      yield { name, param, subject, collection, place: operation.id }
    }
  }
}

const GLOBAL_KEYS = ['uuid', 'guid', 'uid', '_id', 'urn', 'arn']
/** Unique everywhere, but several records may have the same. */
const HASHES = ['sha', 'hash', 'digest', 'node_id']
/** A name such as `sid`, `gid` or `orderId`: an id, which is unique wherever the record is. */
const isId = (field: string): boolean => /^[a-z]{0,2}id$|(?:[a-z\d]Id|_id|ID)$/.test(field)
const LOCAL_KEYS = ['key', 'slug', 'code', 'name', 'username', 'login', 'number']

function inferEntity(
  model: Model,
  name: string,
  places: readonly Candidate[],
  uses: Uses,
  report: Report,
  families: ReadonlyMap<string, string>,
): EntityInfo | undefined {
  const view = model.view(model.component(name))!
  const scalar = (field: string): boolean => model.isScalar(view.properties.get(field))
  // A field that may be null is a key only if the path says so.
  const isKey = (field: string): boolean => scalar(field) && !model.isNullable(view.properties.get(field)!)
  const [first] = places
  const fields = [...view.properties.keys()]
  const base = { schema: name, table: tableOf(families.get(name) ?? name), view }
  const named = places.flatMap((place) => {
    const known = fields.filter((own) => scalar(own) && isNamedBy(own, place, name))
    const field = known.find(isKey) ?? known[0]
    return field === undefined ? [] : [{ field, place }]
  })[0]
  const isScoped = (place: Candidate): boolean => place.collection.includes('{')
  const isNamedId = places.some((place) => isNamedBy('id', place, name))
  if (named !== undefined && named.field !== 'id' && !isNamedId && (!isScoped(named.place) || isId(named.field))) {
    report.add(
      'inferred',
      'entity',
      name,
      `an entity by "${named.field}"`,
      `it is {${named.place.param}} of ${named.place.place}`,
    )
    return { ...base, key: [named.field], scope: [] }
  }
  if (scalar('id')) {
    report.add('inferred', 'entity', name, `an entity by "id"`, `${first!.place} is about one`)
    return { ...base, key: ['id'], scope: [] }
  }
  const global = GLOBAL_KEYS.find(isKey) ?? (named && !HASHES.includes(named.field) ? undefined : HASHES.find(isKey))
  if (global !== undefined) {
    report.add('inferred', 'entity', name, `an entity by "${global}"`, `${first!.place} returns one`)
    return { ...base, key: [global], scope: [] }
  }
  const metadata = view.properties.get('metadata')
  if (metadata && model.isScalar(model.view(metadata)?.properties.get('uid'))) {
    report.add('inferred', 'entity', name, 'an entity by "metadata.uid"', `${first!.place} returns one`)
    return { ...base, key: ['metadata.uid'], scope: [] }
  }
  const field = named?.field ?? LOCAL_KEYS.find((own) => isKey(own) && view.required.has(own))
  if (field === undefined) {
    const why = `no field is named like {${first!.param}} of ${first!.place}`
    report.add('unsure', 'entity', name, 'plain data', `${why}. Name it: ${keyLine(name)}`)
    return undefined
  }
  const scope = [...(named?.place ?? first)!.collection.matchAll(/\{([^}]+)\}/g)].map(([, param]) => param!)
  if (scope.length > 0) {
    const collections = uses.collectionsOf(name)
    if (collections.size > 1 || uses.isNested(name)) {
      const why = `"${field}" is unique only within ${first!.collection}, and it is used elsewhere, too`
      report.add('unsure', 'entity', name, 'plain data', `${why}. Name it: ${keyLine(name)}`)
      return undefined
    }
    report.add('inferred', 'entity', name, `an entity by "${field}"`, `unique within ${first!.collection}`)
  } else {
    const isSure = named !== undefined
    const why = isSure
      ? `it is {${named.place.param}} of ${named.place.place}`
      : `it may be {${first!.param}} of ${first!.place}`
    report.add(isSure ? 'inferred' : 'unsure', 'entity', name, `an entity by "${field}"`, why)
  }
  return { ...base, key: [field], scope }
}

/** The line of the configuration that makes a schema an entity. */
function keyLine(name: string): string {
  return `entities: { ${memberName(name)}: { key: '…' } }`
}

/** True if a path parameter is the field of a record: `petId` is the `id` of a Pet, `issue_number` the `number` of an issue. */
export function isNamedBy(
  field: string,
  { param, subject }: Pick<Candidate, 'param' | 'subject'>,
  schema: string,
): boolean {
  const [wanted, own] = [flatName(param), flatName(field)]
  const owners = ['', ...[subject, singularName(schema), tableOf(schema), ...wordsOf(subject).slice(-1)].map(flatName)]
  return owners.some((owner) => owner + own === wanted) || (own === 'id' && owners.slice(1).includes(wanted))
}

function configuredEntity(
  model: Model,
  name: string,
  { key = 'id', scope = [], table }: EntityConfig,
  places: readonly Candidate[] | undefined,
): EntityInfo {
  const view = model.hasComponent(name) ? model.view(model.component(name)) : undefined
  if (view === undefined) {
    throw new OpenApiError(
      `The configuration names an entity "${name}", but the description has no object schema of that name.`,
      [`#/components/schemas/${name}`],
    )
  }
  const fields = typeof key === 'string' ? [key] : key
  const missing = fields.find((field) => !view.properties.has(field.split('.')[0]!))
  if (missing !== undefined) {
    throw new OpenApiError(
      `The configuration says that "${missing}" is the key of "${name}", which has no such field. It has: ${[...view.properties.keys()].join(', ')}.`,
      [`#/components/schemas/${name}`, ...(places ?? []).slice(0, 1).map(({ place }) => place)],
    )
  }
  const whole = fields.find((field) => view.properties.has(field) && !model.isScalar(view.properties.get(field)))
  if (whole !== undefined) {
    throw new OpenApiError(
      `The configuration says that "${whole}" is the key of "${name}", and it is no text and no number. Name a field that is, such as "${whole}.id".`,
      [`#/components/schemas/${name}`],
    )
  }
  return { schema: name, table: table ?? tableOf(name), key: fields, scope, view }
}

/** Names the schemas that have an id, but that no path leads to. */
function reportOthers(
  model: Model,
  entities: ReadonlyMap<string, EntityInfo>,
  aliases: ReadonlyMap<string, string>,
  uses: Uses,
  config: Config,
  report: Report,
): void {
  const known = new Set(report.findings.filter(({ kind }) => kind === 'entity').map(({ subject }) => subject))
  for (const name of uses.reachable()) {
    const view = entities.has(name) || aliases.has(name) ? undefined : model.view(model.component(name))
    const field = ['id', ...GLOBAL_KEYS].find((key) => model.isScalar(view?.properties.get(key)))
    if (field !== undefined && !known.has(name) && config.entities?.[name] !== false) {
      const why = `it has "${field}", but no path leads to one. If it is unique: entities: { ${memberName(name)}: { key: '${field}' } }`
      report.add('unsure', 'entity', name, 'plain data', why)
    }
  }
}
