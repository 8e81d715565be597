import { checkStore } from '../binding/openStore.ts'
import { createServerStore, type ServerStoreOptions } from '../binding/serverStore.ts'
import { renderState, type StateScriptOptions } from '../binding/stateScript.ts'
import type { Restitch } from './createRestitch.ts'
import { ControllerKey } from './useController.ts'

/** The plugin for one request to a server. */
export interface ServerRestitch extends Restitch {
  /** The state as a script element, for the end of the page: `getInitialData()` reads it in the browser. */
  renderState(options?: StateScriptOptions): string
}

/**
 * The plugin of an app that a server renders. Create one for each request: components wait for their data, and the state goes into the page.
 *
 * @example
 * const restitch = createServerRestitch({ timeout: 5_000 })
 * const html = await renderToString(createSSRApp(VueApp).use(restitch))
 * const page = `<div id="app">${html}</div>${restitch.renderState({ nonce })}`
 * @see docs/api/createServerRestitch.md
 */
export function createServerRestitch(options: ServerStoreOptions = {}): ServerRestitch {
  const { store } = createServerStore(options)
  const { controller } = store
  return {
    store,
    controller,
    install(app) {
      checkStore(store, 'createServerRestitch()')
      app.provide(ControllerKey, controller)
    },
    renderState: (options) => renderState(store.getState(), options),
  }
}
