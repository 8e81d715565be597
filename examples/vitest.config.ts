import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { findChromium } from '../scripts/chromium.mjs'

/** The tests of all examples; `npm run test:apps` installs the packed library first. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '.cache/vitest',
  test: {
    include: (await findChromium()) ? ['*/*.test.ts'] : [],
    passWithNoTests: true,
    globalSetup: ['shared/browser.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
export default config
