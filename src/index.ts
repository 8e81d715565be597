export type { Clock } from './base/clock.ts'
export { isRestitchError, type RestitchError } from './base/errors.ts'
export type { StandardSchemaV1 } from './base/standardSchema.ts'
export { createStore, type Store, type StoreOptions } from './client/createStore.ts'
export type { Spread, SpreadCause } from './requests/spread.ts'
export { type DefaultManagerOptions, getDefaultManagers } from './client/getDefaultManagers.ts'
export type {
  ActionTypes,
  DataClientDispatch,
  Dispatch,
  ExpireAllAction,
  FetchAction,
  FetchingMeta,
  GCAction,
  GenericDispatch,
  InvalidateAction,
  InvalidateAllAction,
  OptimisticAction,
  ResetAction,
  SetAction,
  SetResponseAction,
  SubscribeAction,
  UnsubscribeAction,
} from './requests/actions.ts'
import * as actionTypes from './requests/actionTypes.ts'
export type { Middleware, MiddlewareAPI } from './controller/Middleware.ts'
export { Controller, type ControllerOptions } from './controller/Controller.ts'
export type { DoubtFact, Explanation } from './advice/Explanation.ts'
import * as actions from './compat/createActions.ts'
export type {
  CustomizedResource,
  FetchMeta,
  MoveEndpoint,
  RemoveEndpoint,
  RestEndpointExtendOptions,
  RestInstanceBase,
} from './compat/restNames.ts'
export type {
  AbstractInstanceType,
  EndpointUpdateFunction,
  EntityInterface,
  EntityMap,
  IEntityClass,
  IEntityInstance,
  Mergeable,
  NI,
  PK,
  PolymorphicInterface,
  ResultEntry,
  Serializable,
  UpdateFunction,
} from './compat/schemaNames.ts'
export { ExpiryStatus } from './requests/Reading.ts'
export type { CreateCountRef, GCInterface } from './controller/GCInterface.ts'
export { ResetError } from './requests/ResetError.ts'
export type { View } from './views/View.ts'
export { denormalize, MemoCache, normalize } from './compat/lowLevel.ts'
export { Endpoint, Endpoint as ExtendableEndpoint } from './endpoint/Endpoint.ts'
export type {
  EndpointExtendOptions,
  EndpointExtraOptions,
  EndpointInstance,
  EndpointInterface,
  EndpointOptions,
  EndpointParam,
  EndpointToFunction,
  FetchFunction,
  ReadEndpoint,
  ResolveType,
  Retry,
  RetryDelay,
  UnknownError,
} from './endpoint/EndpointOptions.ts'
export type { SnapshotInterface } from './endpoint/Snapshot.ts'
export { START, type StartOptions } from './endpoint/start.ts'
export { type ConnectionListener, DefaultConnectionListener } from './managers/ConnectionListener.ts'
export { type DevToolsConfig, DevToolsManager } from './managers/DevToolsManager.ts'
export { FocusManager, type FocusManagerOptions } from './managers/FocusManager.ts'
export { type GCOptions, GCPolicy, ImmortalGCPolicy } from './managers/GCPolicy.ts'
export { IdlingNetworkManager } from './managers/IdlingNetworkManager.ts'
export { LogoutManager, type LogoutManagerOptions } from './managers/LogoutManager.ts'
export type { Manager } from './managers/Manager.ts'
export { NetworkManager, type NetworkManagerOptions } from './managers/NetworkManager.ts'
export { PollingSubscription } from './managers/PollingSubscription.ts'
export type { PollingOptions, Subscription } from './managers/PollingSubscription.ts'
export { type SubscriptionConstructor, SubscriptionManager } from './managers/SubscriptionManager.ts'
export { isOptimistic } from './reading/isOptimistic.ts'
export { getUrlBase, getUrlTokens } from './path/compile.ts'
export { PathError } from './path/readTemplate.ts'
export type { PathArgs, PathKeys, ShortenPath } from './path/PathArgs.ts'
export { type FieldErrors, fieldErrors } from './rest/fieldErrors.ts'
export { type HookableEndpointInterface, hookifyResource, type HookResource } from './rest/hookifyResource.ts'
export { NetworkError } from './rest/NetworkError.ts'
export type { RestArgs } from './rest/RestArgs.ts'
export type { RestInstance } from './rest/RestInstance.ts'
export type {
  ContentType,
  ErrorTypes,
  PartialRestGenerics,
  RestEndpointConstructorOptions,
  RestGenerics,
  RestOptions as RestEndpointOptions,
} from './rest/RestOptions.ts'
export type {
  CustomResource,
  Extendable,
  ExtendedResource,
  ResourceEndpointExtensions,
  ResourceExtension,
} from './rest/extendResource.ts'
export {
  type Resource,
  resource,
  resource as createResource,
  type ResourceGenerics,
  type ResourceInterface,
  type ResourceOptions,
} from './rest/resource.ts'
export { RestEndpoint } from './rest/RestEndpoint.ts'
export type {
  AddEndpoint,
  Defaults,
  FetchGet,
  FetchMutate,
  GetEndpoint,
  IRestEndpoint,
  KeyofRestEndpoint,
  KeysToArgs,
  MutateEndpoint,
  OptionsToFunction,
  PaginationEndpoint,
  PaginationFieldEndpoint,
  PathArgsAndSearch,
  RestFetch,
  RestType,
} from './compat/RestType.ts'
export { bracketSearch } from './rest/search.ts'
export { All } from './kinds/All.ts'
export type { ArgumentKind, ArgumentKinds } from './schema/argumentKinds.ts'
export { Collection, type CollectionOptions } from './kinds/Collection.ts'
export { unshift } from './schema/merges.ts'
export type { CollectionAdder, CollectionAssigner } from './kinds/CollectionAdder.ts'
export type {
  DefaultArgs,
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  NormalizeNullable,
  ObjectArgs,
  Queryable,
  Schema,
  SchemaArgs,
  SchemaSimple,
} from './schema/Denormalize.ts'
export { Entity, validateRequired } from './kinds/Entity.ts'
export { EntityMixin } from './kinds/EntityMixin.ts'
export { entity } from './kinds/entityOf.ts'
export { Invalidate } from './kinds/Invalidate.ts'
export { Lazy } from './kinds/Lazy.ts'
import * as schema from './kinds/namespace.ts'
export { Query } from './kinds/Query.ts'
export { Scalar } from './kinds/Scalar.ts'
export {
  type IDenormalizeDelegate,
  type INormalizeDelegate,
  INVALID,
  type IQueryDelegate,
  type SchemaClass,
} from './schema/Schema.ts'
export { Union } from './kinds/Union.ts'
export { Values } from './kinds/Values.ts'
export { deserializeState, serializeState } from './client/serialize.ts'
export { initialState } from './store/initialState.ts'
export type { State } from './store/stateShape.ts'
// Not "export * as", which Metro cannot read.
export { actionTypes, actions, schema }
