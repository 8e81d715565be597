import type { Signal } from '@angular/core'
import { createMutationCalls, type MutationCall } from '../binding/createMutationCalls.ts'
import type { KeyTest } from '../requests/actions.ts'
import { injectContext } from './context.ts'
import { createShown } from './reader.ts'

/**
 * The mutations of the whole app that are in flight or have failed, or those of one endpoint, as a signal.
 *
 * @example
 * const calls = injectMutations(updateUser)
 * const failed = () => calls().filter(({ status }) => status === 'error')
 * @see docs/api/injectMutation.md#injectmutations
 */
export function injectMutations(filter?: KeyTest): Signal<readonly MutationCall[]> {
  const source = createMutationCalls(injectContext().controller, filter)
  return createShown(
    () => source,
    ({ get }, isFirst) => (isFirst ? NONE : get()),
  )
}

const NONE: readonly MutationCall[] = []
