import { deferred } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { checkExpiry } from '../advice/fetched.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { follow, reasonOf, signalsOf, withoutSignals } from '../endpoint/signals.ts'
import { START } from '../endpoint/start.ts'
import type { ListPage } from '../lists/List.ts'
import { FIRST } from '../lists/pages.ts'
import { isPage } from '../rest/paginate.ts'
import { isEntity } from '../schema/Schema.ts'
import { type Call, callOf, type FetchAction, type FetchingMeta } from './actions.ts'
import { FETCH } from './actionTypes.ts'
import { applyError, applyResponse, applyUnknown } from './applyResponse.ts'
import { collect } from './collect.ts'
import type { Resolved } from './Controller.ts'
import type { Core } from './Core.ts'
import { deletesOf } from '../normalize/lostDeletes.ts'
import { listRow, pagesOf } from './listPages.ts'
import { checkOptimistic, createOperation } from './pending.ts'
import { outcomeOf } from './read.ts'
import { ResetError } from './ResetError.ts'
import { refreshPages } from './refreshPages.ts'
import { isInvalidated, type Request, type Result } from './Result.ts'

/** All fetches of a store. Each of their promises settles, even if a manager fails. */
export class Requests {
  /** The open requests, by id. */
  readonly open: Map<string, Request> = new Map()
  /** Reads without callers and readers are aborted. */
  abortsUnused = true
  /** True after `stop`: nothing is sent, and open requests are dropped soon. */
  isStopped = false
  private readonly core: Core
  private count = 0
  /** The number at which the last mutation ended: nobody joins a read that was sent before. */
  private fence = 0
  private readonly released = new Set<Result>()

  constructor(core: Core) {
    this.core = core
  }

  /**
   * Sends a request, or joins one that serves. The promise follows the signals of the endpoint; the request goes on while it has a
   * caller or reader. `auto`: the library fetches, so nobody has to handle a failure, and signals are the business of the readers.
   */
  fetch(endpoint: EndpointInterface, args: readonly any[], auto?: boolean): Promise<any> {
    const signals = auto ? [] : signalsOf(endpoint)
    const fired = signals.find(({ aborted }) => aborted)
    if (fired) {
      return Promise.reject(reasonOf(fired))
    }
    const call = callOf(endpoint, args)
    const result = this.core.result(call.key)
    const running = this.running(call)
    if (!auto && !running && endpoint.getOptimisticResponse) {
      checkOptimistic(this.core, call)
    }
    const request = running ?? this.begin(call, auto)
    let { promise } = request.action.meta
    if (!auto) {
      result.asked = 0
      request.callers++
      if (signals.length > 0) {
        promise = follow(promise, signals, () => {
          request.callers--
          if (endpoint.sideEffect) {
            this.drop(request)
          } else {
            this.dropUnused(result)
          }
        })
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
    const { doubt, requests } = this.core.result(key)
    const oldest = Math.max(doubt.at, this.fence)
    return [...requests].find(
      (one) => one.name === name && isShared(one) && !one.pages && one.action.meta.sent > oldest,
    )
  }

  /** Opens a request: it takes its number. `auto`: the library fetches. `list`: it is a page that is fetched again with it. `pages`: it is a list of which only these are. */
  begin(call: Call, auto?: boolean, list?: Request, pages?: ReadonlySet<string>): Request {
    // Each caller of a read aborts on its own. A mutation has one caller.
    const endpoint = call.endpoint.sideEffect ? call.endpoint : withoutSignals(call.endpoint)
    if (DEV) {
      checkExpiry(endpoint)
    }
    const { store } = this.core
    const id = `${++this.count}`
    const { promise, resolve, reject } = deferred()
    if (auto) {
      promise.catch(() => {})
    }
    const { args, plain, key, name } = call
    const fetchedAt = store.clock.now()
    const meta: FetchingMeta = { fetchedAt, sent: ++store.reached, requestId: id, resolve, reject, promise, auto }
    const action = { type: FETCH, key, args, endpoint, meta } as FetchAction
    const result = this.core.result(key)
    const deletes = endpoint.sideEffect ? deletesOf(store.tables, endpoint.schema, plain) : undefined
    const request: Request = { endpoint, args, plain, key, name, id, action, result, callers: 0, list, pages, deletes }
    // A signal is costly to create, and without START nobody can use it.
    if (endpoint[START] && globalThis.AbortController) {
      request.aborter = new AbortController()
    }
    this.open.set(id, request)
    result.requests.add(request)
    store.onRequest?.(key, 1)
    return request
  }

  /** Fetches pages of a list that are in doubt: the others stay. */
  refetchPages(call: Call, pages: ReadonlySet<string>): Promise<any> {
    const request = this.begin(call, true, undefined, pages)
    if (this.isStopped) {
      this.drop(request, new ResetError())
    } else if (pages.has(FIRST)) {
      this.dispatch(request, true)
    } else {
      request.started = true
      refreshPages(this, request).catch(() => {})
    }
    return request.action.meta.promise
  }

  /** Passes its action to the managers. One that fails on an action it has let pass before stops nobody. */
  dispatch(request: Request, isNew: boolean): void {
    Promise.resolve(this.core.controller!.dispatch(request.action)).catch(
      (error: unknown) => isNew && this.drop(request, error),
    )
  }

  /** The open request that a response belongs to: by its id, or by when it began. */
  find(endpoint: EndpointInterface, { args, requestId, fetchedAt }: Omit<Resolved, 'response'>): Request | undefined {
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
    if (request === undefined || request.started) {
      return undefined
    }
    request.started = true
    return request
  }

  /** Shows the optimistic operation of a request, if it has one. */
  show(id: string): void {
    const { store } = this.core
    const request = this.open.get(id)
    if (request?.endpoint.getOptimisticResponse && !request.operation && this.isWanted(request)) {
      request.operation = createOperation(store, request)
      store.addOperation(request.operation)
      this.core.end(true)
    }
  }

  /** A response has arrived. Returns true if it is not to be stored yet: the pages of its list are fetched again. */
  isHeld(request: Request, response: unknown, isError?: boolean): boolean {
    // The response of a page does not say that its list may be fetched again.
    if (!isError && request.name === request.key) {
      request.result.retryAt = 0
    }
    const { sideEffect, schema } = request.endpoint
    const hasPages = !sideEffect && !isEntity(schema) && this.olderPages(request).length > 0
    if (!request.arrive && !isError && hasPages && !isInvalidated(request)) {
      // The same response twice is one.
      request.arrive = () => {}
      // A response that is refused has rejected the promise of its request.
      refreshPages(this, request, { response }).catch(() => {})
    } else {
      request.arrive?.(response, isError)
    }
    return request.arrive !== undefined
  }

  /** The loaded pages of a list to fetch again with it. Those that were requested later are as new as its response. */
  olderPages(list: Request): readonly ListPage[] {
    const { endpoint, args, action } = list
    const pages = isPage(endpoint) ? [] : pagesOf(this.core.store.tables, endpoint, args)
    return pages.filter(({ id, sent }) => sent < action.meta.sent && list.pages?.has(id) !== false)
  }

  /** Stores a response, or a failure, and settles the promise of its request. Throws the error of a response that is refused. */
  settle(request: Request, response: any, isError?: boolean): void {
    const { core } = this
    const { store } = core
    const { endpoint, hasAllPages, pages, result: row, operation } = request
    const { resolve, reject } = request.action.meta
    const notify = store.notifier.hold()
    let finish = isError ? reject : resolve
    let outcome: unknown = response
    this.close(request)
    if (!isError && isWrite(request)) {
      this.fence = store.reached
    }
    try {
      if (this.isWanted(request)) {
        if (isError) {
          // A list that has responded stays if one of its pages fails.
          applyError(store, request, response, request.action.meta, false, request.arrive !== undefined)
          if (!isRejectedByServer(response)) {
            this.lose(request)
          }
        } else {
          const options = { hasAllPages, keepsPages: pages !== undefined, issuedOver: operation?.issuedOver }
          const result = applyResponse(store, request, response, request.action.meta, options)
          core.end()
          try {
            outcome = outcomeOf(core, request, response, result)
          } catch (error) {
            // It is stored, and cannot be read, for example because a converter of the app fails.
            finish = reject
            outcome = error
          }
        }
      }
    } catch (error) {
      finish = reject
      outcome = error
      throw error
    } finally {
      core.end()
      // The handler of a mutation may leave the screen before its readers are notified: they would fetch a deleted record.
      if (endpoint.sideEffect) {
        finish(outcome)
      }
      notify()
      store.notifier.after(() => {
        // Only the caller gets a value that is not kept. One that a reader shows is collected later.
        if (endpoint.dataExpiryLength === 0 && !endpoint.schema && !row.isRead) {
          core.change(() => collect(store, { entities: [], endpoints: [row.pk] }))
        }
        finish(outcome)
      })
    }
  }

  /** The pages in doubt of a list have been fetched again. */
  settlePages(list: Request): void {
    const { store, reads } = this.core
    const { endpoint, args, result, action } = list
    const { sent, resolve } = action.meta
    const row = listRow(store.tables, endpoint, args)
    this.close(list)
    if (row && this.isWanted(list)) {
      this.core.change(() => store.settlePages(row, result, sent))
    }
    store.notifier.after(() => resolve(reads.read(endpoint, args).data))
  }

  /** Aborts a request: nothing of it is stored. Without an error it rejects with that of an abort. */
  drop(request: Request, error?: unknown, aborts = true): void {
    const { core } = this
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
    const notify = core.store.notifier.hold()
    if (this.isWanted(request)) {
      this.lose(request)
    }
    core.end()
    action.meta.reject(reason)
    notify()
    if (list) {
      this.drop(list, reason)
    }
  }

  /** Drops the reads of a key that no caller and no reader wants. */
  dropUnused({ requests, isWanted }: Result, error?: unknown): void {
    for (const request of requests) {
      if (!isWanted && request.callers === 0 && isShared(request)) {
        this.drop(request, error)
      }
    }
  }

  /** A reader or caller no longer needs a key: soon its requests are dropped if nobody else does. */
  release(result: Result): void {
    const { released, core } = this
    // A page that unmounts releases everything at once, and one timer serves all.
    if (released.size === 0) {
      core.store.clock.setTimeout(() => {
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
    return [...this.open.values()].some(isWrite)
  }

  /** Resets the store and drops open requests, except mutations that were sent. */
  reset(): void {
    const { core } = this
    const old = [...this.open.values()]
    for (const result of core.results) {
      result.retryAt = 0
    }
    core.change(() => core.store.reset())
    // A mutation in flight may be the sign-out itself: it settles with the response.
    for (const request of old) {
      if (!request.started || !request.endpoint.sideEffect) {
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
    this.core.store.clock.setTimeout(() => {
      if (this.isStopped) {
        // A mutation still goes to the server.
        this.open.forEach((request) => this.drop(request, new ResetError(), !request.endpoint.sideEffect))
        this.core.results.flatMap(({ views }) => views).forEach(({ wake }) => wake?.())
      }
    }, 0)
  }

  /** The open requests of a call. The pages of a list have the key of the list. */
  private of({ name, key }: Call): Request[] {
    return [...this.core.result(key).requests].filter((request) => request.name === name)
  }

  /** The store was not reset since it was sent. */
  private isWanted({ action }: Request): boolean {
    return action.meta.sent > this.core.store.resetAt
  }

  /** A request has ended. */
  private close(request: Request): void {
    const { mounted, store } = this.core
    if (request.operation) {
      store.removeOperation(request.operation)
    }
    request.result.requests.delete(request)
    if (this.open.delete(request.id)) {
      store.onRequest?.(request.key, -1)
      if (request.endpoint.sideEffect) {
        mounted.forEach(({ active, result, wake }) => {
          // Only refetches that events cause come at growing intervals.
          if (active > 0) {
            result.asked = 0
          }
          wake?.()
        })
      }
    }
  }

  /** A mutation without a response may have been done all the same. */
  private lose(request: Request): void {
    if (!request.isUnsent && isWrite(request)) {
      this.fence = this.core.store.reached
      applyUnknown(this.core.store, request, request.action.meta, request.deletes)
    }
  }
}

/** True for a read that others may join. Pages that are fetched again with their list go with that. */
function isShared(request: Request): boolean {
  return !request.endpoint.sideEffect && !request.list
}

/** True for a mutation that writes records. */
function isWrite({ endpoint: { sideEffect, schema } }: Request): boolean {
  return sideEffect === true && !!schema
}

/** True for an error by which the server says that it did not do the mutation: a status from 400 to 499. */
function isRejectedByServer(error: unknown): boolean {
  const { status = 0, refused } = Object(error) as { status?: number; refused?: boolean }
  return status >= 400 && status < 500 && !refused
}
