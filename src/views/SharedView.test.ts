// When readers fetch, when they stop, and what they get instead.
import { createReader } from '../binding/createReader.ts'
import { forgive } from '../binding/forgive.ts'
import { Reader, takeAll } from '../binding/Reader.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { NetworkManager } from '../managers/NetworkManager.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { deferredEndpoint, watch } from '../testing/endpoints.ts'
import { Todo, User, wholeTodo } from '../testing/entities.ts'
import type { Controller } from '../controller/Controller.ts'

const args = { id: '1' }
const one = { id: '1', title: 'a' }

let clock: TestClock
let store: Store
let controller: Controller

beforeEach(() => {
  clock = new TestClock()
  store = createStore({ clock, managers: [new NetworkManager()] })
  ;({ controller } = store)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  store.stop()
  vi.restoreAllMocks()
})

describe('a key whose requests are used up', () => {
  const abortAll = async (ep: any): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      await controller.abort(ep, args)
      await tick()
    }
  }
  const fail = (ep: any): Promise<void> => controller.setError(ep, args, new Error('the last one'))

  test.each<[string, (ep: any) => unknown, object]>([
    [
      'nothing is stored: not-usable',
      () => {},
      {
        error: {
          code: 'not-usable',
          status: 400,
          refused: true,
          message: expect.stringContaining('was fetched 3 times, and each time a record'),
        },
      },
    ],
    ['an error is stored: the error', fail, { error: { message: 'the last one' } }],
    ['data is stored: the data', (ep) => controller.setResponse(ep, args, one), { value: { title: 'a' } }],
    [
      'data and a later error are stored: the error',
      async (ep) => {
        await controller.setResponse(ep, args, one)
        await fail(ep)
      },
      { error: { message: 'the last one' } },
    ],
  ])('NET-17 its readers get what is stored, after three requests: %s', async (_name, prepare, expected) => {
    const ep = deferredEndpoint('get', Todo)
    await prepare(ep)
    await clock.pass(61_000)
    const out = watch(store.view(ep, args).promise())
    await abortAll(ep)
    expect(ep.calls).toHaveLength(3)
    expect(out).toMatchObject(expected)
  })
})

describe('a reader', () => {
  const passed = (milliseconds: number) => (): Promise<void> => clock.pass(milliseconds)
  test.each<[string, number, (ep: any) => unknown]>([
    ['of data at the last moment of its freshness', 0, passed(60_000)],
    ['of data that has expired', 1, passed(60_001)],
    ['of data that is marked stale', 1, (ep) => controller.expireAll(ep)],
    ['of data that is invalidated', 1, (ep) => controller.invalidate(ep, args)],
    ['of a record that is deleted', 1, () => (controller as any).set(new Invalidate(Todo), args, args)],
    ['of an error at the last moment of its freshness', 0, (ep) => controller.setError(ep, args, new Error('no'))],
  ])('EXP-3 EXP-7 %s sends %i requests', async (_name, count, change) => {
    const ep = deferredEndpoint('get', Todo)
    await controller.setResponse(ep, args, wholeTodo)
    await change(ep)
    const end = store.view(ep, args).subscribe(() => {})
    await tick()
    expect(ep.calls).toHaveLength(count)
    end()
  })

  test.each<[string, (ep: any) => unknown, object]>([
    ['data', (ep) => controller.setResponse(ep, args, one), { value: one }],
    ['an error', (ep) => controller.setError(ep, args, new Error('no')), { error: { message: 'no' } }],
  ])('STO-3 ERR-3 that waits for %s which is fresh gets it without a request', async (_name, prepare, expected) => {
    const ep = deferredEndpoint('get', Todo)
    await prepare(ep)
    const out = watch(store.view(ep, args).promise())
    await tick()
    expect([out, ep.calls.length]).toMatchObject([expected, 0])
  })

  test('STO-3 that waits for a query gets what the store has', async () => {
    await controller.set(Todo, args, one)
    const view = store.view(new Query(Todo, ({ title }) => title) as any, args)
    expect(await view.promise()).toBe('a')
  })

  test('HK-3 STO-3 with null instead of arguments reads nothing, and is never notified', async () => {
    const ep = deferredEndpoint('get', { todo: Todo, page: 1 })
    const view = store.view(ep, null as never)
    const notify = vi.fn()
    const end = view.subscribe(notify)
    expect(view.read()).toMatchObject({ data: { todo: undefined, page: 1 }, expiryStatus: 3 })
    expect(await view.promise()).toEqual({ todo: undefined, page: 1 })
    await controller.resetEntireStore()
    end()
    expect([ep.calls.length, notify.mock.calls.length]).toEqual([0, 0])
  })

  test('STO-3 gets the same promise at each call, and one request', async () => {
    const ep = deferredEndpoint('get', Todo)
    const promise = store.view(ep, args).promise()
    expect(store.view(ep, args).promise()).toBe(promise)
    await ep.calls[0].answer(one)
    expect([await promise, ep.calls.length]).toMatchObject([one, 1])
  })

  test('EXP-9 gets data that is stale at once after one request', async () => {
    const ep = deferredEndpoint('get', Todo, { dataExpiryLength: 0 })
    const out = watch(store.view(ep, args).promise())
    await ep.calls[0].answer(one)
    await clock.pass(1)
    expect([out.value, ep.calls.length]).toMatchObject([one, 1])
  })

  test.each<[string, number, (ep: any, end: () => void) => unknown]>([
    ['stays', 1, () => {}],
    ['leaves because of it', 0, (_ep, end) => end()],
    ['gets a response from elsewhere because of it', 0, (ep) => void controller.setResponse(ep, args, one)],
  ])('EXP-8 HK-9 of data that is marked stale: if it %s, there are %i requests', async (_name, count, react) => {
    const ep = deferredEndpoint('get', Todo)
    await controller.setResponse(ep, args, one)
    let isFirst = true
    const end = store.view(ep, args).subscribe(() => {
      if (isFirst) {
        isFirst = false
        react(ep, end)
      }
    })
    await controller.expireAll(ep)
    await tick()
    expect(ep.calls).toHaveLength(count)
    end()
  })

  test('NET-10 of a store that has stopped sends nothing', async () => {
    const ep = deferredEndpoint('get', Todo)
    store.stop()
    const out = watch(store.view(ep, args).promise())
    await clock.pass(1)
    expect([out.error?.name, ep.calls.length]).toEqual(['ResetError', 0])
  })

  test('NET-17 of an endpoint without a schema that returns undefined gets not-usable after one request', async () => {
    const ep = deferredEndpoint('empty')
    const out = watch(store.view(ep, args).promise())
    await ep.calls[0].answer(undefined)
    await clock.pass(1)
    expect([out.error?.code, ep.calls.length]).toEqual(['not-usable', 1])
    expect(out.error.message).toContain('return null where there is none')
  })

  test('ERR-7 NET-17 gets an error that expires at once after one request', async () => {
    const ep = deferredEndpoint('get', Todo, { errorExpiryLength: 0 })
    const out = watch(store.view(ep, args).promise())
    await ep.calls[0].fail(Object.assign(new Error('down'), { status: 500 }))
    await clock.pass(1)
    expect([out.error?.message, ep.calls.length]).toEqual(['down', 1])
  })

  test('ST-18 HK-9 fetches again what became stale as it arrived', async () => {
    const ep = deferredEndpoint('get', Todo)
    const put = deferredEndpoint('put', Todo, { sideEffect: true })
    const end = store.view(ep, args).subscribe(() => {})
    void controller.fetch(put, args)
    await put.calls[0].answer({ ...wholeTodo, title: 'b' })
    await ep.calls[0].answer(wholeTodo)
    await tick()
    expect([ep.calls.length, store.view(ep, args).read().data.title]).toEqual([2, 'b'])
    await ep.calls[1].answer({ ...wholeTodo, title: 'b' })
    await clock.pass(1)
    expect(ep.calls).toHaveLength(2)
    end()
  })

  test.each<[string, boolean, (Class: any) => unknown]>([
    ['the store had a part of the record', true, (Class) => controller.set(Class, args, { id: '1' })],
    ['the store had nothing', false, () => {}],
  ])('ENT-43 is notified of a field that no response contains: %s', async (name, isWarned, prepare) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    class Lacking extends Entity {
      id = ''
      title = ''
      static override key = `Lacking, where ${name}`
    }
    const ep = deferredEndpoint('get', Lacking)
    await prepare(Lacking)
    const end = store.view(ep, args).subscribe(() => {})
    await ep.calls[0].answer({ id: '1' })
    expect(warn.mock.calls.some(([text]) => String(text).includes('declares "title"'))).toBe(isWarned)
    end()
  })

  test('NET-21 NET-15 keeps its request while it is mounted, though the signal of its endpoint fires', async () => {
    const ep = deferredEndpoint('get', Todo)
    const aborter = new AbortController()
    const end = store.subscribe(ep.extend({ signal: aborter.signal }), [args], () => {})
    aborter.abort()
    await clock.pass(1)
    expect(ep.calls[0].signal.aborted).toBe(false)
    end()
    await clock.pass(1)
    expect(ep.calls[0].signal.aborted).toBe(true)
  })

  test.each([0, 1, 2])(
    'NET-15 the request of a key goes on while one of two readers is mounted (%i left)',
    async (left) => {
      const ep = deferredEndpoint('get', Todo)
      const ends = [1, 2].map(() => store.view(ep, args).subscribe(() => {}))
      // A second call counts once.
      ends.slice(left).forEach((end) => (end(), end()))
      await clock.pass(1)
      expect(ep.calls[0].signal.aborted).toBe(left === 0)
      ends.forEach((end) => end())
    },
  )
})

describe('data in doubt', () => {
  const todos = new Collection([Todo])
  const whole = { ...wholeTodo, author: { id: '5', name: 'Ann' } }
  /** A mounted reader of an endpoint that has responded once. */
  const mount = async (ep: any, params: object, value: unknown): Promise<() => void> => {
    const end = store.view(ep, params).subscribe(() => {})
    await ep.calls[0].answer(value)
    return end
  }
  const expire = (): Promise<void> => controller.expireAll({ testKey: () => true })

  test('ST-18 is fetched when it is quiet: after the mutations of its tables that are in flight', async () => {
    const get = deferredEndpoint('get', Todo)
    const puts = [1, 2].map((i) => deferredEndpoint(`put ${i}`, Todo, { sideEffect: true }))
    const end = await mount(get, args, whole)
    puts.forEach((put) => void controller.fetch(put, args, {}))
    await expire()
    await clock.pass(500)
    expect(get.calls).toHaveLength(1)
    await puts[0].calls[0].answer({ ...whole, title: 'b' })
    await clock.pass(500)
    expect(get.calls).toHaveLength(1)
    await puts[1].calls[0].answer({ ...whole, title: 'c' })
    await clock.pass(1)
    expect(get.calls).toHaveLength(2)
    await get.calls[1].answer({ ...whole, title: 'c' })
    await clock.pass(10_000)
    expect(get.calls).toHaveLength(2)
    end()
  })

  test.each<[string, any, (round: number) => unknown]>([
    ['expireAll', {}, expire],
    ['events', { sort: 'title' }, (round) => controller.set(Todo, args, { id: '1', title: `event ${round}` })],
  ])('ST-18 a mutation that does not end is waited for three seconds, every time: %s', async (_name, params, doubt) => {
    const list = deferredEndpoint('list', todos)
    const put = deferredEndpoint('put', Todo, { sideEffect: true })
    const end = await mount(list, params, [whole])
    const timers = vi.spyOn(clock, 'setTimeout')
    void controller.fetch(put, args, {})
    for (const round of [1, 2, 3]) {
      await doubt(round)
      await clock.pass(2_900)
      expect([round, list.calls.length]).toEqual([round, round])
      await clock.pass(200)
      expect([round, list.calls.length]).toEqual([round, round + 1])
      await list.calls[round].answer([whole])
      await clock.pass(60_000)
    }
    // A longer timer would end at once.
    expect(timers.mock.calls.every(([, delay]) => delay < 2 ** 31)).toBe(true)
    end()
  })

  test.each<[string, () => unknown]>([
    ['of other tables', () => deferredEndpoint('other', undefined, { sideEffect: true })],
    ['that is a read', () => deferredEndpoint('read', Todo)],
  ])('ST-18 a request %s delays nothing', async (_name, make) => {
    const get = deferredEndpoint('get', Todo)
    const end = await mount(get, args, whole)
    void controller.fetch(make() as any, { id: '2' })
    await expire()
    await tick()
    expect(get.calls).toHaveLength(2)
    end()
  })

  test('ST-18 nothing is waited for where there is no data to show', async () => {
    const get = deferredEndpoint('get', Todo)
    void controller.fetch(deferredEndpoint('put', Todo, { sideEffect: true }), args, {})
    const end = store.view(get, args).subscribe(() => {})
    expect(get.calls).toHaveLength(1)
    end()
  })

  test('ST-18 that is in doubt again and again is fetched at growing intervals, and once more at the end', async () => {
    const list = deferredEndpoint('list', todos)
    const end = await mount(list, { sort: 'title' }, [whole])
    let answered = 1
    const answer = async (): Promise<void> => {
      while (answered < list.calls.length) {
        await list.calls[answered++].answer([{ ...whole, title: `of the server ${answered}` }])
      }
    }
    for (let i = 0; i < 200; i++) {
      await controller.set(Todo, args, { id: '1', title: `event ${i}` })
      await clock.pass(50)
      await answer()
    }
    // Ten seconds of events.
    expect(list.calls.length).toBeGreaterThan(3)
    expect(list.calls.length).toBeLessThan(10)
    for (let i = 0; i < 20; i++) {
      await clock.pass(500)
      await answer()
    }
    const { length } = list.calls
    expect(store.view(list, { sort: 'title' }).read().expiresAt).toBeGreaterThan(clock.now())
    await clock.pass(30_000)
    expect(list.calls).toHaveLength(length)
    end()
  })

  test('NET-21 a signal that has fired stops its own reader, and neither the view nor other readers', async () => {
    const aborter = new AbortController()
    aborter.abort(new Error('left'))
    const ep = deferredEndpoint('get', Todo)
    const view = store.view(ep, args)
    const reader = createReader(controller, ep, [args])
    const left = createReader(controller, ep.extend({ signal: aborter.signal }), [args])
    await expect(left.load()).rejects.toThrow('left')
    expect(left.get().error).toMatchObject({ message: 'left' })
    expect(ep.calls).toHaveLength(0)
    const promise = watch(view.promise())
    await ep.calls[0].answer(wholeTodo)
    expect(promise.value).toMatchObject({ id: '1' })
    const listener = vi.fn()
    const end = reader.subscribe(listener)
    await controller.invalidate(ep, args)
    await tick()
    // Rejected again and again, it would be notified for ever.
    expect(listener.mock.calls.length).toBeLessThan(3)
    await ep.calls[1].answer({ ...wholeTodo, title: 'b' })
    expect(reader.get()).toMatchObject({ data: { title: 'b' }, loading: false })
    end()
  })

  test('NET-21 a reader follows its signal: the request is aborted, its promise rejects, and a new signal sends the request again', async () => {
    const ep = deferredEndpoint('get', Todo)
    const [first, second] = [new AbortController(), new AbortController()]
    const by = (aborter: AbortController): any => ep.extend({ signal: aborter.signal })
    const { core } = controller
    const reader = new Reader(controller, by(first), [args], core.view(by(first), [args]), takeAll)
    const loaded = watch(reader.wait())
    first.abort(new Error('first'))
    expect(ep.calls[0].signal.aborted).toBe(true)
    await tick()
    expect(loaded.error).toMatchObject({ message: 'first' })
    expect(reader.get()).toMatchObject({ error: { message: 'first' }, loading: false })
    const notify = vi.fn()
    const end = reader.subscribe(notify)
    await clock.pass(60_000)
    expect(ep.calls).toHaveLength(1)
    reader.use(by(second))
    expect(reader.get()).toMatchObject({ error: undefined, loading: true })
    await tick()
    expect(ep.calls).toHaveLength(2)
    expect(notify).toHaveBeenCalled()
    await ep.calls[1].answer(wholeTodo)
    expect(reader.get()).toMatchObject({ data: { id: '1' }, loading: false })
    // Data that is there stays, and nothing is sent for a reader that has left.
    await controller.expireAll(ep)
    await tick()
    expect(ep.calls).toHaveLength(3)
    second.abort()
    await clock.pass(60_000)
    expect(ep.calls[2].signal.aborted).toBe(true)
    await controller.expireAll(ep)
    await clock.pass(60_000)
    expect(ep.calls).toHaveLength(3)
    expect(reader.get()).toMatchObject({ data: { id: '1' }, error: undefined, loading: false })
    expect(core.requests.open.size).toBe(0)
    reader.use(ep)
    await tick()
    expect(ep.calls).toHaveLength(4)
    end()
  })

  test('NET-21 a signal that fires while the request is to be sent again, or has a caller', async () => {
    const ep = deferredEndpoint('get', Todo, { retry: 3 })
    const aborter = new AbortController()
    const mine = ep.extend({ signal: aborter.signal })
    const reader = createReader(controller, mine, [args])
    const end = reader.subscribe(() => {})
    await ep.calls[0].fail(new Error('down'))
    aborter.abort(new Error('mine'))
    await clock.pass(60_000)
    expect(ep.calls).toHaveLength(1)
    expect(reader.get().error).toMatchObject({ message: 'mine' })
    end()
    const again = new AbortController()
    const other = createReader(controller, ep.extend({ signal: again.signal }), [args])
    const endOther = other.subscribe(() => {})
    const caller = watch(controller.fetch(ep, args))
    again.abort(new Error('again'))
    await clock.pass(1)
    expect([ep.calls.length, ep.calls[1].signal.aborted]).toEqual([2, false])
    expect(other.get().error).toMatchObject({ message: 'again' })
    await ep.calls[1].answer(wholeTodo)
    expect(caller.value).toMatchObject({ id: '1' })
    expect(other.get().data).toMatchObject({ id: '1' })
    endOther()
  })

  test('NET-21 no listener of a reader stays on a signal whose request has ended', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...given: any[]) => (listeners++, (addEventListener as any).apply(signal, given))
    signal.removeEventListener = (...given: any[]) => (listeners--, (removeEventListener as any).apply(signal, given))
    const ep = deferredEndpoint('get', Todo)
    const ends = [1, 2].map(() => createReader(controller, ep.extend({ signal }), [args]).subscribe(() => {}))
    expect(listeners).toBe(1)
    await ep.calls[0].answer(wholeTodo)
    expect(listeners).toBe(0)
    ends.forEach((end) => end())
  })

  test('NET-15 a reader that suspends is waited for, also where one before it was never mounted', async () => {
    const ep = deferredEndpoint('get', Todo)
    const view = controller.core.view(ep, [args])
    void view.promise(true)
    await ep.calls[0].answer(wholeTodo)
    clock.time += 20_000
    const end = view.subscribe(() => {})
    await controller.expireAll({ testKey: () => true })
    await tick()
    const promise = watch(view.promise(true))
    clock.time += 20_000
    end()
    await clock.pass(0)
    await ep.calls[1].answer({ ...wholeTodo, title: 'b' })
    expect(promise.value).toMatchObject({ title: 'b' })
    expect(ep.calls[1].signal.aborted).toBe(false)
  })

  test('ERR-3 a reader receives a failure that the store does not keep, until it comes again later', async () => {
    const ep = deferredEndpoint('get', Todo, { errorExpiryLength: 0 })
    const { core } = controller
    const view = core.view(ep, [args])
    const since = clock.now()
    const promise = watch(view.promise(true))
    await ep.calls[0].fail(new Error('no'))
    await tick()
    expect(promise.error).toMatchObject({ message: 'no' })
    expect(view.failure(since)).toMatchObject({ message: 'no' })
    expect(view.failure(clock.now() + 1)).toBeUndefined()
    forgive(controller, promise.error)
    expect(view.failure(since)).toBeUndefined()
    expect(core.view(ep, [null]).failure(since)).toBeUndefined()
  })

  test('HK-9 views tell when data arrives that a reader suspended for', async () => {
    const { core } = controller
    const arrive = vi.fn()
    core.arrivals.add(arrive)
    const [waited, other] = ['waited', 'other'].map((name) => deferredEndpoint(name, Todo))
    void core.view(waited, [args]).promise(true)
    const end = store.view(other, args).subscribe(() => {})
    await other.calls[0].answer(one)
    expect(arrive).not.toHaveBeenCalled()
    await waited.calls[0].answer(one)
    expect(arrive).toHaveBeenCalledOnce()
    end()
  })
})

test('ORD-9 data in doubt is fetched as soon as the mutation in flight has ended, whatever that has changed', async () => {
  const list = deferredEndpoint('list', new Collection([Todo]))
  const put = deferredEndpoint('put', User, { sideEffect: true })
  await controller.setResponse(list, {}, [one])
  const end = store.subscribe(list, [{}], () => {})
  const written = controller.fetch(put, args)
  await controller.expireAll(list)
  await tick()
  expect(list.calls).toHaveLength(0)
  await put.calls[0].answer({ id: '1', name: 'Ann' })
  await written
  await tick()
  expect(list.calls).toHaveLength(1)
  end()
})

test('NET-10 what a reader waits for rejects within a macrotask of the store that was stopped', async () => {
  const clock = new TestClock()
  const stopped = createStore({ clock })
  const ep = deferredEndpoint('get', Todo)
  const outcomes: unknown[] = []
  stopped.controller.core
    .view(ep, [args])
    .promise(true)
    .catch((error: Error) => outcomes.push(error.name))
  stopped.stop()
  await clock.pass(0)
  await tick()
  expect(outcomes).toEqual(['ResetError'])
})
