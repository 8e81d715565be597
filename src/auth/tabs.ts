// The other tabs of the app: they share the storage, the cookies and the session.

/** A message to the other tabs. It names a session by the id that `signIn` gave it, never by a token. */
export interface TabMessage {
  readonly type: 'in' | 'out'
  readonly session: string | undefined
}

/** Runs it in one tab at a time, where the platform has locks. The next tab begins after `linger`. */
export async function runAlone(name: string, run: () => Promise<void>, linger: () => Promise<void>): Promise<void> {
  const { navigator } = globalThis as { navigator?: { readonly locks?: LockManager } }
  if (!navigator?.locks) {
    return run()
  }
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const runHere = async (): Promise<void> => {
      hasBegun = true
      await run().then(resolve, reject)
      await linger()
    }
    navigator.locks!.request(name, runHere).catch(() => {
      // Sandboxed frames may not use locks.
      if (!hasBegun) {
        run().then(resolve, reject)
      }
    })
  })
}

/** Notifies the other tabs, and listens to them while it is open. */
export function createChannel(name: string, onMessage: (message: TabMessage) => void) {
  const { BroadcastChannel: Channel } = globalThis as { BroadcastChannel?: typeof BroadcastChannel }
  let channel: BroadcastChannel | undefined
  return {
    open(): void {
      if (Channel && !channel) {
        channel = new Channel(name)
        channel.addEventListener('message', ({ data }) => onMessage(data as TabMessage))
        // In Node a channel keeps the process alive.
        ;(channel as { unref?(): void }).unref?.()
      }
    },
    close(): void {
      channel?.close()
      channel = undefined
    },
    post(message: TabMessage): void {
      // The other tabs of this origin, and nobody else.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      channel?.postMessage(message)
    },
  }
}
