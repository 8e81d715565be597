import type {
  EndpointInstance,
  Get,
  Lifecycle,
  OptimisticResponse,
  Rest,
  ResultUpdates,
} from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import type { START, StartOptions } from '../endpoint/start.ts'
import type { AnyParams } from '../path/PathArgs.ts'
import type { ArgumentKinds } from '../schema/argumentKinds.ts'
import type { Normalize } from '../schema/Denormalize.ts'
import type { ListMember, PageMember, Paginated } from './extenders.ts'
import type {
  AnyOptions,
  ErrorTypes,
  NextPage,
  OwnMembers,
  PartialRestGenerics,
  RestEndpointConstructorOptions,
  RestExtendOptions,
  RestGenerics,
} from './RestOptions.ts'
import type { AskedArgs, Merge, MethodOf, RestArgs, RestResult, SideEffectOf, UrlArgs } from './RestArgs.ts'

/**
 * An endpoint made by `new RestEndpoint()`: O is what gives it its type, P is what `process` returns.
 *
 * @example
 * const log = (endpoint: RestInstance) => console.log(endpoint.method, endpoint.path)
 * @see docs/api/RestEndpoint.md#restinstance
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
  readonly sendContentType: 'always' | 'withBody'
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
  readonly argumentKinds?: ArgumentKinds | undefined
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
  extend<X extends PartialRestGenerics = {}, Q = P, G = unknown>(
    options: RestExtendOptions<X, Merge<O, X>, Q, OwnMembers, G>,
  ): RestInstance<Merge<O, X>, Kept<Q>> & Own<this> & Paged<G>
}

/** A class of endpoints, also one of the app: `class Api<O extends RestGenerics = any> extends RestEndpoint<O>`. */
export type RestEndpointClass = new (options: any) => RestInstance

export interface RestEndpointConstructor {
  new <O extends RestGenerics = any, P = unknown, G = unknown>(
    options: RestEndpointConstructorOptions<O, P, OwnMembers, G> | AnyOptions<O>,
  ): RestInstance<O, P>
  readonly prototype: RestInstance
}

/** The same type, out of reach of inference: what is expected of the new endpoint says nothing about what `process` returns. */
type Kept<Q> = [Q] extends [infer T] ? T : never

/** For the compiler only: `getNextPage`, from whose result G is inferred, was given. */
export type Paged<G> = unknown extends G ? unknown : { readonly _paged: true }

/**
 * Members that a subclass has added. The mark of pages stands alone: as `Omit` of an endpoint it would carry the whole endpoint, its
 * body spelt out, into each declaration file.
 */
export type Own<T, K = Exclude<keyof T, keyof RestInstance>> = [K] extends [never]
  ? unknown
  : [K] extends ['_paged']
    ? Paged<true>
    : Omit<T, keyof RestInstance>
