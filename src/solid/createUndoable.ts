import { createUndoable as createState, type Undoable, type UndoableOptions } from '../binding/createUndoable.ts'
import { plainOf } from '../binding/getterArgs.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { createShown, defineMembers } from './reader.ts'
import { useController } from './useController.ts'

/**
 * A mutation that can be taken back for some seconds: it is shown at once and sent later.
 *
 * @example
 * const removal = createUndoable(UserResource.delete, { within: 5_000 })
 * const remove = () => removal.mutate({ id: 5 })
 * @see docs/api/createUndoable.md#solid
 */
export function createUndoable<E extends EndpointInterface & { extend(options: any): any }>(
  endpoint: E,
  options: UndoableOptions<E> = {},
): Undoable<E> {
  const undoable = createState({
    controller: useController(),
    endpoint,
    options: options as UndoableOptions<any>,
  })
  const pending = createShown(
    () => undoable,
    ({ get }) => get(),
  )
  const { undo } = undoable
  // A form in a store of Solid is sent as it is now.
  const mutate = (...args: readonly unknown[]): unknown => undoable.mutate(...args.map(plainOf))
  return defineMembers({ mutate, undo }, { pending }) as never
}
