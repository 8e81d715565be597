import { NetworkManager } from './NetworkManager.ts'

/**
 * Sends reads when the page has nothing better to do, so that they do not disturb an animation.
 *
 * @example
 * createStore({ managers: getDefaultManagers({ networkManager: new IdlingNetworkManager() }) })
 * @see docs/api/NetworkManager.md#idlingnetworkmanager
 */
export class IdlingNetworkManager extends NetworkManager {
  protected override idleCallback(send: () => void, options: { timeout: number }): void {
    const { requestIdleCallback } = globalThis as {
      requestIdleCallback?: (run: () => void, options: object) => unknown
    }
    if (requestIdleCallback) {
      requestIdleCallback(send, options)
    } else {
      send()
    }
  }
}
