'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import type { RefetchState } from '../../binding/createDLEReader.ts'
import { useDLEReader } from '../dleReader.ts'
import { type DLEState, type HookArgs, optionsOf, type ReadOptions } from '../../binding/args.ts'

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

/**
 * The result of `useDLE`: once nothing is loading and nothing failed, the data is there.
 *
 * @example
 * const show = ({ data, loading }: DLE<typeof getUser>) => (loading ? 'loading' : data?.name)
 * @see docs/api/useDLE.md#dle
 */
export type DLE<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> = DLEState<E, A> & DLEDetails

interface DLEDetails extends RefetchState {
  /** The data is that of the previous arguments, or of the `placeholder` option. */
  readonly placeholder: boolean
}
