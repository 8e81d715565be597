import type { Controller } from '../controller/Controller.ts'
import { injectContext } from './context.ts'

/**
 * The Controller of the store that `provideRestitch` gives, the same for the life of the app.
 *
 * @example
 * const controller = injectController()
 * const save = () => controller.fetch(updateUser, { id: 5 }, { name: 'Ann' })
 * @see docs/api/useController.md#angular
 */
export function injectController(): Controller {
  return injectContext().controller
}
