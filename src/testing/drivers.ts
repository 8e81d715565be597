// Fills a store without a network, and shows its content as plain data.
import type { Clock } from '../base/clock.ts'
import { type GCAction } from '../requests/actions.ts'
import { callOf } from '../requests/Call.ts'
import { EXPIREALL, GC, INVALIDATE, INVALIDATEALL } from '../requests/actionTypes.ts'
import { Core } from '../controller/Core.ts'
import type { Request } from '../requests/Request.ts'
import { settle } from '../requests/settle.ts'
import type { Resolved } from '../controller/Controller.ts'
import type { ViewChange } from '../views/View.ts'
import type { Node } from '../rows/Node.ts'
import { sweep } from '../managers/sweep.ts'
import type { Meta } from '../rows/Meta.ts'
import type { Entity } from '../kinds/Entity.ts'
import type { State } from '../store/stateShape.ts'
import { endpointFor } from './endpoints.ts'

/** An open request that the test itself responds to. */
export interface DrivenRequest extends Request {
  answer(value: unknown): void
  fail(error: unknown): void
  drop(): void
  show(): void
  /** The value that its caller has received. */
  outcome(): any
}

/** A store without a network, and what tests do to it. */
export class Driver extends Core {
  /** Opens a request, and shows the optimistic operation of a mutation. */
  open(endpoint: any, args: readonly any[]): DrivenRequest {
    const request = this.begin(endpoint, args)
    if (endpoint.sideEffect) {
      request.show()
    }
    return request
  }

  /** Opens a request. */
  begin(endpoint: any, args: readonly any[]): DrivenRequest {
    const { requests } = this
    const request = requests.begin(callOf(endpoint, args), { auto: true })
    const isOpen = (): boolean => requests.open.has(request.id)
    let outcome: unknown
    Object.assign(request.action.meta, { resolve: (value: unknown) => (outcome = value) })
    return Object.assign(request, {
      answer: (value: unknown) => isOpen() && settle(requests, request, value),
      fail: (error: unknown) => isOpen() && settle(requests, request, error, true),
      drop: () => requests.drop(request),
      show: () => requests.show(request.id),
      outcome: () => outcome,
    })
  }

  node(target: any, args: readonly any[]): Node {
    return this.reads.node(target, args)
  }

  /** Calls the listener when a reading changes, or its freshness; it never fetches. Returns the function that ends it. */
  subscribe(target: any, args: readonly any[], listener: (change: ViewChange) => void): () => void {
    return this.view(target, args).subscribe(listener, true)
  }

  setResponse(endpoint: any, args: readonly any[], value: unknown): void {
    this.respond(callOf(endpoint, args), value)
  }

  setError(endpoint: any, args: readonly any[], error: unknown): void {
    this.respond(callOf(endpoint, args), error, true)
  }

  /** Stores a response from elsewhere, to a request that is not open here. */
  resolve(endpoint: any, { args, response, fetchedAt, error }: Resolved): void {
    this.respond(callOf(endpoint, args), response, error, { fetchedAt })
  }

  invalidateKey(key: string): void {
    void this.apply({ type: INVALIDATE, key })
  }

  invalidateAll({ testKey }: { testKey(key: string): boolean }): void {
    void this.apply({ type: INVALIDATEALL, testKey })
  }

  expireAll({ testKey }: { testKey(key: string): boolean }): void {
    void this.apply({ type: EXPIREALL, testKey })
  }

  reset(): void {
    this.change(() => this.store.reset())
  }
}

/** The same store, for a Controller that has it. */
export function asDriver(core: Core): Driver {
  return Object.setPrototypeOf(core, Driver.prototype) as Driver
}

export function createDriver(clock?: Clock): Driver {
  return new Driver(clock)
}

/** A store that received one response. It is the response to `args` of an endpoint without a path. */
export function receive(
  schema: unknown,
  value: unknown,
  driver: Driver = createDriver(),
  args: readonly any[] = [{}],
): Driver {
  driver.open(endpointFor(schema), args).answer(value)
  return driver
}

/** Stores a response, of an open request or from elsewhere, as `controller.resolve` does. */
export function resolve(driver: Driver, endpoint: any, resolved: Resolved): void {
  const request = driver.requests.find(endpoint, resolved)
  if (request) {
    settle(driver.requests, request, resolved.response, resolved.error)
  } else {
    driver.resolve(endpoint, resolved)
  }
}

/** The value that `receive` stored, through its schema. */
export function readReceived(driver: Driver, schema: unknown, args: readonly any[] = [{}]): any {
  return driver.read(endpointFor(schema), args).data
}

/** The normalised result that `receive` stored. */
export function resultOf(driver: Driver): any {
  return driver.getState().endpoints['GET [{}]']
}

/** The pks of the records that a list shows. */
export function ids(driver: Driver, target: any, ...args: any[]): string[] | undefined {
  return driver.read(target, args).data?.map((item: Entity) => item.pk())
}

/** Finds garbage in a store, and removes it. */
export function collectorOf(driver: Driver): {
  sweep(limit: (meta: Meta, isResult: boolean) => number): Generator<Omit<GCAction, 'type'>, void>
  collect(garbage: Omit<GCAction, 'type'>): void
} {
  return {
    sweep: (limit) => sweep(driver, limit),
    collect: (garbage) => void driver.apply({ type: GC, ...garbage }),
  }
}

/** Everything that readers of these targets see, as plain data. */
export function sight(driver: Driver, targets: readonly (readonly [any, readonly any[]])[]): unknown {
  return targets.map(([target, args]) => {
    const { data, error, ...fresh } = driver.read(target, args)
    return { data: plain(data), error: error === undefined ? undefined : String(error), ...fresh }
  })
}

/** A copy without classes. */
export function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(plain)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plain(part)]))
}

/** The committed state as plain data: without pending operations. */
export function committed(driver: Driver): unknown {
  const { entities, endpoints, indexes, meta, entitiesMeta } = driver.getState()
  return asData({ entities, endpoints, indexes, meta, entitiesMeta })
}

function asData(value: unknown): unknown {
  if (typeof value === 'symbol') {
    return String(value)
  }
  if (typeof value !== 'object' || value === null || value instanceof Error) {
    return value
  }
  if (Array.isArray(value)) {
    return value.map(asData)
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asData(part)]))
}

/** The ids of the requests whose optimistic operations a state lists. */
export function pendingIn({ optimistic: actions }: State): string[] {
  return actions.map(({ meta }: { meta: { requestId: string } }) => meta.requestId)
}
