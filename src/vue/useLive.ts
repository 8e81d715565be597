import type { ComputedRef, MaybeRef } from 'vue'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs, ComposableData } from './args.ts'
import { useSubscribed } from './useSubscription.ts'
import { useData } from './useSuspense.ts'

/**
 * The data of an endpoint, kept up to date while the component is mounted. It is a promise, as with `useSuspense`.
 *
 * @example
 * const price = await useLive(getPrice, () => ({ symbol: props.symbol }))
 * @see docs/api/useLive.md#vue
 */
export function useLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): Promise<ComputedRef<ComposableData<E, A>>> {
  useSubscribed(endpoint, args)
  return useData(endpoint, args)
}
