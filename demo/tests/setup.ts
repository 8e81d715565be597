import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'
import { buildDemo } from '../start.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The built server, and where the browser listens that all files share. */
    demo: { main: string; browser: string }
  }
}

/** The page as users get it, built once for all tests, and a browser. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const main = await buildDemo()
  const executablePath = await findChromium()
  if (!executablePath) {
    return async () => {}
  }
  const browser = await chromium.launchServer({ executablePath, args: LAUNCH_ARGS })
  project.provide('demo', { main, browser: browser.wsEndpoint() })
  return () => browser.close()
}
