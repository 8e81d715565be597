// PER-15: an app whose user changes, and that has not reset its store.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { SavedTodo as Todo, Tabs } from '../testing/Tabs.ts'

let tabs: Tabs
let session: { user: string | undefined }
const user = (): string | undefined => session.user
const codes = (): unknown[] => tabs.errors.map(({ code }) => code as unknown)
const text = async (name: string): Promise<string> => JSON.stringify([...(await tabs.disk(name))])

beforeEach(() => {
  tabs = new Tabs()
  session = { user: 'ann' }
  tabs.server['getTodo'] = ({ id }: { id: string }) => ({ id, title: `of ${session.user ?? 'nobody'}` })
})
afterEach(() => {
  tabs.close()
})

/** A page on which ann has loaded a record, which is stored. */
async function openAsAnn(): Promise<ReturnType<Tabs['open']>> {
  const store = tabs.open({ user })
  await store.controller.fetch(tabs.getTodo, { id: '1' })
  await tabs.clock.pass(200)
  expect(await text('restitch ann')).toContain('of ann')
  return store
}

describe('PER-15 a user who changes without a reset ends the session', () => {
  test('with a fetch, which belongs to the next user', async () => {
    const store = await openAsAnn()
    session.user = 'bob'
    expect(await store.controller.fetch(tabs.getTodo, { id: '2' })).toMatchObject({ title: 'of bob' })
    await tabs.clock.pass(300)
    expect(tabs.read(store, tabs.getTodo, { id: '1' })).toBeUndefined()
    expect(await text('restitch ann')).toBe('[]')
    expect(await text('restitch bob')).toContain('of bob')
    expect(await text('restitch bob')).not.toContain('of ann')
    expect(codes()).toEqual(['user-changed'])
  })

  test('with a value that the app sets', async () => {
    const store = await openAsAnn()
    session.user = 'bob'
    await store.controller.set(Todo, { id: '2' }, { id: '2', title: 'set by bob', done: true })
    await tabs.clock.pass(300)
    expect(store.controller.get(Todo, { id: '1' })).toBeUndefined()
    expect(store.controller.get(Todo, { id: '2' })?.title).toBe('set by bob')
    expect(await text('restitch ann')).toBe('[]')
  })

  test('with a response that was sent as the user before, who gets nothing of it stored', async () => {
    const store = await openAsAnn()
    let respond!: (value: unknown) => void
    tabs.server['getTodo'] = () => new Promise((done) => (respond = done))
    const late = store.controller.fetch(tabs.getTodo, { id: '2' })
    await tabs.clock.pass(0)
    session.user = undefined
    respond({ id: '2', title: 'late, of ann' })
    await expect(late).rejects.toMatchObject({ name: 'ResetError' })
    await tabs.clock.pass(300)
    expect(store.getState().entities).toEqual({})
    expect(await text('restitch ann')).toBe('[]')
  })

  test('with a reader, who sees the data of the next user', async () => {
    const store = await openAsAnn()
    session.user = 'bob'
    store.view(tabs.getTodo, { id: '1' }).subscribe(() => {})
    store.view(tabs.getTodo, { id: '2' }).subscribe(() => {})
    await tabs.clock.pass(500)
    expect(tabs.read(store, tabs.getTodo, { id: '1' }).title).toBe('of bob')
    expect(await text('restitch bob')).not.toContain('of ann')
  })

  test('while rows are restored, of which the next user sees none', async () => {
    await openAsAnn()
    tabs.close()
    const slow: DiskStorage = {
      open: async (name) => {
        const database = await tabs.storage.open(name)
        return {
          ...database,
          transact: async (...args) => {
            await new Promise<void>((done) => void tabs.clock.setTimeout(done, 50))
            return database.transact(...args)
          },
        }
      },
    }
    const store = tabs.open({ user, storage: slow })
    await tabs.clock.pass(120)
    session.user = 'bob'
    await tabs.clock.pass(300)
    expect(store.getState().entities).toEqual({})
  })

  test('the request by which the app signs out is sent, and its reset finds nothing more to do', async () => {
    const onUnsent = vi.fn()
    const signOut = tabs.endpoint('signOut', undefined, { sideEffect: true })
    tabs.server['signOut'] = 'done'
    const store = tabs.open({ user, onUnsent })
    await store.controller.fetch(tabs.getTodo, { id: '1' })
    await tabs.put('restitch ann', ['entry/1', { id: '1', endpoint: 'x', args: [], createdAt: 1 }])
    await tabs.clock.pass(200)
    session.user = undefined
    expect(await store.controller.fetch(signOut)).toBe('done')
    await store.controller.resetEntireStore()
    await tabs.clock.pass(200)
    expect(onUnsent).toHaveBeenCalledTimes(1)
    expect((await tabs.disk('restitch ann', 'entry/')).size).toBe(0)
  })
})

describe('PER-9 a reset', () => {
  test('with the user that it belongs to reports nothing', async () => {
    const store = await openAsAnn()
    session.user = undefined
    store.view(tabs.getTodo, { id: '1' }).subscribe(() => {})
    await store.controller.resetEntireStore()
    await tabs.clock.pass(300)
    expect(codes()).toEqual([])
    expect(await text('restitch ann')).toBe('[]')
  })

  test('the same user signs in again at once: the database is open, with the new data alone', async () => {
    const store = await openAsAnn()
    await store.controller.resetEntireStore()
    await store.controller.fetch(tabs.getTodo, { id: '3' })
    await tabs.clock.pass(300)
    expect(store.persisted!.status).toBe('open')
    expect(await text('restitch ann')).toContain('\\n3')
    expect(await text('restitch ann')).not.toContain('\\n1')
  })

  test('while the database of the next user is being opened does not keep it closed', async () => {
    let wait = 0
    const slow: DiskStorage = {
      open: async (name) => {
        await new Promise<void>((done) => void tabs.clock.setTimeout(done, wait))
        return tabs.storage.open(name)
      },
    }
    const store = tabs.open({ user, storage: slow })
    await tabs.clock.pass(100)
    session.user = undefined
    await store.controller.resetEntireStore()
    await tabs.clock.pass(100)
    session.user = 'bob'
    wait = 100
    await store.controller.fetch(tabs.getTodo, { id: '1' })
    await store.controller.resetEntireStore()
    await tabs.clock.pass(1_000)
    await store.controller.fetch(tabs.getTodo, { id: '1' })
    await tabs.clock.pass(500)
    await tabs.clock.pass(500)
    expect(store.persisted!.status).toBe('open')
    expect(await text('restitch bob')).toContain('of bob')
  })

  test('while the database is being opened deletes the rows of its user', async () => {
    await openAsAnn()
    tabs.close()
    const slow: DiskStorage = {
      open: async (name) => {
        await new Promise<void>((done) => void tabs.clock.setTimeout(done, 100))
        return tabs.storage.open(name)
      },
    }
    const store = tabs.open({ user, storage: slow })
    await tabs.clock.pass(50)
    await store.controller.resetEntireStore()
    session.user = undefined
    await tabs.clock.pass(500)
    expect(store.getState().entities).toEqual({})
    expect(await text('restitch ann')).toBe('[]')
  })
})
