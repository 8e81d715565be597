import type { ConnectionListener } from '../managers/ConnectionListener.ts'
import type { Page } from '../managers/globals.ts'

/** A network connection that a test turns off and on. */
export class TestConnection implements ConnectionListener {
  private online = true
  private readonly up = new Set<() => void>()
  private readonly down = new Set<() => void>()
  isOnline(): boolean {
    return this.online
  }
  addOnlineListener(handler: () => void): void {
    this.up.add(handler)
  }
  removeOnlineListener(handler: () => void): void {
    this.up.delete(handler)
  }
  addOfflineListener(handler: () => void): void {
    this.down.add(handler)
  }
  removeOfflineListener(handler: () => void): void {
    this.down.delete(handler)
  }
  /** The number of listeners. */
  get size(): number {
    return this.up.size + this.down.size
  }
  turn(online: boolean): void {
    this.online = online
    for (const handler of online ? this.up : this.down) {
      handler()
    }
  }
}

/** A page, or a window, that a test hides and shows. */
export class TestPage implements Page {
  visibilityState: string | undefined = 'visible'
  private readonly handlers = new Map<() => void, string>()
  addEventListener(type: string, handler: () => void): void {
    this.handlers.set(handler, type)
  }
  removeEventListener(type: string, handler: () => void): void {
    if (this.handlers.get(handler) === type) {
      this.handlers.delete(handler)
    }
  }
  /** The number of listeners. */
  get size(): number {
    return this.handlers.size
  }
  /** Dispatches an event. */
  tell(type: string): void {
    for (const [handler, one] of this.handlers) {
      if (one === type) {
        handler()
      }
    }
  }
  turn(state: 'visible' | 'hidden'): void {
    this.visibilityState = state
    this.tell('visibilitychange')
  }
}
