// The outbox of a store: what is shown, what is saved, what is sent.
import { createStore, Endpoint, getDefaultManagers, RestEndpoint, type Store } from 'restitch'
import { outbox, type Outbox, type OutboxOptions } from 'restitch/outbox'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Disk } from '../../src/disk/Disk.ts'
import { diskOf } from '../../src/disk/diskOf.ts'
import type { DiskStorage } from '../../src/disk/DiskStorage.ts'
import { memoryStorage } from '../../src/disk/memoryStorage.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Task, Tasks, TodoApi } from '../../src/testing/TodoApi.ts'

let api: TodoApi
let clock: TestClock
let storage: DiskStorage
const stores: Store[] = []

interface Tab {
  readonly store: Store
  readonly sending: Outbox
  fetch(endpoint: any, ...args: any[]): Promise<any>
  title(id: string): string | undefined
}

/** Lets time pass, and everything that waits for no timer come to an end. */
async function rest(milliseconds = 0): Promise<void> {
  for (let left = milliseconds, i = 0; i < 8 || left > 0; i++, left -= 200) {
    await clock.pass(i < 8 ? 0 : Math.min(left, 200))
    left += i < 8 ? 200 : 0
  }
  for (let i = 0; i < 8; i++) {
    await clock.pass()
  }
}

/** A manager that brings a disk, as `persist` does. */
function diskManager(user?: () => string | undefined): any {
  let disk: Disk
  return {
    middleware: (controller: any) => {
      disk = diskOf(controller, () => new Disk({ storage, user, version: 1 }, clock))
      return (next: any) => next
    },
    init: () => void disk.open(),
    cleanup: () => disk.close(),
  }
}

const usual: OutboxOptions['endpoints'] = {
  'task.create': Tasks.getList.push,
  'task.update': Tasks.partialUpdate,
  'task.delete': Tasks.delete,
}

function open({ onDisk = false, ...options }: Partial<OutboxOptions> & { onDisk?: boolean } = {}, seed = 0.1): Tab {
  const sending = outbox({ endpoints: usual, ...options })
  const managers = [sending, ...(onDisk ? [diskManager()] : []), ...getDefaultManagers()]
  let last = seed
  const random = (): number => (last = (last * 9_301 + 0.49297) % 1)
  const store = createStore({ managers, clock, random })
  stores.push(store)
  const { controller } = store
  return {
    store,
    sending,
    fetch: (endpoint, ...args) => {
      const promise = controller.fetch(endpoint, ...args)
      promise.catch(() => {})
      return promise
    },
    title: (id) => (controller.get(Task, { id }) as any)?.title,
  }
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

test('OUT-11 a queued mutation is shown at once, sent, and settles with the response', async () => {
  const { fetch, title, sending } = open()
  await fetch(Tasks.get, { id: '1' })
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
  expect(title('1')).toBe('new')
  expect(sending.pending).toMatchObject([
    { endpoint: 'task.update', args: [{ id: '1' }, { title: 'new' }], state: 'pending' },
  ])
  expect(await done).toMatchObject({ title: 'new' })
  await rest()
  expect(api.writes).toEqual(['PATCH /tasks/1 new'])
  expect(sending.pending).toEqual([])
  expect(api.log.at(-1)!.headers.get('idempotency-key')).toHaveLength(21)
})

test('OUT-11 an endpoint around a function of the app is queued, too', async () => {
  const calls: unknown[] = []
  const save = new Endpoint(
    async ({ id }: { id: string }, body: { title: string }) => {
      calls.push([id, body])
      return { id, done: false, ...body }
    },
    { name: 'save', schema: Task, sideEffect: true },
  )
  const { fetch, sending } = open({ endpoints: { save } })
  const done = fetch(save, { id: '1' }, { title: 'new' })
  await rest()
  expect(sending.failed).toEqual([])
  expect(await done).toMatchObject({ title: 'new' })
  expect(calls).toEqual([['1', { title: 'new' }]])
})

test('OUT-6 OUT-7 without a network it stays on the screen, and every attempt is the same request', async () => {
  const { fetch, title, sending } = open()
  await fetch(Tasks.get, { id: '1' })
  api.fates = ['request lost', 'response lost', { status: 503 }]
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
  await rest()
  expect(title('1')).toBe('new')
  expect(sending.pending).toMatchObject([{ attempts: 1, isSending: false }])
  await rest(20_000)
  expect(await done).toMatchObject({ title: 'new' })
  expect(new Set(api.log.slice(1).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  expect(api.writes).toEqual(Array(3).fill('PATCH /tasks/1 new'))
})

test.each<[string, (store: Store) => unknown, number]>([
  ['15 seconds have passed', () => {}, 15_000],
  ['another request to it succeeds', ({ controller }) => controller.fetch(Tasks.get, { id: '2' }), 5_000],
])('OUT-6 NET-23 a mutation goes once to an origin that fails, and again when %s', async (_, act, after) => {
  const store = createStore({
    managers: [outbox({ endpoints: usual }), ...getDefaultManagers()],
    clock,
    random: () => 0,
  })
  stores.push(store)
  const { controller } = store
  api.fates = [{ status: 503 }]
  for (let i = 0; i < 8; i++) {
    controller.core.requests.budget.fail(Tasks.get.key({ id: '1' }), { status: 503 } as never, clock.now(), () => 0)
  }
  const done = controller.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' } as never)
  await rest(4_800)
  expect(api.writes, 'the first attempt does not wait, the second one does').toHaveLength(1)
  if (after > 5_000) {
    await rest(after - 5_000)
    expect(api.writes).toHaveLength(1)
  }
  act(store)
  await rest(after > 5_000 ? 1_000 : 200)
  expect(api.writes).toHaveLength(2)
  expect(await done).toMatchObject({ title: 'new' })
})

test('OUT-6 a refused mutation is rolled back and kept under failed; retry sends another body', async () => {
  const { fetch, title, sending } = open()
  await fetch(Tasks.get, { id: '1' })
  api.fates = [{ status: 422, body: { message: 'too long' } }]
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
  await rest()
  await expect(done).rejects.toMatchObject({ status: 422 })
  expect(title('1')).toBe('one')
  expect(sending.failed).toMatchObject([{ error: { status: 422, body: { message: 'too long' } } }])
  await sending.retry(sending.failed[0]!.id, { title: 'short' })
  expect(title('1')).toBe('short')
  await rest()
  expect(api.tasks.get('1').title).toBe('short')
  expect(sending.failed).toEqual([])
  const [first, second] = api.log.slice(1).map(({ headers }) => headers.get('idempotency-key'))
  expect(second).not.toBe(first)
})

test('OUT-3 a record is created, edited and deleted without a network: temporary ids become real ones', async () => {
  const { fetch, store, sending } = open()
  api.isOnline = false
  void fetch(Tasks.getList.push, { title: 'a' })
  const [entry] = sending.pending
  const id = `optimistic-${entry!.id}-0`
  expect((store.controller.get(Task, { id }) as any)?.title).toBe('a')
  void fetch(Tasks.partialUpdate, { id }, { title: 'b' })
  expect((store.controller.get(Task, { id }) as any)?.title).toBe('b')
  await rest()
  expect(sending.pending).toHaveLength(2)
  api.isOnline = true
  await rest(10_000)
  expect(api.writes).toEqual(['POST /tasks a', 'PATCH /tasks/101 b'])
  expect((store.controller.get(Task, { id: '101' }) as any)?.title).toBe('b')
  expect(sending.pending).toEqual([])
})

test('OUT-2 two edits of one record are two requests in order, another record passes', async () => {
  const { fetch } = open()
  api.fates = [{ status: 500 }]
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })
  void fetch(Tasks.partialUpdate, { id: '2' }, { title: 'c' })
  await rest(5_000)
  expect(api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 c', 'PATCH /tasks/1 a', 'PATCH /tasks/1 b'])
})

test('the queue survives a reload, without registration of its endpoints', async () => {
  api.isOnline = false
  const before = open({ onDisk: true })
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'new' })
  void before.fetch(Tasks.getList.push, { title: 'made' })
  await rest()
  before.store.stop()
  const after = open({ onDisk: true }, 0.3)
  await rest()
  expect(after.sending.pending).toHaveLength(2)
  api.isOnline = true
  await rest(5_000)
  expect(api.writes.toSorted()).toEqual(['PATCH /tasks/1 new', 'POST /tasks made'])
  expect(after.sending.pending).toEqual([])
})

test('OUT-9 a failed create fails what depends on it, together', async () => {
  const { fetch, sending, store } = open()
  api.fates = [{ status: 422, body: {} }]
  const created = fetch(Tasks.getList.push, { title: 'a' })
  const id = `optimistic-${sending.pending[0]!.id}-0`
  const edited = fetch(Tasks.partialUpdate, { id }, { title: 'b' })
  await rest()
  await expect(created).rejects.toMatchObject({ status: 422 })
  await expect(edited).rejects.toMatchObject({ status: 422 })
  expect(sending.failed).toHaveLength(2)
  expect(store.controller.get(Task, { id })).toBeUndefined()
  expect(await sending.discard(sending.failed[0]!.id)).toBe(true)
  expect(sending.failed).toEqual([])
})

test('OUT-6 a page of a captive portal is no response, with any status', async () => {
  const { fetch, sending } = open()
  const page = '<html>Sign in to the wifi</html>'
  api.fates = [200, 404, 302].map((status) => ({ status, body: page }))
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest(20_000)
  expect(await done).toMatchObject({ title: 'a' })
  expect(sending.failed).toEqual([])
})

// Files are a matter of browsers: a structured clone of Node makes a Blob of one.
const form = new FormData()
form.set('file', new Blob(['x']))

test.each<[string, unknown]>([
  ['a Date', new Date(0)],
  ['a Blob', new Blob(['x'])],
  ['FormData', form],
  ['plain data', { list: [1, null, undefined, true] }],
])('OUT-12 %s is stored as it is', async (_, value) => {
  const { sending } = open({ onDisk: true })
  api.isOnline = false
  await sending.enqueue(Tasks.partialUpdate, { id: '1' }, { title: value })
  const after = open({ onDisk: true }, 0.3)
  await rest()
  expect(after.sending.pending[0]!.args[1].title).toEqual(value)
})

test.each<[string, unknown, string]>([
  ['a function', [() => 1], '[0]'],
  ['a symbol', { name: Symbol('x') }, '.name'],
  ['an instance of a class', new Map(), ''],
])('OUT-12 %s is a TypeError that names the place, and nothing is shown', async (_, value, place) => {
  const { sending, fetch, title } = open()
  await fetch(Tasks.get, { id: '1' })
  const refused = fetch(Tasks.partialUpdate, { id: '1' }, { title: value })
  expect([title('1'), sending.pending]).toEqual(['one', []])
  const error = await refused.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({
    code: 'outbox-argument',
    message: expect.stringContaining(`arguments[1].title${place}`),
  })
  await rest(1_000)
  expect(api.writes).toEqual([])
})

test('enqueue resolves when the entry is saved', async () => {
  const { sending } = open()
  api.isOnline = false
  const entry = await sending.enqueue(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  expect(entry).toMatchObject({ endpoint: 'task.update', state: 'pending' })
  await expect(sending.enqueue(Tasks.update, { id: '1' }, {})).rejects.toMatchObject({ code: 'outbox-endpoint' })
  await rest()
  expect(await sending.discard(entry.id)).toBe(true)
})

test('other mutations are sent as ever, and endpoints may be loaded when they are needed', async () => {
  const load = vi.fn(() => Promise.resolve(Tasks.partialUpdate))
  const { fetch, sending } = open({ endpoints: { 'task.update': load } })
  const other = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/tasks', method: 'POST' })
  void fetch(other, { title: 'x' })
  await rest()
  expect(api.writes).toEqual(['POST /tasks x'])
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  expect(api.writes.at(-1)).toBe('PATCH /tasks/1 a')
  expect(sending.pending).toEqual([])
})

test('a reset without a disk drops the entries, and says so', async () => {
  const onError = vi.fn()
  const { fetch, sending, store } = open({ onError })
  api.isOnline = false
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  void store.controller.resetEntireStore()
  await expect(done).rejects.toMatchObject({ name: 'ResetError' })
  expect(sending.pending).toEqual([])
  expect(onError.mock.calls).toMatchObject([[{ code: 'outbox-unsent' }]])
  api.isOnline = true
  await rest(60_000)
  expect(api.writes).toEqual([])
})
