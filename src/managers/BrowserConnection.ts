import type { ConnectionListener } from './ConnectionListener.ts'
import { platform } from './globals.ts'

/**
 * Reports the connection of the browser; other platforms count as online.
 *
 * @example
 * new DefaultConnectionListener().isOnline()
 * @see docs/api/ConnectionListener.md#defaultconnectionlistener
 */
export class BrowserConnection implements ConnectionListener {
  isOnline(): boolean {
    // Platforms that cannot tell leave it undefined.
    return platform().navigator?.onLine !== false
  }
  addOnlineListener(handler: () => void): void {
    platform().addEventListener?.('online', handler)
  }
  removeOnlineListener(handler: () => void): void {
    platform().removeEventListener?.('online', handler)
  }
  addOfflineListener(handler: () => void): void {
    platform().addEventListener?.('offline', handler)
  }
  removeOfflineListener(handler: () => void): void {
    platform().removeEventListener?.('offline', handler)
  }
}
