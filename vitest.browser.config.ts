import { playwright } from '@vitest/browser-playwright'
import { defaultClientConditions } from 'vite'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { findChromium, LAUNCH_ARGS } from './scripts/chromium.mjs'

const executablePath = await findChromium()
// Without a browser there is nothing to run, and scripts/test.mjs says so.
const include = executablePath
  ? [
      'tests/react/{hooks,renders,concurrent,boundaries,mutation,several,dle,fetching,infinite,actions}.test.ts',
      'tests/react/chromium/*.test.ts',
    ]
  : []

/** The tests of React in a real browser: `vitest run --config vitest.browser.config.ts`. */
const config: ViteUserConfig = defineConfig({
  resolve: { conditions: ['restitch-source', ...defaultClientConditions] },
  define: { 'process.env.NODE_ENV': '"development"' },
  cacheDir: '.cache/vite-browser',
  optimizeDeps: {
    include: ['react', 'react-dom', 'react-dom/client', 'react-dom/server', '@testing-library/react'],
  },
  test: {
    include,
    passWithNoTests: true,
    setupFiles: ['tests/patience.ts'],
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: { executablePath: executablePath ?? '', args: LAUNCH_ARGS } }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
export default config
