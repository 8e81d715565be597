import { isOnServer } from '../binding/onServer.ts'
import { countRequests, watchRequests } from '../binding/watchRequests.ts'
import type { KeyTest } from '../requests/actions.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/**
 * How many reads are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const reads = createFetching()
 * const isBusy = () => reads.count > 0
 * @see docs/api/createFetching.md#svelte
 */
export function createFetching(filter?: KeyTest): { readonly count: number } {
  return createCount(false, filter)
}

/**
 * How many mutations are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const writes = createMutating(updateUser)
 * const isSaving = () => writes.count > 0
 * @see docs/api/createFetching.md#createmutating
 */
export function createMutating(filter?: KeyTest): { readonly count: number } {
  return createCount(true, filter)
}

function createCount(isMutation: boolean, filter: KeyTest | undefined): { readonly count: number } {
  const controller = useController()
  const source = { subscribe: (notify: () => void) => watchRequests(controller, notify) }
  return createMembers(controller, () => source, {
    // A page from the server shows everything that has arrived.
    count: (_, isFirst) => (isFirst || isOnServer(controller) ? 0 : countRequests(controller, isMutation, filter)),
  }) as never
}
