import { createComponent, type JSX, onCleanup, type ParentProps } from 'solid-js'
import { isServer } from 'solid-js/web'
import { checkStore, openStore, type ProviderOptions } from '../binding/openStore.ts'
import { ControllerContext } from './useController.ts'

/** The options of a store, or a store. They count once: changes are ignored. */
export interface RestitchProviderProps extends ParentProps, ProviderOptions {}

/**
 * Gives a store to all components inside. The store stops with the provider.
 *
 * @example
 * const app = () => <RestitchProvider><main /></RestitchProvider>
 * @see docs/api/RestitchProvider.md
 */
export function RestitchProvider(props: RestitchProviderProps): JSX.Element {
  const { managers, initialState, Controller, gcPolicy, spread, store: given } = props
  const options = { managers, initialState, Controller, gcPolicy, spread, store: given }
  const store = openStore(options, { provider: '<RestitchProvider>', server: 'createServerRestitch()' })
  const { controller } = store
  if (given) {
    checkStore(store, 'createServerRestitch()')
  } else if (!isServer) {
    store.start()
    // Components inside end first.
    onCleanup(() => controller.clock.setTimeout(store.stop, 0))
  }
  return createComponent(ControllerContext.Provider, {
    value: controller,
    get children() {
      return props.children
    },
  })
}
