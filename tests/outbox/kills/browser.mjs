// A browser on a profile of its own, which is killed by its process, with everything in it.
import { spawn } from 'node:child_process'
import { chromium } from 'playwright'
import { findChromium } from '../../../scripts/chromium.mjs'

const executable = await findChromium()

/** Starts a browser with so many tabs of an address. */
export async function start(profile, address, tabs) {
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      '--no-first-run',
      // A browser repeats requests by itself on connections that it has opened in advance.
      '--disable-features=NetworkPrediction,Prerender2',
      '--dns-prefetch-disable',
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const endpoint = await new Promise((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
      const found = /DevTools listening on (ws:\S+)/.exec(text)
      if (found) {
        resolve(found[1])
      }
    })
    child.on('exit', () => reject(new Error(`Chromium has ended: ${text.slice(-300)}`)))
  })
  const browser = await chromium.connectOverCDP(endpoint)
  const gone = new Promise((resolve) => child.on('exit', resolve))
  const kill = async () => {
    process.kill(-child.pid, 'SIGKILL')
    await gone
    await browser.close().catch(() => {})
  }
  try {
    const context = browser.contexts()[0]
    const open = async (page) => {
      await page.goto(address)
      return page
    }
    const pages = [await open(context.pages()[0] ?? (await context.newPage()))]
    while (pages.length < tabs) {
      pages.push(await open(await context.newPage()))
    }
    return { pages, kill }
  } catch (error) {
    await kill()
    throw error
  }
}

/** Calls a member of the `page` of a tab. */
export function call(page, name, ...args) {
  return page.evaluate(([member, values]) => globalThis.page[member](...values), [name, args])
}

/** Ends a tab: it is closed, or its process crashes. */
export async function end(page, isCrash) {
  if (isCrash) {
    const session = await page.context().newCDPSession(page)
    await Promise.race([session.send('Page.crash').catch(() => {}), page.waitForEvent('crash').catch(() => {})])
  }
  await page.close().catch(() => {})
}
