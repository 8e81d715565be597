import { relative } from 'node:path'
import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

const { projects: _projects, ...test } = base.test!
// mutate.mjs names the files that run.
const { root, testFiles } = JSON.parse(process.env['RESTITCH_SAMPLE'] ?? '{}') as {
  root?: string
  testFiles?: string[]
}

const config: ViteUserConfig = {
  ...base,
  plugins: [
    {
      // Tests that bundle or search the sources get those of the repository: mutants are inactive in a bundle, and their code is no one's.
      name: 'original-sources',
      enforce: 'pre',
      transform: (code, id) =>
        root !== undefined && /\.test\.ts$|tests\/bundle\.ts$/.test(id)
          ? code.replaceAll('import.meta.dirname', JSON.stringify(`${root}/${relative('.', id)}/..`))
          : undefined,
    },
  ],
  test: { ...test, isolate: false, include: testFiles ?? ['src/path/**/*.test.ts'] },
}
export default config
