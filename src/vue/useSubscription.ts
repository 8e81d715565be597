import { computed, type MaybeRef, unref } from 'vue'
import { soon } from '../base/clock.ts'
import { isSkip } from '../requests/read.ts'
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
    const key = isSkip(values) ? undefined : by.key(...values)
    if (last?.by === by && last.key === key) {
      return last
    }
    const subscribe = (): (() => void) => {
      if (key === undefined) {
        return () => {}
      }
      void controller.subscribe(by, ...values)
      // A microtask later: another subscriber of the same key keeps the timer.
      return () => soon(() => void controller.unsubscribe(by, ...values))
    }
    return { by, key, subscribe }
  })
  useShown(source, () => undefined)
}

interface Subscribed {
  readonly by: ReadEndpoint
  readonly key: string | undefined
  readonly subscribe: () => () => void
}
