// Progress of uploads and downloads, with the XMLHttpRequest of a real browser.
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { type Answer, json, openServer, redirect, send, type TestServer } from '../server.ts'

const executablePath = await findChromium()
const APP = `
import { createStore, RestEndpoint } from 'restitch'
import { createAuth } from 'restitch/auth'
import { withProgress } from 'restitch/progress'
const auth = createAuth({ origins: [location.origin], load: () => ({ accessToken: 'old' }), refresh: () => ({ accessToken: 'new' }) })
const upload = new auth.Endpoint({ path: '/files', method: 'POST', timeout: 60_000 })
globalThis.run = async (size, { signal, ...options } = {}) => {
  const seen = []
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(size)]), 'a.bin')
  const { controller } = createStore()
  const aborter = new AbortController()
  const endpoint = withProgress(upload.extend({ signal: aborter.signal, ...options }), (progress) => {
    seen.push(progress)
    if (signal && progress.loaded > 0) aborter.abort()
  })
  const result = await controller.fetch(endpoint, form).catch(({ name, code, status, message, body }) => ({ name, code, status, message, body }))
  return { seen, result }
}
`

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let server: TestServer
  let other: TestServer
  let toFile: Answer

  beforeAll(async () => {
    const script = await bundle(APP, 'development')
    other = await openServer((request, response) => {
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('access-control-allow-headers', '*')
      json({ at: 'other' })(request, response)
    })
    server = await openServer((request, response) => {
      if (request.url === '/app.js') {
        return send(script, { 'content-type': 'text/javascript' })(request, response)
      }
      if (request.url === '/files') {
        const isNew = request.headers.authorization === 'Bearer new'
        return (isNew ? toFile : json({}, 401))(request, response)
      }
      if (request.url === '/there') {
        return json({ at: 'there' })(request, response)
      }
      return send('<script type="module" src="/app.js"></script>', { 'content-type': 'text/html' })(request, response)
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
    page = await browser.newPage()
    await page.goto(server.origin)
    await page.waitForFunction('globalThis.run')
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([server?.close(), other?.close()])
  })
  beforeEach(() => {
    toFile = json({ id: '7' }, 201)
  })
  const run = (size: number, options: object = {}): Promise<any> =>
    page.evaluate(`run(${size}, ${JSON.stringify(options)})`)

  test('PRG-1 PRG-4 an upload reports its bytes, for each of its two attempts', async () => {
    const { seen, result } = await run(3_000_000)
    expect(result).toEqual({ id: '7' })
    const uploads = seen.filter(({ phase }: any) => phase === 'upload')
    expect(uploads.filter(({ percent }: any) => percent === 100)).toHaveLength(2)
    expect(uploads.at(-1).total).toBeGreaterThan(3_000_000)
    expect(seen.at(-1)).toMatchObject({ phase: 'download' })
    const [type] = server.last.headers['content-type']!.split(';')
    expect([type, server.last.body.length > 3_000_000]).toEqual(['multipart/form-data', true])
  })

  test('PRG-2 an empty response, an error with its body, a redirect', async () => {
    toFile = send('', {}, 204)
    expect((await run(10)).result).toBeNull()
    toFile = json({ message: 'Too large' }, 413)
    expect((await run(10)).result).toMatchObject({ name: 'NetworkError', status: 413, message: 'Too large' })
    toFile = redirect(303, '/there')
    expect((await run(10)).result).toEqual({ at: 'there' })
    toFile = redirect(303, `${other.origin}/there`)
    expect((await run(10)).result).toMatchObject({ code: 'redirect-origin' })
    expect(other.last.headers.authorization).toBeUndefined()
  })

  test('PRG-3 an abort, and a connection that is cut', async () => {
    expect((await run(30_000_000, { signal: true })).result).toMatchObject({ name: 'AbortError' })
    toFile = (_, response) => response.socket?.destroy()
    expect((await run(10)).result).toMatchObject({ name: 'TypeError', code: 'transport', status: 500 })
  })
})
