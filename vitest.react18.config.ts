import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

const from = (name: string): string => fileURLToPath(new URL(`tests/react18/node_modules/${name}`, import.meta.url))

/** The tests of the hooks on the oldest React a user may have: `vitest run --config vitest.react18.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    resolve: {
      alias: {
        react: from('react'),
        'react-dom': from('react-dom'),
        // As modules: what it requires would be the other React.
        '@testing-library/react': fileURLToPath(
          new URL('node_modules/@testing-library/react/dist/@testing-library/react.esm.js', import.meta.url),
        ),
      },
    },
    test: {
      include: ['tests/react18/*.test.ts', 'tests/react/*.test.ts'],
      exclude: [...configDefaults.exclude, 'tests/react/compiler.test.ts'],
      server: { deps: { inline: [/@testing-library/] } },
    },
  }),
)
export default config
