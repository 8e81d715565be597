import { expect, test } from 'vitest'
import { limitOf } from './expiry.ts'

test.each<[string, number, number, number, number | undefined, boolean, number]>([
  ['two minutes at least', 1000, 1000, 2000, undefined, false, 121_000],
  ['twice the time it was fresh', 1000, 1000, 101_000, undefined, false, 201_000],
  ['that time as often as the policy says', 1000, 1000, 101_000, 3, false, 301_000],
  ['endless data never', 0, 0, Infinity, undefined, true, Infinity],
  ['a result that was never fresh at once', 1000, 2000, 2000, undefined, true, 2000],
  ['a result that was fresh', 1000, 2000, 3000, undefined, true, 121_000],
  ['a row that was never fresh', 1000, 2000, 2000, undefined, false, 121_000],
])('GC-3 GC-9 may be collected after %s', (_, fetchedAt, date, expiresAt, multiplier, isResult, limit) => {
  expect(limitOf({ fetchedAt, date, expiresAt, sent: 1, at: 2, kind: 'read' }, multiplier, isResult)).toBe(limit)
})
