'use client'
import { createElement, type ReactElement, useContext } from 'react'
import { AsyncBoundary as AsyncBoundaryAnywhere, type AsyncBoundaryProps } from '../AsyncBoundary.ts'
import { DataProvider as DataProviderAnywhere, type ProviderProps } from '../DataProvider.ts'
import {
  ErrorBoundary as ErrorBoundaryAnywhere,
  type ErrorBoundaryProps,
  type ErrorFallbackProps,
} from '../ErrorBoundary.ts'
import { type Platform, PlatformContext } from './platform.ts'

/** The props of a provider on React Native. */
export interface NativeProviderProps extends Omit<ProviderProps, 'devButton'> {
  /** Tells hooks whether their screen is focused; without it they behave as on the web. */
  readonly platform?: Platform | undefined
}

// There is no other way to show text there: the host component that <Text> stands for.
const HOST_TEXT = 'RCTText'

/** Gives a store to all hooks inside. */
export function DataProvider({ platform = {}, ...props }: NativeProviderProps): ReactElement {
  return createElement(
    PlatformContext.Provider,
    { value: platform },
    createElement(DataProviderAnywhere, { ...props, devButton: null, fallback: createElement(BackupLoading) }),
  )
}

/** Shows something else when what is inside throws, and can try again. */
export function ErrorBoundary<E = Error>(props: ErrorBoundaryProps<E>): ReactElement {
  return createElement(ErrorBoundaryAnywhere<E>, { fallbackComponent: ErrorFallback, ...props })
}

/** Shows a fallback while what is inside loads, and something else when it fails. */
export function AsyncBoundary<E = Error>(props: AsyncBoundaryProps<E>): ReactElement {
  return createElement(AsyncBoundaryAnywhere<E>, { errorComponent: ErrorFallback, ...props })
}

/** The fallback of a provider, shown while something suspends that has no boundary of its own. */
export function BackupLoading(): ReactElement {
  return createElement(useContext(PlatformContext).Text ?? HOST_TEXT, null, 'loading...')
}

function ErrorFallback({ error }: ErrorFallbackProps<any>): ReactElement {
  const { Text = HOST_TEXT } = useContext(PlatformContext)
  return createElement(Text, { role: 'alert' }, String(error?.message ?? error))
}
