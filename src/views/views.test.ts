import type { Row } from '../rows/Row.ts'
import { whyFetch } from '../explain/whyFetch.ts'
import type { Reading } from '../requests/Reading.ts'
// How long a mounted reader keeps the value it read.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { asDriver, collectorOf } from '../testing/drivers.ts'
import { deferredEndpoint, endpoint } from '../testing/endpoints.ts'
import { Todo, User, Whole, wholeTodo } from '../testing/entities.ts'
import type { Controller } from '../controller/Controller.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import type { Core } from '../controller/Core.ts'
import { type SharedView } from './SharedView.ts'
import { SUSPENDED_READER_KEPT } from './Wait.ts'
import { refetchStale } from '../managers/watchFocus.ts'

let clock: TestClock
let store: Store

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

const args = { id: '1' }
const one = { id: '1', title: 'a' }

test('ENT-25 DEN-15 a result is in doubt after requests crossed on a record of it, until it is fetched again', async () => {
  const get = deferredEndpoint('get', Todo)
  const list = deferredEndpoint('list', new Collection([Todo]))
  const put = deferredEndpoint('put', Todo, { sideEffect: true })
  const { controller } = store
  await controller.setResponse(get, args, one)
  const view = store.view(get, args)
  const end = view.subscribe(() => {}, true)
  const due = view.read().expiresAt
  void controller.fetch(list, {})
  void controller.fetch(put, args, { title: 'b' })
  await put.calls[0].answer({ id: '1', title: 'b' })
  await list.calls[0].answer([one])
  expect(view.read()).toMatchObject({ data: { title: 'b' }, expiresAt: 1 })
  void controller.fetch(get, args)
  await get.calls[0].answer({ id: '1', title: 'b' })
  await tick()
  expect(controller.getResponse(get, args).expiresAt).toBe(due)
  expect(view.read().expiresAt).toBe(due)
  end()
})

const get: any = deferredEndpoint('get', Todo)
const remove: any = deferredEndpoint('remove', new Invalidate(Todo), {
  sideEffect: true,
  getOptimisticResponse: (_: unknown, params: object) => params,
})
const failing = (errorPolicy?: 'soft'): any => get.extend({ errorPolicy: () => errorPolicy })
const later = 1_000_500 + 60_000

test.each<[string, (controller: Controller) => unknown, object]>([
  ['STO-3 EXP-8 confirmed by an equal response', (c) => c.setResponse(get, args, one), { expiresAt: later }],
  ['STO-3 ERR-2 an error came', (c) => c.setError(failing(), args, new Error('no')), { error: { message: 'no' } }],
  ['STO-3 ERR-2 a soft error came', (c) => c.setError(failing('soft'), args, new Error('no')), { error: undefined }],
  [
    'STO-3 ERR-2 an error came and went',
    async (c) => {
      await c.setError(failing(), args, new Error('no'))
      store.view(get, args).read()
      await c.setResponse(get, args, one)
    },
    { error: undefined, data: one, expiresAt: later },
  ],
  ['STO-3 EXP-7 invalidated', (c) => c.invalidate(get, args), { data: one, expiryStatus: 1 }],
  ['STO-3 EXP-7 expired', (c) => c.expireAll({ testKey: () => true }), { data: one, expiresAt: 1 }],
  ['STO-3 ST-15 reset', (c) => c.resetEntireStore(), { data: undefined }],
  [
    'STO-3 GC-1 collected',
    (c) => collectorOf(asDriver(c.core)).collect({ entities: [], endpoints: [get.key(args)] }),
    { data: one },
  ],
  ['STO-3 OPT-15 hidden by a pending operation', (c) => void c.fetch(remove, args), { waiting: true }],
  [
    'STO-3 OPT-15 hidden, and shown again',
    async (c) => {
      const { length } = remove.calls
      c.fetch(remove, args).catch(() => {})
      expect(store.view(get, args).read().data).toBeUndefined()
      await remove.calls[length].fail(Object.assign(new Error('no'), { status: 422 }))
    },
    { data: one, expiresAt: 1_060_000 },
  ],
])('%s: a mounted reader that has looked before finds it', async (_, change, expected) => {
  const { controller } = store
  await controller.setResponse(get, args, one)
  const view = store.view(get, args)
  // Some read while others are notified, and some subscribe then.
  const begun: (() => void)[] = []
  const seen: unknown[] = []
  const end = view.subscribe(() => {
    seen.push({ ...view.read() }, { ...controller.getResponse(get, args) })
    begun.push(view.subscribe(() => {}, true))
  }, true)
  expect(view.read().data).toMatchObject(one)
  expect(view.read()).toBe(view.read())
  await clock.pass(500)
  await change(controller)
  await tick()
  expect(view.read()).toMatchObject(expected)
  expect({ ...controller.getError(get, args) }).toEqual({ ...view.read().error })
  const { data, expiresAt, expiryStatus } = controller.getResponse(get, args)
  expect(view.read()).toMatchObject({ data, expiresAt, expiryStatus })
  for (const stop of [end, ...begun]) {
    stop()
  }
})

test('POL-13 ERR-2 readers are notified of a stale mark, and not of what they do not see', async () => {
  const driver = asDriver(store.controller.core)
  const soft = failing('soft')
  const told: string[] = []
  driver.open(soft, [args]).answer(one)
  driver.subscribe(soft, [args], (change) => told.push(change))
  const heard = async (change: () => unknown): Promise<string[]> => {
    await change()
    await tick()
    return told.splice(0)
  }
  const expire = (): unknown => driver.expireAll({ testKey: () => true })
  expect(await heard(() => driver.open(soft, [args]).fail(new Error('no')))).toEqual([])
  expect(await heard(() => driver.open(soft, [args]).answer(one))).toEqual([])
  expect(await heard(expire)).toEqual(['freshness'])
  // Marked again, and fetched before anyone was notified.
  expect(
    await heard(() => {
      const notify = driver.store.notifier.hold()
      expire()
      driver.open(soft, [args]).answer(one)
      notify()
    }),
  ).toEqual([])
})

test('STO-3 EXP-7 an inferred result is as fresh as its records are now', async () => {
  const { controller } = store
  await controller.set(Todo, args, wholeTodo)
  const view = store.view(get, args)
  const end = view.subscribe(() => {}, true)
  expect(view.read().expiresAt).toBe(1_060_000)
  await clock.pass(500)
  await controller.set(Todo, args, wholeTodo)
  expect(view.read().expiresAt).toBe(later)
  end()
})

test('EXP-7 DEL-3 deleted data is fetched, although a refetch failed a while ago', async () => {
  const ep = deferredEndpoint('get', Todo, { errorPolicy: () => 'soft' })
  const { controller } = store
  await controller.setResponse(ep, args, one)
  const end = store.view(ep, args).subscribe(() => {})
  await controller.setError(ep, args, new Error('a while ago'))
  await clock.pass(5_000)
  expect(ep.calls).toHaveLength(0)
  await (controller as any).set(new Invalidate(Todo), args, args)
  await tick()
  expect(ep.calls).toHaveLength(1)
  end()
})

test('OPT-15 a part of a result that is hidden for good is fetched once that is decided', async () => {
  const both = deferredEndpoint('both', { todo: Todo, user: User })
  const { controller } = store
  await controller.set(Todo, args, one)
  await controller.set(User, args, { id: '1', name: 'Ann' })
  await controller.setError(both, args, new Error('no'))
  const { length } = remove.calls
  void controller.fetch(remove, args)
  await clock.pass(5_000)
  const view = store.view(both, args)
  const told: string[] = []
  const end = view.subscribe((what) => void told.push(what))
  await tick()
  expect(view.read().waiting).toBe(true)
  expect(both.calls).toHaveLength(0)
  await remove.calls[length].answer({ id: '1' })
  await tick()
  expect(view.read().waiting).toBeUndefined()
  expect(told).toEqual(['freshness'])
  // Readers that unsubscribe because of it have left by then.
  expect(both.calls).toHaveLength(0)
  await clock.pass(0)
  expect(both.calls).toHaveLength(1)
  end()
})

test('EXP-7 data on the screen is not fetched again because it is old, nor when a record in it changes', async () => {
  const ep = deferredEndpoint('old', Todo)
  await store.controller.setResponse(ep, args, one)
  const end = store.view(ep, args).subscribe(() => {})
  await clock.pass(61_000)
  await store.controller.set(Todo, args, { ...one, title: 'b' })
  await tick()
  expect([ep.calls.length, store.view(ep, args).read().data.title]).toEqual([0, 'b'])
  end()
})

test.each<[string, any, (controller: Controller, ep: any) => unknown]>([
  ['nothing was stored', Todo, () => {}],
  ['the stored data is incomplete', Whole, (c) => c.set(Whole, args, { id: '1' })],
  [
    'it was invalidated',
    Todo,
    async (c, ep) => {
      await c.setResponse(ep, args, wholeTodo)
      await c.invalidate(ep, args)
    },
  ],
  [
    'it was marked stale',
    Todo,
    async (c, ep) => {
      await c.setResponse(ep, args, one)
      await c.expireAll(ep)
    },
  ],
  [
    'it expired 5 ms ago',
    Todo,
    async (c, ep) => {
      await c.setResponse(ep, args, one)
      await clock.pass(60_005)
    },
  ],
  [
    'the last error has expired',
    Todo,
    async (c, ep) => {
      await c.setError(ep, args, new Error('no'))
      await clock.pass(1_001)
    },
  ],
])('EXPL-4 why a reader fetches: %s', async (why, schema, prepare) => {
  const { controller } = store
  const ep = deferredEndpoint('why', schema)
  await prepare(controller, ep)
  const because = vi.spyOn(controller.core.observer!, 'because')
  const end = store.view(ep, args).subscribe(() => {})
  await tick()
  expect(because).toHaveBeenCalledExactlyOnceWith(ep.key(args), expect.any(Object))
  expect(
    whyFetch(
      because.mock.calls[0]![1] as Reading,
      [...controller.core.store.tables.tables.values()].flatMap<Row>(({ rows }) => rows),
      clock.now(),
    ),
  ).toBe(`A reader needed it: ${why}.`)
  end()
})

describe('the listeners of a view', () => {
  const getOne: any = endpoint('/todo/:id', Todo)
  const isKept = (driver: Driver): boolean => {
    clock.time += 600_000
    for (const garbage of collectorOf(driver).sweep((meta) => meta.expiresAt)) {
      collectorOf(driver).collect(garbage)
    }
    return driver.getState().entities['Todo']?.['1'] !== undefined
  }
  const start = (): Driver => {
    const driver = createDriver(clock)
    driver.open(getOne, [args]).answer(one)
    return driver
  }

  test.each([1, 2, 3])('GC-2 STO-4 a view of %i listeners is mounted until the last one ends', (count) => {
    const driver = start()
    const ends = Array.from({ length: count }, () => driver.subscribe(getOne, [args], () => {}))
    for (const end of ends) {
      expect(isKept(driver)).toBe(true)
      end()
    }
    expect(isKept(driver)).toBe(false)
  })

  test.each([0, 1])('STO-4 ending a subscription twice does not end another (of %i more)', async (more) => {
    const driver = start()
    const notify = vi.fn()
    const ends = Array.from({ length: more + 1 }, () => driver.subscribe(getOne, [args], () => {}))
    ends.forEach((end) => end())
    driver.subscribe(getOne, [args], notify)
    ends.forEach((end) => end())
    expect(isKept(driver)).toBe(true)
    driver.set(Todo, [args], { ...one, title: 'b' })
    expect(notify).toHaveBeenCalledExactlyOnceWith('value')
  })

  test('ST-20 one that ends before it is notified is not called, and nothing is reported', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const driver = start()
    const notify = vi.fn()
    const end = driver.subscribe(getOne, [args], notify)
    driver.open(getOne, [args]).answer({ ...one, title: 'b' })
    end()
    await tick()
    vi.unstubAllGlobals()
    expect([notify, report].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  })

  test('ST-20 a value whose reading throws notifies its listeners, and so does the next one', async () => {
    const query = new Query(new All(Todo), (all) => {
      if (all.length > 1) {
        throw new Error('too many')
      }
      return all.length
    })
    const driver = start()
    const told: unknown[] = []
    driver.subscribe(query, [], (change) => told.push(change))
    driver.set(Todo, [{}], { id: '2' })
    await tick()
    expect(() => driver.read(query, []).data).toThrow('too many')
    driver.set(new Invalidate(Todo), [{}], { id: '2' })
    await tick()
    expect([told, driver.read(query, []).data]).toEqual([['value', 'value'], 1])
  })

  test('POL-13 readers of stale data are not notified of a change that leaves their value as it was', async () => {
    const driver = start()
    const first = new Query(new All(Todo), ([{ id }]: any) => id)
    const told: unknown[] = []
    driver.subscribe(first, [], (change) => told.push(change))
    // A mutation that may have been done marks its record.
    driver.open(endpoint('/put', Todo, { sideEffect: true }), [args]).fail(new Error('down'))
    await tick()
    expect(told.splice(0)).toEqual(['freshness'])
    driver.set(Todo, [{}], { id: '2', title: 'b' })
    await tick()
    expect(driver.read(first, []).expiresAt).toBe(1)
    expect(told).toEqual([])
  })

  test('STO-3 a view without listeners reads the current data, also after someone else has read it', () => {
    const driver = asDriver(store.controller.core)
    driver.open(getOne, [args]).answer(one)
    const view = store.view(getOne, args)
    expect(view.read().data.title).toBe('a')
    driver.set(Todo, [args], { ...one, title: 'b' })
    driver.read(getOne, [args])
    expect(view.read().data.title).toBe('b')
    view.subscribe(() => {}, true)()
    driver.set(Todo, [args], { ...one, title: 'c' })
    driver.read(getOne, [args])
    expect(view.read().data.title).toBe('c')
  })

  test('STO-3 EXP-6 a mounted view reads by the options of the endpoint that it is read by', () => {
    const driver = start()
    const view = driver.view(getOne, [args])
    const strict = endpoint('/todo/:id', Todo, { invalidIfStale: true })
    view.subscribe(() => {})
    const statuses = [getOne, strict, getOne].map((by) => view.read(by).expiryStatus)
    expect(statuses).toEqual([3, 2, 3])
    expect(view.read(strict).data).toBe(view.read(getOne).data)
  })

  test('ST-19 ST-20 a listener that an earlier one removes is not called, nor one that it adds; one that throws stops no other', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const driver = start()
    const called: string[] = []
    const listen = (name: string, more?: () => void): (() => void) =>
      driver.subscribe(getOne, [args], (change) => {
        called.push(`${name} ${change}`)
        more?.()
      })
    let endRemoved = (): void => {}
    listen('first', () => {
      endRemoved()
      listen('added')
    })
    endRemoved = listen('removed')
    listen('throws', () => {
      throw new Error('broken')
    })
    listen('last')
    driver.set(Todo, [args], { ...one, title: 'b' })
    await tick()
    vi.unstubAllGlobals()
    expect(called).toEqual(['first value', 'throws value', 'last value'])
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'broken' }))
  })

  describe('HK-9 STO-4 a listener is notified of what its reader sees', () => {
    const soft = endpoint('/todo/:id', Todo, { errorPolicy: () => 'soft' })
    const fail = (driver: Driver, target: any = getOne): void => driver.open(target, [args]).fail(new Error('no'))
    const answer = (driver: Driver): void => driver.open(getOne, [args]).answer(one)
    test.each<[string, (driver: Driver) => void, (driver: Driver) => void, string[]]>([
      ['an error, though the data stays', answer, fail, ['freshness']],
      ['another error', fail, fail, ['freshness']],
      ['no soft error, while the data stays', answer, (driver) => fail(driver, soft), []],
      ['a soft error without data', () => {}, (driver) => fail(driver, soft), ['freshness']],
      ['an equal response after an error', (driver) => (answer(driver), fail(driver)), answer, ['freshness']],
      ['no equal response after another', answer, answer, []],
      [
        'an invalidation, though a record stays',
        answer,
        (driver) => driver.invalidateKey(getOne.key(args)),
        ['freshness'],
      ],
      ['a first response', () => {}, answer, ['value']],
    ])('%s', async (_name, before, change, expected) => {
      const driver = createDriver(clock)
      const told: string[] = []
      before(driver)
      driver.subscribe(getOne, [args], (kind) => told.push(kind))
      change(driver)
      await tick()
      expect(told).toEqual(expected)
    })

    test('a query that threw and now returns undefined', async () => {
      const titles = new Query(Todo, ({ title }) => {
        if (title === 'a') {
          throw new Error('broken')
        }
        return undefined
      })
      const driver = start()
      const told: string[] = []
      driver.subscribe(titles, [args], (kind) => told.push(kind))
      driver.set(Todo, [args], { ...one, title: 'b' })
      await tick()
      expect([told, driver.read(titles, [args]).data]).toEqual([['value'], undefined])
    })
  })

  test('STO-3 OPT-15 a mounted reader waits for each pending operation that hides its data', async () => {
    const driver = start()
    const view = driver.view(getOne, [args])
    const hide = endpoint('/remove', new Invalidate(Todo), { sideEffect: true, getOptimisticResponse: () => args })
    view.subscribe(() => {})
    const requests = [driver.open(hide, [args]), driver.open(hide, [args])]
    expect(view.read().waiting).toBe(true)
    requests[0]!.drop()
    expect(view.read().waiting).toBe(true)
    requests[1]!.drop()
    expect(view.read().data).toMatchObject(one)
    expect(view.read().waiting).toBeUndefined()
  })

  test('POL-13 OPT-15 readers are notified neither of a mark that is gone again, nor of a pending operation that their value does not show', async () => {
    const driver = createDriver(clock)
    const first = new Query(new All(Todo), ([{ id }]: any) => id)
    const told: unknown[] = []
    driver.set(Todo, [{}], wholeTodo)
    driver.set(Todo, [{}], { ...wholeTodo, id: '2' })
    for (const target of [getOne, first]) {
      driver.subscribe(target, target === first ? [] : [args], (change) => told.push(change))
    }
    const notify = driver.store.notifier.hold()
    driver.open(endpoint('/put', Todo, { sideEffect: true }), [args]).fail(new Error('down'))
    driver.open(endpoint('/other', Todo), [args]).answer(wholeTodo)
    notify()
    await tick()
    expect(told).toEqual([])
    const hide = endpoint('/remove', new Invalidate(Todo), {
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '2' }),
    })
    driver.open(hide, [{ id: '2' }])
    await tick()
    expect(driver.read(new All(Todo), []).data).toHaveLength(1)
    expect(told).toEqual([])
  })

  test('GC-6 a result without listeners is not forgotten with the queries', () => {
    const driver = createDriver(clock)
    const nodes = Array.from({ length: 400 }, (_, id) => {
      driver.subscribe(getOne, [{ id }], () => {})()
      return driver.node(getOne, [{ id }])
    })
    expect(nodes.every((node, id) => node === driver.node(getOne, [{ id }]))).toBe(true)
  })

  test('GC-6 queries without listeners are forgotten, the oldest first, also those that had some', () => {
    const driver = start()
    const nodeOf = (id: number): unknown => driver.node(Todo, [{ id }])
    const ids = Array.from({ length: 300 }, (_, id) => id)
    const ends = ids.map((id) => driver.subscribe(Todo, [{ id }], () => {}))
    const [first, last] = [nodeOf(0), nodeOf(299)]
    ends.slice(0, -1).forEach((end) => end())
    ids.forEach((id) => nodeOf(10_000 + id))
    expect([nodeOf(0) === first, nodeOf(299) === last]).toEqual([false, true])
  })

  test.each<[string, any, unknown]>([
    ['an endpoint', getOne, { title: 'b' }],
    ['a record', Todo, { title: 'b' }],
    ['a query', new Query(Todo, ({ title }) => title), 'b'],
  ])(
    'STO-3 GC-6 a view of %s that is kept for long reads and notifies after its data was collected',
    async (...row) => {
      const [, target, expected] = row
      const { controller } = store
      const driver = asDriver(controller.core)
      driver.open(getOne, [args]).answer(one)
      const view = store.view(target, args)
      expect(view.read().data).toBeDefined()
      isKept(driver)
      isKept(driver)
      expect(view.read().data).toBeUndefined()
      const notify = vi.fn()
      const ends = [view, store.view(target, args)].map((each) => each.subscribe(notify, true))
      driver.open(getOne, [args]).answer({ ...one, title: 'b' })
      await tick()
      expect(notify).toHaveBeenCalledTimes(2)
      const values = [view.read().data, store.view(target, args).read().data]
      expect(values).toMatchObject([expected, expected])
      expect(values[0]).toBe(values[1])
      ends.forEach((end) => end())
    },
  )
})

describe('readers that come and go', () => {
  const coreOf = (): Core => store.controller.core
  const view = (target: any): SharedView => coreOf().view(target, [args])
  const nothing = (): void => {}

  test.each<[string, boolean, number, boolean, number]>([
    ['waited for it without a pause', false, 0, false, 1],
    ['says that it waited', true, 10_000, false, 1],
    ['says that it waited, and it was invalidated since', true, 10_000, true, 2],
    ['comes after a pause', false, SUSPENDED_READER_KEPT, false, 2],
  ])(
    'NET-15 EXP-7 data that expired before its reader is mounted, which %s: fetched %s, after %i ms, invalidated: %s',
    async (_name, isAwaited, pause, isInvalidated, requests) => {
      const ep = deferredEndpoint('short', Todo, { dataExpiryLength: 0 })
      const since = isAwaited ? clock.now() : undefined
      const loading = view(ep).promise(true)
      expect(view(ep).promise(true)).toBe(loading)
      await ep.calls[0].answer(one)
      expect(await loading).toMatchObject(one)
      await clock.pass(pause + 1)
      if (isInvalidated) {
        await store.controller.invalidate(ep, args)
      }
      const end = view(ep).subscribe(nothing, false, since === undefined ? {} : { since })
      expect(ep.calls).toHaveLength(requests)
      end()
    },
  )

  test('NET-15 a request goes on while a reader of another schema of its key is mounted', async () => {
    const ep = deferredEndpoint('shared', Todo)
    const other = ep.extend({ schema: undefined })
    const end = view(ep).subscribe(nothing)
    view(other).subscribe(nothing)()
    await clock.pass(1)
    expect(ep.calls).toHaveLength(1)
    expect(ep.calls[0].signal.aborted).toBe(false)
    end()
    await clock.pass(1)
    expect(ep.calls[0].signal.aborted).toBe(true)
  })

  test('NET-15 readers that leave in one task share a timer, and each of their requests is aborted', async () => {
    const eps = Array.from({ length: 20 }, (_, i) => deferredEndpoint(`many ${i}`, Todo))
    const ends = eps.map((ep) => view(ep).subscribe(nothing))
    const timers = clock.pending
    ends.forEach((end) => end())
    expect(clock.pending - timers).toBe(1)
    await clock.pass(1)
    expect(eps.filter((ep) => ep.calls[0].signal.aborted)).toHaveLength(20)
  })

  test('FOC-1 STO-4 only active readers of endpoints are refetched, and only mounted ones are listed', async () => {
    const [active, passive, ended] = ['active', 'passive', 'ended'].map((name) => deferredEndpoint(name, Todo))
    const query = new Query(new All(Todo), (all) => all.length)
    for (const ep of [active, passive, ended]) {
      await store.controller.setResponse(ep, args, one)
    }
    const ends = [
      view(active).subscribe(nothing),
      view(passive).subscribe(nothing, true),
      view(query).subscribe(nothing),
    ]
    view(ended).subscribe(nothing)()
    const tested: unknown[] = []
    const refetch = (): void => refetchStale(coreOf(), (ep) => tested.push(ep) > 0)
    refetch()
    expect(tested).toEqual([active])
    expect(active.calls).toHaveLength(0)
    clock.time += 61_000
    refetch()
    expect([active, passive, ended].map((ep) => ep.calls.length)).toEqual([1, 0, 0])
    expect([...coreOf().mounted]).toHaveLength(3)
    ends.forEach((end) => end())
    expect([...coreOf().mounted]).toEqual([])
  })

  test.each([
    ['a passive one', true, 1],
    ['an active one', undefined, 0],
  ])(
    'FOC-1 of an active and a passive reader, after %s has left (passive: %s): %i refetches',
    (_name, leaves, calls) => {
      const ep = deferredEndpoint('both', Todo)
      asDriver(store.controller.core).setResponse(ep, [args], one)
      const both = [true, undefined].map((passive) => [passive, view(ep).subscribe(nothing, passive)] as const)
      both.find(([passive]) => passive === leaves)![1]()
      clock.time += 61_000
      refetchStale(coreOf(), () => true)
      expect(ep.calls).toHaveLength(calls)
    },
  )

  test('STO-3 a query has nothing to fetch: its promise is its data, and no timer is set when it ends', async () => {
    const query = view(new Query(Todo, ({ title }) => title))
    expect(await query.promise()).toBeUndefined()
    await store.controller.set(Todo, args, one)
    expect(await query.promise()).toBe('a')
    const timers = clock.pending
    query.subscribe(nothing)()
    expect(clock.pending).toBe(timers)
  })

  test('NET-15 a reader that waited is kept until it is mounted, and no longer than it is mounted', async () => {
    const ep = deferredEndpoint('waited', Todo)
    const isRead = (): boolean => store.controller.core.result(ep.key(args)).isRead
    void view(ep).promise(true)
    await ep.calls[0].answer(one)
    await clock.pass(1_000)
    expect(isRead()).toBe(true)
    const end = view(ep).subscribe(nothing)
    await clock.pass(1)
    end()
    expect(isRead()).toBe(false)
  })

  test('NET-15 a reader that waits again is kept for the whole time again', async () => {
    const ep = deferredEndpoint('again', Todo, { dataExpiryLength: 0 })
    void view(ep).promise(true)
    await ep.calls[0].answer(one)
    await clock.pass(SUSPENDED_READER_KEPT - 1)
    void view(ep).promise(true)
    await clock.pass(10)
    expect(ep.calls).toHaveLength(2)
    expect([store.controller.core.result(ep.key(args)).isRead, ep.calls[1].signal.aborted]).toEqual([true, false])
  })

  test('NET-15 a mounted reader waits for its promise without being kept for longer', async () => {
    const ep = deferredEndpoint('mounted', Todo)
    const timers = clock.pending
    const end = view(ep).subscribe(nothing)
    const promise = view(ep).promise()
    await ep.calls[0].answer(one)
    expect(await promise).toMatchObject(one)
    expect(clock.pending).toBe(timers)
    end()
    await clock.pass(1)
    expect(store.controller.core.result(ep.key(args)).isRead).toBe(false)
  })

  test('DEN-2 a query that is skipped is another one than with undefined', async () => {
    const core = coreOf()
    const all = new Query(new All(Todo), (todos, filter?: number) => `${todos.length} ${filter}`)
    core.set(Todo, [{ id: '1' }], { id: '1' })
    const read = (args: readonly any[]): unknown => core.view(all, args).read().data
    expect([[undefined], [null], [undefined]].map(read)).toEqual(['1 undefined', undefined, '1 undefined'])
  })

  test('CTL-16 STO-3 a view of null reads the default shape, and fetches nothing', async () => {
    const ep = deferredEndpoint('skipped', { todo: Todo, total: 0 }, { key: ({ id }: Todo) => id })
    const skipped = coreOf().view(ep, [null])
    const end = skipped.subscribe(nothing)
    const shape = { todo: undefined, total: 0 }
    expect([skipped.key, skipped.read().data]).toEqual(['', shape])
    expect(await skipped.promise()).toEqual(shape)
    end()
    expect(ep.calls).toHaveLength(0)
  })

  test('NET-15 a request goes on while a passive reader is mounted, and without abortsUnused in any case', async () => {
    const [shown, unused] = ['shown', 'unused'].map((name) => deferredEndpoint(name, Todo))
    const end = view(shown).subscribe(nothing, true)
    view(shown).subscribe(nothing)()
    await clock.pass(1)
    expect(shown.calls[0].signal.aborted).toBe(false)
    end()
    await clock.pass(1)
    expect(shown.calls[0].signal.aborted).toBe(true)
    coreOf().requests.abortsUnused = false
    view(unused).subscribe(nothing)()
    await clock.pass(1)
    expect(unused.calls[0].signal.aborted).toBe(false)
  })

  test('PNL-5 the name of a component is kept with its subscription', () => {
    const driver = asDriver(store.controller.core)
    const end = view(get).subscribe(nothing, true, { name: 'TodoItem' })
    expect([...driver.view(get, [args]).readers].map(({ name }) => name)).toEqual(['TodoItem'])
    end()
  })
})
