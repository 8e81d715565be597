import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from './vitest.config.ts'

const from = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const vue = (name: string): string => from(`tests/vue34/node_modules/${name}`)

/** The tests of the composables on the oldest Vue a user may have: `vitest run --config vitest.vue34.config.ts`. */
const config: ViteUserConfig = mergeConfig(
  { ...base, test: { ...base.test, projects: undefined, include: [], exclude: [] } },
  defineConfig({
    resolve: {
      alias: [
        { find: /^vue$/, replacement: vue('vue/dist/vue.runtime.esm-bundler.js') },
        {
          find: /^vue\/server-renderer$/,
          replacement: vue('@vue/server-renderer/dist/server-renderer.esm-bundler.js'),
        },
        {
          find: /^@vue\/(compiler-dom|server-renderer|shared|runtime-dom|runtime-core|reactivity)$/,
          replacement: vue('@vue/$1/dist/$1.esm-bundler.js'),
        },
        // As modules: what it requires would be the other Vue.
        {
          find: '@vue/test-utils',
          replacement: from('node_modules/@vue/test-utils/dist/vue-test-utils.esm-bundler.mjs'),
        },
      ],
    },
    test: {
      include: ['tests/vue34/*.test.ts', 'tests/vue/*.test.ts'],
      server: { deps: { inline: [/@vue/, /vue34/] } },
    },
  }),
)
export default config
