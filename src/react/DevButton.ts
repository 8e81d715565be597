'use client'
import { createElement, type ReactElement, useEffect, useState } from 'react'
import { DEV } from '../base/env.ts'

/** A corner of the page. */
export type DevToolsPosition = `${'bottom' | 'top'}-${'right' | 'left'}`

interface Extension {
  open?(): void
}

interface DevButtonProps {
  readonly position?: DevToolsPosition | undefined
}

/** Opens the developer tools of the browser extension; nothing is there without it. */
export const DevButton: (props: DevButtonProps) => ReactElement | null = DEV ? Button : () => null

function Button({ position = 'bottom-right' }: DevButtonProps): ReactElement | null {
  const [extension, setExtension] = useState<Extension>()
  // The server knows no extension, so the first render shows nothing here either.
  useEffect(() => {
    const { __REDUX_DEVTOOLS_EXTENSION__: found } = globalThis as { __REDUX_DEVTOOLS_EXTENSION__?: Extension }
    if (found?.open) {
      setExtension({ open: () => found.open!() })
    }
  }, [])
  if (!extension) {
    return null
  }
  const [y, x] = position.split('-') as [string, string]
  const style = { position: 'fixed', [y]: 8, [x]: 8, zIndex: 99_999 } as const
  return createElement(
    'button',
    { type: 'button', title: 'restitch: developer tools', style, onClick: extension.open },
    '\u{1F9F5}',
  )
}
