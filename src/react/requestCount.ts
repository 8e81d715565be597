'use client'
import { useMemo, useSyncExternalStore } from 'react'
import type { KeyTest } from '../controller/actions.ts'
import { activityOf } from './activity.ts'
import { useController } from './hooks/useController.ts'

/** How many requests are in flight that read, or that change something, and whose key passes. */
export function useRequestCount(isMutation: boolean, filter: KeyTest | undefined): number {
  const controller = useController()
  const subscribe = useMemo(() => (notify: () => void) => activityOf(controller).watch(undefined, notify), [controller])
  const count = (): number =>
    [...controller.core.requests.open.values()].filter(
      ({ action: { endpoint, key } }) =>
        Boolean(endpoint.sideEffect) === isMutation && (!filter || filter.testKey(key)),
    ).length
  // A page from the server was rendered when everything had arrived.
  return useSyncExternalStore(subscribe, count, () => 0)
}
