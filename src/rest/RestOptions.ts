import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type {
  Get,
  Lifecycle,
  OnlyFields,
  OptimisticResponse,
  OrUndefined,
  ResultUpdates,
  UnknownError,
} from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import type { AnyParams, BrokenPath, PathArgs } from '../path/PathArgs.ts'
import type { ArgumentKinds } from '../schema/argumentKinds.ts'
import type { EntityClass, Normalize, Schema } from '../schema/Denormalize.ts'
import type { NetworkError } from './NetworkError.ts'
import type { AskedArgs, ContentMap, GivenArgs, RestArgs, RestParsed, RestResult, UrlArgs } from './RestArgs.ts'

/**
 * How the body of a response is read.
 *
 * @example
 * new RestEndpoint({ path: '/files/:id', content: 'blob', dataExpiryLength: 0 })
 * @see docs/api/RestEndpoint.md#contenttype
 */
export type ContentType = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream'

/**
 * The error of a failed fetch.
 *
 * @example
 * const errorPolicy = (error: ErrorTypes) => (error.status === 503 ? 'soft' : undefined)
 * @see docs/api/NetworkError.md#errortypes
 */
export type ErrorTypes = NetworkError | (UnknownError & { readonly status: number })

/**
 * The options that give a RestEndpoint its type.
 *
 * @example
 * class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> { override urlPrefix = 'https://api.test' }
 * @see docs/api/RestEndpoint.md#restgenerics
 */
export interface RestGenerics {
  /** Template of the url: `/users/:id`. */
  readonly path: string
  readonly schema?: Schema
  readonly method?: string | undefined
  /** Type of the body argument; the value is not used, except that `undefined` takes the argument away. */
  readonly body?: any
  /** Types of parameters of the path, by name: narrower than `string | number`; the value is not used. */
  readonly params?: any
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
 * @see docs/api/RestEndpoint.md#partialrestgenerics
 */
export type PartialRestGenerics = { readonly [K in keyof RestGenerics]?: RestGenerics[K] | undefined }

/**
 * The options of a RestEndpoint that do not change its type. O: those that do, P: what `process` returns.
 *
 * @example
 * const shared: RestEndpointOptions = { urlPrefix: 'https://api.test', dataExpiryLength: 60_000 }
 * @see docs/api/RestEndpoint.md#restendpointoptions
 */
export interface RestOptions<O extends PartialRestGenerics = any, P = unknown, G = unknown>
  extends Omit<Lifecycle, 'errorPolicy'>, OrUndefined<RequestMethods>, OrUndefined<TypedMethods<O, P, G>> {
  readonly name?: string | undefined
  readonly urlPrefix?: string | undefined
  readonly requestInit?: RequestInit | undefined
  readonly signal?: AbortSignal | undefined
  /** Origins a redirect may lead to. */
  readonly allowRedirectTo?: readonly string[] | undefined
  /** Which requests have the header `Content-Type: application/json`: all, or only those with a body. */
  readonly sendContentType?: 'always' | 'withBody' | undefined
  /** How many pages of a list are fetched again at most, the list itself included; later ones leave the list then. */
  readonly maxPages?: number | undefined
  /** The kinds of arguments of its lists, where their names do not say them: `{ context: 'shape', q: 'search' }`. */
  readonly argumentKinds?: ArgumentKinds | undefined
}

/** The methods that have the same type in every RestEndpoint. */
interface RequestMethods {
  errorPolicy?(error: ErrorTypes): 'hard' | 'soft' | undefined
  searchToString?(searchParams: AnyParams): string
  getRequestInit?(body?: any): RequestInit | Promise<RequestInit>
  getHeaders?(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit>
  fetchResponse?(input: string, init: RequestInit): Promise<Response>
  parseResponse?(response: Response): Promise<any>
  testKey?(key: string): boolean
}

/** The methods that are typed by other options. */
interface TypedMethods<O extends PartialRestGenerics, P, G> {
  getOptimisticResponse?(
    snapshot: SnapshotInterface,
    ...args: GivenArgs<RestArgs<O>>
  ): OptimisticResponse<Get<O, 'schema', undefined>, RestResult<O, P>> &
    OnlyFields<G, Get<O, 'schema', undefined>, RestArgs<O>>
  update?(response: Normalize<Get<O, 'schema', undefined>>, ...args: GivenArgs<RestArgs<O>>): ResultUpdates
  url?(...args: UrlArgs<O>): string
  /** Replaces the whole request. */
  fetch?(...args: GivenArgs<RestArgs<O>>): Promise<any>
  process?(value: RestParsed<O>, ...args: GivenArgs<RestArgs<O>>): P & Storable<P, Get<O, 'schema', undefined>>
  key?(...args: GivenArgs<RestArgs<O>>): string
  requestKey?(...args: GivenArgs<RestArgs<O>>): string
  /** `value` has the type that `process` gives, where `process` is written before it. */
  getNextPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage | ([G] extends [never] ? G : never)
  /** The page before a response, for a list that can be read in both directions. */
  getPreviousPage?(value: RestResult<O, P>, ...args: AskedArgs<O>): NextPage
}

/** A text, a number or a boolean cannot be stored as what a schema of records describes. */
type Storable<P, S> = [0 extends 1 & P ? never : Extract<P, Primitive>] extends [never]
  ? unknown
  : S extends EntityClass
    ? NoData<'a record is an object'>
    : S extends { readonly _in: infer I }
      ? Extract<P, Primitive> extends I
        ? unknown
        : NoData<'records are objects'>
      : S extends readonly unknown[]
        ? NoData<'a list is an array'>
        : unknown

type Primitive = string | number | bigint | boolean | symbol

/** The value of `paginationField` for the next page, or all its arguments; `undefined` or `null` at the end. */
export type NextPage = string | number | readonly [params: object, ...rest: unknown[]] | null | undefined

/**
 * The options of `new RestEndpoint()`: O are those that give it its type, P is what `process` returns.
 *
 * @example
 * class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
 *   constructor(options: RestEndpointConstructorOptions<O>) { super(options) }
 * }
 * @see docs/api/RestEndpoint.md#restendpointconstructoroptions
 */
export type RestEndpointConstructorOptions<
  O extends RestGenerics = any,
  P = unknown,
  // TypeScript 5.4 writes the type of a subclass with the name of this type, so the hint cannot be in another one.
  _Hint = OwnMembers,
  G = unknown,
> = Typed<O> & RestOptions<O, P, G> & Refused<O, PathArgs<O['path'] & string>, O> & Names

/** The compiler shows it, with the name of the type, to those who give an option that does not exist. */
export type OwnMembers = 'put members of your own into extra'

/**
 * Options of `endpoint.extend()`. X: those that change its type, O: all that give the new one its type, P: what `process` returns,
 * G: what `getOptimisticResponse` or `getNextPage` returns.
 */
export type RestExtendOptions<
  X extends PartialRestGenerics,
  O extends PartialRestGenerics,
  P,
  _Hint = OwnMembers,
  G = unknown,
> = Typed<X> &
  RestOptions<O, P, G> &
  Refused<X, 'path' extends keyof X ? PathArgs<X['path'] & string> : unknown, O> &
  Names

/**
 * Options of a member in `extend({ member: options })` of a resource. Nothing is inferred from the types of its methods: they are made of
 * what is inferred.
 */
export type RestMemberOptions<X extends PartialRestGenerics, O extends PartialRestGenerics, N extends keyof X> = Typed<
  X,
  N
> &
  Quiet<RestOptions<O>> &
  Refused<X, 'path' extends keyof X ? PathArgs<X['path'] & string> : unknown, O> &
  Names

type Quiet<T> = { readonly [K in keyof T]: NoInfer<T[K]> }

/** The mistakes in the results of methods X, for an endpoint of O: misspelt fields, and why a result cannot be stored. */
export type RefusedResults<X, O extends PartialRestGenerics> =
  | (X extends { readonly getOptimisticResponse: (...args: never) => infer G }
      ? Extract<keyof Extract<OnlyFields<G, Get<O, 'schema', undefined>, RestArgs<O>>, object>, string>
      : never)
  | (X extends { readonly process: (...args: never) => infer P }
      ? Storable<P, Get<O, 'schema', undefined>> extends NoData<infer R>
        ? R
        : never
      : never)

// Only known names are inferred: the compiler then reports others, and suggests one of `Names`.
type Typed<O, N extends keyof O = keyof O & keyof RestGenerics> = { readonly [K in N]: O[K] }
type Names = { readonly [K in keyof RestGenerics]?: unknown }

// A subclass that leaves its type parameter open must not require every option.
export type AnyOptions<O> = 0 extends 1 & O ? RestGenerics & RestOptions : never

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
  NumbersIn<S>
>

/** The names of numbers, `meta.total` for one in a member. */
type NumbersIn<S> = {
  [K in keyof S & string]: S[K] extends number
    ? K
    : S[K] extends { readonly [member: string]: unknown }
      ? `${K}.${{ [L in keyof S[K] & string]: S[K][L] extends number ? L : never }[keyof S[K] & string]}`
      : never
}[keyof S & string]

type RefusedSchema<X, O, C> = C extends keyof ContentMap
  ? O extends { readonly schema: {} }
    ? 'schema' extends keyof X
      ? {
          readonly schema: NoSchema<`content '${C}' cannot be normalised; leave the schema out or set it to undefined`>
        }
      : { readonly schema: undefined }
    : unknown
  : unknown

/** Replaces the result of a `process` that has no use; the compiler shows `reason`. */
interface NoData<M extends string> {
  readonly reason: M
}

/** Replaces a schema that has no use; the compiler shows `reason`. */
interface NoSchema<M extends string> {
  readonly reason: M
}
