import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { type Answer, openServer, type TestServer } from '../server.ts'

const executablePath = await findChromium()

const WORKER = `import '/app.js'
const getHeaders = () => ({ 'x-token': 'secret' })
const get = new restitch.RestEndpoint({ urlPrefix: location.origin, path: '/within', getHeaders })
Promise.all([get(), get.extend({ path: '/away' })().catch((error) => error.code)]).then((all) => postMessage(all))`

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let home: TestServer
  let other: TestServer

  // Any origin may read these responses: only the library refuses them.
  const open =
    (answer: Answer): Answer =>
    (request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*')
      if (request.method === 'OPTIONS') {
        response.writeHead(204).end()
      } else {
        answer(request, response)
      }
    }

  beforeAll(async () => {
    const app = await bundle(`import * as restitch from 'restitch'; globalThis.restitch = restitch`, 'development')
    other = await openServer(
      open((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"at":"other"}')),
    )
    home = await openServer(
      open((request, response) => {
        const script = { '/app.js': app, '/worker.js': WORKER }[request.url]
        if (script) {
          response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
        } else if (request.url === '/within') {
          response.writeHead(302, { location: '/answer' }).end()
        } else if (request.url === '/away') {
          response.writeHead(302, { location: `${other.origin}/answer` }).end()
        } else if (request.url === '/answer') {
          response.writeHead(200, { 'content-type': 'application/json' }).end('{"at":"home"}')
        } else {
          response.setHeader(
            'content-security-policy',
            "default-src 'none'; script-src 'self'; connect-src *; worker-src 'self'",
          )
          response.writeHead(200, { 'content-type': 'text/html' }).end('<script type="module" src="/app.js"></script>')
        }
      }),
    )
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
    page = await browser.newPage()
    page.setDefaultTimeout(90_000)
    await page.goto(home.origin)
    await page.waitForFunction('globalThis.restitch')
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([home?.close(), other?.close()])
  })

  /** Calls an endpoint in the page. */
  const call = (options: object): Promise<unknown> =>
    page.evaluate(async (given) => {
      const { RestEndpoint } = (globalThis as any).restitch
      const endpoint = new RestEndpoint({ requestInit: { headers: { 'Access-Token': 'secret' } }, ...given })
      return endpoint().then(
        (value: unknown) => ({ value }),
        (error: any) => ({
          code: error.code,
          name: error.name,
          status: error.status,
          policy: endpoint.errorPolicy(error),
        }),
      )
    }, options)

  test('G-2 endpoints work under a Content-Security-Policy that forbids eval, and within their origin', async () => {
    expect(await call({ path: '/answer' })).toEqual({ value: { at: 'home' } })
    expect(await call({ path: '/within' })).toEqual({ value: { at: 'home' } })
    expect(await call({ urlPrefix: home.origin, path: '/within' })).toEqual({ value: { at: 'home' } })
  })

  test('FET-6 the response of another origin is refused', async () => {
    for (const urlPrefix of ['', home.origin]) {
      expect(await call({ urlPrefix, path: '/away' })).toEqual({
        code: 'redirect-origin',
        name: 'RestitchError',
        status: 400,
        policy: 'soft',
      })
    }
    expect(other.received.length).toBeGreaterThan(0)
  })

  test('FET-6 an origin that was named is let through', async () => {
    expect(await call({ path: '/away', allowRedirectTo: [other.origin] })).toEqual({ value: { at: 'other' } })
  })

  test('FET-6 redirect: error keeps the request from being made', async () => {
    const before = other.received.length
    expect(
      await call({ path: '/away', requestInit: { redirect: 'error', headers: { 'Access-Token': 'secret' } } }),
    ).toMatchObject({ code: 'transport', name: 'TypeError', status: 500 })
    expect(other.received).toHaveLength(before)
  })

  test('FET-6 a worker of a browser is distinguished from one of a server', async () => {
    const answer = await page.evaluate(() => {
      const worker = new Worker('/worker.js', { type: 'module' })
      return new Promise((done, fail) => {
        worker.addEventListener('message', ({ data }) => done(data))
        worker.addEventListener('error', ({ message }) => fail(new Error(message)))
      })
    })
    expect(answer).toEqual([{ at: 'home' }, 'redirect-origin'])
  })

  test('FET-3 a server that is not there', async () => {
    const closed = await openServer()
    await closed.close()
    expect(await call({ urlPrefix: closed.origin, path: '/a' })).toEqual({
      code: 'transport',
      name: 'TypeError',
      status: 500,
      policy: 'soft',
    })
  })
})
