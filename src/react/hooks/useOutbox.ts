'use client'
import { useSyncExternalStore } from 'react'
import { createOutbox, type OutboxReading } from '../../binding/createOutbox.ts'
import { useController } from './useController.ts'

/**
 * The mutations that wait in the outbox of the store, those that failed, and conflicts. A component renders again when they change.
 *
 * @example
 * const { pending, conflicts, retry, discard } = useOutbox()
 * const takeMine = () => conflicts.forEach(({ id, mine }) => void retry(id, mine))
 * @see docs/api/useOutbox.md
 */
export function useOutbox(): OutboxReading {
  const { subscribe, get } = createOutbox(useController())
  return useSyncExternalStore(subscribe, get, get)
}
