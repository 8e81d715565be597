import { createUndoable as createState, type Undoable, type UndoableOptions } from '../binding/createUndoable.ts'
import { plainOf } from '../binding/getterArgs.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { useController } from './context.ts'
import { createMembers } from './members.ts'

/**
 * A mutation that can be taken back for some seconds: it is shown at once and sent later.
 *
 * @example
 * const removal = createUndoable(UserResource.delete, { within: 5_000 })
 * const remove = () => removal.mutate({ id: 5 })
 * @see docs/api/createUndoable.md#svelte
 */
export function createUndoable<E extends EndpointInterface & { extend(options: any): any }>(
  endpoint: E,
  options: UndoableOptions<E> = {},
): Undoable<E> {
  const controller = useController()
  const undoable = createState({ controller, endpoint, options: options as UndoableOptions<any> })
  const mutate = (...args: readonly unknown[]): unknown => undoable.mutate(...args.map(plainOf))
  return createMembers(controller, () => undoable, {
    mutate: () => mutate,
    undo: ({ undo }) => undo,
    pending: ({ get }) => get(),
  }) as never
}
