import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

// The source condition of package.json leads `restitch` to src/, so tests import it as a user does and no build comes first.
const conditions = ['restitch-source', ...defaultServerConditions]

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // They need a browser, an older React or Vue, or much time: each has a config of its own.
    exclude: [
      ...configDefaults.exclude,
      'tests/react/chromium/**',
      'tests/react18/**',
      'tests/vue34/**',
      'tests/simulator/planted.test.ts',
      'tests/messages/editor.test.ts',
    ],
    setupFiles: ['tests/seed.ts', 'tests/patience.ts'],
    maxWorkers: 2,
    // For tests that hang: on a busy machine a test may take a minute. Waiting in a test has a limit of its own.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      // One process for all files of a worker: to start one for each costs a third of the time. tests/seed.ts drops the modules
      // of the file before. Other files of tests/ use globals and packages that look at them once (React), so each starts afresh.
      { extends: true, test: { name: 'src', include: ['src/**/*.test.ts', 'tests/spec/*.test.ts'], isolate: false } },
      { extends: true, test: { name: 'tests', include: ['tests/**/*.test.{ts,tsx}'], exclude: ['tests/spec/**'] } },
    ],
  },
})
export default config
