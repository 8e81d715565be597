// Names of endpoint and resource types that people who move from data-client have written down.
import type { FetchingMeta } from '../requests/actions.ts'
import type { EndpointInterface, FetchFunction } from '../endpoint/EndpointOptions.ts'
import type { ExtendedResource, ResourceExtension } from '../rest/extendResource.ts'
import type { RestInstance } from '../rest/RestInstance.ts'
import type { PartialRestGenerics, RestGenerics, RestOptions } from '../rest/RestOptions.ts'
import type { ResourceInterface } from '../rest/resource.ts'

/** The options of `endpoint.extend()`. */
export type RestEndpointExtendOptions<O extends PartialRestGenerics = any> = O & RestOptions<O>

/** A RestEndpoint by four parts: its function, schema, side effect and options. Ours is `RestInstance<Options>`. */
export type RestInstanceBase<
  F extends FetchFunction = FetchFunction,
  S = any,
  M extends boolean | undefined = any,
  O extends PartialRestGenerics = any,
> = EndpointInterface<F, S, M> & Omit<RestInstance<O>, keyof EndpointInterface | 'bind' | 'extend'>

/** `move` of an endpoint with these options. */
export type MoveEndpoint<O extends RestGenerics = any> = RestInstance<O>['move']

/** `remove` of an endpoint with these options. */
export type RemoveEndpoint<O extends RestGenerics = any> = RestInstance<O>['remove']

/** The meta of a FETCH action: its times, its number and its promise. */
export type FetchMeta = FetchingMeta

/**
 * data-client's `CustomResource`: the resource R, with members whose options are given one by one. Ours takes the members as one type
 * and kept the name.
 */
export type CustomizedResource<
  R extends ResourceInterface,
  _O = any,
  Get = any,
  GetList = any,
  Update = any,
  PartialUpdate = any,
  Delete = any,
> = ExtendedResource<
  R,
  {
    readonly get: Customized<R, 'get', Get>
    readonly getList: Customized<R, 'getList', GetList>
    readonly update: Customized<R, 'update', Update>
    readonly partialUpdate: Customized<R, 'partialUpdate', PartialUpdate>
    readonly delete: Customized<R, 'delete', Delete>
  }
>

/** The member with these options; `any`, the default, leaves it as it is. */
type Customized<R, N extends keyof R & string, X> = 0 extends 1 & X
  ? R[N]
  : X extends PartialRestGenerics
    ? ResourceExtension<R, N, X>
    : R[N]
