'use client'
import { useInsertionEffect, useState, useSyncExternalStore } from 'react'
import type { EndpointInterface } from '../../endpoint/EndpointOptions.ts'
import { createUndoable, type Undoable, type UndoableOptions } from '../../binding/createUndoable.ts'
import { useController } from './useController.ts'

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
