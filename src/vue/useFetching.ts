import type { ComputedRef } from 'vue'
import { isOnServer } from '../binding/onServer.ts'
import { countRequests, watchRequests } from '../binding/watchRequests.ts'
import type { KeyTest } from '../requests/actions.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * How many reads are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const count = useFetching()
 * const isBusy = () => count.value > 0
 * @see docs/api/useFetching.md#vue
 */
export function useFetching(filter?: KeyTest): ComputedRef<number> {
  return useRequestCount(false, filter)
}

/**
 * How many mutations are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const count = useMutating(updateUser)
 * const isSaving = () => count.value > 0
 * @see docs/api/useMutating.md#vue
 */
export function useMutating(filter?: KeyTest): ComputedRef<number> {
  return useRequestCount(true, filter)
}

function useRequestCount(isMutation: boolean, filter: KeyTest | undefined): ComputedRef<number> {
  const controller = useController()
  const source = { subscribe: (notify: () => void) => watchRequests(controller, notify) }
  // A page from the server shows everything that has arrived.
  return useShown({ value: source }, (_, isFirst) =>
    isFirst || isOnServer(controller) ? 0 : countRequests(controller, isMutation, filter),
  )
}
