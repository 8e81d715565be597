'use client'
import type { EndpointInterface, UnknownError } from '../../endpoint/EndpointOptions.ts'
import { takeError } from '../../binding/Reader.ts'
import { useReader } from '../reader.ts'
import type { HookArgs } from '../../binding/args.ts'

/**
 * The error of an endpoint, where there is one to show. It never fetches.
 *
 * @example
 * const error = useError(getUser, { id: 5 })
 * @see docs/api/useError.md
 */
export function useError<E extends EndpointInterface, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): UnknownError | undefined {
  return useReader(endpoint, args, takeError, true)[0] as UnknownError | undefined
}
