import { browser } from '$app/environment'
import { createStore, type Store } from 'restitch'
import { getInitialData, type ServerRestitch } from 'restitch/svelte'

/** The state of one request on the server. */
export interface Visit {
  readonly restitch: ServerRestitch
  /** Calls the routes of this app directly. */
  readonly fetch: typeof fetch
}

/** On the server, `hooks.server.ts` sets where the visit of the current request is. */
export const server: { visit: () => Visit | undefined } = { visit: () => undefined }

// The browser has one store, which starts with what the page has brought.
const own = browser ? createStore({ initialState: getInitialData() }) : undefined

/** The store of the browser, or that of the current request. */
export function currentStore(): Store {
  return own ?? server.visit()!.restitch.store
}
