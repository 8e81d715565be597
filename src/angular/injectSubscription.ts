import { untracked } from '@angular/core'
import { keyOf, optionsOf, type ReadOptions } from '../binding/args.ts'
import { createPolling, type Source } from '../binding/createPolling.ts'
import { type GetterArgs, valuesOf } from '../binding/getterArgs.ts'
import { isOnServer } from '../binding/onServer.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createShown, keeping } from './reader.ts'

/**
 * Keeps an endpoint up to date while the component is there, as its `pollFrequency` says.
 *
 * @example
 * injectSubscription(getPrice.extend({ pollFrequency: 5_000 }), { symbol: 'EUR' })
 * @see docs/api/injectLive.md#injectsubscription
 */
export function injectSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: GetterArgs<Parameters<E>, A>
): void {
  subscribe(endpoint, args)
}

export function subscribe(endpoint: ReadEndpoint | ReadOptions<any>, args: readonly unknown[]): void {
  const { controller } = injectContext()
  if (isOnServer(controller)) {
    return
  }
  const source = keeping<Subscribed>((last) => {
    const by: ReadEndpoint = optionsOf<any>(endpoint).endpoint
    const values = valuesOf(args)
    return untracked(() => {
      const key = keyOf(by, values)
      return last?.by === by && last.key === key ? last : { ...createPolling(controller, by, values), by, key }
    })
  })
  createShown(source, () => undefined)
}

interface Subscribed extends Source {
  readonly by: ReadEndpoint
  readonly key: string | undefined
}
