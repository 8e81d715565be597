// PER-14: thousands of rows come back some at a time.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { SavedTodo, Tabs } from '../testing/Tabs.ts'

const COUNT = 2_500
let tabs: Tabs

beforeEach(() => {
  tabs = new Tabs()
})
afterEach(() => {
  tabs.close()
})

/** The same storage, which gives all keys of a range in parts of so many. */
function inParts(storage: DiskStorage, size: number, parts: number[]): DiskStorage {
  return {
    open: async (name) => {
      const database = await storage.open(name)
      return {
        ...database,
        async readParts(range, take) {
          let all: [string, unknown][] = []
          await database.transact([range], (found) => ((all = [...found]), []))
          for (let i = 0; i < all.length; i += size) {
            await Promise.resolve()
            parts.push(Math.min(size, all.length - i))
            take(new Map(all.slice(i, i + size)))
          }
        },
      }
    },
  }
}

/** Leaves a list of todos in the database. */
async function leaveTodos(): Promise<void> {
  const { clock, getTodos, server } = tabs
  server['getTodos'] = Array.from({ length: COUNT }, (_, i) => ({ id: `${i}`, title: `t${i}` }))
  const store = tabs.open()
  await store.controller.fetch(getTodos)
  for (let i = 0; i < 60 && store.persisted!.rows < COUNT + 2; i++) {
    await clock.pass(1_000)
  }
  store.stop()
  await clock.pass(100)
}

test('PER-14 thousands of rows are restored in several turns, and what is written in between stays', async () => {
  const { clock, getTodos, sent } = tabs
  await leaveTodos()
  const requests = sent.length
  const store = tabs.open()
  for (let i = 0; i < 50 && store.persisted!.rows === 0; i++) {
    await Promise.resolve()
  }
  expect(store.persisted!.rows).toBe(1_000)
  expect(tabs.read(store, getTodos)).toBeUndefined()
  await store.controller.set(SavedTodo, { id: '2400' }, { id: '2400', title: 'own' })
  for (let i = 0; i < 20; i++) {
    await clock.pass(0)
  }
  expect(store.persisted!.rows).toBe(COUNT + 2)
  const all = tabs.read(store, getTodos)
  expect(all).toHaveLength(COUNT)
  expect([all[0].title, all[2_400].title, all[2_499].title]).toEqual(['t0', 'own', 't2499'])
  expect(sent).toHaveLength(requests)
})

test('PER-14 a storage that reads in parts', async () => {
  const { clock, getTodos } = tabs
  await leaveTodos()
  const parts: number[] = []
  tabs.storage = inParts(tabs.storage, 700, parts)
  const store = tabs.open()
  for (let i = 0; i < 20; i++) {
    await clock.pass(0)
  }
  expect(parts).toEqual([700, 700, 700, 402])
  expect(tabs.read(store, getTodos)).toHaveLength(COUNT)
})

test('PER-14 a storage that fails while it is read: nothing is restored, and it is reported', async () => {
  const { clock, getTodos } = tabs
  await leaveTodos()
  const { storage } = tabs
  tabs.storage = {
    open: async (name) => ({
      ...(await storage.open(name)),
      readParts: () => Promise.reject(new Error('broken')),
      transact: () => Promise.reject(new Error('broken')),
    }),
  }
  const store = tabs.open()
  await clock.pass(1_000)
  expect(tabs.errors.map(({ code }) => code)).toEqual(['disk-failed'])
  await store.controller.fetch(getTodos)
  expect(tabs.read(store, getTodos)).toHaveLength(COUNT)
})
