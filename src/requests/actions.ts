import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type * as types from './actionTypes.ts'

/** A request at its start, with its promise. */
export interface FetchingMeta {
  /** Epoch milliseconds, in store time. */
  readonly fetchedAt: number
  /** The number of the request: what was sent later has a higher one. */
  readonly sent: number
  /** Identifies the request. */
  readonly requestId: string
  readonly resolve: (value: any) => void
  readonly reject: (error: unknown) => void
  readonly promise: Promise<any>
  /** The library fetches, for a reader or a poll. */
  readonly auto?: boolean | undefined
}

/** When a response arrived, and how long it is fresh. */
export interface ResponseMeta {
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
  /** The number of the request, where there was one. */
  readonly sent?: number | undefined
  readonly requestId?: string | undefined
}

interface EndpointAction<E extends EndpointInterface> {
  readonly key: string
  readonly args: readonly [...Parameters<E>]
  readonly endpoint: E
}

/** Sends a request. */
export interface FetchAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof types.FETCH
  readonly meta: FetchingMeta
}

/** Stores a response, or with `error: true` a failure. */
export interface SetResponseAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof types.SET_RESPONSE
  readonly response: any
  readonly error?: boolean | undefined
  readonly meta: ResponseMeta
}

/** The expected change of a request, shown until its response arrives. */
export interface OptimisticAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof types.OPTIMISTIC
  readonly meta: Pick<FetchingMeta, 'fetchedAt' | 'sent' | 'requestId'>
}

/** Writes records. */
export interface SetAction {
  readonly type: typeof types.SET
  readonly schema: any
  readonly args: readonly any[]
  /** The value, or a function of the previous one. */
  readonly value: any
  readonly meta: { readonly fetchedAt: number; readonly date: number; readonly expiresAt: number }
}

/** Subscribes to the data of an endpoint. */
export interface SubscribeAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof types.SUBSCRIBE
}

/** Ends a subscription. */
export interface UnsubscribeAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof types.UNSUBSCRIBE
}

/** Removes the result of a key. */
export interface InvalidateAction {
  readonly type: typeof types.INVALIDATE
  readonly key: string
}

/** Removes the results of all keys that pass. */
export interface InvalidateAllAction {
  readonly type: typeof types.INVALIDATEALL
  readonly testKey: (key: string) => boolean
}

/** Marks the results of all keys that pass as stale. */
export interface ExpireAllAction {
  readonly type: typeof types.EXPIREALL
  readonly testKey: (key: string) => boolean
}

/** Resets the store. */
export interface ResetAction {
  readonly type: typeof types.RESET
  readonly date: number
}

/** Removes rows and results without readers. */
export interface GCAction {
  readonly type: typeof types.GC
  readonly entities: readonly { readonly key: string; readonly pk: string }[]
  readonly endpoints: readonly string[]
}

/** Every action of the store. */
export type ActionTypes =
  | FetchAction
  | SetResponseAction
  | OptimisticAction
  | SetAction
  | SubscribeAction
  | UnsubscribeAction
  | InvalidateAction
  | InvalidateAllAction
  | ExpireAllAction
  | ResetAction
  | GCAction

/** Sends an action on; resolves when its readers have been notified. */
export type Dispatch<A = any> = (action: A) => Promise<void>
export type DataClientDispatch = Dispatch<ActionTypes>
export type GenericDispatch = Dispatch

/** Selects keys; any endpoint can. */
export interface KeyTest {
  testKey(key: string): boolean
}
