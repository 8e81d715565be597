import type { ComputedRef, MaybeRef } from 'vue'
import { takeData } from '../binding/Reader.ts'
import type { Known } from '../controller/Controller.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs } from './args.ts'
import { useReader } from './reader.ts'

/**
 * The stored value of an endpoint. It never fetches.
 *
 * @example
 * const me = useCache(getMe)
 * @see docs/api/useCache.md#vue
 */
export function useCache<E extends EndpointInterface, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): ComputedRef<Known<E>> {
  return useReader(endpoint, args, takeData, true)
}
