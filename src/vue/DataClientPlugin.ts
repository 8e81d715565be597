import { type App, customRef, provide, type Ref } from 'vue'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Manager } from '../managers/Manager.ts'
import type { State } from '../store/stateShape.ts'
import { onUnmount, openVueStore, type RestitchOptions } from './createRestitch.ts'
import { ControllerKey } from './useController.ts'

/**
 * The options of `DataClientPlugin` and `createDataClient`.
 *
 * @example
 * const options: ProvideOptions = { managers: [new LogoutManager(), ...getDefaultManagers()] }
 * @see docs/api/createRestitch.md#dataclientplugin
 */
export interface ProvideOptions extends Omit<RestitchOptions, 'store'> {
  /** The app that gets the store; without it, the components below the one whose `setup` runs. */
  readonly app?: App | undefined
}

/** A store that is started and stopped by hand. */
export interface ProvidedDataClient {
  readonly controller: Controller
  /** The committed state. */
  readonly stateRef: Readonly<Ref<State>>
  start(): void
  stop(): void
}

/**
 * The plugin by the name that it has in data-client. New code uses `createRestitch`.
 *
 * @example
 * createApp(App).use(DataClientPlugin, { managers: getDefaultManagers() }).mount('#app')
 * @see docs/api/createRestitch.md#dataclientplugin
 */
export const DataClientPlugin: { install(app: App, options?: ProvideOptions): ProvidedDataClient } = {
  install(app, options) {
    const client = createDataClient({ ...options, app })
    app.config.globalProperties['$dataClient'] = client.controller
    client.start()
    onUnmount(app, client.stop)
    return client
  },
}

/**
 * Gives a store to an app, or to the components below, and leaves it to you to start it. New code uses `createRestitch` or
 * `provideRestitch`.
 *
 * @example
 * const { controller, start, stop } = createDataClient({ app: createApp(App) })
 * @see docs/api/createRestitch.md#createdataclient
 */
export function createDataClient({
  app,
  managers = getDefaultManagers(),
  ...options
}: ProvideOptions = {}): ProvidedDataClient {
  let notify = (): void => {}
  const watching: Manager = {
    middleware: () => (next) => (action) => next(action).finally(notify),
    cleanup() {},
  }
  const { controller, getState, start, stop } = openVueStore({ ...options, managers: [watching, ...managers] })
  const stateRef = customRef<State>((track, trigger) => {
    notify = trigger
    return {
      get() {
        track()
        return getState()
      },
      set() {},
    }
  })
  if (app) {
    app.provide(ControllerKey, controller)
  } else {
    provide(ControllerKey, controller)
  }
  return { controller, stateRef, start, stop }
}
