/** Says something to all other tabs of one name, without words: they look at the database. */
export class Shout {
  private readonly channel: BroadcastChannel | undefined

  constructor(name: string, onShout: () => void) {
    const { BroadcastChannel: Channel } = globalThis as { BroadcastChannel?: typeof BroadcastChannel }
    try {
      this.channel = Channel && new Channel(name)
    } catch {
      // Sandboxed frames may not have one.
    }
    this.channel?.addEventListener('message', onShout)
    // In Node a channel keeps the process alive.
    ;(this.channel as { unref?(): void } | undefined)?.unref?.()
  }

  shout(): void {
    // The other tabs of this origin, and nobody else.
    this.channel?.postMessage(0)
  }

  close(): void {
    this.channel?.close()
  }
}
