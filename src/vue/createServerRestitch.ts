import { warnOfSharedStore } from '../advice/misuse.ts'
import { DEV } from '../base/env.ts'
import { DEFAULT_ID, escapeJson } from '../binding/initialData.ts'
import { createServerStore, type ServerStoreOptions } from '../binding/serverStore.ts'
import { serializeState } from '../client/serialize.ts'
import type { Restitch } from './createRestitch.ts'
import { ControllerKey } from './useController.ts'

/** The plugin for one request to a server. */
export interface ServerRestitch extends Restitch {
  /** The state as a script element, for the end of the page: `getInitialData()` reads it in the browser. */
  renderState(options?: { readonly id?: string | undefined; readonly nonce?: string | undefined }): string
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
      if (DEV) {
        warnOfSharedStore(store, 'createServerRestitch()')
      }
      app.provide(ControllerKey, controller)
    },
    renderState({ id = DEFAULT_ID, nonce } = {}) {
      const attributes = { id, ...(nonce !== undefined && { nonce }) }
      const text = Object.entries(attributes).map(([name, value]) => ` ${name}="${value.replace(/"/g, '&quot;')}"`)
      return `<script type="application/json"${text.join('')}>${escapeJson(serializeState(store.getState()))}</script>`
    },
  }
}
