import { expect, test } from 'vitest'
import { createDriver, type Driver } from '../controller/driver.ts'
import type { Slot } from '../normalize/tables.ts'
import { All } from '../schema/All.ts'
import { Collection } from '../schema/Collection.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { Query } from '../schema/Query.ts'
import { Union } from '../schema/Union.ts'
import { Values } from '../schema/Values.ts'
import { collectorOf } from '../testing/drivers.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { Link, Post, Todo, User } from '../testing/entities.ts'
import { createNames } from './refs.ts'

/** The rows that a row names. */
function namesOf({ store: { tables } }: Driver, slot: Slot): string[] {
  const names: string[] = []
  createNames(tables, ({ key, pk }) => names.push(`${key} ${pk}`))(slot)
  return names
}

const union = new Union({ post: Post, link: Link }, 'type')
const users = new Collection([User])
const post = { id: '1', type: 'post' }
const link = { id: '1', type: 'link' }
const ann = { id: '1', name: 'Ann' }

test.each<[string, unknown, unknown, string[]]>([
  ['a record', User, ann, ['User 1']],
  ['nothing where there is no schema', undefined, ann, []],
  ['nothing where there is no value', { user: User, list: [User], free: null }, { user: null, free: 1 }, []],
  ['the items of an array', [User], [ann, null, { id: '2' }], ['User 1', 'User 2']],
  [
    'the members of an object',
    { a: User, n: 5, deep: { b: User } },
    { a: ann, n: 6, deep: { b: { id: '2' } } },
    ['User 1', 'User 2'],
  ],
  ['the values of a map', new Values(User), { x: ann, y: { id: '2' } }, ['User 1', 'User 2']],
  ['of a union the record of its class', union, link, ['Link 1']],
  ['of an array of unions the records of their classes', [union], [post, link], ['Post 1', 'Link 1']],
  ['a list, and not its items', users, [ann], ['[User] {}']],
  ['what a Query reads', new Query([User], (all) => all.length), [ann], ['User 1']],
  ['nothing by a converter', { at: Date, n: (x: string) => x }, { at: '2020', n: '1' }, []],
  ['all records by none', new All(User), [ann], []],
])('GC-7 a result names %s', (_, schema, value, names) => {
  const driver = createDriver()
  const get = endpoint('/x', schema)
  driver.open(endpoint('/others', [User]), []).answer([{ id: 'null' }])
  driver.open(get, [{}]).answer(value)
  expect(namesOf(driver, driver.store.tables.endpoints.slot(get.key({})))).toEqual(names)
})

test('GC-7 a record names its relations, also those of pending operations', () => {
  const driver = createDriver()
  const slot = driver.store.tables.table('Todo').slot('1')
  expect(namesOf(driver, slot)).toEqual([])
  driver.open(endpoint('/todo', Todo), []).answer({ id: '1', title: 'User 9', author: ann })
  expect(namesOf(driver, slot)).toEqual(['User 1'])
  driver.set(User, [{}], { id: '2' })
  const put = mutation('put', Todo, (body) => body)
  driver.open(put, [{ id: '1', author: '2' }])
  expect(namesOf(driver, slot)).toEqual(['User 1', 'User 2'])
})

test('GC-7 rows that are not there are passed over, and so are classes of which no record ever came', () => {
  const driver = createDriver()
  const both = endpoint('/both', { user: User, post: Post })
  driver.open(both, []).answer({ user: '5', post })
  expect(namesOf(driver, driver.store.tables.endpoints.slot(both.key()))).toEqual(['Post 1'])
  const get = endpoint('/users', [User])
  driver.open(get, []).answer([ann, { id: '2' }])
  collectorOf(driver).collect({ entities: [{ key: 'User', pk: '1' }], endpoints: [] })
  expect(namesOf(driver, driver.store.tables.endpoints.slot(get.key()))).toEqual(['User 2'])
})

test('GC-7 COL-39 a list names its items of every class, also pending ones, and no deleted ones', () => {
  const driver = createDriver()
  const lists = new Collection([union])
  driver.open(endpoint('/posts', lists), [{}]).answer([post, link, { id: '2', type: 'post' }])
  const slot = driver.store.tables.table(lists.key).slot('{}')
  // Which class an item has is not known here.
  expect(namesOf(driver, slot)).toEqual(['Post 1', 'Link 1', 'Post 1', 'Link 1', 'Post 2'])
  driver.open(mutation('delete', new Invalidate(Post)), [{ id: '2' }]).answer('2')
  expect(namesOf(driver, slot)).not.toContain('Post 2')
  driver.open(
    mutation('push', lists.push, (body) => body),
    [{ id: '8', type: 'link' }],
  )
  expect(namesOf(driver, slot)).toContain('Link 8')
})

test('GC-7 a schema of the app that cannot be asked names nothing', () => {
  const driver = createDriver()
  const own = {
    normalize: (input: unknown) => input,
    denormalize: () => {
      throw new Error('no reader')
    },
    queryKey: () => undefined,
  }
  const get = endpoint('/own', { first: User, own })
  driver.open(get, []).answer({ first: ann, own: 1 })
  expect(namesOf(driver, driver.store.tables.endpoints.slot(get.key()))).toEqual(['User 1'])
})
