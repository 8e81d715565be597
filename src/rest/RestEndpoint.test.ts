import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { START } from '../endpoint/start.ts'
import { RestEndpoint } from './RestEndpoint.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Endpoints that are declared as loosely as a table of cases needs. */
const make = (options: object): any => new RestEndpoint(options as { path: string })

/** An endpoint whose response repeats its request. */
const echo = (options: object): any =>
  make({
    fetchResponse: async (url: string, init: RequestInit) =>
      Response.json({ url, method: init.method, body: init.body ?? null }),
    ...options,
  })

test.each([{}, { path: undefined }, { path: 5 }])('RE-1 no path: %o', async (options) => {
  const endpoint = make({ urlPrefix: 'http://x', ...options })
  for (const use of [endpoint.url, endpoint.key, () => endpoint.testKey('GET http://x/'), () => endpoint.pathRegex]) {
    expect(() => use.call(endpoint)).toThrow(TypeError)
    expect(() => use.call(endpoint)).toThrow(/http:\/\/x.*\[path-missing\]/)
  }
  await expect(endpoint()).rejects.toThrow(TypeError)
})

test('RE-2 urlPrefix is put in front as it is', () => {
  expect(make({ path: '/a', urlPrefix: 'http://h:80/{x}/:y' }).url()).toBe('http://h:80/{x}/:y/a')
  expect(make({ path: '/a' }).urlPrefix).toBe('')
})

test.each([
  [{}, 'GET', undefined, 'GET'],
  [{ method: 'get' }, 'get', undefined, 'GET'],
  [{ method: 'HEAD' }, 'HEAD', undefined, 'HEAD'],
  [{ method: 'OPTIONS' }, 'OPTIONS', undefined, 'OPTIONS'],
  [{ method: 'post' }, 'post', true, 'POST'],
  [{ method: 'DELETE' }, 'DELETE', true, 'DELETE'],
  [{ method: 'PURGE' }, 'PURGE', true, 'PURGE'],
  [{ sideEffect: true }, 'POST', true, 'POST'],
  [{ sideEffect: false }, 'GET', false, 'GET'],
  [{ sideEffect: undefined }, 'GET', undefined, 'GET'],
  [{ method: 'POST', sideEffect: undefined }, 'POST', undefined, 'POST'],
  [{ method: 'POST', sideEffect: false }, 'POST', false, 'POST'],
  [{ method: 'GET', sideEffect: true }, 'GET', true, 'GET'],
])('RE-3 RE-4 method and side effect of %o', async (options, method, sideEffect, verb) => {
  const endpoint = echo({ path: '/a', ...options })
  expect(endpoint.method).toBe(method)
  expect(endpoint.sideEffect).toBe(sideEffect)
  expect(endpoint.key()).toBe(`${verb} /a`)
  expect(await endpoint()).toMatchObject({ method })
})

test('RE-4 extend with a method derives again, with a schema it does not', () => {
  const explicit = make({ path: '/a', method: 'POST', sideEffect: undefined })
  expect(explicit.extend({ schema: {} }).sideEffect).toBeUndefined()
  expect(make({ path: '/a', method: 'POST' }).extend({ schema: {} }).sideEffect).toBe(true)
  expect(make({ path: '/a', method: 'POST' }).extend({ method: 'GET' }).sideEffect).toBeUndefined()
  expect(make({ path: '/a' }).extend({ method: 'PUT' }).sideEffect).toBe(true)
  expect(explicit.extend({ method: 'PUT' }).sideEffect).toBe(true)
  expect(make({ path: '/a', sideEffect: true }).extend({ method: 'GET' }).sideEffect).toBeUndefined()
  expect(explicit.extend({ method: 'PUT', sideEffect: false }).sideEffect).toBe(false)
  expect(explicit.extend({ method: 'PUT', sideEffect: undefined }).sideEffect).toBeUndefined()
  expect(explicit.extend({ method: undefined }).sideEffect).toBeUndefined()
  expect(explicit.sideEffect).toBeUndefined()
})

test.each([
  // options, arguments, url, body
  [{ path: '/a/:id', method: 'PUT' }, [{ id: 1 }, { t: 1 }], '/a/1', '{"t":1}'],
  [{ path: '/a', method: 'POST' }, [{ t: 1 }], '/a', '{"t":1}'],
  [{ path: '/a/:id', method: 'POST', body: undefined }, [{ id: 1 }], '/a/1', null],
  [{ path: '/a', method: 'POST' }, [], '/a', null],
  [{ path: '/a', method: 'POST' }, [{ q: 1 }, { t: 1 }], '/a?q=1', '{"t":1}'],
  [{ path: '/a/:id', method: 'PUT' }, [{ id: 1 }, undefined], '/a/1', null],
  [{ path: '/a/:id', method: 'PUT' }, [{ id: 1 }, null], '/a/1', null],
  [{ path: '/a/:id', method: 'DELETE' }, [{ id: 1 }], '/a/1', null],
  [{ path: '/a/:id', method: 'DELETE', body: undefined }, [{ id: 1 }], '/a/1', null],
  [{ path: '/a/:id', method: 'DELETE', body: {} }, [{ id: 1 }, { why: 'x' }], '/a/1', '{"why":"x"}'],
  [{ path: '/a', method: 'GET', body: {} }, [{ q: 1 }], '/a?q=1', null],
  [{ path: '/a', method: 'HEAD' }, [{ q: 1 }], '/a?q=1', null],
  [{ path: '/a', method: 'OPTIONS' }, [{ q: 1 }], '/a?q=1', null],
  [{ path: '/a', method: 'post' }, [{ t: 1 }], '/a', '{"t":1}'],
  [{ path: '/a' }, [undefined], '/a', null],
  [{ path: '/a' }, [null], '/a', null],
  [{ path: '/a', method: 'PATCH' }, [null, { t: 1 }], '/a', '{"t":1}'],
  [{ path: '/a', sideEffect: true }, [{ t: 1 }], '/a', '{"t":1}'],
  [{ path: '/a', searchParams: { never: 'read' } }, [{ q: 1, y: undefined }], '/a?q=1', null],
])('RE-5 RE-6 URL-1 URL-2 ARG-1 ARG-2 ARG-3 ARG-4 %o called with %j', async (options, args, url, body) => {
  const endpoint = echo(options)
  expect(await endpoint(...args)).toMatchObject({ url, body })
  expect(endpoint.key(...args)).toBe(`${endpoint.method.toUpperCase()} ${url}`)
  expect(endpoint.requestKey(...args)).toBe(endpoint.key(...args))
})

test('ARG-5 one argument that was taken as the body is named in the message', async () => {
  const update = make({ path: '/a/:id', method: 'PUT' })
  const hint = /Missing parameters: id.*one argument was given and was taken as the body/
  await expect(update({ id: 1 })).rejects.toThrow(hint)
  expect(() => update.key({ id: 1 })).toThrow(hint)
  expect(() => update.url({})).not.toThrow(/taken as the body/)
  await expect(update()).rejects.not.toThrow(/taken as the body/)
  await expect(make({ path: '/a/:id' })({})).rejects.not.toThrow(/taken as the body/)
})

test.each(['x', 5, true])('ARG-4 parameters that are no object: %s', async (value) => {
  const list = make({ path: '/list' })
  await expect(list(value)).rejects.toMatchObject({ code: 'params-not-object' })
  expect(() => list.key(value)).toThrow(TypeError)
  expect(() => list.key(value)).toThrow(`"/list" holds its parameters and must be an object, not ${typeof value}`)
})

test.each([
  [{}, [], [{}]],
  [{}, [null], [{}]],
  [{}, [{ a: 1 }], [{ a: 1 }]],
  [{}, [5], [5]],
  [{}, ['me', 'repo'], ['me', 'repo']],
  [{ method: 'POST' }, [], [{}]],
  [{ method: 'POST' }, [{ title: 'x' }], [{}]],
  [{ method: 'POST' }, [undefined, { title: 'x' }], [{}]],
  [{ method: 'PUT' }, [{ id: 5 }, { title: 'x' }], [{ id: 5 }]],
  [{ method: 'PUT' }, [5, { title: 'x' }], [5]],
  [{ method: 'PUT' }, ['me', 'repo', { title: 'x' }], ['me', 'repo']],
  [{ method: 'DELETE' }, [5], [5]],
])('ARG-2 ARG-4 ARG-6 an override of url, %o called with %j, receives %j', async (options, args, expected) => {
  const received: unknown[] = []
  const endpoint = echo({
    path: '/a',
    ...options,
    url(...params: unknown[]) {
      received.push(params)
      return 'http://x/own'
    },
  })
  expect(endpoint.key(...args)).toBe(`${endpoint.method} http://x/own`)
  expect(await endpoint(...args)).toMatchObject({ url: 'http://x/own' })
  expect(received).toEqual([expected, expected])
})

test('ARG-6 an override of url that passes positional arguments on to super gets an error that says they are no object', () => {
  const endpoint = make({ path: '/a/:id', url: (id: number) => make({ path: '/a/:id' }).url(id) })
  expect(() => endpoint.key(5)).toThrow('must be an object, not number "5"')
})

test.each([
  ['https://x/users', '/', {}, 'https://x/users'],
  ['https://x/users', '/', { a: 1 }, 'https://x/users?a=1'],
  ['https://x/users/', '/', {}, 'https://x/users/'],
  ['https://x/', '/', {}, 'https://x/'],
  ['https://x', '/', {}, 'https://x/'],
  ['https://x', '/', { a: 1 }, 'https://x/?a=1'],
  ['//x', '/', {}, '//x/'],
  ['/api', '/', {}, '/api'],
  ['api', '/', { a: 1 }, 'api?a=1'],
  ['', '/', { a: 1 }, '/?a=1'],
  ['/api', '/{:id}', {}, '/api'],
  ['/api', '/?{q=:q}', { q: 1 }, '/api?q=1'],
  ['/api', '/a/', {}, '/api/a/'],
  ['/api?to=', '/', {}, '/api?to=/'],
])('URL-21 KEY-3 %s and %s with %o make %s', (urlPrefix, path, params, url) => {
  const endpoint = make({ urlPrefix, path })
  expect(endpoint.url(params)).toBe(url)
  expect(endpoint.testKey(endpoint.key(params))).toBe(true)
})

test('URL-21 KEY-4 a key with the slash that is left out is no key of this endpoint', () => {
  const endpoint = make({ urlPrefix: 'https://x/users', path: '/' })
  const others = ['https://x/users/', 'https://x/users/?a=1', 'https://x/users/5', 'https://x/usersx']
  expect(others.filter((url) => endpoint.testKey(`GET ${url}`))).toEqual([])
  expect(make({ urlPrefix: 'https://x/users', path: '/:id' }).testKey('GET https://x/users')).toBe(false)
  expect(make({ urlPrefix: 'https://x/users', path: '' }).testKey('GET https://x/users?a=1')).toBe(true)
})

test('RE-7 RE-8 RE-14 requestInit and signal are in the result of getRequestInit', async () => {
  const { signal } = new AbortController()
  const endpoint = make({ path: '/a', requestInit: { credentials: 'include', mode: 'cors' }, signal })
  const init = await endpoint.getRequestInit()
  expect(init).toMatchObject({ credentials: 'include', mode: 'cors', method: 'GET' })
  expect(init.signal).toBe(signal)
})

test('RE-9 RE-11 RE-24 RE-25 options of later parts are carried along', () => {
  const options = {
    path: '/a',
    schema: { any: 'thing' },
    paginationField: 'page',
    movePath: '/a/:id',
    getNextPage: () => 1,
    getOptimisticResponse: () => 1,
    update: () => ({}),
    strict: true,
    pollFrequency: 5,
    invalidIfStale: true,
    dataExpiryLength: 5,
    errorExpiryLength: 6,
    timeout: 7,
  }
  expect({ ...make({ ...options }).extend({}) }).toMatchObject(options)
})

test('RE-12 an override of url changes the key, and the url that is sent', async () => {
  const endpoint = echo({ path: '/a', url: () => 'http://dynamic/a' })
  expect(endpoint.key()).toBe('GET http://dynamic/a')
  expect(await endpoint()).toMatchObject({ url: 'http://dynamic/a' })
})

test('RE-12 url does not mind inherited members', () => {
  const params = Object.assign(Object.create({ inherited: 1 }), { id: 5 })
  expect(make({ path: '/a/:id' }).url(params)).toBe('/a/5')
  expect(make({ path: '/a' }).url(JSON.parse('{"__proto__":"x"}'))).toBe('/a?__proto__=x')
})

test('RE-15 RE-16 RE-17 RE-18 every step may be replaced, and process gets the arguments', async () => {
  const steps: unknown[] = []
  const endpoint = make({
    path: '/a/:id',
    method: 'POST',
    async getHeaders(headers: object) {
      steps.push(['getHeaders', headers])
      return headers
    },
    async fetchResponse(url: string) {
      steps.push(['fetchResponse', url])
      return new Response('raw')
    },
    async parseResponse(response: Response) {
      return `${await response.text()} parsed`
    },
    async process(value: string, ...args: unknown[]) {
      steps.push(['process', args])
      return `${value} processed`
    },
  })
  expect(await endpoint({ id: 1 }, { t: 1 })).toBe('raw parsed processed')
  expect(steps).toEqual([
    ['getHeaders', { 'Content-Type': 'application/json' }],
    ['fetchResponse', '/a/1'],
    ['process', [{ id: 1 }, { t: 1 }]],
  ])
})

test('RE-19 RE-28 the body is not part of the key', () => {
  const create = make({ path: '/a/:g', urlPrefix: 'http://x', method: 'post' })
  expect(create.key({ g: 1, b: 2, a: 1 }, { t: 1 })).toBe('POST http://x/a/1?a=1&b=2')
  expect(create.requestKey({ g: 1, b: 2, a: 1 }, { t: 2 })).toBe('POST http://x/a/1?a=1&b=2')
  const renamed = create.extend({ key: () => 'list' })
  expect(renamed.key({ g: 1 }, {})).toBe('list')
  expect(renamed.requestKey({ g: 1 }, {})).toBe('POST http://x/a/1')
})

test.each([
  [{ status: 500 }, 'soft'],
  [{ status: 503 }, 'soft'],
  [{ status: 400 }, undefined],
  [{ status: 404 }, undefined],
  [{ status: 400, refused: true }, 'soft'],
  [{ status: 404, refused: true }, 'soft'],
  [{ status: 500, code: 'transport' }, 'soft'],
  [{}, undefined],
  [undefined, undefined],
])('RE-21 errorPolicy of %o is %s', (error, policy) => {
  expect(make({ path: '/a' }).errorPolicy(error)).toBe(policy)
  expect(make({ path: '/a', errorPolicy: () => undefined }).errorPolicy(error)).toBeUndefined()
})

test('RE-22 name is where it leads to, unless it has one', () => {
  expect(make({ path: '/a/:id', urlPrefix: 'http://x' }).name).toBe('http://x/a/:id')
  expect(make({ path: '/a', name: 'mine' }).name).toBe('mine')
  expect(make({ path: '/a', name: 'mine' }).extend({ path: '/b' }).name).toBe('mine')
})

test('RE-23 pathRegex follows the path and cannot be set', () => {
  const endpoint = make({ path: '/a/:id' })
  expect(endpoint.pathRegex).toBeInstanceOf(RegExp)
  expect(endpoint.pathRegex.test('/a/5')).toBe(true)
  expect(endpoint.pathRegex.test('/b/5')).toBe(false)
  expect(() => {
    endpoint.pathRegex = /x/
  }).toThrow(TypeError)
})

test('RE-26 nothing is allowed by default', () => {
  expect(make({ path: '/a' }).allowRedirectTo).toEqual([])
  expect(make({ path: '/a', allowRedirectTo: ['http://x'] }).allowRedirectTo).toEqual(['http://x'])
})

test.each([
  ['GET /a/5', true],
  ['GET /a/5?x=1', true],
  ['GET /a/x%2Fy', true],
  ['GET /a/5/6', false],
  ['GET /a/', false],
  ['GET /a/5/', false],
  ['GET /A/5', false],
  ['POST /a/5', false],
  ['get /a/5', false],
  ['GET /b/5', false],
  ['/a/5', false],
  ['', false],
])('RE-20 KEY-1 KEY-2 KEY-4 GET /a/:id has the key %s: %s', (key, expected) => {
  expect(make({ path: '/a/:id' }).testKey(key)).toBe(expected)
})

test('KEY-1 the prefix and the method count, whatever the case of the method', () => {
  const endpoint = make({ path: '/a', urlPrefix: 'http://x', method: 'post' })
  expect(endpoint.testKey('POST http://x/a')).toBe(true)
  expect(endpoint.testKey('POST http://y/a')).toBe(false)
  expect(endpoint.testKey('POST /a')).toBe(false)
})

test.each([
  ['/search?{q=:q}{&page=:page}', {}],
  ['/search?{q=:q}{&page=:page}', { q: 'x' }],
  ['/search?{q=:q}{&page=:page}', { q: 'x', page: 2 }],
  ['/search?{q=:q}{&page=:page}', { q: 'x', lang: 'en' }],
  ['/a/:id', { id: 'x/y z?&é', q: '/?&=' }],
  ['/a/*p', { p: ['x', 'y/z'] }],
  ['/a{/*p}', {}],
])('KEY-3 %s knows the key it makes from %o', (path, params) => {
  const endpoint = make({ path, urlPrefix: 'http://x' })
  expect(endpoint.testKey(endpoint.key(params))).toBe(true)
})

test('KEY-5 picks the keys of an endpoint out of those of all', () => {
  const getUser = make({ path: '/users/:id', urlPrefix: 'http://x' })
  const others = [make({ path: '/users', urlPrefix: 'http://x' }), make({ path: '/users/:id', urlPrefix: 'http://y' })]
  const own = [getUser.key({ id: 1 }), getUser.key({ id: 'a/b', tab: 'posts' })]
  const keys = [
    ...own,
    ...others.map((other) => other.key({ id: 1 })),
    getUser.extend({ method: 'PUT' }).key({ id: 1 }, {}),
  ]
  expect(keys.filter((key) => getUser.testKey(key))).toEqual(own)
})

test('KEY-6 with another url the default testKey compares what it can', () => {
  const endpoint = make({ path: '/a', url: () => 'http://elsewhere/a' })
  expect(endpoint.testKey(endpoint.key())).toBe(false)
})

test('PAT-1 PAT-3 process reshapes the response and adds parameters of the url', async () => {
  const endpoint = make({
    path: '/a/:id',
    fetchResponse: async () => Response.json({ first_name: 'Ann' }),
    process: ({ first_name }: any, { id }: any) => ({ firstName: first_name, id }),
  })
  expect(await endpoint({ id: 5 })).toEqual({ firstName: 'Ann', id: 5 })
})

test('RE-18 a mistake in process names the request and the value, and an error of the app stays as it is', async () => {
  const failing = (process: (value: any) => unknown): any =>
    make({ path: '/a', method: 'POST', fetchResponse: async () => Response.json({ id: 1 }), process })
  await expect(failing((rows) => rows.slice(0, 7))({})).rejects.toThrow(
    /^process\(\) of "POST .*\/a" failed on {"id":1}: rows\.slice is not a function\. .*inherit/,
  )
  const own = new Error('no such thing')
  const reject = async (): Promise<never> => {
    throw own
  }
  await expect(failing(reject)({})).rejects.toBe(own)
  expect(own.message).toBe('no such thing')
})

test('PAT-2 INIT-4 getRequestInit changes the body before and the result after', async () => {
  class Snake extends (RestEndpoint as unknown as new (options: object) => any) {
    async getRequestInit(body: any): Promise<RequestInit> {
      const init = await super.getRequestInit({ first_name: body.firstName })
      return { ...init, credentials: 'same-origin' }
    }
  }
  const inits: RequestInit[] = []
  const endpoint: any = new Snake({
    path: '/a',
    method: 'POST',
    fetchResponse: async (_: string, init: RequestInit) => {
      inits.push(init)
      return Response.json({})
    },
  })
  await endpoint({ firstName: 'Ann' })
  expect(inits[0]).toMatchObject({ body: '{"first_name":"Ann"}', credentials: 'same-origin', method: 'POST' })
})

test('PAT-5 progress of a download, and an upload over another transport', async () => {
  const sizes: number[] = []
  const download = make({
    path: '/a',
    fetchResponse: async () => new Response(new Blob(['abc', 'de']).stream()),
    async parseResponse(response: Response) {
      for await (const chunk of response.body as never as AsyncIterable<Uint8Array>) {
        sizes.push(chunk.length)
      }
      return sizes.reduce((sum, size) => sum + size)
    },
  })
  expect(await download()).toBe(5)
  const upload = make({
    path: '/a',
    method: 'POST',
    fetchResponse: async (_: string, { body }: RequestInit) => new Response(`got ${String(body)}`),
  })
  expect(await upload('text')).toBe('got text')
})

test.each([
  ['url', { path: '/a/:id' }],
  ['getHeaders', { path: '/a', getHeaders: () => Promise.reject(new RangeError('x')) }],
  [
    'getRequestInit',
    {
      path: '/a',
      getRequestInit: () => {
        throw new RangeError('x')
      },
    },
  ],
])('INIT-5 an error of %s rejects the call', async (_, options) => {
  const fetchResponse = vi.fn()
  const work = make({ ...options, fetchResponse })()
  expect(work).toBeInstanceOf(Promise)
  await expect(work).rejects.toThrow()
  expect(fetchResponse).not.toHaveBeenCalled()
})

test('INIT-5 key throws at once', () => {
  expect(() => make({ path: '/a/:id' }).key({})).toThrow(TypeError)
})

test('VALID-3 VALID-4 a response is checked after parsing and before process; null too', async () => {
  const seen: unknown[] = []
  const validateResponse = {
    '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => (seen.push(value), { value: [value] }) },
  }
  const options = { path: '/a', validateResponse, process: (value: unknown) => ({ processed: value }) }
  expect(await make({ ...options, fetchResponse: async () => Response.json({ a: 1 }) })()).toEqual({
    processed: [{ a: 1 }],
  })
  expect(await make({ ...options, fetchResponse: async () => new Response(null, { status: 204 }) })()).toEqual({
    processed: [null],
  })
  expect(seen).toEqual([{ a: 1 }, null])
})

test('RE-27 VALID-5 the body is checked before anything is sent, and its output is what is sent', async () => {
  const validate = (value: any): object =>
    value?.n > 0 ? { value: { n: value.n * 2 } } : { issues: [{ message: 'no' }] }
  const steps: unknown[] = []
  const endpoint = make({
    path: '/a',
    method: 'POST',
    validateBody: { '~standard': { version: 1, vendor: 'test', validate } },
    fetchResponse: async (_: string, init: RequestInit) => {
      steps.push(init.body)
      return Response.json(1)
    },
    process: (_: unknown, ...args: unknown[]) => args,
  })
  expect(await endpoint({ n: 1 })).toEqual([{ n: 1 }])
  expect(steps).toEqual(['{"n":2}'])
  await expect(endpoint({ n: 0 })).rejects.toMatchObject({ code: 'validate-body', status: 400, refused: true })
  await expect(endpoint()).rejects.toThrow('"POST /a" was refused by its schema: no')
  expect(steps).toHaveLength(1)
  expect(await endpoint.extend({ method: 'GET' })({ n: 0 })).toEqual([{ n: 0 }])
})

test('VALID-7 a body is not waited for', async () => {
  const fetchResponse = vi.fn()
  const validateBody = { '~standard': { version: 1, vendor: 'test', validate: async () => ({ value: 1 }) } }
  await expect(make({ path: '/a', method: 'POST', validateBody, fetchResponse })({})).rejects.toMatchObject({
    code: 'validate-async',
    status: 400,
  })
  expect(fetchResponse).not.toHaveBeenCalled()
})

test('VALID-9 interceptors of fetchResponse are validated as the network is', async () => {
  const validateResponse = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues: [{ message: 'no' }] }) },
  }
  await expect(
    make({ path: '/a', validateResponse, fetchResponse: async () => Response.json(1) })(),
  ).rejects.toMatchObject({
    code: 'validate-response',
    message: expect.stringContaining('GET /a'),
    response: 1,
  })
})

test('FET-1 the global fetch is looked up at call time', async () => {
  const endpoint = make({ path: '/a', urlPrefix: 'http://x' })
  const fetch = vi.fn(async () => Response.json({ mocked: true }))
  vi.stubGlobal('fetch', fetch)
  expect(await endpoint()).toEqual({ mocked: true })
  expect(fetch).toHaveBeenCalledTimes(1)
  expect(fetch.mock.calls[0]).toMatchObject(['http://x/a', { method: 'GET' }])
})

test('NET-18 a RestEndpoint may be started too', async () => {
  expect(await echo({ path: '/a/:id' })[START]([{ id: 1 }], {})).toMatchObject({ url: '/a/1' })
})

// Templates whose parameters stand between slashes, so that each value is one segment.
const name = fc.constantFrom('id', 'group', 'a', 'b', '$x', '_y')
const template = fc
  .array(
    fc.oneof(
      name.map((n) => `:${n}`),
      fc.constantFrom('users', 'v1', 'a.b', 'x-y'),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .filter((parts) => new Set(parts).size === parts.length)
  .map((parts) => `/${parts.join('/')}`)
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double(),
  fc.constantFrom('.', '..', '', '//evil', '@', 'a/../b', '?x', '#', '%2e%2e', '\r\n', '\\'),
)
const params = fc.dictionary(fc.oneof(name, fc.string(), fc.constant('__proto__')), value)
const prefix = fc.constantFrom('http://api.test', 'https://api.test:8080/v1', 'http://[::1]/')

test('KEY-3 URL-3 URL-4 any values: url throws, or keeps the origin and gives each value back, sorted', () => {
  fc.assert(
    fc.property(template, params, prefix, (path, given, urlPrefix) => {
      const endpoint = make({ path, urlPrefix: urlPrefix.replace(/\/$/, '') })
      let text: string
      try {
        text = endpoint.url(given)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        return
      }
      const url = new URL(text)
      expect(url.origin).toBe(new URL(urlPrefix).origin)
      const lead = new URL(urlPrefix).pathname.replace(/\/$/, '')
      const expected = path.split('/').map((part) => (part.startsWith(':') ? String(given[part.slice(1)]) : part))
      expect(url.pathname.slice(lead.length).split('/').map(decodeURIComponent)).toEqual(expected)
      const used = new Set(
        path
          .split('/')
          .filter((part) => part.startsWith(':'))
          .map((part) => part.slice(1)),
      )
      const rest = Object.keys(given)
        .filter((key) => !used.has(key))
        .sort()
      // The platform replaces characters that no URL can contain.
      expect([...url.searchParams.keys()]).toEqual(rest.map((key) => (key as any).toWellFormed() as string))
      expect(endpoint.testKey(endpoint.key(given))).toBe(true)
    }),
    { numRuns: cases(1000) },
  )
})

test('EP-9 an endpoint of any class is an instance of Endpoint, and of its own class alone', () => {
  class Other extends (Endpoint as unknown as new (run: () => unknown) => object) {}
  const getUser = new RestEndpoint({ path: '/users/:id' })
  expect(getUser).toBeInstanceOf(Endpoint)
  expect(getUser).not.toBeInstanceOf(Other)
  expect(new Other(() => 1)).toBeInstanceOf(Other)
  expect(new Endpoint(async () => 1)).not.toBeInstanceOf(RestEndpoint)
})

test.each<[string, any]>([
  ['the constructor', (fetch: any) => new RestEndpoint({ path: '/users/:id', fetch })],
  ['extend', (fetch: any) => new RestEndpoint({ path: '/users/:id' }).extend({ fetch })],
])('EP-9 a fetch function given to %s replaces the request', async (_, make) => {
  const endpoint = make(async ({ id }: { id: number }) => ({ id, from: 'memory' }))
  expect(await endpoint({ id: 5 })).toEqual({ id: 5, from: 'memory' })
  expect(endpoint.key({ id: 5 })).toBe('GET /users/5')
})
