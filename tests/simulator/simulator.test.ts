import { expect, test } from 'vitest'
import { part } from '../effort.ts'
import { SEEDS } from './seeds.ts'
import { simulate } from './simulate.ts'

// `npm run simulate -- --steps N` runs any number of steps; before a release it is two million.
const STEPS = 5_000
/** A busy machine takes its time. */
const HOUR = 3_600_000
const INVARIANTS = 'W1 W2 D1 D2 D3 E2 E4 O1 O2 O3 O4 O5 L1 L2 F1 F2 S1 P1 T1 N1 R1 I1 GC-2 NET-16 NET-21 ROW ST-21'

test(`${INVARIANTS} hold`, { timeout: HOUR }, async () => {
  const { code, output } = await simulate('--steps', STEPS)
  expect(output).toContain('0 violations')
  expect(code).toBe(0)
})

test('runs that once violated an invariant pass', { timeout: HOUR }, async () => {
  const { output } = await simulate('--runs', JSON.stringify(part(SEEDS, 4)), '--steps', 0)
  expect(output).toContain('0 violations')
})

// One fault here; vitest.release.config.ts plants all of them.
test('a planted fault is found', { timeout: HOUR }, async () => {
  const fault = 'a changed field moves no record between lists'
  const { output } = await simulate('--fault', fault, '--steps', Infinity, '--seeds', 50)
  expect(output).toMatch(/^[A-Z]+-?\d+: /m)
  expect(output).toContain('1 violations')
})
