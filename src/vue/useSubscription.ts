import { computed, type MaybeRef, unref } from 'vue'
import { keyOf } from '../binding/args.ts'
import { createPolling, type Source } from '../binding/createPolling.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { type ComposableArgs, valuesOf } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * Keeps an endpoint up to date while the component is mounted, as its `pollFrequency` says.
 *
 * @example
 * useSubscription(getPrice.extend({ pollFrequency: 5_000 }), { symbol: 'EUR' })
 * @see docs/api/useSubscription.md#vue
 */
export function useSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): void {
  useSubscribed(endpoint, args)
}

export function useSubscribed(endpoint: MaybeRef<ReadEndpoint>, args: readonly unknown[]): void {
  const controller = useController()
  const source = computed<Subscribed>((last) => {
    const by = unref(endpoint)
    const values = valuesOf(args)
    const key = keyOf(by, values)
    if (last?.by === by && last.key === key) {
      return last
    }
    return { ...createPolling(controller, by, values), by, key }
  })
  useShown(source, () => undefined)
}

interface Subscribed extends Source {
  readonly by: ReadEndpoint
  readonly key: string | undefined
}
