// DSK-4: a storage that fails, is full, or never responds.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'
import { quotaStorage } from '../testing/quotaStorage.ts'
import { GC } from '../requests/actionTypes.ts'
import { Tabs } from '../testing/Tabs.ts'

let tabs: Tabs
const never = (): Promise<never> => new Promise(() => {})

beforeEach(() => {
  tabs = new Tabs()
})
afterEach(() => {
  tabs.close()
})

describe('DSK-4 a storage that fails', () => {
  const broken = (error: string): DiskStorage => {
    const good = memoryStorage()
    return {
      open: async (name) => ({
        ...(await good.open(name)),
        transact: async (keys, decide, durability) => {
          const database = await good.open(name)
          await database.transact(
            keys,
            (found) => {
              const all = [...decide(found)]
              if (all.some(([key]) => key.startsWith('row/'))) {
                throw Object.assign(new Error(error), { name: error })
              }
              return all
            },
            durability,
          )
        },
      }),
    }
  }
  test.each(['QuotaExceededError', 'UnknownError'])('with %s: memory only, and onError once', async (name) => {
    const { clock, getTodos, getTodo } = tabs
    const store = tabs.open({ storage: broken(name) })
    await store.controller.fetch(getTodos)
    await clock.pass(500)
    await store.controller.fetch(getTodo, { id: '1' })
    await clock.pass(10_000)
    expect(tabs.errors.map(({ code }) => code)).toEqual(['disk-failed'])
    expect(store.persisted!.status).toBe('memory')
    expect(tabs.read(store, getTodos)).toHaveLength(2)
  })

  test('query#9185 stuck restoring: a storage that never responds holds nobody up', async () => {
    const { clock, getTodos } = tabs
    const store = tabs.open({ storage: { open: never } })
    const ready = vi.fn()
    void store.persisted!.ready.then(ready)
    store.view(getTodos).subscribe(() => {})
    await clock.pass(600)
    expect(tabs.read(store, getTodos)).toHaveLength(2)
    await clock.pass(5_000)
    expect(ready).toHaveBeenCalled()
    expect(tabs.errors.map(({ code }) => code)).toEqual(['disk-failed'])
  })

  test('query#9185 stuck later: a storage that stops responding holds no reader of a collected record up', async () => {
    const { clock, getTodo, sent, storage } = tabs
    let isSilent = false
    tabs.storage = {
      open: async (name) => {
        const database = await storage.open(name)
        const transact: typeof database.transact = (...args) => (isSilent ? never() : database.transact(...args))
        return { ...database, transact }
      },
    }
    const store = tabs.open()
    await store.controller.fetch(getTodo, { id: '1' })
    await clock.pass(500)
    const entities = [{ key: 'Todo', pk: '1' }]
    await store.controller.dispatch({ type: GC, entities, endpoints: ['getTodo [{"id":"1"}]'] } as never)
    await clock.pass(200)
    expect(tabs.read(store, getTodo, { id: '1' })).toBeUndefined()
    isSilent = true
    store.view(getTodo, { id: '1' }).subscribe(() => {})
    await clock.pass(600)
    expect(sent).toEqual(['getTodo', 'getTodo'])
    expect(tabs.read(store, getTodo, { id: '1' })).toMatchObject({ title: 'a' })
  })

  test('a full storage: rows go, entries stay', async () => {
    const { clock, getTodo, server } = tabs
    const limited = quotaStorage(1_000)
    tabs.storage = limited
    await tabs.put('restitch', ['entry/1', { id: '1' }])
    const store = tabs.open()
    for (let i = 0; i < 20; i++) {
      server['getTodo'] = { id: `${i}`, title: 'x'.repeat(50) }
      await store.controller.fetch(getTodo, { id: `${i}` })
      await clock.pass(200)
    }
    const rows = await tabs.disk()
    expect(rows.has('row/1/Todo\n19')).toBe(true)
    expect(rows.has('row/1/Todo\n0')).toBe(false)
    expect(rows.has('entry/1')).toBe(true)
    expect(store.persisted!.status).toBe('open')
  })
})
