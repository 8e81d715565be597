import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import type { ShortenPath } from '../path/PathArgs.ts'
import { shorten } from '../path/shorten.ts'
import type { Get, Lifecycle } from '../endpoint/EndpointOptions.ts'
import { Collection as BaseCollection, type CollectionOptions } from '../kinds/Collection.ts'
import type { EntityClass, Schema, SchemaInput, SchemaMark } from '../schema/Denormalize.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { argsPk, keyField } from '../schema/pk.ts'
import { isEntity } from '../schema/Schema.ts'
import { bundle, type Extendable } from './extendResource.ts'
import type { PartialBody } from './extenders.ts'
import type { Flat } from './RestArgs.ts'
import type { Own, Paged, RestInstance } from './RestInstance.ts'
import type { OwnMembers, PartialRestGenerics, RestOptions } from './RestOptions.ts'
import { RestEndpoint } from './RestEndpoint.ts'
import { isFormObject, sent } from '../endpoint/sent.ts'
import { classOf, envelopeOf, wrap } from '../schema/envelope.ts'

type Args = readonly any[]

/**
 * The options that give a resource its type.
 *
 * @example
 * function apiResource<O extends ResourceGenerics>(options: Readonly<O> & ResourceOptions): Resource<O> {
 *   return resource(options)
 * }
 * @see docs/api/resource.md#resourcegenerics
 */
export interface ResourceGenerics {
  /** Template of a single item; the list has it without the last parameter. */
  readonly path: string
  /** Schema of a single item. */
  readonly schema: Schema
  /** Type of the body of `create`, `update` and `partialUpdate`; the value is not used, except that `undefined` takes the argument away. */
  readonly body?: any
  /** Types of parameters of the path, by name: narrower than `string | number`; the value is not used. */
  readonly params?: any
  /** Type of the query parameters of `getList`; the value is not used. */
  readonly searchParams?: any
  /** The query parameter that says which page; gives `getList.getPage`. */
  readonly paginationField?: string | undefined
  /** The class of all members. */
  readonly Endpoint?: (new (options: any) => any) | undefined
}

/**
 * The options of `resource()` that do not change its type; those of RestEndpoint among them are given to all members.
 *
 * @example
 * const shared: ResourceOptions = { urlPrefix: 'https://api.test', optimistic: true }
 * @see docs/api/resource.md#resourceoptions
 */
export interface ResourceOptions extends Pick<
  RestOptions,
  | Exclude<keyof Lifecycle, 'expires'>
  | 'urlPrefix'
  | 'requestInit'
  | 'signal'
  | 'allowRedirectTo'
  | 'sendContentType'
  | 'searchToString'
  | 'getRequestInit'
  | 'getHeaders'
  | 'fetchResponse'
  | 'parseResponse'
  | 'process'
  | 'maxPages'
  | 'argumentKinds'
> {
  /** Mutations show before their response arrives. */
  readonly optimistic?: boolean | undefined
  /** Endpoints and Entity classes whose data each mutation makes stale. `expires` of a member replaces it. */
  readonly mutationsExpire?: Lifecycle['expires']
  /** Arguments of `getList` that do not filter it. */
  readonly nonFilterArgumentKeys?: CollectionOptions['nonFilterArgumentKeys'] | undefined
  /** The class of the schema of `getList`. */
  readonly Collection?: (new (schema: any, options?: any) => BaseCollection) | undefined
}

/**
 * The result of `resource()`: endpoints that share a schema, and `extend()`.
 *
 * @example
 * const remove = (users: Resource<{ path: '/users/:id'; schema: typeof User }>) => users.delete({ id: 5 })
 * @see docs/api/resource.md
 */
export interface Resource<O extends ResourceGenerics = any> extends Extendable {
  readonly get: Member<O, ItemGenerics<O>>
  readonly getList: Member<O, ListGenerics<O>>
  readonly create: Member<O, ListGenerics<O>>['push']
  readonly update: Member<O, UpdateGenerics<O>>
  readonly partialUpdate: Member<O, PartialGenerics<O>>
  readonly delete: Member<O, DeleteGenerics<O>>
}

/**
 * Any resource: the members that each of them has.
 *
 * @example
 * const refresh = (users: ResourceInterface) => controller.expireAll(users.getList)
 * @see docs/api/resource.md#resourceinterface
 */
export interface ResourceInterface {
  readonly get: RestInstance
  readonly getList: RestInstance
  readonly create: RestInstance
  readonly update: RestInstance
  readonly partialUpdate: RestInstance
  readonly delete: RestInstance
}

/**
 * Declares the endpoints of one kind of record: `get`, `getList`, `create`, `update`, `partialUpdate` and `delete`.
 *
 * @example
 * const UserResource = resource({ urlPrefix: 'https://api.test', path: '/users/:id', schema: User })
 * await UserResource.getList.push({ name: 'Ann' }) // POST https://api.test/users
 * @see docs/api/resource.md
 */
export function resource<O extends ResourceGenerics>(options: ResourceInit<O>): Resource<O> {
  const {
    path,
    schema,
    body: _body,
    params: _params,
    searchParams: _searchParams,
    paginationField: _field,
    nonFilterArgumentKeys: _keys,
    optimistic,
    mutationsExpire,
    Endpoint = RestEndpoint,
    Collection = BaseCollection,
    ...shared
  } = options as any
  if (DEV && !schema) {
    throw fail(
      'resource-no-schema',
      `${path}`,
      `The resource of "${path}" was given no schema. Give it an Entity or a Union: resource({ path, schema: User }). Files that import one another may have none yet.`,
    )
  }
  const title: string = (typeof schema === 'function' ? schema : schema.constructor).name
  if (DEV) {
    for (const name of ['validateResponse', 'validateBody', 'getOptimisticResponse']) {
      if (shared[name]) {
        throw fail(
          'option-per-member',
          `${name} of ${title}`,
          `"${name}" cannot be the same for all members of a resource. Give it to one of them: resource(...).extend({ update: { ${name} } }).`,
        )
      }
    }
    for (const name of ['Endpoint', 'Collection']) {
      if (typeof shared[name.toLowerCase()] === 'function') {
        warnOnce(
          `resource() takes "${name}" with a capital letter; "${name.toLowerCase()}" of "${title}" has no effect.`,
        )
      }
    }
  }

  // Only what was given: an `undefined` would hide what a class says.
  const given = (...names: string[]): object =>
    Object.fromEntries(names.filter((name) => name in options).map((name) => [name, (options as any)[name]]))
  const make = (name: string, more: object, optimisticResponse?: unknown): any =>
    new Endpoint({
      ...shared,
      ...(mutationsExpire && { expires: mutationsExpire }),
      path,
      schema,
      name: `${title}.${name}`,
      ...more,
      ...(optimistic && optimisticResponse && { getOptimisticResponse: optimisticResponse }),
    })
  const whole = expect()
  const moved = expect(schema)
  const removal = make(
    'delete',
    { method: 'DELETE', schema: isEntity(schema) || schema.isUnion ? new Invalidate(schema) : schema },
    (_: unknown, params: unknown) => params,
  )

  return bundle(title, {
    get: make('get', {}),
    getList: make('getList', {
      path: shorten(path),
      movePath: path,
      schema: new Collection([schema], given('nonFilterArgumentKeys')),
      ...given('body', 'searchParams', 'paginationField'),
    }).extend({
      // For the extenders, which take over what the list has.
      get getOptimisticResponse() {
        const { sideEffect, schema: list } = this
        return optimistic && sideEffect ? (list?.kind === 'move' ? moved : whole) : undefined
      },
    }),
    update: make('update', { method: 'PUT', ...given('body') }, whole),
    partialUpdate: make('partialUpdate', { method: 'PATCH', ...given('body') }, expect(schema, true)),
    delete: removal.extend({
      process(value: unknown, ...args: Args): unknown {
        const orParams = (result: unknown): unknown => (isEmpty(result) ? args[0] : result)
        // The result of the class's own `process` may be empty, too.
        const result: any = isEmpty(value) ? value : removal.process.call(this, value, ...args)
        return result?.then ? result.then(orParams) : orParams(result)
      },
    }),
  })
}

/** True for a response that does not identify a record. */
function isEmpty(value: unknown): boolean {
  return typeof value === 'object'
    ? value === null || Object.keys(value).length === 0
    : value === '' || !['string', 'number'].includes(typeof value)
}

/**
 * The expected response of a mutation: its arguments, over the stored record if `schema` finds one. With `only`, nothing
 * if it finds none.
 */
function expect(schema?: object, only?: boolean) {
  return function (this: any, snapshot: any, ...args: Args): unknown {
    const { schema: record } = envelopeOf(this.schema)
    const body = plain(args.at(-1), classOf(record))
    const isNew = record?.kind === 'add'
    const params: unknown = args.length > 1 ? (isNew ? withoutPk(classOf(record), args[0]) : args[0]) : undefined
    const stored: unknown = schema && snapshot.get(schema, params)
    if (only && !stored) {
      if (DEV) {
        warnUnnamed(this, record, params)
      }
      throw snapshot.abort
    }
    const merge = (item: unknown): unknown => ({
      ...(params as object),
      ...(stored as object),
      ...sent(item as object),
    })
    // A key alone names the record, and entries of a map are no fields.
    if (typeof body !== 'object' || this.schema.collection?.isMap) {
      return body
    }
    return Array.isArray(body) ? body.map(merge) : wrap(this.schema, merge(body))
  }
}

/** Warns of parameters that name no record, because that of the path is called otherwise than the field of the key. */
function warnUnnamed({ name, path }: { name: string; path: string }, Class: any, params: unknown): void {
  const field = DEV && isEntity(Class) && argsPk(Class as never, [params]) === undefined && keyField(Class as never)
  if (DEV && field && !path.includes(`:${field}`)) {
    warnOnce(
      `The optimistic update of "${name}" shows nothing: the parameters of "${path}" name no record, because the key of "${(Class as { key: string }).key}" is its field "${field}". Name the parameter of the path like it: "/:${field}".`,
    )
  }
}

/** A body; of a form only the text that the class declares as text, since the server may make anything of the rest. */
function plain(body: unknown, Class: any): unknown {
  if (!isFormObject(body)) {
    return body
  }
  const isText = ([name, value]: [string, unknown]): boolean =>
    typeof value === 'string' && typeof Class?.defaults?.[name] === 'string'
  return Object.fromEntries(Object.entries(body).filter(isText))
}

/** The parameters that are no key of a new record: in `/projects/:id/tickets` the id is that of the project. */
function withoutPk(Class: any, params: any): unknown {
  return Object.fromEntries(
    Object.entries((params ?? {}) as object).filter(
      ([name, value]) => argsPk(Class as never, [{ [name]: value }]) === undefined,
    ),
  )
}

// Only known names are inferred: the compiler then reports others, and suggests one that is known.
type ResourceInit<O extends ResourceGenerics, _Hint = OwnMembers> = Typed<O> &
  ResourceOptions & { readonly [K in keyof ResourceGenerics]?: unknown }

type Typed<O, N extends keyof O = keyof O & keyof ResourceGenerics> = { readonly [K in N]: O[K] }

type Member<O, X extends PartialRestGenerics> = 'Endpoint' extends keyof O
  ? O['Endpoint'] extends new (options: any) => infer E
    ? RestInstance<X> & Own<E> & (E extends { getNextPage(...args: any): unknown } ? Paged<E> : unknown)
    : RestInstance<X>
  : RestInstance<X>

// Aliases, not interfaces: declarations that an app emits then spell out their members instead of names it cannot import.
type ItemGenerics<O extends ResourceGenerics> = Generics<O, unknown>

type UpdateGenerics<O extends ResourceGenerics> = Generics<O, { method: 'PUT'; body: BodyOf<O> }>

type PartialGenerics<O extends ResourceGenerics> = Generics<
  O,
  { method: 'PATCH'; body: 'body' extends keyof O ? PartialBody<O['body']> : BodyOf<O> }
>

type DeleteGenerics<O extends ResourceGenerics> = Generics<
  O,
  {
    schema: O['schema'] extends EntityClass | (SchemaMark & { readonly isUnion: true })
      ? Invalidate<O['schema']>
      : O['schema']
    method: 'DELETE'
  }
>

type ListGenerics<O extends ResourceGenerics> = Generics<
  O,
  {
    path: ShortenPath<O['path']>
    movePath: O['path']
    schema: BaseCollection<O['schema'][]>
    // Not declared, any will do.
    searchParams: Get<O, 'searchParams', any>
    body: 'body' extends keyof O ? O['body'] : BodyOf<O> | readonly Flat<SchemaInput<O['schema']>>[]
    paginationField: Get<O, 'paginationField', undefined>
  }
>

/** The options of a member: those of its resource, and `Own`. Only declared ones have a place: emitted types have a limit of length. */
type Generics<O extends ResourceGenerics, Own> = {
  [K in 'path' | 'schema' | Extract<keyof O, 'params'> | keyof Own]: K extends keyof Own ? Own[K] : O[K & keyof O]
}

type BodyOf<O extends ResourceGenerics> = 'body' extends keyof O ? O['body'] : Flat<SchemaInput<O['schema']>> | FormData
