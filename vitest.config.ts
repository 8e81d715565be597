import { defaultServerConditions } from 'vite'
import { configDefaults, defineConfig, type ViteUserConfig } from 'vitest/config'

// The source condition of package.json leads `restitch` to src/, so tests import it as a user does and no build comes first.
const conditions = ['restitch-source', ...defaultServerConditions]

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Properties run thousands of cases: on a busy machine that takes a while.
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.{ts,tsx}'],
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
  },
})
export default config
