import { createStore, type Store } from 'restitch'
import { createServerRestitch, getInitialData, type ServerRestitch } from 'restitch/solid'
import { getRequestEvent, isServer } from 'solid-js/web'

declare module '@solidjs/start/server' {
  interface RequestEventLocals {
    restitch?: ServerRestitch
  }
}

// The browser has one store, which starts with what the page has brought.
const own = isServer ? undefined : createStore({ initialState: getInitialData() })

/** The store of the browser, or on the server that of the current request. */
export function currentStore(): Store {
  if (own) {
    return own
  }
  const { locals, request } = getRequestEvent()!
  locals.restitch ??= createServerRestitch({ timeout: 5_000, signal: request.signal })
  return locals.restitch.store
}
