import type { Signal } from '@angular/core'
import { countRequests, watchRequests } from '../binding/watchRequests.ts'
import type { KeyTest } from '../requests/actions.ts'
import { injectContext } from './context.ts'
import { createShown } from './reader.ts'

/**
 * How many reads are in flight in the whole app, or those of one endpoint, as a signal.
 *
 * @example
 * const count = injectFetching()
 * const isBusy = () => count() > 0
 * @see docs/api/createFetching.md#injectfetching
 */
export function injectFetching(filter?: KeyTest): Signal<number> {
  return injectCount(false, filter)
}

/**
 * How many mutations are in flight in the whole app, or those of one endpoint, as a signal.
 *
 * @example
 * const count = injectMutating(updateUser)
 * const isSaving = () => count() > 0
 * @see docs/api/createFetching.md#injectmutating
 */
export function injectMutating(filter?: KeyTest): Signal<number> {
  return injectCount(true, filter)
}

function injectCount(isMutation: boolean, filter: KeyTest | undefined): Signal<number> {
  const { controller } = injectContext()
  const source = { subscribe: (notify: () => void) => watchRequests(controller, notify) }
  // A page from the server shows everything that has arrived.
  return createShown(
    () => source,
    (_, isFirst) => (isFirst ? 0 : countRequests(controller, isMutation, filter)),
  )
}
