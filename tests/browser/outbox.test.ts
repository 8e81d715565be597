// OUT-7, OUT-8 in real tabs, with real Web Locks and a real database.
import type { ServerResponse } from 'node:http'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { openServer, type TestServer } from '../server.ts'

const executablePath = await findChromium()

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let context: BrowserContext
  let home: TestServer
  let tasks: { id: string; title: string }[]
  /** The changes that were made. */
  let made: string[]
  /** The requests for changes, with the tabs that have sent them. */
  let arrived: { tab: string; key: string; text: string }[]
  let known: Map<string, string>
  /** A response to a change is held back here, as long as it is not `undefined`. */
  let held: ServerResponse[] | undefined

  const open = async (tab: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${home.origin}/?tab=${tab}`)
    await page.evaluate(() => (globalThis as any).app.ready() as unknown)
    return page
  }
  const write = (page: Page, id: string, title: string): Promise<void> =>
    page.evaluate(([of, text]) => (globalThis as any).app.write(of, text), [id, title])
  const waits = (page: Page, count: number): Promise<unknown> =>
    page.waitForFunction((wanted) => (globalThis as any).app.waiting() === wanted, count)
  const shows = (page: Page, wanted: string): Promise<unknown> =>
    page.waitForFunction((text) => (globalThis as any).app.titles() === text, wanted)

  beforeAll(async () => {
    const app = await bundle(`import { run } from './browser/outboxApp.ts'; run()`, 'development')
    home = await openServer(({ url, method, headers, body }, response) => {
      const send = (type: string, text: string): unknown => response.writeHead(200, { 'content-type': type }).end(text)
      const id = url.split('/')[3]
      if (url === '/app.js') {
        send('text/javascript', app)
      } else if (!url.startsWith('/api')) {
        send('text/html', '<body></body><script type="module" src="/app.js"></script>')
      } else if (method === 'GET') {
        send('application/json', JSON.stringify(id ? tasks.find((one) => one.id === id) : tasks))
      } else {
        const key = String(headers['idempotency-key'])
        const { title } = JSON.parse(body.toString()) as { title: string }
        arrived.push({ tab: String(headers['x-tab']), key, text: `${id} ${title}` })
        if (!known.has(key)) {
          made.push(`${id} ${title}`)
          tasks = tasks.map((one) => (one.id === id ? { id, title } : one))
          known.set(key, JSON.stringify({ id, title }))
        }
        if (held) {
          held.push(response)
        } else {
          send('application/json', known.get(key)!)
        }
      }
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
  })
  afterAll(async () => {
    await browser?.close()
    await home?.close()
  })
  beforeEach(async () => {
    tasks = ['1', '2', '3', '4'].map((id) => ({ id, title: 'old' }))
    made = []
    arrived = []
    known = new Map()
    held = undefined
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context.close()
  })

  /** Two tabs that have made changes without a network, of which both show all. */
  const offline = async (): Promise<Record<string, Page>> => {
    const [one, two] = [await open('one'), await open('two')]
    await Promise.all([shows(one, 'old old old old'), shows(two, 'old old old old')])
    await context.setOffline(true)
    await write(one, '1', 'a')
    await write(two, '2', 'b')
    await write(one, '3', 'c')
    await Promise.all([waits(one, 3), waits(two, 3)])
    // It waits for the one before.
    await write(two, '1', 'd')
    await Promise.all([shows(one, 'd b c old'), shows(two, 'd b c old')])
    await Promise.all([waits(one, 4), waits(two, 4)])
    return { one, two }
  }

  test('OUT-8 two tabs queue writes offline: one of them sends all, each once', async () => {
    const { one, two } = await offline()
    expect(arrived).toEqual([])
    await context.setOffline(false)
    await Promise.all([waits(one!, 0), waits(two!, 0)])
    await Promise.all([shows(one!, 'd b c old'), shows(two!, 'd b c old')])
    expect(arrived.map(({ text }) => text).toSorted()).toEqual(['1 a', '1 d', '2 b', '3 c'])
    expect(made.filter((text) => text.startsWith('1'))).toEqual(['1 a', '1 d'])
    expect(new Set(arrived.map(({ key }) => key)).size).toBe(4)
  })

  test('OUT-1 entries are written in strict transactions, which survive a loss of power; rows alone in relaxed ones', async () => {
    const page = await open('one')
    await page.evaluate(() => {
      const noted: string[] = []
      const { put, delete: remove } = IDBObjectStore.prototype
      const note = (store: IDBObjectStore, key: unknown): void =>
        void noted.push(`${String(key).split('/')[0]} ${store.transaction.durability}`)
      IDBObjectStore.prototype.put = function (value, key) {
        note(this, key)
        return put.call(this, value, key)
      }
      IDBObjectStore.prototype.delete = function (key) {
        note(this, key)
        return remove.call(this, key)
      }
      Object.assign(globalThis, { noted })
    })
    await write(page, '1', 'a')
    await shows(page, 'a old old old')
    await waits(page, 0)
    const noted = async (): Promise<string[]> =>
      [...new Set(await page.evaluate(() => (globalThis as any).noted))] as string[]
    expect((await noted()).filter((one) => one.startsWith('entry'))).toEqual(['entry strict'])
    await expect.poll(noted).toContain('row relaxed')
  })

  test.each(['closed', 'crashed'])(
    'OUT-7 OUT-8 the tab that sends is %s: the other one sends the rest, and each change is made once',
    async (end) => {
      const pages = await offline()
      held = []
      await context.setOffline(false)
      await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(3)
      const [sender] = [...new Set(arrived.map(({ tab }) => tab))]
      // One tab sends at a time.
      expect(new Set(arrived.map(({ tab }) => tab)).size).toBe(1)
      held = undefined
      if (end === 'crashed') {
        const session = await context.newCDPSession(pages[sender!]!)
        session.send('Page.crash').catch(() => {})
        await pages[sender!]!.waitForEvent('crash')
      }
      await pages[sender!]!.close()
      const left = pages[sender === 'one' ? 'two' : 'one']!
      await waits(left, 0)
      await shows(left, 'd b c old')
      expect(made.toSorted()).toEqual(['1 a', '1 d', '2 b', '3 c'])
      expect(tasks.map(({ title }) => title)).toEqual(['d', 'b', 'c', 'old'])
      const before = arrived.slice(0, 3)
      const after = arrived.slice(3)
      expect(new Set(after.map(({ tab }) => tab))).toEqual(new Set([sender === 'one' ? 'two' : 'one']))
      // The attempts of both tabs have the same keys.
      for (const { text, key } of before) {
        expect(after.find((one) => one.text === text)?.key).toBe(key)
      }
      expect(after).toHaveLength(4)
    },
  )
})
