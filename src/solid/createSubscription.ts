import { keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import { createPolling, type Source } from '../binding/createPolling.ts'
import { type GetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { createChecked, createShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * Keeps an endpoint up to date while the component is mounted, as its `pollFrequency` says.
 *
 * @example
 * createSubscription(getPrice.extend({ pollFrequency: 5_000 }), { symbol: 'EUR' })
 * @see docs/api/createLive.md#createsubscription
 */
export function createSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): void {
  subscribe(endpoint, args)
}

export function subscribe(endpoint: ReadEndpoint | ReadOptions<any>, args: readonly unknown[]): void {
  const controller = useController()
  const source = createChecked<Subscribed>((last) => {
    const by: ReadEndpoint = optionsOf<any>(endpoint).endpoint
    const values = valuesOf(args)
    const key = keyOf(by, values)
    return last?.by === by && last.key === key ? last : { ...createPolling(controller, by, values), by, key }
  })
  createShown(source, () => undefined)
}

interface Subscribed extends Source {
  readonly by: ReadEndpoint
  readonly key: string | undefined
}
