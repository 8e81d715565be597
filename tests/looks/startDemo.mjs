// Starts the demo with new data, and a browser. The pictures and the film of the README are taken of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { buildDemo } from '../../demo/start.mjs'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'

export async function startDemo() {
  const main = await buildDemo()
  const folder = mkdtempSync(join(tmpdir(), 'looks-'))
  const child = spawn(process.execPath, [main, '--port', '0', '--no-open', '--data', folder], {
    stdio: ['ignore', 'pipe', 2],
  })
  const origin = await new Promise((done, fail) => {
    child.on('close', (code) => fail(new Error(`The demo ended with ${code}`)))
    child.stdout.on('data', (data) => {
      const port = /localhost(:\d+)/.exec(String(data))?.[1]
      if (port) {
        done(`http://localhost${port}`)
      }
    })
  })
  const executablePath = await findChromium()
  if (!executablePath) {
    throw new Error('There is no Chromium. Set CHROMIUM_PATH, or run `npx playwright install chromium`.')
  }
  const browser = await chromium.launch({ executablePath, args: LAUNCH_ARGS })
  return { origin, browser, setFaults, close }

  async function setFaults(faults) {
    const body = JSON.stringify({ latency: 0, jitter: 0, errorRate: 0, offline: false, ...faults })
    await fetch(`${origin}/api/faults`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body })
  }

  async function close() {
    await browser.close()
    const closed = once(child, 'close')
    child.kill()
    await closed
    rmSync(folder, { recursive: true, force: true })
  }
}
