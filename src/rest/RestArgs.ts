import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type {
  EndpointInstance,
  Get,
  InputOf,
  Lifecycle,
  OptimisticResponse,
  OutputOf,
  Rest,
  ResultUpdates,
  UnknownError,
} from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import type { START, StartOptions } from '../endpoint/start.ts'
import type { AnyParams, BrokenPath, PathArgs } from '../path/PathArgs.ts'
import type { Normalize, Schema, Wire } from '../schema/Denormalize.ts'
import type { ListMember, PageMember, Paginated } from './extenders.ts'
import type { NetworkError } from './NetworkError.ts'

/**
 * How the body of a response is read.
 *
 * @example
 * new RestEndpoint({ path: '/files/:id', content: 'blob', dataExpiryLength: 0 })
 * @see docs/api/ContentType.md
 */
export type ContentType = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream'

/**
 * The error of a failed fetch.
 *
 * @example
 * const errorPolicy = (error: ErrorTypes) => (error.status === 503 ? 'soft' : undefined)
 * @see docs/api/ErrorTypes.md
 */
export type ErrorTypes = NetworkError | (UnknownError & { readonly status: number })

/**
 * The options that give a RestEndpoint its type.
 *
 * @example
 * class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> { override urlPrefix = 'https://api.test' }
 * @see docs/api/RestGenerics.md
 */
export interface RestGenerics {
  /** Template of the url: `/users/:id`. */
  readonly path: string
  readonly schema?: Schema
  readonly method?: string | undefined
  /** Type of the body argument; the value is not used, except that `undefined` takes the argument away. */
  readonly body?: any
  /** Type of further members of the first argument; the value is not used. */
  readonly searchParams?: any
  readonly paginationField?: string | undefined
  readonly content?: ContentType | undefined
  readonly sideEffect?: boolean | undefined
  readonly movePath?: string | undefined
  readonly validateResponse?: StandardSchemaV1 | undefined
  readonly validateBody?: StandardSchemaV1 | undefined
  // Their real signatures stand in RestOptions.
  readonly parseResponse?: any
  readonly process?: any
}

/**
 * The options of `extend()` that change the type of a RestEndpoint.
 *
 * @example
 * const wanted: PartialRestGenerics = { method: 'POST' }
 * @see docs/api/PartialRestGenerics.md
 */
export type PartialRestGenerics = { readonly [K in keyof RestGenerics]?: RestGenerics[K] | undefined }

/**
 * The options of a RestEndpoint that do not change its type. O: those that do, P: what `process` returns.
 *
 * @example
 * const shared: RestEndpointOptions = { urlPrefix: 'https://api.test', dataExpiryLength: 60_000 }
 * @see docs/api/RestEndpointOptions.md
 */
export interface RestOptions<O extends PartialRestGenerics = any, P = unknown> extends Lifecycle {
  readonly name?: string | undefined
  readonly urlPrefix?: string | undefined
  readonly requestInit?: RequestInit | undefined
  readonly signal?: AbortSignal | undefined
  /** Origins a redirect may lead to. */
  readonly allowRedirectTo?: readonly string[] | undefined
  errorPolicy?(error: ErrorTypes): 'hard' | 'soft' | undefined
  getOptimisticResponse?(
    snapshot: SnapshotInterface,
    ...args: GivenArgs<RestArgs<O>>
  ): OptimisticResponse<Get<O, 'schema', undefined>, RestResult<O, P>>
  update?(response: Normalize<Get<O, 'schema', undefined>>, ...args: GivenArgs<RestArgs<O>>): ResultUpdates
  url?(...args: UrlArgs<O>): string
  searchToString?(searchParams: AnyParams): string
  getRequestInit?(body?: any): RequestInit | Promise<RequestInit>
  getHeaders?(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit>
  fetchResponse?(input: string, init: RequestInit): Promise<Response>
  parseResponse?(response: Response): Promise<any>
  process?(value: RestParsed<O>, ...args: GivenArgs<RestArgs<O>>): P
  key?(...args: GivenArgs<RestArgs<O>>): string
  testKey?(key: string): boolean
  requestKey?(...args: GivenArgs<RestArgs<O>>): string
  /** How many pages of a list are fetched again at most, the list itself included; later ones leave the list then. */
  readonly maxPages?: number | undefined
  /** `value` has the type that `process` gives, where `process` is written before it. */
  getNextPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage
  /** The page before a response, for a list that can be read in both directions. */
  getPreviousPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage
}

/** The value of `paginationField` for the next page, or all its arguments; `undefined` or `null` at the end. */
export type NextPage = string | number | readonly [params: object, ...rest: unknown[]] | null | undefined

/**
 * The options of `new RestEndpoint()`: O are those that give it its type, P is what `process` returns.
 *
 * @example
 * class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
 *   constructor(options: RestEndpointConstructorOptions<O>) { super(options) }
 * }
 * @see docs/api/RestEndpointConstructorOptions.md
 */
export type RestEndpointConstructorOptions<O extends RestGenerics = any, P = unknown> = RestInit<O, P>

/** The same, with a hint in its name for the messages of the compiler. */
type RestInit<O extends RestGenerics, P, _Hint = OwnMembers> = Typed<O> &
  RestOptions<O, P> &
  Refused<O, PathArgs<O['path'] & string>, O> &
  Names

/** The compiler shows it, with the name of the type, to those who give an option that does not exist. */
export type OwnMembers = 'put members of your own into extra'

/** Options of `endpoint.extend()`. X: those that change its type, O: all that give the new one its type. */
export type RestExtendOptions<
  X extends PartialRestGenerics,
  O extends PartialRestGenerics,
  P,
  _Hint = OwnMembers,
> = Typed<X> &
  RestOptions<O, P> &
  Refused<X, 'path' extends keyof X ? PathArgs<X['path'] & string> : unknown, O> &
  Names

/**
 * The arguments of a RestEndpoint.
 *
 * @example
 * type Args = RestArgs<{ path: '/users/:id'; method: 'PUT' }> // [params: { id: string | number }, body: any]
 * @see docs/api/RestArgs.md
 */
export type RestArgs<O extends PartialRestGenerics> = 0 extends 1 & O ? any : Args<Params<O>, Body<O>>

/** The resolved value of a direct call: typed by `process`, `validateResponse`, `content` or the schema. */
export type RestResult<O, P = unknown> = unknown extends P
  ? keyof O & ('process' | 'validateResponse' | 'parseResponse' | 'content') extends never
    ? 'schema' extends keyof O
      ? Wire<O['schema']>
      : any
    : O extends { readonly process: (...args: never) => infer R }
      ? Awaited<R>
      : O extends { readonly validateResponse: infer V extends StandardSchemaV1 }
        ? OutputOf<V>
        : 'content' extends keyof O
          ? Read<O>
          : 'schema' extends keyof O
            ? Wire<O['schema']>
            : any
  : Awaited<P>

/** The first argument of `process`. */
export type RestParsed<O> = O extends { readonly validateResponse: infer V extends StandardSchemaV1 }
  ? OutputOf<V>
  : Read<O>

/** The parsed body: the result of an overridden `parseResponse`, else the type that `content` names. */
type Read<O> = O extends { readonly parseResponse: (...args: never) => infer R }
  ? Awaited<R>
  : O extends { readonly content: infer C extends keyof ContentMap }
    ? ContentMap[C]
    : any

/**
 * An endpoint made by `new RestEndpoint()`: O is what gives it its type, P is what `process` returns.
 *
 * @example
 * const log = (endpoint: RestInstance) => console.log(endpoint.method, endpoint.path)
 * @see docs/api/RestInstance.md
 */
export interface RestInstance<O extends PartialRestGenerics = any, P = unknown> extends Lifecycle {
  (...args: RestArgs<O>): Promise<RestResult<O, P>>
  /** For the compiler only: by this `extend()` of a resource knows what a member was made of. */
  readonly _made?: readonly [O, P]
  readonly path: O['path']
  readonly method: MethodOf<O>
  readonly schema: Get<O, 'schema', undefined>
  readonly sideEffect: SideEffectOf<O>
  readonly body?: Get<O, 'body', undefined>
  readonly searchParams?: Get<O, 'searchParams', undefined>
  readonly paginationField: Get<O, 'paginationField', undefined>
  readonly content: Get<O, 'content', undefined>
  readonly movePath: Get<O, 'movePath', undefined>
  readonly validateResponse: Get<O, 'validateResponse', undefined>
  readonly validateBody: Get<O, 'validateBody', undefined>
  readonly name: string
  readonly urlPrefix: string
  readonly requestInit: RequestInit | undefined
  readonly signal: AbortSignal | undefined
  readonly allowRedirectTo: readonly string[]
  readonly pathRegex: RegExp
  errorPolicy(error: ErrorTypes): 'hard' | 'soft' | undefined
  getOptimisticResponse?(
    snapshot: SnapshotInterface,
    ...args: RestArgs<O>
  ): OptimisticResponse<Get<O, 'schema', undefined>, RestResult<O, P>>
  update?(response: Normalize<Get<O, 'schema', undefined>>, ...args: RestArgs<O>): ResultUpdates
  url(...args: UrlArgs<O>): string
  searchToString(searchParams: AnyParams): string
  getRequestInit(body?: any): RequestInit | Promise<RequestInit>
  getHeaders(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit>
  fetchResponse(input: string, init: RequestInit): Promise<Response>
  parseResponse(response: Response): Promise<any>
  // A subclass that overrides it brings its own types.
  process(value: any, ...args: any): any
  // The body is no part of a key.
  key(...args: RestArgs<O> | UrlArgs<O>): string
  testKey(key: string): boolean
  requestKey(...args: RestArgs<O>): string
  readonly maxPages?: number | undefined
  getNextPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage
  getPreviousPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage
  /** Creates; what was created is appended to every list it belongs to. */
  readonly push: ListMember<O, P, 'push', Own<this>>
  /** Creates; what was created is put first. */
  readonly unshift: ListMember<O, P, 'unshift', Own<this>>
  /** Creates entries of a map. */
  readonly assign: ListMember<O, P, 'assign', Own<this>>
  /** Changes records and takes them out of the list. */
  readonly remove: ListMember<O, P, 'remove', Own<this>>
  /** Changes records and moves them to the lists they belong to now. */
  readonly move: ListMember<O, P, 'move', Own<this>>
  /** Fetches a further page of the list; there with `paginationField`. */
  readonly getPage: PageMember<O, P, Own<this>>
  /** An endpoint of further pages: by the parameter that names a page, or by what leaves the arguments of the list. */
  readonly paginated: Paginated<O, P, Own<this>>
  fetch(...args: RestArgs<O>): Promise<RestResult<O, P>>
  [START](args: RestArgs<O>, options?: StartOptions): Promise<RestResult<O, P>>
  call(thisArg: unknown, ...args: RestArgs<O>): Promise<RestResult<O, P>>
  apply(thisArg: unknown, args: RestArgs<O>): Promise<RestResult<O, P>>
  bind<B extends Partial<RestArgs<O>>>(
    thisArg: unknown,
    ...bound: B
  ): EndpointInstance<
    (...args: Rest<RestArgs<O>, B>) => Promise<RestResult<O, P>>,
    Get<O, 'schema', undefined>,
    SideEffectOf<O>
  >
  extend<X extends PartialRestGenerics = {}, Q = P>(
    options: RestExtendOptions<X, Merge<O, X>, Q>,
  ): RestInstance<Merge<O, X>, Kept<Q>> & Own<this>
}

export interface RestEndpointConstructor {
  new <O extends RestGenerics = any, P = unknown>(options: RestInit<O, P> | AnyOptions<O>): RestInstance<O, P>
  readonly prototype: RestInstance
}

/** Method of an endpoint: as given, else POST where a side effect is declared, else GET. */
export type MethodOf<O> = 'method' extends keyof O
  ? O['method']
  : O extends { readonly sideEffect: true }
    ? 'POST'
    : 'GET'

/** `true` for every method but GET, HEAD and OPTIONS, unless the endpoint says otherwise. */
export type SideEffectOf<O> = 'sideEffect' extends keyof O
  ? O['sideEffect']
  : 'method' extends keyof O
    ? 0 extends 1 & O
      ? any
      : Uppercase<O['method'] & string> extends SafeMethod
        ? undefined
        : true
    : undefined

/** The options of an endpoint that was made by `extend()`; a new method determines again whether there is a side effect. */
export type Merge<O, X> = keyof X extends never
  ? O
  : 0 extends 1 & O
    ? any
    : {
        [K in keyof X | Exclude<keyof O, 'method' extends keyof X ? 'sideEffect' : never>]: K extends keyof X
          ? X[K]
          : O[K & keyof O]
      }

interface ContentMap {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

type SafeMethod = 'GET' | 'HEAD' | 'OPTIONS'

// Only known names are inferred: the compiler then reports others, and suggests one of `Names`.
type Typed<O, N extends keyof O = keyof O & keyof RestGenerics> = { readonly [K in N]: O[K] }
type Names = { readonly [K in keyof RestGenerics]?: unknown }

// A subclass that leaves its type parameter open must not require every option.
type AnyOptions<O> = 0 extends 1 & O ? RestGenerics & RestOptions : never

/** The same members: through `infer`, so that messages show the shape and not the name of an alias. */
export type Flat<T> = T extends infer U ? { [K in keyof U]: U[K] } : never

/** The same type, out of reach of inference: what is expected of the new endpoint says nothing about what `process` returns. */
type Kept<Q> = [Q] extends [infer T] ? T : never

/** Members that a subclass has added. */
type Own<T> = Exclude<keyof T, keyof RestInstance> extends never ? unknown : Omit<T, keyof RestInstance>

/** No argument. */
type None = typeof NONE
declare const NONE: unique symbol

type Body<O> = 'method' extends keyof O
  ? BodyOf<O, Uppercase<O['method'] & string>>
  : O extends { readonly sideEffect: true }
    ? BodyOf<O, 'POST'>
    : None

type BodyOf<O, M> = 'body' extends keyof O
  ? 0 extends 1 & O['body']
    ? any
    : [O['body']] extends [undefined]
      ? None
      : M extends SafeMethod
        ? None
        : O['body']
  : M extends SafeMethod | 'DELETE'
    ? None
    : O extends { readonly validateBody: infer V extends StandardSchemaV1 }
      ? InputOf<V>
      : any

// PathArgs stands as an argument, never as a branch: only then does the compiler remember what it gave before.
type Params<O extends PartialRestGenerics> = Join<Get<O, 'searchParams', undefined>, PathArgs<O['path'] & string>>

type Join<S, P> = [S] extends [undefined]
  ? 0 extends 1 & S
    ? Flat<AnyParams & P>
    : P
  : unknown extends P
    ? S
    : Flat<NonNullable<S> & P> | (undefined extends S ? P : never)

type Args<P, B> = [B] extends [None] ? (0 extends 1 & B ? ParamsAndBody<P, B> : ParamArgs<P>) : ParamsAndBody<P, B>

type ParamsAndBody<P, B> = unknown extends P
  ? undefined extends B
    ? 0 extends 1 & B
      ? [body: B]
      : [body?: B]
    : [body: B]
  : IsOptional<P> extends true
    ? [body: B] | [params: P, body: B]
    : [params: P, body: B]

/** The arguments as a function in the options gets them: one that takes fewer of them fits no union of tuples. */
type GivenArgs<A extends readonly unknown[]> = number extends A['length']
  ? A
  : [1 | 2] extends [A['length']]
    ? [paramsOrBody: A[0], body?: A extends readonly [unknown, infer B] ? B : never]
    : A

/** The arguments that the list was asked with, or one of its pages. */
type AskedArgs<O extends PartialRestGenerics> = 0 extends 1 & O
  ? any
  : O extends { readonly paginationField: infer F extends string }
    ? ParamArgs<Join<Asked<Get<O, 'searchParams', undefined>, F>, PathArgs<O['path'] & string>>>
    : GivenArgs<RestArgs<O>>

type Asked<S, F extends string> = Flat<
  ([S] extends [undefined] ? unknown : NonNullable<S>) & { readonly [K in F]?: string | number }
>

type ParamArgs<P> = unknown extends P ? [] : IsOptional<P> extends true ? [params?: P | undefined] : [params: P]

type IsOptional<P> = {} extends P ? true : undefined extends P ? true : false

type UrlArgs<O extends PartialRestGenerics> = 0 extends 1 & O ? any : ParamArgs<Params<O>>

/** The errors in options X that become part of O: a broken template, a schema for content that has none. */
type Refused<X, P, O> =
  P extends BrokenPath<string>
    ? { readonly path: P }
    : 'content' extends keyof X
      ? RefusedSchema<X, O, X['content']>
      : 'schema' extends keyof X
        ? RefusedCounts<X['schema']>
        : unknown

/** A list may only count in numbers that stand beside it. */
type RefusedCounts<S> = S extends ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
  ? unknown
  : S extends { readonly [member: string]: unknown }
    ? UncountedIn<S> extends infer N extends string
      ? [N] extends [never]
        ? unknown
        : { readonly schema: NoSchema<`counts names "${N}", which is no number beside the list`> }
      : unknown
    : unknown

type UncountedIn<S> = Exclude<
  {
    [K in keyof S]: S[K] extends { readonly _counts: infer N } ? (0 extends 1 & N ? never : N) : never
  }[keyof S],
  { [K in keyof S]: S[K] extends number ? K : never }[keyof S]
>

type RefusedSchema<X, O, C> = C extends keyof ContentMap
  ? O extends { readonly schema: {} }
    ? 'schema' extends keyof X
      ? {
          readonly schema: NoSchema<`content '${C}' cannot be normalised; leave the schema out or set it to undefined`>
        }
      : { readonly schema: undefined }
    : unknown
  : unknown

/** Replaces a schema that has no use; the compiler shows `reason`. */
interface NoSchema<M extends string> {
  readonly reason: M
}
