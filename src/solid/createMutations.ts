import { type Accessor, createMemo } from 'solid-js'
import { isServer } from 'solid-js/web'
import { createMutationCalls, type MutationCall } from '../binding/createMutationCalls.ts'
import type { KeyTest } from '../requests/actions.ts'
import { createShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The mutations of the whole app that are in flight or have failed, or those of one endpoint.
 *
 * @example
 * const calls = createMutations(updateUser)
 * const failed = () => calls().filter(({ status }) => status === 'error')
 * @see docs/api/useMutations.md#solid
 */
export function createMutations(filter?: KeyTest): Accessor<readonly MutationCall[]> {
  const source = createMutationCalls(useController(), filter)
  const calls = createShown(
    () => source,
    ({ get }, isFirst) => (isFirst ? NONE : get()),
  )
  return isServer ? calls : createMemo(calls)
}

const NONE: readonly MutationCall[] = []
