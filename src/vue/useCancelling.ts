import { computed, type ComputedRef, type MaybeRef, shallowRef, unref } from 'vue'
import { keyOf } from '../binding/args.ts'
import { forgetWaiting } from '../binding/forgetWaiting.ts'
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
  const source = computed<Cancelling<E>>((last) => {
    const by = unref(endpoint)
    const key = keyOf(by, valuesOf(args))
    if (last?.by === by && last.key === key && last.times === times.value) {
      return last
    }
    const aborter = new AbortController()
    const { signal } = aborter
    let isHere = false
    const subscribe = (): (() => void) => {
      isHere = true
      // `<KeepAlive>` shows the component again.
      if (signal.aborted) {
        times.value++
      }
      return () => {
        isHere = false
        // Like every release it counts a little later.
        controller.clock.setTimeout(() => {
          if (!isHere) {
            aborter.abort()
            if (key !== undefined) {
              forgetWaiting(controller, key)
            }
          }
        }, 0)
      }
    }
    return { by, key, times: times.value, endpoint: by.extend({ signal }) as E, subscribe }
  })
  return useShown(source, (one) => one.endpoint)
}

interface Cancelling<E> {
  readonly by: E
  readonly key: string | undefined
  readonly times: number
  readonly endpoint: E
  readonly subscribe: () => () => void
}

interface Extensible {
  extend(options: { signal: AbortSignal }): unknown
}
