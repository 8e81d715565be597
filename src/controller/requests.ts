import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, reasonOf, withoutSignals } from '../endpoint/signals.ts'
import { START } from '../endpoint/start.ts'
import { type Call, callOf, deferred, type FetchAction, type SetResponseAction } from './actions.ts'
import type { Core } from './Core.ts'
import { checkExpiry, Request } from './Request.ts'
import { refreshPages } from './listPages.ts'
import { ResetError } from './ResetError.ts'
import { retryAfter } from './retryAfter.ts'
import { tablesOf } from './tablesOf.ts'

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

/** All fetches of a store. Each of their promises settles, even if a manager fails. */
export class Requests {
  /** The open requests, by id. */
  readonly open: Map<string, Request> = new Map()
  /** True after `stop`: nothing is sent, and open requests are dropped soon. */
  isStopped = false
  private readonly core: Core
  private count = 0
  /** The reads that a new caller may join, by name. A mutation is never shared. */
  private readonly joinable = new Map<string, Request>()
  private readonly timers = new Set<() => void>()
  /** The `Retry-After` of the last response, by key. */
  private readonly retryTimes = new Map<string, number>()

  constructor(core: Core) {
    this.core = core
  }

  /**
   * Sends a request, or joins one that serves. The promise follows the signals of the endpoint. `auto`: the library fetches, so nobody
   * has to handle a failure, and signals are the business of the readers.
   */
  fetch(endpoint: EndpointInterface, args: readonly any[], auto?: boolean): Promise<any> {
    const fired = auto ? undefined : firedOf(endpoint)
    if (fired) {
      return Promise.reject(reasonOf(fired))
    }
    const call = callOf(endpoint, args)
    const open = this.named(call.name)
    const request = open ?? this.begin(call, auto)
    const promise = auto ? request.action.meta.promise : this.attend(request, endpoint)
    if (!auto) {
      this.core.views.resetTries(call.key)
    }
    if (this.isStopped) {
      this.drop(request, new ResetError())
    }
    this.dispatch(request, !open)
    return promise
  }

  /** Opens a request: it takes its number. `auto`: the library fetches. */
  begin(call: Call, auto?: boolean): Request {
    // Each caller of a read aborts on its own. A mutation has one caller.
    const endpoint = call.endpoint.sideEffect ? call.endpoint : withoutSignals(call.endpoint)
    checkExpiry(endpoint)
    const request = new Request(this.core, { ...call, endpoint }, `${++this.count}`, auto)
    this.open.set(request.id, request)
    // A signal is costly to create, and without START nobody can use it.
    if (endpoint[START] && globalThis.AbortController) {
      request.aborter = new AbortController()
    }
    this.core.store.onRequest?.(request.key, 1)
    if (!endpoint.sideEffect) {
      this.joinable.set(request.name, request)
    }
    return request
  }

  /** Opens a request, with nobody waiting for it, and sends it. */
  send(endpoint: EndpointInterface, args: readonly any[]): Request {
    const request = this.begin(callOf(endpoint, args), true)
    this.dispatch(request, true)
    return request
  }

  /** The request that a fetch of these arguments would join. */
  running(endpoint: EndpointInterface, args: readonly any[]): Request | undefined {
    return this.named(callOf(endpoint, args).name)
  }

  /** The request that a response belongs to: by its id, by its number, or by when it began. */
  find(endpoint: EndpointInterface, of: Omit<Resolved, 'response'>): Request | undefined {
    const { args, requestId, sent, fetchedAt } = of
    if (requestId !== undefined) {
      return this.open.get(requestId)
    }
    const { name } = callOf(endpoint, args)
    return [...this.open.values()].find(
      ({ name: other, action: { meta } }) =>
        other === name && (sent === undefined ? meta.fetchedAt === fetchedAt : meta.sent === sent),
    )
  }

  /** For the manager that sends it: the request of an action, the first time. */
  take({ meta, endpoint, args }: FetchAction): Request | undefined {
    let request = this.open.get(meta.requestId)
    if (request === undefined) {
      // The app created the action.
      const fired = firedOf(endpoint)
      if (fired) {
        meta.reject(reasonOf(fired))
        return undefined
      }
      const call = callOf(endpoint, args)
      request = this.named(call.name) ?? this.begin(call, true)
      this.attend(request, endpoint).then(meta.resolve, meta.reject)
    }
    if (request.started) {
      return undefined
    }
    request.started = true
    return request
  }

  /** Stores a response, of an open request or from elsewhere, and settles promises. */
  respond(action: SetResponseAction): void {
    const { endpoint, args, meta, error, response } = action
    const { store } = this.core
    const request = meta.sent === undefined ? undefined : this.find(endpoint, { ...meta, args })
    if (request === undefined) {
      store.onRequest?.(action.key, 0)
      return this.respondFromElsewhere(action)
    }
    const until = error ? retryAfter(response, store.clock.now(), store.clock.ahead()) : 0
    if (until > 0) {
      this.retryTimes.set(request.key, until)
    } else if (request.name === request.key) {
      // The response of a page does not say that its list may be fetched again.
      this.retryTimes.delete(request.key)
    }
    if (request.refresh) {
      return request.refresh.onResponse(request, action)
    }
    const isRefreshed = !error && !request.isOutdated && refreshPages(this, store.tables, request, action)
    return isRefreshed ? undefined : this.settle(request, action)
  }

  /** Stores a response and settles the promise of its request. Throws the error of a response that is refused. */
  settle(request: Request, { response, error }: SetResponseAction): void {
    const { subscriptions } = this.core.store
    const { resolve, reject } = request.action.meta
    const { endpoint, key } = request
    this.close(request)
    const notify = subscriptions.hold()
    let finish = (): void => reject(response)
    let refused: { readonly error: unknown } | undefined
    try {
      if (error) {
        request.fail(response)
      } else {
        request.answer(response)
        const value = request.outcome()
        finish = () => resolve(value)
      }
    } catch (thrown) {
      finish = () => reject(thrown)
      refused = { error: thrown }
    }
    // The handler of a mutation may leave the screen before its readers are notified: they would fetch a deleted record.
    if (endpoint.sideEffect) {
      finish()
      finish = () => {}
    }
    notify()
    subscriptions.after(() => {
      this.core.views.onStored(key, endpoint)
      finish()
    })
    if (refused) {
      throw refused.error
    }
  }

  /** A request has ended. False where it had before. */
  close(request: Request): boolean {
    const { views, store } = this.core
    this.stopJoining(request)
    if (!this.open.delete(request.id)) {
      return false
    }
    store.onRequest?.(request.key, -1)
    if (request.endpoint.sideEffect) {
      views.mounted.forEach((view) => view.wake())
    }
    return true
  }

  /** Aborts a request: nothing of it is stored. Without an error it rejects with that of an abort. */
  drop(request: Request, error?: unknown, aborts = true): void {
    if (!this.close(request)) {
      return
    }
    const { aborter, action } = request
    if (aborts) {
      aborter?.abort(error)
    }
    const reason = error ?? reasonOf(aborter?.signal ?? {})
    const notify = this.core.store.subscriptions.hold()
    request.drop()
    action.meta.reject(reason)
    notify()
    request.refresh?.onDrop(request, reason)
  }

  /** Drops the reads of a key that no caller and no reader wants. */
  dropUnused(key: string): void {
    if (this.core.views.isRead(key)) {
      return
    }
    for (const request of this.open.values()) {
      const isUnused = request.key === key && request.callers === 0 && !request.refresh?.isPage(request)
      if (isUnused && !request.endpoint.sideEffect) {
        this.drop(request)
      }
    }
  }

  abort(endpoint: EndpointInterface, args: readonly any[]): void {
    const { name } = callOf(endpoint, args)
    for (const request of this.open.values()) {
      if (request.name === name) {
        this.drop(request)
      }
    }
  }

  /** True while a mutation is in flight that may write to what an endpoint reads. */
  isWriting({ schema }: EndpointInterface): boolean {
    const read = tablesOf(schema)
    const mayWrite = ({ endpoint }: Request): boolean =>
      endpoint.sideEffect === true && [...tablesOf(endpoint.schema).keys()].some((key) => read.has(key))
    return [...this.open.values()].some(mayWrite)
  }

  /** When the server allows the next request of a key that the library sends. */
  retryAt(key: string): number {
    return this.retryTimes.get(key) ?? 0
  }

  /** These keys were invalidated: nobody joins the open requests for them. */
  outdate(testKey: (key: string) => boolean): void {
    for (const request of this.open.values()) {
      if (testKey(request.key)) {
        request.isOutdated = true
        this.stopJoining(request)
      }
    }
  }

  /** Resets the store and drops open requests, except mutations that were sent. */
  reset(): void {
    const { core } = this
    const old = [...this.open.values()]
    this.joinable.clear()
    this.retryTimes.clear()
    core.views.mounted.forEach((view) => view.resetTries())
    core.change(core.store.reset)
    // A mutation in flight may be the sign-out itself: it settles with the response.
    for (const request of old) {
      if (!request.started || !request.endpoint.sideEffect) {
        this.drop(request, new ResetError())
      } else {
        request.wake?.()
      }
    }
  }

  start(): void {
    this.isStopped = false
  }

  /** Rejects everything that waits, unless `start` follows at once. */
  stop(): void {
    this.isStopped = true
    // Strict Mode stops and starts.
    this.core.store.clock.setTimeout(() => {
      if (!this.isStopped) {
        return
      }
      // A mutation still goes to the server.
      for (const request of this.open.values()) {
        this.drop(request, new ResetError(), !request.endpoint.sideEffect)
      }
      this.timers.forEach((wake) => wake())
    }, 0)
  }

  /** A timer that ends early when the store stops. `isAwaited`: a process in Node stays alive for it. */
  wait(milliseconds: number, isAwaited?: boolean): { readonly promise: Promise<void>; wake(): void } {
    const { timers } = this
    const { clock } = this.core.store
    const { promise, resolve } = deferred<void>()
    const wake = (): void => {
      timers.delete(wake)
      clock.clearTimeout(timer)
      resolve()
    }
    const timer = clock.setTimeout(wake, milliseconds) as { ref?(): void } | undefined
    if (isAwaited) {
      timer?.ref?.()
    }
    timers.add(wake)
    return { promise, wake }
  }

  /** The request that a new caller may join. One that was sent before a mutation, or before a doubt, may return the old rows. */
  private named(name: string): Request | undefined {
    const request = this.joinable.get(name)
    if (request) {
      const { sent } = request.action.meta
      const { tables, endpoints } = this.core.store.tables
      const isBefore = (number = 0): boolean => sent < number
      const isOld = isBefore(endpoints.slots.get(request.key)?.doubt)
      return isOld || [...tablesOf(request.endpoint.schema).keys()].some((key) => isBefore(tables.get(key)?.mutated))
        ? undefined
        : request
    }
    return undefined
  }

  private stopJoining(request: Request): void {
    if (this.joinable.get(request.name) === request) {
      this.joinable.delete(request.name)
    }
  }

  /** Passes its action to the managers. One that fails on an action it has let pass before stops nobody. */
  private dispatch(request: Request, isNew: boolean): void {
    Promise.resolve(this.core.views.controller!.dispatch(request.action)).catch(
      (error: unknown) => isNew && this.drop(request, error),
    )
  }

  /** Adds a caller. Its promise follows its own signals; the request goes on while it has a caller or reader. */
  private attend(request: Request, endpoint: EndpointInterface): Promise<any> {
    request.callers++
    return follow(request.action.meta.promise, endpoint, () => {
      request.callers--
      if (request.endpoint.sideEffect) {
        this.drop(request)
      } else {
        this.dropUnused(request.key)
      }
    })
  }

  /**
   * Stores a response that no open request is waiting for: `setResponse`, `setError`, or `resolve` with the data of a socket. It resolves
   * the open reads of its name, too. They go on while a reader wants them, since their own responses may contain more.
   */
  private respondFromElsewhere({ endpoint, args, response, error, meta }: SetResponseAction): void {
    const { core } = this
    const { sent, fetchedAt } = meta
    const call = callOf(endpoint, args)
    if (sent === undefined) {
      core.respond(call, response, error)
    } else if (sent >= core.store.resetAt) {
      core.respond(call, response, error, { sent, fetchedAt })
    }
    for (const request of this.open.values()) {
      const { resolve, reject, sent: mine } = request.action.meta
      // The response to an earlier request is no response to this one.
      if (request.name !== call.name || request.endpoint.sideEffect || sent! < mine) {
        continue
      }
      const { data } = core.reads.read(request.endpoint, request.args)
      core.store.subscriptions.after(() => (error ? reject(response) : resolve(data)))
      request.callers = 0
      this.stopJoining(request)
      core.views.release(request.key, request.endpoint)
    }
  }
}
