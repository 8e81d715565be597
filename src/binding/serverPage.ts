import type { Store } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { createServerStore, type ServerStoreOptions } from './serverStore.ts'
import { renderState, type StateScriptOptions } from './stateScript.ts'

/**
 * The store of one request to a server, in Svelte and Solid.
 *
 * @see docs/api/createServerRestitch.md#solid
 */
export interface ServerRestitch {
  readonly store: Store
  readonly controller: Controller
  /** The state as a script element, for the end of the page: `getInitialData()` reads it in the browser. */
  renderState(options?: StateScriptOptions): string
}

/**
 * The store of an app that a server renders. Create one for each request: the page waits for its data, and the state goes into it.
 *
 * @example
 * const restitch = createServerRestitch({ timeout: 5_000 })
 * const script = () => restitch.renderState({ nonce })
 * @see docs/api/createServerRestitch.md#solid
 */
export function createServerRestitch(options: ServerStoreOptions = {}): ServerRestitch {
  const { store } = createServerStore(options)
  return {
    store,
    controller: store.controller,
    renderState: (options) => renderState(store.getState(), options),
  }
}
