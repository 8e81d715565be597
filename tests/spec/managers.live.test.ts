// LiveManager against servers that drop, stall, duplicate, reorder and talk nonsense.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createStore, Entity, getDefaultManagers, resource } from 'restitch'
import { createAuth } from 'restitch/auth'
import { eventStream, LiveManager, type LiveOptions, type LiveStatus, webSocket } from 'restitch/live'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { until } from '../../src/testing/outcomes.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { type Answer, json, openServer, type Received, send, type TestServer } from '../server.ts'

class Task extends Entity {
  id = ''
  title = ''
  version = 0
  project = ''
  static override key = 'Task'
}

let server: TestServer
let clock: TestClock
let streams: ServerResponse[]
let asked: Received[]
let toStream: Answer
let title: string
let reported: any[]
let stores: { stop(): void }[]

const start: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  streams.push(response)
}

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  clock = new TestClock()
  streams = []
  asked = []
  toStream = start
  title = 'from the server'
  reported = []
  stores = []
  vi.stubGlobal('reportError', (error: unknown) => reported.push(error))
  vi.stubGlobal('WebSocket', WebSocket)
  // Newer versions of Node have locks, and one clock of a test does not move another.
  vi.stubGlobal('navigator', undefined)
  server.answer((request, response) => {
    if (request.url.startsWith('/events')) {
      asked.push(request)
      return toStream(request, response)
    }
    const record = { id: '1', title, version: 1, project: 'a' }
    return json(request.url === '/tasks' ? [record] : record)(request, response)
  })
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.unstubAllGlobals()
})

const MARK = 'mark'
let marks = 0

/** Lets time pass, a little at a time, until something has come. */
async function passUntil(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((done) => setImmediate(done))
    await clock.pass(16)
  }
}

const page = () => {
  const listeners = new Set<() => void>()
  const fake = {
    visibilityState: 'visible',
    addEventListener: (_: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
    show(state: 'visible' | 'hidden') {
      fake.visibilityState = state
      listeners.forEach((listener) => listener())
    },
  }
  return fake
}

function open(options: Partial<LiveOptions> = {}) {
  const Tasks = resource({ urlPrefix: server.origin, path: '/tasks/:id', schema: Task, dataExpiryLength: 1e9 })
  const states: LiveStatus[] = []
  const live = new LiveManager({
    connect: eventStream(`${server.origin}/events`),
    covers: [Tasks.getList, Tasks.get],
    onStatus: (status) => states.push(status),
    ...options,
    receive(message, writer) {
      const {
        receive = ({ type, data }, { set, remove }) => (type === 'deleted' ? remove(Task, data) : set(Task, data)),
      } = options
      if (message.type === MARK) {
        marks += 1
      } else {
        receive(message, writer)
      }
    },
  })
  const store = createStore({ managers: [live, ...getDefaultManagers()], clock, random: () => 1, spread: 0 })
  stores.push(store)
  const { controller } = store
  const read = (id = '1'): string | undefined => controller.get(Task, { id })?.title
  const fetches = (): number => server.received.filter(({ url }) => url.startsWith('/tasks')).length
  /** Sends events, and waits until they have been written. */
  const say = async (text: string, stream: { write(text: string): unknown } = streams.at(-1)!): Promise<void> => {
    const before = marks
    stream.write(text)
    stream.write(event('', MARK))
    await passUntil(() => marks > before)
  }
  return {
    Tasks,
    live,
    states,
    store,
    controller,
    read,
    fetches,
    say,
    isOpen: () => until(() => live.status === 'open'),
  }
}
const event = (data: unknown, type = '', id = ''): string =>
  `${type && `event: ${type}\n`}${id && `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

test('LIV-1 messages are written: set, a part of a record, delete; lists follow', async () => {
  const { Tasks, controller, read, say, isOpen } = open()
  await controller.fetch(Tasks.getList)
  await isOpen()
  await say(event({ id: '1', title: 'b' }))
  expect(controller.get(Task, { id: '1' })).toMatchObject({ title: 'b', project: 'a' })
  await say(event({ id: '1' }, 'deleted'))
  expect([read(), controller.getResponse(Tasks.getList).data]).toEqual([undefined, []])
})

test('LIV-1 the stream is read as the standard says, however it is cut into pieces', async () => {
  const seen: any[] = []
  const { isOpen } = open({ receive: ({ type, data, id }) => void seen.push([type, data, id]) })
  await isOpen()
  const text = [
    ': a comment\r\n\r\n',
    'id: 5\rdata: {"a":\rdata: "ä€"}\r\r',
    'event: other\ndata:{"b":1}\n\n',
    'event: nothing\n\n',
    'data\nid\n\n',
    'unknown: x\nretry: none\nid: a\0b\ndata: {"c":1}\n\n',
  ].join('')
  for (const byte of Buffer.from(text)) {
    streams[0]!.write(Buffer.from([byte]))
  }
  streams[0]!.write(event('end'))
  await passUntil(() => seen.at(-1)?.[1] === 'end')
  expect(seen).toEqual([
    ['message', { a: 'ä€' }, '5'],
    ['other', { b: 1 }, '5'],
    ['message', { c: 1 }, ''],
    ['message', 'end', ''],
  ])
  expect(reported.map(({ code }) => code)).toEqual(['live-message'])
})

test('LIV-12 explain() says of what a connection covers whether it is connected', async () => {
  const { Tasks, controller, say, isOpen, live } = open({
    topicOf: (endpoint) => (endpoint.name === 'own' ? 'own' : undefined),
  })
  const other = Tasks.get.extend({ path: '/others/:id' })
  const line = (): string | undefined => /^ {2}live +(.*)$/m.exec(String(controller.explain(Tasks.getList)))?.[1]
  expect(line()).toBe('Connecting for 0 ms.')
  await isOpen()
  expect(line()).toMatch(/^Connected for \d+ ms; no message yet\.$/)
  await say(event({ id: '1', title: 'b' }))
  const { live: facts } = controller.explain(Tasks.get, { id: '1' })
  expect(facts).toMatchObject([{ status: 'open', messages: 2, error: undefined, topics: [] }])
  expect(line()).toMatch(/^Connected for .*; 2 messages, the last one .* ago\.$/)
  expect(controller.explain(other, { id: '1' }).live).toEqual([])
  expect(controller.explain(Task, { id: '1' }).live).toEqual([])
  streams[0]!.destroy()
  await until(() => live.status === 'waiting')
  expect(line()).toMatch(/^Not connected for 0 ms.*; it tries again on its own\.$/)
})

test('LIV-2 a burst is written together: readers are notified twice at most', async () => {
  const { store, say, isOpen, controller } = open()
  await isOpen()
  await controller.set(Task, { id: '1' }, { id: '1', title: 'a' })
  const listener = vi.fn()
  store.subscribe(Task, [{ id: '1' }], listener)
  await say(Array.from({ length: 200 }, (_, i) => event({ id: '1', title: `t${i}` })).join(''))
  expect(controller.get(Task, { id: '1' })?.title).toBe('t199')
  expect(listener.mock.calls.length).toBeLessThanOrEqual(2)
})

test('LIV-3 after a lost connection it connects again, later each time, and refetches what it covers', async () => {
  const { Tasks, store, read, fetches, states, isOpen, live } = open()
  store.subscribe(Tasks.get, [{ id: '1' }], () => {})
  await until(() => read() === 'from the server')
  await isOpen()
  title = 'missed'
  toStream = (_, response) => response.socket!.destroy()
  streams[0]!.socket!.destroy()
  await until(() => live.status === 'waiting')
  for (const delay of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000]) {
    const before = asked.length
    await clock.pass(delay - 1)
    expect(asked.length).toBe(before)
    await clock.pass(1)
    await until(() => asked.length === before + 1 && live.status === 'waiting')
  }
  expect(fetches()).toBe(1)
  toStream = start
  await clock.pass(30_000)
  await until(() => read() === 'missed')
  expect([fetches(), states.at(-1)]).toEqual([2, 'open'])
})

test('LIV-3 a response on its way when the connection opens again is refetched, too', async () => {
  const { Tasks, store, controller, fetches, isOpen, read, live } = open()
  await isOpen()
  let answer!: () => void
  const normal = server
  const wait = new Promise<void>((come) => {
    server.answer((request, response) => {
      if (request.url.startsWith('/events')) {
        return start(request, response)
      }
      const record = { id: '1', title, version: 1 }
      if (request.url === '/tasks/1' && !answer) {
        answer = () => json(record)(request, response)
        return come()
      }
      json({ ...record, title: 'newer' })(request, response)
    })
  })
  store.subscribe(Tasks.get, [{ id: '1' }], () => {})
  await wait
  streams[0]!.end()
  await until(() => live.status === 'waiting')
  await clock.pass(1_000)
  await until(() => streams.length === 2)
  await isOpen()
  answer()
  await until(() => read() === 'newer')
  expect([fetches(), normal === server, controller.get(Task, { id: '1' })?.title]).toEqual([2, true, 'newer'])
})

test('LIV-3 a server that resumes gets the last id, and nothing is refetched; it may set the delay', async () => {
  const { Tasks, store, read, fetches, say, isOpen, live } = open({ resumes: true })
  store.subscribe(Tasks.get, [{ id: '1' }], () => {})
  await until(() => read() === 'from the server')
  await isOpen()
  await say(`retry: 50\n${event({ id: '1', title: 'b' }, '', 'é7')}`)
  streams[0]!.end()
  await until(() => live.status === 'waiting')
  await clock.pass(50)
  await isOpen()
  expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '%C3%A97'])
  await say(event({ id: '1', title: 'c' }))
  expect([read(), fetches()]).toEqual(['c', 1])
})

test('LIV-4 a connection that is silent for longer than its heartbeat is lost', async () => {
  const { live, isOpen, say, read } = open({ connect: eventStream(`${server.origin}/events`, { heartbeat: 10_000 }) })
  await isOpen()
  await clock.pass(6_000)
  await say(`: beat\n\n${event({ id: '1', title: 'a' })}`)
  await clock.pass(6_000)
  expect([live.status, read()]).toEqual(['open', 'a'])
  // The next connection is accepted, and then there is no response.
  toStream = () => {}
  await passUntil(() => asked.length === 2)
  expect(live.status).toBe('connecting')
  await passUntil(() => live.status === 'waiting')
})

test.each<[string, Answer, LiveStatus, boolean]>([
  ['a page', send('<html></html>', { 'content-type': 'text/html' }), 'waiting', true],
  ['a 500', json({}, 500), 'waiting', true],
  ['a 401', json({}, 401), 'refused', false],
  ['a 204', send('', {}, 204), 'refused', false],
])('LIV-5 live-response %s', async (_, answer, status, isReported) => {
  toStream = answer
  const { live, states, isOpen } = open()
  await until(() => live.status === status)
  expect(states).toEqual(['connecting', status])
  expect(reported.map(({ code }) => code)).toEqual(isReported ? ['live-response'] : [])
  toStream = start
  if (status === 'waiting') {
    await clock.pass(1_000)
    await isOpen()
  } else {
    await clock.pass(100_000)
    expect(asked.length).toBe(1)
  }
})

test.each([
  ['a line', () => 'x'.repeat(100_000)],
  ['an event', () => `data: ${'x'.repeat(100_000)}\n`],
])('LIV-5 live-too-large %s without an end is not held above 1 MB', async (_, part) => {
  const { Tasks, controller, live, states, say, isOpen, fetches } = open()
  await controller.fetch(Tasks.getList)
  await isOpen()
  const before = marks
  // Events that are read one after another may be larger in sum.
  for (let i = 0; i < 15; i += 1) {
    await say(event('x'.repeat(100_000), MARK))
  }
  expect(marks - before).toBe(30)
  for (let i = 0; i < 15; i += 1) {
    streams[0]!.write(part())
  }
  await until(() => live.status === 'waiting')
  expect(reported.map(({ code }) => code)).toEqual(['live-too-large'])
  expect(reported[0].message).toContain('1 MB')
  await clock.pass(1_000)
  await isOpen()
  expect(states).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  // The event is lost, so data is stale.
  await controller.fetchIfStale(Tasks.getList)
  expect(fetches()).toBe(2)
})

test.each(['of the platform', 'of the app'])(
  'LIV-5 live-unstreamed a fetch %s without streams is reported once, and not tried again',
  async (whose) => {
    const sent = vi.fn(async () => ({
      ok: true,
      status: 200,
      headers: new Headers({ 'content-type': 'text/event-stream' }),
    }))
    if (whose === 'of the platform') {
      vi.stubGlobal('Response', class {})
    }
    const connect = eventStream(`${server.origin}/events`, whose === 'of the app' ? { fetch: sent as never } : {})
    const { live, states, store } = open({ connect })
    await until(() => live.status === 'closed')
    await clock.pass(1_000_000)
    await store.controller.resetEntireStore()
    await clock.pass(1_000_000)
    expect(states).toEqual(['connecting', 'closed'])
    expect([asked.length, sent.mock.calls.length]).toEqual([0, whose === 'of the app' ? 1 : 0])
    expect(reported.map(({ code }) => code)).toEqual(['live-unstreamed'])
    expect(reported[0].message).toContain('Use webSocket() instead')
  },
)

test('LIV-5 after a 401 or 403 the next successful request opens a connection, not before the wait is over', async () => {
  toStream = json({}, 403)
  const { Tasks, live, controller } = open()
  await until(() => live.status === 'refused')
  const fetches = async (): Promise<void> => void (await controller.fetch(Tasks.getList))
  await Promise.all([fetches(), fetches()])
  await clock.pass(999)
  expect(asked.length).toBe(1)
  await clock.pass(1)
  await until(() => asked.length === 2 && live.status === 'refused')
  // Each refusal doubles the wait, up to 30 seconds: a server that always refuses is not flooded.
  for (let i = 0; i < 100; i++) {
    await fetches()
    await clock.pass(1_000)
    await until(() => live.status === 'refused')
  }
  expect(asked.length).toBeLessThan(10)
  toStream = start
  await fetches()
  await clock.pass(30_000)
  await until(() => live.status === 'open')
})

test('LIV-5 two refused connections in a row, because another tab was faster, do not end it: the next refresh opens one', async () => {
  let valid = 'one'
  let issued = 0
  const auth = createAuth({
    origins: [server.origin],
    load: () => ({ accessToken: 'one' }),
    refresh: () => ({ accessToken: (valid = `issued-${++issued}`) }),
  })
  // The token of the first refresh is replaced before the connection arrives with it.
  let overtaken = 2
  toStream = (request, response) => {
    const isValid = overtaken-- <= 0 && request.headers.authorization === `Bearer ${valid}`
    return (isValid ? start : json({}, 401))(request, response)
  }
  const live = new LiveManager({
    connect: eventStream(`${server.origin}/events`, { fetch: auth.fetch }),
    receive: () => {},
  })
  stores.push(
    createStore({ managers: [auth.manager, live, ...getDefaultManagers()], clock, random: () => 1, spread: 0 }),
  )
  await until(() => live.status === 'refused')
  expect(asked.length).toBe(2)
  valid = 'of the other tab'
  server.answer((request, response) =>
    request.url === '/events'
      ? toStream(request, response)
      : json({}, request.headers.authorization === `Bearer ${valid}` ? 404 : 401)(request, response),
  )
  // Not a request of the store, and not a successful one.
  expect((await auth.fetch(`${server.origin}/other`)).status).toBe(404)
  await clock.pass(1_000)
  await until(() => live.status === 'open')
})

test('LIV-6 live-message a message that cannot be used is reported, the others are written, and data is refetched', async () => {
  const { Tasks, store, read, fetches, say, isOpen } = open({
    receive: ({ type, data }, { set }) => {
      if (type === 'bad') {
        throw new TypeError('my mistake')
      }
      set(Task, data)
    },
  })
  store.subscribe(Tasks.get, [{ id: '1' }], () => {})
  await until(() => read() === 'from the server')
  await isOpen()
  await say(
    `data: {broken\n\n${event({ id: '2', title: 'b' })}${event({}, 'bad')}${event({ title: 'no id' })}${event(null)}`,
  )
  await until(() => reported.length === 4 && fetches() > 1)
  expect(new Set(reported.map(({ code }) => code))).toEqual(new Set(['live-message']))
  expect(reported[1].cause.message).toBe('my mistake')
  expect([read('2'), read()]).toEqual(['b', 'from the server'])
})

test('LIV-7 duplicates and messages in another order leave the newest version', async () => {
  const { say, read, isOpen } = open({ version: ({ version }) => version })
  await isOpen()
  const at = (version: number) => event({ id: '1', title: `v${version}`, version })
  await say(at(3) + at(1) + at(3) + at(2))
  expect(read()).toBe('v3')
  await say(event({ id: '1', version: 2 }, 'deleted'))
  expect(read()).toBe('v3')
  await say(event({ id: '1', version: 5 }, 'deleted') + at(4) + at(5))
  expect(read()).toBeUndefined()
  await say(at(6))
  expect(read()).toBe('v6')
})

test('LIV-8 a page that is hidden for long closes its connection, and catches up when it is shown', async () => {
  const fake = page()
  const { Tasks, store, read, live, fetches, isOpen } = open({ page: fake, pauseAfter: 60_000 })
  store.subscribe(Tasks.get, [{ id: '1' }], () => {})
  await until(() => read() === 'from the server')
  await isOpen()
  fake.show('hidden')
  await clock.pass(59_000)
  fake.show('visible')
  await clock.pass(10_000)
  expect([live.status, asked.length]).toEqual(['open', 1])
  fake.show('hidden')
  await clock.pass(60_000)
  expect(live.status).toBe('paused')
  title = 'missed'
  await clock.pass(600_000)
  expect(asked.length).toBe(1)
  fake.show('visible')
  await until(() => read() === 'missed')
  expect([live.status, fetches()]).toEqual(['open', 2])
})

test('LIV-9 a reset starts another connection; what came for the former user is dropped', async () => {
  const { controller, read, isOpen, live } = open()
  await isOpen()
  const received = vi.spyOn((live as any).inbox, 'add')
  streams[0]!.write(event({ id: '1', title: 'former' }, '', '7'))
  await until(() => received.mock.calls.length > 0)
  await controller.resetEntireStore()
  expect(live.status).toBe('connecting')
  await isOpen()
  await clock.pass(16)
  expect([read(), asked.length, asked[1]!.headers['last-event-id']]).toEqual([undefined, 2, undefined])
})

test('LIV-9 it stops with the store, and starts with it again', async () => {
  const { store, live, isOpen } = open()
  await isOpen()
  const ended = new Promise((done) => streams[0]!.on('close', done))
  store.stop()
  await ended
  await clock.pass(100_000)
  expect([live.status, asked.length]).toEqual(['closed', 1])
  store.start()
  await isOpen()
  expect(asked.length).toBe(2)
})

test('LIV-9 with auth.fetch it has a token, ends with a sign-out and comes back with a sign-in', async () => {
  const auth = createAuth({
    origins: [server.origin],
    load: () => ({ accessToken: 'one' }),
    refresh: () => ({ accessToken: 'two' }),
  })
  toStream = (request, response) =>
    (request.headers.authorization === 'Bearer one'
      ? json({}, 401)
      : request.headers.authorization
        ? start
        : json({}, 401))(request, response)
  const live = new LiveManager({
    connect: eventStream(`${server.origin}/events`, { fetch: auth.fetch }),
    receive: () => {},
  })
  stores.push(createStore({ managers: [auth.manager, live, ...getDefaultManagers()], clock, spread: 0 }))
  await until(() => live.status === 'open')
  await auth.signOut()
  await until(() => live.status === 'refused')
  await clock.pass(100_000)
  expect(asked.length).toBe(3)
  await auth.signIn({ accessToken: 'three' })
  await until(() => live.status === 'open')
  expect(asked.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer one',
    'Bearer two',
    undefined,
    'Bearer three',
  ])
})

test('LIV-10 data that was fetched long before the first connection is refetched; `strict` leaves no gap', async () => {
  for (const [strict, wait, expected] of [
    [false, 1_000, 1],
    [true, 1_000, 2],
    [false, 10_000, 2],
  ] as const) {
    server.answer((request, response) =>
      request.url.startsWith('/events') ? toStream(request, response) : json({ id: '1', title })(request, response),
    )
    let connect!: () => void
    toStream = (request, response) => {
      connect = () => start(request, response)
    }
    const { Tasks, store, read, fetches, isOpen } = open({ strict })
    store.subscribe(Tasks.get, [{ id: '1' }], () => {})
    await until(() => read() === title && connect !== undefined)
    clock.time += wait
    connect()
    await isOpen()
    await until(() => fetches() >= expected)
    expect(fetches()).toBe(expected)
    store.stop()
  }
})

describe('LIV-13 messages that echo the own mutations', () => {
  /** A store whose mutations wait until the test responds, and a list that is mounted. */
  const openHeld = async () => {
    const calls: { method: string; answer: (status: number, body?: object) => void }[] = []
    let lists = 0
    server.answer((request, response) => {
      if (request.url.startsWith('/events')) {
        return toStream(request, response)
      }
      if (request.method === 'GET') {
        lists += 1
        return json([{ id: '1', title: 'a', version: 1, project: 'p' }])(request, response)
      }
      calls.push({
        method: request.method,
        answer: (status, body) => (body ? json(body, status) : send('', {}, status))(request, response),
      })
    })
    const opened = open({ version: ({ version }: Task) => version })
    const Tasks = resource({
      urlPrefix: server.origin,
      path: '/tasks/:id',
      schema: Task,
      optimistic: true,
      dataExpiryLength: 1e9,
    })
    const titles: string[] = []
    const view = opened.store.view(Tasks.getList)
    const show = (): void => {
      const text = (view.read().data ?? []).map(({ title }) => title).join()
      if (text !== titles.at(-1)) {
        titles.push(text)
      }
    }
    view.subscribe(show)
    await opened.isOpen()
    await until(() => view.read().data?.length === 1)
    titles.length = 0
    const { fetch } = opened.store.controller
    return { ...opened, Tasks, titles, calls, fetch, lists: () => lists }
  }
  const record = (title: string, version = 1): object => ({ id: '1', title, version, project: 'p' })

  test('LIV-13 an echo of one update does not hide the next one, which is pending', async () => {
    const { Tasks, titles, calls, fetch, say, lists } = await openHeld()
    const first = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'ab' })
    // Each has a connection of its own, and the second one might be quicker.
    await until(() => calls.length === 1)
    const second = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'abc' })
    await until(() => calls.length === 2)
    await say(event(record('ab', 2)))
    calls[0]!.answer(200, record('ab', 2))
    await first
    await say(event(record('abc', 3)))
    calls[1]!.answer(200, record('abc', 3))
    await second
    await clock.pass(10_000)
    expect(titles).toEqual(['ab', 'abc'])
    expect(lists()).toBe(1)
  })

  test('LIV-13 an echo of a create does not show the record twice', async () => {
    const { Tasks, titles, calls, fetch, say } = await openHeld()
    const created = { id: '2', title: 'new', version: 1, project: 'p' }
    const create = fetch(Tasks.create, { title: 'new', project: 'p' })
    await until(() => calls.length === 1)
    await say(event(created))
    calls[0]!.answer(201, created)
    await create
    await clock.pass(100)
    expect(titles).toEqual(['a,new'])
  })

  test('LIV-13 an echo of a delete refetches nothing', async () => {
    const { Tasks, titles, calls, fetch, say, lists } = await openHeld()
    const removed = fetch(Tasks.delete, { id: '1' })
    await until(() => calls.length === 1)
    await say(event({ id: '1' }, 'deleted'))
    calls[0]!.answer(204)
    await removed
    await clock.pass(10_000)
    expect(titles).toEqual([''])
    expect(lists()).toBe(1)
  })

  test('LIV-13 other records, and other kinds, do not wait; nothing waits longer than three seconds for a mutation', async () => {
    const { Tasks, calls, fetch, say, read, store } = await openHeld()
    class Other extends Entity {
      id = ''
      static override key = 'Other'
    }
    const Others = resource({ urlPrefix: server.origin, path: '/others/:id', schema: Other })
    const pending = [fetch(Tasks.partialUpdate, { id: '1' }, { title: 'mine' }), fetch(Others.delete, { id: '7' })]
    pending.forEach((one) => void one.catch(() => {}))
    await until(() => calls.length === 2)
    await say(event({ id: '7', title: 'other' }))
    expect(read('7')).toBe('other')
    await say(event({ id: '1', project: 'theirs' }))
    const project = (): string | undefined => store.controller.get(Task, { id: '1' })?.project
    expect(project()).toBe('p')
    await clock.pass(3_000)
    expect(project()).toBe('theirs')
  })

  test('LIV-13 LIV-6 LIV-9 a failed mutation releases what waits, a message that cannot be used is reported, and a reset drops all', async () => {
    const { Tasks, calls, fetch, say, read, store } = await openHeld()
    const update = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'mine' })
    await until(() => calls.length === 1)
    await say(event(record('theirs', 2)))
    calls[0]!.answer(422, { message: 'no' })
    await expect(update).rejects.toMatchObject({ status: 422 })
    await until(() => read() === 'theirs')

    const again = fetch(Tasks.partialUpdate, { id: '1' }, { title: 'mine' })
    await until(() => calls.length === 2)
    await say(event(record('late', 3)))
    await store.controller.resetEntireStore()
    calls[1]!.answer(200, record('mine', 2))
    await again.catch(() => {})
    await clock.pass(5_000)
    expect(read()).not.toBe('late')
    expect(reported).toEqual([])
  })
})

describe('WebSocket', () => {
  let sockets: WebSocketServer
  let url: string
  let clients: WebSocket[]
  let heard: unknown[]
  beforeEach(async () => {
    const http = createServer()
    clients = []
    heard = []
    sockets = new WebSocketServer({ server: http })
    sockets.on('connection', (client) => {
      clients.push(client)
      client.on('message', (text) => heard.push(JSON.parse(String(text))))
    })
    await new Promise<void>((done) => http.listen(0, '127.0.0.1', done))
    url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
    stores.push({
      stop() {
        sockets.clients.forEach((client) => client.terminate())
        sockets.close()
        http.close()
      },
    })
  })

  test('LIV-11 messages of a socket, a first message, and topics that readers need', async () => {
    const token = vi.fn(async () => ({ token: 'secret' }))
    const { Tasks, controller, live, isOpen, read } = open({
      connect: webSocket(() => url, {
        hello: token,
        watch: (topic, isNeeded) => ({ [isNeeded ? 'watch' : 'leave']: topic }),
      }),
      topicOf: (endpoint, { id }) => (endpoint.name === 'Task.get' ? `task ${id}` : undefined),
    })
    await controller.subscribe(Tasks.get, { id: '1' })
    await isOpen()
    await until(() => heard.length === 2)
    await controller.subscribe(Tasks.get, { id: '1' })
    await controller.subscribe(Tasks.get, { id: '2' })
    await controller.unsubscribe(Tasks.get, { id: '1' })
    await controller.unsubscribe(Tasks.get, { id: '2' })
    await until(() => heard.length === 4)
    expect(heard).toEqual([{ token: 'secret' }, { watch: 'task 1' }, { watch: 'task 2' }, { leave: 'task 2' }])
    clients[0]!.send('{"id":"1","title":"a"}')
    await passUntil(() => read() === 'a')
    clients[0]!.send(Buffer.from([1, 2, 3]))
    clients[0]!.terminate()
    await until(() => live.status === 'waiting')
    await clock.pass(1_000)
    await until(() => heard.length === 6)
    expect(heard.slice(4)).toEqual([{ token: 'secret' }, { watch: 'task 1' }])
    expect(token).toHaveBeenCalledTimes(2)
  })

  test('LIV-11 a server that is not there, a URL that cannot be computed, a socket that is silent', async () => {
    let fail = true
    const { live, isOpen } = open({
      connect: webSocket(
        () => {
          if (fail) {
            throw new Error('no token')
          }
          return url
        },
        { heartbeat: 5_000 },
      ),
    })
    await until(() => live.status === 'waiting')
    fail = false
    await clock.pass(1_000)
    await isOpen()
    await clock.pass(5_000)
    await until(() => live.status === 'waiting' && sockets.clients.size === 0)
    url = 'ws://127.0.0.1:9'
    await clock.pass(30_000)
    await until(() => live.status === 'waiting')
    expect(reported).toEqual([])
  })
})
