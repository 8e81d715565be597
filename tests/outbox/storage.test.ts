// DSK-4: a storage that responds late, or stops responding, beside an outbox.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DiskStorage } from '../../src/disk/DiskStorage.ts'
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

test('DSK-4 a storage that opens after its 5 seconds: what waits in it is sent, and so is what has changed since', async () => {
  const before = await app.visit()
  await before.fetch(Tasks.getList)
  app.api.isOnline = false
  void before.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest(1_000)
  before.kill()
  app.api.isOnline = true
  const { storage } = app
  const late: DiskStorage = {
    open: async (name) => {
      await new Promise<void>((resolve) => app.clock.setTimeout(resolve, 7_000))
      return storage.open(name)
    },
  }
  const page = await app.visit({ storage: late })
  void page.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest(6_000)
  expect(app.codes).toEqual(['disk-failed'])
  expect(app.api.writes).toEqual(['PATCH /tasks/2 b'])
  await app.rest(2_000)
  expect(app.api.writes).toEqual(['PATCH /tasks/2 b', 'PATCH /tasks/1 a'])
  expect(page.counts).toEqual([0, 0, 0])
  expect([...(await app.disk()).keys()].filter((key) => key.startsWith('entry/'))).toEqual([])
})

test('DSK-4 a storage that stops responding is reported, and what waits stays on the screen', async () => {
  let isSilent = false
  const { storage } = app
  const silent: DiskStorage = {
    open: async (name) => {
      const database = await storage.open(name)
      const transact: typeof database.transact = (...args) =>
        isSilent ? new Promise<never>(() => {}) : database.transact(...args)
      return { ...database, transact }
    },
  }
  const page = await app.visit({ storage: silent })
  await page.fetch(Tasks.getList)
  isSilent = true
  void page.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest(6_000)
  expect(app.codes).toEqual(['disk-failed'])
  expect([page.title('1'), page.counts]).toEqual(['a', [1, 0, 0]])
})

test('OUT-17 a user who sends an entry again after a 401 need not read anything first', async () => {
  const page = await app.visit()
  app.api.fates = [{ status: 401 }]
  void page.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest(60_000)
  expect(page.counts).toEqual([1, 0, 0])
  await page.sending.retry(page.sending.pending[0]!.id)
  await app.rest()
  expect([app.api.tasks.get('1').title, page.counts]).toEqual(['a', [0, 0, 0]])
})

test('OUT-8 where tabs cannot talk, each learns within half a minute of what another one has sent', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const [one, two] = [await app.visit(), await app.visit()]
  await Promise.all([one.fetch(Tasks.getList), two.fetch(Tasks.getList)])
  app.api.isOnline = false
  void one.fetch(Tasks.partialUpdate, { id: '1' }, { title: 'a' })
  await app.rest(31_000)
  void two.fetch(Tasks.partialUpdate, { id: '2' }, { title: 'b' })
  await app.rest(1_000)
  expect(two.counts).toEqual([2, 0, 0])
  app.api.isOnline = true
  await app.rest(300_000)
  expect(app.api.writes.toSorted()).toEqual(['PATCH /tasks/1 a', 'PATCH /tasks/2 b'])
  expect([one.counts, two.counts]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ])
})
