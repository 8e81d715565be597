/** One write of a transaction: the value of a key, or `undefined` to delete it. */
export type DiskWrite = readonly [key: string, value: unknown]

/** The values that a transaction has read, by key, in the order of keys. */
export type DiskFound = ReadonlyMap<string, unknown>

/** How sure a write is when its promise resolves: with `strict` it survives a loss of power. */
export type Durability = 'strict' | 'relaxed'

/**
 * An open database of `DiskStorage`.
 *
 * @example
 * const count = (database: DiskDatabase) => database.transact(['visits'], (found) => [['visits', Number(found.get('visits') ?? 0) + 1]])
 * @see docs/api/DiskStorage.md#diskdatabase
 */
export interface DiskDatabase {
  /**
   * Reads, decides and writes in one transaction: all of its writes are stored, or none of them.
   *
   * @param keys what is read: a key, or with a `/` at its end all keys that begin so
   * @param decide returns the writes. It is synchronous, and may run again if the transaction fails
   */
  transact(
    keys: readonly string[],
    decide: (found: DiskFound) => Iterable<DiskWrite>,
    durability?: Durability,
  ): Promise<void>
  /**
   * Reads all keys that begin so, in their order and some at a time, so that the page can respond in between. Resolves when all were given to `take`.
   * Without it they are read at once.
   */
  readParts?(range: string, take: (part: DiskFound) => void): Promise<void>
  /**
   * Stores writes without a response, unless there is a key `unless`: for the moment in which a page ends, when no callback comes any more.
   * All of them are stored, or none.
   */
  writeLast?(writes: Iterable<DiskWrite>, unless: string): void
  close(): void
}

/**
 * Where data is stored: databases of keys and values. Values are what the structured clone algorithm can copy.
 *
 * @example
 * createStore({ managers: [persist({ name: 'shop', storage: indexedDBStorage() }), ...getDefaultManagers()] })
 * @see docs/api/DiskStorage.md
 */
export interface DiskStorage {
  /** Opens a database, and creates it where there is none. */
  open(name: string): Promise<DiskDatabase>
  /** Asks the platform not to evict the data. Resolves to its response; `undefined` where it has none. */
  keep?(): Promise<boolean | undefined>
}

/** True for the name of all keys that begin so. */
export function isRange(key: string): boolean {
  return key.endsWith('/')
}
