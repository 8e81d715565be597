import { type Deferred, deferred } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { checkExpiry } from '../advice/fetched.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { follow, reasonOf, signalsOf, withoutSignals } from '../endpoint/signals.ts'
import { START } from '../endpoint/start.ts'
import type { FetchAction, FetchingMeta } from './actions.ts'
import { FETCH } from './actionTypes.ts'
import { applyUnknown } from './applyResponse.ts'
import { Budget } from './Budget.ts'
import { type Call, callOf } from './Call.ts'
import type { Host } from './Host.ts'
import { checkOptimistic, createOperation } from './pending.ts'
import { Request } from './Request.ts'
import { ResetError } from './ResetError.ts'
import type { Result } from './Result.ts'

/** The reason to begin a request, other than a caller. */
interface Purpose {
  /** The library fetches, so nobody has to handle a failure. */
  readonly auto?: boolean | undefined
  /** It is a page that is fetched again with this list. */
  readonly list?: Request
  /** It is a list of which only these pages are fetched. */
  readonly pages?: ReadonlySet<string>
  /** It repeats a request that was sent at this number. */
  readonly sent?: number | undefined
  /** Its promise. */
  readonly deferred?: Deferred
}

/** The open requests of a store: which one a fetch joins, and how they begin and end. Each of their promises settles, even if a manager fails. */
export class Requests {
  /** The open requests, by id. */
  readonly open: Map<string, Request> = new Map()
  /** Reads without callers and readers are aborted. */
  abortsUnused = true
  /** Limits what the library sends on its own while an origin fails. */
  readonly budget: Budget
  /** True after `stop`: nothing is sent, and open requests are dropped soon. */
  isStopped = false
  readonly host: Host
  private count = 0
  /** The number at which the last mutation ended: nobody joins a read that was sent before. */
  private fence = 0
  private readonly released = new Set<Result>()

  constructor(host: Host) {
    this.host = host
    this.budget = new Budget(() => host.recover())
  }

  /**
   * Sends a request, or joins one that serves. The promise follows the signals of the endpoint; the request goes on while it has a
   * caller or reader. `auto`: the library fetches, and signals are the business of the readers.
   */
  fetch(endpoint: EndpointInterface, args: readonly any[], auto?: boolean): Promise<any> {
    if (!auto) {
      this.host.onCall?.()
    }
    const signals = auto ? [] : signalsOf(endpoint)
    const fired = signals.find(({ aborted }) => aborted)
    if (fired) {
      return Promise.reject(reasonOf(fired))
    }
    const call = callOf(endpoint, this.host.store.tables.realArgs?.(args) ?? args)
    const running = this.running(call)
    if (!auto && !running && endpoint.getOptimisticResponse) {
      checkOptimistic(this.host, call)
    }
    const request = running ?? this.begin(call, { auto })
    const { result } = request
    let { promise } = request.action.meta
    if (!auto) {
      result.pace.hurry()
      request.callers++
      if (signals.length > 0) {
        promise = follow(promise, signals, () => this.leave(request))
      }
    }
    if (this.isStopped) {
      this.drop(request, new ResetError())
    }
    this.dispatch(request, !running)
    return promise
  }

  /** The read that a new caller may join. One that was sent before a doubt, or the end of a mutation, may return the old rows. */
  running({ name, key }: Call): Request | undefined {
    const { doubt, requests } = this.host.result(key)
    const oldest = Math.max(doubt.at, this.fence)
    return [...requests].find((one) => one.name === name && one.isShared && !one.pages && one.action.meta.sent > oldest)
  }

  /** Opens a request: it takes its number. */
  begin(call: Call, { auto, list, pages, sent, deferred: own }: Purpose = {}): Request {
    // Each caller of a read aborts on its own. A mutation has one caller.
    const endpoint = call.endpoint.sideEffect ? call.endpoint : withoutSignals(call.endpoint)
    if (DEV) {
      checkExpiry(endpoint)
    }
    const { store } = this.host
    const id = `${++this.count}`
    const { promise, resolve, reject } = own ?? deferred()
    if (auto) {
      promise.catch(() => {})
    }
    const { args, plain, key } = call
    const fetchedAt = store.clock.now()
    const number = sent ?? ++store.reached
    const meta: FetchingMeta = { fetchedAt, sent: number, requestId: id, resolve, reject, promise, auto }
    const action = { type: FETCH, key, args, endpoint, meta } as FetchAction
    const result = this.host.result(key)
    const deletes = endpoint.sideEffect
      ? store.tables.listCode?.deletesOf(store.tables, endpoint.schema, plain)
      : undefined
    const page = list && deferred()
    // A signal is costly to create, and without START nobody can use it.
    const aborter = endpoint[START] && globalThis.AbortController ? new AbortController() : undefined
    const request = new Request(call, { endpoint, id, action, result, aborter, list, page, pages, deletes })
    this.open.set(id, request)
    result.requests.add(request)
    store.onRequest?.(key, 1)
    return request
  }

  /** Passes its action to the managers. One that fails on an action it has let pass before stops nobody. */
  dispatch(request: Request, isNew: boolean): void {
    Promise.resolve(this.host.controller!.dispatch(request.action)).catch(
      (error: unknown) => isNew && this.drop(request, error),
    )
  }

  /** The open request that a response belongs to: by its id, or by when it began. */
  find(endpoint: EndpointInterface, { args, requestId, fetchedAt }: Origin): Request | undefined {
    if (requestId !== undefined) {
      return this.open.get(requestId)
    }
    return this.of(callOf(endpoint, args)).find(({ action }) => action.meta.fetchedAt === fetchedAt)
  }

  /** For the manager that sends it: the request of an action, the first time. */
  take({ meta, endpoint, args }: FetchAction): Request | undefined {
    const request = this.open.get(meta.requestId)
    if (request === undefined) {
      // The app created the action.
      this.fetch(endpoint, args).then(meta.resolve, meta.reject)
    }
    return request?.move('take') ? request : undefined
  }

  /** Shows the optimistic operation of a request, if it has one. */
  show(id: string): void {
    const { store } = this.host
    const request = this.open.get(id)
    if (request?.endpoint.getOptimisticResponse && !request.operation && this.isCurrent(request)) {
      request.operation = createOperation(store, request)
      store.addOperation(request.operation)
      this.host.end(true)
    }
  }

  /** Aborts a request: nothing of it is stored. Without an error it rejects with that of an abort. */
  drop(request: Request, error?: unknown, aborts = true): void {
    const { host } = this
    const { aborter, action, list, result } = request
    // A list and the pages that are fetched again with it go together.
    for (const page of result.requests) {
      if (page.list === request) {
        this.drop(page, error)
      }
    }
    if (!this.open.has(request.id)) {
      return
    }
    this.close(request)
    request.wake?.()
    if (aborts) {
      aborter?.abort(error)
    }
    const reason = error ?? reasonOf(aborter?.signal ?? {})
    const notify = host.store.notifier.hold()
    if (this.isCurrent(request)) {
      this.lose(request)
    }
    host.end()
    action.meta.reject(reason)
    notify()
    if (list) {
      this.drop(list, reason)
    }
  }

  /** Drops the reads of a key that no caller and no reader wants. */
  dropUnused({ requests, isWanted }: Result, error?: unknown): void {
    for (const request of requests) {
      if (!isWanted && request.callers === 0 && request.isShared) {
        this.drop(request, error)
      }
    }
  }

  /** A reader or caller no longer needs a key: soon its requests are dropped if nobody else does. */
  release(result: Result): void {
    const { released, host } = this
    // A page that unmounts releases everything at once, and one timer serves all.
    if (released.size === 0) {
      host.store.clock.setTimeout(() => {
        const all = [...released]
        released.clear()
        if (this.abortsUnused) {
          all.forEach((one) => this.dropUnused(one))
        }
      }, 0)
    }
    released.add(result)
  }

  abort(endpoint: EndpointInterface, args: readonly any[]): void {
    this.of(callOf(endpoint, args)).forEach((request) => this.drop(request))
  }

  /** True while a mutation is in flight that writes records. */
  isWriting(): boolean {
    return [...this.open.values()].some(({ isWrite }) => isWrite)
  }

  /** Resets the store and drops open requests, except mutations that were sent. */
  reset(): void {
    const { host } = this
    const old = [...this.open.values()]
    for (const { pace } of host.results) {
      pace.allow()
    }
    host.change(() => host.store.reset())
    // A mutation in flight may be the sign-out itself: it settles with the response.
    for (const request of old) {
      if (request.state === 'open' || !request.endpoint.sideEffect) {
        this.drop(request, new ResetError())
      } else {
        request.wake?.()
      }
    }
  }

  /** Rejects everything that waits, unless `start` follows at once. */
  stop(): void {
    this.isStopped = true
    // Strict Mode stops and starts.
    this.host.store.clock.setTimeout(() => {
      if (this.isStopped) {
        // A mutation still goes to the server.
        this.open.forEach((request) => this.drop(request, new ResetError(), !request.endpoint.sideEffect))
        this.host.results.flatMap(({ readers }) => readers).forEach((readers) => readers.wake())
      }
    }, 0)
  }

  /** The store was not reset since it was sent. */
  isCurrent({ action }: Request): boolean {
    return action.meta.sent > this.host.store.resetAt
  }

  /** A request has ended: it is no longer open, and shows nothing any more. */
  close(request: Request): void {
    const { store } = this.host
    request.move('close')
    if (request.operation) {
      store.removeOperation(request.operation)
    }
    request.result.requests.delete(request)
    if (this.open.delete(request.id)) {
      store.onRequest?.(request.key, -1)
      if (request.endpoint.sideEffect) {
        this.host.mutationEnded()
      }
    }
  }

  /** A mutation has ended that writes records: reads that were sent before may return the old ones. */
  raiseFence(): void {
    this.fence = this.host.store.reached
  }

  /** A mutation without a response may have been done all the same. */
  lose(request: Request): void {
    if (!request.isUnsent && request.isWrite) {
      this.raiseFence()
      applyUnknown(this.host.store, request, request.action.meta, request.deletes)
    }
  }

  /** One of its callers no longer waits. */
  private leave(request: Request): void {
    request.callers--
    if (request.endpoint.sideEffect) {
      this.drop(request)
    } else {
      this.dropUnused(request.result)
    }
  }

  /** The open requests of a call. The pages of a list have the key of the list. */
  private of({ name, key }: Call): Request[] {
    return [...this.host.result(key).requests].filter((request) => request.name === name)
  }
}

/** Identifies the request that a response belongs to. */
interface Origin {
  readonly args: readonly any[]
  readonly requestId?: string | undefined
  readonly fetchedAt: number
}
