import { computed, type ComputedRef, type MaybeRef, onServerPrefetch } from 'vue'
import type { IfNull } from '../binding/args.ts'
import { takeAll } from '../binding/Reader.ts'
import { isOnServer } from '../binding/onServer.ts'
import { type Usable, usableOf } from '../binding/usableOf.ts'
import type { Fetched } from '../controller/Controller.ts'
import { isSkip } from '../requests/Reading.ts'
import type { ReadEndpoint } from '../endpoint/EndpointOptions.ts'
import type { ComposableArgs, PlainArgs } from './args.ts'
import { refresh, useReaderOf, useShown } from './reader.ts'

/**
 * Fetches what is missing or stale, without waiting for it. The ref has the promise of the data.
 *
 * @example
 * useFetch(getPosts, { userId: 5 })
 * const user = await useSuspense(getUser, { id: 5 })
 * @see docs/api/useFetch.md#vue
 */
export function useFetch<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: MaybeRef<E>,
  ...args: ComposableArgs<Parameters<E>, A>
): ComputedRef<Usable<Fetched<E>> | IfNull<PlainArgs<A>, undefined, never>> {
  const reader = useReaderOf(endpoint, args, takeAll)
  const shown = useShown(reader, (one) => one.get())
  if (isOnServer(reader.value.controller) && !isSkip(reader.value.args)) {
    // The page gets the data, too.
    const loading = reader.value.wait().then(refresh, refresh)
    onServerPrefetch(() => loading)
  }
  return computed<any>(() => (isSkip(reader.value.args) ? undefined : usableOf(shown.value, reader.value)))
}
