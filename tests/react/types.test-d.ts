import { describe, expectTypeOf, test } from 'vitest'
import type * as core from 'restitch'
import type * as react from 'restitch/react'
import type * as native from 'restitch/react/native'
import { actionTypes, DevToolsManager, getDefaultManagers } from 'restitch/react'

/** The types that managers, custom hooks and typed props import from this entry; both modules have them. */
type Types<M extends 'core' | 'react' | 'native'> = M extends 'core'
  ? [
      core.AbstractInstanceType<any>,
      core.ActionTypes,
      core.ConnectionListener,
      core.CreateCountRef,
      core.DataClientDispatch,
      core.Denormalize<any>,
      core.DenormalizeNullable<any>,
      core.DevToolsConfig,
      core.Dispatch,
      core.EndpointExtraOptions,
      core.EndpointInterface,
      core.EntityInterface,
      core.ErrorTypes,
      core.ExpireAllAction,
      core.FetchAction,
      core.FetchFunction,
      core.GCAction,
      core.GCInterface,
      core.GCOptions,
      core.GenericDispatch,
      core.InvalidateAction,
      core.InvalidateAllAction,
      core.Manager,
      core.Middleware,
      core.MiddlewareAPI,
      core.NetworkError,
      core.Normalize<any>,
      core.NormalizeNullable<any>,
      core.OptimisticAction,
      core.PK,
      core.Queryable,
      core.ResetAction,
      core.ResolveType<any>,
      core.Schema,
      core.SchemaArgs<any>,
      core.SchemaClass,
      core.SetAction,
      core.SetResponseAction,
      core.State,
      core.SubscribeAction,
      core.UnknownError,
      core.UnsubscribeAction,
      core.UpdateFunction<any, any>,
    ]
  : M extends 'react'
    ? [
        react.AbstractInstanceType<any>,
        react.ActionTypes,
        react.ConnectionListener,
        react.CreateCountRef,
        react.DataClientDispatch,
        react.Denormalize<any>,
        react.DenormalizeNullable<any>,
        react.DevToolsConfig,
        react.Dispatch,
        react.EndpointExtraOptions,
        react.EndpointInterface,
        react.EntityInterface,
        react.ErrorTypes,
        react.ExpireAllAction,
        react.FetchAction,
        react.FetchFunction,
        react.GCAction,
        react.GCInterface,
        react.GCOptions,
        react.GenericDispatch,
        react.InvalidateAction,
        react.InvalidateAllAction,
        react.Manager,
        react.Middleware,
        react.MiddlewareAPI,
        react.NetworkError,
        react.Normalize<any>,
        react.NormalizeNullable<any>,
        react.OptimisticAction,
        react.PK,
        react.Queryable,
        react.ResetAction,
        react.ResolveType<any>,
        react.Schema,
        react.SchemaArgs<any>,
        react.SchemaClass,
        react.SetAction,
        react.SetResponseAction,
        react.State,
        react.SubscribeAction,
        react.UnknownError,
        react.UnsubscribeAction,
        react.UpdateFunction<any, any>,
      ]
    : [
        native.AbstractInstanceType<any>,
        native.ActionTypes,
        native.ConnectionListener,
        native.CreateCountRef,
        native.DataClientDispatch,
        native.Denormalize<any>,
        native.DenormalizeNullable<any>,
        native.DevToolsConfig,
        native.Dispatch,
        native.EndpointExtraOptions,
        native.EndpointInterface,
        native.EntityInterface,
        native.ErrorTypes,
        native.ExpireAllAction,
        native.FetchAction,
        native.FetchFunction,
        native.GCAction,
        native.GCInterface,
        native.GCOptions,
        native.GenericDispatch,
        native.InvalidateAction,
        native.InvalidateAllAction,
        native.Manager,
        native.Middleware,
        native.MiddlewareAPI,
        native.NetworkError,
        native.Normalize<any>,
        native.NormalizeNullable<any>,
        native.OptimisticAction,
        native.PK,
        native.Queryable,
        native.ResetAction,
        native.ResolveType<any>,
        native.Schema,
        native.SchemaArgs<any>,
        native.SchemaClass,
        native.SetAction,
        native.SetResponseAction,
        native.State,
        native.SubscribeAction,
        native.UnknownError,
        native.UnsubscribeAction,
        native.UpdateFunction<any, any>,
      ]

describe('types of the entry', () => {
  test('RCT-14 the entries for React and React Native have the types of the core', () => {
    expectTypeOf<Types<'react'>>().toEqualTypeOf<Types<'core'>>()
    expectTypeOf<Types<'native'>>().toEqualTypeOf<Types<'core'>>()
  })

  test('DEV-5 callbacks of the developer tools know what they get', () => {
    getDefaultManagers({
      devToolsManager: {
        predicate(state, action) {
          expectTypeOf(state).toEqualTypeOf<react.State>()
          expectTypeOf(action.type).toEqualTypeOf<string>()
          expectTypeOf(action.endpoint?.name).toEqualTypeOf<string | undefined>()
          return action.type !== actionTypes.GC
        },
        actionSanitizer(action, id) {
          expectTypeOf(id).toEqualTypeOf<number>()
          return { ...action, response: undefined }
        },
        stateSanitizer: (state, index) => ({ ...state, optimistic: [], index }),
        serialize: { replacer: (key, value) => (key === 'token' ? undefined : value), options: { date: true } },
        trace: (action) => action.type,
        latency: 100,
        somethingElse: true,
      },
    })
    // As written for an API that returns the whole action.
    void new DevToolsManager({
      predicate: (_state: react.State, action: react.ActionTypes) => action.type !== actionTypes.GC,
      actionSanitizer: <A extends react.ActionTypes>(action: A, _id: number) => action,
    })
    // @ts-expect-error: it says yes or no
    void new DevToolsManager({ predicate: () => 'no' })
    // @ts-expect-error: a number
    void new DevToolsManager({ latency: '100' })
  })
})
