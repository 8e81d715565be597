// Many gets, one request: against a server that lacks records, refuses ids, responds with nonsense, breaks or hangs.
import type { ServerResponse } from 'node:http'
import { Controller, createStore, Entity, getDefaultManagers, NetworkError, resource, RestEndpoint } from 'restitch'
import { adaptEndpoint } from 'restitch/adapt'
import { createAuth } from 'restitch/auth'
import { type BatchOptions, withBatch } from 'restitch/batch'
import { MockController } from 'restitch/mock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { recording } from '../../src/explain/observers.ts'
import { until } from '../../src/testing/outcomes.ts'
import { type Answer, json, openServer, type Received, send, type TestServer } from '../server.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

let server: TestServer
let stores: { stop(): void }[]
let missing: ReadonlySet<string>
/** Responds to requests with several ids in another way. */
let onBatch: Answer | undefined

const record = (id: string) => ({ id, name: `user ${id}` })
const idsOf = ({ url }: Received): string[] => new URL(url, 'http://a').searchParams.get('ids')?.split(',') ?? []
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  stores = []
  missing = new Set()
  onBatch = undefined
  server.answer((request, response) => {
    const ids = idsOf(request)
    const found = ids.filter((id) => !missing.has(id))
    if (ids.length > 0) {
      return (onBatch ?? json(found.toReversed().map(record)))(request, response)
    }
    const id = decodeURIComponent(request.url.split('?')[0]!.split('/').at(-1)!)
    return (missing.has(id) ? json({ message: 'no such user' }, 404) : json(record(id)))(request, response)
  })
})
afterEach(() => {
  stores.forEach((store) => store.stop())
  vi.restoreAllMocks()
})

const lines = (): string[] => server.received.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`)
const openStore = () => {
  const store = createStore()
  stores.push(store)
  return store.controller
}
const open = (options: Partial<BatchOptions> = {}, more: object = {}) => {
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User, ...more } as {
    path: '/users/:id'
    schema: typeof User
  }).extend(({ get }) => ({ get: withBatch(get, { param: 'ids', max: 50, ...options }) }))
  const controller = openStore()
  const getAll = (...ids: (string | number)[]): Promise<any[]> =>
    Promise.all(ids.map((id) => controller.fetch(Users.get, { id })))
  const settle = (...ids: string[]) => Promise.allSettled(ids.map((id) => controller.fetch(Users.get, { id })))
  return { Users, controller, getAll, settle, fetch: controller.fetch }
}

test('BAT-1 gets of one tick become one request, and each caller gets its own record', async () => {
  const { Users, controller, getAll } = open()
  const users = await getAll('1', '2', 3)
  expect(users.map(({ name }) => name)).toEqual(['user 1', 'user 2', 'user 3'])
  expect(users[0]).toBeInstanceOf(User)
  expect(lines()).toEqual(['GET /users?ids=1,2,3'])
  // Each result has its own key, and its own age.
  expect(controller.getResponse(Users.get, { id: '2' })).toMatchObject({ data: { name: 'user 2' }, expiryStatus: 3 })
  await controller.expireAll({ testKey: (key) => key.endsWith('/users/2') })
  await controller.fetchIfStale(Users.get, { id: '1' })
  await controller.fetchIfStale(Users.get, { id: '2' })
  expect(lines().slice(1)).toEqual(['GET /users/2'])
})

test('BAT-1 readers that are mounted together send one request', async () => {
  const { Users, controller } = open()
  const store = stores[0] as ReturnType<typeof createStore>
  const views = ['1', '2'].map((id) => store.view(Users.get, { id }))
  const ends = views.map((view) => view.subscribe(() => {}))
  await until(() => views.every((view) => view.read().data !== undefined))
  expect(lines()).toEqual(['GET /users?ids=1,2'])
  await controller.expireAll(Users.get)
  await until(() => server.received.length === 2)
  expect(lines()[1]).toBe('GET /users?ids=1,2')
  ends.forEach((end) => end())
})

test('BAT-2 one get alone is sent as it is, and so is a get with an id that has a comma', async () => {
  const { getAll } = open()
  await getAll('1')
  await getAll('a', 'b', 'c,d')
  expect(lines()).toEqual(['GET /users/1', 'GET /users/c,d', 'GET /users?ids=a,b'])
})

test('BAT-2 a request has at most `max` ids', async () => {
  const { getAll } = open({ max: 2 })
  expect(await getAll('1', '2', '3', '4', '5')).toHaveLength(5)
  expect(lines().toSorted()).toEqual(['GET /users/5', 'GET /users?ids=1,2', 'GET /users?ids=3,4'])
})

test('BAT-3 other parameters, endpoints and stores are not mixed; direct calls are sent at once', async () => {
  const get = withBatch(
    new RestEndpoint({
      urlPrefix: server.origin,
      path: '/teams/:team/users/:id',
      searchParams: {} as { lang?: string },
    }),
    { param: 'ids' },
  )
  const [a, b] = [openStore(), openStore()]
  const ids = ['1', '2']
  await Promise.all([
    ...ids.map((id) => a.fetch(get, { team: 'x', id })),
    ...ids.map((id) => a.fetch(get, { team: 'y', id })),
    ...ids.map((id) => a.fetch(get, { team: 'x', id, lang: 'en' })),
    ...ids.map((id) => b.fetch(get, { team: 'x', id })),
    ...ids.map((id) => b.fetch(get.extend({ getHeaders: () => ({ 'X-A': '1' }) }), { team: 'z', id: `h${id}` })),
    get({ team: 'x', id: '9' }),
    get({ team: 'x', id: '8' }),
  ])
  expect(lines().toSorted()).toEqual(
    [
      'GET /teams/x/users/8',
      'GET /teams/x/users/9',
      'GET /teams/x/users?ids=1,2',
      'GET /teams/x/users?ids=1,2',
      'GET /teams/x/users?ids=1,2&lang=en',
      'GET /teams/y/users?ids=1,2',
      'GET /teams/z/users/h1',
      'GET /teams/z/users/h2',
    ].toSorted(),
  )
})

test('BAT-3 mutations and members that are made from it are sent as they are', async () => {
  const { Users, controller } = open()
  const { close, me } = Users.extend('close', { path: '/users/:id', method: 'POST', body: undefined }).extend('me', {
    path: '/me/:id',
  })
  await Promise.all(['1', '2'].map((id) => controller.fetch(close, { id })))
  await Promise.all(['1', '2'].map((id) => controller.fetch(me, { id })))
  expect(lines()).toEqual(['POST /users/1', 'POST /users/2', 'GET /me/1', 'GET /me/2'])
})

test('BAT-4 a record that the response lacks is a 404 of its caller; nothing that is stored is lost', async () => {
  const { Users, controller, getAll, settle } = open()
  await getAll('1', '2')
  missing = new Set(['2', '3'])
  const [one, two, three] = await settle('1', '2', '3')
  expect(one).toMatchObject({ status: 'fulfilled', value: { name: 'user 1' } })
  for (const [at, rejected] of [two, three].entries()) {
    const { reason } = rejected as PromiseRejectedResult
    expect(reason).toBeInstanceOf(NetworkError)
    expect(reason).toMatchObject({ status: 404, method: 'GET' })
    expect(reason.message).toContain(`has no record with "id": "${at + 2}"`)
  }
  expect(lines().slice(1)).toEqual(['GET /users?ids=1,2,3'])
  expect(controller.get(User, { id: '2' })).toMatchObject({ name: 'user 2' })
  expect(controller.getError(Users.get, { id: '3' })).toMatchObject({ status: 404 })
  expect(controller.getError(Users.get, { id: '1' })).toBeUndefined()
})

describe('BAT-5 responses that are no list', () => {
  test.each<[string, Answer]>([
    ['an object', json({ users: [] })],
    ['nothing', send('', {}, 204)],
    ['text', send('"x"', { 'content-type': 'application/json' })],
    ['HTML', send('<html>', { 'content-type': 'text/html' })],
  ])('%s', async (_, answer) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { Users, controller, getAll, settle } = open()
    await getAll('1', '2')
    onBatch = answer
    const results = await settle('1', '2')
    for (const result of results) {
      expect((result as PromiseRejectedResult).reason).toMatchObject({ status: 400, refused: true })
    }
    // Its error is soft: readers keep what they have.
    expect(controller.getResponse(Users.get, { id: '1' }).data).toMatchObject({ name: 'user 1' })
    expect(controller.getError(Users.get, { id: '1' })).toBeUndefined()
  })

  test('the error says what to do', async () => {
    const { settle } = open()
    onBatch = json({ users: [] })
    const [{ reason }] = (await settle('1', '2')) as [PromiseRejectedResult, unknown]
    expect(reason).toMatchObject({ code: 'batch-response' })
    expect(reason.message).toContain(`process: (body) => body.data`)
  })

  test('records that are none are passed over', async () => {
    const { settle } = open()
    onBatch = json([null, 5, 'x', [], { name: 'nobody' }, record('2')])
    expect(await settle('1', '2')).toMatchObject([{ reason: { status: 404 } }, { value: { name: 'user 2' } }])
  })
})

test('BAT-6 if the server refuses the ids, each is requested on its own, and each has its own error', async () => {
  const { settle } = open()
  missing = new Set(['2'])
  onBatch = json({ message: 'one of the ids is wrong' }, 404)
  expect(await settle('1', '2', '3')).toMatchObject([
    { value: { name: 'user 1' } },
    { reason: { status: 404, message: 'no such user' } },
    { value: { name: 'user 3' } },
  ])
  expect(lines()).toEqual(['GET /users?ids=1,2,3', 'GET /users/1', 'GET /users/2', 'GET /users/3'])
})

test.each([
  ['a server that fails', json({}, 503), { status: 503 }, 2],
  ['too many requests', json({}, 429), { status: 429 }, 2],
  ['a broken connection', (_: Received, response: ServerResponse) => void response.destroy(), { code: 'transport' }, 2],
])('BAT-6 all callers get the error: %s', async (_, answer, error, requests) => {
  const { getAll, settle } = open()
  await getAll('1', '2')
  onBatch = answer
  expect(await settle('1', '2')).toMatchObject([{ reason: error }, { reason: error }])
  expect(server.received).toHaveLength(requests)
})

describe('BAT-7 abort', () => {
  const hang: Answer = () => {}

  test('an aborted get is not requested, and does not end the others', async () => {
    const { Users, controller } = open()
    const all = ['1', '2', '3'].map((id) => controller.fetch(Users.get, { id }).catch((error: Error) => error.name))
    await controller.abort(Users.get, { id: '2' })
    expect(await Promise.all(all)).toMatchObject([{ id: '1' }, 'AbortError', { id: '3' }])
    expect(lines()).toEqual(['GET /users?ids=1,3'])
  })

  test('the request ends when every get is aborted, and goes on before', async () => {
    const { Users, controller } = open()
    let isClosed = false
    onBatch = (_request, response) => void response.on('close', () => (isClosed = true))
    const all = ['1', '2'].map((id) => controller.fetch(Users.get, { id }).catch((error: Error) => error.name))
    await until(() => server.received.length === 1)
    await controller.abort(Users.get, { id: '1' })
    expect(await all[0]).toBe('AbortError')
    expect(isClosed).toBe(false)
    await controller.abort(Users.get, { id: '2' })
    expect(await all[1]).toBe('AbortError')
    await until(() => isClosed)
    expect(isClosed).toBe(true)
  })

  test('a reset rejects every caller', async () => {
    const { controller, settle } = open()
    onBatch = hang
    const all = settle('1', '2')
    await until(() => server.received.length === 1)
    await controller.resetEntireStore()
    expect(await all).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  })
})

test('BAT-8 it combines with tokens, casing, envelopes, validation and process', async () => {
  class Person extends Entity {
    id = ''
    fullName = ''
    static override key = 'Person'
  }
  const auth = createAuth({ origins: [server.origin], refresh: () => ({ accessToken: 'a' }) })
  await auth.signIn({ accessToken: 'a' })
  const People = resource({
    urlPrefix: server.origin,
    path: '/people/:id',
    schema: Person,
    Endpoint: adaptEndpoint({ casing: 'snake', envelope: 'data' }, auth.Endpoint),
  }).extend(({ get }) => ({
    get: withBatch(
      get.extend({
        validateResponse: z.object({ id: z.string(), fullName: z.string() }),
        process: (value) => ({ ...value, fullName: value.fullName.toUpperCase() }),
      }),
      { param: 'ids' },
    ),
  }))
  onBatch = json({
    data: [
      { id: '1', full_name: 'ann' },
      { id: '2', full_name: 5 },
    ],
  })
  const { controller } = createStore({ managers: [auth.manager, ...getDefaultManagers()] })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const results = await Promise.allSettled(['1', '2'].map((id) => controller.fetch(People.get, { id })))
  expect(results).toMatchObject([{ value: { fullName: 'ANN' } }, { reason: { code: 'validate-response' } }])
  expect(server.last.headers.authorization).toBe('Bearer a')
  expect(lines()).toEqual(['GET /people?ids=1,2'])
})

test('BAT-8 another path, another field, and an envelope of its own', async () => {
  const { getAll } = open(
    {
      path: '/users/lookup',
      field: 'name',
      process: (body) => Object.values(body.found as object),
    },
    { strict: false },
  )
  onBatch = json({ found: { x: { id: '1', name: 'ann' }, y: { id: '2', name: 'bea' } } })
  expect(await getAll('ann', 'bea')).toMatchObject([{ id: '1' }, { id: '2' }])
  expect(lines()).toEqual(['GET /users/lookup?ids=ann,bea'])
})

test('BAT-8 fixtures respond to each get', async () => {
  const { Users } = open()
  const { controller } = createStore({
    Controller: MockController(Controller, {
      fixtures: ['1', '2'].map((id) => ({ endpoint: Users.get, args: [{ id }], response: record(id) })) as any,
    }),
  })
  expect(await Promise.all(['1', '2'].map((id) => controller.fetch(Users.get, { id })))).toHaveLength(2)
  expect(server.received).toHaveLength(0)
})

test('BAT-9 options that make no sense are errors where they are written', () => {
  const get = new RestEndpoint({ path: '/teams/:team/users/:id' })
  expect(() => withBatch(get, { param: 'ids', path: '/users' })).toThrow('[batch-options]')
  expect(() => withBatch(get, { param: 'ids', max: 0 })).toThrow('has a "max" of 0')
  expect(() => withBatch(new RestEndpoint({ path: '/me' }), { param: 'ids' })).toThrow('[path-no-param]')
})

test('BAT-8 the devtools, which note all responses, change nothing', async () => {
  recording.isOn = true
  try {
    const { getAll, settle } = open()
    missing = new Set(['9'])
    expect(await getAll('1', '2')).toMatchObject([{ name: 'user 1' }, { name: 'user 2' }])
    const [found, lost] = await settle('3', '9')
    expect([found?.status, lost]).toMatchObject(['fulfilled', { reason: { status: 404 } }])
    expect(lines()).toEqual(['GET /users?ids=1,2', 'GET /users?ids=3,9'])
  } finally {
    recording.isOn = false
  }
})
