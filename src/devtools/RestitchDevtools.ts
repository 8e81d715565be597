'use client'
import { useEffect } from 'react'
import { DEV } from '../base/env.ts'
import { naming } from '../controller/observers.ts'
import { type DevtoolsOptions, mountDevtools } from './mountDevtools.ts'

if (DEV) {
  naming.isOn = true
}

/**
 * The devtools for React apps: a button that opens a panel with records, lists, endpoints, requests and a timeline of all stores of the
 * page. Production builds contain none of it.
 *
 * @example
 * <RestitchDevtools position="bottom-left" />
 * @see docs/api/RestitchDevtools.md
 */
export const RestitchDevtools: (props: DevtoolsOptions) => null = DEV ? Devtools : () => null

function Devtools({ controller, position, isOpen }: DevtoolsOptions): null {
  useEffect(() => mountDevtools({ controller, position, isOpen }), [controller, position, isOpen])
  return null
}
