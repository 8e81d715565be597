'use client'
import { useContext, useEffect, useRef, useState, useTransition } from 'react'
import { type Clock, systemClock } from '../../base/clock.ts'
import { ControllerContext } from '../ControllerContext.ts'

/**
 * Follows a value once it has been quiet for a while; the screen of the old value stays until the new one is ready.
 *
 * @example
 * const [text, isPending] = useDebounce(input, 200)
 * const results = useSuspense(search, { text })
 * @see docs/api/useDebounce.md
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [debounced: T, isPending: boolean] {
  // It reads nothing from the store, so it needs no provider; in one it follows the clock of that store.
  const clock: Clock = useContext(ControllerContext)?.clock ?? systemClock
  const [held, setHeld] = useState<{ readonly value: T }>({ value })
  const [isPending, startTransition] = useTransition()
  /** The value that is shown, or will be once it is ready. */
  const next = useRef(value)
  useEffect(() => {
    if (!updatable || Object.is(value, next.current)) {
      return undefined
    }
    const timer = clock.setTimeout(() => {
      next.current = value
      startTransition(() => setHeld({ value }))
    }, delay)
    return () => clock.clearTimeout(timer)
  }, [clock, value, delay, updatable])
  return [held.value, isPending]
}
