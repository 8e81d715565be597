// Schedules of the design and cases of other libraries that need a page that is killed, a suspended tab, or a clock that jumps.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createUndoable } from '../../src/binding/createUndoable.ts'
import { Tasks } from '../../src/testing/TodoApi.ts'
import { OfflineApp } from './OfflineApp.ts'

const DAY = 86_400_000
let app: OfflineApp

beforeEach(() => {
  app = new OfflineApp()
})
afterEach(() => {
  app.close()
  vi.unstubAllGlobals()
})

test('OUT-4 killed after the entry was deleted and before its rows were written: there is no such moment', async () => {
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  await app.rest(1_000)
  app.transactions.length = 0
  void before.fetch(Tasks.getList.push, { title: 'new' })
  void before.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  // It is killed as soon as the transaction is over that deletes the entry.
  for (let turn = 0; turn < 50 && !app.transactions.some(isSettling); turn++) {
    await app.rest()
  }
  before.kill()
  const settling = app.transactions.filter(isSettling)
  expect(settling.length).toBeGreaterThan(0)
  for (const writes of settling) {
    expect(writes.some(([key, value]) => key.startsWith('row/') && value !== undefined)).toBe(true)
  }
  const after = await app.visit()
  const requests = app.api.log.length
  expect(after.titles()).toEqual(['one', expect.stringMatching(/two|b/), 'new'])
  expect(app.api.log.slice(requests)).toEqual([])
})

function isSettling(writes: readonly (readonly [string, unknown])[]): boolean {
  return writes.some(([key, value]) => key.startsWith('entry/') && value === undefined)
}

test('OUT-5 Legend-State#547: no pending change is lost when the page is reloaded again and again', async () => {
  app.api.isOnline = false
  let page = await app.visit()
  for (let i = 0; i < 6; i++) {
    void page.fetch(Tasks.partialUpdate, { id: '1' }, { [`field${i}`]: i })
    await app.rest(500)
    page.kill()
    page = await app.visit()
    expect(page.counts).toEqual([i + 1, 0, 0])
  }
  app.api.isOnline = true
  await app.rest(400_000)
  expect(app.api.tasks.get('1')).toMatchObject({ field0: 0, field1: 1, field2: 2, field3: 3, field4: 4, field5: 5 })
  expect(app.api.writes).toHaveLength(6)
})

test("OUT-8 Firestore's lease failures: the tab that sends is suspended, and comes back after another one has sent", async () => {
  const [one, two] = [await app.visit(), await app.visit()]
  await one.fetch(Tasks.getList)
  app.api.fates = ['no response']
  void one.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest()
  void two.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'b' })
  await app.rest()
  one.kill()
  expect(app.api.writes).toEqual(['PATCH /tasks/1 a'])
  // No tab stays without the right to send: the claim of the suspended one ends.
  await app.rest(120_000)
  expect(app.api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/1 a', 'PATCH /tasks/1 b'])
  expect([app.api.tasks.get('1').title, ...two.counts]).toEqual(['b', 0, 0, 0])
})

test('OUT-6 a clock that is set back by a day: what waits is sent all the same', async () => {
  const before = await app.visit()
  app.api.fates = ['request lost', 'request lost', 'request lost']
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest(1_000)
  before.kill()
  app.clock.time -= DAY
  const after = await app.visit()
  await app.rest(60_000)
  expect([app.api.tasks.get('1').title, ...after.counts]).toEqual(['a', 0, 0, 0])
})

test('OUT-7 a clock that jumps ahead by a month: an unknown outcome is a conflict, and everything else is sent', async () => {
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  app.api.fates = ['response lost', { status: 503 }]
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest()
  app.api.isOnline = false
  void before.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest()
  before.kill()
  app.clock.time += 30 * DAY
  app.api.isOnline = true
  const after = await app.visit()
  void after.fetch(Tasks.getList.push, { title: 'new' })
  await app.rest(60_000)
  expect(after.sending.conflicts.map(({ error, mine }) => [error?.code, mine])).toContainEqual([
    'outbox-key-expired',
    { title: 'a' },
  ])
  expect([...app.api.tasks.values()].map(({ title }) => title)).toContain('new')
  expect(app.api.writes.filter((line) => line === 'PATCH /tasks/1 a')).toHaveLength(1)
})

test('OUT-18 the laptop closed while an undo was possible: what is sent on pagehide goes with keepalive and its key', async () => {
  const target = new EventTarget()
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target))
  const sent: RequestInit[] = []
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push(init)
    return fetch(url, init)
  })
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  const { controller } = before.store
  const undoable = createUndoable({ controller, endpoint: Tasks.partialUpdate, options: { within: 5_000 } })
  undoable.mutate({ id: '1' }, { title: 'a' })
  await app.rest()
  app.api.fates = ['response lost']
  target.dispatchEvent(new Event('pagehide'))
  await app.rest()
  expect(sent.at(-1)).toMatchObject({ method: 'PATCH', keepalive: true })
  before.kill()
  const after = await app.visit()
  expect(after.counts).toEqual([1, 0, 0])
  await app.rest(60_000)
  expect(app.api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/1 a'])
  expect(new Set(sent.slice(1).map(({ headers }) => new Headers(headers).get('idempotency-key'))).size).toBe(1)
})

test('OUT-8 a change that one tab has sent is told once: those that hear its response do not tell it again', async () => {
  const told: string[] = []
  const { postMessage } = BroadcastChannel.prototype
  const spy = vi.spyOn(BroadcastChannel.prototype, 'postMessage')
  spy.mockImplementation(function (this: BroadcastChannel, message: any) {
    if (message.type === 'wrote') {
      told.push(message.rows.map(([key, pk]: string[]) => `${key} ${pk}`).join())
    }
    postMessage.call(this, message)
  })
  const [one, two] = [await app.visit(), await app.visit()]
  await Promise.all([one.fetch(Tasks.getList), two.fetch(Tasks.getList)])
  await app.rest(1_000)
  app.api.isOnline = false
  void one.fetch(Tasks.getList.push, { title: 'new' })
  await app.rest(1_000)
  const { id } = two.store.controller.getResponse(Tasks.getList).data.at(-1)
  void two.fetch(Tasks.partialUpdate, { id }, { title: 'newer' })
  await app.rest(1_000)
  told.splice(0)
  app.api.isOnline = true
  await app.rest(60_000)
  expect(told).toEqual(['Task 101', 'Task 101'])
  expect([one.titles(), two.titles()]).toEqual([
    ['one', 'two', 'newer'],
    ['one', 'two', 'newer'],
  ])
  spy.mockRestore()
})
