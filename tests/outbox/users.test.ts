// Entries belong to their user: a user who changes in the moment in which something is saved, or without a reset.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Tasks } from '../../src/testing/TodoApi.ts'
import { OfflineApp } from './OfflineApp.ts'

let app: OfflineApp
const edit = [Tasks.partialUpdate, { id: '1' }] as const

beforeEach(() => {
  app = new OfflineApp()
})
afterEach(() => {
  app.close()
  vi.unstubAllGlobals()
})

test('OUT-17 a user who changes without a reset sends nothing of the one before, who finds it after signing in again', async () => {
  const page = await app.visit()
  app.api.isOnline = false
  void page.fetch(...edit, { title: 'of ann' })
  await app.rest(500)
  app.user = 'bob'
  app.api.isOnline = true
  await app.rest(60_000)
  expect(app.api.writes).toEqual([])
  expect(app.codes).toContain('user-changed')
  app.user = 'ann'
  const later = await app.visit()
  await app.rest(60_000)
  expect(app.api.tasks.get('1').title).toBe('of ann')
  expect(later.counts).toEqual([0, 0, 0])
})

test('OUT-17 a user who changes while an attempt is saved does not send it', async () => {
  const page = await app.visit()
  app.api.isOnline = false
  void page.fetch(...edit, { title: 'of ann' })
  await app.rest(500)
  app.api.isOnline = true
  app.onTransaction = (writes) => {
    if (writes.some(([, value]) => (value as { claim?: unknown } | undefined)?.claim)) {
      app.user = 'bob'
    }
  }
  await app.rest(60_000)
  expect(app.user).toBe('bob')
  expect(app.api.writes).toEqual([])
})

test('OUT-17 a mutation of a user who has just changed is none of the user before', async () => {
  const page = await app.visit()
  app.user = 'bob'
  expect(await page.fetch(...edit, { title: 'of bob' })).toMatchObject({ title: 'of bob' })
  await app.rest(500)
  expect(JSON.stringify([...(await app.disk('app ann'))])).not.toContain('of bob')
  expect(app.api.writes).toEqual(['PATCH /tasks/1 of bob'])
})

test.each(['with a database', 'without'])(
  'OUT-17 what is not saved yet when the store is reset is not sent as the next user, %s',
  async (kind) => {
    const page = await app.visit(kind === 'without' ? { persists: { storage: undefined } } : {})
    const saved = page.sending.enqueue(...(edit as unknown as [any]), { title: 'of ann' })
    const thrown = saved.catch((error: unknown) => error)
    app.user = undefined
    await page.store.controller.resetEntireStore()
    app.user = 'bob'
    expect(await thrown).toMatchObject({ name: 'ResetError' })
    await app.rest(60_000)
    expect(app.api.writes).toEqual([])
    expect(page.counts).toEqual([0, 0, 0])
    expect((await app.disk('app bob')).size).toBe(0)
  },
)

test('a sign-out asks the app about entries that a broken storage could not save, and says that they are gone', async () => {
  const onUnsent = vi.fn()
  const page = await app.visit({
    storage: { open: () => Promise.reject(new Error('blocked')) },
    persists: { onUnsent },
  })
  app.api.isOnline = false
  void page.fetch(...edit, { title: 'of ann' })
  await app.rest(500)
  expect(page.counts).toEqual([1, 0, 0])
  app.user = undefined
  await page.store.controller.resetEntireStore()
  await app.rest(500)
  expect(onUnsent).toHaveBeenCalledWith([expect.objectContaining({ endpoint: 'task.update' })])
  expect(app.codes).toEqual(['disk-failed', 'outbox-unsent'])
})
