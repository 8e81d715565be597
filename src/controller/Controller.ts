import type { Explanation } from '../advice/Explanation.ts'
import { tooEarly } from '../advice/fetched.ts'
import { explainMissing } from '../advice/misuse.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { recall } from '../base/recall.ts'
import { DEV } from '../base/env.ts'
import type { EndpointInterface, OptimisticResponse, ResolveType, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Fetched, Known } from '../endpoint/Fetched.ts'
import type { ExpiryStatusType, SnapshotInterface } from '../endpoint/Snapshot.ts'
import type {
  DefaultArgs,
  Denormalize,
  DenormalizeNullable,
  Queryable,
  SchemaArgs,
  SchemaInput,
  SchemaMark,
} from '../schema/Denormalize.ts'
import type { State } from '../store/stateShape.ts'
import type { GCInterface } from './GCInterface.ts'
import * as types from '../requests/actionTypes.ts'
import { type Dispatch, type KeyTest, type ResponseMeta, type SetResponseAction } from '../requests/actions.ts'
import { plainArgs } from '../requests/Call.ts'
import { Core } from './Core.ts'
import { snapshotOf } from '../requests/pending.ts'
import { isDue } from '../requests/Reading.ts'
import { explainTarget } from '#explain'

export type { Fetched, Known }

/** The options of a Controller. */
export interface ControllerOptions {
  readonly dispatch?: Dispatch | undefined
  readonly getState?: (() => State) | undefined
  readonly gcPolicy?: GCInterface | undefined
  readonly clock?: Clock | undefined
  /** Serves jitter. */
  readonly random?: (() => number) | undefined
}

/** The stored response of an endpoint. */
export interface ResponseReading<T = any> {
  readonly data: T
  readonly expiryStatus: ExpiryStatusType
  readonly expiresAt: number
  /** Keeps the data from garbage collection; returns the function that releases it. */
  readonly countRef: () => () => void
}

/** A response to a request that may or may not be open here. */
export interface Resolved {
  readonly args: readonly any[]
  readonly response: unknown
  readonly fetchedAt: number
  /** The id of the request, where it is known. */
  readonly requestId?: string | undefined
  /** True when the response is an error. */
  readonly error?: boolean | undefined
}

type NullableArgs<E extends EndpointInterface> = readonly [...Parameters<E>] | readonly [null]
type WithState<A extends readonly unknown[]> = A extends unknown ? readonly [...A] | readonly [...A, State] : never
type WithValue<S, A extends readonly unknown[]> = A extends unknown
  ? readonly [...A, SchemaInput<S> | ((previous: Denormalize<S>) => SchemaInput<S>)]
  : never

/** The arguments of an endpoint or a schema. */
export type ExplainArgs<T> = T extends EndpointInterface ? NullableArgs<T> : T extends Queryable ? SchemaArgs<T> : never

/**
 * Reads, writes and fetches the data of a store. All methods are bound: `const { fetch } = controller` works.
 *
 * @example
 * const { controller } = createStore()
 * const user = await controller.fetch(getUser, { id: 5 })
 * @see docs/api/Controller.md
 */
export class Controller {
  declare readonly clock: Clock
  declare readonly random: () => number
  /** Internals that other parts of the library use. @internal */
  declare readonly core: Core
  /** Sends an action through all managers to the store. */
  declare dispatch: Dispatch
  /** The committed state; the same object until the next commit. */
  declare getState: () => State

  constructor({ dispatch, getState, gcPolicy, clock = systemClock, random = Math.random }: ControllerOptions = {}) {
    const core = (this.core = new Core(clock, gcPolicy))
    core.controller = this
    this.clock = core.store.clock
    this.random = random
    this.dispatch = dispatch ?? tooEarly
    this.getState = getState ?? core.getState
  }

  /** Connects it with the managers; for providers. */
  bindMiddleware = ({ dispatch, getState }: { dispatch: Dispatch; getState: () => State }): void => {
    this.dispatch = dispatch
    this.getState = getState
  }

  /** Fetches now, even if the data is fresh. Resolves to the value that readers see. */
  fetch = <E extends EndpointInterface>(endpoint: E, ...args: readonly [...Parameters<E>]): Promise<Fetched<E>> => {
    try {
      return this.core.requests.fetch(endpoint, args)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Resolves to fresh data, or rejects with a fresh error, without a request; otherwise fetches. */
  fetchIfStale = <E extends EndpointInterface>(
    endpoint: E,
    ...args: readonly [...Parameters<E>]
  ): Promise<Fetched<E>> => {
    try {
      const reading = this.core.read(endpoint, args)
      if (isDue(reading, this.clock.now())) {
        return this.fetch(endpoint, ...args)
      }
      return reading.error === undefined ? Promise.resolve(reading.data) : Promise.reject(reading.error)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Aborts the request of these arguments. */
  abort = <E extends EndpointInterface>(endpoint: E, ...args: readonly [...Parameters<E>]): Promise<void> => {
    this.core.requests.abort(endpoint, args)
    return Promise.resolve()
  }

  /** Marks results as stale: readers keep showing them and refetch. */
  expireAll = (keys: KeyTest): Promise<void> => this.dispatch({ type: types.EXPIREALL, testKey: testOf(keys) })

  /** Removes a result: readers wait for a new one. */
  invalidate = <E extends EndpointInterface>(endpoint: E, ...args: NullableArgs<E>): Promise<void> =>
    args[0] === null
      ? Promise.resolve()
      : this.dispatch({ type: types.INVALIDATE, key: endpoint.key(...(args as any)) })

  /** Removes all results whose key passes. */
  invalidateAll = (keys: KeyTest): Promise<void> => this.dispatch({ type: types.INVALIDATEALL, testKey: testOf(keys) })

  /** Removes all data, for example when the user signs out. */
  resetEntireStore = (): Promise<void> => this.dispatch({ type: types.RESET, date: this.clock.now() })

  /** Writes a record: a value, or a function of the previous one. */
  set = <S extends Queryable | Adder>(
    schema: S,
    ...rest: WithValue<S, S extends Queryable ? SchemaArgs<S> : DefaultArgs>
  ): Promise<void> => {
    const [args, value] = split(rest)
    const now = this.clock.now()
    const meta = { fetchedAt: now, date: now, expiresAt: now + this.core.store.defaults.dataExpiryLength }
    return this.dispatch({ type: types.SET, schema, args, value, meta })
  }

  /** Stores a value as the response of an endpoint. */
  setResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: readonly [...Parameters<E>, OptimisticResponse<E['schema'], ResolveType<E>>]
  ): Promise<void> => this.dispatch(this.#responseOf(endpoint, ...split(rest)))

  /** Stores an error as the failure of an endpoint. */
  setError = <E extends EndpointInterface>(endpoint: E, ...rest: readonly [...Parameters<E>, Error]): Promise<void> =>
    this.dispatch(this.#responseOf(endpoint, ...split(rest), true))

  /** Stores the response to a request that began at `fetchedAt`. */
  resolve = <E extends EndpointInterface>(endpoint: E, resolved: Resolved): Promise<void> => {
    const { args, response, error, fetchedAt } = resolved
    const { action, key } = this.core.requests.find(endpoint, resolved) ?? {}
    return this.dispatch(this.#responseOf(endpoint, args, response, error, action?.meta ?? { fetchedAt }, key))
  }

  /** Subscribes to the data of an endpoint: polling, or a manager of the app, keeps it up to date. */
  subscribe = <E extends EndpointInterface>(endpoint: E, ...args: NullableArgs<E>): Promise<void> =>
    this.#about(types.SUBSCRIBE, endpoint, args)

  /** Ends one `subscribe`. */
  unsubscribe = <E extends EndpointInterface>(endpoint: E, ...args: NullableArgs<E>): Promise<void> =>
    this.#about(types.UNSUBSCRIBE, endpoint, args)

  /** Reads a schema from the store. */
  get = <S extends Queryable>(schema: S, ...rest: WithState<SchemaArgs<S>>): DenormalizeNullable<S> | undefined =>
    this.core.read(schema, rest).data as DenormalizeNullable<S> | undefined

  /** The same, with `countRef` to keep it from garbage collection. */
  getQueryMeta = <S extends Queryable>(
    schema: S,
    ...rest: WithState<SchemaArgs<S>>
  ): Pick<ResponseReading<DenormalizeNullable<S> | undefined>, 'data' | 'countRef'> => this.#reading(schema, rest)

  /** Reads the stored response of an endpoint. */
  getResponse = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: WithState<NullableArgs<E>>
  ): ResponseReading<Known<E>> => this.#reading(endpoint, rest)

  /** The same as `getResponse`. */
  getResponseMeta = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: WithState<NullableArgs<E>>
  ): ResponseReading<Known<E>> => this.#reading(endpoint, rest)

  /** Reads the stored error of an endpoint, unless its policy is soft and there is data. */
  getError = <E extends EndpointInterface>(
    endpoint: E,
    ...rest: WithState<NullableArgs<E>>
  ): UnknownError | undefined => this.core.read(endpoint, rest).error as UnknownError | undefined

  /**
   * Explains what readers of an endpoint or a schema see and why, when it was fetched, and why not. Printed, the result is text.
   * In production builds import `explain` from `restitch/explain` instead.
   */
  explain = <T extends EndpointInterface | Queryable>(target: T, ...args: ExplainArgs<T>): Explanation => {
    if (DEV && explainTarget) {
      return explainTarget(this, target, args)
    }
    throw explainMissing()
  }

  /** Reads a state in place of the store. */
  snapshot = (state: State, fetchedAt: number = 0): SnapshotInterface =>
    snapshotOf(fetchedAt, (target, args) => this.#reading(target, [...args, state]))

  #responseOf(
    endpoint: EndpointInterface,
    args: readonly any[],
    response: unknown,
    error?: boolean,
    begun: Partial<ResponseMeta> = {},
    known?: string,
  ): SetResponseAction {
    const { defaults } = this.core.store
    const length = error ? 'errorExpiryLength' : 'dataExpiryLength'
    const plain = plainArgs(args)
    const key = known ?? endpoint.key(...plain)
    const date = this.clock.now()
    const expiresAt = date + (endpoint[length] ?? defaults[length])
    const { fetchedAt = date, sent, requestId } = begun
    const meta: ResponseMeta = { fetchedAt, sent, requestId, date, expiresAt }
    return { type: types.SET_RESPONSE, endpoint, key, args: plain, response, error, meta } as SetResponseAction
  }

  #about(type: string, endpoint: EndpointInterface, args: readonly any[]): Promise<void> {
    return args[0] === null ? Promise.resolve() : this.dispatch({ type, endpoint, key: endpoint.key(...args), args })
  }

  #reading(target: Queryable | EndpointInterface, rest: readonly any[]): ResponseReading & { error: unknown } {
    const { data, error, expiryStatus, expiresAt } = this.core.read(target, rest)
    const countRef = (): (() => void) => {
      return this.core.gcPolicy?.createCountRef(this.core.paths(target, rest))() ?? (() => {})
    }
    return { data, error, expiryStatus, expiresAt, countRef }
  }
}

/** An adder, remover or mover of a Collection. */
interface Adder extends SchemaMark {
  readonly collection: unknown
}

function split(rest: readonly any[]): [args: readonly any[], value: any] {
  return [rest.slice(0, -1), rest[rest.length - 1]]
}

const tests = /* @__PURE__ */ new WeakMap<KeyTest, KeyTest['testKey']>()

/** `testKey` of an endpoint needs its `this`. The same function for the same keys: the store remembers what was expired. */
function testOf(keys: KeyTest): KeyTest['testKey'] {
  return recall(tests, keys, () => (key) => keys.testKey(key))
}
