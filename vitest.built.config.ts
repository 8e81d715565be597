import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { configDefaults, defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

const short: Readonly<Record<string, string>> = JSON.parse(readFileSync('.cache/built/names.json', 'utf8'))

/** The tests of users' code on the built package, whose internal names are short: `vitest run --config vitest.built.config.ts`. */
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
        // Some look into the store to see that nothing is left behind.
        transform: (text, id) =>
          id.includes('/tests/')
            ? text.replace(/(?<=\b(?:core|reader|node))(?:\.\w+)+/g, (path) =>
                path.replace(/\w+/g, (name) => short[name] ?? name),
              )
            : undefined,
      },
    ],
    test: {
      include: ['tests/react/*.test.ts', 'tests/ssr/*.test.ts', 'tests/devtools.test.ts', 'tests/test.test.ts'],
      exclude: configDefaults.exclude,
    },
  }),
)
export default config
