import { afterEach, expect, test, vi } from 'vitest'
import { isRestitchError } from '../base/errors.ts'
import { START } from '../endpoint/start.ts'
import { RestEndpoint } from './RestEndpoint.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

// Classes of apps written in JavaScript.
const AnyRestEndpoint = RestEndpoint as unknown as new (...args: any[]) => any

test('EP-4 a bound RestEndpoint fetches the same url', async () => {
  const sent: unknown[] = []
  const update = new RestEndpoint({
    path: '/a/:id',
    method: 'PUT',
    async fetchResponse(input: string, init: RequestInit) {
      sent.push([input, init.body])
      return Response.json({})
    },
  })
  const bound = update.bind(null, { id: 5 })
  expect(bound.key({ t: 1 })).toBe('PUT /a/5')
  expect(bound.requestKey({ t: 1 })).toBe('PUT /a/5')
  await bound({ t: 1 })
  await bound.extend({ urlPrefix: 'http://z' } as object)({ t: 2 })
  expect(sent).toEqual([
    ['/a/5', '{"t":1}'],
    ['http://z/a/5', '{"t":2}'],
  ])
})

test('EP-9 super in an options object reaches the parent, with the new endpoint as this', () => {
  const base = new RestEndpoint({
    path: '/a/:id',
    url(this: any, ...args: any) {
      return `${this.extra ?? ''}${super.url(...args)}`
    },
  } as { path: '/a/:id' })
  const child = base.extend({
    extra: '/v2',
    url(this: any, ...args: any) {
      return `http://z${super.url(...args)}`
    },
  } as object)
  const grandchild = child.extend({
    urlPrefix: '/p',
    url(this: any, ...args: any) {
      return `(${super.url(...args)})`
    },
  } as object)
  expect(base.url({ id: 1 })).toBe('/a/1')
  expect(child.url({ id: 1 })).toBe('http://z/v2/a/1')
  expect(grandchild.url({ id: 1 })).toBe('(http://z/v2/p/a/1)')
  expect(grandchild.key({ id: 1 })).toBe('GET (http://z/v2/p/a/1)')
})

test.each([
  [
    'given to another parent',
    () => {
      const options = { urlPrefix: 'http://z' }
      new RestEndpoint({ path: '/a' }).extend(options)
      new RestEndpoint({ path: '/b' }).extend(options)
    },
  ],
  [
    'given to two classes',
    () => {
      const options = { path: '/a' } as const
      new RestEndpoint(options)
      new (class extends AnyRestEndpoint {})(options)
    },
  ],
  ['frozen', () => new RestEndpoint(Object.freeze({ path: '/a' }))],
  [
    'of a class',
    () =>
      new RestEndpoint(
        new (class {
          path = '/a' as const
        })(),
      ),
  ],
  ['with a prototype', () => new RestEndpoint(Object.create({ path: '/a' }))],
])('EP-9 G-8 options that are %s: options-reused', (_, run) => {
  let error: unknown
  try {
    run()
  } catch (caught) {
    error = caught
  }
  expect(error).toMatchObject({ code: 'options-reused', name: 'RestitchError' })
  expect(isRestitchError(error)).toBe(true)
})

test('EP-9 the same options for the same parent, and options without a prototype, are fine', () => {
  const options = { path: '/a' } as const
  new RestEndpoint(options)
  expect(new RestEndpoint(options).key()).toBe('GET /a')
  expect(new RestEndpoint(Object.assign(Object.create(null), { path: '/b' })).key()).toBe('GET /b')
})

// The meaning of `urlPrefix = '...'` in a class body depends on how the app is compiled.
class Defined extends AnyRestEndpoint {
  urlPrefix = 'http://h'
  method = 'POST'
  name = 'fields'
  getHeaders = (headers: object): object => headers
}
class Assigned extends AnyRestEndpoint {
  constructor(options: object) {
    super(options)
    const self = this as any
    self.urlPrefix = 'http://h'
    self.method = 'POST'
    self.name = 'fields'
    self.signal = undefined
    self.getHeaders = (headers: object): object => headers
  }
}

test.each([
  ['defined', Defined],
  ['assigned', Assigned],
])('EP-10 EP-11 precedence of options over class fields that are %s', async (_, Class) => {
  const make = (options: object): any => new Class({ path: '/a', ...options })
  const plain = make({})
  expect(plain.url()).toBe('http://h/a')
  expect(plain.sideEffect).toBe(true)
  expect(plain.name).toBe('fields')
  expect(plain.key({ body: 1 })).toBe('POST http://h/a')
  expect(make({ urlPrefix: 'http://z' }).url()).toBe('http://z/a')
  expect(make({ urlPrefix: 'http://z' }).key()).toBe('POST http://z/a')
  expect(make({ urlPrefix: 'http://z' }).testKey('POST http://z/a')).toBe(true)
  expect(make({ urlPrefix: 'http://z' }).extend({}).urlPrefix).toBe('http://z')
  expect(make({ urlPrefix: 'http://z' }).bind(null).urlPrefix).toBe('http://z')
  expect(make({ method: 'GET' }).sideEffect).toBeUndefined()
  expect(make({ urlPrefix: 'http://z' }).extend({ urlPrefix: 'http://q' }).url()).toBe('http://q/a')
  expect(make({}).extend({ urlPrefix: 'http://q' }).extend({}).url()).toBe('http://q/a')
  const untouched = make({ urlPrefix: 'http://z' })
  await null
  expect(untouched.urlPrefix).toBe('http://z')
})

test.each<[string, (endpoint: any) => unknown, unknown]>([
  ['a call', (endpoint) => endpoint(), 'PUT http://z/a'],
  ['START', (endpoint) => endpoint[START]([]), 'PUT http://z/a'],
  ['apply', (endpoint) => endpoint.apply(null), 'PUT http://z/a'],
  ['fetch', (endpoint) => endpoint.fetch(), 'PUT http://z/a'],
  ['bind', (endpoint) => endpoint.bind(null).key(), 'PUT http://z/a'],
  ['extend', (endpoint) => endpoint.extend().key(), 'PUT http://z/a'],
  ['key', (endpoint) => endpoint.key(), 'PUT http://z/a'],
  ['requestKey', (endpoint) => endpoint.requestKey(), 'PUT http://z/a'],
  ['testKey', (endpoint) => endpoint.testKey('PUT http://z/a'), true],
  ['url', (endpoint) => endpoint.url(), 'http://z/a'],
  ['name', (endpoint) => endpoint.name, 'http://z/a'],
  ['sideEffect', (endpoint) => endpoint.sideEffect, true],
  ['pathRegex', (endpoint) => endpoint.pathRegex.test('/a'), true],
  ['getRequestInit', async (endpoint) => (await endpoint.getRequestInit()).method, 'PUT'],
  [
    'fetchResponse',
    async (endpoint) =>
      endpoint.fetchResponse('http://z/away', { headers: { a: 'b' } }).catch((error: any) => error.code),
    'redirect-origin',
  ],
  ['parseResponse', (endpoint) => endpoint.parseResponse(new Response('text')), 'text'],
])('EP-10 options hold from the first use on, be it %s', async (_, use, result) => {
  class Fields extends AnyRestEndpoint {
    path = '/field'
    urlPrefix = 'http://field'
    method = 'GET'
    content = 'json'
    allowRedirectTo = ['http://field']
    dataExpiryLength = -1
  }
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) =>
    url.endsWith('/away')
      ? new Response(null, { status: 302, headers: { location: 'http://field/' } })
      : new Response(`${method} ${url}`),
  )
  const options = { path: '/a', urlPrefix: 'http://z', method: 'PUT', content: 'text', allowRedirectTo: [] }
  expect(await use(new Fields({ ...options, dataExpiryLength: 0 }))).toBe(result)
})

test('EP-4 EP-10 bind takes the methods of the options, not those of the class', () => {
  class Fields extends AnyRestEndpoint {
    key = (): string => 'field'
  }
  expect(new Fields({ path: '/a', key: () => 'option' }).bind(null).key()).toBe('option')
})

test('EP-11 a method that follows from the side effect follows from that of the options', () => {
  class Fields extends AnyRestEndpoint {
    sideEffect = false
  }
  expect(new Fields({ path: '/a', sideEffect: true }).method).toBe('POST')
})

test('EP-10 methods of a class, and of the most derived one first', async () => {
  class Base extends AnyRestEndpoint {
    urlPrefix = 'http://base'
    timeout = 5
    getHeaders(headers: object): object {
      return { ...super.getHeaders(headers), 'X-Base': '1' }
    }
  }
  class Derived extends Base {
    override urlPrefix = 'http://derived'
    override getHeaders(headers: object): object {
      return { ...super.getHeaders(headers), 'X-Derived': '1' }
    }
  }
  const endpoint = new Derived({ path: '/a', timeout: 7 })
  expect(endpoint.url()).toBe('http://derived/a')
  expect(endpoint.timeout).toBe(7)
  const { headers } = await endpoint.extend({ method: 'POST' }).getRequestInit({})
  expect(headers).toEqual({ 'Content-Type': 'application/json', 'X-Base': '1', 'X-Derived': '1' })
})

test('EP-10 what is set on a finished endpoint stays', () => {
  const endpoint: any = new RestEndpoint({ path: '/a', urlPrefix: 'http://z' })
  endpoint.urlPrefix = 'http://changed'
  endpoint.method = 'PUT'
  expect(endpoint.key()).toBe('PUT http://changed/a')
})

test('EP-11 derived values follow the members they depend on', () => {
  const read = new RestEndpoint({ path: '/a' })
  const write = read.extend({ method: 'POST' })
  expect([read.sideEffect, write.sideEffect, write.extend({ method: 'GET' }).sideEffect]).toEqual([
    undefined,
    true,
    undefined,
  ])
})

test('EP-2 undefined for a member that has a default counts as not given', () => {
  const rest = new RestEndpoint({ path: '/a', urlPrefix: undefined, method: undefined, process: undefined as never })
  expect(rest.key()).toBe('GET /a')
  const ended = rest.extend({ signal: AbortSignal.abort() })
  expect(ended.extend({ signal: undefined }).signal).toBeUndefined()
  expect(ended.extend({ schema: undefined }).signal).toBe(ended.signal)
})

test('TY-18 undefined removes an option, or counts as not given if the class has a default', () => {
  const errorPolicy = (): 'soft' => 'soft'
  const base = new RestEndpoint({ path: '/a', method: 'POST', getOptimisticResponse: () => ({}), errorPolicy })
  const off = base.extend({ getOptimisticResponse: undefined, errorPolicy: undefined, process: undefined })
  expect([off.getOptimisticResponse, off.errorPolicy, off.process]).toEqual([undefined, errorPolicy, base.process])
})
