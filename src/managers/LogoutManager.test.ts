import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createStore, type Store } from '../client/createStore.ts'
import { getDefaultManagers } from '../client/getDefaultManagers.ts'
import type { Controller } from '../controller/Controller.ts'
import { Endpoint } from '../endpoint/Endpoint.ts'
import { GQLEndpoint } from '../graphql/GQLEndpoint.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import { TestClock, tick } from '../testing/TestClock.ts'
import { deferredEndpoint } from '../testing/endpoints.ts'
import { Todo } from '../testing/entities.ts'
import { LogoutManager, type LogoutManagerOptions } from './LogoutManager.ts'

let clock: TestClock
let store: Store
let resets: number

beforeEach(() => {
  clock = new TestClock()
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function open(options?: LogoutManagerOptions): void {
  resets = 0
  const count = {
    middleware: () => (next: any) => (action: any) => {
      if (action.type === 'rdc/reset') {
        resets++
      }
      return next(action)
    },
    cleanup() {},
  }
  store = createStore({ clock, managers: [new LogoutManager(options), ...getDefaultManagers(), count] })
}

const args = { id: '1' }
const one = { id: '1', title: 'a' }
const refused = (status = 401): Error => Object.assign(new Error('no'), { status })
const get = (more?: object): any => deferredEndpoint('get', Todo, more)
const put = (more?: object): any => deferredEndpoint('put', Todo, { sideEffect: true, ...more })

/** Fetches, and handles the rejection. */
function ask(endpoint: any, ...rest: any[]): Promise<unknown> {
  const promise = store.controller.fetch(endpoint, ...rest)
  promise.catch(() => {})
  return promise
}

describe('what ends a session', () => {
  test.each([
    ['401', {}, 401, 1],
    ['another status', {}, 403, 0],
    ['none', {}, undefined, 0],
    ['one the app names', { shouldLogout: (error: any) => error.status === 403 }, 403, 1],
    ['401 where the app names another', { shouldLogout: (error: any) => error.status === 403 }, 401, 0],
  ])('LOG-1 status: %s', async (_, options, status, count) => {
    open(options)
    await store.controller.set(Todo, args, one)
    const ep = get()
    const promise = ask(ep, args)
    const error = Object.assign(new Error('no'), { status })
    await ep.calls[0].fail(error)
    expect(resets).toBe(count)
    expect(store.controller.get(Todo, args)).toEqual(count ? undefined : expect.objectContaining(one))
    await expect(promise, 'the caller receives it').rejects.toBe(error)
  })

  test('LOG-3 a screen that fetches the current user and is refused each time resets once', async () => {
    open()
    const who = get()
    const hint = deferredEndpoint('hint', Todo)
    const ends = [who, hint].map((ep) => store.view(ep, args).subscribe(() => {}))
    await hint.calls[0].answer(one)
    for (let i = 0; i < 4; i++) {
      await who.calls.at(-1).fail(refused())
      await hint.calls.at(-1).answer(one)
      // The screen fetches again: on focus, by a button, by a poll.
      void ask(who, args)
      await tick()
    }
    expect(resets).toBe(1)
    // A user signs in: from now on a refusal counts again.
    const signIn = put()
    void ask(signIn, args, {})
    await signIn.calls[0].answer(one)
    void ask(who, args)
    await who.calls.at(-1).fail(refused())
    expect(resets).toBe(2)
    for (const end of ends) {
      end()
    }
  })

  test('LOG-3 a reader that fetches another key once the logout is over may end the next session', async () => {
    open()
    const first = get()
    ask(first, args)
    await first.calls[0].fail(refused())
    expect(resets).toBe(1)
    await clock.pass(1)
    const later = deferredEndpoint('later', Todo)
    const end = store.view(later, args).subscribe(() => {})
    await tick()
    await later.calls[0].fail(refused())
    expect(resets).toBe(2)
    end()
  })

  test('LOG-3 a reset by the app begins a session, and its end is heard by a key that was refused before', async () => {
    open()
    const ep = get()
    for (const ends of [1, 3]) {
      void ask(ep, args)
      await ep.calls.at(-1).fail(refused())
      expect(resets).toBe(ends)
      // A user signs in without the store.
      await store.controller.resetEntireStore()
      await store.controller.set(Todo, args, one)
      expect(resets).toBe(ends + 1)
    }
  })

  test.each<[string, LogoutManagerOptions]>([
    [
      'late',
      {
        handleLogout: async (controller) => {
          await tick()
          await controller.resetEntireStore()
        },
      },
    ],
    [
      'twice',
      {
        handleLogout: async (controller) => {
          await controller.resetEntireStore()
          await tick()
          await controller.resetEntireStore()
        },
      },
    ],
  ])('LOG-3 a handler that resets %s does not begin a session', async (how, options) => {
    open(options)
    const ep = get()
    const end = store.view(ep, args).subscribe(() => {})
    for (let i = 0; i < 4; i++) {
      await ep.calls.at(-1).fail(refused())
      await tick()
      void ask(ep, args)
      await tick()
    }
    expect(resets).toBe(how === 'twice' ? 2 : 1)
    end()
  })

  test('LOG-1 shouldLogout receives the endpoint and its arguments', async () => {
    const own = get()
    open({ shouldLogout: ({ status }, { endpoint }) => status === 401 && endpoint !== own })
    for (const ep of [own, get({ name: 'other' })]) {
      void ask(ep, args)
      await ep.calls[0].fail(refused())
      expect(resets).toBe(ep === own ? 0 : 1)
    }
  })

  test('LOG-1 handleLogout takes the place of the reset, once the error is committed', async () => {
    const seen: unknown[] = []
    const ep = get()
    open({ handleLogout: (controller) => seen.push(controller, controller.getError(ep, args)?.status) })
    void ask(ep, args)
    await ep.calls[0].fail(refused())
    expect(seen).toEqual([store.controller, 401])
    expect(resets).toBe(0)
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('mine')
      },
    ],
    ['rejects', () => Promise.reject(new Error('mine'))],
  ])('LOG-1 MGR-7 a handler that %s is reported, and stops nothing', async (_, handleLogout) => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    open({ handleLogout })
    const ep = get()
    const promise = ask(ep, args)
    await ep.calls[0].fail(refused())
    await expect(promise).rejects.toMatchObject({ status: 401 })
    expect(report).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'mine' }))
    await store.controller.set(Todo, args, one)
    expect(store.controller.get(Todo, args)).toMatchObject(one)
  })

  test('LOG-2 it is not among the default managers', () => {
    open()
    expect(getDefaultManagers().some((manager) => manager instanceof LogoutManager)).toBe(false)
  })

  test('LOG-4 everything else passes: responses, errors that are values, unknown actions', async () => {
    open()
    const ep = get()
    const promise = ask(ep, args)
    await ep.calls[0].answer(one)
    expect(await promise).toMatchObject(one)
    await store.controller.resolve(ep, { args: [args], response: null, fetchedAt: clock.now(), error: true })
    await store.controller.dispatch({ type: 'own' })
    expect(resets).toBe(0)
  })
})

describe('a burst', () => {
  test('LOG-3 several refusals of requests sent before the logout end the session once', async () => {
    open()
    const writes = [put(), put(), put()]
    for (const ep of writes) {
      void ask(ep, args, one)
    }
    for (const ep of writes) {
      await ep.calls[0].fail(refused())
    }
    expect(resets).toBe(1)
    // The next user's session can end too.
    const ep = get()
    void ask(ep, args)
    await ep.calls[0].fail(refused())
    expect(resets).toBe(2)
  })

  test('LOG-3 so it is where the app does something else than a reset', async () => {
    const handleLogout = vi.fn()
    open({ handleLogout })
    const reads = [1, 2, 3].map((id) => deferredEndpoint(`get${id}`, Todo))
    for (const ep of reads) {
      void ask(ep, args)
    }
    for (const ep of reads) {
      await ep.calls[0].fail(refused())
    }
    expect(handleLogout).toHaveBeenCalledOnce()
  })

  test('LOG-3 what a former user sent does not end the session of the next', async () => {
    open()
    const ep = put()
    void ask(ep, args, one)
    await store.controller.resetEntireStore()
    await store.controller.set(Todo, args, one)
    await ep.calls[0].fail(refused())
    expect(resets).toBe(1)
    expect(store.controller.get(Todo, args)).toMatchObject(one)
    // A reader of the next user that is refused ends the session.
    const me = get()
    store.view(me, { id: '2' }).subscribe(() => {})
    await me.calls[0].fail(refused())
    expect(resets).toBe(2)
  })

  test('LOG-1 NET-9 no data of the old user is stored after it, and a sign-out in flight settles', async () => {
    open()
    const [late, refusal, signOut] = [get(), deferredEndpoint('me', Todo), put()]
    const lost = ask(late, args)
    void ask(refusal, args)
    const out = ask(signOut, args, one)
    await refusal.calls[0].fail(refused())
    await late.calls[0].answer(one)
    await signOut.calls[0].answer({ ...one, title: 'bye' })
    await expect(lost).rejects.toMatchObject({ name: 'ResetError' })
    expect(late.calls[0].signal.aborted).toBe(true)
    expect(await out).toMatchObject({ title: 'bye' })
    expect(store.getState().entities).toEqual({})
    expect(store.getState().endpoints).toEqual({})
  })

  test('LOG-1 LOG-6 readers are never shown the refusal beside data of the former user', async () => {
    open()
    const [ep, other] = [get(), deferredEndpoint('other', Todo)]
    const seen: unknown[][] = []
    for (const read of [ep, other]) {
      await store.controller.setResponse(read, args, one)
      store.subscribe(read, [args], () =>
        seen.push([store.controller.get(Todo, args), store.controller.getError(read, args)?.status]),
      )
    }
    await clock.pass(70_000)
    void ask(ep, args)
    await ep.calls[0].fail(refused())
    expect(seen.map(([data]) => data)).toEqual(seen.map(() => undefined))
    expect(seen.at(-1)).toEqual([undefined, 401])
    expect(other.calls).toHaveLength(1)
  })
})

describe('requests after a logout', () => {
  const late = async (controller: Controller): Promise<void> => {
    await tick()
    await controller.resetEntireStore()
  }
  const handlers: [string, LogoutManagerOptions][] = [
    ['a reset', {}],
    ['a late reset', { handleLogout: late }],
  ]

  test.each(handlers)('LOG-6 %s: a signed-out start fetches the current user once', async (_name, options) => {
    open(options)
    const me = get()
    const view = store.view(me, args)
    view.subscribe(() => {})
    // The response takes its time.
    await clock.pass(50)
    await me.calls[0].fail(refused())
    await clock.pass(500)
    expect([me.calls.length, resets]).toEqual([1, 1])
    expect(view.read().error).toMatchObject({ status: 401 })
    // A reader that mounts later fetches.
    await clock.pass(2_000)
    void store.view(me, args).promise()
    expect(me.calls).toHaveLength(2)
  })

  test.each(handlers)(
    'LOG-3 LOG-6 %s: a refusal is followed by one request of each other reader',
    async (_name, options) => {
      open(options)
      const [me, list] = [get(), deferredEndpoint('list', [Todo])]
      const views = [store.view(me, args), store.view(list)]
      for (const view of views) {
        view.subscribe(() => {})
      }
      await me.calls[0].answer(one)
      await list.calls[0].answer([one])
      // The session ends on the server.
      await clock.pass(70_000)
      void ask(list)
      await clock.pass(50)
      await list.calls[1].fail(refused())
      await clock.pass(50)
      expect([me.calls.length, list.calls.length]).toEqual([2, 2])
      await me.calls[1].fail(refused())
      await clock.pass(500)
      expect([me.calls.length, list.calls.length, resets]).toEqual([2, 2, 1])
      expect(views.map((view) => (view.read() as any).error?.status)).toEqual([401, 401])
      expect(store.getState().entities).toEqual({})
      // A user signs in, and the next refusal counts.
      const signIn = put()
      void ask(signIn, args, {})
      await signIn.calls[0].answer(one)
      void ask(me, args)
      await me.calls[2].fail(refused())
      await tick()
      expect(resets).toBe(2)
    },
  )

  test('LOG-6 a refused request without readers stores nothing, nor does a refused mutation', async () => {
    open()
    for (const ep of [get(), put()]) {
      void ask(ep, args, one)
      await ep.calls[0].fail(refused())
      const { entities, endpoints, meta } = store.getState()
      expect({ ...entities, ...endpoints, ...meta }).toEqual({})
    }
  })

  test.each(['answer', 'fail'])(
    'LOG-3 LOG-6 nothing is kept of a refusal when the handler signs in again: %s',
    async (how) => {
      const renew = put()
      open({
        handleLogout: async (controller) => {
          await controller.fetch(renew, args, {})
          await controller.resetEntireStore()
        },
      })
      const me = get()
      store.view(me, args).subscribe(() => {})
      await me.calls[0].fail(refused())
      await renew.calls[0].answer(one)
      await clock.pass(0)
      expect(me.calls).toHaveLength(2)
      if (how === 'answer') {
        await me.calls[1].answer(one)
        expect(store.view(me, args).read().data).toMatchObject(one)
      } else {
        await me.calls[1].fail(refused())
        expect(renew.calls).toHaveLength(2)
      }
    },
  )
})

describe('origins', () => {
  const PAGE = 'https://app.test/some/page'
  const plain = (urlPrefix: string, more: object = {}): any =>
    new RestEndpoint({ urlPrefix, path: '/x', ...more } as any)
  const withToken = (urlPrefix: string): any =>
    plain(urlPrefix, { getHeaders: (headers: object) => ({ ...headers, token: 'a' }) })
  class Authd extends RestEndpoint {
    override getHeaders(headers: any): any {
      return { ...headers, token: 'a' }
    }
  }
  class Signed extends RestEndpoint {
    override getRequestInit(body: any): any {
      return super.getRequestInit(body)
    }
  }
  const gql = (url: string, more?: object): any => new GQLEndpoint(url, more as any).query('{ me { id } }')
  const api = 'https://api.test'

  /** Every request is refused; `landed` says which origin responded. */
  function refuse(landed?: string): void {
    vi.stubGlobal('fetch', (url: string) => {
      const response = new Response('{}', { status: 401 })
      Object.defineProperty(response, 'url', { value: landed ?? new URL(url, PAGE).href })
      return Promise.resolve(response)
    })
  }

  test.each<[string, () => any, LogoutManagerOptions, number]>([
    ['that of the page', () => plain('https://app.test'), {}, 1],
    ['a relative address', () => plain(''), {}, 1],
    ['another, without credentials', () => plain('https://weather.test'), {}, 0],
    ['getHeaders given', () => withToken(api), {}, 1],
    ['getHeaders of the class', () => new Authd({ urlPrefix: api, path: '/x' }), {}, 1],
    ['getRequestInit of the class', () => new Signed({ urlPrefix: api, path: '/x' }), {}, 1],
    ['credentials: include', () => plain(api, { requestInit: { credentials: 'include' } }), {}, 1],
    ['credentials: omit', () => plain(api, { requestInit: { credentials: 'omit' } }), {}, 0],
    ['headers', () => plain(api, { requestInit: { headers: { token: 'a' } } }), {}, 1],
    ['another part of the init', () => plain(api, { requestInit: { mode: 'cors' } }), {}, 0],
    ['named ones', () => plain(api), { origins: [`${api}/`] }, 1],
    ['not the named ones, though it gets credentials', () => withToken(api), { origins: ['https://app.test'] }, 0],
    ['not the named ones, though it is the page', () => plain(''), { origins: [api] }, 0],
    ['GraphQL with credentials', () => gql(`${api}/graphql`, { requestInit: { credentials: 'include' } }), {}, 1],
    ['GraphQL without', () => gql(`${api}/graphql`), {}, 0],
  ])('LOG-5 %s', async (_, endpoint, options, count) => {
    vi.stubGlobal('location', new URL(PAGE))
    refuse()
    open(options)
    await ask(endpoint()).catch(() => {})
    await tick()
    expect(resets).toBe(count)
  })

  test('LOG-5 an endpoint without credentials counts where another one sends some to its origin', async () => {
    open()
    refuse()
    const [first, second] = [plain(api), plain(api, { path: '/y' })]
    await ask(first).catch(() => {})
    expect(resets).toBe(0)
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
    await ask(withToken(api))
    refuse()
    await ask(second).catch(() => {})
    expect(resets).toBe(1)
  })

  test('LOG-5 a response of another origin than the requested one never counts', async () => {
    vi.stubGlobal('location', new URL(PAGE))
    refuse('https://elsewhere.test/login')
    open()
    await ask(plain('https://app.test')).catch(() => {})
    await ask(plain(api, { requestInit: { credentials: 'include' } })).catch(() => {})
    open({ origins: ['https://app.test', 'https://elsewhere.test'] })
    await ask(plain('https://app.test')).catch(() => {})
    expect(resets).toBe(0)
  })

  test.each([[{}], [{ origins: [api] }]])('LOG-5 errors without an address count: %o', async (options) => {
    open(options)
    const own: any = new Endpoint(() => Promise.reject(refused()), { name: 'own' } as never)
    await ask(own).catch(() => {})
    expect(resets).toBe(1)
    await store.controller.setError(own, refused())
    expect(resets).toBe(2)
    for (const address of [{ url: '' }, { url: 'https://[' }, { response: { url: 'https://[' } }]) {
      await store.controller.setError(own, Object.assign(refused(), address))
    }
    expect(resets).toBe(5)
  })
})
