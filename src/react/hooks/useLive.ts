'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import type { DataOf, HookArgs } from '../../binding/args.ts'
import { useSubscription } from './useSubscription.ts'
import { useSuspense } from './useSuspense.ts'

/**
 * The data of an endpoint, kept up to date while the component is mounted.
 *
 * @example
 * const price = useLive(getPrice, { symbol: 'EUR' })
 * @see docs/api/useLive.md
 */
export function useLive<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): DataOf<E, A> {
  useSubscription(endpoint, ...args)
  return useSuspense<E, A>(endpoint, ...args)
}
