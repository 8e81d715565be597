'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { useDLEReader } from '../dleReader.ts'
import type { DLE } from '../../binding/createDLEReader.ts'
import { type HookArgs, optionsOf, type ReadOptions } from '../../binding/args.ts'

/**
 * The data of an endpoint with `loading`, `error` and more beside it; it never suspends. A component renders for the members it reads.
 *
 * @example
 * const { data, loading, error } = useDLE(getUser, { id: 5 })
 * @see docs/api/useDLE.md
 */
export function useDLE<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E | ReadOptions<E>,
  ...args: HookArgs<E, A>
): DLE<E, A> {
  return useDLEReader(optionsOf(endpoint), args)
}
