// Fills a store without a network, and shows its content as plain data.
import { createDriver, type Driver, type Resolved } from '../controller/driver.ts'
import type { Collector } from '../controller/sweep.ts'
import type { Entity } from '../schema/Entity.ts'
import type { State } from '../store/State.ts'
import { endpointFor } from './endpoints.ts'

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
  const request = driver.find(endpoint, resolved)
  if (request) {
    request[resolved.error ? 'fail' : 'answer'](resolved.response)
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

/** The collector of a driver. Node has loaded it already. */
export const collectorOf = (driver: Driver): Collector => driver.collector() as Collector

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
