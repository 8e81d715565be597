// PER-6, PER-12: what the headers of a response mean for the disk.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { etagEndpoint } from '../etag/etagEndpoint.ts'
import { NetworkError } from '../rest/NetworkError.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { SavedTodo as Todo, Tabs } from '../testing/Tabs.ts'

let tabs: Tabs
let headers: Record<string, string>
let requests: (string | null)[]

const options = {
  urlPrefix: 'https://api.test',
  path: '/todos/:id',
  schema: Todo,
  async fetchResponse(url: string, given: RequestInit): Promise<Response> {
    const condition = new Headers(given.headers).get('if-none-match')
    requests.push(condition)
    const init = { status: 304, headers: { 'content-type': 'application/json', ...headers } }
    if (condition === '"v1"') {
      throw new NetworkError(new Response(null, init), url, 'GET')
    }
    return new Response(JSON.stringify({ id: '1', title: 'secret', done: false }), { ...init, status: 200 })
  },
} as const

beforeEach(() => {
  tabs = new Tabs()
  headers = {}
  requests = []
})
afterEach(() => tabs.close())

test.each([
  ['no-store', 0],
  ['private, No-Store', 0],
  ['no-cache', 3],
])('PER-6 a response with Cache-Control: %s', async (value, rows) => {
  headers['cache-control'] = value
  const store = tabs.open()
  await store.controller.fetch(new RestEndpoint({ ...options }), { id: '1' })
  await tabs.clock.pass(500)
  expect((await tabs.disk()).size).toBe(rows)
})

test('PER-12 the ETag of a result survives: the first request after a reload is conditional', async () => {
  headers['etag'] = '"v1"'
  const get: any = new (etagEndpoint())({ ...options })
  const first = tabs.open()
  await first.controller.fetch(get, { id: '1' })
  await tabs.clock.pass(500)
  const second = tabs.open()
  await tabs.clock.pass(0)
  await second.controller.fetch(get, { id: '1' })
  expect(requests).toEqual([null, '"v1"'])
  expect(tabs.read(second, get, { id: '1' }).title).toBe('secret')
  // And again, without a body in between.
  await second.controller.fetch(get, { id: '1' })
  expect(requests).toEqual([null, '"v1"', '"v1"'])
})

test('PER-12 no condition for data that has changed since it was restored', async () => {
  headers['etag'] = '"v1"'
  const get: any = new (etagEndpoint())({ ...options })
  await tabs.open().controller.fetch(get, { id: '1' })
  await tabs.clock.pass(500)
  const second = tabs.open()
  await tabs.clock.pass(0)
  await second.controller.set(Todo, { id: '1' }, { id: '1', title: 'other', done: true })
  await second.controller.fetch(get, { id: '1' })
  expect(requests).toEqual([null, null])
})
