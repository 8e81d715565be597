// The adapters of docs/guide/offline.md, over doubles of the APIs of React Native.
import { createStore, Entity, getDefaultManagers } from 'restitch'
import { type DiskStorage, persist } from 'restitch/persist'
import { expect, test } from 'vitest'
import { loadBlock } from './guideBlocks.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

/** An MMKV in memory. `after` counts writes: then the app is killed. */
class FakeMMKV {
  private readonly all: Map<string, string>
  private readonly onWrite: () => void
  constructor(all: Map<string, string>, onWrite: () => void) {
    this.all = all
    this.onWrite = onWrite
  }
  getAllKeys(): string[] {
    return [...this.all.keys()]
  }
  getString(key: string): string | undefined {
    return this.all.get(key)
  }
  set(key: string, value: string): void {
    this.onWrite()
    this.all.set(key, value)
  }
  delete(key: string): void {
    this.onWrite()
    this.all.delete(key)
  }
}

/** The part of SQLite that the adapter uses. */
function fakeSqlite(): (name: string) => Promise<any> {
  const databases = new Map<string, Map<string, string>>()
  return async (name) => {
    let rows = databases.get(name) ?? new Map<string, string>()
    databases.set(name, rows)
    let queue: Promise<unknown> = Promise.resolve()
    const database = {
      execAsync: async () => {},
      async runAsync(sql: string, ...values: string[]) {
        if (sql.startsWith('DELETE')) {
          rows.delete(values[0]!)
        } else {
          rows.set(values[0]!, values[1]!)
        }
      },
      getAllAsync: async (_: string, from: string, to: string) =>
        [...rows]
          .filter(([key]) => key >= from && key <= to)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, value]) => ({ key, value })),
      withExclusiveTransactionAsync(task: (transaction: any) => Promise<void>) {
        const run = async (): Promise<void> => {
          const before = new Map(rows)
          try {
            await task(database)
          } catch (error) {
            rows = before
            databases.set(name, rows)
            throw error
          }
        }
        const done = queue.then(run)
        queue = done.catch(() => {})
        return done
      },
      closeAsync: async () => {},
    }
    return database
  }
}

const { mmkvStorage, sqliteStorage } = await loadBlock('offline', 3)
const databases = new Map<string, Map<string, string>>()
const createMMKV = (id: string, onWrite = (): void => {}): FakeMMKV => {
  const all = databases.get(id) ?? new Map<string, string>()
  databases.set(id, all)
  return new FakeMMKV(all, onWrite)
}

test.each<[string, () => DiskStorage]>([
  ['MMKV', () => mmkvStorage((id: string) => createMMKV(id))],
  ['SQLite', () => sqliteStorage(fakeSqlite())],
])('offline: an app with %s starts with its data', async (_, makeStorage) => {
  const storage = makeStorage()
  const open = (user: string): any =>
    createStore({ managers: [persist({ storage, user: () => user }), ...getDefaultManagers()] })
  const first = open('ann')
  await first.persisted.ready
  await first.controller.set(Todo, { id: '1' }, { id: '1', title: 'a' })
  await expect.poll(() => first.persisted.rows as number).toBe(1)
  const second = open('ann')
  await second.persisted.ready
  expect(second.controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a' })
  const other = open('bob')
  await other.persisted.ready
  expect(other.controller.get(Todo, { id: '1' })).toBeUndefined()
  await second.controller.resetEntireStore()
  await expect.poll(() => second.persisted.status as string).toBe('closed')
  const third = open('ann')
  await third.persisted.ready
  expect(third.controller.get(Todo, { id: '1' })).toBeUndefined()
  ;[first, second, other, third].forEach((store) => store.stop())
})

test('offline: an app that is killed while MMKV writes has all of a transaction, or nothing', async () => {
  for (let writes = 0; writes < 8; writes++) {
    databases.clear()
    const name = 'x'
    const whole: DiskStorage = mmkvStorage((id: string) => createMMKV(id))
    await (
      await whole.open(name)
    ).transact([], () => [
      ['row/a', 1],
      ['row/b', 1],
    ])
    let left = writes
    const mortal: DiskStorage = mmkvStorage((id: string) =>
      createMMKV(id, () => {
        if (left-- <= 0) {
          throw new Error('killed')
        }
      }),
    )
    const database = await mortal.open(name)
    await database
      .transact(['row/'], () => [
        ['row/a', 2],
        ['row/b', undefined],
        ['row/c', 2],
      ])
      .catch(() => {})
    let seen: unknown
    await (
      await whole.open(name)
    ).transact(['row/'], (found) => {
      seen = Object.fromEntries(found)
      return []
    })
    expect(seen, `${writes}`).toEqual(writes === 0 ? { 'row/a': 1, 'row/b': 1 } : { 'row/a': 2, 'row/c': 2 })
  }
})
