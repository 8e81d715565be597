'use client'
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
export type { AsyncBoundaryProps } from './AsyncBoundary.ts'
export { ControllerContext } from './ControllerContext.ts'
export type { ProviderProps } from './DataProvider.ts'
export type { ErrorBoundaryProps, ErrorFallbackProps } from './ErrorBoundary.ts'
export type { ReadOptions } from '../binding/args.ts'
export { useCache } from './hooks/useCache.ts'
export { useCancelling } from './hooks/useCancelling.ts'
export { useController } from './hooks/useController.ts'
export { useDebounce } from './hooks/useDebounce.ts'
export type { DLE } from '../binding/createDLEReader.ts'
export { useError } from './hooks/useError.ts'
export type { Usable } from '../binding/usableOf.ts'
export { useFetching } from './hooks/useFetching.ts'
export type { Infinite, InfiniteDLE } from '../binding/createPages.ts'
export type { EndlessList } from '../binding/watchEnd.ts'
export { useEndRef } from './hooks/useEndRef.ts'
export { useInfinite } from './hooks/useInfinite.ts'
export { useInfiniteDLE } from './hooks/useInfiniteDLE.ts'
export { useLoading } from './hooks/useLoading.ts'
export { useMutating } from './hooks/useMutating.ts'
export type { Mutation, MutationOptions } from '../binding/createMutation.ts'
export { useMutation } from './hooks/useMutation.ts'
export type { Undoable, UndoableChange, UndoableOptions } from '../binding/createUndoable.ts'
export { useUndoable } from './hooks/useUndoable.ts'
export type { OutboxReading } from '../binding/createOutbox.ts'
export { useOutbox } from './hooks/useOutbox.ts'
export type { MutationCall } from '../binding/createMutationCalls.ts'
export { useMutations } from './hooks/useMutations.ts'
export { useQuery } from './hooks/useQuery.ts'
export { __INTERNAL__ } from '../compat/internal.ts'
export {
  AsyncBoundary,
  BackupLoading,
  DataProvider,
  DataProvider as CacheProvider,
  ErrorBoundary,
  ErrorBoundary as NetworkErrorBoundary,
  type NativeProviderProps,
} from './native/components.ts'
export { useDLE, useDLEAll, useFetch, useLive, useSubscription, useSuspense, useSuspenseAll } from './native/focus.ts'
export type { Navigation, Platform } from './native/platform.ts'
export { UniversalSuspense } from './UniversalSuspense.ts'
// Not "export * as", which Metro cannot read.
export { actionTypes }
