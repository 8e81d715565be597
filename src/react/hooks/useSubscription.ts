'use client'
import { useEffect } from 'react'
import { createPolling } from '../../binding/createPolling.ts'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { type HookArgs, keyOf } from '../../binding/args.ts'
import { useController } from './useController.ts'

/**
 * Keeps an endpoint up to date while the component is mounted, as its `pollFrequency` says.
 *
 * @example
 * useSubscription(getPrice.extend({ pollFrequency: 5_000 }), { symbol: 'EUR' })
 * @see docs/api/useSubscription.md
 */
export function useSubscription<E extends ReadEndpoint, A extends readonly unknown[]>(
  endpoint: E,
  ...args: HookArgs<E, A>
): void {
  const controller = useController()
  useEffect(
    () => createPolling(controller, endpoint, args).subscribe(nothing),
    [controller, endpoint, keyOf(endpoint, args)],
  )
}

const nothing = (): void => {}
