import { type App, onScopeDispose, provide } from 'vue'
import { checkStore, openStore, type ProviderOptions } from '../binding/openStore.ts'
import type { Store } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { ControllerKey } from './useController.ts'

/** The options of a store, or a store. */
export type RestitchOptions = ProviderOptions

/** The plugin of a Vue app. */
export interface Restitch {
  readonly store: Store
  readonly controller: Controller
  install(app: App): void
}

/**
 * The plugin that gives a store to all composables of an app. The store stops when the app is unmounted.
 *
 * @example
 * createApp(App).use(createRestitch()).mount('#app')
 * @see docs/api/createRestitch.md
 */
export function createRestitch(options: RestitchOptions = {}): Restitch {
  const store = openVueStore(options)
  const { controller } = store
  return {
    store,
    controller,
    install(app) {
      app.provide(ControllerKey, controller)
      if (options.store) {
        checkStore(store, 'createServerRestitch()')
        return
      }
      store.start()
      onUnmount(app, store.stop)
    },
  }
}

/** Vue has no hook for it before 3.5. */
export function onUnmount(app: App, run: () => void): void {
  const { unmount } = app
  app.unmount = () => {
    unmount()
    run()
  }
}

/**
 * Gives a store of its own to the composables of all components below this one. Call it in `setup`.
 *
 * @example
 * const controller = provideRestitch({ managers: getDefaultManagers() })
 * @see docs/api/createRestitch.md#providerestitch
 */
export function provideRestitch(options: RestitchOptions = {}): Controller {
  const store = openVueStore(options)
  provide(ControllerKey, store.controller)
  if (!options.store) {
    store.start()
    // Components below end first.
    onScopeDispose(() => store.controller.clock.setTimeout(store.stop, 0))
  }
  return store.controller
}

export function openVueStore(options: RestitchOptions): Store {
  return openStore(options, { provider: 'createRestitch()', server: 'createServerRestitch()' })
}
