import { computed, type ComputedRef, type MaybeRef, shallowRef, unref } from 'vue'
import { keyOf } from '../binding/args.ts'
import { type Cancelling, createCancelling, type Extensible } from '../binding/createCancelling.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import { type ComposableArgs, valuesOf } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The endpoint with a signal: its requests are aborted when the arguments change or the component unmounts.
 *
 * @example
 * const { data } = useDLE(useCancelling(search, () => ({ text })), () => ({ text }))
 * @see docs/api/useCancelling.md#vue
 */
export function useCancelling<E extends ReadEndpoint & Extensible, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): ComputedRef<E> {
  const controller = useController()
  const times = shallowRef(0)
  const source = computed<Keyed<E>>((last) => {
    const by = unref(endpoint)
    const values = valuesOf(args)
    const key = keyOf(by, values)
    if (last?.by === by && last.key === key && last.times === times.value) {
      return last
    }
    const { endpoint: cancelled, subscribe } = createCancelling(controller, by, values)
    // `<KeepAlive>` shows the component again.
    const renew = (): void => {
      times.value++
    }
    return { endpoint: cancelled, subscribe: () => subscribe(renew), by, key, times: times.value }
  })
  return useShown(source, (one) => one.endpoint)
}

interface Keyed<E> extends Cancelling<E> {
  readonly by: E
  readonly key: string | undefined
  readonly times: number
}
