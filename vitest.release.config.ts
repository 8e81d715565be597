import { configDefaults, defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests that take too long for every change: `vitest run --config vitest.release.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    test: {
      include: ['tests/simulator/planted.test.ts', 'tests/day.test.ts', 'tests/messages/editor.test.ts'],
      exclude: configDefaults.exclude,
    },
  }),
)
export default config
