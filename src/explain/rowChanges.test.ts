import { ListTable } from '../lists/ListRow.ts'
import { expect, test } from 'vitest'
import { INVALID } from '../schema/Schema.ts'
import { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'
import { changeOf } from './rowChanges.ts'

const record = new Row(new Table('Todo', Row), '1')
const list = new ListTable('[Todo]').row('{}')
list.list = {} as never

test('PNL-3 the change of a record has each field that differs', () => {
  expect(changeOf(record, { a: 1, b: 2, c: 3 }, { a: 1, b: 'x', d: [1] })).toEqual({
    name: 'Todo 1',
    kind: 'updated',
    fields: [
      { field: 'b', before: '2', after: '"x"' },
      { field: 'd', before: undefined, after: '[1]' },
      { field: 'c', before: '3', after: undefined },
    ],
  })
  expect(changeOf(record, undefined, { a: 1 })).toMatchObject({ kind: 'added', fields: [{ field: 'a', after: '1' }] })
  expect(changeOf(record, INVALID, { a: 1 })).toMatchObject({ kind: 'added', fields: [{ field: 'a', after: '1' }] })
  expect(changeOf(record, { a: 1 }, INVALID)).toEqual({ name: 'Todo 1', kind: 'removed', fields: [] })
  expect(changeOf(record, undefined, 5).fields).toEqual([{ field: 'value', before: undefined, after: '5' }])
  expect(changeOf(record, 'x'.repeat(300), 5).fields[0]!.before).toHaveLength(201)
})

test('PNL-3 the change of a list has the items that joined and left, or their order', () => {
  expect(changeOf(list, ['1', '2'], ['2', '3']).fields).toEqual([
    { field: 'items that left', before: '1', after: undefined },
    { field: 'items that joined', before: undefined, after: '3' },
  ])
  expect(changeOf(list, ['1', '2'], ['2', '1']).fields).toEqual([
    { field: 'order of items', before: '1, 2', after: '2, 1' },
  ])
  expect(changeOf(list, undefined, ['1'])).toMatchObject({ kind: 'added', fields: [{ after: '1' }] })
})
