import { type DiskDatabase, type DiskFound, type DiskStorage, type DiskWrite, isRange } from './DiskStorage.ts'

/** So many keys are read at a time. */
const PART = 1_000

/** The object store that holds all keys. */
const ROWS = 'rows'

/**
 * The storage of browsers, and the default. Each database is one of IndexedDB, with one object store.
 *
 * @example
 * const storage = indexedDBStorage()
 * @see docs/api/DiskStorage.md#indexeddbstorage
 */
export function indexedDBStorage(): DiskStorage {
  return {
    async open(name) {
      const opening = indexedDB.open(name, 1)
      opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(ROWS))
      const database = await done(opening)
      // The page that deletes it must not wait for this one.
      database.addEventListener('versionchange', () => database.close())
      return databaseOf(database)
    },
    async keep() {
      return await (globalThis as { navigator?: Partial<Navigator> }).navigator?.storage?.persist?.()
    },
  }
}

function databaseOf(database: IDBDatabase): DiskDatabase {
  return {
    transact(keys, decide, durability = 'relaxed') {
      return new Promise((resolve, reject) => {
        const transaction = database.transaction(ROWS, 'readwrite', { durability })
        let thrown: unknown
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () => reject(thrown ?? transaction.error ?? new Error('Aborted')))
        const rows = transaction.objectStore(ROWS)
        readAll(rows, keys, (found) => {
          try {
            for (const write of decide(found)) {
              writeOne(rows, write)
            }
          } catch (error) {
            thrown = error
            transaction.abort()
          }
        })
      })
    },
    readParts(range, take) {
      return new Promise((resolve, reject) => {
        const transaction = database.transaction(ROWS, 'readonly')
        transaction.addEventListener('complete', () => resolve())
        transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('Aborted')))
        const rows = transaction.objectStore(ROWS)
        const readNext = (after?: string): void => {
          readRange(rows, rangeOf(range, after), PART, (part, last) => {
            if (part.size === PART) {
              readNext(last)
            }
            take(part)
          })
        }
        readNext()
      })
    },
    writeLast(writes, unless) {
      const transaction = database.transaction(ROWS, 'readwrite', { durability: 'relaxed' })
      const rows = transaction.objectStore(ROWS)
      // It fails where there is such a key, and the transaction with it: nobody is there to read and decide.
      rows.add(true, unless)
      rows.delete(unless)
      for (const write of writes) {
        writeOne(rows, write)
      }
      transaction.commit()
    },
    close: () => database.close(),
  }
}

function writeOne(rows: IDBObjectStore, [key, value]: DiskWrite): void {
  if (value === undefined) {
    rows.delete(key)
  } else {
    rows.put(value, key)
  }
}

/** All keys that begin so; those after a key. */
function rangeOf(key: string, after?: string): IDBKeyRange {
  // No key has a character above this one at that place.
  return IDBKeyRange.bound(after ?? key, `${key}\uffff`, after !== undefined)
}

/** Reads the first of these keys, in the callback of its last request. */
function readRange(
  rows: IDBObjectStore,
  range: IDBKeyRange,
  most: number | undefined,
  then: (found: DiskFound, last: string) => void,
): void {
  const names = rows.getAllKeys(range, most)
  const values = rows.getAll(range, most)
  values.addEventListener('success', () => {
    const keys = names.result.map(String)
    then(new Map(keys.map((name, i) => [name, values.result[i]])), keys.at(-1) ?? '')
  })
}

/** Reads within a transaction: in a callback of its last request it is still active, after a promise it may not be. */
function readAll(rows: IDBObjectStore, keys: readonly string[], then: (found: DiskFound) => void): void {
  const found = new Map<string, unknown>()
  let open = keys.length
  const end = (): void => {
    if (--open === 0) {
      then(found)
    }
  }
  for (const key of keys) {
    if (isRange(key)) {
      readRange(rows, rangeOf(key), undefined, (all) => {
        all.forEach((value, name) => found.set(name, value))
        end()
      })
    } else {
      const value = rows.get(key)
      value.addEventListener('success', () => {
        if (value.result !== undefined) {
          found.set(key, value.result)
        }
        end()
      })
    }
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
