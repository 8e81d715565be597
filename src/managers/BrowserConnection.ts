import type { ConnectionListener } from './ConnectionListener.ts'
import type { Globals } from './globals.ts'

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
    return (globalThis as Globals).navigator?.onLine !== false
  }
  addOnlineListener(handler: () => void): void {
    ;(globalThis as Globals).addEventListener?.('online', handler)
  }
  removeOnlineListener(handler: () => void): void {
    ;(globalThis as Globals).removeEventListener?.('online', handler)
  }
  addOfflineListener(handler: () => void): void {
    ;(globalThis as Globals).addEventListener?.('offline', handler)
  }
  removeOfflineListener(handler: () => void): void {
    ;(globalThis as Globals).removeEventListener?.('offline', handler)
  }
}
