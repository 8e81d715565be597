'use client'
import { useEffect } from 'react'
import { DEV } from '../base/env.ts'
import { naming, recording } from '../explain/observers.ts'
import { type DevtoolsOptions, mountDevtools } from './mountDevtools.ts'

declare const process: { env: { NODE_ENV?: string } }

if (DEV) {
  naming.isOn = true
  // Before the first component sends a request.
  recording.isOn = true
}

/**
 * The devtools for React apps: a button that opens a panel with records, lists, endpoints, requests and a timeline of all stores of the
 * page. Production builds contain none of it.
 *
 * @example
 * <RestitchDevtools position="bottom-left" />
 * @see docs/api/mountDevtools.md#restitchdevtools
 */
export const RestitchDevtools: (props: DevtoolsOptions) => null =
  // webpack and Rspack choose modules before they know `DEV`, but see that `… && false` is false.
  DEV && process.env.NODE_ENV !== 'production' ? Devtools : () => null

function Devtools({ controller, position, isOpen }: DevtoolsOptions): null {
  useEffect(() => mountDevtools({ controller, position, isOpen }), [controller, position, isOpen])
  return null
}
