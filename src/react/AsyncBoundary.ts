'use client'
import { type ComponentType, createElement, type ReactElement, type ReactNode } from 'react'
import { PromptSuspense } from './arrivals.ts'
import { ErrorBoundary, type ErrorBoundaryProps, type ErrorFallbackProps } from './ErrorBoundary.ts'

export interface AsyncBoundaryProps<E = Error> {
  readonly children?: ReactNode
  /** Shown while something inside suspends. */
  readonly fallback?: ReactNode
  readonly errorComponent?: ComponentType<ErrorFallbackProps<E>> | undefined
  readonly errorClassName?: string | undefined
  readonly listen?: ErrorBoundaryProps['listen']
  /** Tries again after an error when one of these values changes. */
  readonly resetKeys?: ErrorBoundaryProps['resetKeys']
}

/**
 * Shows a fallback while what is inside loads, and something else when it fails.
 *
 * @example
 * <AsyncBoundary fallback={<Spinner />}><UserPage /></AsyncBoundary>
 * @see docs/api/AsyncBoundary.md
 */
export function AsyncBoundary<E = Error>({
  children,
  fallback,
  errorComponent,
  errorClassName,
  listen,
  resetKeys,
}: AsyncBoundaryProps<E>): ReactElement {
  return createElement(
    PromptSuspense,
    { fallback },
    createElement(
      ErrorBoundary<E>,
      { fallbackComponent: errorComponent, className: errorClassName, listen, resetKeys },
      children,
    ),
  )
}
