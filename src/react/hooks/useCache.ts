'use client'
import type { Known } from '../../controller/Controller.ts'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { takeData } from '../../binding/Reader.ts'
import { useReader } from '../reader.ts'
import type { HookArgs } from '../../binding/args.ts'

/**
 * The stored value of an endpoint. It never fetches.
 *
 * @example
 * const me = useCache(getMe)
 * @see docs/api/useCache.md
 */
export function useCache<E extends EndpointInterface, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): Known<E> {
  return useReader(endpoint, args, takeData, true)[0]
}
