import type { DiskStorage } from '../disk/DiskStorage.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'

/** A storage in memory that holds so many characters. */
export function quotaStorage(most: number): DiskStorage {
  const all = memoryStorage()
  return {
    async open(name) {
      const database = await all.open(name)
      return {
        ...database,
        transact: (keys, decide, durability) =>
          database.transact(
            ['row/', 'entry/', ...keys],
            (found) => {
              const writes = [...decide(found)]
              const next = new Map(found)
              writes.forEach(([key, value]) => (value === undefined ? next.delete(key) : next.set(key, value)))
              const size = [...next].reduce((sum, [key, value]) => sum + key.length + JSON.stringify(value).length, 0)
              if (size > most && writes.some(([, value]) => value !== undefined)) {
                throw Object.assign(new Error('full'), { name: 'QuotaExceededError' })
              }
              return writes
            },
            durability,
          ),
      }
    },
  }
}
