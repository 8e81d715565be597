// PER-1 to PER-9: rows on a disk, and in the next store.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { memoryStorage } from '../disk/memoryStorage.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { INVALID } from '../schema/Schema.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { TestClock } from '../testing/TestClock.ts'
import { persist } from './persist.ts'
import type { PersistOptions } from './PersistOptions.ts'

class Todo extends Entity {
  id = ''
  title: any = ''
  static override key = 'Todo'
}

let clock: TestClock
let storage: DiskStorage
let stores: Store[]
let errors: any[]
/** The responses of the server, by the name of the endpoint; a function may throw. */
let server: Record<string, unknown>
let sent: string[]

const endpoint = (name: string, schema: any, options: object = {}): any =>
  new Endpoint(
    async (...args: any[]) => {
      sent.push(name)
      const value = server[name]
      return structuredClone(typeof value === 'function' ? value(...args) : value)
    },
    { name, schema, key: (params?: object) => `${name} ${JSON.stringify(params ?? {})}`, ...options } as any,
  )
const getTodos = endpoint('getTodos', new Collection([Todo]))
const getTodo = endpoint('getTodo', Todo)

const open = (options: PersistOptions = {}, more: object = {}): Store => {
  const store = createStore({
    clock,
    random: () => stores.length / 10 + 0.123,
    managers: [persist({ storage, onError: (error) => errors.push(error), ...options }), ...getDefaultManagers()],
    ...more,
  })
  stores.push(store)
  return store
}
const read = (store: Store, target: any, ...args: any[]): any => store.controller.getResponse(target, ...args).data
/** The texts on the disk. */
const texts = async (name = 'restitch'): Promise<Map<string, unknown>> => {
  let all = new Map<string, unknown>()
  const database = await storage.open(name)
  await database.transact(['row/'], (found) => ((all = new Map(found)), []))
  return all
}

beforeEach(() => {
  clock = new TestClock(1_700_000_000_000)
  storage = memoryStorage()
  stores = []
  errors = []
  sent = []
  server = {
    getTodos: [
      { id: '1', title: 'a' },
      { id: '2', title: 'b' },
    ],
    getTodo: { id: '1', title: 'a' },
  }
})
afterEach(() => {
  stores.forEach((store) => store.stop())
})

test('PER-1 PER-2 what was fetched is there after a reload, and no request is sent while it is fresh', async () => {
  const first = open()
  await first.controller.fetch(getTodos)
  await clock.pass(200)
  const second = open()
  const view = second.view(getTodos) as any
  const notified = vi.fn()
  view.subscribe(notified)
  await clock.pass(0)
  expect(view.read().data.map(({ title }: any) => title)).toEqual(['a', 'b'])
  expect(view.read().data[0]).toBeInstanceOf(Todo)
  expect(sent).toEqual(['getTodos'])
  expect(second.persisted).toMatchObject({ status: 'open', rows: 4 })
})

test('PER-2 stale data is shown at once, and fetched again', async () => {
  await open().controller.fetch(getTodos)
  await clock.pass(200)
  clock.time += 120_000
  const second = open()
  const view = second.view(getTodos) as any
  server['getTodos'] = () => new Promise(() => {})
  view.subscribe(() => {})
  const shown = view.promise()
  await clock.pass(0)
  expect(((await shown) as any[]).map(({ id }) => id)).toEqual(['1', '2'])
  expect(sent).toEqual(['getTodos', 'getTodos'])
})

test('PER-2 a reader that suspends shows stale data from the disk', async () => {
  await open().controller.fetch(getTodos)
  await clock.pass(200)
  clock.time += 120_000
  const view = open().view(getTodos) as any
  const suspended = view.promise(true)
  await clock.pass(0)
  expect((await suspended).length).toBe(2)
  expect(sent).toEqual(['getTodos'])
  view.subscribe(() => {})
  await clock.pass(0)
  expect(sent).toEqual(['getTodos', 'getTodos'])
})

test('PER-3 a restored row is as old as it was', async () => {
  const first = open()
  await first.controller.fetch(getTodo, { id: '1' })
  const before = first.controller.getResponse(getTodo, { id: '1' }).expiresAt
  const { entitiesMeta } = first.getState()
  await clock.pass(200)
  clock.time += 5_000
  const second = open()
  await clock.pass(0)
  expect(second.controller.getResponse(getTodo, { id: '1' }).expiresAt).toBe(before)
  expect(second.getState().entitiesMeta).toEqual(entitiesMeta)
})

test('PER-4 a disk that takes longer than 500 ms is overtaken by the network, and what only it has is added', async () => {
  server['getTodo'] = { id: '3', title: 'c' }
  const first = open()
  await first.controller.fetch(getTodos)
  await first.controller.fetch(getTodo, { id: '3' })
  await clock.pass(200)
  const slow: DiskStorage = {
    open: async (name) => {
      await new Promise<void>((done) => void clock.setTimeout(done, 900))
      return storage.open(name)
    },
  }
  server['getTodos'] = [{ id: '1', title: 'new' }]
  const second = open({ storage: slow })
  second.view(getTodos).subscribe(() => {})
  await clock.pass(499)
  expect(sent).toHaveLength(2)
  await clock.pass(2)
  expect(sent).toHaveLength(3)
  await clock.pass(1_000)
  expect(read(second, getTodos).map(({ title }: any) => title)).toEqual(['new'])
  expect(read(second, getTodo, { id: '3' }).title).toBe('c')
})

test.each(['list', 'envelope'])(
  'PER-4 the first render reads its %s before the store is started, and its request fails: the data of the disk is shown',
  async (shape) => {
    const getPage = endpoint('getPage', { data: new Collection([Todo]), meta: { total: 0 } })
    const target = shape === 'list' ? getTodos : getPage
    server['getPage'] = { data: server['getTodos'], meta: { total: 2 } }
    const first = open()
    await first.controller.fetch(target)
    await clock.pass(200)
    first.stop()
    server[target.name] = () => {
      throw new TypeError('Failed to fetch')
    }
    const second = open({}, { start: false })
    const suspended = (second.view(target) as any).promise(true)
    second.start()
    await clock.pass(1_000)
    const titles = [{ title: 'a' }, { title: 'b' }]
    expect(await suspended).toMatchObject(shape === 'list' ? titles : { data: titles, meta: { total: 2 } })
    expect(sent).toEqual([target.name])
  },
)

test('PER-4 a reader whose request has failed waits for a slow disk, and shows its rows', async () => {
  const getPage = endpoint('getPage', { data: new Collection([Todo]), total: 0 })
  server['getPage'] = { data: server['getTodos'], total: 2 }
  const first = open()
  await first.controller.fetch(getPage)
  await clock.pass(200)
  first.stop()
  server['getPage'] = () => {
    throw new TypeError('Failed to fetch')
  }
  const slow: DiskStorage = {
    open: async (name) => {
      await new Promise<void>((done) => void clock.setTimeout(done, 900))
      return storage.open(name)
    },
  }
  const second = open({ storage: slow })
  const view = second.view(getPage) as any
  const shown = view.promise(true)
  await clock.pass(800)
  expect(view.read().error.message).toBe('Failed to fetch')
  await clock.pass(1_000)
  expect(await shown).toMatchObject({ total: 2 })
  expect(view.read()).toMatchObject({ data: { total: 2 }, error: undefined })
})

test('PER-1 a change is written after 100 ms, in one transaction for all that came in between', async () => {
  const writes: number[] = []
  const counting: DiskStorage = {
    async open(name) {
      const database = await storage.open(name)
      return {
        ...database,
        transact: (keys, decide, durability) =>
          database.transact(
            keys,
            (found) => {
              const all = [...decide(found)]
              if (all.length > 0) {
                writes.push(all.length)
              }
              return all
            },
            durability,
          ),
      }
    },
  }
  const store = open({ storage: counting })
  await clock.pass(0)
  for (let i = 0; i < 10; i++) {
    await store.controller.set(Todo, { id: '1' }, { id: '1', title: `${i}` })
  }
  await clock.pass(99)
  expect(writes).toEqual([])
  await clock.pass(1)
  expect(writes).toEqual([2])
  for (let i = 0; i < 50; i++) {
    await store.controller.set(Todo, { id: '1' }, { id: '1', title: `x${i}` })
    await clock.pass(20)
  }
  expect(writes.length).toBeLessThanOrEqual(12)
})

test('PER-7 a row that holds INVALID, an Error or a function beside others in one batch', async () => {
  const store = open()
  await store.controller.set(Todo, { id: '1' }, { id: '1', title: 'a' })
  await store.controller.set(Todo, { id: '2' }, { id: '2', title: Object.assign(new Error('no'), { status: 404 }) })
  await store.controller.set(Todo, { id: '3' }, { id: '3', title: () => 'x' })
  await store.controller.invalidate(getTodo, { id: '1' })
  await store.controller.set(new Invalidate(Todo) as any, { id: '1' }, { id: '1' })
  await store.controller.set(Todo, { id: '4' }, { id: '4', title: 'd' })
  await clock.pass(500)
  expect(errors.map(({ code }) => code)).toEqual(['persist-row'])
  expect(errors[0].message).toContain('Todo 3')
  const second = open()
  await clock.pass(0)
  const { Todo: rows } = second.getState().entities
  expect(Object.keys(rows!).sort()).toEqual(['1', '2', '4'])
  expect(rows!['1']).toBe(INVALID)
  expect(rows!['2'].title).toMatchObject({ message: 'no', status: 404 })
})

test('PER-7 rows that are not as they were written are deleted, and reported once', async () => {
  const first = open()
  await first.controller.fetch(getTodos)
  await clock.pass(200)
  const database = await storage.open('restitch')
  await database.transact([], () => [
    ['row/1/Todo\n1', '{"id":"1"}'],
    ['row/1/Todo\n7', 'not ours'],
    ['row/1/Todo\n8', { id: 8 }],
    ['row/1/no line', '[1,2,3,4,5,"x",{}]'],
  ])
  const second = open()
  const view = second.view(getTodos) as any
  view.subscribe(() => {})
  await clock.pass(500)
  expect(errors.map(({ code }) => code)).toEqual(['persist-damaged'])
  // The list lacks a record.
  expect(sent).toEqual(['getTodos', 'getTodos'])
  expect([...(await texts()).keys()].filter((key) => /[78]|no line/.test(key))).toEqual([])
})
