import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, reasonOf, withoutSignals } from '../endpoint/signals.ts'
import { START } from '../endpoint/start.ts'
import { type Call, callOf, type FetchAction, type SetResponseAction } from './actions.ts'
import type { Attempts } from './attempts.ts'
import type { Controller } from './Controller.ts'
import type { Driver } from './driver.ts'
import type { Request } from './Request.ts'
import { respondFromElsewhere } from './elsewhere.ts'
import { refreshPages, type RefreshTools } from './listPages.ts'
import { ResetError } from './ResetError.ts'
import { tablesOf } from './tablesOf.ts'
import { createTimers, type Timers } from './timers.ts'

/** Notified about requests: the views of a store. */
export interface RequestListener extends Pick<Attempts, 'resetTries' | 'onResponse'> {
  /** True while a reader whose signal has not fired reads a key, or is about to. */
  isWanted(key: string): boolean
  /** A response was stored, and readers are notified. Values that are not kept are removed, unless a reader shows them. */
  onStored(call: Pick<Call, 'key' | 'endpoint'>): void
  /** A reader or caller no longer needs a request: soon it is dropped if nobody else does. */
  release(call: Pick<Call, 'key' | 'endpoint'>): void
}

/** All fetches of a store. Each of their promises settles, even if a manager fails. */
export interface Requests extends Pick<Timers, 'wait'> {
  /** Sets the listener. */
  listen(listener: RequestListener): void
  /** True after `stop`: nothing is sent, and open requests are dropped soon. */
  readonly isStopped: boolean
  /**
   * Sends a request, or joins one that serves. The promise follows the signals of the endpoint. `auto`: the library fetches, so nobody
   * has to handle a failure, and signals are the business of the readers.
   */
  fetch(endpoint: EndpointInterface, args: readonly any[], auto?: boolean): Promise<any>
  /** The request that a fetch of these arguments would join. */
  running(endpoint: EndpointInterface, args: readonly any[]): Request | undefined
  /** The open requests, by id. */
  readonly open: ReadonlyMap<string, Request>
  /** For the manager that sends it: the request of an action, the first time. */
  take(action: FetchAction): Request | undefined
  /** Aborts a request: nothing of it is stored. Without an error it rejects with that of an abort. */
  drop(request: Request, error?: unknown): void
  /** Drops the reads of a key that no caller and no reader wants. */
  dropUnused(key: string): void
  abort(endpoint: EndpointInterface, args: readonly any[]): void
  /** Stores a response, of an open request or from elsewhere, and settles promises. */
  respond(action: SetResponseAction): void
  /** These keys were invalidated: the open requests for them are outdated, and nobody joins them. */
  outdate(testKey: (key: string) => boolean): void
  /** Resets the store and drops open requests, except mutations that were sent. */
  reset(): void
  start(): void
  /** Rejects everything that waits, unless `start` follows at once. */
  stop(): void
}

export function createRequests(controller: Controller, driver: Driver): Requests {
  const { store } = driver
  const { subscriptions, clock } = store
  const requests = driver.openRequests
  /** The reads that a new caller may join, by name. A mutation is never shared. */
  const joinable = new Map<string, Request>()
  const timers = createTimers(clock)
  let isStopped = false
  let listener!: RequestListener

  const stopJoining = (request: Request): void => {
    if (joinable.get(request.name) === request) {
      joinable.delete(request.name)
    }
  }

  // Reads that were sent before a mutation may return the old rows.
  store.onWrite = (slots) => {
    const written = new Set(slots.map(({ key }) => key))
    for (const [name, { endpoint }] of joinable) {
      if ([...tablesOf(endpoint.schema)].some((key) => written.has(key))) {
        joinable.delete(name)
      }
    }
  }

  const open = (call: Call, auto?: boolean): Request => {
    // Each caller of a read aborts on its own. A mutation has one caller.
    const endpoint = call.endpoint.sideEffect ? call.endpoint : withoutSignals(call.endpoint)
    const request = driver.openCall({ ...call, endpoint }, auto)
    // A signal is costly to create, and without START nobody can use it.
    if (endpoint[START] && globalThis.AbortController) {
      request.aborter = new AbortController()
    }
    store.onRequest?.(request.key, 1)
    if (!endpoint.sideEffect) {
      joinable.set(request.name, request)
    }
    return request
  }

  const close = (request: Request): boolean => {
    stopJoining(request)
    const isClosed = requests.delete(request.id)
    if (isClosed) {
      store.onRequest?.(request.key, -1)
    }
    return isClosed
  }

  const drop = (request: Request, error?: unknown, aborts = true): void => {
    if (!close(request)) {
      return
    }
    const { aborter, action } = request
    if (aborts) {
      aborter?.abort(error)
    }
    const reason = error ?? reasonOf(aborter?.signal ?? {})
    const notify = subscriptions.hold()
    request.drop()
    action.meta.reject(reason)
    notify()
    request.refresh?.onDrop(request, reason)
  }

  /** Passes its action to the managers. One that fails on an action it has let pass before stops nobody. */
  const dispatch = (request: Request, isNew: boolean): void => {
    Promise.resolve(controller.dispatch(request.action)).catch((error: unknown) => isNew && drop(request, error))
  }

  const dropUnused = (key: string): void => {
    if (listener.isWanted(key)) {
      return
    }
    for (const request of requests.values()) {
      const isUnused = request.key === key && request.callers === 0 && !request.refresh?.isPage(request)
      if (isUnused && !request.endpoint.sideEffect) {
        drop(request)
      }
    }
  }

  /** Adds a caller. Its promise follows its own signals; the request goes on while it has a caller or reader. */
  const attend = (request: Request, endpoint: EndpointInterface): Promise<any> => {
    request.callers++
    return follow(request.action.meta.promise, endpoint, () => {
      let last = request
      while (last.successor) {
        last = last.successor
      }
      last.callers--
      if (last.endpoint.sideEffect) {
        drop(last)
      } else {
        dropUnused(last.key)
      }
    })
  }

  /** Stores a response and settles the promise of its request. Throws the error of a response that is refused. */
  const settle = (request: Request, { response, error }: SetResponseAction): void => {
    const { resolve, reject } = request.action.meta
    close(request)
    // The response of an outdated read does not count: its callers get that of the request that was sent since.
    const successor = request.isOutdated ? joinable.get(request.name) : undefined
    const notify = subscriptions.hold()
    let end = (): void => reject(response)
    let refused: { readonly error: unknown } | undefined
    try {
      if (error) {
        request.fail(response)
      } else {
        request.answer(response)
        const value = request.outcome()
        end = () => resolve(value)
      }
    } catch (thrown) {
      end = () => reject(thrown)
      refused = { error: thrown }
    }
    if (request.endpoint.sideEffect) {
      // The handler of a mutation may leave the screen before its readers are notified: they would fetch a deleted record.
      end()
      notify()
      listener.onStored(request)
    } else {
      notify()
      subscriptions.after(() => {
        listener.onStored(request)
        if (successor === undefined) {
          return end()
        }
        successor.callers += request.callers
        request.successor = successor
        resolve(successor.action.meta.promise)
      })
    }
    if (refused) {
      throw refused.error
    }
  }

  const tools: RefreshTools = {
    tables: store.tables,
    settle,
    drop,
    send(endpoint, args) {
      const request = open(callOf(endpoint, args), true)
      dispatch(request, true)
      return request
    },
  }

  return {
    get isStopped() {
      return isStopped
    },
    listen(given) {
      listener = given
    },
    fetch(endpoint, args, auto) {
      const fired = auto ? undefined : firedOf(endpoint)
      if (fired) {
        return Promise.reject(reasonOf(fired))
      }
      const call = callOf(endpoint, args)
      const running = joinable.get(call.name)
      const request = running ?? open(call, auto)
      const promise = auto ? request.action.meta.promise : attend(request, endpoint)
      if (!auto) {
        listener.resetTries(call.key)
      }
      if (isStopped) {
        drop(request, new ResetError())
      }
      dispatch(request, !running)
      return promise
    },
    running: (endpoint, args) => joinable.get(callOf(endpoint, args).name),
    open: requests,
    take(action) {
      const { meta, endpoint, args } = action
      let request = requests.get(meta.requestId)
      if (request === undefined) {
        // The app created the action.
        const fired = firedOf(endpoint)
        if (fired) {
          meta.reject(reasonOf(fired))
          return undefined
        }
        const call = callOf(endpoint, args)
        request = joinable.get(call.name) ?? open(call, true)
        attend(request, endpoint).then(meta.resolve, meta.reject)
      }
      if (request.started) {
        return undefined
      }
      request.started = true
      return request
    },
    drop,
    dropUnused,
    abort(endpoint, args) {
      const { name } = callOf(endpoint, args)
      for (const request of requests.values()) {
        if (request.name === name) {
          drop(request)
        }
      }
    },
    respond(action) {
      const { endpoint, args, meta } = action
      const request = meta.sent === undefined ? undefined : driver.find(endpoint, { ...meta, args })
      if (request === undefined) {
        store.onRequest?.(action.key, 0)
        return respondFromElsewhere(driver, action, (read) => {
          read.callers = 0
          stopJoining(read)
          listener.release(read)
        })
      }
      // A page shares the key of its list, and has a name of its own. The response of a list may be stored much later, with its pages.
      listener.onResponse(request.key, action.error && action.response, request.name !== request.key)
      if (request.refresh) {
        return request.refresh.onResponse(request, action)
      }
      const isRefreshed = !action.error && !request.isOutdated && refreshPages(tools, request, action)
      return isRefreshed ? undefined : settle(request, action)
    },
    outdate(testKey) {
      for (const request of requests.values()) {
        if (testKey(request.key)) {
          request.isOutdated = true
          stopJoining(request)
        }
      }
    },
    reset() {
      const old = [...requests.values()]
      joinable.clear()
      driver.reset()
      // A mutation in flight may be the sign-out itself: it settles with the response.
      for (const request of old) {
        if (!request.started || !request.endpoint.sideEffect) {
          drop(request, new ResetError())
        } else {
          request.wake?.()
        }
      }
    },
    start() {
      isStopped = false
    },
    stop() {
      isStopped = true
      // Strict Mode stops and starts.
      clock.setTimeout(() => {
        if (!isStopped) {
          return
        }
        // A mutation still goes to the server.
        for (const request of requests.values()) {
          drop(request, new ResetError(), !request.endpoint.sideEffect)
        }
        timers.wakeAll()
      }, 0)
    },
    wait: timers.wait,
  }
}
