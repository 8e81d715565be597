import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The apps, before and after the conversion, against servers of their own. */
const config: ViteUserConfig = defineConfig({
  root: here('.'),
  cacheDir: '.cache/vitest-apps',
  resolve: {
    alias: [
      { find: /^restitch$/, replacement: here('../src/index.ts') },
      { find: /^restitch\/react$/, replacement: here('../src/react/index.ts') },
    ],
    conditions: ['restitch-source', 'node', 'module', 'default'],
    dedupe: ['react', 'react-dom'],
  },
  ssr: { resolve: { conditions: ['restitch-source', 'node', 'module', 'default'] } },
  test: {
    include: ['tests/apps/*/app.test.tsx'],
    globalSetup: 'tests/apps/convertApps.ts',
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { settings: { fetch: { disableSameOriginPolicy: true } } } },
    maxWorkers: 2,
    server: {
      deps: {
        inline: [/react-redux/, /swr/, /@tanstack/, /@reduxjs/, /use-sync-external-store/],
      },
    },
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
export default config
