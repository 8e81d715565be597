'use client'
import {
  type Context,
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  startTransition,
  Suspense,
  useContext,
  useEffect,
  useReducer,
  useState,
  useSyncExternalStore,
} from 'react'
import { onArrival } from '../binding/Reader.ts'
import type { Controller } from '../controller/Controller.ts'
import { ControllerContext } from './ControllerContext.ts'

// React keeps a fallback on the screen for 300 ms, even if the data arrives earlier, unless the boundary is updated from above.
// So a response that a component suspended for updates the boundaries that wait.

/** No component reads it. A new value makes React (19.3 and later) update each boundary below that shows its fallback. */
const ArrivalContext: Context<number> = /* @__PURE__ */ createContext(0)

const increment = (count: number): number => count + 1
const never = (): (() => void) => () => {}
const zero = (): number => 0

/** Updates the app's own `<Suspense>` boundaries below. */
export function Arrivals({
  controller,
  children,
}: {
  readonly controller: Controller
  readonly children?: ReactNode
}): ReactElement {
  const [count, update] = useReducer(increment, 0)
  const [page] = useState({ isHydrated: false })
  // React reads the snapshot of the server only where it hydrates a page.
  useSyncExternalStore(never, zero, () => {
    page.isHydrated = true
    return 0
  })
  useEffect(
    () =>
      onArrival(controller, () => {
        if (!page.isHydrated) {
          update()
        } else if (document.readyState !== 'loading') {
          // An urgent update would replace the HTML of boundaries that are not hydrated yet by their fallbacks.
          startTransition(update)
        }
      }),
    [controller],
  )
  return createElement(ArrivalContext.Provider, { value: count }, children)
}

/** A Suspense boundary that shows its children as soon as their response is in, with any React. */
export function PromptSuspense({
  fallback,
  children,
}: {
  readonly fallback: ReactNode
  readonly children?: ReactNode
}): ReactElement {
  const [, update] = useReducer(increment, 0)
  return createElement(Suspense, { fallback: createElement(Fallback, { update }, fallback) }, children)
}

/** Its boundary is updated only while it is shown: a page may have thousands of boundaries. */
function Fallback({ update, children }: { readonly update: () => void; readonly children?: ReactNode }): ReactNode {
  const controller = useContext(ControllerContext)
  useEffect(() => (controller ? onArrival(controller, update) : undefined), [controller])
  return children
}
