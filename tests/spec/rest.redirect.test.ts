import { RestEndpoint } from 'restitch'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { json, openServer, redirect, send, type TestServer } from '../server.ts'

let home: TestServer
let other: TestServer

beforeAll(async () => {
  home = await openServer()
  other = await openServer()
})
afterAll(() => Promise.all([home.close(), other.close()]))
beforeEach(() => {
  home.answer(json({ at: 'home' }))
  other.answer(json({ at: 'other' }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const TOKEN = { 'Access-Token': 'secret', Authorization: 'Bearer secret' }
const make = (options: object = {}): any =>
  new RestEndpoint({
    urlPrefix: home.origin,
    path: '/from',
    getHeaders: (headers: object) => ({ ...headers, ...TOKEN }),
    ...options,
  } as { path: '/from' })

/** `/from` leads elsewhere; every other path responds. */
const leadTo = (status: number, location: string): void =>
  home.answer((request, response) =>
    (request.url === '/from' ? redirect(status, location) : json({ at: request.url }))(request, response),
  )

test.each([301, 302, 303, 307, 308])('FET-6 %i within the origin is followed with its headers', async (status) => {
  leadTo(status, '/to?x=1')
  expect(await make()()).toEqual({ at: '/to?x=1' })
  expect(home.received.map(({ url }) => url)).toEqual(['/from', '/to?x=1'])
  expect(home.last.headers).toMatchObject({ 'access-token': 'secret', authorization: 'Bearer secret' })
})

test.each([301, 302, 303, 307, 308])(
  'FET-6 %i to another origin is refused before a request reaches it',
  async (status) => {
    leadTo(status, `${other.origin}/to`)
    const endpoint = make()
    const error = await endpoint().catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'redirect-origin', name: 'RestitchError', status: 400, refused: true })
    expect(error.message).toMatch(`"GET ${home.origin}/from" was redirected to another origin, ${other.origin}`)
    expect(error.message).toMatch('allowRedirectTo')
    expect(endpoint.errorPolicy(error)).toBe('soft')
    expect(other.received).toEqual([])
  },
)

test('FET-6 a second hop is looked at as the first is', async () => {
  home.answer((request, response) =>
    (request.url === '/from' ? redirect(302, '/middle') : redirect(302, `${other.origin}/to`))(request, response),
  )
  await expect(make()()).rejects.toMatchObject({ code: 'redirect-origin' })
  expect(other.received).toEqual([])
})

test('FET-6 an origin that was named is let through, without the credentials of the first', async () => {
  leadTo(302, `${other.origin}/to`)
  expect(await make({ allowRedirectTo: [other.origin] })()).toEqual({ at: 'other' })
  expect(other.last.headers).toMatchObject({ 'access-token': 'secret' })
  expect(other.last.headers).not.toHaveProperty('authorization')
  other.answer(redirect(302, `${home.origin}/back`))
  expect(await make({ allowRedirectTo: [`${other.origin}/`] })()).toEqual({ at: '/back' })
})

test.each([
  // status, method, method of the second request, whether the body goes along
  [301, 'POST', 'GET', false],
  [302, 'POST', 'GET', false],
  [303, 'POST', 'GET', false],
  [303, 'PUT', 'GET', false],
  [301, 'PUT', 'PUT', true],
  [302, 'PATCH', 'PATCH', true],
  [307, 'POST', 'POST', true],
  [308, 'POST', 'POST', true],
  [307, 'post', 'POST', true],
])('FET-6 %i of a %s becomes a %s, as on the platform', async (status, method, becomes, keeps) => {
  leadTo(status, '/to')
  await make({ method })({ a: 1 })
  const ours = home.received
  leadTo(status, '/to')
  await (
    await fetch(`${home.origin}/from`, {
      method,
      body: '{"a":1}',
      headers: { 'content-type': 'application/json', ...TOKEN },
    })
  ).text()
  for (const received of [ours[1]!, home.last]) {
    expect(received).toMatchObject({ method: becomes, url: '/to', headers: { 'access-token': 'secret' } })
    expect(received.body.toString()).toBe(keeps ? '{"a":1}' : '')
    expect(received.headers['content-type']).toBe(keeps ? 'application/json' : undefined)
  }
})

test('FET-6 a request without headers of the app and without a body may lead anywhere, also with its content type', async () => {
  leadTo(302, `${other.origin}/to`)
  const { received } = other
  expect(await make({ getHeaders: undefined })()).toEqual({ at: 'other' })
  expect(await make({ getHeaders: undefined, sendContentType: 'withBody' })()).toEqual({ at: 'other' })
  const before = received.length
  leadTo(307, `${other.origin}/to`)
  await expect(make({ getHeaders: undefined, method: 'POST' })({ a: 1 })).rejects.toMatchObject({
    code: 'redirect-origin',
  })
  expect(received).toHaveLength(before)
})

test('FET-6 303 of a HEAD stays a HEAD', async () => {
  leadTo(303, '/to')
  await make({ method: 'HEAD' })()
  expect(home.last).toMatchObject({ method: 'HEAD', url: '/to' })
})

test('FET-6 at most 20 redirects are followed', async () => {
  home.answer(redirect(302, '/from'))
  const error = await make()().catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'TypeError', status: 500, code: 'transport' })
  expect(home.received).toHaveLength(21)
  home.answer((request, response) => {
    const n = Number(request.url.slice(2) || 0)
    ;(n < 20 ? redirect(302, `/n${n + 1}`) : json('end'))(request, response)
  })
  expect(await make({ path: '/n0' })()).toBe('end')
})

test('FET-6 a stream cannot be sent twice', async () => {
  leadTo(307, '/to')
  const error = await make({ method: 'POST' })(new Blob(['x']).stream()).catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'TypeError', status: 500, code: 'transport' })
  expect(home.received).toHaveLength(1)
})

test.each(['http://[', 'data:text/plain,x'])('FET-6 a redirect to %s is not followed', async (location) => {
  leadTo(302, location)
  await expect(make()()).rejects.toMatchObject({ code: expect.stringMatching(/transport|redirect-origin/) })
})

test('FET-2 FET-6 a redirect status that leads nowhere is an error of the server', async () => {
  home.answer(send('', {}, 302))
  await expect(make()()).rejects.toMatchObject({ name: 'NetworkError', status: 302 })
  home.answer(send('', { location: '/to' }, 304))
  await expect(make()()).rejects.toMatchObject({ name: 'NetworkError', status: 304 })
})

test('INIT-6 FET-6 what requestInit says about redirects holds', async () => {
  leadTo(302, `${other.origin}/to`)
  expect(await make({ requestInit: { redirect: 'follow' } })()).toEqual({ at: 'other' })
  await expect(make({ requestInit: { redirect: 'error' } })()).rejects.toMatchObject({ code: 'transport' })
  await expect(make({ requestInit: { redirect: 'manual' } })()).rejects.toMatchObject({ status: 302 })
})

test.each([
  ['none', {}],
  ['safe ones', { Accept: 'text/csv', 'Accept-Language': 'de', Range: 'bytes=0-5', 'Content-Language': 'de' }],
])('FET-6 with headers that any origin may see (%s) redirects are followed', async (_, headers) => {
  leadTo(302, `${other.origin}/to`)
  expect(await make({ getHeaders: () => headers })()).toEqual({ at: 'other' })
})

test.each([{ 'Accept-Encoding': 'br' }, { 'content-type': 'text/plain' }, { 'X-Range': '1' }])(
  'FET-6 %o is more than any origin may see',
  async (headers) => {
    leadTo(302, `${other.origin}/to`)
    await expect(make({ getHeaders: () => headers })()).rejects.toMatchObject({ code: 'redirect-origin' })
  },
)

test.each([
  ['a page', () => vi.stubGlobal('document', { baseURI: 'http://page.test/' })],
  ['React Native', () => vi.stubGlobal('navigator', { product: 'ReactNative' })],
  ['a platform without Request', () => vi.stubGlobal('Request', undefined)],
])('FET-6 G-4 in %s the platform follows, and the response of another origin is refused', async (_, enter) => {
  enter()
  leadTo(302, `${other.origin}/to`)
  await expect(make()()).rejects.toMatchObject({ code: 'redirect-origin' })
  expect(other.received).toHaveLength(1)
  expect(await make({ allowRedirectTo: [other.origin] })()).toEqual({ at: 'other' })
  leadTo(302, '/to')
  expect(await make()()).toEqual({ at: '/to' })
})

test.each([
  ['https://api.test/to', true],
  ['https://api.test:444/to', false],
  ['https://evil.test/to', false],
  ['', true],
])('FET-6 a platform that hides redirects, and a response from %s', async (url, passes) => {
  vi.stubGlobal('navigator', { product: 'ReactNative' })
  vi.stubGlobal('fetch', async () =>
    Object.defineProperties(Response.json(1), { redirected: { value: undefined }, url: { value: url } }),
  )
  const work = make({ urlPrefix: 'https://api.test' })()
  if (passes) {
    expect(await work).toBe(1)
  } else {
    await expect(work).rejects.toMatchObject({ code: 'redirect-origin' })
  }
})
