import { createTables } from '../lists/ListRow.ts'
import { expect, test } from 'vitest'
import { listCode } from '../lists/code.ts'
import { append } from '../schema/merges.ts'
import { INVALID } from '../schema/Schema.ts'
import { addCounts } from './counts.ts'
import { isThere, top, valueBelow } from './overlay.ts'
import { type PendingChange } from './Row.ts'
import { Row } from './Row.ts'

function rowOf(value: unknown, ...pending: Omit<PendingChange, 'by'>[]): Row {
  const isList = Array.isArray(value) || pending.some(({ edits }) => edits)
  const tables = createTables()
  tables.lists('[Row]').code = listCode
  const row: Row = tables.table(isList ? '[Row]' : 'Row').row('1')
  row.value = value
  if (pending.length > 0) {
    row.pending = pending.map((change, i) => Object.assign({ by: { sent: i + 1 } }, change))
  }
  row.isShownOld = true
  return row
}
const joins = (...items: string[]): Omit<PendingChange, 'by'> => ({ edits: [{ items, merge: append }] })
const leaves = (...items: string[]): Omit<PendingChange, 'by'> => ({ edits: [{ items, merge: undefined }] })

test.each<[string, Row, unknown, boolean]>([
  ['a committed row', rowOf({ a: 1 }), { a: 1 }, true],
  ['nothing', rowOf(undefined), undefined, false],
  ['a deleted row', rowOf(INVALID), INVALID, false],
  ['fields over a row', rowOf({ a: 1, b: 1 }, { fields: { b: 2 } }), { a: 1, b: 2 }, true],
  ['fields of two operations', rowOf({ a: 1 }, { fields: { a: 2, b: 2 } }, { fields: { b: 3 } }), { a: 2, b: 3 }, true],
  ['a record that is only pending', rowOf(undefined, { fields: { a: 2 } }), { a: 2 }, true],
  ['a pending delete', rowOf({ a: 1 }, { fields: INVALID }), INVALID, false],
  ['a pending delete, and fields', rowOf({ a: 1 }, { fields: INVALID }, { fields: { b: 2 } }), { b: 2 }, true],
  ['items that join', rowOf(['1'], joins('2'), joins('3')), ['1', '2', '3'], true],
  ['items that join and leave', rowOf(['1'], joins('2'), leaves('1'), joins('1')), ['2', '1'], true],
  ['items of a list that is not there', rowOf(undefined, joins('2')), undefined, false],
  ['a whole list, and items', rowOf(['1'], { value: ['5'] }, joins('6')), ['5', '6'], true],
  ['numbers', rowOf({ total: 1, name: 'x' }, { counts: { total: 1, name: 1 } }), { total: 2, name: 'x' }, true],
  ['numbers of a result that is not there', rowOf(undefined, { counts: { total: 1 } }), undefined, false],
])('OPT-1 OPT-2 %s', (_name, row, expected, isShown) => {
  expect(top(row)).toEqual(expected)
  expect(isThere(row)).toBe(isShown)
})

test('OPT-2 below an operation are those that were issued before it', () => {
  const row = rowOf({ a: 0 }, { fields: { a: 1 } }, { fields: { a: 2 } }, { fields: { a: 3 } })
  expect([1, 2, 3, 4].map((sent) => valueBelow(row, sent))).toEqual([{ a: 0 }, { a: 1 }, { a: 2 }, { a: 3 }])
  expect(valueBelow(rowOf({ a: 0 }), 5)).toEqual({ a: 0 })
  // The whole is what readers see.
  expect(valueBelow(row, 4)).toBe(top(row))
})

test('DEN-3 OPT-2 what is shown is computed once, and stays the same while it is equal', () => {
  const row = rowOf(['1'], joins('2'))
  const shown = top(row)
  expect(top(row)).toBe(shown)
  row.value = ['1', '2']
  row.isShownOld = true
  expect(top(row)).toBe(shown)
})

test('PAG-4 only numbers are counted', () => {
  const row = { total: 1, next: 'b' }
  expect(addCounts(row, { total: -1, next: 1, other: 1 })).toEqual({ total: 0, next: 'b' })
  expect(addCounts('text', { total: 1 })).toBe('text')
  expect(row.total).toBe(1)
})
