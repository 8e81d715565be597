import { Unconvertible } from './errors.ts'
import { camel, pascal, plural, singular } from './names.ts'
import type { Project, SourceFile } from './Project.ts'
import { readUrl } from './readUrl.ts'
import { type Field, type Shape, shapeOf } from './types.ts'
import { type Entry, type Lost, type RequestRead, stringOf, type TypeHint, type Value } from './values.ts'

/** A request that the app sends, with all the places that send it. */
export interface Operation {
  /** `GET /todos/:`, with the prefix. */
  readonly key: string
  readonly method: string
  readonly prefix: Value | undefined
  readonly path: readonly (string | Value)[]
  readonly hasSearch: boolean
  readonly hasBody: boolean
  readonly type: TypeHint | undefined
  readonly typePath: readonly string[]
  readonly resultPath: readonly string[]
  readonly shape: Shape
  readonly headers: readonly Entry[]
  readonly credentials: string | undefined
  readonly name: string | undefined
  readonly lost: readonly Lost[]
  /** Options of the endpoint, as code by name. */
  readonly options: Map<string, string>
  isOptimistic: boolean
  pages: Pages | undefined
}

/** How a list goes on. */
export interface Pages {
  readonly field: string
  /** The function that returns the next page, as code; without it, the pages are counted. */
  readonly next: string | undefined
}

/** One use of a request: its values are those of that place. */
export interface Use {
  readonly operation: string
  readonly params: readonly Value[]
  readonly search: readonly Entry[]
  readonly body: Value | undefined
}

/** Where an endpoint is: `Todos.get`, and the names of the parameters of its path. */
export interface Place {
  readonly code: string
  readonly importName: string
  /** The module that has it; undefined for the one that is written. */
  readonly from: string | undefined
  readonly params: readonly string[]
  readonly entity: string | undefined
  /** The member of the response that is the list, if the whole response is the data. */
  readonly listMember: string | undefined
}

export interface EntityPlan {
  readonly name: string
  readonly id: string
  readonly fields: readonly Field[] | undefined
}

export interface ResourcePlan {
  readonly name: string
  readonly path: string
  readonly entity: EntityPlan
  readonly prefix: Value | undefined
  readonly operations: Map<string, Operation>
}

export interface EndpointPlan {
  readonly name: string
  readonly path: string
  readonly operation: Operation
  readonly entity: EntityPlan | undefined
}

/** A function that stays as it is, and is cached by its arguments. */
export interface FunctionPlan {
  readonly name: string
  readonly fn: { readonly file: SourceFile; readonly name: string }
}

export interface MapEntry {
  readonly endpoint: string
  readonly from: string
}

export type ApiMap = { readonly [operation: string]: MapEntry }

/** Every request of the app, and what it becomes. */
export class Api {
  readonly operations = new Map<string, Operation>()
  readonly entities = new Map<string, EntityPlan>()
  readonly resources: ResourcePlan[] = []
  readonly endpoints: EndpointPlan[] = []
  readonly functions = new Map<string, FunctionPlan>()
  readonly places = new Map<string, Place>()
  readonly #project: Project
  readonly #map: ApiMap
  readonly #taken: Set<string>

  /** Requests whose endpoints cannot be written, with the reason. */
  readonly #unwritable: ReadonlyMap<string, string>

  constructor(
    project: Project,
    map: ApiMap,
    taken: ReadonlySet<string>,
    unwritable: ReadonlyMap<string, string> = new Map(),
  ) {
    this.#unwritable = unwritable
    this.#project = project
    this.#map = map
    this.#taken = new Set(taken)
  }

  /** Records a request, and returns the use of it at this place. */
  add(request: RequestRead, resultPath: readonly string[]): Use {
    const url = readUrl(request)
    const template = url.path.map((part) => (typeof part === 'string' ? part : ':')).join('')
    const prefix = url.prefix ? (stringOf(url.prefix) ?? codeOf(url.prefix)) : ''
    const key = `${request.method} ${prefix}${template}`
    const reason = this.#unwritable.get(key)
    if (reason !== undefined) {
      throw new Unconvertible(reason)
    }
    const shape = request.type
      ? walk(this.#project, shapeOf(this.#project, request.type), resultPath.slice(request.typePath.length))
      : { kind: 'other' as const }
    const old = this.operations.get(key)
    const isBetter = !old || (old.shape.kind === 'other' && shape.kind !== 'other') || (!old.type && request.type)
    const base = isBetter
      ? { type: request.type, typePath: request.typePath, resultPath, shape }
      : { type: old.type, typePath: old.typePath, resultPath: old.resultPath, shape: old.shape }
    if (old && old.resultPath.join('.') !== resultPath.join('.') && old.method === 'GET') {
      throw new Unconvertible(`other code reads another part of the response of ${key}`)
    }
    this.operations.set(key, {
      key,
      method: request.method,
      prefix: url.prefix,
      path: url.path,
      hasSearch: url.search.length > 0 || (old?.hasSearch ?? false),
      hasBody: request.body !== undefined || (old?.hasBody ?? false),
      headers: request.headers,
      credentials: request.credentials,
      name: old?.name ?? request.name,
      lost: request.lost,
      options: old?.options ?? new Map(),
      isOptimistic: old?.isOptimistic ?? false,
      pages: old?.pages,
      ...base,
    })
    return {
      operation: key,
      params: url.path.filter((part) => typeof part !== 'string'),
      search: url.search,
      body: request.body,
    }
  }

  addFunction(file: FunctionPlan['fn']['file'], name: string): string {
    const key = `${file.path}#${name}`
    const plan = this.functions.get(key) ?? {
      name: this.#take(
        /^get[A-Z]/.test(name) ? `${name}Endpoint` : `get${pascal(name.replace(/^(?:fetch|load|query)(?=[A-Z])/, ''))}`,
      ),
      fn: { file, name },
    }
    this.functions.set(key, plan)
    return plan.name
  }

  /** Decides what each request becomes. */
  plan(used: ReadonlySet<string>): void {
    const groups = new Map<string, Operation[]>()
    for (const operation of this.operations.values()) {
      if (!used.has(operation.key)) {
        continue
      }
      const mapped = this.#mapped(operation)
      if (mapped) {
        this.places.set(operation.key, mapped)
        continue
      }
      const collection = collectionOf(operation)
      groups.set(collection, [...(groups.get(collection) ?? []), operation])
    }
    // Types come first: a class belongs to the path that names it.
    for (const operations of groups.values()) {
      for (const { shape } of operations) {
        const record =
          shape.kind === 'list' ? shape.item : shape.kind === 'object' ? envelopeOf(this.#project, shape)?.item : shape
        if (record?.kind === 'record') {
          this.#addEntity(record)
        }
      }
    }
    for (const [collection, operations] of groups) {
      this.#planGroup(collection, operations)
    }
  }

  #planGroup(collection: string, operations: readonly Operation[]): void {
    const listOf = (operation: Operation): boolean => !isItem(operation)
    const list = operations.find((operation) => listOf(operation) && operation.method === 'GET')
    const items = operations.filter(
      (operation) => isItem(operation) && /^(?:GET|PUT|PATCH|DELETE)$/.test(operation.method),
    )
    const create = operations.find((operation) => listOf(operation) && operation.method === 'POST')
    const segment = collection.split('/').findLast((part) => part !== '' && part !== ':') ?? 'item'
    const entity = this.#entityOf(list, items, create, segment)
    const isCollection = /s$/i.test(segment) || plural(singular(segment)) === segment
    if (!entity || !(list || items.length > 0) || !(isCollection || items.length > 0)) {
      for (const operation of operations) {
        this.#planEndpoint(operation, segment)
      }
      return
    }
    const example = list ?? items[0] ?? create!
    const names = this.#paramNames(example, entity)
    const listPath = pathText(list ?? create ?? items[0]!, names, !(list ?? create))
    const name = this.#take(plural(entity.name))
    const members = new Map<string, Operation>()
    this.resources.push({
      name,
      path: `${listPath}/:${idParam(entity)}`,
      entity,
      prefix: example.prefix,
      operations: members,
    })
    for (const operation of operations) {
      const member = memberName(operation)
      if (member === undefined) {
        this.#planEndpoint(operation, segment)
        continue
      }
      members.set(member, operation)
      const ownNames = this.#paramNames(operation, entity)
      const parents = isItem(operation) ? ownNames.slice(0, -1) : ownNames
      this.places.set(operation.key, {
        code: `${name}.${member}`,
        importName: name,
        from: undefined,
        params: isItem(operation)
          ? [...names.slice(0, parents.length), idParam(entity)]
          : names.slice(0, parents.length),
        entity: entity.name,
        listMember: member === 'getList' ? envelopeOf(this.#project, operation.shape)?.member : undefined,
      })
    }
  }

  #planEndpoint(operation: Operation, segment: string): void {
    const { shape } = operation
    const record = shape.kind === 'list' ? shape.item : shape
    const envelope = shape.kind === 'object' ? envelopeOf(this.#project, shape) : undefined
    const entity =
      record.kind === 'record'
        ? this.#addEntity(record)
        : envelope?.item.kind === 'record'
          ? this.#addEntity(envelope.item)
          : undefined
    const verb =
      { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' }[operation.method] ??
      camel(operation.method)
    const base = operation.name
      ? operation.name.replace(/^(?:fetch|load|query)(?=[A-Z])/, 'get')
      : `${verb}${pascal(segment)}`
    const name = this.#take(camel(base))
    const names = this.#paramNames(operation, undefined)
    this.endpoints.push({ name, path: pathText(operation, names, false), operation, entity })
    this.places.set(operation.key, {
      code: name,
      importName: name,
      from: undefined,
      params: names,
      entity: entity?.name,
      listMember: envelope?.member,
    })
  }

  #entityOf(
    list: Operation | undefined,
    items: readonly Operation[],
    create: Operation | undefined,
    segment: string,
  ): EntityPlan | undefined {
    const shapes = [
      list?.shape.kind === 'list'
        ? list.shape.item
        : list?.shape.kind === 'object'
          ? envelopeOf(this.#project, list.shape)?.item
          : undefined,
      ...items.map((operation) => operation.shape),
      create?.shape,
    ]
    const record = shapes.find((shape) => shape?.kind === 'record')
    if (record?.kind === 'record') {
      return this.#addEntity(record)
    }
    const typed = [list, ...items.filter(({ method }) => method === 'GET')].filter((operation) => operation?.type)
    if (
      typed.length > 0 ||
      !(items.some(({ method }) => method === 'GET') || (list && items.length > 0) || (list && create))
    ) {
      return undefined
    }
    const name = pascal(singular(segment))
    const known = this.entities.get(name)
    if (known) {
      return known
    }
    const plan = { name, id: 'id', fields: undefined }
    this.entities.set(name, plan)
    return plan
  }

  /** The entity of a record, and of the records inside it. */
  #addEntity(record: Shape & { kind: 'record' }): EntityPlan {
    const known = this.entities.get(record.name)
    if (known) {
      return known
    }
    const plan = { name: record.name, id: record.id, fields: record.fields }
    this.entities.set(record.name, plan)
    for (const field of record.fields) {
      const shape = shapeOf(this.#project, field.type)
      const inner = shape.kind === 'list' ? shape.item : shape
      if (inner.kind === 'record') {
        this.#addEntity(inner)
      }
    }
    return plan
  }

  #paramNames(operation: Operation, entity: EntityPlan | undefined): string[] {
    const names: string[] = []
    operation.path.forEach((part, index) => {
      if (typeof part === 'string') {
        return
      }
      const before = operation.path[index - 1]
      const segment = typeof before === 'string' ? before.split('/').findLast(Boolean) : undefined
      const isLast = index === operation.path.length - 1
      const hint = nameHint(part)
      const base =
        isLast && entity && isItem(operation)
          ? idParam(entity)
          : hint && hint !== 'id' && /^[a-z]\w*$/i.test(hint)
            ? hint
            : isLast
              ? 'id'
              : segment
                ? `${camel(singular(segment))}Id`
                : 'id'
      names.push(names.includes(base) ? `${base}${names.length + 1}` : base)
    })
    return names
  }

  #mapped(operation: Operation): Place | undefined {
    for (const [template, entry] of Object.entries(this.#map)) {
      const [method, path = ''] = template.split(' ')
      const shape = path.replaceAll(/:\w+|\{\w+\}/g, ':')
      if (
        method === operation.method &&
        (operation.key === `${method} ${shape}` || (operation.key.endsWith(shape) && operation.prefix))
      ) {
        return {
          code: entry.endpoint,
          importName: entry.endpoint.split('.')[0]!,
          from: entry.from,
          params: [...path.matchAll(/:(\w+)|\{(\w+)\}/g)].map(([, a, b]) => (a ?? b)!),
          entity: entry.endpoint.includes('.') ? entry.endpoint.split('.')[0] : undefined,
          listMember: undefined,
        }
      }
    }
    return undefined
  }

  #take(name: string): string {
    let free = name
    for (const end of [/^[A-Z]/.test(name) ? 'Resource' : 'Endpoint', 'Api', 'Api2', 'Api3', 'Api4']) {
      if (!this.#taken.has(free) && !this.entities.has(free)) {
        break
      }
      free = name + end
    }
    this.#taken.add(free)
    return free
  }
}

function codeOf(value: Value): string {
  return value.kind === 'code' ? value.text : '…'
}

export function idParam(entity: EntityPlan): string {
  return entity.id === '_id' ? 'id' : entity.id
}

function nameHint(value: Value): string | undefined {
  return value.kind === 'code' ? /([A-Za-z_]\w*)!?$/.exec(value.text)?.[1] : undefined
}

/** Whether a path names one record: its last segment is a parameter. */
export function isItem({ path }: Operation): boolean {
  const before = path.at(-2)
  return path.length > 1 && typeof path.at(-1) === 'object' && typeof before === 'string' && before.endsWith('/')
}

function collectionOf(operation: Operation): string {
  const path = operation.key.slice(operation.key.indexOf(' ') + 1)
  return isItem(operation) ? path.replace(/\/:$/, '') : path.replace(/\/$/, '')
}

function memberName(operation: Operation): string | undefined {
  const names: { readonly [method: string]: string } = isItem(operation)
    ? { GET: 'get', PUT: 'update', PATCH: 'partialUpdate', DELETE: 'delete' }
    : { GET: 'getList', POST: 'create' }
  return names[operation.method]
}

function pathText(operation: Operation, names: readonly string[], isItemPath: boolean): string {
  let index = 0
  const parts = isItemPath ? operation.path.slice(0, -1) : operation.path
  const text = parts
    .map((part) => (typeof part === 'string' ? part.replaceAll(/[{}()[\]+!*:?\\]/g, '\\$&') : `:${names[index++]}`))
    .join('')
  return text.length > 1 ? text.replace(/\/$/, '') : text
}

export interface Envelope {
  readonly member: string
  readonly item: Shape
  readonly others: readonly Field[]
}

/** The list in an object: `{ items: Todo[], total: number }`. */
export function envelopeOf(project: Project, shape: Shape): Envelope | undefined {
  if (shape.kind !== 'object') {
    return undefined
  }
  const lists = shape.fields.flatMap((field) => {
    const inner = shapeOf(project, field.type)
    return inner.kind === 'list' && inner.item.kind === 'record' ? [{ field, item: inner.item }] : []
  })
  const [only, ...more] = lists
  return only && more.length === 0
    ? { member: only.field.name, item: only.item, others: shape.fields.filter((field) => field !== only.field) }
    : undefined
}

function walk(project: Project, shape: Shape, path: readonly string[]): Shape {
  let at = shape
  for (const name of path) {
    const field =
      at.kind === 'object' || at.kind === 'record' ? at.fields.find((other) => other.name === name) : undefined
    if (!field) {
      return { kind: 'other' }
    }
    at = shapeOf(project, field.type)
  }
  return at
}
