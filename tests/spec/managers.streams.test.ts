// Runs the managers of docs/guide/streams.md as they stand there, against real servers.
import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { TestClock } from '../../src/testing/TestClock.ts'
import { until } from '../../src/testing/outcomes.ts'
import { bundle } from '../bundle.ts'

let guide: any
let clock: TestClock
let store: any

beforeAll(async () => {
  // The blocks before it use LiveManager.
  const [, text] = readFileSync('docs/guide/streams.md', 'utf8').split('## A manager of your own')
  const blocks = [...text!.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  const [socket, , events, batch, channels] = blocks
  const names = `export { actionTypes, createStore, Endpoint, Entity, getDefaultManagers } from 'restitch'`
  const code = await bundle(
    [socket, events, batch, channels, names].join('\n').replaceAll(/^import type .*$/gm, ''),
    'development',
  )
  guide = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
})
beforeEach(() => {
  clock = new TestClock()
  vi.stubGlobal('WebSocket', WebSocket)
})
afterEach(() => {
  store?.stop()
  vi.unstubAllGlobals()
})

function open(manager: object): void {
  store = guide.createStore({ clock, managers: [manager, ...guide.getDefaultManagers()] })
}

function createTicker(): any {
  return class Ticker extends guide.Entity {
    id = ''
    price = 0
    name = ''
    static key = 'Ticker'
  }
}

/** Calls of a reader, and the stretches of code in which it was written to. */
function watch(Ticker: any, id: string): { calls: number; price(): number } {
  const view = store.view(Ticker, { id })
  const seen = { calls: 0, price: () => view.read().data?.price }
  view.subscribe(() => seen.calls++)
  return seen
}

describe('WebSocket', () => {
  let server: WebSocketServer
  let url: string
  const clients: WebSocket[] = []

  beforeEach(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    server.on('connection', (client) => clients.push(client))
    await new Promise((done) => server.once('listening', done))
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    store.stop()
    for (const client of clients.splice(0)) {
      client.terminate()
    }
    await new Promise((done) => server.close(done))
  })

  const change = (id: string, price: number): object => ({ kind: 'ticker', record: { id, price } })

  test('MGR-1 MGR-4 ST-19 a thousand changes in one message notify each reader twice at most', async () => {
    const Ticker = createTicker()
    open(new guide.SocketManager(url, { ticker: Ticker }))
    await store.controller.set(Ticker, { id: '0' }, { id: '0', name: 'zero' })
    const readers = ['0', '1', '7'].map((id) => watch(Ticker, id))
    await until(() => clients.length > 0)
    clients[0]!.send(JSON.stringify(Array.from({ length: 1_000 }, (_, i) => change(`${i % 10}`, i))))
    await until(() => readers[2]!.price() === 997)
    expect(readers.map((reader) => reader.price())).toEqual([990, 991, 997])
    expect(Math.max(...readers.map(({ calls }) => calls))).toBeLessThanOrEqual(2)
    expect(store.controller.get(Ticker, { id: '0' }).name, 'fields that did not come stay').toBe('zero')
  })

  test('ST-19 a thousand messages notify each reader twice at most for each batch of them', async () => {
    const Ticker = createTicker()
    const manager = new guide.SocketManager(url, { ticker: Ticker })
    const take = manager.store.bind(manager)
    let stretches = 0
    let isNew = true
    manager.store = (message: object) => {
      if (isNew) {
        stretches++
        isNew = false
        void Promise.resolve().then(() => (isNew = true))
      }
      take(message)
    }
    open(manager)
    const reader = watch(Ticker, '1')
    await until(() => clients.length > 0)
    const { _socket: wire } = clients[0] as any
    wire.cork()
    for (let i = 1; i <= 1_000; i++) {
      clients[0]!.send(JSON.stringify(change('1', i)))
    }
    wire.uncork()
    await until(() => reader.price() === 1_000)
    expect(reader.calls).toBeLessThanOrEqual(2 * stretches)
    expect(stretches, 'they came together').toBeLessThan(50)
  })

  test('ST-19 gathered messages notify each reader twice at most', async () => {
    const Ticker = createTicker()
    const manager = new guide.SocketManager(url, { ticker: Ticker })
    const take = manager.store.bind(manager)
    let heard = 0
    open(manager)
    const gathered = guide.batch(store.controller, take)
    manager.store = (message: object) => {
      heard++
      gathered(message)
    }
    const reader = watch(Ticker, '1')
    await until(() => clients.length > 0)
    for (let i = 1; i <= 1_000; i++) {
      clients[0]!.send(JSON.stringify(change('1', i)))
    }
    await until(() => heard === 1_000)
    expect(reader.calls).toBe(0)
    await clock.pass(16)
    expect(reader.price()).toBe(1_000)
    expect(reader.calls).toBeLessThanOrEqual(2)
  })

  test('MGR-4 after a lost connection is restored, the data on the screen is fetched', async () => {
    const Ticker = createTicker()
    open(new guide.SocketManager(url, { ticker: Ticker }))
    let asked = 0
    const get = new guide.Endpoint(async () => ({ id: '1', price: ++asked }), { name: 'get', schema: Ticker })
    store.subscribe(get, [], () => {})
    await until(() => clients.length === 1)
    clients[0]!.terminate()
    // Time passes in steps until the new connection is there.
    while (clients.length < 2) {
      await clock.pass(100)
      await new Promise((done) => setImmediate(done))
    }
    await until(() => asked === 2)
    clients[1]!.send(JSON.stringify(change('1', 50)))
    await until(() => store.controller.get(Ticker, { id: '1' })?.price === 50)
    expect([asked, clients.length]).toEqual([2, 2])
  })

  test('MGR-4 a stop closes it, and nothing comes back', async () => {
    open(new guide.SocketManager(url, {}))
    await until(() => clients.length === 1)
    const closed = new Promise((done) => clients[0]!.once('close', done))
    store.stop()
    await closed
    await clock.pass(60_000)
    expect([clients.length, clock.pending]).toEqual([1, 0])
    store.start()
    await until(() => clients.length === 2)
  })
})

describe('server-sent events', () => {
  let server: Server
  let url: string
  let headers: any[]
  let streams: ServerResponse[]

  beforeEach(async () => {
    headers = []
    streams = []
    server = createServer((request, response) => {
      headers.push(request.headers)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      streams.push(response)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    store.stop()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  const take =
    (Ticker: any, seen: object[] = []) =>
    (controller: any, event: { data: string }): void => {
      seen.push(event)
      const record = JSON.parse(event.data)
      controller.set(Ticker, { id: record.id }, record)
    }

  test('ST-19 a thousand events in one piece notify each reader twice at most', async () => {
    const Ticker = createTicker()
    let pieces = 0
    const decode = TextDecoder.prototype.decode
    vi.spyOn(TextDecoder.prototype, 'decode').mockImplementation(function (this: TextDecoder, ...args) {
      pieces++
      return decode.apply(this, args)
    })
    open(new guide.EventStreamManager(url, take(Ticker)))
    const reader = watch(Ticker, '1')
    await until(() => streams.length > 0)
    const event = (i: number): string => `id: ${i}\ndata: {"id":"1","price":${i}}\n\n`
    streams[0]!.write(Array.from({ length: 1_000 }, (_, i) => event(i + 1)).join(''))
    await until(() => reader.price() === 1_000)
    expect(reader.calls).toBeLessThanOrEqual(2 * pieces)
    expect(pieces, 'they came together').toBeLessThan(20)
    vi.restoreAllMocks()
  })

  test('MGR-4 each connection sends the token of its time', async () => {
    let token: string | undefined
    open(new guide.EventStreamManager(url, take(createTicker()), () => token))
    await until(() => streams.length === 1)
    token = 'secret'
    streams[0]!.end()
    while (streams.length < 2) {
      await clock.pass(100)
      await new Promise((done) => setImmediate(done))
    }
    expect(headers.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer secret'])
  })

  test('MGR-4 events are read however they are cut; after a loss it goes on where it was', async () => {
    const Ticker = createTicker()
    const seen: any[] = []
    open(new guide.EventStreamManager(url, take(Ticker, seen)))
    await until(() => streams.length === 1)
    const text =
      ': hello\r\n\r\nevent: price\r\nid: 41\r\ndata: {"id":"1",\r\ndata: "price":5}\r\n\r\nid: 42\ndata:{"id":"1","price":6}\n\n'
    for (const letter of text) {
      streams[0]!.write(letter)
      await new Promise((done) => setImmediate(done))
    }
    await until(() => seen.length === 2)
    expect(seen).toEqual([
      { type: 'price', data: '{"id":"1",\n"price":5}' },
      { type: 'message', data: '{"id":"1","price":6}' },
    ])
    expect(store.controller.get(Ticker, { id: '1' }).price).toBe(6)
    streams[0]!.destroy()
    while (streams.length < 2) {
      await clock.pass(100)
      await new Promise((done) => setImmediate(done))
    }
    expect(headers[1]['last-event-id']).toBe('42')
    const closed = new Promise((done) => streams[1]!.once('close', done))
    store.stop()
    await closed
  })
})

test('POL-1 a manager before the SubscriptionManager takes the subscriptions it serves', async () => {
  const told: unknown[] = []
  class Own extends guide.ChannelManager {
    protected notifyServer(...what: unknown[]): void {
      told.push(what)
    }
  }
  open(new Own())
  let polls = 0
  const live = new guide.Endpoint(async () => 0, { name: 'live', pollFrequency: 10, extra: { channel: 'prices' } })
  const polled = new guide.Endpoint(async () => ++polls, { name: 'polled', pollFrequency: 1_000 })
  await store.controller.subscribe(live)
  await store.controller.subscribe(live)
  await store.controller.subscribe(polled)
  await clock.pass(500)
  await store.controller.unsubscribe(live)
  expect(told).toEqual([['prices', true]])
  await store.controller.unsubscribe(live)
  expect(told).toEqual([
    ['prices', true],
    ['prices', false],
  ])
  expect(polls).toBe(1)
})
