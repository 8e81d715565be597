import { BrowserConnection } from './BrowserConnection.ts'

/**
 * Knows whether there is a connection, and notifies its listeners of changes.
 *
 * @example
 * new SubscriptionManager(PollingSubscription, { connectionListener: netInfoListener })
 * @see docs/api/ConnectionListener.md
 */
export interface ConnectionListener {
  isOnline(): boolean
  addOnlineListener(handler: () => void): void
  removeOnlineListener(handler: () => void): void
  addOfflineListener(handler: () => void): void
  removeOfflineListener(handler: () => void): void
}

/**
 * Reports the connection of the browser; other platforms count as online.
 *
 * @example
 * new DefaultConnectionListener().isOnline()
 * @see docs/api/ConnectionListener.md#defaultconnectionlistener
 */
// A constant, as PollingSubscription is one: esbuild would load a class with the page.
export const DefaultConnectionListener: typeof BrowserConnection = BrowserConnection
export type DefaultConnectionListener = BrowserConnection
