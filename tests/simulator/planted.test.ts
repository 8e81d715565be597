// Proves that the simulator finds faults: a run without violations means something only then. Part of the release checks:
// npx vitest run --config vitest.release.config.ts -t "no tombstone"
import { expect, test } from 'vitest'
import { FAULTS } from './planted.ts'
import { simulate } from './simulate.ts'

/** A planted fault has to be found within so many seeds, each with all profiles. */
const SEEDS = 50

test.each(FAULTS.map(({ name }) => name))('%s is found', { timeout: 900_000 }, async (name) => {
  const { output } = await simulate('--fault', name, '--steps', Infinity, '--seeds', SEEDS)
  expect(output).toMatch(/^[A-Z]+-?\d+: /m)
  expect(output).toContain('1 violations')
})
