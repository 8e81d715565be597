import {
  renderHook as renderPlain,
  type RenderHookOptions,
  type RenderHookResult as PlainResult,
} from '@testing-library/react'
import { useEffect } from 'react'
import type { RenderDataHookResult } from './renderDataHook.ts'
import { waitFor, waitForUpdate } from './waiting.ts'

/** A hook that was rendered without a store. */
export type RenderHookResult<R, P> = PlainResult<R, P> &
  Pick<RenderDataHookResult<R, P>, 'waitFor' | 'waitForNextUpdate'>

/**
 * Renders a hook that needs no store.
 *
 * @example
 * const { result, waitForNextUpdate } = renderHook(() => useLoading(async () => 5))
 * @see docs/api/renderDataHook.md#renderhook
 */
export function renderHook<R, P>(callback: (props: P) => R, options?: RenderHookOptions<P>): RenderHookResult<R, P> {
  let updates = 0
  const hook = renderPlain((props: P) => {
    const value = callback(props)
    useEffect(() => void updates++)
    return value
  }, options)
  return { ...hook, waitFor, waitForNextUpdate: (wait) => waitForUpdate(() => updates, waitFor, wait) }
}
