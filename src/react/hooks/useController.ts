'use client'
import { useContext } from 'react'
import { DEV } from '../../base/env.ts'
import { fail } from '../../base/errors.ts'
import type { Controller } from '../../controller/Controller.ts'
import { ControllerContext } from '../ControllerContext.ts'

/**
 * The Controller of the nearest provider, the same for the provider's life.
 *
 * @example
 * const controller = useController()
 * const save = () => controller.fetch(updateUser, { id: 5 }, { name: 'Ann' })
 * @see docs/api/useController.md
 */
export function useController(): Controller {
  const controller = useContext(ControllerContext)
  if (controller) {
    return controller
  }
  throw fail(
    'provider-missing',
    'DataProvider',
    DEV &&
      'A hook was used outside of a provider. Put <DataProvider> around the app: createRoot(element).render(<DataProvider><App /></DataProvider>).',
  )
}
