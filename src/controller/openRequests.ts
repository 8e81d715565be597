import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { recordsBefore } from '../normalize/changeMembers.ts'
import type { Operation } from '../store/operations.ts'
import type { Store } from '../store/Store.ts'
import {
  deferred,
  type FetchAction,
  type FetchingMeta,
  identify,
  type Identity,
  type SetResponseAction,
} from './actions.ts'
import { FETCH } from './actionTypes.ts'
import { applyError, applyResponse, applyUnknown, rankOf } from './applyResponse.ts'
import { outcomeOf, unstoredOutcome } from './outcome.ts'
import { createOperation } from './pending.ts'
import { pathOf, type Reads } from './read.ts'
import { tablesOf } from './tablesOf.ts'

/** A request, from its first moment until its response is stored or it is dropped. */
export interface Request {
  readonly id: string
  /** The action that sends it; its `meta` has the number and the promise of the request. */
  readonly action: FetchAction
  /** Identifies the request: pages of one list share the key of the list and differ in this. */
  readonly name: string
  /**
   * Stores its response. Throws when the response is refused.
   *
   * @param isWhole the pages of the list were fetched again and stored before it: older ones are gone
   */
  answer(value: unknown, isWhole?: boolean): void
  /** After the response: the value that its callers receive. */
  outcome(): unknown
  /** Stores its failure. */
  fail(error: unknown): void
  /** Stores nothing of it. */
  drop(): void
  /** Shows its optimistic operation, if it has one. */
  show(): void
  /** It is sent again, and ranks as a request that is sent now. */
  renew(): void

  /** Aborts it on the network. */
  aborter?: AbortController | undefined
  /** A manager has taken it. */
  started?: boolean
  /** How many callers wait for its promise; readers do not count. */
  callers: number
  /** The request that its callers wait for, because its own response does not count. */
  successor?: Request
  /** Its key was invalidated since it was sent. */
  isOutdated?: boolean
  /** It failed and waits to be sent again: ends the waiting. */
  wake?: () => void
  /** The list itself has responded, and its pages are fetched again: ends that when the request is dropped. */
  abandon?: (reason: unknown) => void
  /** All pages of the list were fetched again. */
  isWhole?: boolean
  /** It fetches a page again: takes the response, which is stored together with that of the list. */
  collect?: ((action: SetResponseAction) => void) | undefined
}

/** A response to a request that may or may not be open here. */
export interface Resolved {
  readonly args: readonly any[]
  readonly response: unknown
  readonly fetchedAt: number
  /** The number of the request, where it is known. */
  readonly sent?: number | undefined
  readonly requestId?: string | undefined
  /** True when the response is an error. */
  readonly error?: boolean | undefined
}

/** The open requests of a store. */
export interface OpenRequests {
  readonly byId: Map<string, Request>
  /**
   * Opens a request: it takes its number.
   *
   * @param shows whether its optimistic operation shows at once
   * @param auto the library fetches
   */
  open(endpoint: EndpointInterface, args: readonly any[], shows?: boolean, auto?: boolean, identity?: Identity): Request
  /** The request that a response belongs to: by its id, by its number, or by when it began. */
  find(endpoint: EndpointInterface, of: Omit<Resolved, 'response'>): Request | undefined
  /** Stores a response from elsewhere, to a request that may be open here. */
  resolve(endpoint: EndpointInterface, resolved: Resolved): void
}

/** How many settled requests are remembered, at least. */
const REMEMBERED = 1000

/** @param end runs when a change is complete: notifies readers */
export function createOpenRequests(store: Store, reads: Reads, end: (own?: boolean) => void): OpenRequests {
  const byId = new Map<string, Request>()
  /** Names of requests that have a response, and of mutations that have settled, by number: a second response is ignored. */
  let settled = new Map<number, string>()
  let older = settled
  let count = 0

  const open: OpenRequests['open'] = (
    endpoint,
    args,
    shows = showsOperation(endpoint),
    auto,
    { key, name, plain } = identify(endpoint, args),
  ) => {
    checkExpiry(endpoint)
    const before = endpoint.sideEffect ? recordsBefore(store.tables, tablesOf(endpoint.schema), plain) : undefined
    const meta = createMeta(store, endpoint, `${++count}`, auto)
    let isOpen = true
    let operation: Operation | undefined
    let outcome: () => unknown = () => undefined

    /** Closes its number and removes its operation. */
    const release = (): void => {
      store.closeRequest(meta.sent)
      if (operation !== undefined) {
        store.removeOperation(operation)
      }
      operation = undefined
    }
    const close = (isSettled = endpoint.sideEffect): boolean => {
      byId.delete(meta.requestId)
      if (!isOpen) {
        return false
      }
      isOpen = false
      if (isSettled && settled.set(meta.sent, name).size > REMEMBERED) {
        older = settled
        settled = new Map()
      }
      release()
      return true
    }
    // A response to a request from before a reset is not stored.
    const isCurrent = (): boolean => meta.sent > store.resetAt
    const request: Request = {
      id: meta.requestId,
      action: { type: FETCH, key, args, endpoint, meta } as FetchAction,
      name,
      callers: 0,
      answer(value, isWhole) {
        if (!close(true)) {
          return
        }
        outcome = () => unstoredOutcome(store, endpoint, plain, value)
        try {
          if (isCurrent()) {
            const rank = { ...rankOf(store, endpoint, meta), before, isWhole, given: args }
            const result = applyResponse(store, endpoint, key, plain, value, rank)
            outcome = () => outcomeOf(store, reads, endpoint, key, plain, value, result)
          }
        } finally {
          end()
        }
      },
      outcome: () => outcome(),
      fail(error) {
        if (!close()) {
          return
        }
        if (isCurrent()) {
          const rank = rankOf(store, endpoint, meta)
          applyError(store, endpoint, key, error, rank)
          if (!isRefusal(error)) {
            applyUnknown(store, endpoint, plain, rank)
          }
        }
        end()
      },
      drop() {
        if (!close()) {
          return
        }
        if (isCurrent()) {
          applyUnknown(store, endpoint, plain, rankOf(store, endpoint, meta))
        }
        end()
      },
      show() {
        if (endpoint.getOptimisticResponse === undefined || operation !== undefined || !isOpen || !isCurrent()) {
          return
        }
        operation = createOperation(store, endpoint, key, plain, meta.requestId, { ...meta, before })
        store.addOperation(operation)
        store.subscriptions.flush(true)
      },
      renew() {
        if (endpoint.sideEffect) {
          return
        }
        release()
        end()
        Object.assign(meta, startNow(store, endpoint))
        if (!auto) {
          request.show()
        }
      },
    }
    byId.set(meta.requestId, request)
    if (shows) {
      request.show()
    }
    return request
  }

  const find: OpenRequests['find'] = (endpoint, { args, requestId, sent, fetchedAt }) => {
    if (requestId !== undefined) {
      return byId.get(requestId)
    }
    const { name } = identify(endpoint, args)
    for (const request of byId.values()) {
      const { meta } = request.action
      if (request.name === name && (sent === undefined ? meta.fetchedAt === fetchedAt : meta.sent === sent)) {
        return request
      }
    }
    return undefined
  }

  return {
    byId,
    open,
    find,
    resolve: (endpoint, resolved) => {
      checkExpiry(endpoint)
      const { args, response, fetchedAt, error } = resolved
      const request = find(endpoint, resolved)
      if (request) {
        return request[error ? 'fail' : 'answer'](response)
      }
      const { key, name, plain } = identify(endpoint, args)
      const sent = resolved.sent ?? store.numberAt(fetchedAt)
      if (sent < store.resetAt || (settled.get(sent) ?? older.get(sent)) === name) {
        return
      }
      try {
        const rank = { ...rankOf(store, endpoint, { sent, fetchedAt }), given: args }
        if (error) {
          applyError(store, endpoint, key, response, rank)
        } else {
          applyResponse(store, endpoint, key, plain, response, rank)
        }
      } finally {
        end()
      }
    },
  }
}

function createMeta(store: Store, endpoint: EndpointInterface, requestId: string, auto?: boolean): FetchingMeta {
  const settling = deferred()
  if (auto) {
    settling.promise.catch(() => {})
  }
  return { ...startNow(store, endpoint), requestId, ...settling, auto }
}

function startNow(store: Store, endpoint: EndpointInterface): Pick<FetchingMeta, 'sent' | 'fetchedAt'> {
  return { sent: store.openRequest(showsOperation(endpoint)), fetchedAt: store.clock.now() }
}

/** Refuses negative lengths of an endpoint or a manager. */
export function checkExpiry(endpoint: Pick<EndpointInterface, 'dataExpiryLength' | 'errorExpiryLength'>): void {
  for (const name of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    if (endpoint[name]! < 0) {
      throw fail(
        'expiry-negative',
        `${name} of ${pathOf(endpoint as EndpointInterface) ?? 'NetworkManager'}`,
        DEV &&
          `"${name}" of "${pathOf(endpoint as EndpointInterface) ?? 'NetworkManager'}" is ${endpoint[name]}. Give 0 or more milliseconds.`,
      )
    }
  }
}

/** True if an operation is shown while the request is pending. */
function showsOperation({ sideEffect, getOptimisticResponse }: EndpointInterface): boolean {
  return sideEffect === true && getOptimisticResponse !== undefined
}

/** True for an error by which the server says that it did not do the mutation: a status from 400 to 499. */
function isRefusal(error: unknown): boolean {
  const { status, refused } = Object(error) as { status?: number; refused?: boolean }
  return status !== undefined && status >= 400 && status < 500 && !refused
}
