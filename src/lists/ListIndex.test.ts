import { expect, test } from 'vitest'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { learn } from './learn.ts'
import { ListIndex } from './ListIndex.ts'
import type { List } from './List.ts'
import { Row } from '../rows/Row.ts'
import { Table } from '../rows/Table.ts'

class Todo extends Entity {
  id = ''
  static override key = 'Todo'
}
const collection = new Collection([Todo])
const table = new Table(collection.key, Row)
const listOf = (keyArgs: object): List => ({
  keyArgs,
  name: undefined,
  path: '/todos',
  collection,
  isMap: false,
  pages: [{ id: '', items: ['1'], sent: 1, firstSent: 1 }],
  tail: [],
})

test('COL-40 a list is found by the value of its first argument, until it is removed', () => {
  const index = new ListIndex<Row>()
  ;['group', 'b'].forEach((name) => index.proven.add(name))
  const [a, b, all] = ['a', 'b', 'all'].map((pk) => table.row(pk))
  index.put(a!, undefined, listOf({ group: 'a' }))
  index.put(b!, undefined, listOf({ group: 'b' }))
  index.put(all!, undefined, listOf({}))
  const find = (...texts: string[]): string[] => index.find(() => texts).map(({ pk }) => pk)
  expect([find('a'), find('b'), find('c')]).toEqual([['a', 'all'], ['b', 'all'], ['all']])
  index.put(a!, listOf({ group: 'a' }), listOf({ group: 'b' }))
  expect([find('a'), find('b')]).toEqual([['all'], ['b', 'a', 'all']])
  index.put(b!, listOf({ group: 'b' }), undefined)
  expect(find('b')).toEqual(['a', 'all'])
})

test('GC-10 nothing stays of lists that were removed', () => {
  const index = new ListIndex<Row>()
  ;['group', 'b'].forEach((name) => index.proven.add(name))
  for (let i = 0; i < 100; i++) {
    const row = table.row(`q${i}`)
    const list = listOf({ q: `text ${i}` })
    index.put(row, undefined, list)
    index.put(row, list, undefined)
  }
  const { lists } = index as unknown as { lists: Map<string, Map<string, unknown>> }
  expect([...lists.values()].map(({ size }) => size)).toEqual([0])
})

test('COL-40 a list is found by another argument of the same value once the first one is known to be no filter', () => {
  const index = new ListIndex<Row>()
  ;['group', 'b'].forEach((name) => index.proven.add(name))
  const row = table.row('both')
  const both = { a: '1', b: '1' }
  index.put(row, undefined, listOf(both))
  index.put(row, listOf(both), { ...listOf(both), loose: ['a'] })
  expect(index.find((name) => (name === 'b' ? ['1'] : []))).toEqual([row])
})

test('COL-46 what the items of a list prove about its arguments counts once it is stored', () => {
  const index = new ListIndex<Row>()
  index.put(table.row('x'), undefined, {
    ...listOf({ group: 'x' }),
    ...learn(listOf({ group: 'x' }), [{ group: 'x' }]),
  })
  expect([...index.proven]).toEqual(['group'])
})
