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
export class DefaultConnectionListener implements ConnectionListener {
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

/** A target of event listeners. */
export interface Emitter {
  addEventListener(type: string, handler: () => void): void
  removeEventListener(type: string, handler: () => void): void
}

/** A page that can be seen or not. A `document` is one. */
export interface Page extends Emitter {
  readonly visibilityState?: string | undefined
}

interface Platform extends Partial<Emitter> {
  readonly navigator?: { readonly onLine?: boolean } | undefined
  readonly document?: Page | undefined
  readonly window?: Partial<Emitter> | undefined
}

/** The globals, any of which may be missing. */
export function platform(): Platform {
  return globalThis
}
