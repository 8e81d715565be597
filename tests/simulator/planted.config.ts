import type { ViteUserConfig } from 'vitest/config'
import base from '../../vitest.config.ts'
import { plant } from './plant.mjs'
import { REACT_FAULTS } from './planted.ts'

const fault = REACT_FAULTS.find(({ name }) => name === process.env['RESTITCH_FAULT'])
const { projects: _projects, ...test } = base.test!

/** Runs the sessions with real React on sources with a planted fault, which the environment names. */
const config: ViteUserConfig = {
  ...base,
  plugins: [{ name: 'plant', enforce: 'pre', transform: (code, id) => plant(code, id, fault) }],
  test: { ...test, include: ['tests/react/sessions.test.ts'] },
}
export default config
