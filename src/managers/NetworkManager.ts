import { DEV } from '../base/env.ts'
import type { FetchAction } from '../requests/actions.ts'
import { FETCH } from '../requests/actionTypes.ts'
import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import { asError } from '../base/errors.ts'
import { checkExpiry } from '../advice/fetched.ts'
import type { Request } from '../requests/Request.ts'
import { observerOf } from '../explain/observers.ts'
import { isAborted, ResetError } from '../requests/ResetError.ts'
import type { Retry, RetryDelay, UnknownError } from '../endpoint/EndpointOptions.ts'
import { START } from '../endpoint/start.ts'
import { DEFAULT_EXPIRY } from '../store/Store.ts'
import type { Manager } from './Manager.ts'
import { retryLater } from './retryLater.ts'

/** Options of a NetworkManager. */
export interface NetworkManagerOptions {
  /** Milliseconds for which data is fresh, for endpoints that do not say. */
  readonly dataExpiryLength?: number | undefined
  /** Milliseconds for which an error stands, for endpoints that do not say. */
  readonly errorExpiryLength?: number | undefined
  /** Milliseconds after which a request is aborted, for endpoints that set none. */
  readonly timeout?: number | undefined
  /** `false` lets reads run to completion although they have no consumer any more. */
  readonly abortUnused?: boolean | undefined
  /** How often failed reads are sent again, for endpoints that do not say. */
  readonly retry?: Retry | undefined
  /** Milliseconds before the first retry, for endpoints that do not say; by default 1,000. */
  readonly retryDelay?: RetryDelay | undefined
}

/**
 * Sends requests: one at a time for each read, each mutation at once.
 *
 * @example
 * createStore({ managers: getDefaultManagers({ networkManager: { timeout: 10_000 } }) })
 * @see docs/api/NetworkManager.md
 */
export class NetworkManager implements Manager {
  declare readonly options: NetworkManagerOptions
  /** Milliseconds for which data is fresh, for endpoints that do not say. */
  declare dataExpiryLength: number
  /** Milliseconds for which an error stands, for endpoints that do not say. */
  declare errorExpiryLength: number
  declare protected controller: Controller | undefined

  constructor(options: NetworkManagerOptions = {}) {
    if (DEV) {
      checkExpiry(options)
    }
    const { dataExpiryLength, errorExpiryLength } = DEFAULT_EXPIRY
    this.options = options
    this.dataExpiryLength = options.dataExpiryLength ?? dataExpiryLength
    this.errorExpiryLength = options.errorExpiryLength ?? errorExpiryLength
  }

  readonly middleware: Middleware = (controller) => {
    const { store, requests } = (this.controller = controller).core
    const { defaults } = store
    defaults.dataExpiryLength = this.dataExpiryLength
    defaults.errorExpiryLength = this.errorExpiryLength
    requests.abortsUnused = this.options.abortUnused ?? true

    return (next) => (action) => {
      if (action.type !== FETCH) {
        return next(action)
      }
      const request = requests.take(action)
      if (request === undefined) {
        return Promise.resolve()
      }
      const { endpoint, meta } = request.action
      const send = (): void => this.send(controller, request)
      // A mutation is sent first, because arguments that are refused must not be shown.
      if (endpoint.sideEffect) {
        send()
      }
      const isShown = endpoint.getOptimisticResponse && !(endpoint.sideEffect ? request.isUnsent : meta.auto)
      const shown = isShown ? next(request.action) : Promise.resolve()
      if (!endpoint.sideEffect) {
        this.idleCallback(send, { timeout: 500 })
      }
      return shown
    }
  }

  init(): void {
    if (this.controller) {
      this.controller.core.requests.isStopped = false
    }
  }

  /** Pending promises reject soon afterwards, unless `init` runs first. */
  cleanup(): void {
    this.controller?.core.requests.stop()
  }

  /** A promise for all requests in flight, or `undefined` if there are none. */
  allSettled(): Promise<unknown> | undefined {
    const all = [...(this.controller?.core.requests.open.values() ?? [])]
    return all.length > 0 ? Promise.allSettled(all.map(({ action }) => action.meta.promise)) : undefined
  }

  /** True for actions without news: a request that is already in flight. */
  skipLogging(action: { readonly type: string; readonly meta?: any }): boolean {
    const { requestId } = (action as FetchAction).meta ?? {}
    const { state = 'open' } = this.controller?.core.requests.open.get(requestId) ?? {}
    return action.type === FETCH && state !== 'open'
  }

  /** Schedules reads; here they are sent at once. */
  protected idleCallback(send: () => void, _options: { timeout: number }): void {
    send()
  }

  private send(controller: Controller, request: Request): void {
    const { core, clock, random } = controller
    const { requests } = core
    const { endpoint, args, meta } = request.action
    const settle = (response: unknown, error = false): void => {
      if (!error) {
        requests.budget.succeed(request.key)
      }
      if (!requests.open.has(request.id)) {
        return
      }
      if (requests.isStopped) {
        return requests.drop(request, new ResetError())
      }
      const { fetchedAt, requestId } = meta
      // The promise of the request settles even if a manager throws.
      controller.resolve(endpoint, { args, response, fetchedAt, error, requestId }).catch((thrown: unknown) => {
        requests.drop(request, thrown)
      })
    }
    const onError = (thrown: unknown): void => {
      const error = asError(thrown)
      if (!requests.open.has(request.id)) {
        return
      }
      if (isAborted(error)) {
        return requests.drop(request, error)
      }
      const giveUp = (): void => settle(error, true)
      const again = (): void => {
        request.move('resume')
        this.send(controller, request)
      }
      retryLater(controller, request, error as UnknownError, this.options, again, giveUp)
    }
    if (!requests.open.has(request.id)) {
      return
    }
    const { timeout } = this.options
    const onUnsent = request.attempt(clock.now())
    const options = {
      signal: request.aborter?.signal,
      timeout,
      clock,
      onUnsent,
      onResponse: (response: Response) => core.onResponse?.(request, response),
      controller,
      stored: meta.promise,
    }
    const run = (by = endpoint): unknown => {
      if (meta.auto || request.tries > 0) {
        requests.budget.send(request.key, clock.now(), random)
      }
      return by[START] ? by[START](args as any[], options) : by(...args)
    }
    const observer = observerOf(controller)
    new Promise((done) => done(observer ? observer.send(request, run) : run())).then(settle, onError)
  }
}
