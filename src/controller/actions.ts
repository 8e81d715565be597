import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type {
  EXPIREALL,
  FETCH,
  GC,
  INVALIDATE,
  INVALIDATEALL,
  OPTIMISTIC,
  RESET,
  SET,
  SET_RESPONSE,
  SUBSCRIBE,
  UNSUBSCRIBE,
} from './actionTypes.ts'

/** What is known of a request when it begins. */
export interface RequestMeta {
  /** Epoch milliseconds, in store time. */
  readonly fetchedAt: number
  /** The number of the request: what was sent later has a higher one. */
  readonly sent: number
  /** Names the request; no other has it. */
  readonly requestId: string
}

/** A request that begins, and the promise that it settles. */
export interface FetchingMeta extends RequestMeta {
  readonly resolve: (value: any) => void
  readonly reject: (error: unknown) => void
  readonly promise: Promise<any>
  /** The library asked for it on its own account: a reader, a poll. */
  readonly auto?: boolean | undefined
}

/** When an answer came, and how long it counts. */
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

/** A request is to be sent. */
export interface FetchAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof FETCH
  readonly meta: FetchingMeta
}

/** An answer, or with `error: true` a failure, is to be stored. */
export interface SetResponseAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof SET_RESPONSE
  readonly response: any
  readonly error?: boolean | undefined
  readonly meta: ResponseMeta
}

/** What a request is expected to change, shown until it is answered. */
export interface OptimisticAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof OPTIMISTIC
  readonly meta: RequestMeta
}

/** Records are to be written. */
export interface SetAction {
  readonly type: typeof SET
  readonly schema: any
  readonly args: readonly any[]
  /** The value, or a function that makes it from the one before. */
  readonly value: any
  readonly meta: { readonly fetchedAt: number; readonly date: number; readonly expiresAt: number }
}

/** Somebody wants to be kept up to date. */
export interface SubscribeAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof SUBSCRIBE
}

/** Somebody no longer wants to be kept up to date. */
export interface UnsubscribeAction<E extends EndpointInterface = EndpointInterface> extends EndpointAction<E> {
  readonly type: typeof UNSUBSCRIBE
}

/** The result of one key is to be taken out. */
export interface InvalidateAction {
  readonly type: typeof INVALIDATE
  readonly key: string
}

/** The results of all keys that pass are to be taken out. */
export interface InvalidateAllAction {
  readonly type: typeof INVALIDATEALL
  readonly testKey: (key: string) => boolean
}

/** The results of all keys that pass are stale from now on. */
export interface ExpireAllAction {
  readonly type: typeof EXPIREALL
  readonly testKey: (key: string) => boolean
}

/** Everything is to be forgotten. */
export interface ResetAction {
  readonly type: typeof RESET
  readonly date: number
}

/** Rows and results that nobody reads any more are to be removed. */
export interface GCAction {
  readonly type: typeof GC
  readonly entities: readonly { readonly key: string; readonly pk: string }[]
  readonly endpoints: readonly string[]
}

/** Everything that managers see and the store does. */
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

/** Sends an action on; resolves when its readers have been told. */
export type Dispatch<A = any> = (action: A) => Promise<void>
export type DataClientDispatch = Dispatch<ActionTypes>
export type GenericDispatch = Dispatch

/** Tells keys that are meant from others; any endpoint can. */
export interface KeyTest {
  testKey(key: string): boolean
}

/** Identifies a request. */
export interface Identity {
  /** Names the result. */
  readonly key: string
  /** Names the request: pages of one list share the key of the list and differ in this. */
  readonly name: string
  /** The arguments, with forms as plain objects: lists compare them. */
  readonly plain: readonly any[]
}

export function identify(endpoint: EndpointInterface, args: readonly any[]): Identity {
  const plain = plainArgs(args)
  const key = endpoint.key(...plain)
  // They differ for pages alone, and to build a URL takes time.
  const isOwn = endpoint.requestKey !== undefined && endpoint.requestKey !== endpoint.key
  return { key, name: isOwn ? endpoint.requestKey!(...plain) : key, plain }
}

/** Arguments as lists can match them: forms as plain objects. */
export function plainArgs(args: readonly any[]): readonly any[] {
  return typeof FormData === 'function' && args.some((arg) => arg instanceof FormData)
    ? args.map((arg: unknown) => (arg instanceof FormData ? Object.fromEntries(arg) : arg))
    : args
}
