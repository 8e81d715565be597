import { describe, test } from 'vitest'
import type { Adapter, Clause } from './Adapter.ts'
import { life } from './life.ts'
import { reads } from './reads.ts'
import { several } from './several.ts'
import { writes } from './writes.ts'

const CLAUSES: readonly Clause[] = [...reads, ...writes, ...several, ...life]

/** Tests the rules for a binding of any framework. */
export function testContract(adapter: Adapter): void {
  describe(`contract of ${adapter.name}`, () => {
    // oxlint-disable-next-line vitest/expect-expect -- the clauses have the assertions
    test.each(CLAUSES)('%s', (_title, run) => run(adapter))
  })
}
