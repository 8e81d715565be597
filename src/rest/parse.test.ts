import { afterEach, expect, test, vi } from 'vitest'
import { NetworkError } from './NetworkError.ts'
import { RestEndpoint } from './RestEndpoint.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function answering(response: Response | (() => Response), options: object = {}): any {
  return new RestEndpoint({
    path: '/a',
    urlPrefix: 'http://x',
    fetchResponse: async () => (response instanceof Response ? response : response()),
    ...options,
  })
}

function answer(body: BodyInit | null, type?: string, status = 200): Response {
  const response = new Response(body, { status })
  if (type) {
    response.headers.set('content-type', type)
  } else {
    response.headers.delete('content-type')
  }
  return response
}

const SCHEMA = class User {}

test.each([undefined, 'json', 'text', 'blob', 'arrayBuffer', 'stream'])(
  'PAR-1 204 is null with content %s',
  async (content) => {
    expect(await answering(answer(null, 'application/json', 204), { content })()).toBeNull()
  },
)

test.each(['text', 'blob', 'arrayBuffer', 'stream'])(
  'PAR-2 content %s and a schema exclude each other',
  async (content) => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const endpoint = answering(answer('x', 'text/plain'), { content, schema: SCHEMA })
    expect(error).toHaveBeenCalledTimes(1)
    expect(error.mock.calls[0]![0]).toMatch(content)
    const caught = await endpoint().catch((fault: unknown) => fault)
    expect(caught).toBeInstanceOf(NetworkError)
    expect(caught).toMatchObject({ status: 400, refused: true, code: 'response-content', method: 'GET' })
    expect(caught.message).toMatch(new RegExp(`content "${content}".*schema: undefined`))
    expect(await caught.response.text()).toBe('x')
  },
)

test.each([
  { schema: SCHEMA },
  { schema: SCHEMA, content: 'json' },
  { schema: undefined, content: 'text' },
  { schema: undefined },
])('PAR-2 nothing is logged for %o', (options) => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  answering(answer('x', 'text/plain'), options)
  expect(error).not.toHaveBeenCalled()
})

test.each(['text/plain', 'application/octet-stream', 'application/json', undefined])(
  'PAR-3 RE-10 content json reads JSON from %s',
  async (type) => {
    expect(await answering(answer('{"a":1}', type), { content: 'json', schema: SCHEMA })()).toEqual({ a: 1 })
  },
)

test('PAR-4 PAR-5 other contents', async () => {
  const open = (content: string): Promise<any> => answering(answer('{"a":1}', 'application/json'), { content })()
  expect(await open('text')).toBe('{"a":1}')
  expect(await (await open('blob')).text()).toBe('{"a":1}')
  expect(await open('arrayBuffer')).toEqual(new TextEncoder().encode('{"a":1}').buffer)
  expect(await new Response(await open('stream')).text()).toBe('{"a":1}')
})

const JSON_TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/hal+json',
  'application/vnd.api+json',
  'application/problem+json',
  'application/json-patch+json',
  'text/json',
  'Application/JSON',
  'APPLICATION/VND.API+JSON;charset=UTF-8',
]
const TEXT_TYPES = [
  'text/plain',
  'text/html; charset=utf-8',
  'text/event-stream',
  'TEXT/CSV',
  'image/svg+xml',
  'application/xhtml+xml',
  'application/xml',
  'application/javascript',
  'application/x-javascript',
  'application/x-www-form-urlencoded',
  'application/x-ndjson',
  'application/jsonl',
  'application/json-seq',
  'application/geo+json-seq',
  'application/yaml',
  'application/x-yaml',
  'application/graphql',
  'application/sql',
  'application/toml',
  'application/css',
  'application/csv',
]
const BINARY_TYPES = [
  'image/png',
  'audio/mpeg',
  'video/mp4',
  'font/woff2',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'multipart/form-data; boundary=json',
  'multipart/related; type="application/json"',
]

test.each(JSON_TYPES)('PAR-6 PAR-11 %s is JSON', async (type) => {
  expect(await answering(answer('[1]', type))()).toEqual([1])
  expect(await answering(answer('[1]', type), { schema: SCHEMA })()).toEqual([1])
})

test.each([...TEXT_TYPES, undefined])('PAR-7 PAR-11 %s is text', async (type) => {
  expect(await answering(answer('[1]', type))()).toBe('[1]')
  expect(await answering(answer('[1]', type), { schema: 'a string' })()).toBe('[1]')
  expect(await answering(answer('[1]', type), { schema: SCHEMA, process: (text: string) => `${text}!` })()).toBe('[1]!')
})

test.each(BINARY_TYPES)('PAR-8 PAR-9 %s is binary', async (type) => {
  expect(await (await answering(answer('[1]', type))()).text()).toBe('[1]')
  expect(await answering(answer('[1]', type), { schema: SCHEMA, process: (blob: Blob) => blob.size })()).toBe(3)
  const error = await answering(answer('[1]', type), { schema: SCHEMA })().catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ status: 400, refused: true, code: 'response-binary' })
  expect(error.message).toMatch(`Unexpected binary content-type "${type.split(';')[0]}" for schema User`)
  expect(await error.response.text()).toBe('[1]')
})

test('PAR-10 JSON that says it is text is used, with one warning', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const endpoint = answering(() => answer('{"a":1}', 'text/plain'), { schema: SCHEMA, name: 'PAR-10' })
  expect(await endpoint()).toEqual({ a: 1 })
  expect(await endpoint()).toEqual({ a: 1 })
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch(/"PAR-10".*text\/plain/)
})

test.each([
  ['hello', 'text/plain', /^Unexpected text response for schema User.*hello/],
  ['hello', undefined, /^Unexpected text response for schema User/],
  ['"a string"', 'text/plain', /^Unexpected text response/],
  ['<p>x</p>', 'text/html', /^Unexpected html response for schema User.*<p>x/],
  [' <!doctype html><p>x</p>', 'text/plain', /^Unexpected html response/],
  ['<html>', undefined, /^Unexpected html response/],
])('PAR-10 %s as %s is refused', async (body, type, message) => {
  const error = await answering(answer(body, type), { schema: SCHEMA })().catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(NetworkError)
  expect(error).toMatchObject({ status: 404, refused: true, code: 'response-text', method: 'GET' })
  expect(error.message).toMatch(message)
  expect(await error.response.text()).toBe(body)
})

test('PAR-10 the message holds 300 characters of a long page', async () => {
  const error = await answering(answer(`<html>${'x'.repeat(1000)}`, 'text/html'), { schema: SCHEMA })().catch(
    (fault: unknown) => fault,
  )
  expect(error.message).toMatch('x'.repeat(294))
  expect(error.message).not.toMatch('x'.repeat(295))
})

test('PAR-12 ERR-4 JSON that does not parse', async () => {
  const response = answer('{', 'application/json')
  const error = await answering(response)().catch((fault: unknown) => fault)
  expect(error).toBeInstanceOf(SyntaxError)
  expect(error).toMatchObject({ status: 400, refused: true, name: 'SyntaxError' })
  expect(error.response).toBe(response)
})

test.each(['application/json', 'text/plain', 'image/png', undefined])(
  'PAR-13 PAR-14 PAR-16 an empty body of type %s is null',
  async (type) => {
    expect(await answering(answer('', type))()).toBeNull()
    expect(await answering(answer('', type), { schema: SCHEMA })()).toBeNull()
    expect(await answering(answer('', type), { content: 'json' })()).toBeNull()
    expect(await answering(answer(null, type, 205))()).toBeNull()
  },
)

test('PAR-16 an empty body where the content is said', async () => {
  const open = (content: string): Promise<any> => answering(answer('', 'application/json'), { content })()
  expect(await open('text')).toBe('')
  expect((await open('blob')).size).toBe(0)
  expect((await open('arrayBuffer')).byteLength).toBe(0)
  expect(await new Response(await open('stream')).text()).toBe('')
})

test('PAR-15 an override gets the Response and may return its headers', async () => {
  const response = answer('{"a":1}', 'application/json')
  response.headers.set('link', '<http://x/a?page=2>; rel="next"')
  response.headers.set('content-disposition', 'attachment; filename="a.json"')
  const endpoint = answering(response).extend({
    async parseResponse(this: any, given: Response) {
      const file = /filename="(.*)"/.exec(given.headers.get('content-disposition')!)![1]
      return { data: await super.parseResponse(given), next: given.headers.get('link'), file }
    },
  })
  expect(await endpoint()).toEqual({ data: { a: 1 }, next: '<http://x/a?page=2>; rel="next"', file: 'a.json' })
})

test.each([
  ['an error', new Error('cut')],
  ['a frozen error', Object.freeze(new Error('cut'))],
  ['a string', 'cut'],
  ['nothing', undefined],
])('FET-5 a body that cannot be read, because of %s', async (_, cause) => {
  for (const options of [{}, { content: 'blob' }, { schema: SCHEMA }]) {
    const error = await answering(() => answer(new ReadableStream({ start: (c) => c.error(cause) })), options)().catch(
      (fault: unknown) => fault,
    )
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ status: 500, code: 'transport' })
    expect(error === cause || error.cause === cause).toBe(true)
  }
})

test('FET-5 errors of fetchResponse: those with a status keep it, others are transport failures', async () => {
  const failing = (error: unknown): Promise<any> =>
    answering(() => {
      throw error as Error
    })().catch((fault: unknown) => fault)
  const own = Object.assign(new Error('gone'), { status: 410 })
  expect(await failing(own)).toBe(own)
  expect(own).toMatchObject({ status: 410 })
  expect('code' in own).toBe(false)
  const domain = new DOMException('late', 'TimeoutError')
  expect(await failing(domain)).toBe(domain)
  expect({ status: (domain as any).status, code: domain.code }).toEqual({ status: 500, code: 'transport' })
  const aborted = new DOMException('no', 'AbortError')
  expect(await failing(aborted)).toBe(aborted)
  expect((aborted as any).status).toBeUndefined()
})

test('FET-5 an error of an overridden parseResponse is left alone', async () => {
  const own = new Error('envelope')
  const endpoint = answering(answer('{}', 'application/json'), {
    parseResponse: async () => {
      throw own
    },
  })
  expect(await endpoint().catch((fault: unknown) => fault)).toBe(own)
  expect('status' in own).toBe(false)
})
