import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { findChromium } from '../scripts/chromium.mjs'

// Without a browser the server is tested alone.
const hasBrowser = (await findChromium()) !== undefined

/** The tests of the demo: `vitest run --config demo/vitest.config.ts`, of one side with `--project server` or `page`. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '.cache/vitest',
  test: {
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: 'server',
          include: ['server/*.test.ts', 'app/**/*.test.ts'],
          // A busy machine takes its time.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'page',
          include: hasBrowser ? ['tests/*.test.ts'] : [],
          globalSetup: ['tests/setup.ts'],
          // A busy machine takes its time.
          expect: { poll: { timeout: 60_000 } },
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
})
export default config
