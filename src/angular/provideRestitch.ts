import {
  type EnvironmentProviders,
  inject,
  makeEnvironmentProviders,
  makeStateKey,
  NgZone,
  provideEnvironmentInitializer,
  REQUEST,
  TransferState,
} from '@angular/core'
import { systemClock } from '../base/clock.ts'
import { checkStore, openStore, type ProviderOptions } from '../binding/openStore.ts'
import { createServerStore, type ServerStoreOptions } from '../binding/serverStore.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { type Context, CONTEXT, createContext, type ServerEnd } from './context.ts'

/**
 * The options of a store, or a store.
 *
 * @example
 * const options: RestitchOptions = { managers: getDefaultManagers() }
 * @see docs/api/provideRestitch.md#restitchoptions
 */
export type RestitchOptions = ProviderOptions

/** Where the state of the server stands among what Angular transfers. */
const STATE = /* @__PURE__ */ makeStateKey<object>('restitch')

/**
 * Gives a store to an app, or to the components of a route. The store stops when that is destroyed. A function creates the options for each app,
 * and may call `inject()`.
 *
 * @example
 * const providers = [provideRestitch()]
 * @see docs/api/provideRestitch.md
 */
export function provideRestitch(options: RestitchOptions | (() => RestitchOptions) = {}): EnvironmentProviders {
  return provideContext(() => {
    const given = typeof options === 'function' ? options() : options
    const page = inject(TransferState).get<object | undefined>(STATE, undefined)
    const initialState = page && deserializeState(JSON.stringify(page))
    const all = initialState && !given.store ? { ...given, initialState } : given
    const store = openStore(all, { provider: 'provideRestitch()', server: 'provideServerRestitch()' })
    if (given.store) {
      checkStore(store, 'provideServerRestitch()')
    } else {
      inject(NgZone).runOutsideAngular(() => store.start())
    }
    return createContext(store, given.store !== undefined)
  })
}

/**
 * Gives a store to an app that a server renders: one for each request. The page waits for its data, and the state goes into it, so that the
 * browser hydrates without a request. Add it to the server's configuration of the app, after that of the browser.
 *
 * @example
 * const providers = [provideServerRestitch({ timeout: 5_000 })]
 * @see docs/api/provideRestitch.md#provideserverrestitch
 */
export function provideServerRestitch(
  options: ServerStoreOptions | (() => ServerStoreOptions) = {},
): EnvironmentProviders {
  return provideContext(() => {
    const given = typeof options === 'function' ? options() : options
    const all = { signal: inject(REQUEST, { optional: true })?.signal, ...given }
    // Before the store, which aborts its requests: the page keeps what it shows.
    const end = createEnd(all)
    const { store } = createServerStore(all)
    inject(TransferState).onSerialize(STATE, () => JSON.parse(serializeState(store.getState())) as object)
    return createContext(store, false, end)
  })
}

/** When a server sends no more requests. */
function createEnd({ timeout, signal }: ServerStoreOptions): ServerEnd {
  let isOver = signal?.aborted === true
  const promise = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true
      resolve()
    }
    if (timeout !== undefined) {
      systemClock.setTimeout(end, timeout)
    }
    signal?.addEventListener('abort', end)
    if (isOver) {
      resolve()
    }
  })
  return { isOver: () => isOver, promise }
}

/** A store is created with the app, whether a component reads it or not: its managers may have something to do. */
function provideContext(create: () => Context): EnvironmentProviders {
  return makeEnvironmentProviders([
    { provide: CONTEXT, useFactory: create },
    provideEnvironmentInitializer(() => void inject(CONTEXT)),
  ])
}
