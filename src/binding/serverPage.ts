import type { Store } from '../client/createStore.ts'
import type { Controller } from '../controller/Controller.ts'
import { checkStore } from './openStore.ts'
import { createServerStore, type ServerStoreOptions } from './serverStore.ts'
import { renderState, type StateScriptOptions } from './stateScript.ts'

/** How often a page is rendered: a component whose arguments differ each time would go on for ever. */
const MOST_TIMES = 10

/**
 * The store of one request to a server, in Svelte and Solid.
 *
 * @see docs/api/createServerRestitch.md#solid
 */
export interface ServerRestitch {
  readonly store: Store
  readonly controller: Controller
  /**
   * Renders until all data is there, for frameworks that do not wait while they render. Data that a page shows may be the argument of another
   * request, so it renders once more while a component has shown that it loads, at most ten times.
   */
  render<T>(page: () => T | Promise<T>): Promise<T>
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
  const { store, rest } = createServerStore(options)
  const { controller } = store
  return {
    store,
    controller,
    async render(page) {
      checkStore(store, 'createServerRestitch()')
      let html = await page()
      for (let times = 1; times < MOST_TIMES && rest.isHeld(); times++) {
        await rest.end()
        html = await page()
      }
      return html
    },
    renderState: (options) => renderState(store.getState(), options),
  }
}
