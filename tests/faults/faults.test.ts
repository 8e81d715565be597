// Each fault through a whole store: what is on the screen stays, and every promise settles.
import {
  createStore,
  Entity,
  isRestitchError,
  LogoutManager,
  getDefaultManagers,
  resource,
  RestEndpoint,
} from 'restitch'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { rejectionOf } from '../../src/testing/outcomes.ts'
import { type Answer, json, openServer, type TestServer } from '../server.ts'
import { VirtualClock } from '../simulator/clock.ts'
import { BROKEN, busy, DOWN, elsewhere, GOOD, Held, REFUSED, stall } from './server.ts'

class Todo extends Entity {
  id = ''
  title = ''
  static override key = 'Todo'
}

let server: TestServer
let other: TestServer
let clock: VirtualClock
let store: any
let todos: any
const unhandled = vi.fn()

beforeAll(async () => {
  server = await openServer()
  other = await openServer(json([{ id: '9', title: 'taken' }]))
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  clock = new VirtualClock()
  store = createStore({ clock, random: () => 0 })
  todos = resource({ path: '/todos/:id', schema: Todo, urlPrefix: server.origin, optimistic: true })
  process.on('unhandledRejection', unhandled)
})
afterEach(async () => {
  store.stop()
  await settled()
  process.off('unhandledRejection', unhandled)
  if (unhandled.mock.calls.length > 0) {
    throw new Error('a rejection was not handled')
  }
  vi.restoreAllMocks()
})

const fetch = (endpoint: any, ...args: any[]): Promise<any> => store.controller.fetch(endpoint, ...args)
const read = (endpoint: any, ...args: any[]): any => store.view(endpoint, ...args).read()
/** Lets everything happen that needs no network. */
const settled = (): Promise<void> => new Promise((done) => setImmediate(done))
/** Lets virtual time pass. */
async function pass(time: number): Promise<void> {
  const until = clock.time + time
  while (clock.runNext(until)) {
    await settled()
  }
  clock.time = until
  await settled()
}
/** Mounts a reader, and counts its notifications. */
function mount(endpoint: any, ...args: any[]): { calls: number; end: () => void } {
  const reader = { calls: 0, end: () => {} }
  reader.end = store.subscribe(endpoint, args, () => reader.calls++)
  return reader
}
/** Until a reader has something, or an error. */
async function shown(endpoint: any, ...args: any[]): Promise<any> {
  await vi.waitFor(() => {
    const { data, error } = read(endpoint, ...args)
    if (data === undefined && error === undefined) {
      throw new Error('nothing yet')
    }
  })
  return read(endpoint, ...args)
}

describe('good data stays on the screen', () => {
  const faults: [string, Answer, object][] = [
    ...Object.entries(BROKEN).map(([name, answer]): [string, Answer, object] => [
      name,
      answer,
      { status: 500, code: 'transport' },
    ]),
    ...Object.entries(REFUSED).map(([name, answer]): [string, Answer, object] => [
      name,
      answer,
      { status: 400, refused: true },
    ]),
    ...Object.entries(DOWN).map(([name, answer]): [string, Answer, object] => [name, answer, {}]),
  ]
  test.each(faults)('FET-5 ERR-2 ERR-6 RE-21 %s', async (_, answer, expected) => {
    server.answer(json(GOOD))
    const list = await fetch(todos.getList)
    const reader = mount(todos.getList)
    server.answer(answer)
    const error = await rejectionOf(fetch(todos.getList))
    expect(error).toMatchObject(expected)
    expect(`${error.message}${error.url ?? ''}`).toBeTruthy()
    expect(read(todos.getList)).toMatchObject({ data: list, error: undefined })
    expect(read(todos.getList).data).toBe(list)
    reader.end()
  })

  test.each(faults)('FET-5 without data %s is the error of its readers', async (_, answer, expected) => {
    server.answer(answer)
    const error = await rejectionOf(fetch(todos.getList))
    expect(error).toMatchObject(expected)
    expect(read(todos.getList)).toMatchObject({ data: undefined, error })
  })

  test.each([true, false])('FET-5 NET-18 a stall (the body has begun: %s) ends with the timeout', async (begins) => {
    server.answer(json(GOOD))
    const slow = todos.getList.extend({ timeout: 5_000 })
    const list = await fetch(slow)
    const arrived = new Promise<void>((done) =>
      server.answer((request, response) => {
        stall(begins)(request, response)
        done()
      }),
    )
    const work = rejectionOf(fetch(slow))
    await arrived
    await pass(5_000)
    expect(await work).toMatchObject({ name: 'TimeoutError', status: 500, code: 'transport' })
    expect(read(slow).data).toBe(list)
  })
})

test('FET-6 a redirect to another origin: nothing is stored, and the other origin receives nothing', async () => {
  server.answer(elsewhere(other.origin))
  other.answer(json([{ id: '9', title: 'taken' }]))
  const getHeaders = (): object => ({ 'x-token': 'secret' })
  const error = await rejectionOf(fetch(todos.getList.extend({ getHeaders })))
  expect(isRestitchError(error)).toBe(true)
  expect(error).toMatchObject({ code: 'redirect-origin' })
  expect(other.received).toEqual([])
  expect(read(todos.getList).data).toBeUndefined()
})

test('LOG-5 a 401 of another origin does not sign the user out', async () => {
  store.stop()
  const managers = [new LogoutManager({ origins: [server.origin] }), ...getDefaultManagers()]
  store = createStore({ clock, random: () => 0, managers })
  server.answer(json(GOOD))
  await fetch(todos.getList)
  other.answer(json({}, 401))
  await rejectionOf(fetch(new RestEndpoint({ urlPrefix: other.origin, path: '/x' })))
  expect(read(todos.getList).data).toHaveLength(GOOD.length)
  server.answer(json({}, 401))
  await rejectionOf(fetch(todos.get, { id: '1' }))
  expect(read(todos.getList).data).toBeUndefined()
})

test.each([
  [429, 'expireAll'],
  [503, 'invalidate'],
] as const)(
  'NET-16 %i with Retry-After: the library waits, the user does not; %s does not end it',
  async (status, mark) => {
    server.answer(busy(status, '30'))
    const reader = mount(todos.getList)
    await shown(todos.getList)
    await rejectionOf(fetch(todos.getList))
    expect(server.received).toHaveLength(2)
    void store.controller[mark](todos.getList)
    await pass(29_000)
    expect(server.received).toHaveLength(2)
    server.answer(json(GOOD))
    await pass(2_000)
    await vi.waitFor(() => expect(read(todos.getList).data ?? []).toHaveLength(GOOD.length))
    expect(server.received).toHaveLength(1)
    reader.end()
  },
)

test('NET-17 NET-19 a server that is down for good gets 3 requests at most, and no rejection is unhandled', async () => {
  server.answer(json({}, 500))
  const reader = mount(todos.getList)
  await shown(todos.getList)
  await pass(100_000)
  expect(server.received.length).toBeLessThanOrEqual(3)
  expect(read(todos.getList).error).toMatchObject({ status: 500 })
  reader.end()
})

test('OPT-15 a pending delete of a record on the screen fetches nothing; if it fails, the same data shows', async () => {
  server.answer(json({ id: '1', title: 'here' }))
  const todo = await fetch(todos.get, { id: '1' })
  const reader = mount(todos.get, { id: '1' })
  const held = new Held()
  server.answer(held.answer)
  const work = rejectionOf(fetch(todos.delete, { id: '1' }))
  await held.come(1)
  expect(read(todos.get, { id: '1' })).toMatchObject({ data: undefined, waiting: true })
  await pass(60_000)
  expect(server.received.map(({ method }) => method)).toEqual(['DELETE'])
  held.say(0, {}, 500)
  await work
  expect(read(todos.get, { id: '1' }).data).toEqual(todo)
  reader.end()
})

test('NET-15 a component that suspended and was discarded has sent one request, which completes', async () => {
  const held = new Held()
  server.answer(held.answer)
  const promise = store.view(todos.getList).promise()
  await held.come(1)
  await pass(1_000)
  held.say(0, GOOD)
  await promise
  await pass(120_000)
  expect(server.received).toHaveLength(1)
})

test('EXP-9 NET-15 what is not to be kept is not kept', async () => {
  const raw: any = new RestEndpoint({ urlPrefix: server.origin, path: '/raw', dataExpiryLength: 0 })
  server.answer(json({ big: true }))
  expect(await fetch(raw)).toEqual({ big: true })
  await pass(10)
  expect(Object.keys(store.getState().endpoints)).toEqual([])
  expect(read(raw).data).toBeUndefined()
})

test('NET-9 NET-10 NET-20 a reset rejects open reads, and a stop all that is open', async () => {
  const held = new Held()
  server.answer(held.answer)
  const reads = [rejectionOf(fetch(todos.getList)), rejectionOf(fetch(todos.get, { id: '1' }))]
  const write = fetch(todos.update, { id: '1' }, { title: 'kept' })
  await held.come(3)
  store.controller.resetEntireStore()
  for (const error of await Promise.all(reads)) {
    expect(error.name).toBe('ResetError')
  }
  held.say(
    held.waiting.findIndex((one) => one.req.method === 'PUT'),
    { id: '1', title: 'kept' },
  )
  expect(await write).toMatchObject({ title: 'kept' })
  expect(store.getState().entities).toEqual({})
  const again = rejectionOf(fetch(todos.getList))
  const change = rejectionOf(fetch(todos.update, { id: '1' }, { title: 'lost' }))
  store.stop()
  await pass(0)
  expect((await again).name).toBe('ResetError')
  expect((await change).name).toBe('ResetError')
})

test('ST-9 ENT-25 responses in another order than their requests: the last request wins', async () => {
  const held = new Held()
  server.answer(held.answer)
  const first = fetch(todos.get, { id: '1' })
  await held.come(1)
  store.controller.invalidate(todos.get, { id: '1' })
  const second = fetch(todos.get, { id: '1' })
  await held.come(2)
  held.say(1, { id: '1', title: 'second' })
  expect(await second).toMatchObject({ title: 'second' })
  held.say(0, { id: '1', title: 'first' })
  expect((await first).title).toBe('second')
  expect(read(todos.get, { id: '1' }).data.title).toBe('second')
})

test('ST-18 CTL-1 a poll served before a PATCH and received after it: the write stays, and one more read follows', async () => {
  server.answer(json({ id: '1', title: 'old' }))
  await fetch(todos.get, { id: '1' })
  const reader = mount(todos.get, { id: '1' })
  const held = new Held()
  server.answer(held.answer)
  const poll = fetch(todos.get, { id: '1' })
  await held.come(1)
  const patch = fetch(todos.partialUpdate, { id: '1' }, { title: 'new' })
  await held.come(2)
  held.say(1, { id: '1', title: 'new' })
  expect((await patch).title).toBe('new')
  held.say(0, { id: '1', title: 'old' })
  expect((await poll).title).toBe('new')
  expect(read(todos.get, { id: '1' }).data.title).toBe('new')
  await held.come(3)
  held.say(2, { id: '1', title: 'new' })
  await vi.waitFor(() => expect(read(todos.get, { id: '1' }).expiresAt).toBeGreaterThan(clock.now()))
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET'])
  reader.end()
})

test('ST-20 a listener that throws does not stop others', async () => {
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  server.answer(json(GOOD))
  const broken = store.subscribe(todos.getList, [], () => {
    throw new Error('mine')
  })
  const reader = mount(todos.getList)
  await shown(todos.getList)
  await settled()
  expect(reader.calls).toBeGreaterThan(0)
  expect(report).toHaveBeenCalled()
  broken()
  reader.end()
  vi.unstubAllGlobals()
})

test('STO-1 two hundred stores at once: no data of one in another', async () => {
  const fetchResponse = async (url: string): Promise<Response> => {
    await settled()
    return Response.json({ id: '1', title: url })
  }
  const titles = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const one: any = createStore({ clock })
      const { get } = resource({ path: '/todos/:id', schema: Todo, urlPrefix: `http://api.test/${i}`, fetchResponse })
      const { title } = await one.controller.fetch(get, { id: '1' })
      const kept = one.view(get, { id: '1' }).read().data.title
      one.stop()
      return [title, kept]
    }),
  )
  for (const [i, both] of titles.entries()) {
    expect(both).toEqual([`http://api.test/${i}/todos/1`, `http://api.test/${i}/todos/1`])
  }
})

describe('asking again', () => {
  const open = (retry?: any): void => {
    store = createStore({ clock, managers: getDefaultManagers({ networkManager: { retry } }) })
  }

  test('NET-13 NET-19 MGR-7 a refused connection has no response: a function that counts on one is reported', async () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const gone = await openServer()
    await gone.close()
    open((_failures: number, error: any) => error.response.status === 503)
    const error = await rejectionOf(fetch(todos.get.extend({ urlPrefix: gone.origin }), { id: '1' }))
    expect(error).toMatchObject({ code: 'transport' })
    expect(report).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ message: expect.stringMatching(/status/) }),
    )
    vi.unstubAllGlobals()
    server.answer(json({ id: '1', title: 'a' }))
    expect(await fetch(todos.get, { id: '1' })).toMatchObject({ title: 'a' })
  })

  test('NET-9 NET-13 what one user wanted is not sent again with the token of the next', async () => {
    let note!: () => void
    const failed = new Promise<void>((done) => {
      note = done
    })
    open()
    let token = 'ann'
    const Authd: any = class extends RestEndpoint {
      override getHeaders(headers: any): any {
        return { ...headers, token }
      }
    }
    const update = new Authd({
      urlPrefix: server.origin,
      path: '/todos/:id',
      method: 'PUT',
      schema: Todo,
      retry: () => (note(), true),
    })
    server.answer(json({}, 503))
    const put = rejectionOf(fetch(update, { id: '1' }, { title: 'mine' }))
    await failed
    await store.controller.resetEntireStore()
    token = 'bob'
    expect(await put).toMatchObject({ status: 503 })
    await pass(10_000)
    expect(server.received.map(({ headers }) => headers.token)).toEqual(['ann'])
  })
})
