import type { StandardSchemaV1 } from '../base/standardSchema.ts'
import type {
  EndpointInstance,
  Get,
  KeyMethods,
  Lifecycle,
  OptimisticResponse,
  OrUndefined,
  OutputOf,
  ResultUpdates,
  UnknownError,
} from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import type { Normalize, Schema, Wire } from '../schema/Denormalize.ts'
import type { GQLNetworkError } from './GQLNetworkError.ts'

/**
 * The options of a GQLEndpoint. V: its variables, S: its schema, P: what `process` returns.
 *
 * @example
 * const options: GQLOptions = { getHeaders: (headers) => ({ ...headers, 'Access-Token': token }) }
 * @see docs/api/GQLEndpoint.md#gqloptions
 */
export interface GQLOptions<V = any, S = any, P = unknown>
  extends Omit<Lifecycle, 'errorPolicy'>, OrUndefined<GQLMethods<V, S, P>> {
  readonly url?: string | undefined
  readonly schema?: S
  readonly sideEffect?: boolean | undefined
  readonly name?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly requestInit?: RequestInit | undefined
  /** Origins a redirect may lead to. */
  readonly allowRedirectTo?: readonly string[] | undefined
  /** Checks `data`, before `process`. */
  readonly validateResponse?: StandardSchemaV1 | undefined
  /** `'keep'` takes `data` where `errors` stand beside it. */
  readonly errorsWithData?: 'keep' | undefined
}

/** The methods among the options of a GQLEndpoint. */
interface GQLMethods<V, S, P> extends KeyMethods<GQLArgs<V>> {
  errorPolicy?(error: GQLNetworkError | UnknownError): 'hard' | 'soft' | undefined
  getQuery?(variables: V): string
  getHeaders?(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit>
  getRequestInit?(body?: any): RequestInit | Promise<RequestInit>
  fetchResponse?(input: string, init: RequestInit): Promise<Response>
  process?(data: any, variables: V): P
  getOptimisticResponse?(snapshot: SnapshotInterface, ...args: GQLArgs<V>): OptimisticResponse<S, GQLResult<S, P>>
  update?(response: Normalize<S>, ...args: GQLArgs<V>): ResultUpdates
}

/**
 * An endpoint made by `new GQLEndpoint()`, or by its `query` or `mutation`.
 *
 * @example
 * const log = (endpoint: GQLInstance) => console.log(endpoint.name, endpoint.url)
 * @see docs/api/GQLEndpoint.md#gqlinstance
 */
export interface GQLInstance<V = any, S = any, M = any, P = unknown> extends Omit<
  EndpointInstance<(...args: GQLArgs<V>) => Promise<GQLResult<S, P>>, S, M>,
  'extend'
> {
  (...args: GQLArgs<V>): Promise<GQLResult<S, P>>
  readonly url: string
  readonly method: string
  /** Keeps its lists apart from those of another endpoint: the query, if it is known without variables. */
  readonly path: string
  readonly requestInit: RequestInit | undefined
  readonly allowRedirectTo: readonly string[]
  readonly errorsWithData?: 'keep' | undefined
  errorPolicy(error: GQLNetworkError | UnknownError): 'hard' | 'soft' | undefined
  /** The text that is sent. */
  getQuery(variables: V): string
  getHeaders(headers: { [name: string]: string }): HeadersInit | Promise<HeadersInit>
  getRequestInit(body?: any): RequestInit | Promise<RequestInit>
  fetchResponse(input: string, init: RequestInit): Promise<Response>
  // A subclass that overrides it brings its own types.
  process(data: any, ...args: any): any
  /** An endpoint that reads. The variables are typed by the function's argument. */
  query<W = any, T extends Schema = undefined>(
    query: string | ((variables: W) => string),
    schema?: T,
  ): GQLInstance<W, T, undefined, P> & Own<this>
  /** An endpoint that changes something on the server. */
  mutation<W = any, T extends Schema = undefined>(
    query: string | ((variables: W) => string),
    schema?: T,
  ): GQLInstance<W, T, true, P> & Own<this>
  extend<E extends object, Q = P>(
    options: E & GQLOptions<V, Get<E, 'schema', S>, Q>,
  ): GQLInstance<V, Get<E, 'schema', S>, Get<E, 'sideEffect', M>, Processed<E, Q>> & Own<this>
}

export interface GQLEndpointConstructor {
  new <P = unknown>(url: string, options?: GQLOptions<any, any, P>): GQLInstance<any, undefined, undefined, P>
  readonly prototype: GQLInstance
}

/** Variables may be left out where none is required. */
type GQLArgs<V> = 0 extends 1 & V ? [variables?: any] : {} extends V ? [variables?: V] : [variables: V]

/** The resolved value of a direct call. */
type GQLResult<S, P> = unknown extends P ? Wire<S> : Awaited<P>

type Processed<E, Q> = E extends { process: (...args: never) => infer R }
  ? R
  : E extends { validateResponse: infer V extends StandardSchemaV1 }
    ? OutputOf<V>
    : Q

/** Members that a subclass has added. */
type Own<T> = Exclude<keyof T, keyof GQLInstance> extends never ? unknown : Omit<T, keyof GQLInstance>
