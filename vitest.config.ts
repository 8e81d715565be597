import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

// The source condition of package.json leads `restitch` to src/, so tests import it as a user does and no build comes first.
const conditions = ['restitch-source', ...defaultServerConditions]

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Properties run thousands of cases: on a busy machine that takes a while.
  test: {
    // They need a browser, React 18 or much time: each has a config of its own.
    exclude: [
      ...configDefaults.exclude,
      'tests/react/chromium/**',
      'tests/react18/**',
      'tests/simulator/planted.test.ts',
    ],
    setupFiles: ['tests/seed.ts'],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // One process for all files of a worker: to start one for each costs a third of the time. tests/seed.ts drops the modules
      // of the file before. Files of tests/ use globals and packages that look at them once (React), so each starts afresh.
      { extends: true, test: { name: 'src', include: ['src/**/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'tests', include: ['tests/**/*.test.{ts,tsx}'] } },
    ],
  },
})
export default config
