import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

const folder = process.env['RESTITCH_MUTATE'] ?? 'path'

const { projects: _projects, ...test } = base.test!

/** The tests of the folder that is mutated. */
const config: ViteUserConfig = { ...base, test: { ...test, isolate: false, include: [`src/${folder}/**/*.test.ts`] } }
export default config
