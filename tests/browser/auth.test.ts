// Two tabs of one app, with the locks, the channel and the storage of a real browser.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { Held } from '../faults/server.ts'
import { json, openServer, send, type TestServer } from '../server.ts'

const executablePath = await findChromium()

const APP = `
import { createStore, getDefaultManagers, RestEndpoint } from 'restitch'
import { createAuth } from 'restitch/auth'
const refresh = new RestEndpoint({ path: '/refresh', method: 'POST' })
const ends = []
const auth = createAuth({
  origins: [location.origin],
  load: () => JSON.parse(localStorage.getItem('session') ?? 'null'),
  save: (tokens) => (tokens ? localStorage.setItem('session', JSON.stringify(tokens)) : localStorage.removeItem('session')),
  refresh: ({ refreshToken }) => refresh({ refreshToken }),
  onSignOut: ({ reason }) => ends.push(reason),
})
const store = createStore({ managers: [auth.manager, ...getDefaultManagers()] })
const getUser = new auth.Endpoint({ path: '/users/:id' })
const load = () => store.controller.fetch(getUser, { id: '1' }).then(({ name }) => name, ({ code, reason }) => code + ' ' + reason)
globalThis.app = { auth, store, ends, load, held: () => store.controller.getResponse(getUser, { id: '1' }).data?.name }
`

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let context: BrowserContext
  let server: TestServer
  let tabs: Page[]
  let held: Held
  let script: string

  beforeAll(async () => {
    script = await bundle(APP, 'development')
    server = await openServer()
    browser = await chromium.launch({
      executablePath: executablePath!,
      args: [...LAUNCH_ARGS, '--host-resolver-rules=MAP lan.test 127.0.0.1'],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  beforeEach(async () => {
    held = new Held()
    server.answer((request, response) => {
      if (request.url === '/app.js') {
        return send(script, { 'content-type': 'text/javascript' })(request, response)
      }
      if (request.url === '/refresh') {
        return held.answer(request, response)
      }
      if (request.url === '/users/1') {
        const isValid = request.headers.authorization === 'Bearer new'
        return json({ name: 'Ann' }, isValid ? 200 : 401)(request, response)
      }
      return send('<script type="module" src="/app.js"></script>', { 'content-type': 'text/html' })(request, response)
    })
    context = await browser.newContext()
    context.setDefaultTimeout(90_000)
    await openTabs(server.origin)
  })
  afterEach(() => context.close())

  const openTabs = async (origin: string): Promise<void> => {
    tabs = []
    for (const _ of [1, 2]) {
      const tab = await context.newPage()
      await tab.goto(origin)
      await tab.evaluate(() => localStorage.setItem('session', '{"accessToken":"old","refreshToken":"once"}'))
      await tab.waitForFunction('globalThis.app')
      tabs.push(tab)
    }
  }
  const run = (tab: number, code: string): Promise<any> => tabs[tab]!.evaluate(code)
  const refreshes = (): number => server.received.filter(({ url }) => url === '/refresh').length

  test('TOK-7 both tabs need a token: one refreshes, the other waits and takes it', async () => {
    const results = Promise.all([run(0, 'app.load()'), run(1, 'app.load()')])
    await held.come(1)
    const waits = 'navigator.locks.query().then(({ pending }) => pending.length === 1)'
    await tabs[0]!.waitForFunction(waits, undefined, { polling: 50 })
    held.say(0, { accessToken: 'new', refreshToken: 'twice' })
    expect(await results).toEqual(['Ann', 'Ann'])
    expect(refreshes()).toBe(1)
  })

  test('TOK-7 on a plain http address, where there are no locks, one tab refreshes as well', async () => {
    await openTabs(server.origin.replace('127.0.0.1', 'lan.test').replace('localhost', 'lan.test'))
    expect(await run(0, '[isSecureContext, Boolean(navigator.locks)]')).toEqual([false, false])
    const results = Promise.all([run(0, 'app.load()'), run(1, 'app.load()')])
    await held.come(1)
    held.say(0, { accessToken: 'new', refreshToken: 'twice' })
    expect(await results).toEqual(['Ann', 'Ann'])
    expect(refreshes()).toBe(1)
    await tabs[0]!.waitForFunction('Object.keys(localStorage).length === 1', undefined, { polling: 50 })
  })

  test('TOK-8 a sign-out in one tab during the refresh of the other wins, and both forget their data', async () => {
    const waiting = run(0, 'app.load()')
    await held.come(1)
    await run(1, 'app.auth.signOut()')
    expect(await waiting).toBe('signed-out elsewhere')
    held.say(0, { accessToken: 'new', refreshToken: 'twice' })
    await tabs[0]!.waitForFunction('app.ends.length', undefined, { polling: 50 })
    const isFree = 'navigator.locks.query().then(({ held, pending }) => held.length + pending.length === 0)'
    await tabs[0]!.waitForFunction(isFree, undefined, { polling: 50 })
    // A browser shows a tab some time later what another has removed.
    await tabs[0]!.waitForFunction('!localStorage.session', undefined, { polling: 50 })
    expect(await run(0, '[app.ends, app.held()]')).toEqual([['elsewhere'], undefined])
    expect(await run(1, 'localStorage.session')).toBeUndefined()
  })
})
