import type { ReadOptions } from '../binding/args.ts'
import type { GetterArgs, PlainGetterArgs } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { createLoaded, type Data } from './createData.ts'
import { subscribe } from './createSubscription.ts'
import { defineMembers } from './reader.ts'

/**
 * The data of an endpoint, kept up to date while the component is mounted.
 *
 * @example
 * const price = createLive(getPrice, () => ({ symbol: props.symbol }))
 * @see docs/api/createLive.md#solid
 */
export function createLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  subscribe(endpoint, args)
  const { members, read } = createLoaded(endpoint, args)
  return defineMembers(read, members) as never
}
