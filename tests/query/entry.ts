// The entry that planted.test.ts bundles, with a fault in the sources or without.
import fc from 'fast-check'
import { holds, runs } from './machine.ts'

/** A history after which a query is wrong; `undefined` if none was found. */
export function findWrong(numRuns: number, seed: number): unknown {
  return (
    fc.check(
      fc.property(runs, (run) => holds(...run)),
      { numRuns, seed, endOnFailure: true },
    ).counterexample ?? undefined
  )
}
