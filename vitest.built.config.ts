import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { configDefaults, defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The tests of users' code on the built package: `vitest run --config vitest.built.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    plugins: [
      {
        name: 'built',
        enforce: 'pre',
        async resolveId(source, importer, options) {
          const found = await this.resolve(source, importer, { ...options, skipSelf: true })
          const file = found && relative(resolve('src'), found.id)
          const built = file && resolve('dist', file.replace(/\.ts$/, '.js'))
          return built && !file.startsWith('..') && existsSync(built) ? built : found
        },
      },
    ],
    test: {
      include: ['tests/react/*.test.ts', 'tests/ssr/*.test.ts', 'tests/devtools.test.ts', 'tests/test.test.ts'],
      exclude: configDefaults.exclude,
    },
  }),
)
export default config
