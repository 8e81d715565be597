import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const preact = (path: string): string => from(`tests/preact/node_modules/preact/${path}`)

/** The contract of bindings, for `restitch/react` on Preact: `vitest run --config vitest.preact.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    resolve: {
      alias: [
        { find: /^react(-dom)?$/, replacement: preact('compat/dist/compat.mjs') },
        { find: 'react-dom/client', replacement: preact('compat/client.mjs') },
        { find: 'react-dom/server', replacement: from('tests/preact/server.mjs') },
        { find: 'react-dom/test-utils', replacement: preact('test-utils/dist/testUtils.mjs') },
        { find: /^preact$/, replacement: preact('dist/preact.mjs') },
        { find: /^preact\/hooks$/, replacement: preact('hooks/dist/hooks.mjs') },
        { find: /^preact\/compat$/, replacement: preact('compat/dist/compat.mjs') },
        // As modules: what it requires would be React.
        {
          find: '@testing-library/react',
          replacement: from('node_modules/@testing-library/react/dist/@testing-library/react.esm.js'),
        },
      ],
    },
    test: {
      include: ['tests/react/contract.test.ts'],
      server: { deps: { inline: [/@testing-library/, /preact/] } },
    },
  }),
)
export default config
