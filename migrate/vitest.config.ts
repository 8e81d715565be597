import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

/** Snippets in, snippets out. The apps are in the release checks. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '.cache/vitest',
  test: { include: ['tests/*.test.ts'], maxWorkers: 2, testTimeout: 240_000, hookTimeout: 240_000 },
})
export default config
