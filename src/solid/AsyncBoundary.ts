import {
  createComponent,
  createEffect,
  ErrorBoundary,
  type JSX,
  on,
  type ParentProps,
  Suspense,
  useContext,
} from 'solid-js'
import { forgive } from '../binding/forgive.ts'
import { ControllerContext } from './useController.ts'

/** The props of `AsyncBoundary`. */
export interface AsyncBoundaryProps extends ParentProps {
  /** Shown while something inside loads. */
  readonly fallback?: JSX.Element
  /** Shown instead of content that failed. `reset` tries again. */
  readonly error?: ((error: any, reset: () => void) => JSX.Element) | undefined
  /** Tries again after an error when one of these values changes. */
  readonly resetKeys?: readonly unknown[] | undefined
}

/**
 * Shows one thing while what is inside loads, and another one when it fails.
 *
 * @example
 * const page = () => <AsyncBoundary fallback="loading"><main /></AsyncBoundary>
 * @see docs/api/AsyncBoundary.md#solid
 */
export function AsyncBoundary(props: AsyncBoundaryProps): JSX.Element {
  const controller = useContext(ControllerContext)
  const failed = (error: any, reset: () => void): JSX.Element => {
    const retry = (): void => {
      if (controller) {
        forgive(controller, error)
      }
      reset()
    }
    createEffect(on(() => [...(props.resetKeys ?? [])], retry, { defer: true }))
    return props.error ? props.error(error, retry) : String(error?.message ?? error)
  }
  return createComponent(ErrorBoundary, {
    fallback: failed,
    get children() {
      return createComponent(Suspense, {
        get fallback() {
          return props.fallback
        },
        get children() {
          return props.children
        },
      })
    },
  })
}
