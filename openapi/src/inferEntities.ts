import type { Config, EntityConfig } from './config.ts'
import type { JsonSchema } from './Description.ts'
import { OpenApiError } from './errors.ts'
import { findRecord, itemOf } from './findRecord.ts'
import type { Model, ObjectView } from './Model.ts'
import { flatName, Names, pascalCase, shortName, singularName, wordsOf } from './names.ts'
import type { Operation } from './readOperations.ts'
import type { Report } from './Report.ts'

/** A schema whose objects are records of the store. */
export interface EntityInfo {
  /** The name of the schema. */
  readonly schema: string
  /** Schemas with the same table are several forms of one record. */
  readonly table: string
  /** The fields of the key; with dots for a field inside a field. */
  readonly key: readonly string[]
  /** Path parameters that belong to the key. */
  readonly scope: readonly string[]
  readonly view: ObjectView
}

/** The entities of a description. */
export class Entities {
  readonly byName: ReadonlyMap<string, EntityInfo>
  readonly #bySignature = new Map<string, EntityInfo | null>()
  /** Schemas that are the same record with another name, such as one that is nullable. */
  readonly #aliases: ReadonlyMap<string, string>
  readonly #model: Model

  constructor(model: Model, byName: ReadonlyMap<string, EntityInfo>, aliases: ReadonlyMap<string, string>) {
    this.byName = byName
    this.#aliases = aliases
    this.#model = model
    for (const entity of byName.values()) {
      const signature = signatureOf(entity.view)
      this.#bySignature.set(signature, this.#bySignature.has(signature) ? null : entity)
    }
  }

  /** The entity of a schema, by its name or because it has the same fields. */
  of(node: JsonSchema): EntityInfo | undefined {
    const { name, schema } = this.#model.resolve(node)
    if (name !== undefined) {
      return this.named(name)
    }
    // A record with something added is still that record.
    const extended = (schema.allOf ?? []).flatMap((part) => this.of(part) ?? [])
    if (extended.length === 1) {
      return extended[0]
    }
    const view = schema.properties && this.#model.view(schema)
    // A few fields may be alike by chance.
    return view && view.properties.size > 4 ? (this.#bySignature.get(signatureOf(view)) ?? undefined) : undefined
  }

  named(name: string): EntityInfo | undefined {
    return this.byName.get(this.#aliases.get(name) ?? name)
  }

  /** The forms of one record. */
  family(table: string): EntityInfo[] {
    return [...this.byName.values()].filter((entity) => entity.table === table)
  }
}

const signatures = new WeakMap<ObjectView, string>()

/** The names of the fields of an object. */
function signatureOf(view: ObjectView): string {
  const signature = signatures.get(view) ?? [...view.properties.keys()].sort().join(' ')
  signatures.set(view, signature)
  return signature
}

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
  for (const candidate of findCandidates(model, operations, config)) {
    candidates.set(candidate.name, [...(candidates.get(candidate.name) ?? []), candidate])
  }
  const entities = new Map<string, EntityInfo>()
  const uses = new Uses(model, operations, config)
  for (const [name, places] of candidates) {
    const configured = config.entities?.[name]
    if (configured === false) {
      report.add('configured', 'entity', name, 'plain data', 'the configuration says so')
      continue
    }
    const entity = configured ? undefined : inferEntity(model, name, places, uses, report)
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
  const aliases = joinFamilies(model, entities, uses.reachable(), config, report)
  reportOthers(model, entities, aliases, uses, report)
  return new Entities(model, entities, aliases)
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
    const own = names.take(
      pascalCase(isItem || !known ? subject : `${subject}-summary`),
      `${pascalCase(subject)}Record`,
    )
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
    if (!isParam(last)) {
      continue
    }
    const collection = collectionOf(operation)
    const subject = subjectOf(collection)
    const param = last!.slice(1, -1)
    const list = lists.get(collection)
    const found = [
      findRecord(model, operation.response.schema, subject, envelopeOf(operation, config)),
      list && findRecord(model, list.response.schema, subject, envelopeOf(list, config)),
    ]
    for (const [index, record] of found.entries()) {
      if (record !== undefined && record.isList === (index === 1)) {
        for (const option of model.options(record.schema)) {
          const { name } = model.resolve(option)
          if (name !== undefined && model.view(option) !== undefined) {
            yield { name, param, subject, collection, place: operation.id }
          }
        }
      }
    }
  }
}

const GLOBAL_KEYS = ['uuid', 'guid', 'uid', '_id', 'urn', 'arn']
/** Unique everywhere, but several records may have the same. */
const HASHES = ['sha', 'hash', 'digest', 'node_id']
const LOCAL_KEYS = ['key', 'slug', 'code', 'name', 'username', 'login', 'number']

function inferEntity(
  model: Model,
  name: string,
  places: readonly Candidate[],
  uses: Uses,
  report: Report,
): EntityInfo | undefined {
  const view = model.view(model.component(name))!
  const scalar = (field: string): boolean => model.isScalar(view.properties.get(field))
  const [first] = places
  const fields = [...view.properties.keys()]
  const base = { schema: name, table: tableOf(name), view }
  const named = places.flatMap((place) => {
    const field = fields.find((own) => scalar(own) && isNamedBy(own, place, name))
    return field === undefined ? [] : [{ field, place }]
  })[0]
  const isScoped = (place: Candidate): boolean => place.collection.includes('{')
  const isNamedId = places.some((place) => isNamedBy('id', place, name))
  if (named !== undefined && named.field !== 'id' && !isNamedId && !isScoped(named.place)) {
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
    report.add('inferred', 'entity', name, `an entity by "id"`, `${first!.place} returns one`)
    return { ...base, key: ['id'], scope: [] }
  }
  const global = GLOBAL_KEYS.find(scalar) ?? (named && !HASHES.includes(named.field) ? undefined : HASHES.find(scalar))
  if (global !== undefined) {
    report.add('inferred', 'entity', name, `an entity by "${global}"`, `${first!.place} returns one`)
    return { ...base, key: [global], scope: [] }
  }
  const metadata = view.properties.get('metadata')
  if (metadata && model.isScalar(model.view(metadata)?.properties.get('uid'))) {
    report.add('inferred', 'entity', name, 'an entity by "metadata.uid"', `${first!.place} returns one`)
    return { ...base, key: ['metadata.uid'], scope: [] }
  }
  const field = named?.field ?? LOCAL_KEYS.find((own) => scalar(own) && view.required.has(own))
  if (field === undefined) {
    const why = `no field is named like {${first!.param}} of ${first!.place}`
    report.add('unsure', 'entity', name, 'plain data', `${why}; name its key in "entities"`)
    return undefined
  }
  const scope = [...(named?.place ?? first)!.collection.matchAll(/\{([^}]+)\}/g)].map(([, param]) => param!)
  if (scope.length > 0) {
    const collections = uses.collectionsOf(name)
    if (collections.size > 1 || uses.isNested(name)) {
      const why = `"${field}" is unique only within ${first!.collection}, and it is used elsewhere, too`
      report.add('unsure', 'entity', name, 'plain data', `${why}; name its key in "entities"`)
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

/** True if a path parameter is the field of a record: `petId` is the `id` of a Pet, `issue_number` the `number` of an issue. */
export function isNamedBy(
  field: string,
  { param, subject }: Pick<Candidate, 'param' | 'subject'>,
  schema: string,
): boolean {
  const [wanted, own] = [flatName(param), flatName(field)]
  const owners = ['', flatName(subject), flatName(singularName(schema)), ...wordsOf(subject).slice(-1).map(flatName)]
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
  return { schema: name, table: table ?? tableOf(name), key: fields, scope, view }
}

/** Words at the beginning and at the end of a name that say which form of a record a schema is. */
const FIRST_WORDS = new Set(
  'simple minimal full nullable public private basic base short deleted expanded compact partial mini detailed extended embedded nested'.split(
    ' ',
  ),
)
const LAST_WORDS = new Set(
  'simple minimal full basic short summary detail details detailed response result results item items search dto model resource object schema read view compact mini partial extended output'.split(
    ' ',
  ),
)

/** The words of a name without those that say which form it is. */
function plainName(name: string): string {
  let words = wordsOf(name).map((word) => word.toLowerCase())
  const extra = words.indexOf('with')
  words = extra > 0 ? words.slice(0, extra) : words
  while (words.length > 1 && FIRST_WORDS.has(words[0]!)) {
    words = words.slice(1)
  }
  // `project-item-simple` is a form of an item, not of a project.
  for (
    let count = 0;
    words.length > 1 && LAST_WORDS.has(words.at(-1)!) && (count === 0 || words.at(-1) !== 'item');
    count++
  ) {
    words = words.slice(0, -1)
  }
  return singularName(words.join('-'))
}

function tableOf(name: string): string {
  return pascalCase(plainName(shortName(name)))
}

/** Adds the other forms of each record, and gives forms that do not fit together tables of their own. Returns the aliases. */
function joinFamilies(
  model: Model,
  entities: Map<string, EntityInfo>,
  reachable: ReadonlySet<string>,
  config: Config,
  report: Report,
): Map<string, string> {
  const aliases = new Map<string, string>()
  const tables = new Map<string, EntityInfo>()
  for (const [name, entity] of entities) {
    const first = tables.get(entity.table)
    if (first === undefined) {
      tables.set(entity.table, entity)
    } else if (!config.entities?.[name] && !isForm(entity.view, first)) {
      entities.set(name, { ...entity, table: pascalCase(shortName(name)) })
    }
  }
  for (const name of reachable) {
    const configured = config.entities?.[name]
    if (entities.has(name) || configured === false) {
      continue
    }
    const table = tableOf(name)
    const view = model.view(model.component(name))
    const main = tables.get(table) ?? abbreviated(table, tables)
    if (view === undefined || main === undefined || main.scope.length > 0 || !isForm(view, main)) {
      continue
    }
    if (findRecord(model, model.component(name), '')?.isList) {
      continue
    }
    const same = [...entities.values()].find(
      (entity) => entity.table === main.table && signatureOf(entity.view) === signatureOf(view),
    )
    if (same !== undefined && wordsOf(name)[0]?.toLowerCase() === 'nullable') {
      aliases.set(name, same.schema)
      continue
    }
    entities.set(name, { schema: name, table: main.table, key: main.key, scope: [], view })
    report.add(
      'inferred',
      'entity',
      name,
      `a form of ${main.table}`,
      `its name and fields are like those of "${main.schema}"`,
    )
  }
  // A nullable form may come before the one that it is an alias of.
  for (const [name, entity] of entities) {
    const plain = entity.schema.replace(/^nullable[-_ ]?/i, '')
    const same = [...entities.values()].find(
      (other) => other !== entity && flatName(other.schema) === flatName(plain) && other.table === entity.table,
    )
    if (plain !== entity.schema && same !== undefined && signatureOf(same.view) === signatureOf(entity.view)) {
      entities.delete(name)
      aliases.set(name, same.schema)
    }
  }
  return aliases
}

/** `Repo` is `Repository`. */
function abbreviated(table: string, tables: ReadonlyMap<string, EntityInfo>): EntityInfo | undefined {
  return table.length < 4
    ? undefined
    : [...tables.values()].find((main) => main.table.startsWith(table) && !/[A-Z]/.test(main.table.slice(1)))
}

/** True if a schema may be another form of an entity: it has the key, and most fields of the smaller one are in both. */
function isForm(view: ObjectView, main: EntityInfo): boolean {
  const [own, theirs] = [[...view.properties.keys()], [...main.view.properties.keys()]]
  const shared = own.filter((name) => main.view.properties.has(name)).length
  return (
    main.key.every((field) => view.properties.has(field.split('.')[0]!)) &&
    shared >= 2 &&
    shared / Math.min(own.length, theirs.length) >= 0.5
  )
}

/** Names the schemas that have an id, but that no path leads to. */
function reportOthers(
  model: Model,
  entities: ReadonlyMap<string, EntityInfo>,
  aliases: ReadonlyMap<string, string>,
  uses: Uses,
  report: Report,
): void {
  for (const name of uses.reachable()) {
    const view = entities.has(name) || aliases.has(name) ? undefined : model.view(model.component(name))
    if (view?.required.has('id') && model.isScalar(view.properties.get('id'))) {
      const why = 'it has an "id", but no path leads to one; if the id is unique, add it to "entities"'
      report.add('unsure', 'entity', name, 'plain data', why)
    }
  }
}

/** Where schemas are used. */
class Uses {
  readonly #collections = new Map<string, Set<string>>()
  readonly #nested = new Set<string>()
  readonly #reachable = new Set<string>()
  readonly #model: Model

  constructor(model: Model, operations: readonly Operation[], config: Config) {
    this.#model = model
    for (const operation of operations) {
      const collection = operation.place.replace(/\/\{[^}]+\}$/, '')
      const found = findRecord(model, operation.response.schema, subjectOf(collection), envelopeOf(operation, config))
      const { name } = found ? model.resolve(found.schema) : { name: undefined }
      if (name !== undefined) {
        this.#collections.set(name, (this.#collections.get(name) ?? new Set()).add(collection))
      }
      if (operation.response.schema !== undefined) {
        this.#walk(operation.response.schema, false)
      }
    }
  }

  collectionsOf(name: string): ReadonlySet<string> {
    return this.#collections.get(name) ?? new Set()
  }

  /** True if objects of the schema are inside objects of another one. */
  isNested(name: string): boolean {
    return this.#nested.has(name)
  }

  /** The named schemas that responses contain, in the order in which they are met. */
  reachable(): ReadonlySet<string> {
    return this.#reachable
  }

  #walk(node: JsonSchema, isInside: boolean): void {
    const { name, schema } = this.#model.resolve(node)
    if (name !== undefined) {
      if (isInside) {
        this.#nested.add(name)
      }
      if (this.#reachable.has(name)) {
        return
      }
      this.#reachable.add(name)
    }
    const within = isInside || name !== undefined
    const item = itemOf(this.#model, schema)
    if (item !== undefined) {
      this.#walk(item, isInside)
    }
    for (const option of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) {
      this.#walk(option, isInside)
    }
    const view = this.#model.view(schema)
    for (const member of view?.properties.values() ?? []) {
      this.#walk(member, within)
    }
    if (typeof view?.additional === 'object') {
      this.#walk(view.additional, within)
    }
  }
}

export function isParam(segment: string | undefined): boolean {
  return segment !== undefined && /^\{[^{}]+\}$/.test(segment)
}

/** The path of the collection that an item is in. */
export function collectionOf({ place }: Operation): string {
  return place.slice(0, place.lastIndexOf('/'))
}

/** What a path names: `user` of `/orgs/{org}/users`. */
export function subjectOf(path: string): string {
  const segment = path.split('/').findLast((part) => part !== '' && !isParam(part)) ?? 'item'
  return singularName(segment.replaceAll(/[{}]/g, '-'))
}

/** The envelope that the configuration gives to an operation. */
export function envelopeOf(operation: Operation, config: Config): string | false | undefined {
  return operationConfig(operation, config).envelope ?? config.envelope
}

export function operationConfig(
  { id, operationId }: Operation,
  { operations = {} }: Config,
): Exclude<NonNullable<Config['operations']>[string], false> {
  const own = (operationId === undefined ? undefined : operations[operationId]) ?? operations[id]
  return own || {}
}
