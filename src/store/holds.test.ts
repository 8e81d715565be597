import { expect, test } from 'vitest'
import { createDriver } from '../controller/driver.ts'
import { Table } from '../normalize/tables.ts'
import { Collection } from '../schema/Collection.ts'
import { Union } from '../schema/Union.ts'
import { Values } from '../schema/Values.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Link, Post } from '../testing/entities.ts'
import { limitOf } from './expiry.ts'
import { createCounts, listsOf } from './holds.ts'

test('GC-2 a row is held until each of its holders has released it, once', () => {
  const counts = createCounts()
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

test('ST-18 the lists that contain a record: of keys, of maps and of unions, and no others', () => {
  const driver = createDriver()
  const { tables } = driver.store
  const list = new Collection([Post])
  const map = new Collection(new Values(Post), { name: 'map' })
  const mixed = new Collection([new Union({ post: Post, link: Link }, 'type')])
  const posts = [
    { id: '1', type: 'post' },
    { id: '2', type: 'post' },
  ]
  driver.open(endpoint('/a', list), [{ a: 1 }]).answer(posts)
  driver.open(endpoint('/b', list), [{ b: 1 }]).answer([])
  driver.open(endpoint('/map', map), [{}]).answer({ x: posts[0] })
  driver.open(endpoint('/mixed', mixed), [{}]).answer([{ id: '9', type: 'link' }, posts[1]])
  const find = (pk: string, isAsked?: () => boolean): string[] =>
    listsOf(tables, tables.table('Post').slot(pk), isAsked).map(({ list: found }) => found!.keys.join())
  expect(find('1')).toEqual(['/a [{"a":1}]', '/map [{}]'])
  expect(find('2')).toEqual(['/a [{"a":1}]', '/mixed [{}]'])
  expect(find('3')).toEqual([])
  expect([find('1', () => true).length, find('1', () => false)]).toEqual([2, []])
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
  expect(limitOf({ fetchedAt, date, expiresAt, sent: 1, order: 1 }, multiplier, isResult)).toBe(limit)
})
