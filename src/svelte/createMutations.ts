import { createMutationCalls, type MutationCall } from '../binding/createMutationCalls.ts'
import type { KeyTest } from '../requests/actions.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/**
 * The mutations of the whole app that are in flight or have failed, or those of one endpoint.
 *
 * @example
 * const mutations = createMutations(updateUser)
 * const failed = () => mutations.calls.filter(({ status }) => status === 'error')
 * @see docs/api/useMutations.md#svelte
 */
export function createMutations(filter?: KeyTest): { readonly calls: readonly MutationCall[] } {
  const controller = useController()
  const source = createMutationCalls(controller, filter)
  return createMembers(controller, () => source, { calls: ({ get }, isFirst) => (isFirst ? NONE : get()) }) as never
}

const NONE: readonly MutationCall[] = []
