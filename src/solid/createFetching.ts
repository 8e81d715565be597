import { type Accessor, createMemo } from 'solid-js'
import { isServer } from 'solid-js/web'
import { countRequests, watchRequests } from '../binding/watchRequests.ts'
import type { KeyTest } from '../requests/actions.ts'
import { createShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * How many reads are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const count = createFetching()
 * const isBusy = () => count() > 0
 * @see docs/api/createFetching.md#solid
 */
export function createFetching(filter?: KeyTest): Accessor<number> {
  return createCount(false, filter)
}

/**
 * How many mutations are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const count = createMutating(updateUser)
 * const isSaving = () => count() > 0
 * @see docs/api/createFetching.md#createmutating
 */
export function createMutating(filter?: KeyTest): Accessor<number> {
  return createCount(true, filter)
}

function createCount(isMutation: boolean, filter: KeyTest | undefined): Accessor<number> {
  const controller = useController()
  const source = { subscribe: (notify: () => void) => watchRequests(controller, notify) }
  // A page from the server shows everything that has arrived.
  const count = createShown(
    () => source,
    (_, isFirst) => (isFirst ? 0 : countRequests(controller, isMutation, filter)),
  )
  return isServer ? count : createMemo(count)
}
