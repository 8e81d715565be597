import type { Middleware } from '../controller/actions.ts'
import type { Controller } from '../controller/Controller.ts'
import type { Core } from '../controller/Core.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { ConnectionListener } from './ConnectionListener.ts'
import { type Emitter, type Page, platform } from './globals.ts'
import type { Manager } from './Manager.ts'

/** Options of a FocusManager: the data it refetches, and how it learns that the user is back. */
export interface FocusManagerOptions {
  /** Whether stale data is refetched when the user comes back to the page, for endpoints that do not say; by default it is. */
  readonly refetchOnFocus?: boolean | undefined
  /** Whether stale data is refetched when the connection comes back, for endpoints that do not say; by default it is. */
  readonly refetchOnReconnect?: boolean | undefined
  /** Replaces the `online` event of `window`. */
  readonly connectionListener?: ConnectionListener | undefined
  readonly page?: Page | undefined
  readonly window?: Partial<Emitter> | undefined
}

/** Events of one kind within so many milliseconds count once. */
const PAUSE = 1_000

/**
 * Refetches stale data that is on the screen when the user or the connection comes back.
 *
 * @example
 * createStore({ managers: getDefaultManagers({ focusManager: { refetchOnFocus: false } }) })
 * @see docs/api/FocusManager.md
 */
export class FocusManager implements Manager {
  declare readonly middleware: Middleware
  declare readonly init: () => void
  declare readonly cleanup: () => void

  constructor({
    connectionListener,
    page = platform().document,
    window = platform().window,
    refetchOnFocus = true,
    refetchOnReconnect = true,
  }: FocusManagerOptions = {}) {
    let controller: Controller | undefined
    const last = { refetchOnFocus: -Infinity, refetchOnReconnect: -Infinity }
    // The same for every store, so that `cleanup` removes what `init` added.
    const lookFor = (option: keyof typeof last, isDefault: boolean) => (): void => {
      const { clock, core } = controller!
      const now = clock.now()
      if (page?.visibilityState === 'hidden' || now - last[option] < PAUSE) {
        return
      }
      last[option] = now
      refetchStale(core, (endpoint) => endpoint[option] ?? isDefault)
    }
    const onFocus = lookFor('refetchOnFocus', refetchOnFocus)
    const onReconnect = lookFor('refetchOnReconnect', refetchOnReconnect)
    this.middleware = (api) => {
      controller = api
      last.refetchOnFocus = last.refetchOnReconnect = -Infinity
      return (next) => next
    }
    this.init = () => {
      if (!page && !window) {
        return
      }
      if (connectionListener) {
        connectionListener.addOnlineListener(onReconnect)
      } else {
        // Not by DefaultConnectionListener, which browsers load with polling.
        window?.addEventListener?.('online', onReconnect)
      }
      page?.addEventListener('visibilitychange', onFocus)
      window?.addEventListener?.('focus', onFocus)
    }
    this.cleanup = () => {
      connectionListener?.removeOnlineListener(onReconnect)
      window?.removeEventListener?.('online', onReconnect)
      page?.removeEventListener('visibilitychange', onFocus)
      window?.removeEventListener?.('focus', onFocus)
    }
  }
}

/** Refetches stale data of mounted readers whose endpoints pass the test. */
export function refetchStale({ mounted, store }: Core, test: (endpoint: EndpointInterface) => boolean): void {
  for (const view of mounted) {
    if (view.active > 0 && test(view.target as EndpointInterface)) {
      view.result.asked = 0
      view.check(store.clock.now())
    }
  }
}
