import { defaultServerConditions } from 'vite'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

// The source condition of package.json leads `restitch` to src/, so tests import it as a user does and no build comes first.
const conditions = ['restitch-source', ...defaultServerConditions]

const config: ViteUserConfig = defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Properties run thousands of cases: on a busy machine that takes a while.
  test: {
    include: ['src/**/*.test.ts', 'tests/**/*.test.ts'],
    setupFiles: ['tests/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
export default config
