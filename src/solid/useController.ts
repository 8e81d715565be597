import { type Context, createContext, useContext } from 'solid-js'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Controller } from '../controller/Controller.ts'

/**
 * Where readers find the Controller of the nearest provider.
 *
 * @example
 * import { useContext } from 'solid-js'
 * const controller = useContext(ControllerContext)
 * @see docs/api/RestitchProvider.md#controllercontext
 */
export const ControllerContext: Context<Controller | undefined> = /* @__PURE__ */ createContext<Controller>()

/**
 * The Controller of the nearest provider, the same for the provider's life.
 *
 * @example
 * const controller = useController()
 * const save = () => controller.fetch(updateUser, { id: 5 }, { name: 'Ann' })
 * @see docs/api/useController.md#solid
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext)
  if (controller) {
    return controller
  }
  throw fail(
    'provider-missing',
    'RestitchProvider',
    DEV &&
      'A component found no store. Put <RestitchProvider> around the app. Call useController() and create… functions while the component is set up, not in a handler or after an await.',
  )
}
