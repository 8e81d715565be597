import { fileURLToPath } from 'node:url'
import { mergeConfig, type ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The unit tests, and which lines of src/ they run: `vitest run --coverage --config tests/mutation/coverage.config.ts`. */
const config: ViteUserConfig = mergeConfig(base, {
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    coverage: {
      provider: 'custom',
      customProviderModule: fileURLToPath(new URL('node_modules/@vitest/coverage-v8', import.meta.url)),
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.test.ts', 'src/**/*.test-d.ts', 'src/**/cases.ts', 'src/testing/**', 'src/**/index.ts'],
      reporter: ['json-summary', 'json'],
      reportsDirectory: '.cache/coverage',
      reportOnFailure: true,
    },
  },
})
export default config
