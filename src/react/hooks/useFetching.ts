'use client'
import type { KeyTest } from '../../requests/actions.ts'
import { useRequestCount } from '../activity.ts'

/**
 * How many reads are in flight in the whole app, or those of one endpoint.
 *
 * @example
 * const isBusy = useFetching() > 0
 * @see docs/api/useFetching.md
 */
export function useFetching(filter?: KeyTest): number {
  return useRequestCount(false, filter)
}
