'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { createMutationCalls, type MutationCall } from '../../binding/createMutationCalls.ts'
import type { KeyTest } from '../../requests/actions.ts'
import { useController } from './useController.ts'

/**
 * The mutations of the whole app that are in flight or have failed, or those of one endpoint.
 *
 * @example
 * const failed = useMutations(updateUser).filter(({ status }) => status === 'error')
 * @see docs/api/useMutations.md
 */
export function useMutations(filter?: KeyTest): readonly MutationCall[] {
  const controller = useController()
  const { subscribe, get } = useMemo(() => createMutationCalls(controller, filter), [controller, filter])
  return useSyncExternalStore(subscribe, get, getNone)
}

const NONE: readonly MutationCall[] = []
const getNone = (): readonly MutationCall[] => NONE
