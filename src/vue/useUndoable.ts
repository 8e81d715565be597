import { type ComputedRef, type MaybeRef, unref } from 'vue'
import { createUndoable, type UndoableChange, type UndoableOptions } from '../binding/createUndoable.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { copy } from './args.ts'
import { useShown } from './reader.ts'
import { useController } from './useController.ts'

/**
 * The result of `useUndoable` in Vue.
 *
 * @example
 * const count = ({ pending }: UndoableRefs<typeof updateUser>) => pending.value.length
 * @see docs/api/useUndoable.md#undoablerefs
 */
export interface UndoableRefs<E extends EndpointInterface> {
  /** Shows the change at once, and sends it when the time is over. */
  readonly mutate: (...args: readonly [...Parameters<E>]) => UndoableChange<Parameters<E>>
  /** Takes the last change back that has not been sent. */
  readonly undo: () => void
  /** The changes that can be taken back, the oldest first. */
  readonly pending: ComputedRef<readonly UndoableChange<Parameters<E>>[]>
}

/**
 * A mutation that can be taken back for some seconds: it is shown at once and sent later.
 *
 * @example
 * const { mutate, undo, pending } = useUndoable(UserResource.delete, { within: 5_000 })
 * const remove = () => mutate({ id: 5 })
 * @see docs/api/useUndoable.md#vue
 */
export function useUndoable<E extends EndpointInterface & { extend(options: any): any }>(
  endpoint: MaybeRef<E>,
  options: UndoableOptions<E> = {},
): UndoableRefs<E> {
  const controller = useController()
  const undoable = createUndoable({
    controller,
    get endpoint() {
      return unref(endpoint)
    },
    options: options as UndoableOptions<any>,
  })
  const pending = useShown({ value: undoable }, ({ get }) => get())
  const { undo } = undoable
  // A reactive form is sent as it is now.
  const mutate = (...args: readonly unknown[]): UndoableChange => undoable.mutate(...args.map(copy))
  return { mutate, undo, pending } as unknown as UndoableRefs<E>
}
