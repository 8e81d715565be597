import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The tests of the tool. Those of the large descriptions are in the release checks. */
const config: ViteUserConfig = defineConfig({
  root: here('.'),
  cacheDir: '.cache/vitest',
  // Generated code imports the library by its name.
  resolve: {
    alias: [
      { find: /^restitch$/, replacement: here('../src/index.ts') },
      { find: /^restitch\/mock$/, replacement: here('../src/mock/index.ts') },
      { find: /^restitch\/react$/, replacement: here('../src/react/index.ts') },
    ],
    conditions: ['restitch-source', 'node', 'module', 'default'],
  },
  ssr: { resolve: { conditions: ['restitch-source', 'node', 'module', 'default'] } },
  test: {
    include: ['src/**/*.test.ts', 'tests/*.test.ts'],
    exclude: ['**/node_modules/**', 'tests/app.test.ts', 'tests/github.test.ts'],
    maxWorkers: 2,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
export default config
