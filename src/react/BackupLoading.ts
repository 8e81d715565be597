'use client'
import { createElement, type ReactElement, useEffect } from 'react'
import { DEV } from '../base/env.ts'
import { warnOnce } from '../base/warn.ts'

/**
 * The fallback of a provider, shown while something suspends that has no boundary of its own.
 *
 * @example
 * <Suspense fallback={<BackupLoading />}>{children}</Suspense>
 * @see docs/api/DataProvider.md#backuploading
 */
export function BackupLoading(): ReactElement {
  if (DEV) {
    useEffect(() => {
      warnOnce(
        'A component suspends and there is no boundary around it, so the whole app is replaced. Put <AsyncBoundary> or <Suspense> around it.',
      )
    }, [])
  }
  return createElement('div', null, 'loading...')
}
