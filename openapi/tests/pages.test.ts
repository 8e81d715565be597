import { runInNewContext } from 'node:vm'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import type { Config } from '../src/index.ts'
import { body, build, file, finding, type Json, json, listOf, number, object, ref, text } from './describe.ts'

const yes: Json = { type: 'boolean' }
const param = (name: string, schema: Json = number, more: Json = {}): Json => ({ name, in: 'query', schema, ...more })
const content = listOf(ref('Pet'))

/** The code of a list of pets: its parameters, and its envelope. */
function pets(parameters: Json[], envelope: Json = content, config: Config = {}, schemas: Json = {}) {
  return build(
    {
      '/pets': { get: json(envelope, { parameters }), post: json(ref('Pet'), body(ref('Pet'))) },
      '/pets/{id}': { get: json(ref('Pet')) },
    },
    { Pet: object({ id: text, name: text }, ['id']), ...schemas },
    config,
  )
}
const codeOf = (...args: Parameters<typeof pets>): string => file(pets(...args), 'pets').replaceAll(/\s+/g, ' ')
const decision = (...args: Parameters<typeof pets>): string | undefined => finding(pets(...args), 'GET /pets', 'pages')

const SPRING = object({
  content,
  pageable: object({ pageNumber: number, sort: object({ sorted: yes }) }),
  sort: object({ sorted: yes, empty: yes }),
  totalElements: number,
  totalPages: number,
  last: yes,
  first: yes,
  empty: yes,
  number,
  size: number,
  numberOfElements: number,
})

test.each([
  ['a minimum of 0', { type: 'integer', minimum: 0 }, {}],
  ['a default of 0', { type: 'integer', default: 0 }, {}],
  ['its text', number, { description: 'Zero-based page index (0..N)' }],
])('pages count from zero: %s', (_, schema, more) => {
  expect(codeOf([param('page', schema as Json, more)])).toContain('nextPage(response, params?.page, { first: 0 })')
})

test('a text decides against a minimum that is a slip', () => {
  const page = param(
    'page',
    { type: 'integer', minimum: 0 },
    { description: 'Pages through results, starting at page `1`.' },
  )
  expect(codeOf([page])).not.toContain('first: 0')
})

test('a minimum of 1 is the usual first page, and a page without a base is unsure', () => {
  expect(codeOf([param('page', { type: 'integer', minimum: 1 })])).not.toContain('getNextPage')
  expect(decision([param('page', { type: 'integer', minimum: 1 })])).toBe('inferred: pages by "page"')
  expect(decision([param('page')])).toBe('unsure: pages by "page"')
  const { report } = pets([param('page')])
  expect(report.findings.find(({ kind }) => kind === 'pages')?.why).toContain(
    `operations: { 'GET /pets': { pages: { field: 'page', next: 'count', first: 0 } } }`,
  )
})

test('without a base, the number in the response is where the pages begin', () => {
  const code = codeOf([param('page')], object({ items: content, page: number, total: number }))
  expect(code).toContain('nextPage(response.items, params?.page ?? response.page, { total: response.total })')
})

test('an opaque text is no number', () => {
  const offset = param('offset', text, { description: 'An offset token. Use only one returned by the API.' })
  expect(decision([offset, param('limit')])).toBe('unsure: not paged')
  expect(codeOf([offset, param('limit')])).not.toContain('paginationField')
  const next = object({ data: content, next_page: object({ offset: text, uri: text }) })
  expect(codeOf([offset, param('limit')], next)).toContain('getNextPage: (response) => response.next_page?.offset')
})

test('a text that the description calls a number counts', () => {
  expect(codeOf([param('page', { ...text, default: '1' })])).toContain(`paginationField: 'page'`)
  expect(codeOf([param('pageNumber', text)])).toContain(`paginationField: 'pageNumber'`)
})

test('a date is no place in a list', () => {
  const range = [param('from', { ...text, format: 'date' }), param('to', { ...text, format: 'date' }), param('limit')]
  expect(codeOf(range)).not.toContain('paginationField')
  expect(codeOf([param('start', number, { description: 'Unix timestamp' }), param('limit')])).not.toContain(
    'paginationField',
  )
})

test('Page<T> of Spring is a list that counts from zero and ends', () => {
  const pageable = param(
    'pageable',
    object({ page: { type: 'integer', minimum: 0 }, size: number, sort: listOf(text) }),
  )
  const code = codeOf([pageable], SPRING)
  expect(code).toContain('content: new Collection([Pet]')
  expect(code).toContain(`counts: ['totalElements']`)
  expect(code).toContain(`paginationField: 'page'`)
  expect(code).toContain('nextPage(response.content, params?.page, { last: response.last, first: 0 })')
  expect(code).toContain(`nonFilterArgumentKeys: ['size']`)
  expect(code).toContain('page?: number | undefined')
})

test('HAL is a list in "_embedded", followed by its links', () => {
  const link = object({ href: { ...text, format: 'uri' } })
  const hal = object({
    _embedded: object({ petList: content }),
    _links: object({ self: link, next: link }),
    page: object({ size: number, totalElements: number, totalPages: number, number }),
  })
  const code = codeOf([param('page', { type: 'integer', minimum: 0 }), param('size')], hal)
  expect(code).toContain('_embedded: { petList: new Collection([Pet]')
  expect(code).toContain(`queryOf(response._links?.next?.href, 'page')`)
})

test('lists of plain data have pages', () => {
  const generated = build(
    {
      '/logs': {
        get: json(object({ entries: listOf(object({ line: text })), next_cursor: text }), {
          parameters: [param('cursor', text)],
        }),
      },
    },
    {},
  )
  const code = file(generated, 'logs').replaceAll(/\s+/g, ' ')
  expect(code).toContain(`entries: new Collection([typed<`)
  expect(code).toContain('getNextPage: (response) => response.next_cursor')
})

test.each([
  [
    'total and an offset',
    'offset',
    { total: number },
    'nextOffset(response.items, params?.offset, { total: response.total })',
  ],
  [
    'count and an offset',
    'offset',
    { count: number },
    'nextOffset(response.items, params?.offset, { count: response.count })',
  ],
  [
    'the number of pages',
    'page',
    { total_pages: number },
    'nextPage(response.items, params?.page, { pages: response.total_pages })',
  ],
  [
    'hasNextPage',
    'page',
    { hasNextPage: yes },
    'nextPage(response.items, params?.page, { more: response.hasNextPage })',
  ],
  ['isLast', 'page', { isLast: yes }, 'nextPage(response.items, params?.page, { last: response.isLast })'],
  [
    'a total, and the size of a page',
    'page',
    { meta: object({ total: number, per_page: number }) },
    'nextPage(response.items, params?.page, { total: response.meta?.total, size: response.meta?.per_page })',
  ],
])('%s end a list', (_, field, more, expected) => {
  expect(
    codeOf(
      [param(field, { type: 'integer', ...(field === 'page' && { minimum: 1 }) })],
      object({ items: content, ...more }),
    ),
  ).toContain(expected)
})

test('the size of a page that the description fixes tells which page is the last', () => {
  const page = param('page', { type: 'integer', minimum: 1 })
  const total = object({ items: content, total: number })
  const most = param('per_page', { type: 'integer', default: 20, maximum: 100 })
  expect(codeOf([page, most], total)).toContain('size: Math.min(params?.per_page ?? 20, 100)')
  expect(codeOf([page, param('per_page', { type: 'integer', default: 20 })], total)).toContain(
    'size: params?.per_page ? undefined : 20',
  )
})

test('the key of the last item is a cursor only where the description says so', () => {
  const more = object({ data: content, has_more: yes })
  expect(decision([param('starting_after', text)], more)).toBe('inferred: pages by "starting_after"')
  expect(decision([param('cursor', text)], more)).toBe('unsure: not paged')
  expect(codeOf([param('after', text)], object({ data: content, last_id: text, has_more: yes }))).toContain(
    '(response.has_more ? response.last_id : undefined)',
  )
})

test.each([
  ['The cursor to use in a subsequent request. If empty, this is the final response.', 'inferred: pages by "cursor"'],
  ['The cursor to fetch the next items of this list.', 'inferred: pages by "cursor"'],
  ['The cursor of this request.', 'unsure: not paged'],
])('a cursor beside the list is the next one, or the one that was sent: %s', (description, expected) => {
  expect(decision([param('cursor', text)], object({ data: content, cursor: { ...text, description } }))).toBe(expected)
})

test('a URL with several parameters is followed as a whole', () => {
  const next = object({ pets: content, next_page_uri: { ...text, format: 'uri' } })
  const code = codeOf([param('Page'), param('PageToken', text), param('PageSize')], next)
  expect(code).toContain('nextArgs(response.next_page_uri, params)')
  expect(code).not.toContain('paginationField')
})

test('the configuration adds a page that the description leaves out, unless another parameter may be it', () => {
  const envelope = object({ pets: content, meta: object({ next_page: number }) })
  const config: Config = {
    operations: { 'GET /pets': { pages: { field: 'page', next: { cursor: 'meta.next_page' } } } },
  }
  const added = pets([param('sort', text)], envelope, config)
  const code = file(added, 'pets').replaceAll(/\s+/g, ' ')
  expect(code).toContain(`paginationField: 'page'`)
  expect(code).toContain('getNextPage: (response) => response.meta?.next_page')
  expect(finding(added, 'GET /pets', 'pages')).toBe('unsure: "page" added')
  expect(() => pets([param('offset', number)], envelope, config)).toThrow(
    'which has no such parameter. It has: offset.',
  )
})

test('an envelope may have members that only describe it, and may be inside another', () => {
  const harmless = object({
    values: content,
    startAt: number,
    maxResults: number,
    isLast: yes,
    errors: listOf(object({ message: text })),
    status_code: number,
    links: object({ next: text }),
    meta: object({}),
  })
  expect(codeOf([param('startAt')], harmless)).toContain('values: new Collection([Pet]')
  const nested = object({ status: text, data: object({ items: content, total: number }) })
  const code = codeOf([param('offset')], nested)
  expect(code).toContain(`data: { items: new Collection([Pet], { counts: ['total'] }), total: 0 }`)
  expect(code).toContain('nextOffset(response.data?.items, params?.offset, { total: response.data?.total })')
})

test('a record is no envelope', () => {
  const pet = object({ id: text, name: text, toys: listOf(object({ name: text })) })
  expect(file(build({ '/pets/{id}': { get: json(pet) } }), 'pets')).not.toContain('Collection')
})

test('what says how many items come does not filter; without pages it cuts the list', () => {
  const fields = param('fields', text)
  expect(codeOf([param('page', { type: 'integer', minimum: 1 }), param('limit'), fields])).toContain(
    `nonFilterArgumentKeys: ['limit', 'fields']`,
  )
  expect(codeOf([param('limit'), fields])).toContain(`nonFilterArgumentKeys: ['fields']`)
  expect(codeOf([param('limit')])).not.toContain('nonFilterArgumentKeys')
})

test('paths that end in a format have entities', () => {
  const call = object({ sid: { ...text, minLength: 34, maxLength: 34 }, to: text })
  const generated = build(
    {
      '/Accounts/{AccountSid}/Calls.json': {
        get: json(object({ calls: listOf(ref('call')), page: number })),
        post: json(ref('call')),
      },
      '/Accounts/{AccountSid}/Calls/{Sid}.json': { get: json(ref('call')), delete: { responses: { 204: {} } } },
      '/Accounts/{AccountSid}/Queues/{QueueSid}/Calls.json': { get: json(object({ calls: listOf(ref('call')) })) },
    },
    { call },
  )
  expect(finding(generated, 'call')).toBe('inferred: an entity by "sid"')
  const code = file(generated, 'Accounts') || file(generated, 'accounts')
  expect(code).toContain(`path: '/Accounts/:AccountSid/Calls/:sid.json'`)
  expect(code).toContain(`path: '/Accounts/:AccountSid/Calls.json'`)
})

test('a list keeps the slash at the end of its path', () => {
  const generated = build(
    { '/pets/': { get: json(content), post: json(ref('Pet')) }, '/pets/{id}/': { get: json(ref('Pet')) } },
    { Pet: object({ id: text, name: text }) },
  )
  expect(file(generated, 'pets')).toContain(`getList: { path: '/pets/' }`)
})

test('a list without arguments, and a link that only some choices have', () => {
  const link = { ...text, format: 'uri' }
  const plain = codeOf([], object({ items: content, _links: object({ next: object({ href: link }) }) }))
  expect(plain).toContain('getNextPage: (response) => nextArgs(response._links?.next?.href)')
  const choice = object({
    items: content,
    links: object({ pages: { anyOf: [object({ next: link }), object({ prev: link })] } }),
  })
  expect(codeOf([param('page')], choice)).toContain(`queryOf(textAt(response, 'links', 'pages', 'next'), 'page')`)
})

test('an example may be any page, also the one that is the default', () => {
  expect(codeOf([param('page', { type: 'integer', default: 1, example: 1 })])).not.toContain('first: 0')
})

test('a number that names the next page ends the list with 0', () => {
  const envelope = object({ data: content, next_cursor: number })
  expect(codeOf([param('cursor')], envelope)).toContain('getNextPage: (response) => response.next_cursor || undefined')
})

test('a member with a dot in its name is one member', () => {
  const envelope = object({ value: content, 'odata.nextLink': text })
  expect(codeOf([], envelope)).toContain(`nextArgs(response['odata.nextLink'])`)
})

test.each([
  ['an id and a time', [param('after'), param('after_id', text)]],
  ['the key of the last item', [param('since_id')]],
])('the URL of the next page is followed as a whole if it may have another parameter: %s', (_, parameters) => {
  const code = codeOf(parameters, object({ data: content, next_url: text }))
  expect(code).toContain('getNextPage: (response, params) => nextArgs(response.next_url, params)')
})

test('a URL that leads back to the same page ends the list', () => {
  const { files } = pets([param('limit')], object({ data: content, next_url: text }))
  const source = /function nextArgs[\s\S]*?\n}\n/.exec(files.get('api.ts')!)![0]
  const code = transformSync(source, { loader: 'ts' }).code
  const nextArgs = runInNewContext(`${code}; nextArgs`, { URL }) as (url: string, params?: object) => unknown
  expect(nextArgs('https://x.test/pets?at=2&limit=3', { limit: 3 })).toEqual([{ at: '2', limit: '3' }])
  expect(nextArgs('https://x.test/pets?limit=3', { limit: 3 })).toBeUndefined()
  expect(nextArgs('/pets')).toBeUndefined()
})

test('a token to wait for changes is no page', () => {
  const envelope = object({ data: content, nextWaitToken: text })
  expect(decision([param('waitToken', text)], envelope)).toBe('unsure: not paged')
})
