export { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
export { type DefaultManagerOptions, getDefaultManagers } from '../client/getDefaultManagers.ts'
import * as actionTypes from '../requests/actionTypes.ts'
export { Controller } from '../controller/Controller.ts'
export { ExpiryStatus } from '../requests/Reading.ts'
export { type ConnectionListener, DefaultConnectionListener } from '../managers/ConnectionListener.ts'
export { type DevToolsConfig, DevToolsManager } from '../managers/DevToolsManager.ts'
export { type GCOptions, GCPolicy } from '../managers/GCPolicy.ts'
export { IdlingNetworkManager } from '../managers/IdlingNetworkManager.ts'
export { LogoutManager } from '../managers/LogoutManager.ts'
export { NetworkManager } from '../managers/NetworkManager.ts'
export { PollingSubscription } from '../managers/PollingSubscription.ts'
export { SubscriptionManager } from '../managers/SubscriptionManager.ts'
export type {
  ActionTypes,
  DataClientDispatch,
  Dispatch,
  ExpireAllAction,
  FetchAction,
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
} from '../requests/actions.ts'
export type { AbstractInstanceType, EntityInterface, PK, UpdateFunction } from '../compat/schemaNames.ts'
export type { Middleware, MiddlewareAPI } from '../controller/Middleware.ts'
export type { CreateCountRef, GCInterface } from '../controller/GCInterface.ts'
export type {
  EndpointExtraOptions,
  EndpointInterface,
  FetchFunction,
  ResolveType,
  UnknownError,
} from '../endpoint/EndpointOptions.ts'
export type { Manager } from '../managers/Manager.ts'
export type { NetworkError } from '../rest/NetworkError.ts'
export type { ErrorTypes } from '../rest/RestOptions.ts'
export type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  Queryable,
  Schema,
  SchemaArgs,
} from '../schema/Denormalize.ts'
export type { SchemaClass } from '../schema/Schema.ts'
export type { State } from '../store/stateShape.ts'
export type { ReadOptions } from '../binding/args.ts'
export type { MutationOptions } from '../binding/createMutation.ts'
export type { UndoableChange, UndoableOptions } from '../binding/createUndoable.ts'
export type { PagedEndpoint } from '../binding/createPages.ts'
export { awaitInitialData, getInitialData } from '../binding/initialData.ts'
export type { ServerStoreOptions } from '../binding/serverStore.ts'
export type { Usable } from '../binding/usableOf.ts'
export { AsyncBoundary, type AsyncBoundaryProps, type AsyncBoundarySlots } from './AsyncBoundary.ts'
export { createRestitch, provideRestitch, type Restitch, type RestitchOptions } from './createRestitch.ts'
export { createDataClient, DataClientPlugin, type ProvidedDataClient, type ProvideOptions } from './DataClientPlugin.ts'
export { createServerRestitch, type ServerRestitch } from './createServerRestitch.ts'
export { useCache } from './useCache.ts'
export { useCancelling } from './useCancelling.ts'
export { ControllerKey, useController } from './useController.ts'
export { useDebounce } from './useDebounce.ts'
export { type DLERefs, useDLE } from './useDLE.ts'
export { useDLEAll } from './useDLEAll.ts'
export { type EndlessRefs, useEndRef } from './useEndRef.ts'
export { useError } from './useError.ts'
export { useFetch } from './useFetch.ts'
export { useFetching, useMutating } from './useFetching.ts'
export { type InfiniteRefs, useInfinite } from './useInfinite.ts'
export { type InfiniteDLERefs, useInfiniteDLE } from './useInfiniteDLE.ts'
export { useLive } from './useLive.ts'
export { useLoading } from './useLoading.ts'
export { type MutationRefs, useMutation } from './useMutation.ts'
export type { OutboxReading } from '../binding/createOutbox.ts'
export { type OutboxRefs, useOutbox } from './useOutbox.ts'
export type { MutationCall } from '../binding/createMutationCalls.ts'
export { useMutations } from './useMutations.ts'
export { useQuery } from './useQuery.ts'
export { useSubscription } from './useSubscription.ts'
export { useSuspense } from './useSuspense.ts'
export { useSuspenseAll } from './useSuspenseAll.ts'
export { type UndoableRefs, useUndoable } from './useUndoable.ts'
// Not "export * as", which Metro cannot read.
export { actionTypes }
