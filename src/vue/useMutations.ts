import type { ComputedRef } from 'vue'
import { createMutationCalls, type MutationCall } from '../binding/createMutationCalls.ts'
import { isOnServer } from '../binding/onServer.ts'
import type { KeyTest } from '../requests/actions.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The mutations of the whole app that are in flight or have failed, or those of one endpoint.
 *
 * @example
 * const calls = useMutations(updateUser)
 * const failed = () => calls.value.filter(({ status }) => status === 'error')
 * @see docs/api/useMutations.md#vue
 */
export function useMutations(filter?: KeyTest): ComputedRef<readonly MutationCall[]> {
  const controller = useController()
  const isServer = isOnServer(controller)
  const value = createMutationCalls(controller, filter)
  return useShown({ value }, ({ get }, isFirst) => (isFirst || isServer ? NONE : get()))
}

const NONE: readonly MutationCall[] = []
