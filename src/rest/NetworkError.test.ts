import { afterEach, expect, test, vi } from 'vitest'
import { isRestitchError } from '../base/errors.ts'
import { readErrorBody } from '../endpoint/failure.ts'
import { createNetworkError, NetworkError } from './NetworkError.ts'
import { RestEndpoint } from './RestEndpoint.ts'

function answer(init: ResponseInit, url: string): Response {
  return Object.defineProperty(new Response('body', init), 'url', { value: url })
}

test.each([
  [{ status: 404, statusText: 'Not Found' }, 'http://x/a', '404 Not Found'],
  [{ status: 503, statusText: '' }, 'http://x/a', 'Status 503'],
  [{ status: 500, statusText: 'Oops' }, '', '500 Oops'],
])('FET-2 message of %o from %s', (init, url, message) => {
  const response = answer(init, url)
  const error = new NetworkError(response, '/asked', 'GET')
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ name: 'NetworkError', status: init.status, message, url: '/asked', method: 'GET' })
  expect(error.response).toBe(response)
  expect('refused' in error).toBe(false)
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NetworkError',
    status: init.status,
    message,
    url: url || '/asked',
  })
})

test('FET-2 G-8 an app may make one from a Response alone; it is no error of the library', async () => {
  const error = new NetworkError(answer({ status: 400 }, 'http://x/a'))
  expect(error.url).toBe('http://x/a')
  expect(await error.response.text()).toBe('body')
  expect(isRestitchError(error)).toBe(false)
})

test.each([
  ['lists', '[', ']'],
  ['objects', '{"error":', '}'],
])('FET-7 a body of thousands of nested %s does not hide the failure', (_name, open, close) => {
  const body: unknown = JSON.parse(`${open.repeat(30_000)}1${close.repeat(30_000)}`)
  expect(new NetworkError(answer({ status: 500, statusText: 'Oops' }, ''), '/asked', 'GET', body).message).toBe(
    '500 Oops',
  )
})

afterEach(() => {
  vi.unstubAllGlobals()
})

const PROBLEM = 'application/problem+json'
test.each<[string, unknown, string]>([
  [PROBLEM, { title: 'Out of credit', detail: 'Your balance is 30' }, 'Your balance is 30'],
  [PROBLEM, { title: 'Out of credit', status: 403 }, 'Out of credit'],
  ['application/json', { message: 'A title is required' }, 'A title is required'],
  ['application/json', { title: 'My todo', message: 'A title is required' }, 'A title is required'],
  ['application/json', { title: 'Forbidden' }, 'Forbidden'],
  ['application/json', { error: 'Bad Request', message: 'name is too long' }, 'name is too long'],
  ['application/json', { error: 'invalid_grant' }, 'invalid_grant'],
  ['application/json', { error: { code: 5, message: 'Quota used up' } }, 'Quota used up'],
  ['application/json', { errors: [{ message: 'first' }, { message: 'second' }] }, 'first'],
  ['application/vnd.api+json', { errors: [{ title: 'T', detail: 'D' }] }, 'D'],
  ['application/json', { errors: ['plain'] }, 'plain'],
  ['application/json', [{ message: 'in a list' }], 'in a list'],
  ['application/json', { errors: { title: ['is required'] }, message: 'Invalid' }, 'Invalid'],
  ['application/json', { errors: { title: ['is required'] } }, '422 Unprocessable Entity'],
  ['application/json', { message: '  ', error: 7, detail: null }, '422 Unprocessable Entity'],
  ['application/json', {}, '422 Unprocessable Entity'],
  ['text/plain', { message: 'JSON by another name' }, 'JSON by another name'],
])('FET-7 the message of a %s body %j is "%s"', async (type, body, message) => {
  const init = { status: 422, statusText: 'Unprocessable Entity', headers: { 'content-type': type } }
  const error = await createNetworkError(new Response(JSON.stringify(body), init), '/a', 'POST')
  expect(error).toMatchObject({ message, body, status: 422, url: '/a', method: 'POST' })
  // The app can still read the response itself.
  expect(await error.response.json()).toEqual(body)
})

test('FET-7 a call rejects with the message and the body of its response', async () => {
  const fetch = async (): Promise<Response> => Response.json({ message: 'A title is required' }, { status: 422 })
  vi.stubGlobal('fetch', fetch)
  const create = new RestEndpoint({ urlPrefix: 'http://x', path: '/todos', method: 'POST' })
  await expect(create({ title: '' })).rejects.toMatchObject({
    name: 'NetworkError',
    message: 'A title is required',
    body: { message: 'A title is required' },
    status: 422,
    url: 'http://x/todos',
    method: 'POST',
  })
})

const streamed = (start: (controller: ReadableStreamDefaultController<Uint8Array>) => void): Response =>
  new Response(new ReadableStream({ start }), { status: 500, statusText: 'Oops' })
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test.each<[string, () => Response, unknown]>([
  ['text', () => new Response('no such table', { status: 500, statusText: 'Oops' }), 'no such table'],
  ['empty', () => new Response(null, { status: 500, statusText: 'Oops' }), undefined],
  ['broken JSON', () => new Response('{"message": "no', { status: 500, statusText: 'Oops' }), '{"message": "no'],
  ['a number', () => new Response('5', { status: 500, statusText: 'Oops' }), '5'],
  [
    'cut off',
    () =>
      streamed((body) => {
        body.enqueue(bytes('{"message":'))
        queueMicrotask(() => body.error(new TypeError('terminated')))
      }),
    expect.toBeOneOf([undefined, '{"message":']),
  ],
  ['huge', () => new Response('x'.repeat(1_000_000), { status: 500, statusText: 'Oops' }), 'x'.repeat(65_536)],
  [
    'endless',
    () =>
      new Response(new ReadableStream({ pull: (body) => body.enqueue(bytes('y'.repeat(1_000))) }), {
        status: 500,
        statusText: 'Oops',
      }),
    'y'.repeat(65_536),
  ],
  [
    'huge JSON',
    () => new Response(JSON.stringify({ message: 'x'.repeat(100_000) }), { status: 500, statusText: 'Oops' }),
    `{"message":"${'x'.repeat(65_524)}`,
  ],
  ['of a mock without a body', () => ({ status: 500, statusText: 'Oops', ok: false }) as Response, undefined],
  [
    'without streams',
    () => {
      const copy = { text: async () => '{"a":1}' }
      return { status: 500, statusText: 'Oops', clone: () => copy } as unknown as Response
    },
    { a: 1 },
  ],
])('FET-7 a body that is %s does not hide the failure', async (_, make, body) => {
  const error = await createNetworkError(make(), '/a', 'GET')
  expect(error).toMatchObject({ message: '500 Oops', status: 500 })
  expect(error.body).toEqual(body)
})

test('FET-7 a body that was read already is left alone', async () => {
  const response = new Response('read', { status: 400 })
  await response.text()
  expect((await createNetworkError(response, '/a')).body).toBeUndefined()
})

test('FET-7 a body that hangs is waited for once, and the part that arrived is kept', async () => {
  const response = streamed((body) => body.enqueue(bytes('so far')))
  const timers: (() => void)[] = []
  const clock = { setTimeout: (run: () => void) => timers.push(run), clearTimeout: (): void => {} }
  const reading = readErrorBody(response, clock)
  expect(timers).toHaveLength(1)
  // Until the first chunk has been read.
  await new Promise((resolve) => setImmediate(resolve))
  timers[0]!()
  expect(await reading).toBe('so far')
})

test('FET-7 a body above 64 KiB delays the rejection by nothing', async () => {
  // Time stands still.
  const clock = { setTimeout: () => 0, clearTimeout: (): void => {} }
  const response = new Response('x'.repeat(200_000), { status: 500 })
  expect(await readErrorBody(response, clock)).toBe('x'.repeat(65_536))
  // The app can still read the response itself.
  expect(await response.text()).toHaveLength(200_000)
})

test('FET-7 a mocked response has no URL of its own: toJSON has the requested one', async () => {
  const error = await createNetworkError(new Response('', { status: 404 }), '/users/5', 'GET')
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'NetworkError',
    status: 404,
    message: expect.any(String),
    url: '/users/5',
  })
})
