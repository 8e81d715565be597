import { type Clock, pause } from '../base/clock.ts'

// The other tabs of the app: they share the storage, the cookies and the session.

/** A message to the other tabs. It names a session by the id that `signIn` gave it, never by a token. */
export interface TabMessage {
  readonly type: 'in' | 'out'
  readonly session: string | undefined
}

/** Browsers show a tab what another has written to `localStorage` some milliseconds later. */
export const LAG = 100
/** Milliseconds after which a lease counts as left behind, by a tab that crashed. */
const LEASE = 15_000

/**
 * Runs it in one tab at a time. The next tab begins after `linger`. Pages without Web Locks, such as those of a plain `http:`
 * address in a local network, use a lease in `localStorage`; without that, too, every tab runs on its own.
 */
export async function runAlone(
  name: string,
  clock: Clock,
  run: () => Promise<void>,
  linger: () => Promise<void>,
): Promise<void> {
  const { navigator } = globalThis as { navigator?: { readonly locks?: LockManager } }
  return new Promise((resolve, reject) => {
    let hasBegun = false
    const runHere = async (): Promise<void> => {
      hasBegun = true
      await run().then(resolve, reject)
      await linger()
    }
    const runWithLease = (): Promise<void> => holdLease(name, clock, runHere)
    if (navigator?.locks) {
      navigator.locks.request(name, runHere).catch(() => {
        // Sandboxed frames may not use locks.
        if (!hasBegun) {
          void runWithLease()
        }
      })
    } else {
      void runWithLease()
    }
  })
}

async function holdLease(name: string, clock: Clock, run: () => Promise<void>): Promise<void> {
  const id = String(Math.random())
  const key = `${name} lease`
  let storage: Storage | undefined
  try {
    storage = (globalThis as { localStorage?: Storage }).localStorage
    await (storage && takeLease(storage, key, id, clock))
  } catch {
    // The storage is full or forbidden.
    storage = undefined
  }
  const release = (): void => {
    if (storage?.getItem(key) === id) {
      storage.removeItem(key)
    }
  }
  const { addEventListener, removeEventListener } = globalThis as unknown as Partial<Window>
  addEventListener?.('pagehide', release)
  try {
    await run()
  } finally {
    removeEventListener?.('pagehide', release)
    release()
  }
}

/**
 * Writes its own id where there is none, waits until all tabs see the last id written, and owns the lease if that is its own.
 * Ids are compared and no times: the clocks of two tabs may differ.
 */
async function takeLease(storage: Storage, key: string, id: string, clock: Clock): Promise<void> {
  let known: string | null = null
  for (let waited = 0; ; waited += LAG) {
    const owner = storage.getItem(key)
    if (owner === id) {
      return
    }
    if (owner !== known) {
      known = owner
      waited = 0
    }
    if (owner === null || waited >= LEASE) {
      storage.setItem(key, id)
      known = id
    }
    await pause(clock, LAG)
  }
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
