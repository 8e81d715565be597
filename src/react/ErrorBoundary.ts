'use client'
import { Component, type ComponentType, createElement, type ReactElement, type ReactNode } from 'react'
import { forgive } from '../binding/forgive.ts'
import type { Controller } from '../controller/Controller.ts'
import { ControllerContext } from './ControllerContext.ts'
import { isSameTree } from './isSameTree.ts'

/** Shown instead of children that threw. */
export interface ErrorFallbackProps<E = Error> {
  readonly error: E
  /** Tries again. */
  resetErrorBoundary(): void
  readonly className?: string | undefined
}

export interface ErrorBoundaryProps<E = Error> {
  readonly children?: ReactNode
  readonly fallbackComponent?: ComponentType<ErrorFallbackProps<E>> | undefined
  readonly className?: string | undefined
  /** Is given a function that tries again, for instance to call it on navigation; returns what ends that. */
  readonly listen?: ((reset: () => void) => () => void) | undefined
  /** Tries again when one of these values changes. */
  readonly resetKeys?: readonly unknown[] | undefined
}

/**
 * Shows something else when what is inside throws, and can try again.
 *
 * @example
 * <ErrorBoundary fallbackComponent={({ error, resetErrorBoundary }) => <button onClick={resetErrorBoundary}>{error.message}</button>}>
 *   <UserPage />
 * </ErrorBoundary>
 * @see docs/api/ErrorBoundary.md
 */
export class ErrorBoundary<E = Error> extends Component<ErrorBoundaryProps<E>, { readonly thrown?: { error: E } }> {
  static override contextType: typeof ControllerContext = ControllerContext
  declare readonly context: Controller | null
  override state: { readonly thrown?: { error: E } } = {}
  private end: (() => void) | undefined

  static getDerivedStateFromError(error: unknown): object {
    return { thrown: { error } }
  }

  override componentDidMount(): void {
    this.end = this.props.listen?.(this.reset)
  }

  override componentDidUpdate(
    { listen, resetKeys = [], children }: ErrorBoundaryProps<E>,
    { thrown: shown }: { readonly thrown?: { error: E } },
  ): void {
    const { thrown } = this.state
    // An error of this very update is not over yet.
    if (thrown && thrown === shown) {
      const { resetKeys: keys = [] } = this.props
      if (keys.length !== resetKeys.length || keys.some((key, index) => !Object.is(key, resetKeys[index]))) {
        this.reset()
      } else if (!isSameTree(children, this.props.children)) {
        // With other arguments its read may succeed.
        this.setState({ thrown: undefined as never })
      }
    }
    if (listen !== this.props.listen) {
      this.end?.()
      this.componentDidMount()
    }
  }

  override componentWillUnmount(): void {
    this.end?.()
  }

  override render(): ReactNode {
    const { thrown } = this.state
    const { children, fallbackComponent = ErrorFallback, className } = this.props
    if (!thrown) {
      return children
    }
    return createElement(fallbackComponent as ComponentType<ErrorFallbackProps<E>>, {
      error: thrown.error,
      resetErrorBoundary: this.reset,
      className,
    })
  }

  private readonly reset = (): void => {
    const { thrown } = this.state
    if (!thrown) {
      return
    }
    if (this.context) {
      forgive(this.context, thrown.error)
    }
    this.setState({ thrown: undefined as never })
  }
}

/** The default fallback. */
function ErrorFallback({ error, className }: Pick<ErrorFallbackProps<any>, 'error' | 'className'>): ReactElement {
  return createElement('pre', { role: 'alert', className }, String(error?.message ?? error))
}
