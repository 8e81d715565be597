// A database in which another program has written, or another version of this one.
import { createStore, getDefaultManagers, type Store } from 'restitch'
import { outbox, type Outbox } from 'restitch/outbox'
import { persist } from 'restitch/persist'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DiskStorage } from '../../src/disk/DiskStorage.ts'
import { memoryStorage } from '../../src/disk/memoryStorage.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Task, Tasks, TodoApi } from '../../src/testing/TodoApi.ts'

let api: TodoApi
let clock: TestClock
let storage: DiskStorage
const stores: Store[] = []

interface Page {
  readonly store: Store
  readonly sending: Outbox
  /** The codes of the errors that were reported to the app. */
  readonly codes: string[]
  readonly onUnsent: ReturnType<typeof vi.fn>
}

function open(): Page {
  const codes: string[] = []
  const onError = (error: any): void => void codes.push(error.code as string)
  const onUnsent = vi.fn()
  const sending = outbox({ endpoints: { 'task.update': Tasks.partialUpdate }, onError })
  const managers = [sending, persist({ name: 'app', storage, onUnsent, onError }), ...getDefaultManagers()]
  const store = createStore({ managers, clock })
  stores.push(store)
  return { store, sending, codes, onUnsent }
}

/** Lets time pass, and everything that waits for no timer come to an end. */
async function rest(milliseconds = 0): Promise<void> {
  for (let left = milliseconds; left >= 0; left -= 250) {
    await clock.pass(Math.min(left, 250))
    await clock.pass()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Reads or changes the database as another program does. */
async function onDisk(change: (found: ReadonlyMap<string, unknown>) => [string, unknown][]): Promise<void> {
  const database = await storage.open('app')
  await database.transact(['entry/', 'alias/', 'session'], change)
}

async function valueOf(key: string): Promise<unknown> {
  let value: unknown
  await onDisk((found) => {
    value = found.get(key)
    return []
  })
  return value
}

/** Leaves an entry in the database, and returns it. */
async function leaveEntry(): Promise<any> {
  api.isOnline = false
  const { store, sending } = open()
  await rest()
  void store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'saved' }).catch(() => {})
  await rest()
  const { id } = sending.pending[0]!
  store.stop()
  await rest()
  api.isOnline = true
  return valueOf(`entry/${id}`)
}

beforeEach(() => {
  api = new TodoApi()
  clock = new TestClock()
  storage = memoryStorage()
  api.tasks.set('1', { id: '1', title: 'one', done: false })
  api.tasks.set('2', { id: '2', title: 'two', done: false })
})
afterEach(() => {
  stores.splice(0).forEach((store) => store.stop())
  vi.unstubAllGlobals()
})

const NOT_OURS: [string, unknown][] = [
  ['null', null],
  ['text', '{"id":"7"}'],
  ['a list', [1, 2]],
  ['JSON of another program', { id: '7', todo: 'buy milk' }],
  ['an entry under another key', { id: '8' }],
]

test.each(NOT_OURS)(
  'OUT-21 %s that stands where an entry belongs stays, is reported once, and holds nobody up',
  async (_, value) => {
    await onDisk(() => [['entry/7', value]])
    const { store, sending, codes } = open()
    await rest()
    await store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
    await rest(1_000)
    expect(api.writes).toEqual(['PATCH /tasks/1 new'])
    expect(codes).toEqual(['outbox-entry'])
    expect([...sending.pending, ...sending.failed, ...sending.conflicts]).toEqual([])
    expect(await valueOf('entry/7')).toEqual(value)
    expect(await sending.discard('7')).toBe(true)
    expect(await valueOf('entry/7')).toBeUndefined()
  },
)

test('OUT-21 an entry with one member that is damaged is sent, or stays as it is; all others are sent', async () => {
  const entry = await leaveEntry()
  const junk = [undefined, null, Number.NaN, 'x', [null], { restitch$form: [1] }]
  let read = 0
  let kept = 0
  for (const name of [...Object.keys(entry), 'request', 'claim', 'error', 'allowedAt', 'unknownSince', 'theirs']) {
    for (const value of junk) {
      storage = memoryStorage()
      const damaged = { ...entry, [name]: value }
      await onDisk(() => [[`entry/${entry.id}`, damaged]])
      const { store, sending, codes } = open()
      await rest()
      api.tasks.get('2').title = 'two'
      void store.controller.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'new' }).catch(() => {})
      await rest(2_000)
      expect([name, value, api.tasks.get('2').title]).toEqual([name, value, 'new'])
      const isShown = [...sending.pending, ...sending.failed, ...sending.conflicts].some(({ id }) => id === entry.id)
      const left = await valueOf(`entry/${entry.id}`)
      if (codes.includes('outbox-entry')) {
        kept++
        expect([name, left]).toEqual([name, damaged])
        expect(isShown).toBe(false)
      } else {
        read++
        // It is sent, or still there for the user.
        expect([name, value, left === undefined || isShown]).toEqual([name, value, true])
      }
      store.stop()
      await rest()
    }
  }
  expect(read).toBeGreaterThan(20)
  expect(kept).toBeGreaterThan(40)
})

test('OUT-21 an entry of a newer version of the app stays with what this one does not know', async () => {
  const entry = await leaveEntry()
  const newer = { ...entry, version: 2, priority: 'high' }
  await onDisk(() => [[`entry/${entry.id}`, newer]])
  const { sending, codes } = open()
  await rest(60_000)
  expect(sending.pending).toHaveLength(1)
  expect(codes).toEqual([])
  expect(await valueOf(`entry/${entry.id}`)).toEqual(newer)
  expect(api.writes).toEqual([])
})

test('OUT-21 a real id that is no text is none', async () => {
  await onDisk(() => [
    ['alias/optimistic-9-0', { id: 5 }],
    ['alias/optimistic-7-0', '3'],
    ['alias/optimistic-8-0', ['2', 0]],
  ])
  const { store } = open()
  await rest()
  await store.controller.fetch(Tasks.get, { id: '2' })
  expect(store.controller.get(Task, { id: 'optimistic-8-0' })).toMatchObject({ title: 'two' })
  expect(store.controller.get(Task, { id: 'optimistic-9-0' })).toBeUndefined()
})

test('DSK-3 something else where the number of the session belongs: the store goes on', async () => {
  await onDisk(() => [['session', { toString: 1 }]])
  const { store, codes } = open()
  await rest()
  await store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
  await rest(1_000)
  expect(api.writes).toEqual(['PATCH /tasks/1 new'])
  expect(store.persisted!.status).toBe('open')
  expect(codes).toEqual([])
})

test('OUT-21 at a sign-out the app is asked about entries that can be read', async () => {
  const entry = await leaveEntry()
  await onDisk(() => [['entry/7', null]])
  api.isOnline = false
  const { store, onUnsent } = open()
  await rest()
  await store.controller.resetEntireStore()
  await rest()
  expect(onUnsent.mock.calls).toEqual([[[expect.objectContaining({ id: entry.id })]]])
})

test('DSK-6 the first entry asks the platform to keep the data, once; so does a page that finds entries', async () => {
  const keep = vi.fn(() => Promise.resolve(true))
  storage = { ...storage, keep }
  const { store, sending } = open()
  await rest()
  await store.controller.fetch(Tasks.get, { id: '1' })
  await rest(1_000)
  expect([keep.mock.calls.length, store.persisted!.durable, sending.durable]).toEqual([0, undefined, undefined])
  const told = vi.fn()
  store.persisted!.subscribe(told)
  await store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await store.controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })
  await rest()
  expect([keep.mock.calls.length, store.persisted!.durable, sending.durable]).toEqual([1, true, true])
  expect(told).toHaveBeenCalled()
  store.stop()
  await rest()
  await leaveEntry()
  const before = keep.mock.calls.length
  const next = open()
  await rest()
  expect([keep.mock.calls.length - before, next.sending.durable]).toEqual([1, true])
})
