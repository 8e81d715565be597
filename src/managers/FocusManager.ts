import type { Middleware } from '../controller/Middleware.ts'
import type { Controller } from '../controller/Controller.ts'
import type { ConnectionListener } from './ConnectionListener.ts'
import type { Emitter, Page } from './globals.ts'
import type { Manager } from './Manager.ts'
import { watchFocus } from './watchFocus.ts'

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

  constructor(options: FocusManagerOptions = {}) {
    let controller: Controller
    let end: (() => void) | undefined
    this.middleware = (api) => {
      controller = api
      return (next) => next
    }
    this.init = () => {
      end = watchFocus(controller, options)
    }
    this.cleanup = () => end?.()
  }
}
