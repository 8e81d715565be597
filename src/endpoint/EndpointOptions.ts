import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type { EntityClass, Normalize, SchemaInput } from '../schema/Denormalize.ts'
import type { SnapshotInterface } from './Snapshot.ts'
import type { START, StartOptions } from './start.ts'

// The types below take `any` where a user's own function or schema has to fit.

/**
 * The function that fetches: any arguments, a promise of the response.
 *
 * @example
 * const load: FetchFunction<[id: string], User> = (id) => fetchUser(id)
 * @see docs/api/Endpoint.md#fetchfunction
 */
export type FetchFunction<A extends readonly any[] = any, R = any> = (...args: A) => Promise<R>

/**
 * An error of the platform or of the app, or a failure of transport with its `status`.
 *
 * @example
 * const errorPolicy = (error: UnknownError) => ((error.status ?? 0) >= 500 ? 'soft' : undefined)
 * @see docs/api/NetworkError.md#unknownerror
 */
export interface UnknownError extends Error {
  readonly status?: number
  readonly code?: string
  /** The library rejected a response that arrived. */
  readonly refused?: boolean
  /** The issues that a validator reported. */
  readonly issues?: readonly StandardSchemaV1.Issue[]
  readonly response?: unknown
  /** The body of a response whose status is not `ok`: parsed JSON, else text. */
  readonly body?: unknown
}

/**
 * How often a failed request is sent again: a number, never, or a function that gets how often it has failed before.
 *
 * @example
 * const retry: Retry = (failures, error) => failures < 3 && error.status === 503
 * @see docs/api/Retry.md
 */
export type Retry = number | false | ((failures: number, error: UnknownError) => boolean)

/**
 * Milliseconds before a request is sent again: those before the first retry, or a function that gets how often it has failed before.
 *
 * @example
 * const retryDelay: RetryDelay = (failures) => 100 * (failures + 1)
 * @see docs/api/Retry.md
 */
export type RetryDelay = number | ((failures: number, error: UnknownError) => number)

/** All results of an endpoint that reads, all results whose key passes a test, or all records and lists of an Entity. */
export type Expirable = EntityClass | { testKey(key: string): boolean; readonly sideEffect?: false | undefined }

/** Options that say how long data lives, and what an error means. */
export interface Lifecycle {
  /** Milliseconds for which data is fresh; with 0, a response without a schema is dropped as soon as it has no reader. */
  readonly dataExpiryLength?: number | undefined
  /** Milliseconds for which an error stands. */
  readonly errorExpiryLength?: number | undefined
  /** Milliseconds between two polls of a subscription. */
  readonly pollFrequency?: number | undefined
  /** Stale data is not shown. */
  readonly invalidIfStale?: boolean | undefined
  /** Milliseconds after which a request is aborted. */
  readonly timeout?: number | undefined
  /** In development: `true` rejects a response with another record than the requested one; `false` accepts it without a warning. */
  readonly strict?: boolean | undefined
  /**
   * How often a failed request is sent again. A number counts for reads that fail without a response, or with 500, 502, 503 or 504; a
   * function decides for any failure, also of a mutation. By default as the NetworkManager says, and for mutations never.
   */
  readonly retry?: Retry | undefined
  /** Milliseconds before the first retry, which double with each further one, or a function. */
  readonly retryDelay?: RetryDelay | undefined
  /** Whether stale data on the screen is refetched when the user comes back to the page. */
  readonly refetchOnFocus?: boolean | undefined
  /** Whether stale data on the screen is refetched when the connection comes back. */
  readonly refetchOnReconnect?: boolean | undefined
  /**
   * Endpoints and Entity classes whose data a mutation makes stale, because the server computes it from the changed data. Readers on
   * the screen refetch it after the response. For reads it has no effect.
   */
  readonly expires?: readonly Expirable[] | undefined
  /** Anything the app wants to find again on the endpoint. */
  readonly extra?: any
  errorPolicy?(error: UnknownError): 'hard' | 'soft' | undefined
}

/**
 * How long data lives, what an error means, and what happens around a fetch.
 *
 * @example
 * const patient: EndpointExtraOptions = { dataExpiryLength: 60_000, timeout: 5_000 }
 * @see docs/api/Endpoint.md#endpointextraoptions
 */
export interface EndpointExtraOptions<F extends FetchFunction = FetchFunction, S = any, G = any> extends Lifecycle {
  getOptimisticResponse?(
    snapshot: SnapshotInterface,
    ...args: Parameters<F>
  ): OptimisticResponse<S, Awaited<ReturnType<F>>> & OnlyFields<G, S, Parameters<F>>
  update?(response: Normalize<S>, ...args: Parameters<F>): ResultUpdates
}

/** Methods in options: `undefined` counts as not given, or removes the one of the endpoint that is extended. */
export type OrUndefined<T> = { [K in keyof T]: T[K] | undefined }

/** The expected response: typed by the schema, or without one by the fetch function. */
export type OptimisticResponse<S, R> =
  | ([S] extends [null | undefined] ? NoInfer<R> : SchemaInput<S>)
  // Never true: while S is being inferred, this branch keeps the compiler from widening 'closed' to string.
  | ([S] extends [never] ? { readonly [field: string]: '' | 0 | false } : never)

/**
 * No other members than fields of the record, or of the arguments A that it is made from. The compiler looks for misspelt members only
 * where a literal is passed, not where a function returns one; G is inferred to find them there, too.
 */
export type OnlyFields<G, S, A> =
  | (0 extends 1 & G ? unknown : { readonly [K in Exclude<KeysOf<G>, FieldsOf<S> | KeysIn<A>>]?: never })
  // Never true: from this branch G is inferred.
  | ([G] extends [never] ? G : never)

/** The names that data of a schema may have: any, unless the schema is one record, or adds one to a list. */
type FieldsOf<S> =
  S extends EntityClass<infer T>
    ? keyof T
    : S extends { readonly _in: infer I }
      ? string extends I
        ? PropertyKey
        : FieldsOf<Exclude<I, readonly unknown[]>>
      : PropertyKey

type KeysOf<T> = T extends readonly unknown[] ? never : T extends object ? keyof T : never

/** The names in all arguments. One of type `any` says nothing. */
type KeysIn<A> = A extends readonly unknown[]
  ? { [I in keyof A]: 0 extends 1 & A[I] ? never : KeysOf<A[I]> }[number]
  : never

/** New results of other endpoints, by their keys. */
export interface ResultUpdates {
  [key: string]: (result: any) => any
}

/**
 * The options of `new Endpoint(fetchFunction, options)`.
 *
 * @example
 * new Endpoint(fetchUser, { name: 'user', schema: User })
 * @see docs/api/Endpoint.md#endpointoptions
 */
export interface EndpointOptions<F extends FetchFunction = FetchFunction, S = any, M = any, G = any>
  extends OrUndefined<EndpointExtraOptions<F, S, G>>, OrUndefined<KeyMethods<Parameters<F>>> {
  readonly schema?: S
  readonly sideEffect?: M
  readonly name?: string | undefined
  readonly validateResponse?: StandardSchemaV1 | undefined
  readonly signal?: AbortSignal | undefined
}

/** The methods of options that say which cache key a call has. */
export interface KeyMethods<A extends readonly any[]> {
  key?(...args: A): string
  testKey?(key: string): boolean
  requestKey?(...args: A): string
}

/**
 * The options of `endpoint.extend(options)`.
 *
 * @example
 * getUser.extend({ dataExpiryLength: 60_000 })
 * @see docs/api/Endpoint.md#endpointextendoptions
 */
export interface EndpointExtendOptions<
  F extends FetchFunction = FetchFunction,
  S = any,
  M = any,
  G = any,
> extends EndpointOptions<F, S, M, G> {
  fetch?: FetchFunction | undefined
}

/**
 * The members of an endpoint that hooks and the Controller use: any function with a `key` will do.
 *
 * @example
 * const getPage: EndpointInterface = Object.assign(fetchPage, { key: (page: number) => `page ${page}` })
 * @see docs/api/Endpoint.md#endpointinterface
 */
export interface EndpointInterface<
  F extends FetchFunction = FetchFunction,
  S = any,
  M = any,
> extends EndpointExtraOptions<F, S> {
  (...args: Parameters<F>): ReturnType<F>
  key(...args: Parameters<F>): string
  requestKey?(...args: Parameters<F>): string
  [START]?(args: Parameters<F>, options?: StartOptions): ReturnType<F>
  readonly schema?: S
  readonly sideEffect?: M
}

/**
 * An endpoint that changes nothing on the server.
 *
 * @example
 * const prefetch = (endpoint: ReadEndpoint) => controller.fetchIfStale(endpoint)
 * @see docs/api/Endpoint.md#readendpoint
 */
export type ReadEndpoint<F extends FetchFunction = FetchFunction, S = any> = EndpointInterface<F, S, false | undefined>

/**
 * An endpoint that changes something on the server.
 *
 * @example
 * const submit = (endpoint: MutateEndpoint, body: object) => controller.fetch(endpoint, body)
 * @see docs/api/Endpoint.md#mutateendpoint
 */
export type MutateEndpoint<F extends FetchFunction = FetchFunction, S = any> = EndpointInterface<F, S, true>

/**
 * The plain function an endpoint can be called as.
 *
 * @example
 * const call: EndpointToFunction<typeof getUser> = (params) => getUser(params)
 * @see docs/api/Endpoint.md#endpointtofunction
 */
export type EndpointToFunction<E extends (...args: any) => Promise<any>> = (...args: Parameters<E>) => ReturnType<E>

/**
 * The first argument of an endpoint.
 *
 * @example
 * const params: EndpointParam<typeof getUser> = { id: 5 }
 * @see docs/api/Endpoint.md#endpointparam
 */
export type EndpointParam<E extends (...args: any) => unknown> = Parameters<E>[0]

/**
 * The resolved value of an endpoint's call.
 *
 * @example
 * const show = (user: ResolveType<typeof getUser>) => user.name
 * @see docs/api/Endpoint.md#resolvetype
 */
export type ResolveType<E extends (...args: any) => unknown> = Awaited<ReturnType<E>>

/**
 * An endpoint made by `new Endpoint()`.
 *
 * @example
 * const log = (endpoint: EndpointInstance) => console.log(endpoint.name)
 * @see docs/api/Endpoint.md#endpointinstance
 */
export interface EndpointInstance<F extends FetchFunction = FetchFunction, S = any, M = any> extends EndpointInterface<
  F,
  S,
  M
> {
  readonly schema: S
  readonly sideEffect: M
  readonly name: string
  readonly signal?: AbortSignal | undefined
  readonly validateResponse?: StandardSchemaV1 | undefined
  fetch(...args: Parameters<F>): ReturnType<F>
  [START](args: Parameters<F>, options?: StartOptions): ReturnType<F>
  testKey(key: string): boolean
  requestKey(...args: Parameters<F>): string
  call(thisArg: unknown, ...args: Parameters<F>): ReturnType<F>
  apply(thisArg: unknown, args: Parameters<F>): ReturnType<F>
  bind<B extends Partial<Parameters<F>>>(
    thisArg: unknown,
    ...bound: B
  ): EndpointInstance<(...args: Rest<Parameters<F>, B>) => ReturnType<F>, S, M>
  extend<E extends object, N extends boolean | undefined = M extends boolean | undefined ? M : never, T = S, G = any>(
    options: E & WithSchema<T> & EndpointExtendOptions<Fetch<F, E>, NoInfer<T>, N, G>,
  ): EndpointInstance<Fetch<F, E>, T, N> & Own<E>
}

export interface EndpointConstructor {
  new <
    F extends (this: EndpointInstance & E, ...args: any) => Promise<any>,
    E extends object = {},
    M extends boolean | undefined = undefined,
    S = undefined,
    G = any,
  >(
    fetchFunction: F,
    options?: E & WithSchema<S> & EndpointOptions<Fetch<F, E>, NoInfer<S>, M, G>,
  ): EndpointInstance<Fetch<F, E>, S, M> & Own<E>
  readonly prototype: EndpointInstance
}

/** Infers the schema apart from the other options: of options with an untyped function the compiler infers nothing as a whole. */
interface WithSchema<S> {
  readonly schema?: S
}

/** Type of a member, or a default where there is no such member. */
export type Get<O, K extends PropertyKey, D> = K extends keyof O ? O[K] : D

/** The output type of a Standard Schema. */
export type OutputOf<V> = V extends {
  readonly '~standard': { readonly types?: { readonly output: infer T } | undefined }
}
  ? T
  : never

/** The input type of a Standard Schema. */
export type InputOf<V> = V extends {
  readonly '~standard': { readonly types?: { readonly input: infer T } | undefined }
}
  ? T
  : never

/** The arguments that are left when the first ones are bound. */
export type Rest<A extends readonly unknown[], B extends readonly unknown[]> = B extends readonly [unknown, ...infer Bs]
  ? A extends readonly [unknown?, ...infer As]
    ? Rest<As, Bs>
    : []
  : A

type Fetch<F extends (...args: any) => Promise<any>, E> = E extends {
  validateResponse: infer V extends StandardSchemaV1
}
  ? (...args: FetchArgs<F, E>) => Promise<OutputOf<V>>
  : E extends { fetch: infer G extends FetchFunction }
    ? OmitThisParameter<G>
    : OmitThisParameter<F>

type FetchArgs<F extends (...args: any) => Promise<any>, E> = Parameters<
  E extends { fetch: infer G extends FetchFunction } ? G : F
>

/** Members of the options that only this endpoint has. */
type Own<E> = keyof E extends keyof EndpointExtendOptions ? unknown : Omit<E, keyof EndpointExtendOptions>
