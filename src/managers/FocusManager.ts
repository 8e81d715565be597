import type { Middleware } from '../controller/chain.ts'
import type { Controller } from '../controller/Controller.ts'
import {
  type ConnectionListener,
  DefaultConnectionListener,
  type Emitter,
  type Page,
  platform,
} from './ConnectionListener.ts'
import type { Manager } from './Manager.ts'

/** Where a FocusManager learns that the user is back. */
export interface FocusManagerOptions {
  readonly connectionListener?: ConnectionListener | undefined
  readonly page?: Page | undefined
  readonly window?: Partial<Emitter> | undefined
}

/** Within so many milliseconds several events are one return. */
const PAUSE = 1_000

/**
 * Asks for stale data that is on the screen when the user or the connection comes back.
 *
 * @example
 * createStore({ managers: [new FocusManager(), ...getDefaultManagers()] })
 * @see docs/api/FocusManager.md
 */
export class FocusManager implements Manager {
  declare readonly middleware: Middleware
  declare readonly init: () => void
  declare readonly cleanup: () => void

  constructor({
    connectionListener = new DefaultConnectionListener(),
    page = platform().document,
    window = platform().window,
  }: FocusManagerOptions = {}) {
    let controller: Controller | undefined
    let last = -Infinity
    // The same for every store, so that `cleanup` removes what `init` added.
    const look = (): void => {
      const { clock, core } = controller!
      const now = clock.now()
      if (page?.visibilityState === 'hidden' || now - last < PAUSE) {
        return
      }
      last = now
      core.views.judge()
    }
    this.middleware = (api) => {
      controller = api
      last = -Infinity
      return (next) => next
    }
    this.init = () => {
      if (!page && !window) {
        return
      }
      connectionListener.addOnlineListener(look)
      page?.addEventListener('visibilitychange', look)
      window?.addEventListener?.('focus', look)
    }
    this.cleanup = () => {
      connectionListener.removeOnlineListener(look)
      page?.removeEventListener('visibilitychange', look)
      window?.removeEventListener?.('focus', look)
    }
  }
}
