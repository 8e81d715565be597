import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Operation } from '../store/operations.ts'
import type { Store } from '../store/Store.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { type Call, deferred, type FetchAction, type FetchingMeta } from './actions.ts'
import { FETCH } from './actionTypes.ts'
import { applyError, applyResponse, applyUnknown, type Sent } from './applyResponse.ts'
import type { Core } from './Core.ts'
import type { PageRefresh } from './listPages.ts'
import { outcomeOf, unstoredOutcome } from './outcome.ts'
import { createOperation, optimisticResponse } from './pending.ts'
import { pathOf } from './read.ts'

/**
 * A request, from `fetch` until its response is stored or it is dropped.
 *
 * | state | set by | what it can do |
 * | --- | --- | --- |
 * | open, not sent yet | `requests.open` | new callers join it |
 * | sent | `requests.take` | `started`; `aborter` aborts it on the network |
 * | failed, to be sent again | `NetworkManager` | `wake` sends it at once |
 * | outdated: its key was invalidated | `requests.outdate` | `isOutdated`; nobody joins it |
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
  /** The pages of its list are being fetched again; it is the list, or one of them. */
  declare refresh?: PageRefresh | undefined
  /** All pages of the list were fetched again and stored before it: older ones are gone. */
  declare hasAllPages?: boolean

  private readonly core: Core
  private isOpen = true
  /** Its optimistic operation, while that is shown. */
  declare private operation?: Operation | undefined
  /** After the response: the value that its callers receive. */
  declare outcome: () => unknown

  constructor(core: Core, call: Call, id: string, auto?: boolean) {
    const { store } = core
    const { endpoint, args, key } = call
    this.core = core
    this.id = id
    Object.assign(this, call)
    const settling = deferred()
    if (auto) {
      settling.promise.catch(() => {})
    }
    const meta: FetchingMeta = { ...sendNow(store), requestId: id, ...settling, auto }
    this.action = { type: FETCH, key, args, endpoint, meta } as FetchAction
  }

  /** Stores its response. Throws when the response is refused. */
  answer(value: unknown): void {
    const { core } = this
    const { store, reads } = core
    this.outcome ??= () => unstoredOutcome(store, this, value)
    const sent = this.close()
    try {
      if (sent) {
        const result = applyResponse(store, this, value, sent, this)
        this.outcome = () => outcomeOf(store, reads, this, value, result)
      }
    } finally {
      core.end()
    }
  }

  /** Stores its failure. */
  fail(error: unknown): void {
    const { store } = this.core
    const sent = this.close()
    if (sent) {
      // Its list has responded, and stays.
      applyError(store, this, error, sent, false, this.refresh !== undefined)
      if (!this.isUnsent && !isRejectedByServer(error)) {
        applyUnknown(store, this, sent)
      }
    }
    this.core.end()
  }

  /** Ends it without a response. A mutation may have been done all the same. */
  drop(): void {
    const sent = this.close()
    if (sent && !this.isUnsent) {
      applyUnknown(this.core.store, this, sent)
    }
    this.core.end()
  }

  /** Shows its optimistic operation, if it has one. */
  show(): void {
    const { core, endpoint, isOpen, operation } = this
    if (endpoint.getOptimisticResponse === undefined || operation !== undefined || !isOpen || !this.isCurrent()) {
      return
    }
    this.operation = createOperation(core.store, this)
    core.store.addOperation(this.operation)
    core.store.subscriptions.flush(true)
  }

  /** It is sent again, and ranks as a request that is sent now. */
  renew(): void {
    const { core, endpoint, action, isOpen } = this
    if (endpoint.sideEffect || !isOpen) {
      return
    }
    this.release()
    core.end()
    Object.assign(action.meta, sendNow(core.store))
    if (!action.meta.auto) {
      this.show()
    }
  }

  /** Makes its optimistic response once more, for a response that is empty. */
  optimistic(records: Map<Slot, object>): unknown {
    return optimisticResponse(this.core.store, this, records, new Set())
  }

  /** Closes it. Where it returns nothing, nothing is stored: it was closed before, or the store was reset since. */
  private close(): Sent | undefined {
    const { core, action } = this
    if (!this.isOpen) {
      return undefined
    }
    this.isOpen = false
    core.requests.close(this)
    this.release()
    return this.isCurrent() ? action.meta : undefined
  }

  /** Removes its operation. */
  private release(): void {
    if (this.operation !== undefined) {
      this.core.store.removeOperation(this.operation)
    }
    this.operation = undefined
  }

  /** A response to a request from before a reset is not stored. */
  private isCurrent(): boolean {
    return this.action.meta.sent > this.core.store.resetAt
  }
}

function sendNow({ clock, nextNumber }: Store): Pick<FetchingMeta, 'sent' | 'fetchedAt'> {
  const fetchedAt = clock.now()
  return { sent: nextNumber(fetchedAt), fetchedAt }
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
