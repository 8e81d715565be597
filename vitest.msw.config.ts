import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

const msw = (path: string): string => fileURLToPath(new URL(`tests/msw/node_modules/msw/lib/${path}`, import.meta.url))

/** The recipes of docs/guide/msw.md with MSW: `vitest run --config vitest.msw.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    resolve: {
      alias: [
        { find: /^msw$/, replacement: msw('core/index.mjs') },
        { find: /^msw\/node$/, replacement: msw('node/index.mjs') },
      ],
    },
    test: { include: ['tests/msw.test.ts'] },
  }),
)
export default config
