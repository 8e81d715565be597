'use client'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { takeAll } from '../../binding/Reader.ts'
import { useReader } from '../reader.ts'
import type { DataOf, HookArgs } from '../../binding/args.ts'

/**
 * The data of an endpoint. It suspends while there is none, and throws the error that keeps it away.
 *
 * @example
 * const user = useSuspense(getUser, { id: 5 })
 * @see docs/api/useSuspense.md
 */
export function useSuspense<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): DataOf<E, A> {
  const [{ data, loading, error }, reader] = useReader(endpoint, args, takeAll)
  if (loading) {
    // oxlint-disable-next-line typescript/only-throw-error -- React suspends on a thrown promise
    throw reader.wait()
  }
  if (error !== undefined) {
    throw error
  }
  return data
}
