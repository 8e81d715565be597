import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** The tests of the rules. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '.cache/vitest',
  test: {
    include: ['{src,tests}/**/*.test.ts'],
    // The parser of TypeScript takes a second to load, so all files share one process.
    isolate: false,
    maxWorkers: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
export default config
