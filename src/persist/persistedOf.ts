import type { Persisted, PersistedStatus } from '../controller/Persisted.ts'
import type { Disk } from '../disk/Disk.ts'
import type { Restorer } from './Restorer.ts'
import type { Saver } from './Saver.ts'

/**
 * The database of a store, as its app sees it.
 *
 * @param ready returns the promise that rows have been restored, or cannot be
 */
export function persistedOf(disk: Disk, saver: Saver, restorer: Restorer, ready: () => Promise<void>): Persisted {
  const listeners = new Set<() => void>()
  const tell = (): void => listeners.forEach((listener) => listener())
  saver.onChange = tell
  disk.listeners.add(tell)
  return {
    get status(): PersistedStatus {
      return saver.isFailing ? 'memory' : disk.status
    },
    get durable() {
      return disk.durable
    },
    get rows() {
      return saver.saved.size
    },
    get bytes() {
      return saver.bytes
    },
    get lastWrittenAt() {
      return saver.lastWrittenAt
    },
    get ready() {
      return ready()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    wipe: () => restorer.wipe(),
  }
}
