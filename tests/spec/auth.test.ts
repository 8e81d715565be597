// Ways to authenticate, against a server that checks: a cookie, a token of a class, a header of a hook.
import { hookifyResource, resource, RestEndpoint, type RestGenerics } from 'restitch'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { User } from '../../src/testing/entities.ts'
import { json, openServer, type TestServer } from '../server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.answer((request, response) => {
    const list = request.method === 'GET' && !request.url.startsWith('/users/')
    if (request.url === '/login') {
      return json({ token: 'secret' })(request, response)
    }
    if (request.url === '/private' && request.headers['access-token'] !== 'secret') {
      return json({ reason: 'who?' }, 401)(request, response)
    }
    json(list ? [{ id: '1', name: 'Ann' }] : { id: '1', name: 'Ann' })(request, response)
  })
})

/** The token of the request that came last. */
const token = (): string | undefined => server.last.headers['access-token'] as string | undefined

/** A resource on the server, created again for each test, with the given class. */
const open = (Endpoint: new (options: any) => any) =>
  resource({ urlPrefix: server.origin, path: '/users/:id', schema: User, Endpoint })

/** Calls every member of a resource, and what hangs on its list; gives the tokens that arrived. */
async function callAll(Users: ReturnType<typeof open>): Promise<(string | undefined)[]> {
  const calls = [
    () => Users.get({ id: 1 }),
    () => Users.getList(),
    () => Users.getList({ group: 'a' }),
    () => Users.create({ name: 'Ann' }),
    () => Users.getList.push({ name: 'Ann' }),
    () => Users.getList.unshift({ name: 'Ann' }),
    () => Users.getList.move({ id: 1 }, { name: 'Ann' }),
    () => Users.update({ id: 1 }, { name: 'Ann' }),
    () => Users.partialUpdate({ id: 1 }, { name: 'Ann' }),
    () => Users.delete({ id: 1 }),
    () => Users.get.extend({ dataExpiryLength: 5 })({ id: 1 }),
    () => Users.getList.push.extend({ dataExpiryLength: 5 })({ name: 'Ann' }),
  ]
  const tokens = []
  for (const call of calls) {
    await call()
    tokens.push(token())
  }
  return tokens
}

test('AUTH-1 INIT-4 a cookie session: every request is sent with credentials', async () => {
  class CookieEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override async getRequestInit(body?: any): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'same-origin' }
    }
  }
  const fetch = vi.spyOn(globalThis, 'fetch')
  try {
    await callAll(open(CookieEndpoint))
    expect(fetch).toHaveBeenCalled()
    for (const [, init] of fetch.mock.calls) {
      expect(init).toMatchObject({ credentials: 'same-origin' })
    }
    const bodies = fetch.mock.calls.map(([, init]) => init?.body).filter(Boolean)
    expect(bodies).toContain('{"name":"Ann"}')
  } finally {
    fetch.mockRestore()
  }
})

test.each([
  [
    "the class's own name",
    () => {
      class Authd<O extends RestGenerics = any> extends RestEndpoint<O> {
        static accessToken?: string
        override getHeaders(headers: { [name: string]: string }): HeadersInit {
          return Authd.accessToken ? { ...headers, 'Access-Token': Authd.accessToken } : headers
        }
      }
      return Authd
    },
  ],
  [
    'this.constructor',
    () =>
      class Authd<O extends RestGenerics = any> extends RestEndpoint<O> {
        static accessToken?: string
        override async getHeaders(headers: { [name: string]: string }): Promise<HeadersInit> {
          const { accessToken } = this.constructor as typeof Authd
          return { ...headers, ...(accessToken && { 'Access-Token': accessToken }) }
        }
      },
  ],
])('AUTH-2 AUTH-3 a token of the class, by %s, is sent by all members from the next request on', async (_, create) => {
  const Authd = create()
  const Users = open(Authd)
  expect(new Set(await callAll(Users))).toEqual(new Set([undefined]))
  Authd.accessToken = 'secret'
  expect(new Set(await callAll(Users))).toEqual(new Set(['secret']))
  Authd.accessToken = 'other'
  expect(new Set(await callAll(Users))).toEqual(new Set(['other']))
  delete Authd.accessToken
  await Users.get({ id: 1 })
  expect(token()).toBeUndefined()
})

test('AUTH-2 AUTH-5 the login call sets the token, and refused requests now succeed', async () => {
  class Authd<O extends RestGenerics = any> extends RestEndpoint<O> {
    static accessToken?: string
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return Authd.accessToken ? { ...headers, 'Access-Token': Authd.accessToken } : headers
    }
  }
  const login = new RestEndpoint({ urlPrefix: server.origin, path: '/login', method: 'POST' })
  const getPrivate = new Authd({ urlPrefix: server.origin, path: '/private' })
  await expect(getPrivate()).rejects.toMatchObject({ name: 'NetworkError', status: 401 })
  Authd.accessToken = (await login({ name: 'ann', password: 'p' })).token
  expect(await getPrivate()).toEqual([{ id: '1', name: 'Ann' }])
})

test('AUTH-6 a class made for one request keeps its token to itself', async () => {
  class Authd<O extends RestGenerics = any> extends RestEndpoint<O> {
    static accessToken?: string
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      const { accessToken } = this.constructor as typeof Authd
      return accessToken ? { ...headers, 'Access-Token': accessToken } : headers
    }
  }
  const serve = async (accessToken: string): Promise<void> => {
    class OfRequest extends Authd {
      static override accessToken = accessToken
    }
    const Users = open(OfRequest)
    await Users.get({ id: accessToken })
    await Users.getList.push({ name: accessToken })
  }
  await Promise.all(['a', 'b', 'c'].map(serve))
  expect(Authd.accessToken).toBeUndefined()
  const sent = server.received.map(({ url, body, headers }) => [
    headers['access-token'],
    body.length > 0 ? (JSON.parse(body.toString()) as User).name : url.split('/').at(-1),
  ])
  expect(sent).toHaveLength(6)
  for (const [by, of] of sent) {
    expect(by).toBe(of)
  }
})

test('HKF-1 HKF-2 HKF-6 AUTH-4 headers of a hook are sent by every member and by the extenders of the list', async () => {
  let context = 'a'
  const hooks = hookifyResource(open(RestEndpoint), () => ({ headers: { 'Access-Token': context } }))
  expect(Object.keys(hooks).toSorted()).toEqual([
    'useCreate',
    'useDelete',
    'useGet',
    'useGetList',
    'usePartialUpdate',
    'useUpdate',
  ])
  // One render reads all of its endpoints; the calls may come later.
  const render = (): ReturnType<typeof open> =>
    ({
      get: hooks.useGet(),
      getList: hooks.useGetList(),
      create: hooks.useCreate(),
      update: hooks.useUpdate(),
      partialUpdate: hooks.usePartialUpdate(),
      delete: hooks.useDelete(),
    }) as never
  const first = render()
  context = 'b'
  expect(new Set(await callAll(first))).toEqual(new Set(['a']))
  expect(new Set(await callAll(render()))).toEqual(new Set(['b']))
  expect(server.last.headers['content-type']).toBe('application/json')
})

test('HKF-4 the extenders of a list stay the same while the init does', () => {
  let context = 'a'
  const hooks = hookifyResource(open(RestEndpoint), () => ({ headers: { 'Access-Token': context } }))
  const { push } = hooks.useGetList()
  expect(hooks.useGetList().push).toBe(push)
  context = 'b'
  expect(hooks.useGetList().push).not.toBe(push)
  context = 'a'
  expect(hooks.useGetList().push).toBe(push)
})

test('HKF-7 AUTH-3 what the class and the resource send stays', async () => {
  class App<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(headers: { [name: string]: string }): HeadersInit {
      return { ...headers, 'X-App': 'app' }
    }
  }
  const Users = resource({
    urlPrefix: server.origin,
    path: '/users/:id',
    schema: User,
    Endpoint: App,
    requestInit: { headers: { 'X-Resource': 'users', 'Access-Token': 'nobody' } },
  })
  const hooks = hookifyResource(Users, () => ({ headers: { 'access-token': 'ann' } }))
  await hooks.useGet()({ id: 1 })
  expect(server.last.headers).toMatchObject({ 'x-app': 'app', 'x-resource': 'users', 'access-token': 'ann' })
})
