import { observeStore } from '#explain'
import type { Clock } from '../base/clock.ts'
import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'
import type { Dispatch } from '../requests/actions.ts'
import {
  Controller as BaseController,
  type ControllerOptions,
  type Fetched,
  type Known,
} from '../controller/Controller.ts'
import type { GCInterface } from '../controller/GCInterface.ts'
import type { View, ViewChange } from '../views/View.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { GCPolicy } from '../managers/GCPolicy.ts'
import type { Manager } from '../managers/Manager.ts'
import type { Persisted } from '../controller/Persisted.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import type { State } from '../store/stateShape.ts'
import { checkSpread, type Spread } from '../requests/spread.ts'
import { report } from '../base/report.ts'
import { getDefaultManagers } from './getDefaultManagers.ts'

/** Options of a store. */
export interface StoreOptions {
  readonly managers?: readonly Manager[] | undefined
  readonly gcPolicy?: GCInterface | undefined
  readonly initialState?: State | undefined
  readonly Controller?: (new (options: ControllerOptions) => BaseController) | undefined
  readonly clock?: Clock | undefined
  readonly random?: (() => number) | undefined
  /** Milliseconds within which requests are sent, at random, that have a cause outside this client; by default 2,000. */
  readonly spread?: Spread | undefined
  /** `false` leaves the managers waiting for `start()`. */
  readonly start?: boolean | undefined
}

/** The arguments of a view. */
export type ViewArgs<T> = T extends EndpointInterface
  ? readonly [...Parameters<T>] | readonly [null]
  : readonly [...SchemaArgs<T>] | readonly [null]

/** The data of a view. */
export type ViewData<T> = T extends EndpointInterface ? Known<T> : DenormalizeNullable<T> | undefined

/** The resolved value of a view's `promise()`. */
export type ViewResult<T> = T extends EndpointInterface ? Fetched<T> : DenormalizeNullable<T> | undefined

/** The library without a UI framework. */
export interface Store {
  readonly controller: BaseController
  /** The database of a store with `persist`. */
  readonly persisted: Persisted | undefined
  /** The committed state; the same object until the next commit. */
  getState(): State
  /** A view of an endpoint or a schema; the same View for equal arguments. */
  view<T extends EndpointInterface | Queryable>(target: T, ...args: ViewArgs<T>): View<ViewData<T>, ViewResult<T>>
  /** Short for `view(target, ...args).subscribe(listener)`. */
  subscribe<T extends EndpointInterface | Queryable>(
    target: T,
    args: ViewArgs<T>,
    listener: (change: ViewChange) => void,
  ): () => void
  /** Starts the managers. A store that runs already goes on. */
  start(): void
  /** Stops the managers; what waits for a request is rejected, unless `start()` follows at once. */
  stop(): void
}

/**
 * The running store of each manager. A provider that unmounts stops its store a little later: by then the provider in its
 * place may have started the same managers for another store.
 */
const serving = /* @__PURE__ */ new WeakMap<object, Store>()

/**
 * Makes a store, for Node, workers, tests and bindings to frameworks.
 *
 * @example
 * const store = createStore()
 * const user = await store.controller.fetch(getUser, { id: 5 })
 * store.stop()
 * @see docs/api/createStore.md
 */
export function createStore({
  managers = getDefaultManagers(),
  gcPolicy = new GCPolicy(),
  initialState,
  Controller = BaseController,
  clock,
  random,
  spread,
  start: starts = true,
}: StoreOptions = {}): Store {
  const controller = new Controller({ gcPolicy, clock, random })
  const { core } = controller
  const { requests } = core
  checkSpread((core.spread = spread), 'createStore')
  if (initialState !== undefined) {
    core.restore(initialState)
  }
  if (DEV && !managers.some((manager) => manager instanceof NetworkManager)) {
    warnOnce(
      'A store has no NetworkManager, so it sends no requests. Add one to "managers", or use getDefaultManagers().',
    )
  }

  // An action passes the managers in their order, then reaches the store.
  const chain = managers.reduceRight<Dispatch>(
    (next, manager) => (manager.middleware ?? manager.getMiddleware!())(controller)(next),
    core.apply.bind(core),
  )
  const dispatch: Dispatch = (action) => {
    if (requests.isStopped) {
      if (DEV) {
        warnOnce('An action was dispatched to a store that has been stopped. It is ignored.', 'info')
      }
      return Promise.resolve()
    }
    try {
      return chain(action)
    } catch (error) {
      return Promise.reject(error)
    }
  }
  const { getState } = core
  controller.bindMiddleware({ dispatch, getState })
  if (DEV) {
    observeStore?.(controller)
  }

  let isRunning = false
  const parts: readonly Pick<Manager, 'cleanup'>[] = [...managers, gcPolicy]
  // One that fails must not leave the timers and sockets of the others behind.
  const cleanUp = (part: Pick<Manager, 'cleanup'>): void => {
    try {
      part.cleanup()
    } catch (error) {
      report(error)
    }
  }
  const store: Store = {
    controller,
    get persisted() {
      return core.persisted
    },
    getState,
    view: (target, ...args) => core.view(target, args),
    subscribe: (target, args, listener) => core.view(target, args).subscribe(listener),
    start() {
      if (isRunning) {
        return
      }
      isRunning = true
      requests.isStopped = false
      for (const part of parts) {
        if (serving.has(part)) {
          cleanUp(part)
        }
        serving.set(part, store)
      }
      for (const manager of managers) {
        manager.init?.(getState())
      }
      gcPolicy.init(controller)
    },
    stop() {
      // Requests may have been sent before the first start.
      requests.stop()
      if (!isRunning) {
        return
      }
      isRunning = false
      for (const part of parts) {
        if (serving.get(part) === store) {
          serving.delete(part)
          cleanUp(part)
        }
      }
    },
  }
  if (starts) {
    store.start()
  }
  return store
}
