import type { Signal } from '@angular/core'
import { createUndoable, type Undoable, type UndoableChange, type UndoableOptions } from '../binding/createUndoable.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { injectContext } from './context.ts'
import { createShown } from './reader.ts'

/**
 * The result of `injectUndoable`: the functions, and the changes that can be taken back as a signal.
 *
 * @example
 * const count = (removal: UndoableSignals<typeof updateUser>) => removal.pending().length
 * @see docs/api/injectMutation.md#undoablesignals
 */
export interface UndoableSignals<E extends EndpointInterface> {
  /** Shows the change at once, and sends it when the time is over. */
  readonly mutate: Undoable<E>['mutate']
  /** Takes the last change back that has not been sent. */
  readonly undo: () => void
  /** The changes that can be taken back, the oldest first. */
  readonly pending: Signal<readonly UndoableChange<Parameters<E>>[]>
}

/**
 * A mutation that can be taken back for some seconds: it is shown at once and sent later.
 *
 * @example
 * const removal = injectUndoable(UserResource.delete, { within: 5_000 })
 * const remove = () => removal.mutate({ id: 5 })
 * @see docs/api/injectMutation.md#injectundoable
 */
export function injectUndoable<E extends EndpointInterface & { extend(options: any): any }>(
  endpoint: E,
  options: UndoableOptions<E> = {},
): UndoableSignals<E> {
  const { controller, outside } = injectContext()
  const undoable = createUndoable({ controller, endpoint, options: options as UndoableOptions<any> })
  const pending = createShown(
    () => undoable,
    ({ get }) => get(),
  )
  const { undo } = undoable
  const mutate = (...args: readonly any[]): UndoableChange => outside(() => undoable.mutate(...args))
  return { mutate, undo, pending } as never
}
