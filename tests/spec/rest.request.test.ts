import { Entity, NetworkError, resource, RestEndpoint, type RestGenerics } from 'restitch'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { json, openServer, send, type TestServer } from '../server.ts'

let server: TestServer

beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  vi.unstubAllGlobals()
  server.answer(json({ ok: true }))
})

/** Endpoints that are declared as loosely as a table of cases needs. */
const make = (options: object): any => new RestEndpoint({ urlPrefix: server.origin, path: '/a', ...options })

class Article {
  title = 'x'
  get shout() {
    return `${this.title}!`
  }
}

const BYTES = new Uint8Array([0, 1, 254, 255])
const JSON_TYPE = 'application/json'

test.each([
  ['nothing', () => undefined, '', JSON_TYPE],
  ['null', () => null, '', JSON_TYPE],
  ['a plain object', () => ({ a: 1, b: undefined }), '{"a":1}', JSON_TYPE],
  ['an array', () => [1, 2], '[1,2]', JSON_TYPE],
  ['an object without prototype', () => Object.assign(Object.create(null), { a: 1 }), '{"a":1}', JSON_TYPE],
  ['a class instance', () => new Article(), '{"title":"x"}', JSON_TYPE],
  ['a number', () => 0, '0', JSON_TYPE],
  ['a boolean', () => false, 'false', JSON_TYPE],
  ['a string', () => 'raw', 'raw', 'text/plain;charset=UTF-8'],
  ['an empty string', () => '', '', 'text/plain;charset=UTF-8'],
  [
    'URLSearchParams',
    () => new URLSearchParams('a=1&b=x y'),
    'a=1&b=x+y',
    'application/x-www-form-urlencoded;charset=UTF-8',
  ],
  ['a Blob', () => new Blob(['data'], { type: 'image/png' }), 'data', 'image/png'],
  ['a File', () => new File(['data'], 'x.txt', { type: 'text/csv' }), 'data', 'text/csv'],
  ['an ArrayBuffer', () => BYTES.buffer, BYTES, undefined],
  ['a typed array', () => BYTES, BYTES, undefined],
  ['a DataView', () => new DataView(BYTES.buffer), BYTES, undefined],
  ['a stream', () => new Blob(['stream']).stream(), 'stream', undefined],
])('INIT-3 a body that is %s', async (_, body, sent, type) => {
  await make({ method: 'POST' })(body())
  const { method, url, headers } = server.last
  expect({ method, url }).toEqual({ method: 'POST', url: '/a' })
  expect(server.last.body).toEqual(Buffer.from(sent))
  expect(headers['content-type']).toBe(type)
})

test('INIT-3 FormData arrives with the boundary of the platform', async () => {
  const form = new FormData()
  form.append('name', 'Ann')
  await make({ method: 'POST' })(form)
  const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(server.last.headers['content-type']!)![1]!
  expect(server.last.body.toString()).toContain(
    `--${boundary}\r\nContent-Disposition: form-data; name="name"\r\n\r\nAnn`,
  )
})

test.each(['GET', 'DELETE', 'HEAD', 'OPTIONS'])(
  'INIT-3 INIT-7 RE-3 RE-31 %s sends no body, and a type unless that needs a body',
  async (method) => {
    server.answer(send(''))
    await make({ method })({ q: 1 })
    expect(server.last).toMatchObject({ method, url: '/a?q=1' })
    expect(server.last.body).toHaveLength(0)
    expect(server.last.headers['content-type']).toBe(JSON_TYPE)
    await make({ method, sendContentType: 'withBody' })()
    expect(server.last.headers).not.toHaveProperty('content-type')
  },
)

test('RE-31 a class says for all its endpoints which requests have a content type', async () => {
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override readonly sendContentType = 'withBody'
    override urlPrefix = server.origin
  }
  class Note extends Entity {
    id = ''
    static override key = 'Note'
  }
  const Notes = resource({ path: '/notes/:id', schema: Note, Endpoint: Api })
  server.answer(json({ id: '1' }))
  await Notes.get({ id: '1' })
  expect(server.last.headers).not.toHaveProperty('content-type')
  await Notes.delete({ id: '1' })
  expect(server.last.headers).not.toHaveProperty('content-type')
  await Notes.update({ id: '1' }, { id: '1' })
  expect(server.last.headers['content-type']).toBe(JSON_TYPE)
  await Notes.get.extend({ sendContentType: 'always' })({ id: '1' })
  expect(server.last.headers['content-type']).toBe(JSON_TYPE)
})

test('RE-31 a refusal that the content type may have caused names the option, once', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const error = { message: "Body cannot be empty when content-type is set to 'application/json'" }
  server.answer(json(error, 400))
  const urlPrefix = `${server.origin}/refused`
  const remove = make({ method: 'DELETE', urlPrefix })
  for (const quiet of [
    remove.extend({ sendContentType: 'withBody' }),
    make({ method: 'POST', urlPrefix }).bind(undefined, {}),
    remove.extend({ getHeaders: () => ({}) }),
  ]) {
    await expect(quiet({ id: 1 })).rejects.toMatchObject({ status: 400 })
  }
  server.answer(json({}, 404))
  await expect(remove()).rejects.toMatchObject({ status: 404 })
  expect(warn).not.toHaveBeenCalled()
  server.answer(json(error, 400))
  await expect(remove()).rejects.toMatchObject({ status: 400 })
  await expect(remove()).rejects.toMatchObject({ status: 400 })
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/^".*\/refused" refused .* 400\..*sendContentType: 'withBody'/)],
  ])
  server.answer(json(error, 415))
  await expect(make({ urlPrefix })()).rejects.toMatchObject({ status: 415 })
  expect(warn).toHaveBeenCalledTimes(2)
  warn.mockRestore()
})

test('INIT-7 a content type of the app is sent without a body, too', async () => {
  await make({ requestInit: { headers: { 'Content-Type': 'application/x-own' } } })()
  expect(server.last.headers['content-type']).toBe('application/x-own')
})

test('INIT-7 a DELETE with a body names its type', async () => {
  await make({ method: 'DELETE', body: {} as object })({}, { reason: 'x' })
  expect(server.last.headers['content-type']).toBe(JSON_TYPE)
})

test('RE-3 a method is sent as it was given', async () => {
  await make({ method: 'PURGE' })({ a: 1 })
  expect(server.last.method).toBe('PURGE')
})

test('URL-3 query parameters arrive sorted', async () => {
  await make({ path: '/g/:group/users' })({ sort: 'asc', group: 'a b', page: 2, None: undefined })
  expect(server.last.url).toBe('/g/a%20b/users?page=2&sort=asc')
})

test.each([
  ['an object', { 'content-type': 'application/merge-patch+json', 'X-A': '1' }],
  ['Headers', new Headers({ 'content-type': 'application/merge-patch+json', 'X-A': '1' })],
  [
    'pairs',
    [
      ['CONTENT-TYPE', 'application/merge-patch+json'],
      ['X-A', '1'],
    ],
  ],
])('INIT-1 INIT-2 headers as %s replace the default', async (_, headers) => {
  await make({ method: 'PATCH', requestInit: { headers } })({ a: 1 })
  const names = server.last.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase())
  expect(names.filter((name) => name === 'content-type')).toHaveLength(1)
  expect(server.last.headers).toMatchObject({ 'content-type': 'application/merge-patch+json', 'x-a': '1' })
})

test('INIT-2 a name that is given twice in pairs is sent with both values', async () => {
  await make({
    requestInit: {
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
      ],
    },
  })()
  expect(server.last.headers['x-a']).toBe('1, 2')
})

test('INIT-1 INIT-3 RE-15 getHeaders gets a plain object once, and may replace or remove what is in it', async () => {
  const calls: object[] = []
  const endpoint = make({
    method: 'POST',
    requestInit: { headers: new Headers({ 'X-A': '1' }) },
    async getHeaders(headers: Record<string, string>) {
      calls.push(headers)
      await null
      return { ...headers, 'content-type': 'text/x-own', 'X-a': '2', 'Access-Token': undefined }
    },
  })
  await endpoint({ a: 1 })
  expect(calls).toEqual([{ 'Content-Type': JSON_TYPE, 'x-a': '1' }])
  expect(Object.getPrototypeOf(calls[0])).toBe(Object.prototype)
  expect(server.last.headers).toMatchObject({ 'content-type': 'text/x-own', 'x-a': '2' })
  expect(server.last.headers).not.toHaveProperty('access-token')
  await make({ method: 'POST', getHeaders: () => new Headers({ 'x-b': '1' }) })(BYTES)
  expect(server.last.headers).toMatchObject({ 'x-b': '1' })
  expect(server.last.headers).not.toHaveProperty('content-type')
  const untyped = make({ method: 'POST', getHeaders: ({ 'Content-Type': _, ...rest }: Record<string, string>) => rest })
  expect((await untyped.getRequestInit({})).headers).toEqual({})
})

test('INIT-6 other members of requestInit pass; method, body and signal of the endpoint win', async () => {
  const fetch = vi.fn(async () => Response.json({}))
  vi.stubGlobal('fetch', fetch)
  const [own, base] = [new AbortController().signal, new AbortController().signal]
  const requestInit = {
    credentials: 'include',
    cache: 'no-store',
    redirect: 'error',
    method: 'PUT',
    body: 'x',
    signal: base,
  }
  const init = await make({ requestInit, signal: own }).getRequestInit()
  expect(init).toMatchObject({ credentials: 'include', cache: 'no-store', redirect: 'error', method: 'GET' })
  expect([init.signal, init.body]).toEqual([own, undefined])
  expect((await make({ requestInit }).getRequestInit()).signal).toBe(base)
  await make({ requestInit })()
  expect(fetch.mock.calls[0]).toMatchObject([`${server.origin}/a`, { credentials: 'include', redirect: 'error' }])
})

test.each([400, 401, 404, 500, 503, 304])('FET-2 ERR-4 status %i is a NetworkError', async (status) => {
  server.answer(send(status === 304 ? '' : '{"why":"x"}', {}, status))
  const error = await make({ path: '/a/:id' })({ id: 5 }).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ status, url: `${server.origin}/a/5`, method: 'GET' })
  expect(error.message).toMatch(new RegExp(`^${status} `))
  if (status !== 304) {
    expect(await error.response.json()).toEqual({ why: 'x' })
  }
})

test('G-4 a platform with little more than fetch will do', async () => {
  // Made before: the Response of Node needs its neighbours.
  const answers = [Response.json({ a: 1 }), Response.json({ a: 1 })]
  const fetch = vi.fn(async () => answers.pop())
  vi.stubGlobal('fetch', fetch)
  for (const name of ['FormData', 'Blob', 'File', 'ReadableStream', 'AbortController', 'Request', 'Headers', 'URL']) {
    vi.stubGlobal(name, undefined)
  }
  expect(await make({ method: 'POST' })({ a: 1 })).toEqual({ a: 1 })
  const search = new URLSearchParams('a=1')
  await make({ method: 'POST' })(search)
  expect(fetch.mock.calls).toMatchObject([
    [`${server.origin}/a`, { body: '{"a":1}' }],
    [`${server.origin}/a`, { body: search }],
  ])
})

test('G-4 a FormData without a tag, as React Native has it, is passed on', async () => {
  class Form {
    append(): void {}
  }
  vi.stubGlobal('FormData', Form)
  const form = new Form()
  expect((await make({ method: 'POST' }).getRequestInit(form)).body).toBe(form)
})
