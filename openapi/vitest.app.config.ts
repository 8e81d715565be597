import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { findChromium } from '../scripts/chromium.mjs'

const GITHUB = new URL('tests/descriptions/node_modules/@octokit/openapi/package.json', import.meta.url)

const CONDITIONS = ['restitch-source', 'node', 'module', 'default']

/** GitHub's description, and an app on the code of it in Chromium. Without one of them, its tests are skipped. */
const config: ViteUserConfig = defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  cacheDir: '.cache/vitest',
  // Generated code imports the library by its name.
  resolve: {
    alias: [{ find: /^restitch$/, replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)) }],
    conditions: CONDITIONS,
  },
  ssr: { resolve: { conditions: CONDITIONS } },
  test: {
    include: existsSync(GITHUB)
      ? ['tests/github.test.ts', ...((await findChromium()) ? ['tests/app.test.ts'] : [])]
      : [],
    passWithNoTests: true,
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
export default config
