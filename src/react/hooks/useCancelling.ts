'use client'
import { useContext, useEffect, useMemo, useState } from 'react'
import { type Clock, systemClock } from '../../base/clock.ts'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { ControllerContext } from '../ControllerContext.ts'
import { type HookArgs, keyOf } from '../../binding/args.ts'
import { forgetWaiting } from '../../binding/forgetWaiting.ts'

/**
 * The endpoint with a signal: its requests are aborted when the arguments change or the component unmounts.
 *
 * @example
 * const results = useSuspense(useCancelling(search, { text }), { text })
 * @see docs/api/useCancelling.md
 */
export function useCancelling<E extends ReadEndpoint & Extensible, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): E {
  // It reads nothing from the store, so it needs no provider; in one it follows the clock of that store.
  const controller = useContext(ControllerContext)
  const clock: Clock = controller?.clock ?? systemClock
  const key = keyOf(endpoint, args)
  const [times, setTimes] = useState(0)
  const use = useMemo(() => {
    const aborter = new AbortController()
    return { endpoint: endpoint.extend({ signal: aborter.signal }) as E, aborter, isHere: false }
  }, [endpoint, key, times])
  useEffect(() => {
    use.isHere = true
    // A hidden part of the page is shown again.
    if (use.aborter.signal.aborted) {
      setTimes(times + 1)
    }
    return () => {
      use.isHere = false
      // Like every release it counts a little later: Strict Mode comes back at once.
      clock.setTimeout(() => {
        if (!use.isHere) {
          use.aborter.abort()
          if (controller && key !== undefined) {
            forgetWaiting(controller, key)
          }
        }
      }, 0)
    }
  }, [use])
  return use.endpoint
}

interface Extensible {
  extend(options: { signal: AbortSignal }): unknown
}
