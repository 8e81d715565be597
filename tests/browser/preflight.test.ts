// A cross-origin GET that has no header but those that any page may send needs no OPTIONS before it.
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { json, openServer, send, type TestServer } from '../server.ts'

const executablePath = await findChromium()
const LIST = '/todos?group=a&sort=title'
const PAGE = '/todos?group=a&page=2&sort=title'
const APP = `
import { Collection, createStore, Entity, getDefaultManagers, resource, RestEndpoint } from 'restitch'
import { etagEndpoint } from 'restitch/etag'
import { eventStream, LiveManager } from 'restitch/live'
class Todo extends Entity { id = ''; title = ''; static key = 'Todo' }
class Plain extends RestEndpoint { sendContentType = 'withBody' }
class Signed extends Plain { getHeaders(headers) { return { ...headers, Authorization: 'Bearer token' } } }
const CLASSES = { plain: Plain, default: RestEndpoint, signed: Signed, etag: etagEndpoint(Plain) }
globalThis.run = async (name, urlPrefix) => {
  const todos = resource({ urlPrefix, path: '/todos/:id', schema: Todo, Endpoint: CLASSES[name], paginationField: 'page', dataExpiryLength: 0 })
  let isOpen
  const opened = new Promise((done) => (isOpen = done))
  const live = new LiveManager({ connect: eventStream(urlPrefix + '/events'), receive: () => {}, onStatus: (status) => status === 'open' && isOpen() })
  const store = createStore({ managers: [live, ...getDefaultManagers()] })
  const { controller } = store
  await opened
  for (let i = 0; i < 2; i++) {
    await controller.fetch(todos.get, { id: '1' })
    await controller.fetch(todos.getList, { sort: 'title', group: 'a' })
    await controller.fetch(todos.getList.getPage, { page: '2', sort: 'title', group: 'a' })
  }
  store.stop()
}
`

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let home: TestServer
  let api: TestServer

  beforeAll(async () => {
    const script = await bundle(APP, 'production')
    home = await openServer((request, response) =>
      request.url === '/app.js'
        ? send(script, { 'content-type': 'text/javascript' })(request, response)
        : send('<script type="module" src="/app.js"></script>', { 'content-type': 'text/html' })(request, response),
    )
    api = await openServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-expose-headers', 'etag')
      response.setHeader('access-control-allow-headers', '*, authorization')
      response.setHeader('cache-control', 'no-store')
      response.setHeader('etag', '"1"')
      if (request.method === 'OPTIONS') {
        response.writeHead(204).end()
      } else if (request.url === '/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      } else {
        json(request.url === '/todos/1' ? { id: '1', title: 'a' } : [{ id: '1', title: 'a' }])(request, response)
      }
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([home?.close(), api?.close()])
  })
  beforeEach(async () => {
    page = await browser.newPage()
    await page.goto(home.origin)
    await page.waitForFunction('globalThis.run')
  })

  test.each([
    ['plain', []],
    ['default', ['/todos/1', LIST, PAGE]],
    ['signed', ['/todos/1', LIST, PAGE]],
    // Only the second read of data that is stored has a condition.
    ['etag', ['/todos/1', LIST]],
  ])('INIT-7 RE-31 a class "%s", and a live connection: preflights for %j', async (name, urls) => {
    const before = api.received.length
    await page.evaluate(`run(${JSON.stringify(name)}, ${JSON.stringify(api.origin)})`)
    const requests = api.received.slice(before)
    const urlsOf = (wanted: string): string[] => [
      ...new Set(requests.filter(({ method }) => method === wanted).map(({ url }) => url)),
    ]
    expect(urlsOf('GET')).toEqual(['/events', '/todos/1', LIST, PAGE])
    // Chromium remembers each of them for a while.
    expect(urlsOf('OPTIONS')).toEqual(urls)
  })
})
