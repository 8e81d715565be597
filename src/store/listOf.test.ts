import { describe, expect, test } from 'vitest'
import { itemsOf } from '../lists/pages.ts'
import { listOf } from './listOf.ts'

describe('a list of which only the content is known', () => {
  test.each<[string, string, string, unknown, object | undefined]>([
    ['a list', '[Todo]', '{"group":"x"}', ['1'], { keyArgs: { group: 'x' }, name: undefined, isMap: false }],
    ['a named list', '[Todo]', 'mine {"group":"x"}', ['1'], { keyArgs: { group: 'x' }, name: 'mine', isMap: false }],
    ['a map', '{Todo}', '{}', { a: '1' }, { keyArgs: {}, isMap: true }],
    ['a record', 'Todo', '{}', { id: '1' }, undefined],
    ['a row that is deleted', '[Todo]', '{}', Symbol('x'), undefined],
    ['a key that is not JSON', '[Todo]', '{x', ['1'], undefined],
    ['a key without arguments', '[Todo]', 'x', ['1'], undefined],
  ])('ST-5 %s', (_name, table, pk, items, expected) => {
    const found = listOf(table, pk, items)
    if (expected === undefined) {
      expect(found).toBeUndefined()
    } else {
      expect(found).toMatchObject(expected)
      expect(itemsOf(found!)).toBe(items)
    }
  })
})
