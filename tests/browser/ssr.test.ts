import { type Browser, chromium, type Page } from 'playwright'
import { createElement as h } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { createPersistedStore, createServerDataComponent } from 'restitch/react/ssr'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { openServer, type TestServer } from '../server.ts'
import { createApp } from './ssrApp.ts'

const executablePath = await findChromium()
const EVIL = '</script><script>globalThis.broken = true</script>'

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let home: TestServer
  const said: string[] = []

  beforeAll(async () => {
    const app = await bundle(`import { takeOver } from './browser/ssrApp.ts'; void takeOver()`, 'development')
    home = await openServer((request, response) => {
      if (request.url === '/app.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(app)
      } else if (request.url === '/favicon.ico') {
        response.writeHead(204).end()
      } else if (request.url.startsWith('/posts/')) {
        const id = request.url.slice('/posts/'.length)
        const body = JSON.stringify({ id, title: `Post ${id} ${EVIL}` })
        const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(body)
        setTimeout(answer, id === 'slow' ? 300 : 0)
      } else {
        const [Provider, useReadyCacheState] = createPersistedStore()
        const Data = createServerDataComponent(useReadyCacheState)
        const tree = h(
          'html',
          null,
          h('head', null, h('title', null, 'page')),
          h('body', null, h('div', { id: 'root' }, h(Provider, null, createApp(home.origin))), h(Data)),
        )
        const { pipe } = renderToPipeableStream(tree, {
          bootstrapModules: ['/app.js'],
          onShellReady() {
            response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
            pipe(response)
          },
        })
      }
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
    page = await browser.newPage()
    page.setDefaultTimeout(90_000)
    page.on('console', (message) => void (message.type() === 'error' && said.push(message.text())))
    page.on('pageerror', (error) => void said.push(String(error)))
  })

  afterAll(async () => {
    await browser?.close()
    await home?.close()
  })

  test('SSR-2 SSR-3 SSR-4 SSR-11 a streamed page is taken over without a request, its last part after the store moved on', async () => {
    await page.goto(home.origin)
    await page.waitForFunction(`globalThis.mounted?.includes('slow') && globalThis.mounted.includes('1')`)
    const text = (id: string): Promise<string | null> => page.locator(`#${id}`).textContent()
    expect(await text('post-1')).toBe(`Post 1 ${EVIL}`)
    expect(await text('quiet')).toBe(`Post quiet ${EVIL}`)
    await page.evaluate('globalThis.change()')
    await page.waitForFunction(`document.getElementById('post-1').textContent === 'changed'`)
    expect(await text('post-late')).toBe(`Post 1 ${EVIL}`)
    const late = await page.locator('#post-late').elementHandle()
    await page.evaluate('globalThis.letGo()')
    await page.waitForFunction(`document.getElementById('post-late').textContent === 'changed'`)
    expect(await late!.evaluate((element) => element.isConnected)).toBe(true)
    expect(await page.evaluate('globalThis.broken')).toBeUndefined()
    expect(await page.evaluate('globalThis.faults')).toEqual([])
    expect(said).toEqual([])
    const asked = home.received.filter(({ url, headers }) => url.startsWith('/posts/') && headers['referer'])
    expect(asked.map(({ url }) => url)).toEqual([])
  })
})
