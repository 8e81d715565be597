'use client'
import { useMemo, useSyncExternalStore } from 'react'
import { countRequests, watchRequests } from '../binding/watchRequests.ts'
import type { KeyTest } from '../requests/actions.ts'
import { useController } from './hooks/useController.ts'

/** How many requests are in flight that read, or that change something, and whose key passes. */
export function useRequestCount(isMutation: boolean, filter: KeyTest | undefined): number {
  const controller = useController()
  const subscribe = useMemo(() => (notify: () => void) => watchRequests(controller, notify), [controller])
  const count = (): number => countRequests(controller, isMutation, filter)
  // A page from the server was rendered when everything had arrived.
  return useSyncExternalStore(subscribe, count, () => 0)
}
