// No other library does all of this: each test has the name of a line of the comparison. That real browsers are killed is tests/browser/kills.test.ts.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LogoutManager } from 'restitch'
import type { DiskStorage } from '../../src/disk/DiskStorage.ts'
import { quotaStorage } from '../../src/testing/quotaStorage.ts'
import { Tasks } from '../../src/testing/TodoApi.ts'
import { OfflineApp } from './OfflineApp.ts'

let app: OfflineApp

beforeEach(() => {
  app = new OfflineApp()
})
afterEach(() => {
  app.close()
  vi.unstubAllGlobals()
})

const keysOf = ({ api }: OfflineApp): (string | null)[] =>
  api.log.flatMap(({ line, headers }) => (line.startsWith('GET') ? [] : [headers.get('idempotency-key')]))

test('OUT-5 the queue survives a reload', async () => {
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  app.api.isOnline = false
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  void before.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest(1_000)
  before.kill()
  app.api.isOnline = true
  const after = await app.visit()
  expect([after.title('1'), after.title('2')]).toEqual(['a', 'b'])
  await app.rest(60_000)
  expect(app.api.writes.toSorted()).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 b'])
  expect(after.counts).toEqual([0, 0, 0])
})

test('OUT-5 so do requests in flight', async () => {
  const before = await app.visit()
  app.api.fates = ['no response', 'request lost']
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  void before.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest()
  before.kill()
  const after = await app.visit()
  expect(after.counts).toEqual([2, 0, 0])
  await app.rest(120_000)
  expect([app.api.tasks.get('1').title, app.api.tasks.get('2').title, ...after.counts]).toEqual(['a', 'b', 0, 0, 0])
})

test.each([
  [true, 'executed once, with a server that knows Idempotency-Key', ['c']],
  [false, 'else at least once', ['c', 'c']],
])('OUT-7 the server knows keys: %s, so a change is %s', async (knowsKeys, _, titles) => {
  app.api.knowsKeys = knowsKeys
  const before = await app.visit()
  app.api.fates = ['no response']
  void before.fetch(Tasks.getList.push, { title: 'c' })
  await app.rest()
  before.kill()
  await app.visit()
  await app.rest(120_000)
  expect(new Set(keysOf(app)).size).toBe(1)
  expect([...app.api.tasks.values()].map(({ title }) => title)).toEqual(['one', 'two', ...titles])
})

test('OUT-2 order kept: per record, and others pass (urql#2882)', async () => {
  const page = await app.visit()
  app.api.fates = [{ status: 503 }]
  for (const title of ['a', 'b', 'c']) {
    void page.fetch(Tasks.partialUpdate, { id: '1' }, { title })
  }
  void page.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'other' })
  await app.rest()
  expect(app.api.writes).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 other'])
  page.kill()
  await app.visit()
  await app.rest(120_000)
  expect(app.api.writes.slice(2)).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/1 b', 'PATCH /tasks/1 c'])
})

test('OUT-3 temporary ids rewritten', async () => {
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  app.api.isOnline = false
  void before.fetch(Tasks.getList.push, { title: 'new' })
  const { id } = before.store.controller.getResponse(Tasks.getList).data.at(-1)
  void before.fetch(Tasks.partialUpdate, { id }, { title: 'newer' })
  await app.rest(1_000)
  before.kill()
  app.api.isOnline = true
  const after = await app.visit()
  await app.rest(60_000)
  expect(app.api.writes).toEqual(['POST /tasks new', 'PATCH /tasks/101 newer'])
  expect([after.title('101'), after.title(id)]).toEqual(['newer', 'newer'])
  await after.fetch(Tasks.getList)
  expect(after.titles()).toEqual(['one', 'two', 'newer'])
})

test('OUT-8 every tab queues, one sends at a time', async () => {
  const [one, two] = [await app.visit(), await app.visit()]
  await Promise.all([one.fetch(Tasks.getList), two.fetch(Tasks.getList)])
  app.api.isOnline = false
  void one.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  void two.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  void one.fetch(Tasks.partialUpdate, { id: '2' }, { done: true })
  await app.rest()
  expect([one.titles(), two.titles()]).toEqual([
    ['a', 'b'],
    ['a', 'b'],
  ])
  expect([one.counts[0], two.counts[0]]).toEqual([3, 3])
  app.api.isOnline = true
  await app.rest(60_000)
  expect(app.api.writes.toSorted()).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2', 'PATCH /tasks/2 b'])
  expect(new Set(keysOf(app)).size).toBe(3)
  expect(app.api.tasks.get('2')).toMatchObject({ title: 'b', done: true })
  expect([one.counts, two.counts]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ])
})

test.each([409, 412])('OUT-16 conflicts are visible: %i with both versions, and the base', async (status) => {
  const page = await app.visit()
  await page.fetch(Tasks.get, { id: '1' })
  app.api.tasks.set('1', { id: '1', title: 'theirs', done: false })
  app.api.fates = [{ status, body: { message: 'changed' } }]
  void page.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'mine' })
  await app.rest()
  expect(page.sending.conflicts).toMatchObject([
    { mine: { title: 'mine' }, theirs: { title: 'theirs' }, base: { title: 'one' }, error: { status } },
  ])
  expect(page.title('1')).toBe('theirs')
  page.kill()
  const after = await app.visit()
  expect(after.sending.conflicts).toMatchObject([{ mine: { title: 'mine' }, theirs: { title: 'theirs' } }])
  await after.sending.retry(after.sending.conflicts[0]!.id, { title: 'mine and theirs' })
  await app.rest()
  expect(app.api.tasks.get('1').title).toBe('mine and theirs')
  expect(after.counts).toEqual([0, 0, 0])
})

test('OUT-5 endpoints need no registration after a reload: a name and arguments are all there is', async () => {
  app.api.isOnline = false
  const before = await app.visit()
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest()
  const entry = [...(await app.disk()).values()].find((value) => Object(value).endpoint)
  expect(entry).toMatchObject({ endpoint: 'task.update', args: [{ id: '1' }, { title: 'a' }] })
  before.kill()
  app.api.isOnline = true
  const load = vi.fn(() => Promise.resolve(Tasks.partialUpdate))
  const after = await app.visit({ endpoints: { 'task.update': load } })
  await app.rest(60_000)
  expect([app.api.writes, load.mock.calls.length, after.counts[0]]).toEqual([['PATCH /tasks/1 a'], 1, 0])
})

const never = (): Promise<never> => new Promise(() => {})
const fails = (name: string) => (): Promise<never> => Promise.reject(Object.assign(new Error(name), { name }))
const openFor = (transact: () => Promise<never>): DiskStorage => ({
  open: () => Promise.resolve({ transact, close() {} }),
})

test.each<[string, DiskStorage]>([
  ['private mode', { open: fails('SecurityError') }],
  ['a database that is blocked', { open: never }],
  ['a quota of nothing', quotaStorage(0)],
  ['broken storage', openFor(fails('UnknownError'))],
  ['storage that never responds', openFor(never)],
])('DSK-4 %s: memory only, reported once, and writes are sent', async (_, storage) => {
  const page = app.open({ storage })
  await app.rest(10_000)
  await page.fetch(Tasks.getList)
  void page.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest()
  app.api.isOnline = false
  void page.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest(10_000)
  expect([page.titles(), page.sending.durable, page.store.persisted!.status]).toEqual([['a', 'b'], false, 'memory'])
  app.api.isOnline = true
  await app.rest(60_000)
  expect(app.api.writes.toSorted()).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 b'])
  expect(app.codes).toEqual(['disk-failed'])
})

test('DSK-7 a quota of 1 MB: rows go, and no entry', async () => {
  app.storage = quotaStorage(1_000_000)
  const page = await app.visit()
  for (let i = 0; i < 15; i++) {
    app.api.tasks.set(`big${i}`, { id: `big${i}`, title: `${i}`, text: 'x'.repeat(80_000) })
    await page.fetch(Tasks.get, { id: `big${i}` })
    await app.rest(200)
  }
  app.api.isOnline = false
  for (const id of ['1', '2', '3', '4', '5']) {
    void page.fetch(Tasks.partialUpdate, { id }, { title: 'x'.repeat(60_000) })
    await app.rest(200)
  }
  const saved = [...(await app.disk()).keys()].filter((key) => key.startsWith('entry/'))
  expect(saved).toHaveLength(5)
  // The last one leaves no room for any row.
  void page.fetch(Tasks.partialUpdate, { id: '6' }, { title: 'x'.repeat(150_000) })
  await app.rest()
  expect([app.codes, page.store.persisted!.status, page.counts[0]]).toEqual([[], 'open', 6])
  page.kill()
  app.api.isOnline = true
  await app.visit()
  await app.rest(60_000)
  expect(app.api.writes).toHaveLength(6)
})

test('PER-9 PER-10 sign-out wipes, in all tabs', async () => {
  const persists = { onUnsent: () => true }
  const logout = [new LogoutManager()]
  const [one, two] = [await app.visit({ persists, managers: logout }), await app.visit({ persists })]
  await Promise.all([one.fetch(Tasks.getList), two.fetch(Tasks.getList)])
  app.api.isOnline = false
  void two.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'unsent' })
  await app.rest(1_000)
  expect(JSON.stringify([...(await app.disk())])).toContain('unsent')
  app.user = undefined
  await one.store.controller.resetEntireStore()
  await app.rest(1_000)
  expect([one.titles(), two.titles(), one.counts, two.counts]).toEqual([undefined, undefined, [0, 0, 0], [0, 0, 0]])
  expect(await app.disk()).toEqual(new Map())
  app.user = 'bob'
  app.api.isOnline = true
  const other = await app.visit({ persists })
  await app.rest(60_000)
  expect([other.titles(), other.counts, app.api.writes]).toEqual([undefined, [0, 0, 0], []])
})

test('PER-1 the unit on disk is the row', async () => {
  const page = await app.visit()
  await page.fetch(Tasks.getList)
  await app.rest(1_000)
  app.transactions.length = 0
  await page.fetch(Tasks.get, { id: '1' })
  app.api.tasks.set('1', { id: '1', title: 'changed', done: false })
  await page.fetch(Tasks.get, { id: '1' })
  await app.rest(1_000)
  const written = new Set(app.transactions.flat().map(([key]) => key.split('/').at(-1)))
  expect([...written].some((key) => key?.startsWith('Task\n1'))).toBe(true)
  expect([...written].some((key) => key?.startsWith('Task\n2'))).toBe(false)
})
