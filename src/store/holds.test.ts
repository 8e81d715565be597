import { expect, test } from 'vitest'
import { Table } from '../normalize/tables.ts'
import { limitOf } from '../managers/expiry.ts'
import { Counts } from './holds.ts'

test('GC-2 a row is held until each of its holders has released it, once', () => {
  const counts = new Counts()
  const [a, b] = [new Table('A'), new Table('B')]
  const first = counts.hold([a, b])
  const second = counts.hold(new Set([a]))
  first()
  first()
  expect([counts.has(a), counts.has(b)]).toEqual([true, false])
  second()
  expect(counts.has(a)).toBe(false)
  // A release too many does not count against the next holder.
  const third = counts.hold([a])
  second()
  expect(counts.has(a)).toBe(true)
  third()
  expect(counts.has(a)).toBe(false)
})

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
