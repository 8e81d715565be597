import { type App, onScopeDispose, provide } from 'vue'
import { warnOfSharedStore } from '../advice/misuse.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { serverStates } from '../binding/Reader.ts'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { ControllerKey } from './useController.ts'

/** The options of a store, or a store. */
export interface RestitchOptions extends Pick<StoreOptions, 'managers' | 'initialState' | 'Controller' | 'gcPolicy'> {
  /** A store that was made outside; it is neither started nor stopped. */
  readonly store?: Store | undefined
}

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
  const store = openStore(options)
  const { controller } = store
  return {
    store,
    controller,
    install(app) {
      app.provide(ControllerKey, controller)
      if (options.store) {
        if (DEV) {
          warnOfSharedStore(store, 'createServerRestitch()')
        }
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
  const store = openStore(options)
  provide(ControllerKey, store.controller)
  if (!options.store) {
    store.start()
    // Components below end first.
    onScopeDispose(() => store.controller.clock.setTimeout(store.stop, 0))
  }
  return store.controller
}

export function openStore({ store, managers, initialState, Controller, gcPolicy }: RestitchOptions): Store {
  const options = { managers, initialState, Controller, gcPolicy }
  if (store) {
    const [name] = Object.entries(options).find(([, value]) => value !== undefined) ?? []
    if (name) {
      throw fail(
        'provider-props',
        name,
        DEV &&
          `createRestitch() was given "store" and "${name}". A store has its own: give "${name}" to createStore().`,
      )
    }
    return store
  }
  if (DEV && typeof window === 'undefined') {
    warnOnce(
      'createRestitch() is called on a server. Data that its components fetch does not reach the page: use createServerRestitch() there.',
    )
  }
  const made = createStore({ ...options, start: false })
  // It costs the rows of that time that have changed since, so it is kept only where a page may be hydrated.
  if (initialState) {
    serverStates.set(made.controller, made.getState())
  }
  return made
}
