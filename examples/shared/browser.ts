import { chromium } from 'playwright'
import type { TestProject } from 'vitest/node'
import { findChromium, LAUNCH_ARGS } from '../../scripts/chromium.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one browser of all tests listens. */
    browser: string
  }
}

/** Starts the browser that all tests share. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = await findChromium()
  if (!executablePath) {
    return undefined
  }
  const browser = await chromium.launchServer({ executablePath, args: LAUNCH_ARGS })
  project.provide('browser', browser.wsEndpoint())
  return () => browser.close()
}
