import { type DiskDatabase, type DiskStorage, isRange } from './DiskStorage.ts'

/**
 * A storage in memory, for tests. Each call makes one of its own; stores that share it are tabs of one browser.
 *
 * @example
 * const storage = memoryStorage()
 * createStore({ managers: [persist({ name: 'shop', storage }), ...getDefaultManagers()] })
 * @see docs/api/DiskStorage.md#memorystorage
 */
export function memoryStorage(): DiskStorage {
  const all = new Map<string, Map<string, unknown>>()
  return {
    open(name) {
      const rows = all.get(name) ?? new Map<string, unknown>()
      all.set(name, rows)
      return Promise.resolve(databaseOf(rows))
    },
  }
}

function databaseOf(rows: Map<string, unknown>): DiskDatabase {
  const read = (keys: readonly string[]): Map<string, unknown> => {
    const names = [...rows.keys()].filter((name) =>
      keys.some((key) => (isRange(key) ? name.startsWith(key) : name === key)),
    )
    return new Map(names.toSorted().map((name) => [name, structuredClone(rows.get(name))]))
  }
  return {
    async transact(keys, decide) {
      // Never in the caller's stack, as in a browser.
      await Promise.resolve()
      const writes = [...decide(read(keys))].map(([key, value]) => [key, structuredClone(value)] as const)
      for (const [key, value] of writes) {
        if (value === undefined) {
          rows.delete(key)
        } else {
          rows.set(key, value)
        }
      }
    },
    close() {},
  }
}
