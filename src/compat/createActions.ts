// Actions made by hand, for managers and tests: the methods of a Controller make and send them in one.
import { DEFAULT_EXPIRY } from '../store/Store.ts'
import { deferred } from '../base/clock.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import {
  type ExpireAllAction,
  type FetchAction,
  type InvalidateAction,
  type InvalidateAllAction,
  type KeyTest,
  type ResetAction,
  type SetAction,
  type SetResponseAction,
  type SubscribeAction,
  type UnsubscribeAction,
} from '../requests/actions.ts'
import { plainArgs } from '../requests/Call.ts'
import {
  EXPIREALL,
  FETCH,
  INVALIDATE,
  INVALIDATEALL,
  RESET,
  SET,
  SET_RESPONSE,
  SUBSCRIBE,
  UNSUBSCRIBE,
} from '../requests/actionTypes.ts'

interface Asked<E extends EndpointInterface> {
  readonly args: readonly [...Parameters<E>]
  readonly fetchedAt?: number | undefined
}

/** `meta.promise` settles with the request once the action is dispatched. */
export function createFetch<E extends EndpointInterface>(
  endpoint: E,
  { args, fetchedAt = Date.now() }: Asked<E>,
): FetchAction<E> {
  const settling = deferred()
  // Nobody has to wait for what was made here.
  settling.promise.catch(() => {})
  const meta = { fetchedAt, sent: 0, requestId: '', ...settling }
  return { type: FETCH, ...about(endpoint, args), meta }
}

/** A response, or an error, that has just arrived. */
export function createSetResponse<E extends EndpointInterface>(
  endpoint: E,
  { args, fetchedAt = Date.now(), response, error }: Asked<E> & { readonly response: any; readonly error?: boolean },
): SetResponseAction<E> {
  const date = Date.now()
  const { dataExpiryLength = DEFAULT_EXPIRY.dataExpiryLength, errorExpiryLength = DEFAULT_EXPIRY.errorExpiryLength } =
    endpoint
  const expiresAt = date + (error ? errorExpiryLength : dataExpiryLength)
  const plain = plainArgs(args) as typeof args
  return { type: SET_RESPONSE, ...about(endpoint, plain), response, error, meta: { fetchedAt, date, expiresAt } }
}

export function createSet(
  schema: object,
  { args, value, fetchedAt = Date.now() }: { args: readonly any[]; value: any; fetchedAt?: number },
): SetAction {
  const meta = { fetchedAt, date: fetchedAt, expiresAt: fetchedAt + DEFAULT_EXPIRY.dataExpiryLength }
  return { type: SET, schema, args: plainArgs(args), value, meta }
}

export function createSubscription<E extends EndpointInterface>(endpoint: E, { args }: Asked<E>): SubscribeAction<E> {
  return { type: SUBSCRIBE, ...about(endpoint, args) }
}

export function createUnsubscription<E extends EndpointInterface>(
  endpoint: E,
  { args }: Asked<E>,
): UnsubscribeAction<E> {
  return { type: UNSUBSCRIBE, ...about(endpoint, args) }
}

export function createInvalidate<E extends EndpointInterface>(endpoint: E, { args }: Asked<E>): InvalidateAction {
  return { type: INVALIDATE, key: endpoint.key(...(args as any)) }
}

export function createInvalidateAll(testKey: KeyTest['testKey']): InvalidateAllAction {
  return { type: INVALIDATEALL, testKey }
}

export function createExpireAll(testKey: KeyTest['testKey']): ExpireAllAction {
  return { type: EXPIREALL, testKey }
}

export function createReset(): ResetAction {
  return { type: RESET, date: Date.now() }
}

function about<E extends EndpointInterface>(
  endpoint: E,
  args: readonly [...Parameters<E>],
): Pick<FetchAction<E>, 'key' | 'args' | 'endpoint'> {
  return { key: endpoint.key(...(args as any)), args, endpoint }
}
