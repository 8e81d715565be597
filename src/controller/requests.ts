import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { firedOf, follow, reasonOf, withoutSignals } from '../endpoint/signals.ts'
import { START } from '../endpoint/start.ts'
import { type FetchAction, type FetchingMeta, nameOf, plainArgs, type SetResponseAction } from './actions.ts'
import { FETCH } from './actionTypes.ts'
import type { Controller } from './Controller.ts'
import type { Driver, DriverRequest } from './driver.ts'
import { refreshPages, type RefreshTools } from './refresh.ts'
import { ResetError } from './ResetError.ts'
import { tablesOf } from './tablesOf.ts'

/** A fetch whose promise has not settled, or whose answer is still awaited. */
export interface Request {
  readonly action: FetchAction
  /** The request's own key: pages of one list differ in it. */
  readonly name: string
  opened: DriverRequest
  readonly aborter: AbortController | undefined
  /** A manager has taken it. */
  started: boolean
  /** How many callers wait for its promise; readers do not count. */
  callers: number
  /** The request that its callers wait for, once this one was answered and did not count. */
  successor?: Request
  /** Its key was invalidated since it was sent. */
  overruled: boolean
  /** It failed and waits to be sent again: ends the waiting. */
  wake?: () => void
  /** The list itself has responded, and its pages are fetched again: ends that when the request is dropped. */
  abandon?: (reason: unknown) => void
  /** All pages of the list were fetched again. */
  isWhole?: boolean
  /** It fetches a page again: takes the response, which is stored together with that of the list. */
  collect?: ((action: SetResponseAction) => void) | undefined
}

/** All fetches of a store. Whatever managers do, each of their promises settles. */
export interface Requests {
  /** True after `stop`: nothing is sent, and what was sent is dropped soon. */
  readonly isStopped: boolean
  /**
   * Sends a request, or joins one that serves. The promise follows the signals of the endpoint. `auto`: the library fetches, so nobody
   * has to handle a failure, and signals are the business of the readers.
   */
  fetch(endpoint: EndpointInterface, args: readonly any[], auto?: boolean): Promise<any>
  /** The request that a fetch of these arguments would join. */
  running(endpoint: EndpointInterface, args: readonly any[]): Request | undefined
  get(id: string): Request | undefined
  all(): Request[]
  /** For who sends it: the request of an action, the first time it is asked for. */
  take(action: FetchAction): Request | undefined
  /** A read is sent again: what it brings is as new as that of any request sent now. */
  renew(request: Request): void
  /** Gives a request up: nothing of it is stored. Without an error it rejects with that of an abort. */
  drop(request: Request, error?: unknown): void
  /** Drops the reads of a key that no caller and no reader wants. */
  dropUnused(key: string): void
  abort(endpoint: EndpointInterface, args: readonly any[]): void
  /** The number of a request that began at a time, else the one the store had reached. */
  sentAt(endpoint: EndpointInterface, args: readonly any[], fetchedAt: number): number
  /** Stores an answer and settles who waits for it. */
  respond(action: SetResponseAction): void
  /** Requests of these keys serve nobody who asks from now on. */
  overrule(testKey: (key: string) => boolean): void
  /** Forgets everything; gives up what must not outlive that. */
  reset(): void
  start(): void
  stop(): void
  /** Waits, in store time; a stop ends the waiting. */
  wait(milliseconds: number): { readonly promise: Promise<void>; wake(): void }
}

export function createRequests(controller: Controller, driver: Driver): Requests {
  const { store } = driver
  const { subscriptions, clock } = store
  const requests = new Map<string, Request>()
  /** Of each name the read that a new reader may join. */
  const latest = new Map<string, Request>()
  const waiters = new Set<() => void>()
  let isStopped = false

  driver.store.onWrite = (slots) => {
    if (latest.size === 0) {
      return
    }
    const touched = new Set(slots.map(({ table }) => table.key))
    for (const [name, { action }] of latest) {
      if ([...tablesOf(action.endpoint.schema)].some((key) => touched.has(key))) {
        latest.delete(name)
      }
    }
  }

  const open = (given: EndpointInterface, args: readonly any[], name: string, auto: boolean | undefined): Request => {
    // Each caller aborts on its own account. A mutation has one caller.
    const endpoint = given.sideEffect ? given : withoutSignals(given)
    const plain = plainArgs(args)
    const opened = driver.open(endpoint, plain, false)
    const { id: requestId, sent, fetchedAt } = opened
    let resolve!: FetchingMeta['resolve'], reject!: FetchingMeta['reject']
    const promise = new Promise<any>((a, b) => {
      resolve = a
      reject = b
    })
    if (auto) {
      promise.catch(() => {})
    }
    const meta: FetchingMeta = { fetchedAt, sent, requestId, resolve, reject, promise, auto }
    const action = { type: FETCH, key: endpoint.key(...plain), args, endpoint, meta } as FetchAction
    // A signal is dear to make, and without START there is nobody to give it to.
    const aborter = endpoint[START] && typeof AbortController === 'function' ? new AbortController() : undefined
    const request: Request = {
      action,
      name,
      opened,
      aborter,
      started: false,
      callers: 0,
      overruled: false,
    }
    requests.set(requestId, request)
    store.onRequest?.(action.key, 1)
    if (!endpoint.sideEffect) {
      latest.set(name, request)
    }
    return request
  }

  const join = (endpoint: EndpointInterface, name: string): Request | undefined =>
    endpoint.sideEffect ? undefined : latest.get(name)

  const close = (request: Request): boolean => {
    if (latest.get(request.name) === request) {
      latest.delete(request.name)
    }
    const { key, meta } = request.action
    const isClosed = requests.delete(meta.requestId)
    if (isClosed) {
      store.onRequest?.(key, -1)
    }
    return isClosed
  }

  const drop = (request: Request, error?: unknown, aborts = true): void => {
    if (!close(request)) {
      return
    }
    const { aborter, opened, action } = request
    if (aborts) {
      aborter?.abort(error)
    }
    const reason = error ?? reasonOf(aborter?.signal ?? {})
    subscriptions.hold(() => {
      opened.drop()
      action.meta.reject(reason)
    })
    request.collect?.({ ...action, response: reason, error: true } as never)
    request.abandon?.(reason)
  }

  const dropUnused = (key: string): void => {
    if (controller.core.views.isWanted(key)) {
      return
    }
    for (const request of requests.values()) {
      const isUnused = request.action.key === key && request.callers === 0 && !request.collect
      if (isUnused && !request.action.endpoint.sideEffect) {
        drop(request)
      }
    }
  }

  /** One more caller, whose promise follows its own signals: the request goes on while anybody wants it. */
  const attend = (request: Request, endpoint: EndpointInterface): Promise<any> => {
    request.callers++
    return follow(request.action.meta.promise, endpoint, () => {
      let last = request
      while (last.successor) {
        last = last.successor
      }
      last.callers--
      const { key, endpoint: sent } = last.action
      if (sent.sideEffect) {
        drop(last)
      } else {
        dropUnused(key)
      }
    })
  }

  /** An answer to a request of ours. */
  const settle = (request: Request, { response, error, endpoint }: SetResponseAction): void => {
    close(request)
    const { action, opened } = request
    const { resolve, reject } = action.meta
    const next = request.overruled ? latest.get(request.name) : undefined
    let end!: () => void
    let refused: { readonly error: unknown } | undefined
    controller.core.views.heard(action.key, error && response, request.name !== action.key)
    subscriptions.hold(() => {
      try {
        if (error) {
          opened.fail(response)
        } else {
          opened.answer(response, request.isWhole)
        }
        const value = error ? undefined : opened.outcome()
        end = () => (error ? reject(response) : resolve(value))
      } catch (thrown) {
        refused = { error: thrown }
        end = () => reject(thrown)
      }
      // What follows from a mutation comes before anybody is told, so that a handler can leave the screen in time.
      if (endpoint.sideEffect) {
        end()
      }
    })
    if (!endpoint.sideEffect) {
      subscriptions.after(() => {
        controller.core.views.spare(action)
        if (next === undefined) {
          end()
        } else {
          next.callers += request.callers
          request.successor = next
          resolve(next.action.meta.promise)
        }
      })
    }
    if (refused) {
      throw refused.error
    }
  }

  /** An answer from elsewhere serves everybody who waits for one. */
  const serve = ({ endpoint, args, response, error, meta }: SetResponseAction): void => {
    const name = nameOf(endpoint, args)
    for (const request of requests.values()) {
      const { action } = request
      // One that was sent before theirs, and came twice, is no answer to theirs.
      if (request.name !== name || action.endpoint.sideEffect || meta.sent! < action.meta.sent) {
        continue
      }
      const { data } = driver.read(action.endpoint, action.args)
      subscriptions.after(() => (error ? action.meta.reject(response) : action.meta.resolve(data)))
      request.callers = 0
      // Its promise is spent: who asks from now on gets one of its own.
      if (latest.get(name) === request) {
        latest.delete(name)
      }
      controller.core.views.release(action)
    }
  }

  const tools: RefreshTools = {
    tables: store.tables,
    settle,
    drop,
    send(endpoint, args) {
      const request = open(endpoint, args, nameOf(endpoint, args), true)
      Promise.resolve(controller.dispatch(request.action)).catch((error: unknown) => drop(request, error))
      return request
    },
  }

  return {
    get isStopped() {
      return isStopped
    },
    fetch(endpoint, args, auto) {
      const fired = auto ? undefined : firedOf(endpoint)
      if (fired) {
        return Promise.reject(reasonOf(fired))
      }
      const name = nameOf(endpoint, args)
      const running = join(endpoint, name)
      const request = running ?? open(endpoint, args, name, auto)
      const { action } = request
      const promise = auto ? action.meta.promise : attend(request, endpoint)
      if (!auto) {
        controller.core.views.renew(action.key)
      }
      if (isStopped) {
        drop(request, new ResetError())
      }
      const onError = (error: unknown): void => {
        // A manager that fails on an action it has let pass before stops nobody.
        if (!running) {
          drop(request, error)
        }
      }
      Promise.resolve(controller.dispatch(action)).catch(onError)
      return promise
    },
    running: (endpoint, args) => join(endpoint, nameOf(endpoint, args)),
    get: (id) => requests.get(id),
    all: () => [...requests.values()],
    take(action) {
      const { meta, endpoint, args } = action
      let request = requests.get(meta.requestId)
      if (request === undefined) {
        // It was made by hand.
        const fired = firedOf(endpoint)
        if (fired) {
          meta.reject(reasonOf(fired))
          return undefined
        }
        const name = nameOf(endpoint, args)
        request = join(endpoint, name) ?? open(endpoint, args, name, true)
        attend(request, endpoint).then(meta.resolve, meta.reject)
      }
      if (request.started) {
        return undefined
      }
      request.started = true
      return request
    },
    renew(request) {
      const { endpoint, args, meta } = request.action
      if (endpoint.sideEffect) {
        return
      }
      request.opened.drop()
      const { sent, fetchedAt } = (request.opened = driver.open(endpoint, plainArgs(args), !meta.auto))
      Object.assign(meta, { sent, fetchedAt })
    },
    drop,
    dropUnused,
    abort(endpoint, args) {
      const name = nameOf(endpoint, args)
      for (const request of requests.values()) {
        if (request.name === name) {
          drop(request)
        }
      }
    },
    sentAt(endpoint, args, fetchedAt) {
      const name = nameOf(endpoint, args)
      for (const request of requests.values()) {
        const { fetchedAt: at, sent } = request.action.meta
        if (request.name === name && at === fetchedAt) {
          return sent
        }
      }
      return store.numberAt(fetchedAt)
    },
    respond(action) {
      const { endpoint, args, response, error } = action
      const { sent, fetchedAt } = action.meta
      const name = nameOf(endpoint, args)
      for (const request of requests.values()) {
        if (request.name !== name || request.action.meta.sent !== sent) {
          continue
        }
        if (request.collect) {
          return request.collect(action)
        }
        // The same response twice is one.
        const isGathering =
          request.abandon !== undefined || (!error && !request.overruled && refreshPages(tools, request, action))
        return isGathering ? undefined : settle(request, action)
      }
      store.onRequest?.(action.key, 0)
      if (sent !== undefined) {
        driver.resolve(endpoint, { args, response, fetchedAt, sent, error })
      } else {
        driver[error ? 'setError' : 'setResponse'](endpoint, args, response)
      }
      serve(action)
    },
    overrule(testKey) {
      for (const request of requests.values()) {
        if (testKey(request.action.key)) {
          request.overruled = true
          if (latest.get(request.name) === request) {
            latest.delete(request.name)
          }
        }
      }
    },
    reset() {
      const old = [...requests.values()]
      latest.clear()
      driver.reset()
      // A mutation under way may be the sign-out itself: it settles with what the server says.
      for (const request of old) {
        if (!request.started || !request.action.endpoint.sideEffect) {
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
      // Strict Mode starts again at once.
      clock.setTimeout(() => {
        if (!isStopped) {
          return
        }
        // What the user wanted to be changed goes on to the server.
        for (const request of requests.values()) {
          drop(request, new ResetError(), !request.action.endpoint.sideEffect)
        }
        for (const wake of waiters) {
          wake()
        }
      }, 0)
    },
    wait(milliseconds) {
      let resolve!: () => void
      const promise = new Promise<void>((done) => {
        resolve = done
      })
      const wake = (): void => {
        waiters.delete(wake)
        clock.clearTimeout(timer)
        resolve()
      }
      const timer = clock.setTimeout(wake, milliseconds)
      waiters.add(wake)
      return { promise, wake }
    },
  }
}
