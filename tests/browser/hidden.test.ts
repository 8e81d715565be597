import { type Browser, chromium } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { bundle } from '../bundle.ts'
import { openServer, type TestServer } from '../server.ts'
import type { Seen } from './hiddenApp.ts'

const executablePath = await findChromium()

describe.skipIf(!executablePath)('in Chromium', () => {
  let browser: Browser
  let home: TestServer
  let move: (where: string) => Promise<unknown>
  let saw: (seen: Seen[]) => void
  const seen = new Promise<Seen[]>((done) => void (saw = done))

  beforeAll(async () => {
    const app = await bundle(`import { run } from './browser/hiddenApp.ts'; void run()`, 'development')
    home = await openServer(({ url, body }, response) => {
      if (url === '/app.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(app)
      } else if (url === '/behind' || url === '/front') {
        void move(url).then(() => response.writeHead(204).end())
      } else if (url === '/') {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end('<div id="root"></div><script type="module" src="/app.js"></script>')
      } else {
        if (url === '/saw') {
          saw(JSON.parse(body.toString()) as Seen[])
        }
        response.writeHead(204).end()
      }
    })
    browser = await chromium.launch({ executablePath: executablePath!, args: LAUNCH_ARGS })
  })
  afterAll(async () => {
    await browser?.close()
    await home?.close()
  })

  test('POL-9 POL-5 a tab behind another does not poll; when it is back, one poll makes up for it and the rhythm goes on', async () => {
    const session = await browser.newBrowserCDPSession()
    // Pages that the driver opens itself count as seen wherever they are.
    const open = async (url: string): Promise<string> => (await session.send('Target.createTarget', { url })).targetId
    const other = await open('about:blank')
    const tab = open(home.origin)
    move = async (where) => session.send('Target.activateTarget', { targetId: where === '/front' ? await tab : other })
    const rows = (await seen).map(({ step, visibility, polls, text }) => [step, visibility, polls, text])
    expect(rows).toEqual([
      ['begins', 'visible', 1, '1'],
      ['is seen for 2 s', 'visible', 2, '3'],
      ['goes behind', 'hidden', 0, '3'],
      ['is behind for 10 s', 'hidden', 0, '3'],
      ['comes back', 'visible', 1, '4'],
      ['is seen for 999 ms', 'visible', 0, '4'],
      ['is seen for 1 s', 'visible', 1, '5'],
      ['is seen for 4 s', 'visible', 3, '8'],
      ['was behind for 300 ms', 'visible', 0, '8'],
      ['is seen for the rest of the second', 'visible', 1, '9'],
    ])
  })
})
