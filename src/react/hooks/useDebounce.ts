'use client'
import { useEffect, useState, useTransition } from 'react'
import { useController } from './useController.ts'

/**
 * Follows a value once it has been quiet for a while; the screen of the old value stays until the new one is ready.
 *
 * @example
 * const [text, isPending] = useDebounce(input, 200)
 * const results = useSuspense(search, { text })
 * @see docs/api/useDebounce.md
 */
export function useDebounce<T>(value: T, delay: number, updatable = true): [debounced: T, isPending: boolean] {
  const { clock } = useController()
  const [held, setHeld] = useState<{ readonly value: T }>({ value })
  const [isPending, startTransition] = useTransition()
  useEffect(() => {
    if (!updatable || Object.is(value, held.value)) return undefined
    const timer = clock.setTimeout(() => startTransition(() => setHeld({ value })), delay)
    return () => clock.clearTimeout(timer)
  }, [clock, value, delay, updatable, held])
  return [held.value, isPending]
}
