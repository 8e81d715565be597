// PER-5, PER-6, PER-8 to PER-13: the schedules that a disk has to survive.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DiskStorage } from '../disk/DiskStorage.ts'
import { LogoutManager } from '../managers/LogoutManager.ts'
import { GC } from '../requests/actionTypes.ts'
import { SavedTodo as Todo, Tabs } from '../testing/Tabs.ts'

let tabs: Tabs
const never = (): Promise<never> => new Promise(() => {})
const ids = (list: any): string[] => (list as { id: string }[] | undefined)?.map(({ id }) => id) ?? []

beforeEach(() => {
  tabs = new Tabs()
})
afterEach(() => {
  tabs.close()
})

describe('PER-5 restored lists', () => {
  test('push committed, then the disk brings the list without it', async () => {
    const { clock, getTodos, addTodo, server } = tabs
    await tabs.open().controller.fetch(getTodos)
    await clock.pass(200)
    const late: DiskStorage = {
      open: async (name) => {
        await new Promise<void>((done) => void clock.setTimeout(done, 300))
        return tabs.storage.open(name)
      },
    }
    server['addTodo'] = { id: '9', title: 'new' }
    const store = tabs.open({ storage: late })
    await store.controller.fetch(addTodo, { title: 'new' })
    server['getTodos'] = ['1', '2', '9'].map((id) => ({ id, title: 'x' }))
    store.view(getTodos).subscribe(() => {})
    await clock.pass(5_000)
    expect(ids(tabs.read(store, getTodos))).toEqual(['1', '2', '9'])
    expect(tabs.sent.filter((name) => name === 'getTodos')).toHaveLength(2)
  })

  test('a list that was written before the last write of its table is fetched again', async () => {
    const { clock, getTodos } = tabs
    const first = tabs.open()
    await first.controller.fetch(getTodos)
    await clock.pass(200)
    // The list leaves the store, and does not learn of the write.
    const entities = [{ key: '[Todo]', pk: '{}' }]
    await first.controller.dispatch({ type: GC, entities, endpoints: ['getTodos []'] } as never)
    await first.controller.set(Todo, { id: '1' }, { id: '1', title: 'b', done: true })
    await clock.pass(200)
    const second = tabs.open()
    second.view(getTodos).subscribe(() => {})
    await clock.pass(300)
    expect(tabs.sent).toEqual(['getTodos', 'getTodos'])
  })

  test('a list that has followed the write is not', async () => {
    const { clock, getTodos } = tabs
    const first = tabs.open()
    await first.controller.fetch(getTodos)
    await first.controller.set(Todo, { id: '1' }, { id: '1', title: 'b', done: true })
    await clock.pass(300)
    const second = tabs.open()
    second.view(getTodos).subscribe(() => {})
    await clock.pass(300)
    expect(tabs.read(second, getTodos)[0].title).toBe('b')
    expect(tabs.sent).toEqual(['getTodos'])
  })

  test('a deleted record stays deleted', async () => {
    const { clock, getTodos, endpoint, server } = tabs
    const remove = endpoint.call(tabs, 'remove', new (await import('../kinds/Invalidate.ts')).Invalidate(Todo), {
      sideEffect: true,
    })
    server['remove'] = { id: '1' }
    const first = tabs.open()
    await first.controller.fetch(getTodos)
    await first.controller.fetch(remove, { id: '1' })
    await clock.pass(300)
    const second = tabs.open()
    await clock.pass(0)
    expect(ids(tabs.read(second, getTodos))).toEqual(['2'])
  })
})

describe('PER-6 what is not written', () => {
  test.each([
    ['dataExpiryLength: 0', { dataExpiryLength: 0 }, { id: '1', title: 'secret' }],
    ['an error', {}, () => Promise.reject(new Error('secret'))],
    ['the result of a mutation', { sideEffect: true, schema: undefined }, { token: 'secret' }],
  ])('%s', async (_, options, value) => {
    const { clock, server } = tabs
    const get = tabs.endpoint('get', 'schema' in options ? undefined : Todo, options)
    server['get'] = value
    const store = tabs.open()
    await store.controller.fetch(get, { id: '1' }).catch(() => {})
    await clock.pass(500)
    expect(JSON.stringify([...(await tabs.disk())])).not.toContain('secret')
    expect(tabs.errors).toEqual([])
  })

  test('an excluded Entity, its lists and the results with them; an excluded endpoint', async () => {
    const { clock, getTodos, getTodo } = tabs
    const plain = tabs.endpoint('plain', undefined)
    tabs.server['plain'] = 'secret'
    const store = tabs.open({ exclude: [Todo, { testKey: (key) => key.startsWith('plain') }] })
    await Promise.all([getTodos, getTodo, plain].map((one) => store.controller.fetch(one, { id: '1' })))
    await clock.pass(500)
    expect([...(await tabs.disk()).keys()]).toEqual([])
  })

  test('include: an Entity leaves the others out, an endpoint the other results', async () => {
    const { clock, getTodos, getTodo } = tabs
    const store = tabs.open({ include: [Todo, { testKey: (key) => key.startsWith('getTodos') }] })
    await Promise.all([getTodos, getTodo].map((one) => store.controller.fetch(one, { id: '1' })))
    await clock.pass(500)
    expect([...(await tabs.disk()).keys()].filter((key) => key.startsWith('row/1/\n'))).toEqual([
      'row/1/\ngetTodos [{"id":"1"}]',
    ])
  })
})

test('PER-8 a record collected in the tunnel, then its screen opened', async () => {
  const { clock, getTodo, server } = tabs
  const store = tabs.open()
  await store.controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  const entities = [{ key: 'Todo', pk: '1' }]
  await store.controller.dispatch({ type: GC, entities, endpoints: ['getTodo [{"id":"1"}]'] } as never)
  await clock.pass(200)
  expect(tabs.read(store, getTodo, { id: '1' })).toBeUndefined()
  expect((await tabs.disk()).has('row/1/Todo\n1')).toBe(true)
  server['getTodo'] = never
  const view = store.view(getTodo, { id: '1' }) as any
  const suspended = view.promise(true)
  await clock.pass(0)
  expect((await suspended).title).toBe('a')
})

test.each(['expireAll', 'invalidateAll'] as const)('PER-8 a result that was collected, then %s', async (method) => {
  const { clock, getTodo, server } = tabs
  const store = tabs.open()
  await store.controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  await store.controller.dispatch({ type: GC, entities: [], endpoints: ['getTodo [{"id":"1"}]'] } as never)
  await store.controller[method]({ testKey: (key) => key.startsWith('getTodo ') })
  await clock.pass(200)
  server['getTodo'] = never
  const second = tabs.open()
  await clock.pass(0)
  const { data, expiresAt } = second.controller.getResponse(getTodo, { id: '1' }) as any
  // Without its result the record is all that is known.
  expect([data.title, expiresAt < clock.time]).toEqual(['a', method === 'expireAll'])
})

test('PER-8 rows older than maxAge are deleted', async () => {
  const { clock, getTodo } = tabs
  await tabs.open().controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  clock.time += 8 * 86_400_000
  const store = tabs.open()
  await clock.pass(200)
  expect(tabs.read(store, getTodo, { id: '1' })).toBeUndefined()
  expect([...(await tabs.disk()).keys()].filter((key) => key.includes('\n'))).toEqual([])
})

describe('PER-9 sessions', () => {
  const entry = (id: string): [string, unknown] => [
    `entry/${id}`,
    { id, endpoint: 'todo.update', args: [], createdAt: 1 },
  ]
  const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { status: 401 }))

  test('a 401 while entries wait: rows go, entries stay for their user', async () => {
    const { clock, getTodo, server } = tabs
    const onUnsent = vi.fn()
    const store = tabs.open({ user: () => 'ann', onUnsent }, [new LogoutManager({ origins: [] })])
    await store.controller.fetch(getTodo, { id: '1' })
    await tabs.put('restitch ann', entry('1'))
    await clock.pass(200)
    expect((await tabs.disk('restitch ann')).size).toBeGreaterThan(1)
    server['getTodo'] = refuse
    await store.controller.fetch(getTodo, { id: '2' }).catch(() => {})
    await clock.pass(200)
    expect([...(await tabs.disk('restitch ann')).keys()]).toEqual([])
    expect([...(await tabs.disk('restitch ann', 'entry/')).keys()]).toEqual(['entry/1'])
    expect(onUnsent).not.toHaveBeenCalled()
    expect(store.persisted!.status).toBe('closed')
  })

  test.each([
    ['nothing', undefined, []],
    ['false', false, ['entry/1']],
    ['a promise of false', Promise.resolve(false), ['entry/1']],
  ])('an explicit sign-out asks onUnsent, which returns %s', async (_, value, left) => {
    const { clock, getTodo } = tabs
    const onUnsent = vi.fn(() => value)
    let user: string | undefined = 'ann'
    const store = tabs.open({ user: () => user, onUnsent })
    await store.controller.fetch(getTodo, { id: '1' })
    await tabs.put('restitch ann', entry('1'))
    await clock.pass(200)
    user = undefined
    await store.controller.resetEntireStore()
    await clock.pass(200)
    expect(onUnsent).toHaveBeenCalledWith([expect.objectContaining({ id: '1', endpoint: 'todo.update' })])
    expect([...(await tabs.disk('restitch ann')).keys()]).toEqual([])
    expect([...(await tabs.disk('restitch ann', 'entry/')).keys()]).toEqual(left)
  })

  test('without onUnsent nothing unsent is dropped; keepUnsent: false always drops it', async () => {
    const { clock } = tabs
    await tabs.put('restitch ann', entry('1'))
    const store = tabs.open({ user: () => 'ann' })
    await clock.pass(0)
    await store.controller.resetEntireStore()
    await clock.pass(200)
    expect((await tabs.disk('restitch ann', 'entry/')).size).toBe(1)
    const shared = tabs.open({ user: () => 'ann', keepUnsent: false })
    await clock.pass(0)
    await shared.controller.resetEntireStore()
    await clock.pass(200)
    expect((await tabs.disk('restitch ann', 'entry/')).size).toBe(0)
  })

  test('the database is opened again for the next user, who sees nothing of the one before', async () => {
    const { clock, getTodo, getTodos } = tabs
    let user: string | undefined = 'ann'
    const store = tabs.open({ user: () => user })
    await store.controller.fetch(getTodo, { id: '1' })
    await clock.pass(200)
    user = undefined
    await store.controller.resetEntireStore()
    await clock.pass(200)
    await store.controller.fetch(getTodos)
    await clock.pass(200)
    expect(store.persisted!.status).toBe('closed')
    await store.controller.resetEntireStore()
    user = 'bob'
    await store.controller.fetch(getTodos)
    await clock.pass(300)
    expect(store.persisted!.status).toBe('open')
    expect([...(await tabs.disk('restitch bob')).keys()]).toContain('row/1/Todo\n1')
    expect((await tabs.disk('restitch ann')).size).toBe(0)
    expect((await tabs.disk('restitch')).size).toBe(0)
  })

  test('after an expired session the same user finds a database again with the first accepted response', async () => {
    const { clock, getTodo, getTodos, server } = tabs
    const store = tabs.open({ user: () => 'ann' }, [new LogoutManager()])
    await clock.pass(0)
    server['getTodo'] = refuse
    await store.controller.fetch(getTodo, { id: '1' }).catch(() => {})
    await clock.pass(100)
    expect(store.persisted!.status).toBe('closed')
    await store.controller.fetch(getTodos)
    await clock.pass(300)
    expect(store.persisted!.status).toBe('open')
    expect((await tabs.disk('restitch ann')).size).toBe(5)
  })

  test('two accounts in two tabs', async () => {
    const { clock, getTodo, server } = tabs
    const ann = tabs.open({ user: () => 'ann' })
    const bob = tabs.open({ user: () => 'bob' })
    await ann.controller.fetch(getTodo, { id: '1' })
    server['getTodo'] = { id: '2', title: 'of bob' }
    await bob.controller.fetch(getTodo, { id: '2' })
    await clock.pass(200)
    await ann.controller.resetEntireStore()
    await clock.pass(200)
    expect((await tabs.disk('restitch ann')).size).toBe(0)
    expect(JSON.stringify([...(await tabs.disk('restitch bob'))])).toContain('of bob')
    expect(tabs.read(bob, getTodo, { id: '2' }).title).toBe('of bob')
    expect(bob.persisted!.status).toBe('open')
  })
})

test('PER-10 a tab thawed after a sign-out writes nothing, and resets', async () => {
  vi.stubGlobal('BroadcastChannel', undefined)
  const { clock, getTodo, getTodos } = tabs
  const frozen = tabs.open({ user: () => 'ann' })
  const other = tabs.open({ user: () => 'ann' })
  await frozen.controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  await other.controller.resetEntireStore()
  await clock.pass(200)
  expect((await tabs.disk('restitch ann')).size).toBe(0)
  // Its cookies may be those of the next user.
  await frozen.controller.set(Todo, { id: '1' }, { id: '1', title: 'late' })
  await clock.pass(200)
  expect(tabs.read(frozen, getTodo, { id: '1' })).toBeUndefined()
  await frozen.controller.fetch(getTodos)
  await clock.pass(500)
  expect((await tabs.disk('restitch ann')).size).toBe(0)
  expect(frozen.persisted!.status).toBe('closed')
  vi.unstubAllGlobals()
})

test('PER-10 sign-out wipes: every other tab resets at once', async () => {
  const { clock, getTodo } = tabs
  const one = tabs.open({ user: () => 'ann' })
  const two = tabs.open({ user: () => 'ann' })
  await one.controller.fetch(getTodo, { id: '1' })
  await two.controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  await one.controller.resetEntireStore()
  await clock.pass(100)
  await vi.waitFor(() => expect(tabs.read(two, getTodo, { id: '1' })).toBeUndefined())
  expect((await tabs.disk('restitch ann')).size).toBe(0)
})

test('PER-10 a tab that fetches once more as the user who has signed out elsewhere: the next user has nothing of it', async () => {
  const { clock, getTodo, getTodos, server } = tabs
  // A tab may learn later than another one that its user has signed out.
  let user = 'ann'
  const one = tabs.open({ user: () => 'ann' })
  const two = tabs.open({ user: () => user })
  await one.controller.fetch(getTodo, { id: '1' })
  await two.controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  await one.controller.resetEntireStore()
  await clock.pass(100)
  await vi.waitFor(() => expect(two.persisted!.status).toBe('closed'))
  server['getTodo'] = { id: '7', title: 'of ann' }
  await two.controller.fetch(getTodo, { id: '7' })
  await clock.pass(200)
  user = 'bob'
  server['getTodos'] = [{ id: '8', title: 'of bob' }]
  await two.controller.fetch(getTodos).catch(() => {})
  await clock.pass(500)
  await two.controller.fetch(getTodos)
  await clock.pass(500)
  expect(two.persisted!.status).toBe('open')
  expect(tabs.read(two, getTodo, { id: '7' })).toBeUndefined()
  const disk = JSON.stringify([...(await tabs.disk('restitch bob'))])
  expect(disk).toContain('of bob')
  expect(disk).not.toContain('of ann')
})

test('PER-9 what was noted for a user who has signed out is not written to the database of the next one', async () => {
  const { clock, getTodo, getTodos, server } = tabs
  let user = 'ann'
  // Another tab has written before: a write needs two transactions.
  const before = tabs.open({ user: () => 'ann' })
  await before.controller.fetch(getTodos)
  await clock.pass(200)
  before.stop()
  await clock.pass(200)
  const { storage } = tabs
  let hold: Promise<void> | undefined
  tabs.storage = {
    open: async (name) => {
      const database = await storage.open(name)
      const transact: typeof database.transact = async (keys, decide, durability) => {
        await database.transact(keys, decide, durability)
        // Of a write, the first of two transactions.
        await (keys.length === 3 && keys[0]!.endsWith('.about') ? hold : undefined)
      }
      return { ...database, transact }
    },
  }
  const store = tabs.open({ user: () => user })
  await clock.pass(200)
  server['getTodo'] = { id: '7', title: 'of ann' }
  await store.controller.fetch(getTodo, { id: '7' })
  let release = (): void => {}
  hold = new Promise((resolve) => (release = resolve))
  // Its write has begun, and the database responds slowly.
  await clock.pass(200)
  user = 'bob'
  await store.controller.resetEntireStore()
  server['getTodos'] = [{ id: '8', title: 'of bob' }]
  await clock.pass(200)
  await store.controller.fetch(getTodos)
  await clock.pass(50)
  hold = undefined
  release()
  for (let i = 0; i < 5; i++) {
    await clock.pass(300)
    await store.controller.fetch(getTodos)
  }
  const disk = JSON.stringify([...(await tabs.disk('restitch bob'))])
  expect(disk).toContain('of bob')
  expect(disk).not.toContain('of ann')
})

describe('PER-11 PER-13 versions and tabs', () => {
  test('rows of another version are not read, and are deleted when no tab uses them', async () => {
    const { clock, getTodo } = tabs
    const old = tabs.open({ version: 2 })
    await old.controller.fetch(getTodo, { id: '1' })
    await clock.pass(6_000)
    const next = tabs.open({ version: 3 })
    await clock.pass(6_000)
    expect(tabs.read(next, getTodo, { id: '1' })).toBeUndefined()
    const versions = async (): Promise<string[]> => [
      ...new Set([...(await tabs.disk()).keys()].map((key) => key.slice(0, 5))),
    ]
    // It may be open in a tab: without Web Locks nobody knows for a day.
    expect(await versions()).toContain('row/2')
    expect(tabs.read(tabs.open({ version: 2 }), getTodo, { id: '1' })).toBeUndefined()
    await clock.pass(0)
    await clock.pass(6_000)
    clock.time += 2 * 86_400_000
    tabs.open({ version: 3 })
    await clock.pass(0)
    await clock.pass(6_000)
    expect(await versions()).not.toContain('row/2')
  })

  test('of two tabs that write the same row, the one that was requested later stays', async () => {
    const { clock, getTodo, server } = tabs
    let respond!: (value: unknown) => void
    server['getTodo'] = () => new Promise((done) => (respond = done))
    const [slow, fast] = [tabs.open(), tabs.open()]
    await clock.pass(0)
    const waiting = slow.controller.fetch(getTodo, { id: '1' })
    await clock.pass(50)
    server['getTodo'] = { id: '1', title: 'newer' }
    await fast.controller.fetch(getTodo, { id: '1' })
    await clock.pass(200)
    respond({ id: '1', title: 'older' })
    await waiting
    await clock.pass(300)
    const third = tabs.open()
    await clock.pass(0)
    expect(tabs.read(third, getTodo, { id: '1' }).title).toBe('newer')
  })
})

test('DSK-5 on a server nothing is opened, awaited or reported', async () => {
  const { clock, getTodos } = tabs
  const store = tabs.open({ storage: undefined })
  store.view(getTodos).subscribe(() => {})
  await clock.pass(0)
  expect(tabs.sent).toEqual(['getTodos'])
  expect(store.persisted).toMatchObject({ status: 'memory', rows: 0, durable: undefined })
  await store.persisted!.ready
  expect(tabs.errors).toEqual([])
})

test('PER-3 a clock that was set back: nothing is from the future', async () => {
  const { clock, getTodo } = tabs
  await tabs.open().controller.fetch(getTodo, { id: '1' })
  await clock.pass(200)
  tabs.clock.time -= 86_400_000
  const now = tabs.clock.time
  const store = tabs.open()
  await clock.pass(0)
  expect(store.getState().entitiesMeta['Todo']!['1']!.date).toBeLessThanOrEqual(now)
})

test('a page that is killed before its list was written restores no list without its records', async () => {
  const { clock, getTodos } = tabs
  const mortal = tabs.mortal()
  const first = tabs.open({ storage: mortal.storage })
  await clock.pass(0)
  const fetched = first.controller.fetch(getTodos)
  await fetched
  mortal.kill()
  await clock.pass(500)
  const second = tabs.open()
  await clock.pass(0)
  expect(tabs.read(second, getTodos)).toBeUndefined()
})

test('store.persisted tells of what it has, and wipe() deletes it', async () => {
  const { clock, getTodos } = tabs
  const store = tabs.open()
  const told = vi.fn()
  store.persisted!.subscribe(told)
  await store.controller.fetch(getTodos)
  await clock.pass(200)
  expect(store.persisted).toMatchObject({ status: 'open', rows: 4, lastWrittenAt: clock.time - 100 })
  const texts = [...(await tabs.disk()).entries()].filter(([key]) => key.includes('\n'))
  expect(store.persisted!.bytes).toBe(texts.reduce((sum, [, text]) => sum + String(text).length, 0))
  expect(told).toHaveBeenCalled()
  await store.persisted!.wipe()
  expect(store.persisted).toMatchObject({ rows: 0, bytes: 0 })
  expect((await tabs.disk()).size).toBe(0)
})
