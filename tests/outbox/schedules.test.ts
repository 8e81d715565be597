// The schedules of the design that concern the outbox, by name, and the cases of other libraries.
import { createStore, getDefaultManagers, LogoutManager, type Store } from 'restitch'
import { outbox, type Outbox, type OutboxOptions } from 'restitch/outbox'
import { etagEndpoint, ifMatch } from 'restitch/etag'
import { resource } from 'restitch'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUndoable } from '../../src/binding/createUndoable.ts'
import { Disk } from '../../src/disk/Disk.ts'
import { diskOf } from '../../src/disk/diskOf.ts'
import type { DiskStorage } from '../../src/disk/DiskStorage.ts'
import { memoryStorage } from '../../src/disk/memoryStorage.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Task, Tasks, TodoApi } from '../../src/testing/TodoApi.ts'

let api: TodoApi
let clock: TestClock
let storage: DiskStorage
let user: string | undefined
let seed: number
const stores: Store[] = []

interface Tab {
  readonly store: Store
  readonly sending: Outbox
  readonly disk: () => Disk
  fetch(endpoint: any, ...args: any[]): Promise<any>
  title(id: string): string | undefined
}

interface TabOptions extends Partial<OutboxOptions> {
  version?: number
  user?: string
  managers?: any[]
}

/** A tab of the app, whose disk is that of all tabs of the user. */
function open({ version = 1, managers = [], user: own, ...options }: TabOptions = {}): Tab {
  const endpoints = {
    'task.create': Tasks.getList.push,
    'task.update': Tasks.partialUpdate,
    'task.delete': Tasks.delete,
  }
  const sending = outbox({ endpoints, onError: () => {}, ...options })
  let disk: Disk
  const persists = {
    middleware: (controller: any) => {
      disk = diskOf(controller, () => new Disk({ storage, user: () => own ?? user, version }, clock))
      return (next: any) => next
    },
    init: () => void disk.open(),
    cleanup: () => disk.close(),
  }
  let last = (seed += 0.0137)
  const random = (): number => (last = (last * 9_301 + 0.49297) % 1)
  const store = createStore({ managers: [sending, persists, ...managers, ...getDefaultManagers()], clock, random })
  stores.push(store)
  const { controller } = store
  return {
    store,
    sending,
    disk: () => disk,
    fetch: (endpoint, ...args) => {
      const promise = controller.fetch(endpoint, ...args)
      promise.catch(() => {})
      return promise
    },
    title: (id) => (controller.get(Task, { id }) as any)?.title,
  }
}

/** Lets time pass, and everything that waits for no timer come to an end: messages between tabs are tasks of their own. */
async function rest(milliseconds = 0): Promise<void> {
  for (let i = 0; i < 4; i++) {
    await clock.pass()
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (let left = milliseconds; left > 0; left -= 250) {
    await clock.pass(Math.min(left, 250))
    await clock.pass()
    await clock.pass()
  }
  for (let i = 0; i < 6; i++) {
    await clock.pass()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

beforeEach(() => {
  api = new TodoApi()
  clock = new TestClock()
  storage = memoryStorage()
  user = 'ann'
  seed = 0.1
  api.tasks.set('1', { id: '1', title: 'one', done: false })
  api.tasks.set('2', { id: '2', title: 'two', done: false })
})
afterEach(() => {
  stores.splice(0).forEach((store) => store.stop())
  vi.unstubAllGlobals()
})

test('OUT-3 two stores that both count temporary ids from 1, one after a reload: their temporary ids differ', async () => {
  api.isOnline = false
  const before = open()
  void before.fetch(Tasks.getList.push, { title: 'a' })
  await rest()
  before.store.stop()
  const after = open()
  await rest()
  void after.fetch(Tasks.getList.push, { title: 'b' })
  await rest()
  expect(
    new Set(after.sending.pending.map(({ records }) => records.find((one) => one.startsWith('optimistic')))).size,
  ).toBe(2)
  api.isOnline = true
  await rest(10_000)
  expect([...api.tasks.values()].map(({ title }) => title).toSorted()).toEqual(['a', 'b', 'one', 'two'])
})

test('OUT-13 a screen of a temporary id goes on after the create, also after a reload', async () => {
  const { fetch, sending, store, title } = open()
  api.isOnline = false
  void fetch(Tasks.getList.push, { title: 'a' })
  await rest()
  const id = `optimistic-${sending.pending[0]!.id}-0`
  const view = store.view(Tasks.get, { id })
  const end = view.subscribe(() => {})
  expect((view.read().data as any).title).toBe('a')
  api.isOnline = true
  await rest(5_000)
  expect((view.read().data as any).id).toBe('101')
  end()
  void fetch(Tasks.partialUpdate, { id }, { title: 'b' })
  await rest()
  expect(api.writes.at(-1)).toBe('PATCH /tasks/101 b')
  expect(title(id)).toBe('b')
  store.stop()
  const after = open()
  await rest()
  expect(await after.fetch(Tasks.get, { id })).toMatchObject({ id: '101', title: 'b' })
})

test('OUT-14 a reader of a record whose delete is queued for an hour shows its absence', async () => {
  const { fetch, store } = open()
  await fetch(Tasks.get, { id: '1' })
  api.isOnline = false
  void fetch(Tasks.delete, { id: '1' })
  await rest(3_600_000 / 60)
  const view = store.view(Tasks.get, { id: '1' })
  const end = view.subscribe(() => {})
  expect(store.controller.get(Task, { id: '1' })).toBeUndefined()
  expect(view.read()).toMatchObject({ data: undefined, error: { code: 'outbox-deleted', status: 404 } })
  const reads = api.log.length
  await rest(5_000)
  expect(api.log).toHaveLength(reads)
  end()
})

test('OUT-6 DELETE done, response lost, 404 at the next try: it is done', async () => {
  const { fetch, sending } = open()
  api.knowsKeys = false
  api.fates = ['response lost']
  const done = fetch(Tasks.delete, { id: '1' })
  await rest(5_000)
  await done
  expect(api.writes).toEqual(['DELETE /tasks/1', 'DELETE /tasks/1'])
  expect([...sending.pending, ...sending.failed]).toEqual([])
})

test('OUT-15 two offline edits of one record with one ETag', async () => {
  const Etags: any = resource({
    urlPrefix: 'https://api.test',
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    Endpoint: etagEndpoint(),
  })
  api.hasEtags = true
  const { fetch, sending } = open({ endpoints: { 'task.update': Etags.partialUpdate } })
  await fetch(Etags.get, { id: '1' })
  api.isOnline = false
  void fetch(Etags.partialUpdate, { id: '1' }, { title: 'a' })
  void fetch(Etags.partialUpdate, { id: '1' }, { done: true })
  await rest()
  api.isOnline = true
  await rest(5_000)
  expect(
    api.log.flatMap(({ line, headers }) => (line.startsWith('PATCH') ? [headers.get('if-match') !== null] : [])),
  ).toEqual([true, true])
  expect(api.tasks.get('1')).toMatchObject({ title: 'a', done: true })
  expect(sending.conflicts).toEqual([])
})

test('OUT-16 a merged retry with an old key: 412 with other fields is a conflict with mine and theirs, and the merged version has a new key', async () => {
  const Etags: any = resource({
    urlPrefix: 'https://api.test',
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    Endpoint: etagEndpoint(),
  })
  api.hasEtags = true
  const { fetch, sending, title } = open({ endpoints: { 'task.update': Etags.partialUpdate } })
  await fetch(Etags.get, { id: '1' })
  api.tasks.set('1', { id: '1', title: 'of another user', done: false })
  const done = fetch(Etags.partialUpdate, { id: '1' }, { title: 'mine' })
  await rest(5_000)
  await expect(done).rejects.toMatchObject({ status: 412 })
  expect(sending.conflicts).toMatchObject([
    { mine: { title: 'mine' }, theirs: { title: 'of another user' }, base: { title: 'one' }, error: { status: 412 } },
  ])
  expect(title('1')).toBe('of another user')
  await sending.retry(sending.conflicts[0]!.id, { title: 'merged' })
  await rest(5_000)
  expect(api.tasks.get('1').title).toBe('merged')
  const keys = api.log.flatMap(({ line, headers }) =>
    line.startsWith('PATCH') ? [headers.get('idempotency-key')] : [],
  )
  expect(new Set(keys).size).toBe(2)
})

test('OUT-15 the base of a conflict is the version that the change was made on, whatever an event has brought since', async () => {
  const Etags: any = resource({
    urlPrefix: 'https://api.test',
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    Endpoint: etagEndpoint(),
  })
  api.hasEtags = true
  const { fetch, sending, store } = open({ endpoints: { 'task.update': Etags.partialUpdate } })
  const seen = await fetch(Etags.get, { id: '1' })
  // While the user types.
  const theirs = { id: '1', title: 'of an event', done: false }
  api.tasks.set('1', theirs)
  await store.controller.set(Task, { id: '1' }, theirs as never)
  void fetch(ifMatch(Etags.partialUpdate, seen as object), { id: '1' }, { title: 'mine' })
  await rest(5_000)
  expect(sending.conflicts).toMatchObject([
    { mine: { title: 'mine' }, theirs: { title: 'of an event' }, base: { title: 'one' }, error: { status: 412 } },
  ])
})

test('OUT-16 409 after an unknown attempt with equal fields: it was done', async () => {
  const { fetch, sending } = open()
  api.knowsKeys = false
  api.fates = ['response lost', { status: 409, body: {} }]
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest(5_000)
  expect(await done).toMatchObject({ title: 'a' })
  expect([...sending.conflicts, ...sending.pending]).toEqual([])
})

test('OUT-17 a 401 while entries wait: they wait for the user, who finds them after signing in again', async () => {
  const { fetch, sending, store, disk } = open({ managers: [new LogoutManager({ origins: ['https://api.test'] })] })
  await fetch(Tasks.get, { id: '1' })
  api.fates = [{ status: 401, body: {} }]
  const done = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  await expect(done).rejects.toMatchObject({ name: 'ResetError' })
  disk().close()
  await rest(60_000)
  expect(api.writes).toEqual(['PATCH /tasks/1'].map((line) => `${line} a`))
  expect(sending.pending).toEqual([])
  void disk().open()
  await rest(5_000)
  expect(api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/1 a'])
  store.stop()
})

test('OUT-17 two accounts in two tabs: each finds its own entries, and sends no others', async () => {
  api.isOnline = false
  const ann = open({ user: 'ann' })
  const bob = open({ user: 'bob' })
  await rest()
  void ann.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'of ann' })
  void bob.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'of bob' })
  await rest()
  expect(ann.sending.pending.map(({ args }) => args[1].title)).toEqual(['of ann'])
  expect(bob.sending.pending.map(({ args }) => args[1].title)).toEqual(['of bob'])
  ann.store.stop()
  api.isOnline = true
  await rest(5_000)
  expect(api.writes).toEqual(['PATCH /tasks/2 of bob'])
})

test('OUT-17 a tab thawed after a sign-out writes and sends nothing', async () => {
  const { fetch, sending, disk } = open()
  await rest()
  api.isOnline = false
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  // Another tab has ended the session, and deleted what was not sent.
  const other = new Disk({ storage, user: () => 'ann' }, clock)
  await other.open()
  await other.end((key) => !key.startsWith('session'))
  const ended = vi.fn(() => disk().close())
  disk().onEnded = ended
  api.isOnline = true
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })
  await rest(60_000)
  expect(ended).toHaveBeenCalled()
  expect(sending.pending).toEqual([])
  expect(api.writes.filter((line) => line.endsWith(' a'))).toEqual([])
})

test('OUT-2 publish() after an edit: it waits for it, and later edits wait for it', async () => {
  const publish = Tasks.partialUpdate.extend({
    path: '/tasks/:id/publish',
    method: 'POST',
    body: undefined,
    schema: undefined,
    getOptimisticResponse: undefined,
  })
  const { fetch } = open({ endpoints: { 'task.update': Tasks.partialUpdate, publish } })
  api.fates = [{ status: 503 }]
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  void fetch(publish, { id: '1' })
  void fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await rest(10_000)
  expect(api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/1 a', 'POST /tasks/1/publish', 'PATCH /tasks/2 b'])
})

test('OUT-8 every tab queues, and one sends at a time; both show and settle (urql#2881, db#865, db#1486)', async () => {
  const [one, two] = [open(), open()]
  await rest()
  await Promise.all([one.fetch(Tasks.get, { id: '1' }), two.fetch(Tasks.get, { id: '1' })])
  api.isOnline = false
  const first = one.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  const second = two.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await rest()
  expect([one.title('1'), two.title('1')]).toEqual(['a', 'a'])
  expect([one.sending.pending.length, two.sending.pending.length]).toEqual([2, 2])
  api.isOnline = true
  await rest(20_000)
  expect(await first).toMatchObject({ title: 'a' })
  expect(await second).toMatchObject({ title: 'b' })
  expect(api.writes.toSorted()).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 b'])
  expect([one.sending.pending, two.sending.pending]).toEqual([[], []])
})

test('OUT-7 the keys of attempts before and after a reload are the same (db#921)', async () => {
  const before = open()
  await rest()
  api.fates = ['response lost']
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest()
  before.store.stop()
  open()
  await rest(60_000)
  const keys = api.log.flatMap(({ line, headers }) =>
    line.startsWith('PATCH') ? [headers.get('idempotency-key')] : [],
  )
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('OUT-10 a version bump discards nothing: migrate() serves old shapes (WatermelonDB#1609)', async () => {
  api.isOnline = false
  const old = open()
  await rest()
  void old.fetch(Tasks.partialUpdate, { id: '1' }, { done: true })
  // It waits for the one before, so no attempt has its old shape.
  void old.fetch(Tasks.partialUpdate, { id: '1' }, { name: 'a' })
  await rest()
  old.store.stop()
  api.isOnline = true
  open({
    version: 2,
    migrate: ({ args: [params, { name, ...more }] }) => [params, { ...more, ...(name && { title: name }) }],
  })
  await rest(60_000)
  expect(api.tasks.get('1')).toMatchObject({ title: 'a', done: true })
})

test('OUT-10 an entry with an unknown id is left alone, and what it changes is shown', async () => {
  api.isOnline = false
  const before = open()
  await rest()
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a', done: true })
  await rest()
  before.store.stop()
  api.isOnline = true
  const after = open({ endpoints: { other: Tasks.delete } })
  await rest(60_000)
  expect(after.sending.pending).toHaveLength(1)
  expect(api.writes).toEqual([])
})

test('OUT-18 the laptop closed while an undo was possible: the change is sent after the reload', async () => {
  const before = open()
  await rest()
  const { controller } = before.store
  const undoable = createUndoable({ controller, endpoint: Tasks.partialUpdate, options: { within: 5_000 } })
  undoable.mutate({ id: '1' }, { title: 'a' })
  await rest()
  expect(api.writes).toEqual([])
  before.store.stop()
  const after = open()
  await rest()
  expect(after.sending.pending).toHaveLength(1)
  await rest(6_000)
  expect(api.writes).toEqual(['PATCH /tasks/1 a'])
})

test('OUT-18 an undoable change can be taken back, or sent at once', async () => {
  const { store, sending, fetch, title } = open()
  await rest()
  await fetch(Tasks.get, { id: '1' })
  const { controller } = store
  const undoable = createUndoable({ controller, endpoint: Tasks.partialUpdate, options: {} })
  undoable.mutate({ id: '1' }, { title: 'a' })
  expect(title('1')).toBe('a')
  undoable.undo()
  await rest(10_000)
  expect([title('1'), api.writes, sending.pending]).toEqual(['one', [], []])
  undoable.mutate({ id: '1' }, { title: 'b' }).send()
  await rest()
  expect(api.writes).toEqual(['PATCH /tasks/1 b'])
  expect(undoable.get()).toEqual([])
})

test('OUT-19 three failures without a response while reads succeed are reported: outbox-preflight', async () => {
  const onError = vi.fn()
  const { fetch } = open({ onError })
  api.fates = Array(5).fill('request lost')
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  for (let i = 0; i < 8; i++) {
    await fetch(Tasks.get, { id: '2' })
    await rest(1_000)
  }
  expect(onError.mock.calls).toMatchObject([[{ code: 'outbox-preflight' }]])
})

test('OUT-19 failures while a server is down are not: its reads succeed again before the change is sent', async () => {
  const onError = vi.fn()
  const { fetch, sending } = open({ onError })
  await fetch(Tasks.get, { id: '2' })
  api.fates = Array(5).fill('request lost')
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest(8_000)
  expect(sending.pending[0]!.attempts).toBeGreaterThan(3)
  await fetch(Tasks.get, { id: '2' })
  await fetch(Tasks.getList)
  await rest(60_000)
  expect([onError.mock.calls, sending.pending]).toEqual([[], []])
})

test('Retry-After is obeyed, and everything else is sent at once when the network is back', async () => {
  const target = new EventTarget()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  const { fetch } = open()
  await rest()
  api.fates = ['request lost', 'request lost', 'request lost', 'request lost']
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await rest(6_000)
  api.fates = []
  target.dispatchEvent(new Event('online'))
  await rest()
  expect(api.writes).toEqual(['PATCH /tasks/1 a'])
  api.fates = [{ status: 429, headers: { 'retry-after': '120' } }]
  void fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })
  await rest()
  target.dispatchEvent(new Event('online'))
  await rest(100_000)
  expect(api.writes).toHaveLength(2)
  await rest(100_000)
  expect(api.writes).toHaveLength(3)
})
