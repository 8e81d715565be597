import { signal, untracked } from '@angular/core'
import { keyOf, optionsOf } from '../binding/args.ts'
import { type Cancelling, createCancelling, type Extensible } from '../binding/createCancelling.ts'
import { type GetterArgs, valuesOf } from '../binding/getterArgs.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createShown, keeping } from './reader.ts'

/**
 * The endpoint with a signal of its own: its requests are aborted when the arguments change or the component is destroyed. Pass the result in place
 * of the endpoint.
 *
 * @example
 * const args = () => ({ text })
 * const found = injectData(injectCancelling(search, args), args)
 * @see docs/api/createCancelling.md#angular
 */
export function injectCancelling<E extends ReadEndpoint & Extensible, A extends readonly unknown[]>(
  endpoint: E | { readonly endpoint: E },
  ...args: GetterArgs<Parameters<E>, A>
): { readonly endpoint: E } {
  const { controller } = injectContext()
  const times = signal(0)
  const source = keeping<Keyed<E>>((last) => {
    const by = optionsOf<any>(endpoint).endpoint as E
    const values = valuesOf(args)
    const now = times()
    return untracked(() => {
      const key = keyOf(by, values)
      if (last?.by === by && last.key === key && last.times === now) {
        return last
      }
      const { endpoint: cancelled, subscribe } = createCancelling(controller, by, values)
      return { endpoint: cancelled, subscribe: () => subscribe(() => times.set(now + 1)), by, key, times: now }
    })
  })
  const shown = createShown(source, (one) => one.endpoint)
  return {
    get endpoint() {
      return shown()
    },
  }
}

interface Keyed<E> extends Cancelling<E> {
  readonly by: E
  readonly key: string | undefined
  readonly times: number
}
