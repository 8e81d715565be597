// `createAuth` against a server that issues tokens, rotates them and fails in every way.
import {
  type Clock,
  createStore,
  Entity,
  getDefaultManagers,
  resource,
  ResetError,
  RestEndpoint,
  serializeState,
} from 'restitch'
import { type AuthOptions, createAuth, type SignedOutError, type Tokens } from 'restitch/auth'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { until } from '../../src/testing/outcomes.ts'
import { TestClock } from '../../src/testing/TestClock.ts'
import { Held, stall } from '../faults/server.ts'
import { type Answer, json, openServer, redirect, send, type TestServer } from '../server.ts'

interface Pair extends Tokens {
  readonly refreshToken: string
}

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
}

let server: TestServer
let other: TestServer
/** The access token and the refresh token that the server accepts. */
let valid: { access: string; refresh: string }
let issued: number
let toRefresh: Answer
let toUser: Answer
const opened: { stop(): void }[] = []

beforeAll(async () => {
  server = await openServer()
  other = await openServer(json({ id: 'other' }))
})
afterAll(() => Promise.all([server.close(), other.close()]))
beforeEach(() => {
  // Newer versions of Node have locks for all tests of a process.
  vi.stubGlobal('navigator', undefined)
  issued = 1
  valid = { access: 'access-1', refresh: 'refresh-1' }
  toRefresh = rotate
  toUser = (request, response) =>
    json({ id: request.url.split('/')[2], name: 'Ann', body: request.body.toString() })(request, response)
  server.answer((request, response) => {
    if (request.url === '/refresh') {
      return toRefresh(request, response)
    }
    const isValid = request.headers.authorization === `Bearer ${valid.access}`
    return (isValid ? toUser : json({ message: 'expired' }, 401))(request, response)
  })
  other.answer(json({ id: 'other' }))
})
afterEach(() => {
  opened.splice(0).forEach((store) => store.stop())
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A refresh token works once; the second use is refused. */
const rotate: Answer = (request, response) => {
  const { refreshToken } = JSON.parse(request.body.toString()) as Pair
  if (refreshToken !== valid.refresh) {
    return json({ message: 'reused' }, 401)(request, response)
  }
  issued += 1
  valid = { access: `access-${issued}`, refresh: `refresh-${issued}` }
  json({ accessToken: valid.access, refreshToken: valid.refresh })(request, response)
}

const urls = (): string[] => server.received.map(({ method, url }) => `${method} ${url}`)
const count = (url: string): number => urls().filter((one) => one.endsWith(url)).length
const expired: Pair = { accessToken: 'access-0', refreshToken: 'refresh-1' }
/** Waits until the server has seen so many requests of this kind. */
const arrive = (url: string, times = 1): Promise<void> => vi.waitFor(() => expect(count(url)).toBe(times))

/** A clock on which every wait is over at once. */
const eager: Clock = {
  now: () => Date.now(),
  setTimeout: (run) => setImmediate(run),
  clearTimeout: (timer) => clearImmediate(timer as NodeJS.Immediate),
}

/** An app with a storage of its own, or with that of another tab. */
function open({
  tokens = expired,
  storage = { tokens },
  clock = eager,
  ...more
}: Partial<AuthOptions<Pair>> & {
  tokens?: Pair | null
  storage?: { tokens: Pair | null | undefined }
  clock?: Clock
} = {}) {
  const ends: SignedOutError[] = []
  const refresh = new RestEndpoint({
    urlPrefix: server.origin,
    path: '/refresh',
    method: 'POST',
    body: {} as { refreshToken: string },
  })
  const auth = createAuth<Pair>({
    origins: [server.origin],
    load: () => storage.tokens,
    save: (saved) => (storage.tokens = saved),
    refresh: ({ refreshToken }) => refresh({ refreshToken }),
    onSignOut: (error) => ends.push(error),
    ...more,
  })
  const store = createStore({ managers: [auth.manager, ...getDefaultManagers()], clock })
  opened.push(store)
  const Users = resource({ urlPrefix: server.origin, path: '/users/:id', schema: User, Endpoint: auth.Endpoint })
  const { fetch, set, get, getState, resetEntireStore } = store.controller
  return { auth, store, Users, storage, ends, fetch, set, get, getState, resetEntireStore }
}

/** Locks as browsers have them. */
function stubLocks(): void {
  const queues = new Map<string, Promise<unknown>>()
  vi.stubGlobal('navigator', {
    locks: {
      request(name: string, run: () => Promise<unknown>) {
        const done = (queues.get(name) ?? Promise.resolve()).then(run)
        queues.set(
          name,
          done.catch(() => {}),
        )
        return done
      },
    },
  })
}

const jwt = (exp: number): string => `h.${btoa(JSON.stringify({ sub: 'ann', exp: exp / 1_000 }))}.s`

test('TOK-4 the store is reset and onSignOut is called before React can render', async () => {
  const order: string[] = []
  const { auth, store, Users, fetch } = open({
    tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' },
    onSignOut: () => order.push(`signed out, ${String(store.controller.get(User, { id: '1' })?.name)}`),
  })
  await fetch(Users.get, { id: '1' })
  // React renders what an external store has changed in a microtask.
  const end = store.view(Users.get, { id: '1' }).subscribe(() => queueMicrotask(() => order.push('render')))
  await auth.signOut()
  end()
  expect(order.slice(0, 2)).toEqual(['signed out, undefined', 'render'])
})

test('TOK-1 the token goes to the named origins and to no other', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { auth, fetch, Users } = open({ tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' } })
  await fetch(Users.get, { id: '1' })
  expect(server.last.headers.authorization).toBe('Bearer access-1')
  other.answer(json({ message: 'who?' }, 401))
  const elsewhere = new auth.Endpoint({ urlPrefix: other.origin, path: '/users' })
  await expect(elsewhere()).rejects.toMatchObject({ status: 401 })
  expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined])
  expect(count('/refresh')).toBe(0)
  expect(warn).toHaveBeenCalledWith(expect.stringContaining(other.origin))
})

test.each([
  ['Authorization', undefined],
  ['a header of the app', ({ accessToken }: Pair) => ({ 'Access-Token': accessToken })],
])('TOK-1 %s does not follow a redirect to another origin, even one that is allowed', async (_, headers) => {
  const { Users } = open({
    tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' },
    ...(headers && { headers }),
  })
  server.answer(redirect(302, `${other.origin}/taken`))
  await Users.get
    .extend({ allowRedirectTo: [other.origin] })({ id: '1' })
    .catch(() => {})
  await Users.get({ id: '1' }).catch(() => {})
  for (const { rawHeaders } of other.received) {
    expect(rawHeaders.join()).not.toContain('access-1')
  }
  expect(other.received.length).toBe(headers ? 0 : 1)
})

test('TOK-1 a 401 of an origin that a redirect led to refreshes nothing', async () => {
  const { Users } = open({ tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' } })
  server.answer(redirect(302, `${other.origin}/taken`))
  other.answer(json({}, 401))
  await expect(Users.get.extend({ allowRedirectTo: [other.origin] })({ id: '1' })).rejects.toMatchObject({
    status: 401,
  })
  expect(count('/refresh')).toBe(0)
})

test('auth-origins an origin that is no address is refused at once', () => {
  expect(() => createAuth({ origins: ['api.test'], refresh: () => expired })).toThrow(/auth-origins/)
})

test('TOK-2 requests with an expired token share one refresh, and each is repeated once', async () => {
  const { fetch, Users, storage } = open()
  const users = await Promise.all(['1', '2', '3'].map((id) => fetch(Users.get, { id })))
  expect(users.map(({ id }) => id)).toEqual(['1', '2', '3'])
  expect([count('/refresh'), urls().length]).toEqual([1, 7])
  expect(storage.tokens).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' })
})

test('TOK-2 a 401 that arrives after the refresh is repeated without another', async () => {
  const { fetch, Users } = open()
  const held = new Held()
  const serve = server
  server.answer((request, response) => {
    if (request.url === '/refresh') {
      return rotate(request, response)
    }
    if (request.url === '/users/2' && request.headers.authorization === 'Bearer access-0') {
      return held.answer(request, response)
    }
    const isValid = request.headers.authorization === `Bearer ${valid.access}`
    return (isValid ? toUser : json({}, 401))(request, response)
  })
  const late = fetch(Users.get, { id: '2' })
  await fetch(Users.get, { id: '1' })
  await held.come(1)
  held.say(0, {}, 401)
  expect(await late).toMatchObject({ id: '2' })
  expect(serve.received.filter(({ url }) => url === '/refresh').length).toBe(1)
})

test('TOK-2 a request that starts during a refresh waits for it', async () => {
  const { fetch, Users } = open()
  const held = new Held()
  toRefresh = held.answer
  const first = fetch(Users.get, { id: '1' })
  await held.come(1)
  const second = fetch(Users.get, { id: '2' })
  await arrive('/users/2')
  valid.access = 'access-9'
  held.say(0, { accessToken: 'access-9', refreshToken: 'refresh-9' })
  await Promise.all([first, second])
  expect(count('/refresh')).toBe(1)
})

test('TOK-2 a mutation is repeated with its body; a second 401 rejects', async () => {
  const { fetch, Users } = open()
  await fetch(Users.partialUpdate, { id: '1' }, { name: 'Bo' })
  const bodies = server.received.filter(({ method }) => method === 'PATCH').map(({ body }) => body.toString())
  expect(bodies).toEqual(['{"name":"Bo"}', '{"name":"Bo"}'])
  server.answer((request, response) =>
    (request.url === '/refresh' ? rotate : json({ message: 'not you' }, 401))(request, response),
  )
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ status: 401, message: 'not you' })
  expect(urls()).toEqual(['GET /users/1', 'POST /refresh', 'GET /users/1'])
})

test('TOK-2 a stream cannot be sent twice: the 401 rejects, and the token is refreshed for the next request', async () => {
  const { auth } = open()
  const upload = new auth.Endpoint({
    urlPrefix: server.origin,
    path: '/users',
    method: 'POST',
    body: {} as ReadableStream,
  })
  const stream = (): ReadableStream => new Blob(['x']).stream()
  await expect(upload(stream())).rejects.toMatchObject({ status: 401 })
  expect(urls()).toEqual(['POST /users', 'POST /refresh'])
  await upload(stream())
  expect(urls().length).toBe(3)
})

test.each([
  ['expiresAt', (at: number) => ({ accessToken: 'access-1', expiresAt: at })],
  ['exp of a JWT', (at: number) => ({ accessToken: jwt(at) })],
])('TOK-3 a token about to expire is refreshed before the request: %s', async (_, make) => {
  const clock = new TestClock()
  const tokens = { ...make(clock.time + 300_000), refreshToken: 'refresh-1' }
  const { fetch, Users } = open({ tokens, clock })
  valid.access = tokens.accessToken
  await fetch(Users.get, { id: '1' })
  clock.time += 269_000
  await fetch(Users.get, { id: '1' })
  expect(count('/refresh')).toBe(0)
  clock.time += 2_000
  await fetch(Users.get, { id: '1' })
  expect(urls().slice(2)).toEqual(['POST /refresh', 'GET /users/1'])
})

test('TOK-3 a clock that is wrong does not refresh before every request', async () => {
  const clock = new TestClock(5_000_000_000_000)
  const { fetch, Users } = open({ clock, tokens: { ...expired, expiresAt: 1_000 } })
  toRefresh = json({ accessToken: 'access-1', refreshToken: 'r', expiresAt: 2_000 })
  await fetch(Users.get, { id: '1' })
  await fetch(Users.get, { id: '1' })
  expect(urls()).toEqual(['POST /refresh', 'GET /users/1', 'GET /users/1'])
})

test('TOK-3 if that refresh fails, the request is sent with the token at hand', async () => {
  const clock = new TestClock()
  const tokens = { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAt: clock.time - 1 }
  const { fetch, Users, ends } = open({ tokens, clock })
  toRefresh = json({}, 503)
  expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
  await fetch(Users.get, { id: '2' })
  expect(urls()).toEqual(['POST /refresh', 'GET /users/1', 'GET /users/2'])
  clock.time += 5_000
  toRefresh = rotate
  await fetch(Users.get, { id: '3' })
  expect(urls().slice(3)).toEqual(['POST /refresh', 'GET /users/3'])
  expect(ends).toEqual([])
})

test('TOK-4 signed-out a refused refresh resets the store; waiting requests reject with one error; the callback runs', async () => {
  const { fetch, Users, set, get, storage, ends, auth } = open()
  await set(User, { id: '7' }, { id: '7', name: 'Old' })
  toRefresh = json({ message: 'session revoked' }, 401)
  const results: any[] = await Promise.allSettled(['1', '2'].map((id) => fetch(Users.get, { id })))
  expect(results[0].reason).toBe(results[1].reason)
  expect(results[0].reason).toMatchObject({ code: 'signed-out', status: 401, reason: 'refused' })
  expect(results[0].reason.cause.message).toBe('session revoked')
  await vi.waitFor(() => expect(ends).toEqual([results[0].reason]))
  expect(get(User, { id: '7' })).toBeUndefined()
  expect(storage.tokens).toBeUndefined()
  // Nobody is signed in: requests are sent without a token, and their 401 is theirs.
  expect(await auth.getTokens()).toBeUndefined()
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ name: 'NetworkError', status: 401 })
  expect(server.last.headers.authorization).toBeUndefined()
  expect(count('/refresh')).toBe(1)
})

const FAILURES: Record<string, Answer> = {
  'a 500': json({ message: 'down' }, 500),
  'a 429': json({}, 429),
  'a cut connection': (_, response) => response.socket?.destroy(),
  'a page of HTML': send('<html>Welcome to our network</html>', { 'content-type': 'text/html' }),
  'a page of HTML that says it is JSON': send('<html></html>', { 'content-type': 'application/json' }),
  'an empty response': send('', {}, 204),
  'a response without a token': json({ secret: 'refresh-1' }),
  'a token that no header can carry': json({ accessToken: 'a\r\nb', refreshToken: 'c' }),
}
test.each(Object.entries(FAILURES))(
  'TOK-5 auth-refresh auth-tokens %s keeps the session, and the next request tries again',
  async (_, answer) => {
    const { fetch, Users, storage, ends, set, get } = open()
    await set(User, { id: '7' }, { id: '7', name: 'Kept' })
    toRefresh = answer
    const error: any = await fetch(Users.get, { id: '1' }).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ code: 'auth-refresh', status: 500 })
    expect(error.cause).toBeInstanceOf(Error)
    for (const text of [error.message, error.cause.message, String(error.stack)]) {
      expect(text).not.toMatch(/refresh-1|access-0|a\r\nb/)
    }
    expect([storage.tokens, ends]).toEqual([expired, []])
    expect(get(User, { id: '7' })).toMatchObject({ name: 'Kept' })
    toRefresh = rotate
    expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
  },
)

test('TOK-11 a request can be aborted while the refresh gets no response', async () => {
  const { fetch, Users, ends } = open()
  toRefresh = stall(false)
  const clock = new AbortController()
  const waiting = fetch(Users.get.extend({ signal: clock.signal }), { id: '1' })
  await arrive('/refresh')
  clock.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
  expect(ends).toEqual([])
})

test('TOK-6 a sign-out during a refresh wins: its tokens are dropped, and waiting requests reject', async () => {
  const { auth, fetch, Users, storage, ends } = open()
  const held = new Held()
  toRefresh = held.answer
  const waiting = fetch(Users.get, { id: '1' })
  await held.come(1)
  const done = auth.signOut()
  await expect(waiting).rejects.toMatchObject({ code: 'signed-out', reason: 'requested' })
  await done
  expect(ends.map(({ reason }) => reason)).toEqual(['requested'])
  valid.access = 'access-9'
  held.say(0, { accessToken: 'access-9', refreshToken: 'refresh-9' })
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ status: 401 })
  expect([storage.tokens, await auth.getTokens()]).toEqual([undefined, undefined])
})

test('TOK-6 a request of one user is not repeated as the next', async () => {
  const { auth, fetch, Users, storage, ends } = open()
  const held = new Held()
  toRefresh = held.answer
  const waiting = fetch(Users.partialUpdate, { id: '1' }, { name: 'Mine' })
  await held.come(1)
  valid = { access: 'next', refresh: 'next' }
  await Promise.all([
    expect(waiting).rejects.toMatchObject({ code: 'signed-out', reason: 'replaced' }),
    auth.signIn({ accessToken: 'next', refreshToken: 'next' }),
  ])
  held.say(0, { accessToken: 'access-9', refreshToken: 'refresh-9' })
  expect(await fetch(Users.get, { id: '2' })).toMatchObject({ id: '2' })
  expect(storage.tokens).toMatchObject({ accessToken: 'next' })
  expect(server.received.filter(({ method }) => method === 'PATCH').length).toBe(1)
  expect(ends).toEqual([])
})

test('TOK-6 signing in resets the store', async () => {
  const { auth, set, get } = open({ tokens: null })
  await set(User, { id: '7' }, { id: '7', name: 'Old' })
  await auth.signIn({ accessToken: 'access-1', refreshToken: 'refresh-1' })
  expect(get(User, { id: '7' })).toBeUndefined()
  await expect(auth.signIn({ accessToken: '' } as Pair)).rejects.toMatchObject({ code: 'auth-tokens' })
  expect(await auth.getTokens()).toMatchObject({ accessToken: 'access-1' })
})

test('TOK-7 two tabs with a rotating refresh token refresh once', async () => {
  stubLocks()
  const first = open()
  const second = open({ storage: first.storage })
  await Promise.all([first.fetch(first.Users.get, { id: '1' }), second.fetch(second.Users.get, { id: '2' })])
  expect(count('/refresh')).toBe(1)
  expect([await first.auth.getTokens(), await second.auth.getTokens()]).toMatchObject([
    { accessToken: 'access-2' },
    { accessToken: 'access-2' },
  ])
})

test('TOK-7 without locks, the tab that comes second takes the tokens of the first', async () => {
  vi.stubGlobal('navigator', {})
  const first = open()
  const second = open({ storage: first.storage })
  const held = new Held()
  toRefresh = held.answer
  const results = Promise.all([first.fetch(first.Users.get, { id: '1' }), second.fetch(second.Users.get, { id: '2' })])
  await held.come(2)
  valid.access = 'access-2'
  held.say(0, { accessToken: 'access-2', refreshToken: 'refresh-2' })
  await vi.waitFor(() => expect(first.storage.tokens?.accessToken).toBe('access-2'))
  held.say(1, { message: 'reused' }, 401)
  expect((await results).map(({ id }) => id)).toEqual(['1', '2'])
  expect([first.ends, second.ends]).toEqual([[], []])
})

/** The `localStorage` of an origin, which all tabs of a test share. */
function stubStorage(): Map<string, string> {
  const items = new Map<string, string>()
  vi.stubGlobal('navigator', {})
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  })
  return items
}

/** Lets time pass, a little at a time, until the work is done. */
async function passUntil<R>(clock: TestClock, work: Promise<R>): Promise<R> {
  const passing = { isOver: false }
  const end = (): void => void (passing.isOver = true)
  work.then(end, end)
  await until(() => {
    void clock.pass(20)
    return passing.isOver
  })
  return work
}

test('TOK-7 without locks, a lease in localStorage lets one tab refresh, and the other takes its tokens', async () => {
  const items = stubStorage()
  const clock = new TestClock(Date.now())
  const first = open({ clock })
  const second = open({ clock, storage: first.storage })
  const results = Promise.all([first.fetch(first.Users.get, { id: '1' }), second.fetch(second.Users.get, { id: '2' })])
  expect((await passUntil(clock, results)).map(({ id }) => id)).toEqual(['1', '2'])
  expect(count('/refresh')).toBe(1)
  await clock.pass(1_000)
  expect([...items]).toEqual([])
})

test('TOK-7 a lease that a tab has left behind is taken over, after 15 seconds', async () => {
  const items = stubStorage()
  const clock = new TestClock(Date.now())
  const { fetch, Users } = open({ clock })
  items.set(`restitch-auth ${server.origin} lease`, 'crashed')
  const began = clock.now()
  expect(await passUntil(clock, fetch(Users.get, { id: '1' }))).toMatchObject({ id: '1' })
  expect(clock.now() - began).toBeGreaterThan(15_000)
  expect(clock.now() - began).toBeLessThan(16_000)
})

test('TOK-7 without locks and without a storage that works, the tab refreshes for itself', async () => {
  stubStorage()
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  const { fetch, Users } = open()
  expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
})

test('TOK-7 where locks are forbidden, the tab refreshes for itself', async () => {
  vi.stubGlobal('navigator', { locks: { request: () => Promise.reject(new DOMException('no', 'SecurityError')) } })
  const { fetch, Users } = open()
  expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
})

test('TOK-7 stored tokens that another tab has left behind and that are refused, too, are refreshed', async () => {
  const { fetch, Users, storage } = open()
  valid.access = 'access-0'
  await fetch(Users.get, { id: '1' })
  valid.access = 'nobody has it'
  storage.tokens = { accessToken: 'access-old', refreshToken: 'refresh-1' }
  expect(await fetch(Users.get, { id: '2' })).toMatchObject({ id: '2' })
  expect(urls().slice(1)).toEqual(['GET /users/2', 'GET /users/2', 'POST /refresh', 'GET /users/2'])
})

test('TOK-8 a sign-out in one tab ends the session in the others', async () => {
  const first = open()
  const second = open({ storage: first.storage })
  await Promise.all([first.fetch(first.Users.get, { id: '1' }), second.auth.getTokens()])
  await second.set(User, { id: '7' }, { id: '7', name: 'Old' })
  await first.auth.signOut()
  await vi.waitFor(() => expect(second.ends).toMatchObject([{ reason: 'elsewhere' }]))
  expect(second.get(User, { id: '7' })).toBeUndefined()
})

test('TOK-8 another user in another tab: this tab drops its data and goes on as that user', async () => {
  const first = open()
  await first.auth.signIn(expired)
  const second = open({ storage: first.storage })
  await second.fetch(second.Users.get, { id: '1' })
  await second.set(User, { id: '7' }, { id: '7', name: 'Old' })
  valid = { access: 'next', refresh: 'next' }
  await first.auth.signIn({ accessToken: 'next', refreshToken: 'next' })
  await vi.waitFor(() => expect(second.ends).toMatchObject([{ reason: 'replaced' }]))
  expect(second.get(User, { id: '7' })).toBeUndefined()
  expect(await second.fetch(second.Users.get, { id: '1' })).toMatchObject({ id: '1' })
})

test('TOK-13 onSignIn is called for a sign-in here and in another tab, also in one where nobody was signed in', async () => {
  const events: string[] = []
  const log = (tab: string) => ({
    onSignIn: () => events.push(`${tab} in`),
    onSignOut: ({ reason }: SignedOutError) => events.push(`${tab} ${reason}`),
  })
  const first = open({ tokens: null, ...log('first') })
  const second = open({ storage: first.storage, ...log('second') })
  const own = open({ tokens: null, ...log('own storage') })
  await Promise.all([first, second, own].map(({ auth }) => auth.getTokens()))
  await first.auth.signIn(expired)
  await vi.waitFor(() => expect(events).toEqual(['first in', 'second in']))
  expect(await second.auth.getTokens()).toMatchObject({ session: first.storage.tokens!.session })
  events.length = 0
  await first.auth.signIn(expired)
  await vi.waitFor(() => expect(events).toEqual(['first in', 'second replaced', 'second in']))
  expect(await own.auth.getTokens()).toBeUndefined()
})

test('TOK-8 a tab that missed the message finds out when it refreshes', async () => {
  const first = open()
  await first.auth.signIn(expired)
  const { fetch, Users, ends, storage } = open({ storage: first.storage })
  first.store.stop()
  const held = new Held()
  toRefresh = held.answer
  const waiting = fetch(Users.get, { id: '1' })
  await held.come(1)
  await first.auth.signIn({ accessToken: 'next', refreshToken: 'next' })
  held.say(0, { accessToken: 'access-9', refreshToken: 'refresh-9' })
  await expect(waiting).rejects.toMatchObject({ code: 'signed-out', reason: 'replaced' })
  await vi.waitFor(() => expect(ends.length).toBe(1))
  expect(storage.tokens).toMatchObject({ accessToken: 'next' })
})

test('TOK-8 a tab that has sent nothing, since all its data was restored, learns of a sign-out, too', async () => {
  const first = open()
  await first.auth.signIn(expired)
  const { ends } = open({ storage: first.storage })
  await first.auth.signOut()
  await vi.waitFor(() => expect(ends).toMatchObject([{ reason: 'elsewhere' }]))
})

test('TOK-8 a storage that can be written at once has the tokens before the store is reset', async () => {
  const seen: unknown[] = []
  const first = open({
    onSignIn: () => seen.push(first.storage.tokens),
    onSignOut: () => seen.push(first.storage.tokens),
  })
  await first.auth.signIn(expired)
  await first.auth.signOut()
  expect(seen).toEqual([expect.objectContaining(expired), undefined])
})

test('TOK-8 tabs with a storage of their own do not sign each other out', async () => {
  const clock = new TestClock()
  const first = open()
  const second = open({ clock })
  await first.auth.signIn(expired)
  await second.auth.signIn(expired)
  await first.auth.signOut()
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  await clock.pass(100)
  expect(await second.auth.getTokens()).toMatchObject(expired)
  expect(second.ends).toEqual([])
})

test('TOK-9 without `save`, `load` may request the tokens with a cookie, once for all requests', async () => {
  const load = vi.fn(() =>
    new RestEndpoint({ urlPrefix: server.origin, path: '/refresh', method: 'POST', body: undefined })(),
  )
  toRefresh = json({ accessToken: 'access-1' })
  const { fetch, Users } = open({ load, save: undefined, refresh: load })
  await Promise.all([fetch(Users.get, { id: '1' }), fetch(Users.get, { id: '2' })])
  expect([load.mock.calls.length, urls().length]).toEqual([1, 3])
})

test.each([
  ['a 401 of load: nobody is signed in', json({}, 401), { name: 'NetworkError', status: 401 }, 1],
  ['a 503 of load: the request rejects', json({}, 503), { code: 'auth-refresh', status: 500 }, 0],
])('TOK-9 %s', async (_, answer, error, sent) => {
  toRefresh = answer
  const load = () => new RestEndpoint({ urlPrefix: server.origin, path: '/refresh', method: 'POST', body: undefined })()
  const { fetch, Users, ends } = open({ load, save: undefined })
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject(error)
  expect([count('/users/1'), ends]).toEqual([sent, []])
  toRefresh = json({ accessToken: 'access-1' })
  if (sent === 0) {
    expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
  }
})

test('TOK-9 a storage that cannot be read, or written, is reported, and the app goes on', async () => {
  const report = vi.fn()
  vi.stubGlobal('reportError', report)
  const { auth, fetch, Users } = open({
    load: () => JSON.parse('{broken'),
    save: () => {
      throw new Error('quota')
    },
  })
  await expect(fetch(Users.get, { id: '1' })).rejects.toMatchObject({ status: 401 })
  await auth.signIn(expired)
  expect(await fetch(Users.get, { id: '1' })).toMatchObject({ id: '1' })
  expect(report.mock.calls.map(([error]) => error.message)).toEqual([expect.stringContaining('JSON'), 'quota', 'quota'])
})

test('TOK-9 a slow storage keeps the last of two writes', async () => {
  const waits: (() => void)[] = []
  const kept: unknown[] = []
  const { auth } = open({
    load: () => undefined,
    save: async (tokens: Pair | undefined) => {
      await new Promise<void>((done) => waits.push(done))
      kept.push(tokens?.accessToken)
    },
  })
  const all = Promise.all([auth.signIn(expired), auth.signOut()])
  await vi.waitFor(() => expect(waits.length).toBe(1))
  waits[0]!()
  await vi.waitFor(() => expect(waits.length).toBe(2))
  waits[1]!()
  await all
  expect(kept).toEqual(['access-0', undefined])
})

test('TOK-10 the token is in no key, no saved state and no error', async () => {
  const { fetch, Users, getState } = open()
  await fetch(Users.get, { id: '1' })
  server.answer(json({ message: 'no' }, 403))
  const error: any = await fetch(Users.get, { id: '2' }).catch((caught: unknown) => caught)
  const texts = [serializeState(getState()), JSON.stringify(error), String(error.stack), Users.get.key({ id: '1' })]
  for (const text of texts) {
    expect(text).not.toMatch(/access-|refresh-\d/)
  }
})

test('TOK-11 a caller that aborts while it waits leaves the refresh to the others', async () => {
  const { fetch, Users } = open()
  const held = new Held()
  toRefresh = held.answer
  const aborter = new AbortController()
  const first = fetch(Users.get.extend({ signal: aborter.signal }), { id: '1' })
  const second = fetch(Users.get, { id: '2' })
  await held.come(1)
  aborter.abort()
  await expect(first).rejects.toMatchObject({ name: 'AbortError' })
  valid.access = 'access-9'
  held.say(0, { accessToken: 'access-9', refreshToken: 'refresh-9' })
  expect(await second).toMatchObject({ id: '2' })
  expect(count('/users/1')).toBe(1)
})

test('TOK-12 auth.fetch sends any request with the token, and returns a second 401', async () => {
  const { auth } = open()
  const response = await auth.fetch(`${server.origin}/users/1`, { headers: { 'X-Trace': '5' } })
  expect(await response.json()).toMatchObject({ id: '1' })
  expect(server.last.headers).toMatchObject({ 'x-trace': '5', authorization: 'Bearer access-2' })
  server.answer((request, answered) => (request.url === '/refresh' ? rotate : json({}, 401))(request, answered))
  expect((await auth.fetch(`${server.origin}/users/1`)).status).toBe(401)
})

test('TOK-12 a subclass keeps the token, and a reset by the app keeps the session', async () => {
  const { auth, fetch, resetEntireStore, ends } = open()
  class Api extends auth.Endpoint {
    override urlPrefix = server.origin
  }
  const getUser = new Api({ path: '/users/:id', schema: User })
  const pending = fetch(getUser, { id: '1' })
  await Promise.all([expect(pending).rejects.toBeInstanceOf(ResetError), resetEntireStore()])
  expect(await fetch(getUser, { id: '1' })).toMatchObject({ id: '1' })
  expect(ends).toEqual([])
})
