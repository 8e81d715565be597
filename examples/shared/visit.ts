import { setTimeout as wait } from 'node:timers/promises'
import type { Browser, ConsoleMessage, Page, Request } from 'playwright'
import { expect } from 'vitest'

/** A browser window with one example in it. */
export interface Visit {
  readonly page: Page
  /** Waits until `main` shows exactly these lines of text. */
  sees(...lines: string[]): Promise<void>
  /** Waits for exactly these API requests since the last call. Failed ones have their status: `'POST /api/books 422'`. */
  sent(...requests: string[]): Promise<void>
  /** Holds back responses to requests whose path matches, until the returned function is called. */
  hold(path: RegExp): Promise<() => void>
  /** Responds with an error to requests whose path matches, until the returned function is called. */
  fail(path: RegExp, status: number, body: object): Promise<() => Promise<void>>
  /** Accepts a console message that the test provokes. */
  allow(message: RegExp): void
  /** Closes the window. Fails where a request was not expected, or something was written to the console. */
  end(test: { passed: boolean; name: string }): Promise<void>
}

/** A busy machine takes its time. */
const PATIENCE = { timeout: 60_000, interval: 20 }

export async function openVisit(browser: Browser, origin: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE.timeout)
  page.setDefaultNavigationTimeout(60_000)
  const requests = new Map<Request, string>()
  const complaints: string[] = []
  const allowed: RegExp[] = []
  page.on('request', noteRequest)
  page.on('response', (response) => note(response.request(), response.ok() ? '' : String(response.status())))
  page.on('requestfailed', (request) => note(request, 'failed'))
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', noteMessage)
  return { page, sees, sent, hold, fail, allow: (message) => allowed.push(message), end }

  async function sees(...lines: string[]): Promise<void> {
    await expect.poll(() => readLines(page), PATIENCE).toEqual(lines)
  }

  async function sent(...expected: string[]): Promise<void> {
    await expect.poll(() => [...requests.values()], PATIENCE).toEqual(expected)
    requests.clear()
  }

  async function hold(path: RegExp): Promise<() => void> {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(matches(path), async (route) => {
      const response = await route.fetch()
      await released
      await route.fulfill({ response })
    })
    return release
  }

  async function fail(path: RegExp, status: number, body: object): Promise<() => Promise<void>> {
    const url = matches(path)
    await page.route(url, (route) => route.fulfill({ status, json: body }))
    return () => page.unroute(url)
  }

  function matches(path: RegExp): (url: URL) => boolean {
    return ({ href }) => href.startsWith(`${origin}/api/`) && path.test(href)
  }

  async function end({ passed, name }: { passed: boolean; name: string }): Promise<void> {
    try {
      const folder = process.env.SCREENSHOTS
      if (folder) {
        await page.screenshot({ path: `${folder}/${name.replaceAll(/[^\w-]+/g, '-')}.png`, fullPage: true })
      }
      // A request nobody expected may still be on its way.
      await wait(50)
      if (!passed) {
        console.log(`${name}: ${[...complaints, ...requests.values()].join('\n')}`)
      } else {
        expect([...requests.values()], 'requests the test does not mention').toEqual([])
        expect(complaints.filter((text) => !allowed.some((message) => message.test(text)))).toEqual([])
      }
    } finally {
      await context.close()
    }
  }

  function noteRequest(request: Request): void {
    if (request.url().startsWith(`${origin}/api/`)) {
      requests.set(request, `${name(request)} …`)
    }
  }

  function note(request: Request, status: string): void {
    if (requests.has(request)) {
      requests.set(request, `${name(request)} ${status}`.trim())
    }
  }

  function name(request: Request): string {
    return `${request.method()} ${decodeURIComponent(request.url().slice(origin.length))}`
  }

  function noteMessage(message: ConsoleMessage): void {
    // The browser writes a line for each response with an error status; `sent` expects those.
    const isBrowsers = message.text().startsWith('Failed to load resource') && message.location().url.includes('/api/')
    if (['error', 'warning'].includes(message.type()) && !isBrowsers) {
      complaints.push(message.text())
    }
  }
}

/** The visible text, line by line. Controls show their values: `[Emma]` is a field, `(Save)` a button. */
function readLines(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const SEPARATORS: Record<string, string> = {
      block: '\n',
      grid: '\n',
      'list-item': '\n',
      table: '\n',
      'table-row': '\n',
    }
    return read(main)
      .split('\n')
      .map((line) => line.replaceAll(/\s+/g, ' ').trim())
      .filter(Boolean)

    function read(node: Node): string {
      if (!(node instanceof HTMLElement)) {
        return node instanceof Text ? node.data.replaceAll('\n', ' ') : ''
      }
      if (node instanceof HTMLSelectElement) {
        return ` [${node.selectedOptions[0]?.text ?? ''}] `
      }
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) {
        return ` [${node.type === 'checkbox' ? ((node as HTMLInputElement).checked ? 'x' : '') : node.value}] `
      }
      const { display } = getComputedStyle(node)
      const text = display === 'none' ? '' : Array.from(node.childNodes, read).join('')
      if (node instanceof HTMLButtonElement) {
        return ` (${text}) `
      }
      if (display === 'table-cell') {
        return ` ${text.replaceAll('\n', ' ')} `
      }
      const isInRow = getComputedStyle(node.parentElement!).display === 'flex'
      const separator = isInRow ? ' ' : (SEPARATORS[display] ?? (display === 'flex' ? '\n' : ' '))
      return display === 'inline' && !isInRow ? text : separator + text + separator
    }
  })
}
