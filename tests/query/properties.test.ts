import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../effort.ts'
import { holds, runs } from './machine.ts'

test('QUE-24 property: after any history a query shows what its functions make of all records', () => {
  const { failed, counterexample } = fc.check(
    fc.property(runs, (run) => holds(...run)),
    { numRuns: cases(2_000) },
  )
  expect(failed && counterexample).toBe(false)
})
