import type { ComputedRef, MaybeRef } from 'vue'
import { takeError } from '../binding/Reader.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs } from './args.ts'
import { useReader } from './reader.ts'

/**
 * The stored error of an endpoint. It never fetches.
 *
 * @example
 * const error = useError(getUser, () => ({ id: props.id }))
 * @see docs/api/useError.md#vue
 */
export function useError<E extends EndpointInterface, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): ComputedRef<UnknownError | undefined> {
  return useReader(endpoint, args, takeError, true)
}
