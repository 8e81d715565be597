'use client'
import type { KeyTest } from '../../requests/actions.ts'
import { useRequestCount } from '../activity.ts'

/**
 * How many mutations are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const isSaving = useMutating(updateUser) > 0
 * @see docs/api/useMutating.md
 */
export function useMutating(filter?: KeyTest): number {
  return useRequestCount(true, filter)
}
