// The entry that planted.test.ts bundles, with a fault in the sources or without.
import fc from 'fast-check'
import { holds, runs } from './machine.ts'

/** True if a history was found after which a query is wrong. */
export function isCaught(numRuns: number): boolean {
  return fc.check(
    fc.property(runs, (run) => holds(...run)),
    { numRuns, seed: 1, endOnFailure: true },
  ).failed
}
