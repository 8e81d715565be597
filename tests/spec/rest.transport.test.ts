import { gzipSync } from 'node:zlib'
import { RestEndpoint, START, type StartOptions } from 'restitch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rejectionOf } from '../../src/testing/outcomes.ts'
import { type Answer, json, openServer, send, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())

const make = (options: object = {}): any => new RestEndpoint({ urlPrefix: server.origin, path: '/a', ...options })
const begin = (endpoint: any, options: StartOptions): Promise<unknown> => endpoint[START]([], options)

const TEXT = JSON.stringify({ list: Array.from({ length: 50 }, (_, id) => ({ id })) })
const TYPE = { 'content-type': 'application/json' }

/** Sends half of a response and closes the connection. */
function cut(headers: Record<string, string>): Answer {
  return (_, response) => {
    response.writeHead(200, { ...TYPE, ...headers })
    response.write(TEXT.slice(0, 100), () => response.socket?.destroy())
  }
}

const FAULTS: [string, Answer][] = [
  ['a connection that is reset', (_, response) => response.socket?.resetAndDestroy()],
  ['a body shorter than its length', cut({ 'content-length': String(TEXT.length) })],
  ['a chunked body that breaks off', cut({})],
  ['a body that is not the gzip it says', send(TEXT, { ...TYPE, 'content-encoding': 'gzip' })],
]

test.each(FAULTS)('FET-3 FET-5 %s is a transport failure, and soft', async (_, answer) => {
  server.answer(answer)
  for (const content of [undefined, 'json', 'blob', 'text']) {
    const endpoint = make({ content })
    const error = await rejectionOf(endpoint())
    expect(error).toMatchObject({ name: 'TypeError', status: 500, code: 'transport' })
    expect(endpoint.errorPolicy(error)).toBe('soft')
  }
})

test('FET-3 a server that is not there', async () => {
  const closed = await openServer()
  await closed.close()
  const error = await rejectionOf(make({ urlPrefix: closed.origin })())
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toMatchObject({ status: 500, code: 'transport' })
  expect(await rejectionOf(make().fetchResponse(`${closed.origin}/a`, {}))).toMatchObject({ status: 500 })
})

test.each([
  ['half of the text', send(TEXT.slice(0, 100), { ...TYPE, connection: 'close' })],
  ['half of a gzip', send(gzipSync(TEXT).subarray(0, 60), { ...TYPE, 'content-encoding': 'gzip' })],
  ['a gzip of half the text', send(gzipSync('{"a":'), { ...TYPE, 'content-encoding': 'gzip' })],
])('FET-5 PAR-12 a cut that the transport does not report (%s) is a refused response, and soft', async (_, answer) => {
  server.answer(answer)
  const error = await rejectionOf(make()())
  expect(error).toMatchObject({ name: 'SyntaxError', status: 400, refused: true })
  expect(make().errorPolicy(error)).toBe('soft')
})

test('FET-5 JSON that is whole is fine, whatever its encoding', async () => {
  server.answer(send(gzipSync(TEXT), { ...TYPE, 'content-encoding': 'gzip' }))
  expect(await make()()).toEqual(JSON.parse(TEXT))
})

/** A timer that the test runs. */
function createClock() {
  let run = (): void => {}
  return { setTimeout: (given: () => void) => (run = given), clearTimeout: () => {}, ring: () => run() }
}

test.each([
  ['headers', () => {}],
  [
    'the body',
    (_: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(200, TYPE).write(TEXT.slice(0, 100))
    },
  ],
] as [string, Answer][])('NET-18 FET-5 a timeout ends the wait for %s', async (_, answer) => {
  const clock = createClock()
  const closed = new Promise<void>((done) => {
    server.answer((request, response) => {
      response.on('close', () => done())
      answer(request, response)
      clock.ring()
    })
  })
  const error = await rejectionOf(begin(make({ timeout: 1000 }), { clock }))
  expect(error).toMatchObject({ name: 'TimeoutError', status: 500, code: 'transport' })
  expect(error.message).toMatch(`"GET ${server.origin}/a" got no response within its timeout of 1000 ms`)
  await closed
})

test('FET-4 ERR-4 an abort by the caller reaches the server and is no transport failure', async () => {
  const controller = new AbortController()
  const closed = new Promise<void>((done) => {
    server.answer((_, response) => {
      response.on('close', () => done())
      response.writeHead(200, TYPE).write('[')
      controller.abort()
    })
  })
  const error = await rejectionOf(begin(make(), { signal: controller.signal }))
  expect(error).toBe(controller.signal.reason)
  expect(error.name).toBe('AbortError')
  expect(error.status).toBeUndefined()
  await closed
})

test('FET-4 what the caller aborts with is left as it is, also while the body is read', async () => {
  server.answer((_, response) => {
    response.writeHead(200, TYPE).write('[')
  })
  const controller = new AbortController()
  const reason = new Error('mine')
  let reading: Promise<unknown> | undefined
  const endpoint = make().extend({
    parseResponse(response: Response) {
      reading = super.parseResponse(response)
      controller.abort(reason)
      return reading
    },
  })
  expect(await rejectionOf(begin(endpoint, { signal: controller.signal }))).toBe(reason)
  expect(await rejectionOf(reading!)).toBe(reason)
  expect(Object.keys(reason)).toEqual([])
})

test('NET-18 after a response nothing listens to the signal any more', async () => {
  server.answer(json([1]))
  const { signal } = new AbortController()
  let listeners = 0
  const { addEventListener, removeEventListener } = signal
  Object.assign(signal, {
    addEventListener: (...args: unknown[]) => (listeners++, (addEventListener as any).apply(signal, args)),
    removeEventListener: (...args: unknown[]) => (listeners--, (removeEventListener as any).apply(signal, args)),
  })
  expect(await begin(make({ signal, requestInit: { signal }, timeout: 60_000 }), { signal })).toEqual([1])
  expect(listeners).toBeLessThanOrEqual(0)
})
