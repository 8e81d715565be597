import type { EndpointInterface, FetchFunction, MutateEndpoint as Mutation } from '../endpoint/EndpointOptions.ts'
import type { AnyParams, PathArgs } from '../path/PathArgs.ts'
import type { Merge, RestArgs, RestResult } from '../rest/RestArgs.ts'
import type { RestInstance } from '../rest/RestInstance.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'

/**
 * A RestEndpoint that reads.
 *
 * @example
 * const show = (get: GetEndpoint<{ path: '/users/:id'; schema: typeof User }>) => get({ id: 5 })
 * @see docs/api/RestEndpoint.md#getendpoint
 */
export type GetEndpoint<O extends RestGenerics = any> = RestInstance<Merge<O, { method: 'GET' }>>

/**
 * An endpoint that changes something on the server: by the options of a RestEndpoint, or by the function that fetches.
 *
 * @example
 * const rename = (put: MutateEndpoint<{ path: '/users/:id'; method: 'PUT'; body: { name: string } }>) => put({ id: 5 }, { name: 'Ann' })
 * @see docs/api/Endpoint.md#mutateendpoint
 */
export type MutateEndpoint<O extends FetchFunction | RestGenerics = FetchFunction, S = any> = O extends FetchFunction
  ? Mutation<O, S>
  : O extends RestGenerics
    ? RestInstance<Merge<{ method: 'POST' }, O>>
    : never

/**
 * The endpoint that creates an item of a list: `push` of an endpoint with these options.
 *
 * @example
 * type Create = AddEndpoint<{ path: '/users'; schema: Collection<(typeof User)[]> }>
 * @see docs/api/RestEndpoint.md#addendpoint
 */
export type AddEndpoint<O extends RestGenerics = any> = RestInstance<O>['push']

/**
 * The endpoint of further pages, where the parameter F says which: `getPage` of an endpoint with these options.
 *
 * @example
 * type Page = PaginationFieldEndpoint<{ path: '/users'; schema: Collection<(typeof User)[]> }, 'page'>
 * @see docs/api/RestEndpoint.md#paginationfieldendpoint
 */
export type PaginationFieldEndpoint<O extends RestGenerics = any, F extends string = string> = RestInstance<
  Merge<O, { paginationField: F }>
>['getPage']

/**
 * The endpoint of further pages, whose first argument is A: `paginated(removeCursor)` of an endpoint with these options.
 *
 * @example
 * type Page = PaginationEndpoint<{ path: '/users'; schema: Collection<(typeof User)[]> }, { after: string }>
 * @see docs/api/RestEndpoint.md#paginationendpoint
 */
export type PaginationEndpoint<O extends RestGenerics = any, A = any> = RestInstance<Merge<O, { searchParams: A }>>

/**
 * An endpoint by the types of its parts: parameters, body, schema, side effect, result.
 *
 * @example
 * const call = (endpoint: RestType<{ id: string }, undefined, typeof User>) => endpoint({ id: '5' })
 * @see docs/api/RestEndpoint.md#resttype
 */
export type RestType<P = any, B = any, S = any, M extends boolean | undefined = any, R = any> = EndpointInterface<
  RestFetch<P, B, R>,
  S,
  M
>

/**
 * The function that an endpoint is: with parameters, and with a body unless B is `undefined`.
 *
 * @example
 * const rename: RestFetch<{ id: string }, { name: string }, User> = (params, body) => saveUser(params.id, body)
 * @see docs/api/RestEndpoint.md#restfetch
 */
export type RestFetch<P = any, B = any, R = any> = FetchFunction<
  [B] extends [undefined] ? (0 extends 1 & B ? any : [params: P]) : [params: P, body: B],
  R
>

/**
 * The function of an endpoint that reads.
 *
 * @example
 * const load: FetchGet<[params: { id: string }], User> = ({ id }) => fetchUser(id)
 * @see docs/api/RestEndpoint.md#fetchget
 */
export type FetchGet<A extends readonly any[] = any, R = any> = FetchFunction<A, R>

/**
 * The function of an endpoint that changes something.
 *
 * @example
 * const save: FetchMutate<[params: { id: string }, body: { name: string }], User> = ({ id }, body) => saveUser(id, body)
 * @see docs/api/RestEndpoint.md#fetchmutate
 */
export type FetchMutate<A extends readonly any[] = any, R = any> = FetchFunction<A, R>

/**
 * The function that a RestEndpoint with these options is.
 *
 * @example
 * type GetUser = OptionsToFunction<{ path: '/users/:id' }> // (params: { id: string | number }) => Promise<any>
 * @see docs/api/RestEndpoint.md#optionstofunction
 */
export type OptionsToFunction<O extends RestGenerics> = (...args: RestArgs<O>) => Promise<RestResult<O>>

/**
 * Options with defaults for those that were not given.
 *
 * @example
 * type Given = Defaults<{ path: '/users' }, { method: 'GET' }> // { path: '/users'; method: 'GET' }
 * @see docs/api/RestEndpoint.md#defaults
 */
export type Defaults<O, D> = {
  [K in keyof O | keyof D]: K extends keyof O ? Exclude<O[K], undefined> : D[K & keyof D]
}

/**
 * The names of all members of a RestEndpoint.
 *
 * @example
 * const shown: KeyofRestEndpoint[] = ['path', 'method']
 * @see docs/api/RestEndpoint.md#keyofrestendpoint
 */
export type KeyofRestEndpoint = keyof RestInstance

/**
 * Another name of `RestInstance`.
 *
 * @example
 * const log = (endpoint: IRestEndpoint) => console.log(endpoint.path)
 * @see docs/api/RestEndpoint.md#irestendpoint
 */
export type IRestEndpoint<O extends RestGenerics = any> = RestInstance<O>

/**
 * The parameters of a path template, and any query parameters beside them.
 *
 * @example
 * const params: PathArgsAndSearch<'/users/:id'> = { id: 5, tab: 'posts' }
 * @see docs/api/paths.md#pathargsandsearch
 */
export type PathArgsAndSearch<S extends string> = PathArgs<S> & AnyParams

/**
 * Parameters by their names.
 *
 * @example
 * const params: KeysToArgs<'owner' | 'name'> = { owner: 'ann', name: 5 }
 * @see docs/api/paths.md#keystoargs
 */
export type KeysToArgs<N extends string> = { [K in N]: string | number }
