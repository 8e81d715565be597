import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { readReceived, receive, resultOf } from '../testing/drivers.ts'
import { createDriver } from '../testing/drivers.ts'
import { endpoint, endpointFor } from '../testing/endpoints.ts'
import { Link, Post, User } from '../testing/entities.ts'
import { ArraySchema } from './Array.ts'
import { MixedArray } from '../kinds/MixedArray.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Union } from '../kinds/Union.ts'

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ['[X]', [Post]],
  ['schema.Array', new MixedArray(Post)],
])('ARR-1 ARR-2 ARR-3 %s normalises a list, or the values of an object, and leaves out missing values', (_, schema) => {
  const driver = receive(schema, [{ id: 1 }, null, 2, undefined, '3'])
  expect(resultOf(driver)).toEqual(['1', null, '2', undefined, '3'])
  const list = readReceived(driver, schema)
  expect(list).toMatchObject([{ id: 1 }, null])
  expect(list[0]).toBeInstanceOf(Post)
  receive(schema, { a: { id: 1 }, b: { id: 2 } }, driver)
  expect(resultOf(driver)).toEqual(['1', '2'])
  driver.open(endpointFor(new Invalidate(Post), { sideEffect: true }), [{ x: 1 }]).answer({ id: 1 })
  expect(readReceived(driver, schema)).toMatchObject([{ id: 2 }])
  expect(readReceived(receive(schema, []), schema)).toEqual([])
})

test.each([
  ['a field', new MixedArray({ post: Post, link: Link }, 'type')],
  ['a function', new MixedArray({ post: Post, link: Link }, (value) => value.type)],
  ['a union', [new Union({ post: Post, link: Link }, 'type')]],
  ['a union in schema.Array', new MixedArray(new Union({ post: Post, link: Link }, 'type'))],
])('ARR-1 ARR-4 UNI-5 polymorphic by %s', (_, schema) => {
  const strange = { id: '3', type: `strange ${_}` }
  const driver = receive(schema, [{ id: '1', type: 'link' }, { id: '1', type: 'post' }, strange, null])
  expect(resultOf(driver)).toEqual([{ id: '1', schema: 'link' }, { id: '1', schema: 'post' }, strange, null])
  const [link, post, raw, nothing] = readReceived(driver, schema)
  expect([link.constructor, post.constructor, raw, nothing]).toEqual([Link, Post, strange, null])
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch(`strange ${_}`)
  expect(warn.mock.calls[0]![0]).toMatch('post, link')
})

test('ARR-1 NOR-2 the function of a polymorphic array gets the value, its parent and its key', () => {
  const seen: unknown[] = []
  const schema = {
    list: new MixedArray({ post: Post }, (...given: unknown[]) => {
      seen.push(...given)
      return 'post'
    }),
  }
  const answer = { list: [{ id: 1 }] }
  receive(schema, answer)
  expect(seen).toEqual([answer.list[0], answer, 'list'])
})

test('ARR-5 an array endpoint never fetched has no data', () => {
  const driver = receive(Post, { id: 1 })
  for (const schema of [[Post], new ArraySchema(Post)]) {
    expect(driver.read(schema, [{ id: 1 }]).data).toBe(undefined)
    const target = endpointFor(schema, { key: () => 'never' })
    expect(driver.read(target, [{ id: 1 }])).toMatchObject({ data: undefined, expiryStatus: 2 })
  }
})

test('ARR-1 arrays nest, and hold other schemas', () => {
  const schema = [[{ post: Post, ids: [Number] }]]
  const driver = receive(schema, [[{ post: { id: 1 }, ids: ['1', '2'] }], []])
  expect(resultOf(driver)).toEqual([[{ post: '1', ids: ['1', '2'] }], []])
  expect(readReceived(driver, schema)).toMatchObject([[{ post: { id: 1 }, ids: [1, 2] }], []])
})

test('ARR-3 COL-34 a record that is met twice stands twice in an array, and once in a Collection', () => {
  const answer = [{ id: 1 }, { id: 2 }, { id: 1 }]
  expect(readReceived(receive([Post], answer), [Post])).toHaveLength(3)
  const posts = new Collection([Post])
  expect(readReceived(receive(posts, answer), posts)).toMatchObject([{ id: 1 }, { id: 2 }])
})

test('NOR-11 an array schema has at most one member', () => {
  expect(() => receive([Post, Link], [{ id: 1 }])).toThrow(/has one member.*array-schema/)
  expect(() => receive({ list: [Post, Link] }, { list: [{ id: 1 }] })).toThrow('array-schema')
})

test.each<[string, unknown, unknown]>([
  ['in an object', { items: [], total: 0 }, { items: [1, null, { id: 1 }, ['x']], total: 4 }],
  ['nested', { data: { items: [], post: Post } }, { data: { items: ['a', { b: 1 }], post: { id: 1 } } }],
  ['at the top', [], ['a', null, { id: 1 }]],
  ['that are none', { items: [] }, { items: [] }],
  ['that are missing', { items: [], total: 0 }, { items: null, total: 0 }],
])('NOR-11 [] stands for plain items, which are kept as they are: %s', (_, schema, value) => {
  const driver = receive(schema, value)
  expect(readReceived(driver, schema)).toMatchObject(value as object)
  expect(Object.keys(driver.getState().entities['Post'] ?? {})).toHaveLength(
    JSON.stringify(value).includes('post') ? 1 : 0,
  )
})

test('NOR-11 [] as a field of an entity', () => {
  class Tagged extends Entity {
    id = ''
    tags: string[] = []
    static override key = 'Tagged'
    static override schema = { tags: [] }
  }
  expect(readReceived(receive(Tagged, { id: 1, tags: ['a', 'b'] }), Tagged).tags).toEqual(['a', 'b'])
})

test.each([[{ ok: true }], [{ status: 'done', count: 2 }]])('ARR-2 %j is no list', (input) => {
  const driver = createDriver()
  const getAll = endpoint('/all', [User])
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => driver.open(getAll, []).answer(input)).toThrow(/A list was expected, found the object/)
  expect(driver.read(getAll, []).data).toBeUndefined()
})
