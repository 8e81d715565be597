/**
 * The state of the database of a store.
 *
 * | state     | meaning                                                          |
 * | --------- | ---------------------------------------------------------------- |
 * | `closed`  | nobody is signed in, or the store is stopped                     |
 * | `opening` | the storage has not responded yet                                |
 * | `open`    | rows are stored                                                  |
 * | `memory`  | there is no storage, or it fails: all data is gone with the page |
 */
export type PersistedStatus = 'closed' | 'opening' | 'open' | 'memory'

/**
 * The database of a store with `persist`, as `store.persisted` shows it.
 *
 * @example
 * const isSaved = (store: Store) => store.persisted?.status === 'open'
 * @see docs/api/persist.md#persisted
 */
export interface Persisted {
  readonly status: PersistedStatus
  /** The browser has promised not to evict the data; `undefined` if it was not asked, or does not say. */
  readonly durable: boolean | undefined
  /** How many rows are stored, and the length of their text. */
  readonly rows: number
  readonly bytes: number
  /** When rows were last written, in epoch milliseconds. */
  readonly lastWrittenAt: number | undefined
  /** Resolves when the rows of the user have been restored, or cannot be. */
  readonly ready: Promise<void>
  /** Calls the listener when one of these members has changed. Returns the function that ends it. */
  subscribe(listener: () => void): () => void
  /** Deletes all stored rows of the user. Data on the screen and entries of the outbox stay. */
  wipe(): Promise<void>
}
