import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { Controller } from '../controller/Controller.ts'
import type { GCAction } from '../requests/actions.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { TestClock } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { GCPolicy, ImmortalGCPolicy } from './GCPolicy.ts'
import { NetworkManager } from './NetworkManager.ts'

let clock: TestClock
let store: Store
let controller: Controller
let actions: GCAction[]

beforeEach(() => {
  clock = new TestClock()
  open()
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(options: StoreOptions = {}): void {
  actions = []
  const spy = {
    middleware: () => (next: any) => (action: any) => {
      if (action.type === 'rdc/gc') {
        actions.push(action)
      }
      return next(action)
    },
    cleanup() {},
  }
  store = createStore({ clock, managers: [spy, new NetworkManager()], ...options })
  controller = store.controller
}

const MINUTE = 60_000
const args = { id: '1' }
const one = { id: '1', title: 'a', author: { id: '5', name: 'u' } }
const get = (more?: object): any => deferredEndpoint('get', Todo, more)
const lists = (): any => deferredEndpoint('list', new Collection([Todo]))
const rows = (): string[] =>
  Object.entries(store.getState().entities).flatMap(([key, table]) => Object.keys(table).map((pk) => `${key} ${pk}`))
const results = (): string[] => Object.keys(store.getState().endpoints)

describe('when', () => {
  test('GC-1 GC-3 STO-5 a store forgets by itself, every five minutes, one action for each slice', async () => {
    const ep = get()
    await controller.setResponse(ep, args, one)
    await clock.pass(5 * MINUTE - 1)
    expect(rows()).toEqual(['User 5', 'Todo 1'].toSorted())
    await clock.pass(2)
    expect([rows(), results()]).toEqual([[], []])
    expect(actions.flatMap(({ endpoints }) => endpoints)).toEqual([ep.key(args)])
    const entities = actions.flatMap((action) => action.entities.map(({ key, pk }) => `${key} ${pk}`))
    expect(entities.toSorted()).toEqual(['Todo 1', 'User 5'])
    const { length } = actions
    await clock.pass(20 * MINUTE)
    expect(actions, 'nothing to say').toHaveLength(length)
  })

  test.each<[object, object, number]>([
    [{}, { dataExpiryLength: 10_000 }, 2],
    [{}, { dataExpiryLength: 3 * MINUTE }, 6],
    [{ expiryMultiplier: 10 }, { dataExpiryLength: MINUTE }, 10],
    [{ expiresAt: ({ fetchedAt }: any) => fetchedAt + 7 * MINUTE }, { dataExpiryLength: 10_000 }, 7],
    [{ expiresAt: () => Infinity }, { dataExpiryLength: 10_000 }, Infinity],
    [{}, { dataExpiryLength: Infinity }, Infinity],
  ])('GC-1 GC-3 policy %o, endpoint %o: kept for %d minutes', async (options, own, minutes) => {
    open({ gcPolicy: new GCPolicy({ intervalMS: MINUTE / 4, ...options }) })
    await controller.setResponse(deferredEndpoint('list', [Todo], own), [{ id: '1' }])
    const end = Math.min(minutes, 1_000)
    await clock.pass(end * MINUTE - 1)
    expect(results()).toHaveLength(1)
    await clock.pass(MINUTE / 4 + 2)
    expect([results().length, rows().length]).toEqual(minutes === Infinity ? [1, 1] : [0, 0])
  })

  test('GC-9 what is not retained goes without the two minutes', async () => {
    open({ gcPolicy: new GCPolicy({ intervalMS: 1_000 }) })
    await controller.setResponse(deferredEndpoint('blob', undefined, { dataExpiryLength: 0 }), 'content')
    await clock.pass(2_000)
    expect(results()).toEqual([])
  })

  test('GC-3 slices wait for the page to have nothing better to do', async () => {
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
    for (let i = 0; i < 3_000; i++) {
      await controller.set(User, { id: `${i}` }, { id: `${i}` })
    }
    await clock.pass(6 * MINUTE)
    expect(rows()).toHaveLength(3_000)
    let slices = 0
    while (idle.length > 0) {
      idle.shift()!()
      slices++
    }
    expect(rows()).toEqual([])
    expect(slices).toBeGreaterThan(3)
    expect(actions.length).toBeGreaterThan(1)
    expect(clock.pending, 'the next sweep').toBe(1)
  })

  test('GC-8 its timer is unref-ed with the others of the platform', async () => {
    store.stop()
    const unref = vi.fn()
    vi.stubGlobal('setTimeout', () => ({ unref }))
    const own = createStore()
    expect(unref).toHaveBeenCalled()
    vi.unstubAllGlobals()
    own.stop()
  })

  test('GC-1 MGR-4 a stop ends it, also within a sweep; a start begins again', async () => {
    const idle: (() => void)[] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run))
    for (let i = 0; i < 3_000; i++) {
      await controller.set(User, { id: `${i}` }, { id: `${i}` })
    }
    await clock.pass(6 * MINUTE)
    idle.shift()!()
    const left = rows().length
    store.stop()
    await clock.pass(0)
    for (const run of idle.splice(0)) {
      run()
    }
    expect(left).toBeGreaterThan(2_000)
    expect([rows().length, clock.pending]).toEqual([left, 0])
    store.start()
    await clock.pass(6 * MINUTE)
    while (idle.length > 0) {
      idle.shift()!()
    }
    expect(rows()).toEqual([])
  })

  test('GC-3 an interval that no timer can count never comes', () => {
    store.stop()
    clock = new TestClock()
    open({ gcPolicy: new GCPolicy({ intervalMS: Infinity }) })
    expect(clock.pending).toBe(0)
  })

  test('GC-3 a policy that throws is reported, and tries again', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    let fails = true
    const expiresAt = (): number => {
      if (fails) {
        throw new Error('mine')
      }
      return 0
    }
    open({ gcPolicy: new GCPolicy({ expiresAt, intervalMS: MINUTE }) })
    await controller.set(User, { id: '1' }, { id: '1' })
    await clock.pass(MINUTE + 1)
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'mine' }))
    fails = false
    await clock.pass(MINUTE + 1)
    expect(rows()).toEqual([])
  })

  test.each([new GCPolicy(), new ImmortalGCPolicy()])(
    'GC-1 a policy that never started can be stopped, and its counts ended',
    (policy) => {
      const end = policy.createCountRef({ key: 'x' })()
      end()
      expect(() => policy.cleanup()).not.toThrow()
    },
  )

  test('GC-1 STO-5 ImmortalGCPolicy forgets nothing; it is what a Controller has by itself', async () => {
    open({ gcPolicy: new ImmortalGCPolicy() })
    await controller.setResponse(get(), args, one)
    controller.getResponse(get(), args).countRef()()
    await clock.pass(1_000 * MINUTE)
    expect(rows()).toHaveLength(2)
    expect(new Controller().core.gcPolicy).toBeUndefined()
  })
})

describe('what stays', () => {
  test('GC-2 what a mounted reader shows, until it goes', async () => {
    const ep = get({ dataExpiryLength: MINUTE })
    await controller.setResponse(ep, args, one)
    await controller.set(User, { id: '6' }, { id: '6' })
    const end = store.view(ep, args).subscribe(() => {}, true)
    await clock.pass(60 * MINUTE)
    expect(rows()).toEqual(expect.arrayContaining(['Todo 1', 'User 5']))
    expect(rows()).toHaveLength(2)
    end()
    await clock.pass(10 * MINUTE)
    expect([rows(), results()]).toEqual([[], []])
  })

  test('GC-2 NET-15 the key of a reader that waits', async () => {
    open({ gcPolicy: new GCPolicy({ intervalMS: 1_000 }) })
    const ep = deferredEndpoint('slow', undefined, { dataExpiryLength: 0 })
    void store.view(ep).promise()
    await clock.pass(MINUTE)
    await ep.calls[0].answer('content')
    await clock.pass(29_000)
    expect(results()).toHaveLength(1)
    await clock.pass(3_000)
    expect(results()).toEqual([])
  })

  test('GC-2 CTL-16 counted rows stay, once for each count, even if counted before the store started', async () => {
    for (const start of [true, false]) {
      open({ start })
      await controller.setResponse(get(), args, one)
      const { countRef } = controller.getResponse(get(), args)
      const releases = [countRef(), countRef()]
      store.start()
      await clock.pass(30 * MINUTE)
      expect([rows().length, results().length]).toEqual([2, 1])
      releases[0]!()
      releases[0]!()
      await clock.pass(30 * MINUTE)
      expect(rows()).toHaveLength(2)
      releases[1]!()
      await clock.pass(10 * MINUTE)
      expect([rows().length, results().length]).toEqual([0, 0])
      store.stop()
    }
  })

  test('GC-4 what is read again needs no keeping of books', async () => {
    const ep = get()
    await controller.setResponse(ep, args, one)
    for (let i = 0; i < 10; i++) {
      const end = store.view(ep, args).subscribe(() => {}, true)
      await clock.pass(4 * MINUTE)
      end()
      await clock.pass(MINUTE / 2)
      await controller.setResponse(ep, args, one)
    }
    expect(rows()).toHaveLength(2)
    expect(clock.pending).toBe(1)
  })

  test('GC-5 rows that were never read are collected too', async () => {
    await controller.set(User, { id: '1' }, { id: '1' })
    await clock.pass(6 * MINUTE)
    expect(rows()).toEqual([])
  })

  test('GC-6 entries of indexes and lists go with their records', async () => {
    class Named extends Entity {
      id = ''
      name = ''
      static override key = 'Named'
      static override indexes = ['name'] as const
    }
    const ep = deferredEndpoint('list', new Collection([Named]))
    await controller.setResponse(ep, [{ id: '1', name: 'a' }])
    expect(controller.get(Named, { name: 'a' })).toBeDefined()
    await clock.pass(6 * MINUTE)
    expect(controller.get(Named, { name: 'a' })).toBeUndefined()
    expect(store.getState().indexes['Named']?.['name'] ?? {}).toEqual({})
    // A list that is gone takes nothing in any more.
    await controller.set((ep.schema as any).push, {}, { id: '2', name: 'b' })
    expect(controller.getResponse(ep).data).toBeUndefined()
  })

  test('GC-7 DEN-15 nothing that a retained list needs', async () => {
    const ep = lists()
    const kept = ep.extend({ dataExpiryLength: 30 * MINUTE })
    await controller.setResponse(deferredEndpoint('short', [Todo], { dataExpiryLength: 1_000 }), [one, { id: '2' }])
    await controller.setResponse(kept, [one])
    await clock.pass(20 * MINUTE)
    expect(rows().filter((row) => !row.startsWith('['))).toEqual(expect.arrayContaining(['Todo 1', 'User 5']))
    expect(rows()).not.toContain('Todo 2')
    expect(controller.getResponse(kept).data).toMatchObject([one])
    await clock.pass(50 * MINUTE)
    expect(rows()).toEqual([])
  })
})

test('GC-10 marks of deleted records are forgotten, and lists are left as they were', async () => {
  const ep = lists()
  const del = deferredEndpoint('delete', undefined, { sideEffect: true })
  const remove = del.extend({ schema: new Invalidate(Todo) })
  await controller.setResponse(ep, [one, { id: '2' }])
  const told = vi.fn()
  store.view(ep).subscribe(told, true)
  const gone = controller.fetch(remove, { id: '2' })
  await del.calls[0].answer({ id: '2' })
  await gone
  const before = controller.getResponse(ep).data
  told.mockClear()
  await clock.pass(6 * MINUTE)
  expect(Object.keys(store.getState().entities['Todo']!)).toEqual(['1'])
  expect(controller.getResponse(ep).data).toBe(before)
  expect(told).not.toHaveBeenCalled()
})
