'use client'
import { useCallback, useState } from 'react'
import { asError } from '../../base/errors.ts'

/**
 * Wraps an asynchronous function, and says whether it runs and how it failed.
 *
 * @example
 * const [save, saving, error] = useLoading((body: { name: string }) => controller.fetch(updateUser, { id }, body), [id])
 * @see docs/api/useLoading.md
 */
export function useLoading<A extends readonly any[], R>(
  run: (...args: A) => Promise<R> | R,
  deps: readonly unknown[] = [run],
): [wrapped: (...args: A) => Promise<R | undefined>, loading: boolean, error: Error | undefined] {
  const [{ running, error }, setState] = useState<{ running: number; error?: Error }>({ running: 0 })
  const wrapped = useCallback(async (...args: A): Promise<R | undefined> => {
    const step = (by: number, failed?: Error): void => {
      setState(
        ({ running, error }) => ({ running: running + by, error: by > 0 ? undefined : (failed ?? error) }) as never,
      )
    }
    step(1)
    try {
      const value = await run(...args)
      step(-1)
      return value
    } catch (thrown) {
      step(-1, asError(thrown) as Error)
      return undefined
    }
  }, deps)
  return [wrapped, running > 0, error]
}
