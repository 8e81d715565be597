// PER-1, PER-2, PER-9, PER-10, DSK-4, TAB-1 to TAB-3 in real tabs, with a real database.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  let todos: { id: string; title: string }[]
  /** Requests for data. */
  let asked: string[]
  /** The API responds with errors. */
  let isDown: boolean

  const open = async (query = '?list&user=ann', of: BrowserContext = context): Promise<Page> => {
    const page = await of.newPage()
    await page.goto(`${home.origin}/${query}`)
    return page
  }
  const text = (page: Page): Promise<string | null> => page.textContent('body')
  const shows = (page: Page, wanted: string): Promise<unknown> =>
    page.waitForFunction((one) => document.body.textContent === one, wanted)
  const isSaved = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => ((globalThis as any).app.store.persisted.rows as number) >= 4)
  /** Everything that the databases of the page have, as text. */
  const disk = (page: Page): Promise<string> =>
    page.evaluate(async () => {
      const all: unknown[] = []
      for (const { name } of await indexedDB.databases()) {
        const opening = indexedDB.open(name!)
        await new Promise((done) => opening.addEventListener('success', done))
        const rows = opening.result.transaction('rows').objectStore('rows')
        const values = rows.getAll()
        const keys = rows.getAllKeys()
        await new Promise((done) => keys.addEventListener('success', done))
        all.push(name, keys.result, values.result)
        opening.result.close()
      }
      return JSON.stringify(all)
    })

  beforeAll(async () => {
    const app = await bundle(`import { run } from './browser/offlineApp.ts'; run()`, 'development')
    const screen = await bundle(`import { run } from './browser/offlineScreen.ts'; run()`)
    home = await openServer(({ url, method, body }, response) => {
      if (url === '/app.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(app)
      } else if (url === '/screen.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(screen)
      } else if (url === '/screen') {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<main></main><script type="module" src="/screen.js"></script>')
      } else if (url === '/api/enveloped') {
        asked.push(`${method} ${url}`)
        if (isDown) {
          response.writeHead(503).end()
          return
        }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data: todos, meta: { total: todos.length } }))
      } else if (url.startsWith('/api')) {
        asked.push(`${method} ${url}`)
        if (isDown) {
          response.writeHead(503).end()
          return
        }
        const id = url.split('/')[3]
        if (method === 'PATCH') {
          todos = todos.map((one) => (one.id === id ? { ...one, ...(JSON.parse(body.toString()) as object) } : one))
        }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(id ? todos.find((one) => one.id === id) : todos))
      } else {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<body></body><script type="module" src="/app.js"></script>')
      }
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
  })
  afterAll(async () => {
    await browser?.close()
    await home?.close()
  })
  beforeEach(async () => {
    asked = []
    isDown = false
    todos = [
      { id: '1', title: 'milk' },
      { id: '2', title: 'tea' },
    ]
    context = await browser.newContext()
  })
  afterEach(async () => {
    await context.close()
  })

  test('PER-2 after a reload the data is there, without a request', async () => {
    const page = await open()
    await shows(page, 'milk tea')
    await isSaved(page)
    await page.reload()
    await shows(page, 'milk tea')
    expect(asked).toEqual(['GET /api/todos'])
    expect(await page.evaluate(() => (globalThis as any).app.store.persisted.status as string)).toBe('open')
  })

  test('PER-2 PER-4 after a reload while the server is down a React screen shows what it showed', async () => {
    const page = await context.newPage()
    await page.goto(`${home.origin}/screen`)
    const shown = (): Promise<unknown> =>
      page.waitForFunction(() => document.querySelector('main')!.textContent === 'milk tea of 2')
    await shown()
    // The result is written last.
    await expect.poll(() => disk(page)).toContain('GET /api/enveloped')
    // A request fails sooner than any database opens.
    await page.addInitScript(() => {
      globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    })
    await page.reload()
    await shown()
    // A failure does not overtake a slow disk.
    await page.addInitScript(() => {
      const open = indexedDB.open.bind(indexedDB)
      const slow = (...args: [string, number?]): unknown => {
        const target: any = new EventTarget()
        setTimeout(() => {
          const request = open(...args)
          for (const type of ['success', 'error', 'blocked', 'upgradeneeded']) {
            request.addEventListener(type, (event) => {
              target.result = request.result
              target.transaction = request.transaction
              target.dispatchEvent(new (event.constructor as any)(event.type, event))
            })
          }
        }, 1_500)
        return target
      }
      Object.defineProperty(indexedDB, 'open', { value: slow })
    })
    await page.reload()
    await shown()
    // Nor where the data is old, so that a request is sent and fails.
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await page.reload()
    await shown()
    expect(asked).toEqual(['GET /api/enveloped'])
  })

  test('PER-14 thousands of records come back some at a time, and the page responds in between', async () => {
    todos = Array.from({ length: 3_500 }, (_, i) => ({ id: `${i}`, title: `t${i}` }))
    const page = await open()
    await page.waitForFunction(() => ((globalThis as any).app.store.persisted.rows as number) >= 3_500)
    const all = todos.map(({ title }) => title).join(' ')
    await page.addInitScript(() => {
      // Every task of the page is counted while rows are restored.
      Object.assign(globalThis, { turns: 0 })
      const turn = (): void => {
        ;(globalThis as any).turns += (globalThis as any).app?.store.persisted.rows < 3_500 ? 1 : 0
        setTimeout(turn)
      }
      turn()
    })
    isDown = true
    await page.reload()
    await shows(page, all)
    expect(await page.evaluate(() => (globalThis as any).turns as number)).toBeGreaterThan(2)
  })

  test('PER-1 what changes in the very task that leaves the page is written', async () => {
    const page = await open()
    await shows(page, 'milk tea')
    await isSaved(page)
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(() => {
        const { store, Todo } = (globalThis as any).app
        void store.controller.set(Todo, { id: '1' }, { id: '1', title: 'bread' })
        location.href = '/?user=ann'
      }),
    ])
    expect(await disk(page)).toContain('bread')
  })

  test('PER-10 the last write of a page whose session has ended is not stored', async () => {
    const page = await open()
    await shows(page, 'milk tea')
    await isSaved(page)
    await page.evaluate(async () => {
      const opening = indexedDB.open('test ann')
      await new Promise((done) => opening.addEventListener('success', done))
      const transaction = opening.result.transaction('rows', 'readwrite')
      transaction.objectStore('rows').put(true, 'ended/0')
      await new Promise((done) => transaction.addEventListener('complete', done))
    })
    await Promise.all([
      page.waitForEvent('load'),
      page.evaluate(() => {
        const { store, Todo } = (globalThis as any).app
        void store.controller.set(Todo, { id: '1' }, { id: '1', title: 'bread' })
        // No transaction that could read.
        Object.assign(IDBObjectStore.prototype, { get: () => new EventTarget() })
        location.href = '/?user=ann'
      }),
    ])
    expect(await disk(page)).not.toContain('bread')
  })

  test('TAB-1 TAB-2 two tabs: a mutation of one is shown by the other, and so is what one has fetched', async () => {
    const [one, two] = [await open(), await open()]
    await Promise.all([shows(one, 'milk tea'), shows(two, 'milk tea')])
    const before = asked.length
    await one.evaluate(() => {
      const { store, Todos } = (globalThis as any).app
      return store.controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'bread' }) as unknown
    })
    await shows(two, 'bread tea')
    todos = [{ id: '3', title: 'salt' }]
    await two.evaluate(() => {
      const { store, Todos } = (globalThis as any).app
      return store.controller.fetch(Todos.getList) as unknown
    })
    await shows(one, 'salt')
    expect(asked.slice(before)).toEqual(['PATCH /api/todos/1', 'GET /api/todos'])
  })

  test('TAB-3 a tab that was frozen shows what the server has', async () => {
    const [one, two] = [await open(), await open()]
    await Promise.all([shows(one, 'milk tea'), shows(two, 'milk tea')])
    const session = await context.newCDPSession(two)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' })
    await one.evaluate(() => {
      const { store, Todos } = (globalThis as any).app
      return store.controller.fetch(Todos.partialUpdate, { id: '1' }, { title: 'bread' }) as unknown
    })
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await shows(two, 'bread tea')
    expect(await text(two)).toBe('bread tea')
  })

  test('PER-9 PER-10 a sign-out in one tab resets the other, and nothing of the user is left in any database', async () => {
    const [one, two] = [await open(), await open()]
    await Promise.all([shows(one, 'milk tea'), shows(two, 'milk tea')])
    // Either of them has written what both show.
    await expect.poll(() => disk(one)).toContain('milk')
    todos = []
    await one.evaluate(() => {
      const { store, session } = (globalThis as any).app
      session.user = undefined
      return store.controller.resetEntireStore() as unknown
    })
    await shows(two, '')
    await expect.poll(() => disk(one)).not.toContain('milk')
    const bob = await open('?list&user=bob')
    await shows(bob, '')
    expect(await disk(bob)).not.toContain('milk')
  })

  test.each(['blocked', 'silent'])(
    'DSK-4 LiveStore#926 IndexedDB that is %s: the app works, and says so once',
    async (broken) => {
      const page = await open(`?list&user=ann&broken=${broken}`)
      await shows(page, 'milk tea')
      await page.waitForFunction(() => (globalThis as any).app.store.persisted.status === 'memory')
      const errors = await page.evaluate(() => (globalThis as any).app.errors as string[])
      expect(errors).toEqual([expect.stringContaining('[disk-failed]')])
    },
  )

  test('PER-1 a browser that is killed has its data when it starts again', async () => {
    const profile = await mkdtemp(join(tmpdir(), 'restitch-'))
    try {
      const launch = (): Promise<BrowserContext> =>
        chromium.launchPersistentContext(profile, { executablePath: executablePath!, args: LAUNCH_ARGS })
      const first = await launch()
      const page = await open(undefined, first)
      await shows(page, 'milk tea')
      await isSaved(page)
      const session = await first.browser()?.newBrowserCDPSession()
      // It ends at once, without a word to its pages.
      await session?.send('Browser.crash').catch(() => {})
      await first.close().catch(() => {})
      isDown = true
      const second = await launch()
      const again = await open(undefined, second)
      await shows(again, 'milk tea')
      expect(await text(again)).toBe('milk tea')
      await second.close()
    } finally {
      await rm(profile, { recursive: true, force: true })
    }
  })
})
