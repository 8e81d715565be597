import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recordsBefore } from '../normalize/edits.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Operation } from '../store/operations.ts'
import type { Store } from '../store/Store.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { type Call, deferred, type FetchAction, type FetchingMeta } from './actions.ts'
import { FETCH } from './actionTypes.ts'
import { applyError, applyResponse, applyUnknown, type Rank, rankOf } from './applyResponse.ts'
import type { PageRefresh } from './listPages.ts'
import { outcomeOf, unstoredOutcome } from './outcome.ts'
import { createOperation, optimisticResponse } from './pending.ts'
import { pathOf, type Reads } from './read.ts'
import { tablesOf } from './tablesOf.ts'

/** The store that requests belong to. */
export interface RequestContext {
  readonly store: Store
  readonly reads: Reads
  /** A change is complete: notifies readers. */
  end(own?: boolean): void
  /** @param isSettled a second response to it is to be ignored */
  onClose(request: Request, isSettled: boolean): void
}

/**
 * A request, from `fetch` until its response is stored or it is dropped.
 *
 * | state | set by | what it can do |
 * | --- | --- | --- |
 * | open, not sent yet | `requests.open` | new callers join it |
 * | sent | `requests.take` | `started`; `aborter` aborts it on the network |
 * | failed, to be sent again | `NetworkManager` | `wake` sends it at once |
 * | outdated: its key was invalidated | `requests.outdate` | `isOutdated`; nobody joins it, its callers wait for a `successor` |
 * | a list that has responded, while its pages are fetched again, or one of these | `refreshPages` | `refresh` takes its response |
 * | closed | `answer`, `fail`, `drop` | |
 */
export class Request implements Call {
  readonly id: string
  declare readonly endpoint: EndpointInterface
  declare readonly args: readonly any[]
  declare readonly plain: readonly any[]
  declare readonly key: string
  declare readonly name: string
  /** The action that sends it; its `meta` has the number and the promise of the request. */
  readonly action: FetchAction
  /** The records that the arguments of a mutation name, as they were when it was sent. */
  readonly whenSent: ReadonlyMap<Slot, object> | undefined

  /** How many callers wait for its promise; readers do not count. */
  callers = 0
  /** A manager has taken it. */
  declare started?: boolean
  declare aborter?: AbortController | undefined
  /** Each try has failed before it was sent: the server knows nothing of it. */
  declare isUnsent?: boolean | undefined
  /** It failed and waits to be sent again: ends the waiting. */
  declare wake?: (() => void) | undefined
  /** Its key was invalidated since it was sent. */
  declare isOutdated?: boolean
  /** The request that its callers wait for, because its own response does not count. */
  declare successor?: Request | undefined
  /** The pages of its list are being fetched again; it is the list, or one of them. */
  declare refresh?: PageRefresh | undefined
  /** All pages of the list were fetched again and stored before it: older ones are gone. */
  declare hasAllPages?: boolean

  private readonly context: RequestContext
  private isOpen = true
  /** Its optimistic operation, while that is shown. */
  declare private operation?: Operation | undefined
  /** After the response: the value that its callers receive. */
  declare outcome: () => unknown

  constructor(context: RequestContext, call: Call, id: string, auto?: boolean) {
    const { store } = context
    const { endpoint, args, plain, key } = call
    this.context = context
    this.id = id
    Object.assign(this, call)
    this.whenSent = endpoint.sideEffect ? recordsBefore(store.tables, tablesOf(endpoint.schema), plain) : undefined
    const settling = deferred()
    if (auto) {
      settling.promise.catch(() => {})
    }
    const meta: FetchingMeta = { ...sendNow(store, endpoint), requestId: id, ...settling, auto }
    this.action = { type: FETCH, key, args, endpoint, meta } as FetchAction
  }

  /** Stores its response. Throws when the response is refused. */
  answer(value: unknown): void {
    const { store, reads, end } = this.context
    this.outcome ??= () => unstoredOutcome(store, this, value)
    const rank = this.close(true)
    try {
      if (rank) {
        const result = applyResponse(store, this, value, rank, this)
        this.outcome = () => outcomeOf(store, reads, this, value, result)
      }
    } finally {
      end()
    }
  }

  /** Stores its failure. */
  fail(error: unknown): void {
    const { store, end } = this.context
    const rank = this.close(false)
    if (rank) {
      applyError(store, this, error, rank)
      if (!this.isUnsent && !isRejectedByServer(error)) {
        applyUnknown(store, this, rank)
      }
    }
    end()
  }

  /** Ends it without a response. A mutation may have been done all the same. */
  drop(): void {
    const rank = this.close(false)
    if (rank && !this.isUnsent) {
      applyUnknown(this.context.store, this, rank)
    }
    this.context.end()
  }

  /** Shows its optimistic operation, if it has one. */
  show(): void {
    const { context, endpoint, isOpen, operation } = this
    if (endpoint.getOptimisticResponse === undefined || operation !== undefined || !isOpen || !this.isCurrent()) {
      return
    }
    this.operation = createOperation(context.store, this)
    context.store.addOperation(this.operation)
    context.store.subscriptions.flush(true)
  }

  /** It is sent again, and ranks as a request that is sent now. */
  renew(): void {
    const { context, endpoint, action, isOpen } = this
    if (endpoint.sideEffect || !isOpen) {
      return
    }
    this.release()
    context.end()
    Object.assign(action.meta, sendNow(context.store, endpoint))
    if (!action.meta.auto) {
      this.show()
    }
  }

  /** Makes its optimistic response once more, for a response that is empty. */
  optimistic(records: Map<Slot, object>): unknown {
    return optimisticResponse(this.context.store, this, records, new Set())
  }

  /** Closes it. Without a rank nothing is stored: it was closed before, or the store was reset since. */
  private close(hasResponse: boolean): Rank | undefined {
    const { context, endpoint, action } = this
    if (!this.isOpen) {
      return undefined
    }
    this.isOpen = false
    // After a failure a mutation has settled, too; a read may still be served by a late response.
    context.onClose(this, hasResponse || endpoint.sideEffect === true)
    this.release()
    return this.isCurrent() ? rankOf(context.store, endpoint, action.meta) : undefined
  }

  /** Closes its number and removes its operation. */
  private release(): void {
    const { store } = this.context
    store.closeRequest(this.action.meta.sent)
    if (this.operation !== undefined) {
      store.removeOperation(this.operation)
    }
    this.operation = undefined
  }

  /** A response to a request from before a reset is not stored. */
  private isCurrent(): boolean {
    return this.action.meta.sent > this.context.store.resetAt
  }
}

function sendNow(store: Store, endpoint: EndpointInterface): Pick<FetchingMeta, 'sent' | 'fetchedAt'> {
  const { sideEffect, getOptimisticResponse } = endpoint
  const isShown = sideEffect === true && getOptimisticResponse !== undefined
  return { sent: store.openRequest(isShown), fetchedAt: store.clock.now() }
}

/** True for an error by which the server says that it did not do the mutation: a status from 400 to 499. */
function isRejectedByServer(error: unknown): boolean {
  const { status = 0, refused } = Object(error) as { status?: number; refused?: boolean }
  return status >= 400 && status < 500 && !refused
}

/** Refuses negative lengths of an endpoint or a manager. */
export function checkExpiry(endpoint: Pick<EndpointInterface, 'dataExpiryLength' | 'errorExpiryLength'>): void {
  for (const name of ['dataExpiryLength', 'errorExpiryLength'] as const) {
    if (endpoint[name]! < 0) {
      const owner = pathOf(endpoint as EndpointInterface) ?? 'NetworkManager'
      throw fail(
        'expiry-negative',
        `${name} of ${owner}`,
        DEV && `"${name}" of "${owner}" is ${endpoint[name]}. Give 0 or more milliseconds.`,
      )
    }
  }
}
