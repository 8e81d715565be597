import type { ReadOptions } from '../binding/args.ts'
import type { GetterArgs, PlainGetterArgs } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { createLoaded, type Data } from './injectData.ts'
import { subscribe } from './injectSubscription.ts'

/**
 * The data of an endpoint as signals, kept up to date while the component is there.
 *
 * @example
 * const price = injectLive(getPrice, () => ({ symbol: props.symbol }))
 * @see docs/api/injectLive.md
 */
export function injectLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): Data<E, PlainGetterArgs<A>> {
  subscribe(endpoint, args)
  return createLoaded(endpoint, args) as never
}
