import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReactNode } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import {
  createStore,
  deserializeState,
  Endpoint,
  Entity,
  getDefaultManagers,
  isRestitchError,
  NetworkManager,
  RestEndpoint,
} from 'restitch'
import { DataProvider, useDLE, useDLEAll, useLive, useSuspense, useSuspenseAll } from 'restitch/react'
import { createPersistedStore, getInitialData, ServerData } from 'restitch/react/ssr'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isFull } from '../effort.ts'
import { api, Article, edge, h, loading, page, pipe, stateText } from './cases.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe.each([
  ['pipe', pipe],
  ['edge', edge],
])('%s', (_name, render) => {
  test('SSR-1 SSR-2 SSR-8 the page has the data of every request, also of those that follow from others', async () => {
    const from = api()
    const { tree } = page([1, 2, 3].map((id) => h('div', { key: id }, loading(h(Article, { from, id: String(id) })))))
    const { html, errors } = await render(tree)
    expect(html).toContain('Post 3 by Author a3')
    expect(errors).toEqual([])
    const { entities } = deserializeState(stateText(html))
    expect(Object.keys(entities['Author']!)).toEqual(['a1', 'a2', 'a3'])
    expect(html).toContain('nonce="abc"')
    expect(html.match(/id="restitch-data"/g)).toHaveLength(1)
    expect(from.calls).toHaveLength(6)
  })

  test('SSR-1 nothing is left that holds the store of a page that was sent', async () => {
    const timer = vi.spyOn(globalThis, 'setTimeout')
    await render(page(loading(h(Article, { from: api(), id: '1' }))).tree)
    expect(timer.mock.calls.filter(([, delay = 0]) => delay > 1_000)).toEqual([])
  })

  test('SSR-2 the shell does not wait for the data', async () => {
    const { tree } = page(loading(h(Article, { from: api(), id: '1' })))
    const { html } = await render(tree)
    expect(html.indexOf('loading')).toBeLessThan(html.indexOf('Post 1'))
  })

  test('SSR-3 data cannot end its script', async () => {
    const evil = '</script><script>alert(1)</script><!--\u2028\u2029&'
    const from = api((path) => ({ id: path.split('/')[2], title: evil, authorId: 'a', name: evil }))
    const { html } = await render(page(loading(h(Article, { from, id: '1' }))).tree)
    expect(html).not.toContain('<script>alert')
    expect(stateText(html)).not.toMatch(/[<>&\u2028\u2029]/)
    expect(deserializeState(stateText(html)).entities['Post']!['1'].title).toBe(evil)
  })

  test('SSR-6 a failing fetch ends neither the process nor the page, and its status is in the state', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const from = api((path) => {
      if (path === '/posts/2') {
        return new Response('gone', { status: 410 })
      }
      if (path === '/posts/3') {
        throw new TypeError('no connection')
      }
      return path === '/posts/1' ? { id: '1', title: 'Post 1', authorId: 'a' } : { id: 'a', name: 'Ann' }
    })
    // The render does not wait for the requests of useDLE.
    const Quiet = (): ReactNode => String(useDLE(from.posts as any, { id: '3' }).loading)
    const { html, errors } = await render(
      page([
        h('div', { key: 1 }, loading(h(Article, { from, id: '1' }))),
        h('div', { key: 2 }, loading(h(Article, { from, id: '2' }))),
        h('div', { key: 3 }, loading(h(Quiet))),
      ]).tree,
    )
    await new Promise((done) => setTimeout(done, 5))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
    expect(html).toContain('Post 1 by Ann')
    expect(errors).toMatchObject([{ status: 410 }])
    const { meta } = deserializeState(stateText(html))
    expect(meta['GET http://api.test/posts/2']!.error).toMatchObject({ name: 'NetworkError', status: 410 })
    expect(meta['GET http://api.test/posts/3']!.error).toMatchObject({ name: 'TypeError', status: 500 })
  })

  test('SSR-5 many renders at a time: each page has the data of its own user, and of no other', async () => {
    const count = isFull && render === pipe ? 1_000 : 200
    const me = new Endpoint(
      async (user: number) => {
        await new Promise((done) => setTimeout(done, (user * 7) % 20))
        return { secret: `<user-${user}>` }
      },
      { name: 'me' },
    )
    const Me = ({ user }: { user: number }): ReactNode => h('b', null, (useSuspense(me, user) as any).secret)
    const pages = await Promise.all(
      Array.from({ length: count }, (_, user) => render(page(loading(h(Me, { user }))).tree)),
    )
    for (const [user, { html }] of pages.entries()) {
      const names = new Set(html.match(/user-\d+/g))
      expect([...names]).toEqual([`user-${user}`])
      expect(stateText(html)).toContain(`user-${user}`)
    }
  })
})

test.each<[string, (reads: any) => any[]]>([
  ['useSuspenseAll', useSuspenseAll],
  ['useDLEAll', (reads) => (useDLEAll(reads) as any[]).map(({ data }) => data)],
])('SSR-2 HK-11 %s starts all requests before it suspends', async (_name, useAll) => {
  const open: ((value: unknown) => void)[] = []
  const get = new Endpoint((_id: number) => new Promise<any>((done) => void open.push(done)), { name: 'get' })
  const All = (): ReactNode => useAll([1, 2, 3].map((id) => [get, id])).join()
  const sent = pipe(page(loading(h(All))).tree)
  await vi.waitFor(() => expect(open).toHaveLength(3))
  for (const [index, done] of open.entries()) {
    done(`number ${index}`)
  }
  expect((await sent).html).toContain('number 0,number 1,number 2')
})

test('SSR-1 SSR-8 a timeout: what is late is left to the browser, the rest of the page comes', async () => {
  const from = api((path) =>
    path === '/posts/2'
      ? new Promise(() => {})
      : { id: path.split('/')[2], title: 'Post 1', authorId: 'a', name: 'Ann' },
  )
  const timeout = 123_456
  const timer = vi.spyOn(globalThis, 'setTimeout')
  const { tree, controller } = page(
    [1, 2].map((id) => h('div', { key: id }, loading(h(Article, { from, id: String(id) })))),
    undefined,
    undefined,
    { timeout },
  )
  const at = timer.mock.calls.findIndex(([, delay]) => delay === timeout)
  const [end] = timer.mock.calls[at]!
  clearTimeout(timer.mock.results[at]!.value as NodeJS.Timeout)
  timer.mockRestore()
  // The time is over when the first article has been there for some turns, in which React has sent it.
  let turns = 0
  const turn = (): unknown =>
    controller.getState().meta['GET http://api.test/authors/a'] && turns++ > 100
      ? (end as () => void)()
      : setImmediate(turn)
  turn()
  const { html, errors } = await pipe(tree)
  expect(html).toContain('Post 1 by Ann')
  expect(errors).toMatchObject([{ code: 'server-timeout', status: 504 }])
  const state = deserializeState(stateText(html))
  expect(Object.keys(state.meta)).toEqual(['GET http://api.test/posts/1', 'GET http://api.test/authors/a'])
})

test('SSR-5 without a NetworkManager it throws network-manager-missing', () => {
  expect(() => createPersistedStore([])).toThrow('managers must include a NetworkManager')
  try {
    createPersistedStore([])
  } catch (error) {
    expect(isRestitchError(error) && error.code).toBe('network-manager-missing')
  }
})

test('SSR-5 each call creates its own store', () => {
  const [, , a, first] = createPersistedStore()
  const [, , b, second] = createPersistedStore([new NetworkManager()], true)
  expect(a).not.toBe(b)
  expect(first).not.toBe(second)
  expect(first.controller).toBe(a)
})

test('SSR-1 an aborted render ends its upstream requests, and sends no more', async () => {
  const sent: RequestInit[] = []
  const from = api()
  const posts = from.posts.extend({
    fetchResponse: (_: string, init: RequestInit) => {
      sent.push(init)
      return new Promise((_resolve, reject) =>
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error)),
      )
    },
  })
  const aborter = new AbortController()
  const { signal } = aborter
  const { tree, controller } = page(loading(h(Article, { from: { ...from, posts }, id: '1' })), undefined, undefined, {
    signal,
  })
  const onError = vi.fn()
  const stream = await renderToReadableStream(tree, { signal, onError })
  await vi.waitFor(() => expect(sent.length).toBe(1))
  const left = new Error('The user has left')
  aborter.abort(left)
  expect(sent[0]!.signal!.reason).toBe(left)
  await stream.cancel().catch(() => {})
  await expect(controller.fetch(from.authors, { id: 'a1' })).rejects.toMatchObject({ name: 'ResetError' })
  expect([sent.length, from.calls]).toEqual([1, []])

  const [, , late] = createPersistedStore(undefined, undefined, { signal })
  await expect(late.fetch(from.authors, { id: 'a1' })).rejects.toMatchObject({ name: 'ResetError' })
  expect(from.calls).toEqual([])
})

test('SSR-15 store-shared a store that a server renders again is warned about', async () => {
  const warn = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [First] = createPersistedStore()
  const [Second] = createPersistedStore()
  await pipe(h(First, null, h('b')))
  await pipe(h(Second, null, h('b')))
  const store = createStore()
  await pipe(h(DataProvider, { store }, h('b')))
  expect(warn.mock.calls.flat().join()).not.toContain('store-shared')
  await pipe(h(DataProvider, { store }, h('b')))
  expect(warn.mock.calls.flat().join()).toContain('[store-shared]')
})

test('SSR-9 no polls, no sweeps and no developer tools on a server', async () => {
  const connect = vi.fn()
  vi.stubGlobal('__REDUX_DEVTOOLS_EXTENSION__', { connect })
  const interval = vi.spyOn(globalThis, 'setInterval')
  const from = api()
  const live = from.posts.extend({ pollFrequency: 1 })
  const Live = (): ReactNode => (useLive(live as any, { id: '1' }) as any).title
  await pipe(page(loading(h(Live)), getDefaultManagers()).tree)
  await new Promise((done) => setTimeout(done, 10))
  expect(from.calls).toEqual(['/posts/1'])
  expect(connect).not.toHaveBeenCalled()
  expect(interval).not.toHaveBeenCalled()
})

test('AUTH-6 a static token of an endpoint that a server fetches is warned about', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  class AuthdEndpoint extends RestEndpoint {
    static accessToken?: string
    static authorize(): void {}
    static session = ''
  }
  const get = new AuthdEndpoint({
    urlPrefix: 'http://api.test',
    path: '/me',
    fetchResponse: async () => Response.json({ name: 'Ann' }),
  })
  const Me = (): ReactNode => (useSuspense(get as any) as any).name
  await pipe(page(loading(h(Me))).tree)
  expect(warn).not.toHaveBeenCalled()
  AuthdEndpoint.accessToken = 'secret'
  await pipe(page(loading(h(Me))).tree)
  expect(warn.mock.calls.flat().join()).toContain('"AuthdEndpoint.accessToken" is set')
  expect(warn.mock.calls.flat().join()).not.toContain('secret')
})

test('SSR-10 a class whose key is its name is warned about', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  class Unwritten extends Entity {
    id = ''
  }
  const get = new Endpoint(async () => ({ id: '1' }), { name: 'unwritten', schema: Unwritten })
  const Show = (): ReactNode => useSuspense(get).id
  await pipe(page(loading(h(Show))).tree)
  await pipe(page(loading(h(Article, { from: api(), id: '1' }))).tree)
  expect(warn.mock.calls.flat()).toContainEqual(expect.stringContaining('records in a page of the server'))
})

test('RCT-7 a plain provider on a server is warned about', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  await pipe(h(DataProvider, null, h('b')))
  expect(warn.mock.calls.flat().join()).toContain('restitch/react/ssr')
})

test('SSR-1 ServerData writes a state under a name', async () => {
  const { html } = await pipe(h(ServerData, { id: 'mine' }))
  expect(html).toContain('<script type="application/json" id="mine">')
  expect(getInitialData).toBeTypeOf('function')
})

test('SSR-12 files that use context or hooks begin with "use client", and the core knows nothing of React', () => {
  const files = [...list('src/react'), ...list('src/img')].filter((file) => !/\.test|\.d\.ts$/.test(file))
  for (const file of files) {
    const code = readFileSync(file, 'utf8')
    if (
      /\bfrom 'react'|\buse[A-Z]\w+\(/.test(code) &&
      /\b(use[A-Z]\w*|createContext|Component)\b/.test(code.replace(/^\s*(\*|\/).*$/gm, ''))
    ) {
      expect([file, code.startsWith("'use client'\n")]).toEqual([file, true])
    }
  }
  for (const entry of ['src/index.ts', 'src/graphql/index.ts']) {
    for (const file of reach(entry)) {
      expect(readFileSync(file, 'utf8')).not.toMatch(/from 'react|^'use client'/m)
    }
  }
})

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
}

function reach(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) {
    return found
  }
  found.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)\s(?!type)[^'"]*?from '(\.[^']+)'/gms,
  )) {
    reach(join(file, '..', path!), found)
  }
  return found
}
