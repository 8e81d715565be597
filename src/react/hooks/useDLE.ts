'use client'
import type { Known } from '../../controller/Controller.ts'
import type { ReadEndpoint, UnknownError } from '../../endpoint/EndpointOptions.ts'
import { useReader } from '../reader.ts'
import type { DataOf, HookArgs } from './args.ts'
import { all } from './select.ts'

/**
 * The data of an endpoint with `loading` and `error` beside it; it never suspends.
 *
 * @example
 * const { data, loading, error } = useDLE(getUser, { id: 5 })
 * @see docs/api/useDLE.md
 */
export function useDLE<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): DLE<E, A> {
  const [seen, reader] = useReader(endpoint, args, all)
  // Effects wait for the whole boundary; a request need not.
  if (seen.loading) {
    void reader.wait(true)
  }
  return seen
}

/** What `useDLE` gives: once nothing is loading and nothing failed, the data is there. */
export type DLE<E extends ReadEndpoint, A extends readonly unknown[] = Parameters<E>> =
  | { readonly data: DataOf<E, A>; readonly loading: false; readonly error: undefined }
  | { readonly data: Known<E>; readonly loading: true; readonly error: undefined }
  | { readonly data: Known<E>; readonly loading: false; readonly error: UnknownError }
