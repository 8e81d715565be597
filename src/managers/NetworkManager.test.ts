import { refetchStale } from './watchFocus.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store, type StoreOptions } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { initialState } from '../store/initialState.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo, User } from '../testing/entities.ts'
import { deferred } from '../testing/outcomes.ts'
import { IdlingNetworkManager } from './IdlingNetworkManager.ts'
import type { Manager } from './Manager.ts'
import { NetworkManager, type NetworkManagerOptions } from './NetworkManager.ts'

let clock: TestClock
let network: NetworkManager
let store: Store
let controller: Controller
const unhandled: unknown[] = []
const note = (error: unknown): unknown => unhandled.push(error)

beforeEach(() => {
  clock = new TestClock()
  open({})
  vi.spyOn(console, 'error').mockImplementation(() => {})
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  store.stop()
  await clock.pass(1)
  await new Promise((done) => setImmediate(done))
  process.off('unhandledRejection', note)
  vi.restoreAllMocks()
  // NET-19, in every test.
  const [error] = unhandled.splice(0)
  if (error !== undefined) {
    throw new Error('a rejection was not handled', { cause: error })
  }
  // NET-10: nothing is left of a request.
  const driver = store.controller.core
  if (driver.requests.open.size > 0 || driver.store.pending.length > 0) {
    throw new Error('a request was left behind')
  }
})

function open(options: NetworkManagerOptions, more: StoreOptions = {}, ...first: Manager[]): void {
  network = new NetworkManager(options)
  store = createStore({ clock, random: () => 0, spread: 0, managers: [...first, network], ...more })
  controller = store.controller
}

/** The state of a promise so far. */
function watch(promise: Promise<any>): { value?: any; error?: any } {
  const out: { value?: any; error?: any } = {}
  promise.then(
    (value) => (out.value = value),
    (error: unknown) => (out.error = error),
  )
  return out
}

const one = { id: '1', title: 'a' }
const args = { id: '1' }
const todos = new Collection([Todo])
const get = (more?: object): any => deferredEndpoint('get', Todo, more)
const put = (more?: object): any => deferredEndpoint('put', Todo, { sideEffect: true, ...more })
const unavailable = (after: string): Error =>
  Object.assign(new Error('busy'), {
    status: 503,
    response: new Response('', { status: 503, headers: { 'Retry-After': after } }),
  })

describe('expiry', () => {
  test.each<[NetworkManagerOptions, object, number, number]>([
    [{}, {}, 60_000, 1_000],
    [{ dataExpiryLength: 5, errorExpiryLength: 7 }, {}, 5, 7],
    [{ dataExpiryLength: 5, errorExpiryLength: 7 }, { dataExpiryLength: 9, errorExpiryLength: 8 }, 9, 8],
    [{ dataExpiryLength: 5 }, { dataExpiryLength: Infinity }, Infinity, 1_000],
  ])('EXP-1 EXP-2 NET-1 manager %o, endpoint %o: %d and %d', async (options, own, data, error) => {
    open(options)
    const ep = get(own)
    watch(controller.fetch(ep, args))
    watch(controller.fetch(ep, { id: '2' }))
    await ep.calls[0].answer(one)
    await ep.calls[1].fail(new Error('no'))
    const life = (key: string): number => {
      const { date, expiresAt } = store.getState().meta[key]!
      return expiresAt - date
    }
    expect([life(ep.key(args)), life(ep.key({ id: '2' }))]).toEqual([data, error])
    await controller.set(User, { id: '5' }, { id: '5' })
    const { date, expiresAt } = store.getState().entitiesMeta['User']!['5']!
    expect(expiresAt - date, 'EXP-10').toBe(options.dataExpiryLength ?? 60_000)
  })

  test('EP-14 a manager takes no negative lengths', () => {
    expect(() => new NetworkManager({ errorExpiryLength: -1 })).toThrow(
      expect.objectContaining({ code: 'expiry-negative' }),
    )
  })

  test('EXP-9 dataExpiryLength 0 is not retained without readers', async () => {
    const ep = deferredEndpoint('blob', undefined, { dataExpiryLength: 0 })
    const promise = controller.fetch(ep)
    await ep.calls[0].answer('content')
    expect(await promise).toBe('content')
    expect(store.getState().endpoints).toEqual({})
    expect(controller.getResponse(ep).data).toBeUndefined()
    // A reader holds it while it is mounted.
    const view = store.view(ep)
    const waiting = view.promise()
    await ep.calls[1].answer('again')
    expect(await waiting).toBe('again')
    await clock.pass(10)
    const ends = [view.subscribe(() => {}), view.subscribe(() => {})]
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(2)
    expect(view.read().data).toBe('again')
    for (const end of ends) {
      end()
    }
  })

  test('EXP-9 the response of a mutation with dataExpiryLength 0 is not retained', async () => {
    const ep = deferredEndpoint('login', undefined, { dataExpiryLength: 0, sideEffect: true })
    const promise = controller.fetch(ep)
    await ep.calls[0].answer({ token: 'secret' })
    expect(await promise).toEqual({ token: 'secret' })
    expect(store.getState().endpoints).toEqual({})
  })
})

describe('sharing', () => {
  test('NET-3 NET-4 NET-12 one request for a read, one for each mutation', () => {
    const seen: any[] = []
    open(
      {},
      {},
      {
        middleware: () => (next) => (action) => (seen.push([action, network.skipLogging(action)]), next(action)),
        cleanup() {},
      },
    )
    const [read, write] = [get(), put()]
    for (let i = 0; i < 2; i++) {
      watch(controller.fetch(read, args))
      watch(controller.fetch(write, args, one))
    }
    expect([read.calls.length, write.calls.length]).toEqual([1, 2])
    expect(seen.map(([{ key }, skip]) => [key, skip])).toEqual([
      [read.key(args), false],
      [write.key(args, one), false],
      [read.key(args), true],
      [write.key(args, one), false],
    ])
    expect(seen[0]![0].meta.requestId).toBe(seen[2]![0].meta.requestId)
  })

  test('EXT-10 two pages are two requests, and both land', async () => {
    const page = deferredEndpoint('list', todos, { key: () => 'list', requestKey: ({ page: n }: any) => `list ${n}` })
    watch(controller.fetch(page, { page: 2 }))
    watch(controller.fetch(page, { page: 3 }))
    watch(controller.fetch(page, { page: 3 }))
    expect(page.calls).toHaveLength(2)
  })

  const others = deferredEndpoint('list', [User])
  const writes: [string, boolean, () => Promise<unknown> | void][] = [
    ['a mutation of its table', false, () => mutate(put(), one)],
    [
      'a delete in its table',
      false,
      () => mutate(deferredEndpoint('delete', new Invalidate(Todo), { sideEffect: true }), args),
    ],
    [
      'a mutation of a nested table',
      false,
      () => mutate(deferredEndpoint('user', User, { sideEffect: true }), { id: '5' }),
    ],
    [
      'a create in a list of it',
      false,
      () => mutate(deferredEndpoint('create', todos.push, { sideEffect: true }), { id: '7' }),
    ],
    ['an invalidate of its key', false, () => controller.invalidate(get(), args)],
    ['an invalidateAll', false, () => controller.invalidateAll({ testKey: () => true })],
    [
      'a mutation of another table',
      false,
      () => mutate(deferredEndpoint('other', Other, { sideEffect: true }), { id: '1' }),
    ],
    ['a mutation that the server refused', true, () => fail(put(), Object.assign(new Error('no'), { status: 409 }))],
    ['a mutation that may have been done', false, () => fail(put(), new Error('no'))],
    ['set', true, () => controller.set(Todo, { id: '2' }, { id: '2' })],
    ['setResponse of another key', true, () => controller.setResponse(get(), { id: '2' }, { id: '2' })],
    ['an invalidate of another key', true, () => controller.invalidate(get(), { id: '2' })],
    ['a read', true, () => mutate(others, [{ id: '5' }])],
    ['nothing', true, () => {}],
  ]
  class Other extends Entity {
    id = ''
    static override key = 'Other'
  }
  const mutate = async (ep: any, answer: unknown): Promise<void> => {
    watch(controller.fetch(ep, args))
    await ep.calls.at(-1).answer(answer)
  }
  const fail = async (ep: any, error: Error): Promise<void> => {
    watch(controller.fetch(ep, args))
    await ep.calls[0].fail(error)
  }
  test.each(writes)('NET-3 after %s a second reader shares: %s', async (_name, isShared, write) => {
    const ep = get()
    const first = watch(controller.fetch(ep, args))
    await write()
    const second = watch(controller.fetch(ep, args))
    expect(ep.calls).toHaveLength(isShared ? 1 : 2)
    await ep.calls.at(-1).answer({ id: '1', title: 'new' })
    expect(second.value).toMatchObject({ title: 'new' })
    await ep.calls[0].answer({ id: '1', title: 'old' })
    // The result of the newer request stands.
    expect(first.value).toBe(second.value)
    expect(controller.get(Todo, args)).toBe(second.value)
  })

  test('ST-12 NET-3 after invalidate a waiting promise resolves with its own response, and readers wait for the new one', async () => {
    const ep = get()
    const first = watch(controller.fetch(ep, args))
    await controller.invalidate(ep, args)
    const second = watch(controller.fetch(ep, args))
    await ep.calls[0].answer({ id: '1', title: 'old' })
    expect(first.value).toMatchObject({ title: 'old' })
    expect(second).toEqual({})
    expect(store.getState().meta[ep.key(args)]).toMatchObject({ invalidated: true })
    await ep.calls[1].answer({ id: '1', title: 'new' })
    expect(first.value).toMatchObject({ title: 'old' })
    expect(second.value).toMatchObject({ title: 'new' })

    const alone = watch(controller.fetch(ep, { id: '2' }))
    await controller.invalidate(ep, { id: '2' })
    await ep.calls[2].answer({ id: '2', title: 'own' })
    expect(alone.value).toMatchObject({ title: 'own' })
    expect(store.getState().meta[ep.key({ id: '2' })]).toMatchObject({ invalidated: true })
  })
})

describe('a read crosses a write', () => {
  // Sent before the response of the write, served before the write, received after it.
  test.each([
    ['PATCH', put(), { id: '1', title: 'written' }, 'written'],
    [
      'DELETE',
      deferredEndpoint('delete', new Invalidate(Todo), { sideEffect: true }),
      { ...args, title: 'was' },
      undefined,
    ],
  ])(
    'ST-18 NET-3 %s: screen and promise keep the write, and one more read follows',
    async (_name, write, answer, title) => {
      const ep = get()
      await controller.setResponse(ep, args, one)
      const end = store.subscribe(ep, [args], () => {})
      const writing = watch(controller.fetch(write, args, {}))
      const poll = watch(controller.fetch(ep, args))
      await write.calls.at(-1).answer(answer)
      expect(writing.value).toMatchObject(answer)
      const shown = (): any => controller.get(Todo, args)
      // A reader whose record was deleted fetches at once; the request that crossed does not serve it.
      const before = ep.calls.length
      await ep.calls[0].answer(one)
      expect(shown()?.title).toBe(title)
      if (title !== undefined) {
        expect(poll.value).toBe(shown())
      }
      await clock.pass(0)
      expect(ep.calls).toHaveLength(2)
      expect(before).toBe(title === undefined ? 2 : 1)
      await ep.calls[1].answer({ id: '1', title: 'later' })
      await clock.pass(0)
      expect(shown()?.title).toBe('later')
      expect(ep.calls).toHaveLength(2)
      end()
    },
  )

  test('ST-18 COL-11 POST: the list keeps the new record, and one more read follows', async () => {
    const list = deferredEndpoint('list', todos)
    const create = deferredEndpoint('create', todos.push, { sideEffect: true })
    await controller.setResponse(list, {}, [one])
    const end = store.subscribe(list, [{}], () => {})
    watch(controller.fetch(create, {}, { title: 'b' }))
    const poll = watch(controller.fetch(list, {}))
    await create.calls[0].answer({ id: '2', title: 'b' })
    await list.calls[0].answer([one])
    const ids = (): string[] => (store.view(list, {}).read().data as any[]).map(({ id }) => id)
    expect(ids()).toEqual(['1', '2'])
    expect(poll.value).toBe(store.view(list, {}).read().data)
    await clock.pass(0)
    expect(list.calls).toHaveLength(2)
    await list.calls[1].answer([one, { id: '2', title: 'b' }])
    await clock.pass(0)
    expect(ids()).toEqual(['1', '2'])
    expect(list.calls).toHaveLength(2)
    end()
  })
})

describe('reset, stop and abort', () => {
  test('NET-9 NET-20 a reset aborts reads; a mutation in flight settles with its response, which is not stored', async () => {
    const [read, write] = [get(), put({ getOptimisticResponse: () => one })]
    const reading = watch(controller.fetch(read, args))
    const writing = watch(controller.fetch(write, args, {}))
    await controller.resetEntireStore()
    await tick()
    expect(reading.error).toMatchObject({ name: 'ResetError', message: 'Aborted due to RESET' })
    expect(read.calls[0].signal.aborted).toBe(true)
    expect(write.calls[0].signal.aborted).toBe(false)
    await read.calls[0].answer(one)
    await write.calls[0].answer({ id: '1', title: 'mine' })
    expect(writing.value).toEqual({ id: '1', title: 'mine' })
    expect({ ...store.getState(), lastReset: 0 }).toEqual({ ...initialState })
  })

  test('NET-9 a mutation that outlives a reset and fails stores nothing', async () => {
    const write = put()
    const writing = watch(controller.fetch(write, args, {}))
    await controller.resetEntireStore()
    await write.calls[0].fail(new Error('no'))
    expect(writing.error).toMatchObject({ message: 'no' })
    expect(store.getState().meta).toEqual({})
  })

  test('NET-20 MGR-2 what a manager keeps for itself settles at a reset, mutations that were not sent too', async () => {
    open(
      {},
      {},
      {
        middleware: () => (next) => (action) => (action.type === 'rdc/fetch' ? Promise.resolve() : next(action)),
        cleanup() {},
      },
    )
    const [read, write] = [get(), put({ getOptimisticResponse: () => one })]
    const promises = [watch(controller.fetch(read, args)), watch(controller.fetch(write, args, {}))]
    await tick()
    expect(promises).toEqual([{}, {}])
    expect(store.getState().optimistic).toEqual([])
    await controller.resetEntireStore()
    await tick()
    for (const { error } of promises) {
      expect(error).toMatchObject({ name: 'ResetError' })
    }
  })

  test('NET-10 NET-20 a stop rejects everything in the next macrotask, and nothing is dispatched afterwards', async () => {
    const [read, write] = [get(), put()]
    const promises = [watch(controller.fetch(read, args)), watch(controller.fetch(write, args, {}))]
    vi.spyOn(console, 'info').mockImplementation(() => {})
    store.stop()
    await tick()
    expect(promises).toEqual([{}, {}])
    await clock.pass(0)
    for (const { error } of promises) {
      expect(error).toMatchObject({ name: 'ResetError' })
    }
    expect([read.calls[0].signal.aborted, write.calls[0].signal.aborted]).toEqual([true, false])
    const state = store.getState()
    await write.calls[0].answer(one)
    expect(store.getState()).toBe(state)
    // P1: a stopped store rejects every fetch.
    const late = watch(controller.fetch(read, { id: '9' }))
    await tick()
    expect(late.error).toMatchObject({ name: 'ResetError' })
    expect(read.calls).toHaveLength(1)
  })

  test('NET-10 RCT-6 a stop with a start right after it loses nothing', async () => {
    const read = get()
    const reading = watch(controller.fetch(read, args))
    store.stop()
    store.start()
    await clock.pass(0)
    await read.calls[0].answer(one)
    expect(reading.value).toMatchObject(one)
  })

  test('NET-10 the managers alone can be stopped and started too', async () => {
    const read = get()
    const reading = watch(controller.fetch(read, args))
    network.cleanup()
    network.init()
    await clock.pass(0)
    expect(reading).toEqual({})
    network.cleanup()
    await read.calls[0].answer(one)
    expect(reading.error).toMatchObject({ name: 'ResetError' })
  })

  test('CTL-21 ERR-5 NET-18 abort fires the signal, rejects with AbortError and stores nothing', async () => {
    const [read, write] = [get(), put({ getOptimisticResponse: () => one })]
    const promises = [watch(controller.fetch(read, args)), watch(controller.fetch(write, args, {}))]
    expect(controller.get(Todo, args)).toBeDefined()
    await controller.abort(read, args)
    await controller.abort(write, args, {})
    await tick()
    for (const { error } of promises) {
      expect(error).toMatchObject({ name: 'AbortError' })
    }
    expect([read.calls[0].signal.aborted, write.calls[0].signal.aborted]).toEqual([true, true])
    expect({ ...store.getState() }).toEqual({ ...initialState })
    expect(controller.get(Todo, args)).toBeUndefined()
  })

  test('ERR-5 an endpoint whose own signal fires stores no error, whatever the reason', async () => {
    const aborter = new AbortController()
    const ep = get({ signal: aborter.signal })
    const reading = watch(controller.fetch(ep, args))
    aborter.abort(new Error('my reason'))
    await tick()
    expect(reading.error).toMatchObject({ message: 'my reason' })
    expect(store.getState().meta).toEqual({})
  })

  test('NET-18 an endpoint without START is called as a function; abort settles it and drops its response', async () => {
    let answer!: (value: unknown) => void
    const ep: any = Object.assign(() => new Promise((done) => (answer = done)), { key: () => 'bare', schema: Todo })
    const reading = watch(controller.fetch(ep))
    await controller.abort(ep)
    answer(one)
    await tick()
    expect(reading.error).toMatchObject({ name: 'AbortError' })
    expect(controller.get(Todo, args)).toBeUndefined()
  })

  test('NET-18 NET-1 the timeout of the manager, in store time, for endpoints that set none', async () => {
    open({ timeout: 100 })
    const [patient, own] = [get(), deferredEndpoint('own', undefined, { timeout: 10 })]
    const promises = [watch(controller.fetch(patient, args)), watch(controller.fetch(own))]
    await clock.pass(10)
    expect(promises[1]!.error).toMatchObject({ name: 'TimeoutError', status: 500 })
    expect(promises[0]).toEqual({})
    await clock.pass(90)
    expect(promises[0]!.error).toMatchObject({ name: 'TimeoutError', code: 'transport' })
    expect(patient.calls[0].signal.aborted).toBe(true)
    expect(controller.getError(patient, args)).toBe(promises[0]!.error)
  })
})

describe('consumers', () => {
  test('NET-15 a read without readers is aborted one macrotask after the last one left', async () => {
    const ep = get()
    const end = store.subscribe(ep, [args], () => {})
    end()
    expect(ep.calls[0].signal.aborted).toBe(false)
    // Strict Mode and new keys come back in the same task.
    const again = store.subscribe(ep, [args], () => {})
    await clock.pass(0)
    expect([ep.calls.length, ep.calls[0].signal.aborted]).toEqual([1, false])
    again()
    await clock.pass(0)
    expect(ep.calls[0].signal.aborted).toBe(true)
    expect(store.getState().meta).toEqual({})
  })

  test.each([
    ['a caller has a promise', {}, (ep: any) => void controller.fetch(ep, args)],
    ['another reader is there', {}, (ep: any) => void store.subscribe(ep, [args], () => {})],
    ['a reader waits for it', {}, (ep: any) => void store.view(ep, args).promise()],
    ['the manager is configured not to', { abortUnused: false }, () => {}],
  ])('NET-15 it goes on when %s', async (_name, options, hold) => {
    open(options)
    const ep = get()
    const end = store.subscribe(ep, [args], () => {})
    end()
    hold(ep)
    await clock.pass(0)
    expect(ep.calls[0].signal.aborted).toBe(false)
    await ep.calls[0].answer(one)
    expect(controller.get(Todo, args)).toBeDefined()
  })

  test('NET-9 ERR-5 what a reader waits for follows the next request after a reset or an abort', async () => {
    const ep = get()
    const waiting = watch(store.view(ep, args).promise())
    await controller.resetEntireStore()
    await clock.pass(0)
    await controller.abort(ep, args)
    await tick()
    expect([waiting, ep.calls.length]).toEqual([{}, 3])
    await ep.calls[2].answer(one)
    expect(waiting.value).toMatchObject(one)
  })
})

describe('asking again', () => {
  test.each([1, 2, 3, 4, 8])('NET-9 NET-17 %i resets during one load are no failed tries', async (count) => {
    const ep = deferredEndpoint('get', Todo)
    const view = store.view(ep, args)
    view.subscribe(() => {})
    for (let i = 0; i < count; i++) {
      await store.controller.resetEntireStore()
      await clock.pass(10)
    }
    expect(ep.calls).toHaveLength(count + 1)
    await ep.calls.at(-1).answer(one)
    expect(view.read()).toMatchObject({ data: one, error: undefined })
    await clock.pass(10_000)
    expect(ep.calls).toHaveLength(count + 1)
  })

  test('NET-17 a response that cannot be used is fetched 3 times, then not-usable is stored', async () => {
    const ep = get({ key: ({ id }: any) => `get ${id}` })
    const remove = deferredEndpoint('remove', new Invalidate(Todo), { sideEffect: true })
    const view = store.view(ep, args)
    const waiting = watch(view.promise())
    // Each record is deleted before a reader can show it.
    store.subscribe(Todo, [args], () => {
      if (controller.get(Todo, args)) {
        void controller.setResponse(remove, args, args)
      }
    })
    for (let i = 0; i < 5; i++) {
      await ep.calls[i]?.answer(one)
    }
    expect(ep.calls).toHaveLength(3)
    expect(waiting.error).toMatchObject({ code: 'not-usable', status: 400, refused: true })
    expect(controller.getError(ep, args)).toBe(waiting.error)
    // A mount is a new beginning, once the error is over.
    await clock.pass(1_001)
    view.subscribe(() => {})
    expect(ep.calls).toHaveLength(4)
  })

  test('ERR-3 an error stands until it expires: a new mount fetches only then', async () => {
    const ep = get()
    const view = store.view(ep, args)
    const waiting = watch(view.promise())
    await ep.calls[0].fail(Object.assign(new Error('gone'), { status: 404 }))
    expect(waiting.error).toMatchObject({ status: 404 })
    const end = view.subscribe(() => {})
    expect(view.read().error).toBe(waiting.error)
    end()
    await clock.pass(1_000)
    view.subscribe(() => {})()
    expect(ep.calls).toHaveLength(1)
    await clock.pass(1)
    for (let i = 1; i < 5; i++) {
      const again = watch(view.promise())
      expect(ep.calls, 'each manual retry fetches').toHaveLength(i + 1)
      await ep.calls[i].fail(new Error('gone'))
      expect(again.error).toBeDefined()
      await clock.pass(1_001)
    }
  })

  test.each([['2'], [new Date(1_002_000).toUTCString()]])(
    'NET-16 Retry-After %s: no request by the library before it is over, one after; the user is sent',
    async (after) => {
      const ep = get()
      const view = store.view(ep, args)
      view.subscribe(() => {})
      await ep.calls[0].fail(unavailable(after))
      await clock.pass(1_500)
      const waiting = watch(view.promise())
      refetchStale(controller.core, () => true)
      await tick()
      expect([waiting, ep.calls.length]).toEqual([{}, 1])
      watch(controller.fetch(ep, { id: '2' }))
      expect(ep.calls).toHaveLength(2)
      await clock.pass(499)
      expect(ep.calls).toHaveLength(2)
      await clock.pass(1)
      expect(ep.calls).toHaveLength(3)
      await ep.calls[2].answer(one)
      expect(waiting.value).toMatchObject(one)
    },
  )

  test('NET-16 a manual fetch is sent during Retry-After, and a reader with nothing to show waits for 5 minutes at most', async () => {
    const ep = get()
    watch(controller.fetch(ep, args))
    await ep.calls[0].fail(unavailable('86400'))
    watch(controller.fetch(ep, args))
    expect(ep.calls).toHaveLength(2)
    await ep.calls[1].fail(unavailable('86400'))
    await clock.pass(2_000)
    watch(store.view(ep, args).promise())
    await clock.pass(297_999)
    expect(ep.calls).toHaveLength(2)
    await clock.pass(1)
    expect(ep.calls).toHaveLength(3)
  })

  test.each([
    ['600', 600_000],
    ['86400', 3_600_000],
    [new Date('9999-01-01').toUTCString(), 3_600_000],
    ['soon', 0],
    ['-5', 0],
    ['', 0],
    ['Infinity', 0],
    ['5 minutes', 0],
    ['soon 2099', 0],
    [new Date(0).toUTCString(), 0],
  ])('NET-16 data on the screen is refetched after Retry-After: %s, an hour at most', async (after, wait) => {
    const ep = get({ dataExpiryLength: Infinity })
    store.subscribe(ep, [args], () => {})
    await ep.calls[0].answer(one)
    watch(controller.fetch(ep, args))
    await ep.calls[1].fail(unavailable(after))
    void controller.expireAll(ep)
    for (const step of wait > 0 ? [wait - 1, 1] : [0]) {
      expect(ep.calls).toHaveLength(2)
      await clock.pass(step)
    }
    expect(ep.calls).toHaveLength(3)
  })

  test.each([
    ['100', 0.5, 125_000],
    ['100', 1, 150_000],
    ['1', 0.5, 1_500],
  ])(
    'NET-16 clients that receive the same moment come at different ones: Retry-After %s, random %d',
    async (after, luck, wait) => {
      open({}, { random: () => luck })
      const ep = get()
      store.subscribe(ep, [args], () => {})
      await ep.calls[0].fail(unavailable(after))
      void controller.invalidate(ep, args)
      await clock.pass(wait - 1)
      expect(ep.calls).toHaveLength(1)
      await clock.pass(1)
      expect(ep.calls).toHaveLength(2)
    },
  )

  test('NET-16 Retry-After counts also where the failure is not stored, until the next response', async () => {
    const ep = get()
    void controller.resetEntireStore()
    const asked = watch(controller.fetch(ep, args))
    void controller.invalidate(ep, args)
    await ep.calls[0].fail(unavailable('30'))
    expect(asked.error).toBeDefined()
    const end = store.view(ep, args).subscribe(() => {})
    await clock.pass(2_000)
    expect(ep.calls).toHaveLength(1)
    watch(controller.fetch(ep, args))
    await ep.calls[1].answer(one)
    void controller.invalidate(ep, args)
    await clock.pass()
    expect(ep.calls).toHaveLength(3)
    end()
  })

  test.each(['answer', 'fail'] as const)(
    'NET-16 the %s of a page does not end the Retry-After of its list',
    async (how) => {
      const list = get()
      const page = get({ requestKey: () => 'page 2' })
      const end = store.view(list, args).subscribe(() => {})
      watch(controller.fetch(page, args))
      await list.calls[0].fail(unavailable('30'))
      await page.calls[0][how](one)
      void controller.invalidate(list, args)
      await clock.pass(2_000)
      expect(list.calls).toHaveLength(1)
      await clock.pass(30_000)
      expect(list.calls).toHaveLength(2)
      end()
    },
  )

  test('T1 NET-15 an unusable response is not fetched again once its last reader has left', async () => {
    const ep = get()
    watch(controller.fetch(ep, args))
    const end = store.view(ep, args).subscribe(() => {})
    end()
    void controller.invalidate(ep, args)
    await ep.calls[0].answer(one)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(1)
  })

  test('NET-16 NET-20 a stop ends the wait for Retry-After', async () => {
    const ep = get({ errorExpiryLength: 0 })
    watch(controller.fetch(ep, args))
    await ep.calls[0].fail(unavailable('100'))
    clock.time += 1
    const waiting = watch(store.view(ep, args).promise())
    await tick()
    store.stop()
    await clock.pass(0)
    expect(waiting.error).toMatchObject({ name: 'ResetError' })
  })

  test('NET-13 without the option nothing is sent again', async () => {
    const ep = get()
    const reading = watch(controller.fetch(ep, args))
    await ep.calls[0].fail(Object.assign(new Error('down'), { status: 500 }))
    await clock.pass(100_000)
    expect([reading.error.message, ep.calls.length]).toEqual(['down', 1])
  })

  test.each([
    ['keeps a process alive for a caller of fetch', false, 1],
    ['lets a process end when only the library fetches', true, 0],
  ])('NET-22 the wait before a retry %s', async (_title, isAuto, count) => {
    const ref = vi.fn()
    const { setTimeout } = clock
    clock.setTimeout = (run, delay) => Object.assign(setTimeout.call(clock, run, delay) as object, { ref })
    open({ retry: 1 })
    const endpoint = get()
    if (isAuto) {
      store.subscribe(endpoint, [args], () => {})
    } else {
      watch(controller.fetch(endpoint, args))
    }
    await tick()
    await endpoint.calls[0].fail(new Error('offline'))
    expect(ref).toHaveBeenCalledTimes(count)
  })

  test('NET-13 retry sends a failed read again, later each time, with jitter from random', async () => {
    open({ retry: 2, retryDelay: 100 }, { random: () => 0.5 })
    const ep = get()
    const reading = watch(controller.fetch(ep, args))
    const down = Object.assign(new Error('down'), { status: 503 })
    await ep.calls[0].fail(down)
    await clock.pass(74)
    expect(ep.calls).toHaveLength(1)
    await clock.pass(1)
    expect(ep.calls).toHaveLength(2)
    await ep.calls[1].fail(down)
    await clock.pass(149)
    expect(ep.calls).toHaveLength(2)
    await clock.pass(1)
    await ep.calls[2].fail(down)
    expect(reading.error).toBe(down)
    expect(ep.calls).toHaveLength(3)
  })

  test.each([
    [0, 1],
    [1, 2],
    [2, 3],
    [5, 6],
  ])(
    'NET-13 NET-17 a reader with retry: %i sends %i requests for one load that fails with 500',
    async (retry, sent) => {
      open({ retryDelay: 10 })
      const ep = get({ retry })
      const view = store.view(ep, args)
      const end = view.subscribe(() => {})
      for (let i = 0; i < 10; i++) {
        await ep.calls[i]?.fail(Object.assign(new Error('down'), { status: 500 }))
        await clock.pass(60_000)
      }
      expect(ep.calls).toHaveLength(sent)
      expect(view.read().error).toMatchObject({ message: 'down' })
      end()
    },
  )

  test.each([
    ['a mutation', put(), { status: 503 }, 1],
    ['a mutation with a number', put({ retry: 5 }), { status: 503 }, 1],
    ['a mutation with a function', put({ retry: (failures: number) => failures < 1 }), { status: 500 }, 2],
    ['a read that the server refused', get(), { status: 404 }, 1],
    ['a read that made the server fail', get(), { status: 500 }, 2],
    ['a read that the server cannot do', get(), { status: 501 }, 1],
    ['a read that came too often', get(), { status: 429 }, 1],
    ['a read, 502', get(), { status: 502 }, 2],
    ['a read, 503', get(), { status: 503 }, 2],
    ['a read, 504', get(), { status: 504 }, 2],
    ['a read without a status', get(), {}, 2],
    ['a read that got no response, or timed out', get(), { status: 500, code: 'transport' }, 2],
    ['a read whose endpoint says never', get({ retry: false }), {}, 1],
    ['a read whose endpoint says 0', get({ retry: 0 }), {}, 1],
    ['a read with a function', get({ retry: (_: number, error: any) => error.status === 404 }), { status: 404 }, 2],
  ])('NET-13 retry of %s', async (_name, ep, more, calls) => {
    open({ retry: 1, retryDelay: 10 })
    const result = watch(controller.fetch(ep, args, {}))
    await ep.calls[0].fail(Object.assign(new Error('no'), more))
    await clock.pass(10)
    expect(ep.calls).toHaveLength(calls)
    await ep.calls[1]?.answer(one)
    expect(calls === 2 ? result.value : result.error).toBeDefined()
  })

  test.each<[string, object, object, number[]]>([
    ['the store says', { retryDelay: 100 }, {}, [75, 150, 300]],
    ['the endpoint says', { retryDelay: 100 }, { retryDelay: 8 }, [6, 12, 24]],
    ['without options', {}, {}, [750, 1_500, 3_000]],
    ['a function says', {}, { retryDelay: (failures: number) => 10 * (failures + 1) }, [10, 20, 30]],
  ])('NET-13 the delay is what %s', async (_name, options, more, waits) => {
    open({ retry: 0, ...options }, { random: () => 0.5 })
    const ep = get({ retry: 3, ...more })
    const reading = watch(controller.fetch(ep, args))
    for (const [index, wait] of waits.entries()) {
      await ep.calls[index].fail(new Error('down'))
      await clock.pass(wait - 1)
      expect(ep.calls).toHaveLength(index + 1)
      await clock.pass(1)
      expect(ep.calls).toHaveLength(index + 2)
    }
    await ep.calls[3].fail(new Error('down'))
    expect(reading.error.message).toBe('down')
  })

  test('NET-13 NET-16 retry waits for Retry-After, and the app decides which failures are worth it', async () => {
    open({ retry: (failures, error) => failures < 5 && error.status === 503, retryDelay: 10 })
    const ep = get()
    const result = watch(controller.fetch(ep, args))
    await ep.calls[0].fail(unavailable('3'))
    await clock.pass(2_999)
    expect(ep.calls).toHaveLength(1)
    await clock.pass(1)
    await ep.calls[1].fail(Object.assign(new Error('x'), { status: 500 }))
    expect(result.error).toMatchObject({ status: 500 })
  })

  test('NET-13 ERR-5 an endpoint that aborts by itself is not called again, and no error is stored', async () => {
    open({ retry: 1, retryDelay: 10 })
    const ep = get()
    const result = watch(controller.fetch(ep, args))
    const aborted = new DOMException('left the page', 'AbortError')
    await ep.calls[0].fail(aborted)
    await clock.pass(100)
    expect([result.error, ep.calls.length]).toEqual([aborted, 1])
    expect(controller.getError(ep, args)).toBeUndefined()
  })

  test('NET-13 a request that is aborted while it waits is not sent again', async () => {
    open({ retry: 1, retryDelay: 10 })
    const ep = get()
    const result = watch(controller.fetch(ep, args))
    await ep.calls[0].fail(new Error('x'))
    await controller.abort(ep, args)
    await clock.pass(100)
    expect([result.error.name, ep.calls.length]).toEqual(['AbortError', 1])
    const plain: any = Object.assign(vi.fn().mockRejectedValue(new Error('x')), { key: () => 'plain' })
    watch(controller.fetch(plain))
    await tick()
    await controller.abort(plain)
    await clock.pass(100)
    expect(plain).toHaveBeenCalledOnce()
  })

  test.each<[string, NetworkManagerOptions['retry'], StoreOptions]>([
    // A refused connection has no response.
    ['retry', (_failures, error) => (error as any).response.status === 503, {}],
    [
      'random',
      2,
      {
        random: () => {
          throw new TypeError('mine')
        },
      },
    ],
  ])('NET-13 NET-19 MGR-7 %s that throws is reported: the fetch rejects with its own error', async (_, retry, more) => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    open({ retry }, more)
    for (const ep of [get(), put({ retry: typeof retry === 'function' ? retry : (): boolean => true })]) {
      report.mockClear()
      const result = watch(controller.fetch(ep, args, {}))
      const down = new Error('refused')
      await ep.calls[0].fail(down)
      expect(result.error).toBe(down)
      expect(report).toHaveBeenCalledExactlyOnceWith(expect.any(TypeError))
      expect(network.allSettled()).toBeUndefined()
      const again = watch(controller.fetch(ep, args, {}))
      await ep.calls[1].answer(one)
      expect(again.value).toMatchObject(one)
    }
    vi.unstubAllGlobals()
  })

  test('NET-8 MGR-7 an idleCallback that throws rejects the fetch, and later ones are sent', async () => {
    const rash = new (class extends NetworkManager {
      thrown: Error | undefined = new Error('mine')
      protected override idleCallback(send: () => void): void {
        if (this.thrown) {
          throw this.thrown
        }
        send()
      }
    })()
    store = createStore({ clock, managers: [rash] })
    const ep = get()
    await expect(store.controller.fetch(ep, args)).rejects.toThrow('mine')
    rash.thrown = undefined
    const again = watch(store.controller.fetch(ep, args))
    await ep.calls[0].answer(one)
    expect(again.value).toMatchObject(one)
  })

  test.each(['waits', 'is in flight'])('NET-9 NET-13 a mutation that %s at a reset is not sent again', async (how) => {
    open({ retry: 3, retryDelay: 100 })
    const ep = put({ retry: (failures: number) => failures < 3, getOptimisticResponse: () => one })
    const result = watch(controller.fetch(ep, args, {}))
    const down = Object.assign(new Error('down'), { status: 503 })
    if (how === 'waits') {
      await ep.calls[0].fail(down)
    }
    await controller.resetEntireStore()
    if (how !== 'waits') {
      await ep.calls[0].fail(down)
    }
    await tick()
    expect(result.error, 'at once').toBe(down)
    await clock.pass(1_000)
    expect(ep.calls).toHaveLength(1)
    expect({ ...store.getState(), lastReset: 0 }).toEqual({ ...initialState })
    // The next caller gets all of its retries.
    const next = watch(controller.fetch(ep, args, {}))
    await ep.calls[1].fail(down)
    await clock.pass(100)
    await ep.calls[2].answer(one)
    expect(next.value).toMatchObject(one)
  })

  test.each([get(), put({ retry: (failures: number) => failures < 3 })])(
    'NET-10 NET-13 nothing is sent again after a stop',
    async (ep) => {
      open({ retry: 3, retryDelay: 100 }, { random: () => 1 })
      const result = watch(controller.fetch(ep, args, {}))
      await ep.calls[0].fail(new Error('down'))
      // The timer of the retry is older than that of the stop, and both are due.
      clock.time += 100
      store.stop()
      await clock.pass(1_000)
      expect(ep.calls).toHaveLength(1)
      expect(result.error).toMatchObject({ name: 'ResetError' })
    },
  )

  test('NET-13 ST-18 a read that is sent again after a write was committed keeps its number: its data is in doubt', async () => {
    open({ retry: 1, retryDelay: 100 })
    const [read, write] = [get(), put()]
    await controller.set(Todo, args, one)
    watch(controller.fetch(read, args))
    await read.calls[0].fail(Object.assign(new Error('down'), { status: 503 }))
    void controller.fetch(write, args, {})
    await write.calls[0].answer({ id: '1', title: 'mine' })
    await clock.pass(100)
    await read.calls[1].answer({ id: '1', title: 'newer' })
    expect(controller.get(Todo, args)).toMatchObject({ title: 'mine' })
    expect(controller.getResponse(read, args).expiresAt).toBe(1)
    expect(network.allSettled()).toBeUndefined()
  })
})

describe('the rest', () => {
  test('NET-2 NET-5 what managers see of a request', async () => {
    const seen: any[] = []
    open({}, {}, { middleware: () => (next) => (action) => (seen.push(action), next(action)), cleanup() {} })
    const ep = get()
    watch(controller.fetch(ep, args))
    clock.time += 5
    await ep.calls[0].answer(one)
    const [fetch, response] = seen
    const { requestId, sent, promise } = fetch.meta
    expect(fetch).toMatchObject({
      type: 'rdc/fetch',
      key: ep.key(args),
      args: [args],
      endpoint: ep,
      meta: { fetchedAt: 1_000_000 },
    })
    expect([typeof requestId, typeof sent, promise instanceof Promise]).toEqual(['string', 'number', true])
    const meta = { fetchedAt: 1_000_000, date: 1_000_005, expiresAt: 1_060_005, sent, requestId }
    expect(response).toEqual({
      type: 'rdc/setresponse',
      key: ep.key(args),
      args: [args],
      endpoint: ep,
      response: one,
      error: false,
      meta,
    })
  })

  test.each([
    ['a read', 0, get()],
    ['a read with an operation', 1, get({ getOptimisticResponse: () => one })],
    ['a mutation', 0, put()],
    ['a mutation with an operation', 1, put({ getOptimisticResponse: () => one })],
  ])('NET-5 the FETCH of %s is passed on %d times', (_name, times, ep) => {
    const passed = vi.fn()
    store = createStore({
      clock,
      managers: [network, { middleware: () => (next) => (action) => (passed(action), next(action)), cleanup() {} }],
    })
    watch(store.controller.fetch(ep, args, {}))
    expect(passed).toHaveBeenCalledTimes(times)
  })

  test('NET-8 reads may wait until the page is idle; mutations do not', async () => {
    const idle: [() => void, unknown][] = []
    vi.stubGlobal('requestIdleCallback', (run: () => void, options: unknown) => idle.push([run, options]))
    store = createStore({ clock, managers: [new IdlingNetworkManager()] })
    const [read, write] = [get(), put()]
    watch(store.controller.fetch(read, args))
    watch(store.controller.fetch(write, args, {}))
    expect([read.calls.length, write.calls.length]).toEqual([0, 1])
    expect(idle[0]![1]).toEqual({ timeout: 500 })
    idle[0]![0]()
    expect(read.calls).toHaveLength(1)
    // Aborted before its turn, it is not sent.
    watch(store.controller.fetch(read, { id: '2' }))
    await store.controller.abort(read, { id: '2' })
    idle[1]![0]()
    vi.unstubAllGlobals()
    watch(store.controller.fetch(read, { id: '3' }))
    expect(read.calls).toHaveLength(2)
  })

  test('NET-11 NET-12 a manager without a store has no requests', () => {
    const unused = new NetworkManager()
    expect([unused.allSettled(), unused.skipLogging({ type: 'rdc/fetch' })]).toEqual([undefined, false])
    expect(network.skipLogging({ type: 'rdc/fetch', meta: { requestId: '1' } })).toBe(false)
    unused.init()
    unused.cleanup()
  })

  test('NET-11 allSettled waits for all requests in flight', async () => {
    expect(network.allSettled()).toBeUndefined()
    const [read, write] = [get(), put()]
    watch(controller.fetch(read, args))
    watch(controller.fetch(write, args, {}))
    const all = watch(network.allSettled()!)
    await read.calls[0].answer(one)
    expect(all).toEqual({})
    await write.calls[0].fail(new Error('no'))
    expect(all.value).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }])
    expect(network.allSettled()).toBeUndefined()
  })

  test('NET-19 rejections of fetches that the library starts are handled', async () => {
    const ep = get()
    store.subscribe(ep, [args], () => {})
    void store.view(ep, { id: '2' }).promise()
    await ep.calls[0].fail(new Error('no'))
    await ep.calls[1].fail(new Error('no'))
    // afterEach looks for unhandled rejections.
    expect(controller.getError(ep, args)).toBeDefined()
  })

  test('MGR-7 NET-20 a manager that throws on an action rejects what waits for it', async () => {
    const bad = {
      throwsOn: '',
      middleware: () => (next: any) => (action: any) => {
        if (action.type === bad.throwsOn) {
          throw new Error('bad manager')
        }
        return next(action)
      },
      cleanup() {},
    }
    open({}, {}, bad)
    const ep = put({ getOptimisticResponse: () => one })
    bad.throwsOn = 'rdc/fetch'
    const first = watch(controller.fetch(ep, args, {}))
    await tick()
    expect(first.error).toMatchObject({ message: 'bad manager' })
    bad.throwsOn = 'rdc/setresponse'
    const second = watch(controller.fetch(ep, args, {}))
    await ep.calls[0].answer(one)
    expect(second.error).toMatchObject({ message: 'bad manager' })
    expect(store.getState().optimistic).toEqual([])
    bad.throwsOn = 'rdc/set'
    await expect(controller.set(Todo, args, one)).rejects.toThrow('bad manager')
    bad.throwsOn = ''
    await controller.set(Todo, args, one)
    expect(controller.get(Todo, args)).toMatchObject(one)
  })

  test('NET-2 a FETCH action of the app is sent, and joins one in flight', async () => {
    const ep = get()
    const byHand = (): { value?: any } => {
      const { promise, resolve, reject } = deferred()
      const meta = { fetchedAt: 0, sent: 0, requestId: '', resolve, reject, promise }
      void controller.dispatch({ type: 'rdc/fetch', endpoint: ep, args: [args], key: ep.key(args), meta })
      return watch(promise)
    }
    const both = [byHand(), byHand()]
    expect(ep.calls).toHaveLength(1)
    await ep.calls[0].answer(one)
    expect(both[0]!.value).toMatchObject(one)
    expect(both[1]!.value).toBe(both[0]!.value)
  })

  test('RCT-1 getDefaultManagers takes an instance or options', () => {
    expect(getDefaultManagers({ networkManager: network })).toContain(network)
    const made = getDefaultManagers({ networkManager: { timeout: 5 } }).find((one) => one instanceof NetworkManager)
    expect((made as NetworkManager).options).toEqual({ timeout: 5 })
  })
})
