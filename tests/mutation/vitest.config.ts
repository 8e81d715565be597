import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

const { projects: _projects, ...test } = base.test!
// mutate.mjs names the files that run.
const { testFiles } = JSON.parse(process.env['RESTITCH_SAMPLE'] ?? '{}') as { testFiles?: string[] }

const config: ViteUserConfig = {
  ...base,
  test: { ...test, isolate: false, include: testFiles ?? ['src/path/**/*.test.ts'] },
}
export default config
