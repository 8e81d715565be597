'use client'
import { useContext, useEffect, useMemo, useState } from 'react'
import type { ReadEndpoint } from '../../endpoint/EndpointOptions.ts'
import { ControllerContext } from '../ControllerContext.ts'
import { type HookArgs, keyOf } from '../../binding/args.ts'
import { createCancelling, type Extensible } from '../../binding/createCancelling.ts'

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
  const controller = useContext(ControllerContext) ?? undefined
  const [times, setTimes] = useState(0)
  const source = useMemo(() => createCancelling(controller, endpoint, args), [endpoint, keyOf(endpoint, args), times])
  useEffect(() => source.subscribe(() => setTimes(times + 1)), [source])
  return source.endpoint
}
