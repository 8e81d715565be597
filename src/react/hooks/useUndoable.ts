'use client'
import { useInsertionEffect, useState, useSyncExternalStore } from 'react'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { createUndoable, type UndoableChange, type UndoableOptions } from '../../binding/createUndoable.ts'
import { useController } from './useController.ts'

/** The result of `useUndoable`. */
export interface Undoable<E extends EndpointInterface> {
  /** Shows the change at once, and sends it when the time is over. */
  readonly mutate: (...args: readonly [...Parameters<E>]) => UndoableChange<Parameters<E>>
  /** Takes the last change back that has not been sent. */
  readonly undo: () => void
  /** The changes that can be taken back, the oldest first. */
  readonly pending: readonly UndoableChange<Parameters<E>>[]
}

/**
 * A mutation that can be taken back for some seconds: it is shown at once and sent later.
 *
 * @example
 * const { mutate, undo, pending } = useUndoable(UserResource.delete, { within: 5_000 })
 * const remove = () => mutate({ id: 5 })
 * @see docs/api/useUndoable.md
 */
export function useUndoable<E extends EndpointInterface & { extend(options: any): any }>(
  endpoint: E,
  options: UndoableOptions<E> = {},
): Undoable<E> {
  const controller = useController()
  const [{ latest, mutate, undo, subscribe, get }] = useState(() => createUndoable({ controller, endpoint, options }))
  // Not during render: a render that React discards must not decide what the next call sends.
  useInsertionEffect(() => void Object.assign(latest, { controller, endpoint, options }))
  const pending = useSyncExternalStore(subscribe, get, get)
  return { mutate, undo, pending } as unknown as Undoable<E>
}
