import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  type Page,
  type Request,
} from 'playwright'
import { inject } from 'vitest'

/** The started demo, with data of its own, and a browser. */
export interface Demo {
  readonly origin: string
  readonly browser: Browser
  /** Sends a request beside the page, like a user with another window. Faults affect it, too. */
  api<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>
  /** Needed after all users were signed out. */
  signIn(): Promise<void>
  /** Switches faults on, or all off. */
  break(faults?: object): Promise<void>
  /** Opens the app at a path, signed in by default. */
  open(path: string, options?: OpenOptions): Promise<Visit>
  close(): Promise<void>
}

export interface OpenOptions extends BrowserContextOptions {
  signedIn?: boolean
  /** Set when failures were switched on: the browser's own lines about them are then expected. */
  isBroken?: boolean
}

/** A window, and what went on in it. */
export interface Visit {
  readonly page: Page
  /** `GET /api/people`, in order. Images and the endless stream are left out. */
  readonly requests: string[]
  /** Errors and warnings on the console, and uncaught errors. */
  readonly complaints: string[]
  /** Resolves when nothing is loading and no request was sent for a moment. */
  settle(): Promise<void>
  close(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NO_FAULTS = { latency: 0, jitter: 0, errorRate: 0, offline: false, reorder: false, slowBody: false }
/** Polled, or open as long as the page. */
const POLLED = /^GET \/api\/(events|faults|ticker)$/
const QUIET = 250
/** A machine may be busy. */
const PATIENCE = 60_000

export async function startDemo(): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'))
  const { main, browser: address } = inject('demo')
  const child = spawn(process.execPath, [main, '--port', '0', '--test', '--data', folder], { cwd: ROOT })
  let said = ''
  child.stderr.on('data', (data) => (said += data))
  const origin = await new Promise<string>((done, fail) => {
    child.on('close', (code) => fail(new Error(`The server ended with ${code}: ${said}`)))
    child.stdout.on('data', (data) => {
      const port = /localhost(:\d+)/.exec(String(data))?.[1]
      if (port) {
        done(`http://localhost${port}`)
      }
    })
  })
  const browser = await chromium.connect(address)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const idle: Page[] = []
  await signIn()

  return { origin, browser, api, signIn, break: breakIt, open, close }

  async function signIn(): Promise<void> {
    const person = { email: 'ben.carter@example.com', password: 'demo', kind: 'token' }
    headers.authorization = `Bearer ${(await api<{ accessToken: string }>('POST', '/session', person)).accessToken}`
  }

  async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${origin}/api${path}`, { method, headers, ...sent })
    const text = await response.text()
    if (!response.ok) {
      throw new Error(`${method} ${path} gave ${response.status}: ${text}`)
    }
    return (text && JSON.parse(text)) as T
  }

  async function breakIt(faults: object = {}): Promise<void> {
    await api('PUT', '/faults', { ...NO_FAULTS, ...faults })
  }

  async function open(
    path: string,
    { signedIn = true, isBroken = false, ...options }: OpenOptions = {},
  ): Promise<Visit> {
    // To open a window costs more than most tests do in it: the usual one is used again, with a new page load.
    const isUsual = signedIn && Object.keys(options).length === 0
    const page = (isUsual && idle.pop()) || (await openWindow(options))
    if (signedIn) {
      const data = { email: 'mia.okafor@example.com', password: 'demo', kind: 'cookie' }
      // A kept connection may have been closed by the server in the moment it is used again.
      await page.context().request.post(`${origin}/api/session`, { data, headers: { connection: 'close' } })
    }
    const requests: string[] = []
    const complaints: string[] = []
    const flying = new Set<Request>()
    let lastMove = Date.now()
    page.on('request', noteRequest)
    page.on('requestfinished', land)
    page.on('requestfailed', land)
    page.on('pageerror', noteError)
    page.on('console', noteMessage)
    await page.goto(origin + path)
    return { page, requests, complaints, settle, close }

    function noteRequest(request: Request): void {
      const { pathname, search } = new URL(request.url())
      const name = `${request.method()} ${pathname}${search}`
      if (!pathname.startsWith('/api/') || pathname.startsWith('/api/avatars/') || POLLED.test(name)) {
        return
      }
      requests.push(name)
      flying.add(request)
      lastMove = Date.now()
    }

    function noteError(error: Error): void {
      complaints.push(String(error))
    }

    function noteMessage(message: ConsoleMessage): void {
      if (!['error', 'warning'].includes(message.type())) {
        return
      }
      // The browser logs a line for every failed response.
      if (isBroken && message.text().startsWith('Failed to load resource')) {
        return
      }
      // A busy machine: the library waits for the database no longer, and uses it when it responds.
      if (!message.text().includes('No response within 5 seconds')) {
        complaints.push(`${message.text()} (${message.location().url})`)
      }
    }

    async function close(): Promise<void> {
      if (!isUsual) {
        return page.context().close()
      }
      page.off('request', noteRequest).off('requestfinished', land).off('requestfailed', land)
      page.off('pageerror', noteError).off('console', noteMessage)
      await page.goto('about:blank')
      // The next test begins with an empty browser.
      const devtools = await page.context().newCDPSession(page)
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage' })
      await devtools.detach()
      idle.push(page)
    }

    function land(request: Request): void {
      if (flying.delete(request)) {
        lastMove = Date.now()
      }
    }

    async function settle(): Promise<void> {
      for (const end = Date.now() + PATIENCE; ;) {
        const busy = await page.locator('[aria-busy="true"], .mantine-Skeleton-root').count()
        const left = lastMove + QUIET - Date.now()
        if (busy + flying.size === 0 && left <= 0) {
          return
        }
        if (Date.now() > end) {
          const urls = Array.from(flying, (request) => request.url())
          throw new Error(
            `${page.url()} does not settle: ${busy} parts are loading, ${urls.join(', ') || 'nothing'} is in flight`,
          )
        }
        await page.waitForTimeout(Math.max(left, 25))
      }
    }
  }

  async function openWindow(options: BrowserContextOptions): Promise<Page> {
    const usual = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const
    const page = await (await browser.newContext({ ...usual, ...options })).newPage()
    page.setDefaultTimeout(PATIENCE)
    return page
  }

  async function close(): Promise<void> {
    await browser.close()
    const closed = once(child, 'close')
    child.kill('SIGKILL')
    await closed
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The requests that were sent more than once. */
export function findRepeats(requests: readonly string[]): string[] {
  return requests.filter((request, at) => request.startsWith('GET') && requests.indexOf(request) !== at)
}
