// The scenarios of chapter 13.1 that need no store, as a user would write them: real requests to a real server.
import {
  bracketSearch,
  Endpoint,
  ExtendableEndpoint,
  isRestitchError,
  NetworkError,
  RestEndpoint,
  type RestGenerics,
  START,
  type StandardSchemaV1,
} from 'restitch'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rejectionOf } from '../../src/testing/outcomes.ts'
import { json, openServer, redirect, send, type TestServer } from '../server.ts'

let server: TestServer
let other: TestServer

beforeAll(async () => {
  server = await openServer()
  other = await openServer()
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  server.answer(json({ ok: true }))
  other.answer(json({ ok: true }))
})

test('URL-3 RE-19 scenario 1: plain list and query', async () => {
  const getUsers = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/g/:group/users',
    searchParams: {} as { sort: string; page: number },
  })
  await getUsers({ group: 'a b', sort: 'asc', page: 2 })
  expect(server.last).toMatchObject({ method: 'GET', url: '/g/a%20b/users?page=2&sort=asc' })
  const key = `GET ${server.origin}/g/a%20b/users?page=2&sort=asc`
  expect(getUsers.key({ group: 'a b', sort: 'asc', page: 2 })).toBe(key)
  expect(getUsers.key({ page: 2, sort: 'asc', group: 'a b' })).toBe(key)
})

test.each([
  [{}, '/search'],
  [{ q: 'x' }, '/search?q=x'],
  [{ q: 'x', page: 2 }, '/search?q=x&page=2'],
  [{ q: 'x', lang: 'en' }, '/search?q=x&lang=en'],
])('URL-13 URL-14 KEY-3 scenario 2: embedded query, %o', async (params, url) => {
  const search = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/search?{q=:q}{&page=:page}',
    searchParams: {} as { lang?: string } | undefined,
  })
  await search(params)
  expect(server.last.url).toBe(url)
  expect(search.testKey(search.key(params))).toBe(true)
})

class Article {
  title = 'x'
}

test.each([
  [{ a: 1 }, '{"a":1}', 'application/json'],
  [[1, 2], '[1,2]', 'application/json'],
  [new Article(), '{"title":"x"}', 'application/json'],
  ['raw', 'raw', 'text/plain;charset=UTF-8'],
  [new URLSearchParams('a=1'), 'a=1', 'application/x-www-form-urlencoded;charset=UTF-8'],
  [new Blob(['blob'], { type: 'x/y' }), 'blob', 'x/y'],
  [undefined, '', 'application/json'],
])('INIT-3 scenario 3: body %o', async (body, sent, type) => {
  const create = new RestEndpoint({ urlPrefix: server.origin, path: '/a', method: 'POST' })
  await create(body)
  expect(server.last.body.toString()).toBe(sent)
  expect(server.last.headers['content-type']).toBe(type)
})

test('INIT-1 INIT-2 scenario 4: header override', async () => {
  const patch = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/a/:id',
    method: 'PATCH',
    requestInit: { headers: new Headers({ 'content-type': 'application/merge-patch+json', 'X-A': '1' }) },
  })
  await patch({ id: 1 }, { a: 1 })
  expect(server.last.rawHeaders.filter((name) => name.toLowerCase() === 'content-type')).toHaveLength(1)
  expect(server.last.headers).toMatchObject({ 'content-type': 'application/merge-patch+json', 'x-a': '1' })
})

test('INIT-3 scenario 5: async auth of a base class', async () => {
  class AuthdEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    static token: string | undefined
    override urlPrefix = server.origin
    override async getHeaders(headers: Record<string, string>): Promise<Record<string, string>> {
      const token = await Promise.resolve(AuthdEndpoint.token)
      return token ? { ...headers, 'Access-Token': token } : headers
    }
  }
  const get = new AuthdEndpoint({ path: '/me' })
  await get()
  expect(server.last.headers).not.toHaveProperty('access-token')
  AuthdEndpoint.token = 'abc'
  await get.extend({ path: '/you' })()
  expect(server.last).toMatchObject({ url: '/you', headers: { 'access-token': 'abc' } })
})

test('FET-2 FET-5 PAR-12 ERR-4 RE-21 scenario 6: errors', async () => {
  const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a' })
  server.answer(send('gone', {}, 404))
  const missing = await rejectionOf(get())
  expect(missing).toBeInstanceOf(NetworkError)
  expect(missing.status).toBe(404)
  expect(await missing.response.text()).toBe('gone')

  const closed = await openServer()
  await closed.close()
  const down = await rejectionOf(get.extend({ urlPrefix: closed.origin })())
  expect(down).toBeInstanceOf(TypeError)
  expect(down).toMatchObject({ status: 500, code: 'transport' })

  server.answer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"a":', () => response.socket?.destroy())
  })
  const cut = await rejectionOf(get())
  expect(cut).toMatchObject({ status: 500, code: 'transport' })

  server.answer(send('{', { 'content-type': 'application/json' }))
  const broken = await rejectionOf(get())
  expect(broken).toBeInstanceOf(SyntaxError)
  expect(broken).toMatchObject({ status: 400, refused: true })

  expect([missing, down, cut, broken].map((error) => get.errorPolicy(error))).toEqual([
    undefined,
    'soft',
    'soft',
    'soft',
  ])
})

test('PAR-6 PAR-7 PAR-8 scenario 7: parsing by content type', async () => {
  const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a' })
  server.answer(send('{"a":1}', { 'content-type': 'application/hal+json' }))
  expect(await get()).toEqual({ a: 1 })
  server.answer(send('a,b', { 'content-type': 'text/csv' }))
  expect(await get()).toBe('a,b')
  server.answer(send(new Uint8Array([1, 2]), { 'content-type': 'application/pdf' }))
  expect(await (await get()).arrayBuffer()).toEqual(new Uint8Array([1, 2]).buffer)
  server.answer(send('', {}, 204))
  expect(await get()).toBeNull()
})

test('PAR-15 scenario 7: a download with its file name', async () => {
  server.answer(
    send('%PDF', { 'content-type': 'application/pdf', 'content-disposition': 'attachment; filename="a.pdf"' }),
  )
  const download = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/files/:id',
    content: 'blob',
    dataExpiryLength: 0,
    async parseResponse(response: Response) {
      const name = /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
      return { blob: await response.blob(), name }
    },
  })
  const { blob, name } = (await download({ id: 1 })) as never as { blob: Blob; name: string }
  expect([await blob.text(), name]).toEqual(['%PDF', 'a.pdf'])
})

test('EP-10 EP-11 scenario 8: class precedence', async () => {
  class E<O extends RestGenerics = any> extends RestEndpoint<O> {
    override urlPrefix = 'http://h'
    override method = 'POST' as any
  }
  const plain = new E({ path: '/a' })
  expect(plain.url()).toBe('http://h/a')
  expect(plain.sideEffect).toBe(true)
  expect((await plain.getRequestInit({ a: 1 })).body).toBe('{"a":1}')
  const given = new E({ path: '/a', urlPrefix: 'http://z' })
  expect(given.url()).toBe('http://z/a')
  expect(given.extend({ urlPrefix: 'http://q' }).url()).toBe('http://q/a')
  expect(given.extend({ urlPrefix: 'http://q' }).extend({}).url()).toBe('http://q/a')
})

test('FET-6 scenario 9: redirect', async () => {
  const get = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/from',
    requestInit: { headers: { 'Access-Token': 'secret' } },
  })
  server.answer((request, response) =>
    (request.url === '/from' ? redirect(302, '/to') : json({ at: 'to' }))(request, response),
  )
  expect(await get()).toEqual({ at: 'to' })
  expect(server.last.headers['access-token']).toBe('secret')
  server.answer(redirect(302, `${other.origin}/to`))
  expect(await rejectionOf(get())).toMatchObject({ code: 'redirect-origin' })
  expect(other.received).toEqual([])
  expect(await get.extend({ allowRedirectTo: [other.origin] })()).toEqual({ ok: true })
})

test('NET-18 FET-4 FET-5 scenario 10: timeout and abort', async () => {
  const controller = new AbortController()
  let ring = (): void => {}
  const clock = { setTimeout: (run: () => void) => (ring = run), clearTimeout: () => {} }
  const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a', timeout: 50 })
  const start = (options: object): Promise<unknown> => (get as any)[START]([], options)
  server.answer((_, response) => {
    response.writeHead(200).write('half')
    ring()
  })
  expect(await rejectionOf(start({ clock }))).toMatchObject({ status: 500, code: 'transport', name: 'TimeoutError' })
  server.answer((_, response) => {
    response.writeHead(200).write('half')
    controller.abort()
  })
  expect(await rejectionOf(start({ clock, signal: controller.signal }))).toMatchObject({ name: 'AbortError' })
})

test('EP-9 scenario 11: options object', () => {
  const options = { urlPrefix: 'http://z' }
  new RestEndpoint({ path: '/a' }).extend(options)
  expect(() => new RestEndpoint({ path: '/b' }).extend(options)).toThrow(/\[options-reused\]/)
  const child = new RestEndpoint({ path: '/a/:id' }).extend({
    url(...args: any): string {
      return `http://dynamic${super.url(...args)}`
    },
  } as object)
  expect(child.url({ id: 1 })).toBe('http://dynamic/a/1')
})

test('VALID-1 VALID-4 VALID-5 VALID-6 scenario 12: validation', async () => {
  const schema = (validate: (value: any) => unknown): StandardSchemaV1 =>
    ({ '~standard': { version: 1, vendor: 'test', validate } }) as never
  const judge = (value: any): unknown =>
    value.n > 0 ? { value: { n: value.n + 1 } } : { issues: [{ message: 'n must be positive', path: ['n'] }] }
  for (const validate of [judge, async (value: unknown) => judge(value)]) {
    const get = new RestEndpoint({ urlPrefix: server.origin, path: '/a', validateResponse: schema(validate) })
    server.answer(json({ n: 1 }))
    expect(await get()).toEqual({ n: 2 })
    server.answer(json({ n: 0 }))
    const error = await rejectionOf(get())
    expect(error).toMatchObject({ status: 400, code: 'validate-response', issues: [{ path: ['n'] }], refused: true })
    expect(isRestitchError(error)).toBe(true)
  }
  const post = new RestEndpoint({ urlPrefix: server.origin, path: '/a', method: 'POST', validateBody: schema(judge) })
  server.answer(json({}))
  await post({ n: 1 })
  expect(server.last.body.toString()).toBe('{"n":2}')
  expect(await rejectionOf(post({ n: 0 }))).toMatchObject({ status: 400, code: 'validate-body' })
  expect(server.received).toHaveLength(1)
})

test('SRCH-2 nested query parameters arrive with bracket keys', async () => {
  const search = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/s',
    searchParams: {} as { filter: object },
    searchToString: bracketSearch,
  })
  await search({ filter: { name: 'x', tags: [1] } })
  expect(server.last.url).toBe('/s?filter%5Bname%5D=x&filter%5Btags%5D%5B0%5D=1')
})

test('EP-12 ExtendableEndpoint is another name of Endpoint', () => {
  expect(ExtendableEndpoint).toBe(Endpoint)
})
