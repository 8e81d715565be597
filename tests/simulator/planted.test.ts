// A simulator that finds nothing proves something only if it finds what is wrong. Part of the release checks:
// npx vitest run --config vitest.release.config.ts -t "no tombstone"
import { expect, test } from 'vitest'
import { FAULTS } from './planted.ts'
import { simulate } from './simulate.ts'

/** Seeds in which a planted fault has to be found, each in all profiles. */
const HUNT = 50

test.each(FAULTS.map(({ name }) => name))('%s is found', { timeout: 900_000 }, async (name) => {
  const { output } = await simulate('--fault', name, '--steps', Infinity, '--seeds', HUNT)
  expect(output).toMatch(/^[A-Z]+-?\d+: /)
  expect(output).toContain('1 violations')
})
