// OUT-8, TAB-3: two to five real tabs, of two versions of the app, change the same records, and come and go.
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { cases } from '../effort.ts'
import { openServer, type TestServer } from '../server.ts'

const executablePath = await findChromium()
const STEPS = 40
const SEEDS = Array.from({ length: cases(12) }, (_, i) => i + 1)

interface Tab {
  readonly page: Page
  readonly version: number
  isMuted: boolean
  isFrozen: boolean
}

/** A number that follows from a seed. */
function generator(seed: number): () => number {
  let state = seed
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647
}

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let home: TestServer
  let tasks: Map<string, string>
  let known: Map<string, { readonly status: number; readonly body: string }>
  let roll: () => number
  let isCalm: boolean
  let last: number
  /** The changes that were made, and how often. */
  let made: Map<string, number>

  const carryOut = (method: string, id: string | undefined, title: string): { status: number; body: string } => {
    const own = id ?? `s${++last}`
    if (id !== undefined && !tasks.has(id)) {
      return { status: 404, body: '{}' }
    }
    tasks[method === 'DELETE' ? 'delete' : 'set'](own, title)
    return { status: 200, body: JSON.stringify({ id: own, title }) }
  }

  beforeAll(async () => {
    const app = await bundle(`import { run } from './browser/outboxApp.ts'; run()`, 'development')
    home = await openServer(({ url, method, headers, body }, response) => {
      const send = (type: string, text: string, status = 200): unknown =>
        response.writeHead(status, { 'content-type': type, connection: 'close' }).end(text)
      const id: string | undefined = url.split('/')[3]
      const all = [...tasks].map(([one, title]) => ({ id: one, title }))
      if (url === '/app.js') {
        return send('text/javascript', app)
      }
      if (!url.startsWith('/api')) {
        return send('text/html', '<body></body><script type="module" src="/app.js"></script>')
      }
      if (method === 'GET') {
        return send(
          'application/json',
          JSON.stringify(id ? (all.find((one) => one.id === id) ?? {}) : all),
          id && !tasks.has(id) ? 404 : 200,
        )
      }
      const fate = isCalm ? 1 : roll()
      if (fate < 0.15) {
        return send('application/json', '{}', 503)
      }
      const key = String(headers['idempotency-key'])
      const { title = '' } = JSON.parse(body.toString() || '{}') as { title?: string }
      if (!known.has(key)) {
        known.set(key, carryOut(method, id, title))
        made.set(title, (made.get(title) ?? 0) + 1)
      }
      const { status, body: text } = known.get(key)!
      return fate < 0.3 ? response.socket!.destroy() : send('application/json', text, status)
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
  })
  afterAll(async () => {
    await browser?.close()
    await home?.close()
  })

  const call = (page: Page, name: string, ...args: unknown[]): Promise<any> =>
    page.evaluate(([member, values]) => (globalThis as any).app[member](...values), [name, args] as [string, any[]])

  /** Plays one history. */
  class Play {
    readonly context: BrowserContext
    tabs: Tab[] = []
    count = 0

    constructor(context: BrowserContext) {
      this.context = context
    }

    async open(version: number = roll() < 0.5 ? 1 : 2): Promise<void> {
      const page = await this.context.newPage()
      await page.goto(`${home.origin}/?tab=${++this.count}&version=${version}`)
      await page.evaluate(() => (globalThis as any).app.ready() as unknown)
      this.tabs.push({ page, version, isMuted: false, isFrozen: false })
    }

    async freeze(tab: Tab, isFrozen: boolean): Promise<void> {
      tab.isFrozen = isFrozen
      const session = await this.context.newCDPSession(tab.page)
      await session.send('Page.setWebLifecycleState', { state: isFrozen ? 'frozen' : 'active' })
      await session.detach()
    }

    async mute(tab: Tab, isMuted: boolean): Promise<void> {
      tab.isMuted = isMuted
      await call(tab.page, 'mute', isMuted)
    }

    async write({ page }: Tab): Promise<void> {
      const ids: string[] = await call(page, 'ids')
      const id = ids[Math.floor(roll() * ids.length)]
      const what = roll()
      if (id === undefined || what < 0.2) {
        await call(page, 'create', `t${++this.count}`)
      } else if (what < 0.3 && ids.length > 3) {
        await call(page, 'remove', id)
      } else {
        await call(page, 'write', id, `t${++this.count}`)
      }
    }

    async step(): Promise<void> {
      const { tabs } = this
      const awake = tabs.filter(({ isFrozen }) => !isFrozen)
      const tab = awake[Math.floor(roll() * awake.length)]!
      const what = roll()
      if (what < 0.08 && tabs.length < 5) {
        await this.open()
      } else if (what < 0.14 && awake.length > 2) {
        this.tabs = tabs.filter((one) => one !== tab)
        await tab.page.close()
      } else if (what < 0.22 && awake.length > 1) {
        await this.freeze(tab, true)
      } else if (what < 0.3) {
        const frozen = tabs.find(({ isFrozen }) => isFrozen)
        await (frozen && this.freeze(frozen, false))
      } else if (what < 0.4) {
        await this.mute(tab, !tab.isMuted)
      } else {
        await this.write(tab)
      }
    }

    /** Everything works from now on. */
    async rest(): Promise<void> {
      isCalm = true
      for (const tab of this.tabs) {
        await (tab.isFrozen && this.freeze(tab, false))
        await this.mute(tab, false)
      }
      // An older version leaves the entries of a newer one alone.
      await (this.tabs.some(({ version }) => version === 2) ? undefined : this.open(2))
      // Whatever waits is sent at once, by whichever tab.
      const isSent = (): boolean => {
        const { app } = globalThis as any
        app.hurry()
        return app.waiting() === 0
      }
      await Promise.all(
        this.tabs.map(({ page }) => page.waitForFunction(isSent, undefined, { polling: 200, timeout: 90_000 })),
      )
      // Tabs of one version learn from the next message that they have missed others; those of another version when they fetch.
      for (const tab of this.tabs) {
        await call(tab.page, 'create', `t${++this.count}`)
        await call(tab.page, 'refresh')
      }
    }
  }

  test.each(SEEDS)(
    'OUT-8 TAB-3 two to five tabs of two versions are closed, frozen and muted: at rest all show what the server has (%i)',
    async (seed) => {
      roll = generator(seed * 7_919)
      tasks = new Map(['1', '2', '3'].map((id) => [id, 'old']))
      ;[known, made, isCalm, last] = [new Map(), new Map(), false, 0]
      const play = new Play(await browser.newContext())
      await play.open()
      await play.open()
      for (let i = 0; i < STEPS; i++) {
        await play.step()
      }
      await play.rest()
      for (const { page } of play.tabs) {
        const look = async (): Promise<unknown> => {
          const shown = String((await call(page, 'titles')).split(' ').toSorted())
          const has = String([...tasks.values()].toSorted())
          return [await call(page, 'waiting'), shown === has || { shown, has }]
        }
        await expect.poll(look, { timeout: 60_000, interval: 200 }).toEqual([0, true])
      }
      // No change was made twice; deletes have no title.
      expect([...made].filter(([title, times]) => title !== '' && times > 1)).toEqual([])
      await play.context.close()
    },
  )
})
