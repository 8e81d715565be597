// While a server is down, the library sends less and less on its own, over all keys of its origin.
import {
  createStore,
  FocusManager,
  getDefaultManagers,
  PollingSubscription,
  RestEndpoint,
  type Store,
  SubscriptionManager,
} from 'restitch'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TestClock } from '../../src/testing/TestClock.ts'

const urlPrefix = 'https://api.test'
const get = new RestEndpoint({ urlPrefix, path: '/things/:id', schema: undefined })
const polled = get.extend({ pollFrequency: 5_000 })
const create = new RestEndpoint({ urlPrefix, path: '/things', method: 'POST', schema: undefined })

let clock: TestClock
let store: Store
let sent: string[]
let status: number
let luck: number
let listeners: Map<string, () => void>

beforeEach(async () => {
  clock = new TestClock()
  sent = []
  status = 200
  luck = 0.5
  vi.stubGlobal('fetch', (url: string, { method }: RequestInit) => {
    sent.push(`${method} ${new URL(url).pathname}`)
    const response = Response.json({}, { status })
    return new Promise((resolve) => clock.setTimeout(() => resolve(response), 20))
  })
  listeners = new Map()
  const window = {
    addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener),
    removeEventListener: () => {},
  }
  store = createStore({
    managers: getDefaultManagers({ networkManager: { retry: 3 }, focusManager: new FocusManager({ window }) }),
    clock,
    random: () => luck,
    spread: 0,
  })
  store.subscribe(get, [{ id: '1' }], () => {})
  await clock.pass(100)
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

/** The server goes down, and so many requests in a row fail; the next one of the library waits. */
async function fail(count = 8): Promise<void> {
  status = 503
  // Each failure is one that draws no wait, the last one does.
  luck = 0.99
  for (let i = 1; i <= count; i++) {
    luck = i === count ? 0 : 0.99
    store.controller.fetch(get.extend({ retry: 0 } as never), { id: `x${i}` }).catch(() => {})
    await clock.pass(20)
  }
  sent = []
}

test('NET-23 a poll, a refetch and a retry wait for 15 seconds; then one of them is sent, and the others wait again', async () => {
  void store.controller.subscribe(polled, { id: '2' })
  await clock.pass(100)
  await fail()
  void store.controller.expireAll(get)
  await clock.pass(14_000)
  expect(sent).toEqual([])
  sent = []
  await clock.pass(60_000)
  expect(sent.length).toBeGreaterThan(2)
  expect(sent.length).toBeLessThanOrEqual(5)
})

test.each<[string, () => unknown, string]>([
  ['controller.fetch', () => store.controller.fetch(get, { id: '1' }), 'GET /things/1'],
  ['a first load', () => store.subscribe(get, [{ id: '9' }], () => {}), 'GET /things/9'],
  ['a mutation', () => store.controller.fetch(create, {}), 'POST /things'],
  ['a reader that mounts', () => store.subscribe(get, [{ id: '1' }], () => {}), 'GET /things/1'],
  ['the focus of the user', () => listeners.get('focus')!(), 'GET /things/1'],
])('NET-23 %s is sent anyway', async (name, act, request) => {
  await fail()
  if (!name.startsWith('controller')) {
    void store.controller.expireAll(get)
  }
  await clock.pass(100)
  expect(sent).toEqual([])
  void Promise.resolve(act()).catch(() => {})
  await clock.pass(10)
  expect(sent).toEqual([request])
})

test.each<[string, () => unknown]>([
  ['a success of any key', () => store.controller.fetch(get, { id: '7' })],
  ['online', () => listeners.get('online')!()],
])('NET-23 %s ends it', async (_, end) => {
  await fail()
  void store.controller.expireAll(get)
  await clock.pass(100)
  expect(sent).toEqual([])
  status = 200
  void end()
  await clock.pass(100)
  expect(sent).toContain('GET /things/1')
})

test('NET-23 the retries of a reader with nothing to show, and of a caller, do not wait; the reader loads when the server is back', async () => {
  await fail()
  luck = 0
  store.subscribe(get, [{ id: '9' }], () => {})
  const caught = vi.fn()
  store.controller.fetch(get, { id: '8' }).catch(caught)
  await clock.pass(7_200)
  expect(sent.toSorted()).toEqual([...Array(4).fill('GET /things/8'), ...Array(4).fill('GET /things/9')])
  expect(caught).toHaveBeenCalledOnce()
  expect(store.controller.getError(get, { id: '9' }, store.getState())).toMatchObject({ status: 503 })
  status = 200
  sent = []
  await clock.pass(2_000)
  expect(sent).toEqual([])
  void store.controller.fetch(get, { id: '7' })
  await clock.pass(100)
  expect(sent).toEqual(['GET /things/7', 'GET /things/9'])
})

describe('NET-23 what waits goes on when the waiting ends:', () => {
  const ends: [string, () => unknown][] = [
    ['a success of any key', () => store.controller.fetch(get, { id: '7' })],
    ['online', () => listeners.get('online')!()],
  ]

  test.each(ends)('a poll, after %s', async (_, end) => {
    void store.controller.subscribe(polled, { id: '2' })
    await clock.pass(100)
    await fail()
    await clock.pass(10_000)
    expect(sent).toEqual([])
    status = 200
    void end()
    await clock.pass(100)
    expect(sent.filter((one) => one === 'GET /things/2')).toHaveLength(1)
    sent = []
    await clock.pass(5_000)
    expect(sent, 'and its interval is as before').toEqual(['GET /things/2'])
  })

  test.each(ends)('a retry, after %s, but not before its own delay', async (_, end) => {
    await fail(3)
    void store.controller.expireAll(get)
    luck = 0
    await clock.pass(20)
    expect(sent).toEqual(['GET /things/1'])
    sent = []
    await clock.pass(300)
    status = 200
    void end()
    await clock.pass(150)
    expect(sent).not.toContain('GET /things/1')
    await clock.pass(100)
    expect(sent.filter((one) => one === 'GET /things/1')).toHaveLength(1)
  })

  test('a refetch, after online, also without a FocusManager', async () => {
    store.stop()
    const listener = createConnection()
    const subscriptionManager = new SubscriptionManager(PollingSubscription, { connectionListener: listener })
    const managers = getDefaultManagers({ focusManager: null, subscriptionManager })
    store = createStore({ managers, clock, random: () => luck, spread: 0 })
    store.subscribe(get, [{ id: '1' }], () => {})
    void store.controller.subscribe(polled, { id: '2' })
    await clock.pass(100)
    await fail()
    void store.controller.expireAll(get)
    await clock.pass(1_000)
    expect(sent).toEqual([])
    status = 200
    listener.back()
    await clock.pass(100)
    expect(sent).toContain('GET /things/1')
  })
})

function createConnection() {
  const back = new Set<() => void>()
  return {
    isOnline: () => true,
    addOnlineListener: (listener: () => void) => void back.add(listener),
    removeOnlineListener: (listener: () => void) => void back.delete(listener),
    addOfflineListener: () => {},
    removeOfflineListener: () => {},
    back: () => back.forEach((listener) => listener()),
  }
}

test('NET-23 a page of many readers that opens in a bad second loads by its retries', async () => {
  luck = 0
  status = 503
  for (let i = 1; i <= 12; i++) {
    store.subscribe(get, [{ id: `r${i}` }], () => {})
  }
  await clock.pass(30)
  status = 200
  await clock.pass(2_000)
  for (let i = 1; i <= 12; i++) {
    expect(store.controller.getResponse(get, { id: `r${i}` }, store.getState()).expiryStatus).toBe(3)
  }
})

test('NET-23 another origin does not wait', async () => {
  await fail()
  const other = new RestEndpoint({ urlPrefix: 'https://other.test', path: '/things/:id', schema: undefined })
  status = 200
  store.subscribe(other, [{ id: '1' }], () => {})
  await clock.pass(100)
  void store.controller.expireAll(other)
  await clock.pass(100)
  expect(sent).toHaveLength(2)
})

test('NET-23 explain() says how long', async () => {
  await fail()
  void store.controller.expireAll(get)
  await clock.pass(7_000)
  expect(store.controller.explain(get, { id: '1' }).request.next).toBe(
    'Waiting: api.test responds with 503 (8 failures in a row), next try in 8 s. controller.fetch() sends a request at once.',
  )
})

test('NET-23 NET-13 a retry that waits longer than the budget says waits as before', async () => {
  status = 503
  const caught = vi.fn()
  sent = []
  store.controller.fetch(get, { id: '5' }).catch(caught)
  await clock.pass(20 + 750 + 20 + 1_500 + 20 + 3_000 + 20)
  expect(sent).toHaveLength(4)
  expect(caught).toHaveBeenCalledOnce()
})
