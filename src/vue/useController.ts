import { inject, type InjectionKey } from 'vue'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { Controller } from '../controller/Controller.ts'

/**
 * Where composables find the Controller of the nearest provider.
 *
 * @example
 * const controller = inject(ControllerKey)
 * @see docs/api/createRestitch.md#controllerkey
 */
export const ControllerKey: InjectionKey<Controller> = /* @__PURE__ */ Symbol('restitch')

/**
 * The Controller of the nearest provider, the same for the provider's life.
 *
 * @example
 * const controller = useController()
 * const save = () => controller.fetch(updateUser, { id: 5 }, { name: 'Ann' })
 * @see docs/api/useController.md
 */
export function useController(): Controller {
  const controller = inject(ControllerKey, undefined)
  if (controller) {
    return controller
  }
  throw fail(
    'provider-missing',
    'createRestitch',
    DEV &&
      'A composable found no store. Add one to the app: createApp(App).use(createRestitch()). In setup(), call composables before the first await; <script setup> has no such limit.',
  )
}
