import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FAULTS, REACT_FAULTS } from './planted.ts'
import { SEEDS } from './seeds.ts'
import { simulate } from './simulate.ts'

// `npm run simulate -- --steps N` runs any number of steps; before a release it is two million.
const STEPS = 25_000
const INVARIANTS =
  'E1 E2 E3 E4 O1 O2 O3 O4 O5 L1 L2 L3 L4 L5 F1 F2 S1 P1 T1 N1 R1 I1 C1 C2 GC-2 NET-16 NET-21 PAG-1 ST-21'

test(`${INVARIANTS} hold`, { timeout: 300_000 }, async () => {
  const { code, output } = await simulate('--steps', STEPS)
  expect(output).toContain('0 violations')
  expect(code).toBe(0)
})

test('runs that once violated an invariant pass', async () => {
  const { output } = await simulate('--runs', JSON.stringify(SEEDS), '--steps', 0)
  expect(output).toContain('0 violations')
})

test('every planted fault replaces a text that occurs once in its file', () => {
  for (const { name, edits } of [...FAULTS, ...REACT_FAULTS]) {
    for (const { file, text } of edits) {
      expect(readFileSync(`src/${file}`, 'utf8').split(text), `${name}: ${text}`).toHaveLength(2)
    }
  }
})

// One fault here; vitest.release.config.ts plants all of them.
test('a planted fault is found', { timeout: 300_000 }, async () => {
  const { output } = await simulate('--fault', 'no tombstone', '--steps', Infinity, '--seeds', 50)
  expect(output).toMatch(/^[A-Z]+-?\d+: /m)
  expect(output).toContain('1 violations')
})
