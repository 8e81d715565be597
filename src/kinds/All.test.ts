import { expect, test } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { deserializeState, serializeState } from '../client/serialize.ts'
import { endpoint } from '../testing/endpoints.ts'
import { All } from './All.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { Query } from './Query.ts'
import { Union } from './Union.ts'

class User extends Entity {
  id = ''
  name = ''
  type = 'user'
  static override key = 'User'
}
class Group extends Entity {
  id = ''
  type = 'group'
  static override key = 'Group'
}

const allUsers = new All(User)
const getUser = endpoint('user', User)
const remove = endpoint('remove', new Invalidate(User), { sideEffect: true })
const ids = (driver: Driver, schema: object = allUsers): unknown[] | undefined =>
  driver.read(schema, []).data?.map((item: User) => item.id)

test('ALL-1 every stored record of the kind, however it came', () => {
  const driver = createDriver()
  driver.open(getUser, [1]).answer({ id: 1 })
  driver.open(endpoint('list', [User]), []).answer([{ id: 3 }, { id: 2 }])
  driver.set(User, [{ id: 5 }], { id: 5 })
  driver.open(endpoint('group', Group), []).answer({ id: 9 })
  expect(ids(driver)).toEqual([1, 3, 2, 5])
  expect(driver.read(allUsers, []).data[0]).toBe(driver.read(User, [1]).data)
})

test.each([
  ['a map and an attribute', new All({ user: User, group: Group } as never, 'type')],
  ['a Union', new All(new Union({ user: User, group: Group }, 'type'))],
])('ALL-1 UNI-5 of several kinds: %s', (_, all) => {
  const driver = createDriver()
  expect(driver.read(all, []).data).toBeUndefined()
  driver.open(getUser, [1]).answer({ id: 1 })
  expect(driver.read(all, []).data).toEqual([driver.read(User, [1]).data])
  driver.open(endpoint('all', all), []).answer([
    { id: 9, type: 'group' },
    { id: 2, type: 'user' },
  ])
  const read = driver.read(all, []).data
  expect(read.map((item: Entity) => item.constructor)).toEqual([User, User, Group])
  expect(driver.read(all, []).data).toBe(read)
})

test('ALL-2 undefined before the first record, an empty list after the last', () => {
  const driver = createDriver()
  expect(driver.read(allUsers, []).data).toBeUndefined()
  driver.open(getUser, [1]).answer({ id: 1 })
  driver.open(remove, [1]).answer(1)
  expect(driver.read(allUsers, []).data).toEqual([])
  driver.reset()
  expect(driver.read(allUsers, []).data).toBeUndefined()
})

test('ALL-3 ST-5 the order of arrival, through serialising too', () => {
  const driver = createDriver()
  for (const id of ['2', '1', 'b', '10', 'a']) {
    driver.open(getUser, [id]).answer({ id })
  }
  expect(ids(driver)).toEqual(['2', '1', 'b', '10', 'a'])
  driver.open(getUser, ['1']).answer({ id: '1', name: 'changed' })
  expect(ids(driver)).toEqual(['2', '1', 'b', '10', 'a'])
  const other = createDriver()
  other.restore(deserializeState(serializeState(driver.getState())))
  expect(ids(other)).toEqual(['2', '1', 'b', '10', 'a'])
})

test('ALL-4 as the schema of an endpoint it normalises the response and reads all records', () => {
  const driver = createDriver()
  const getAll = endpoint('all', allUsers)
  expect(driver.read(getAll, [])).toMatchObject({ data: undefined, expiryStatus: 2 })
  driver.open(getUser, [1]).answer({ id: 1 })
  driver.open(getAll, []).answer([{ id: 2 }])
  expect(driver.read(getAll, []).data.map((user: User) => user.id)).toEqual([1, 2])
  expect(driver.read(getAll, []).data).toBe(driver.read(allUsers, []).data)
})

test('ALL-5 the same array until a record is added, removed or changed', () => {
  const driver = createDriver()
  driver.open(endpoint('list', [User]), []).answer([{ id: 1 }, { id: 2 }])
  const first = driver.read(allUsers, []).data
  driver.open(endpoint('group', Group), []).answer({ id: 1 })
  driver.open(getUser, [1]).answer({ id: 1 })
  expect(driver.read(new All(User), []).data).toBe(first)
  driver.open(getUser, [1]).answer({ id: 1, name: 'changed' })
  const second = driver.read(allUsers, []).data
  expect(second).not.toBe(first)
  expect(second[1]).toBe(first[1])
  driver.open(getUser, [3]).answer({ id: 3 })
  expect(ids(driver)).toEqual([1, 2, 3])
  expect(driver.read(allUsers, []).data[0]).toBe(second[0])
})

test('ALL-6 tombstones are left out, and a record that comes back is in again', () => {
  const driver = createDriver()
  driver.open(endpoint('list', [User]), []).answer([{ id: 1 }, { id: 2 }, { id: 3 }])
  expect(ids(driver)).toEqual([1, 2, 3])
  driver.open(remove, [2]).answer(2)
  expect(ids(driver)).toEqual([1, 3])
  driver.open(getUser, [2]).answer({ id: 2 })
  expect(ids(driver)).toEqual([1, 2, 3])
})

test('ALL-1 pending operations count: what is being created or deleted', () => {
  const driver = createDriver()
  const create = endpoint('create', User, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  const gone = endpoint('gone', new Invalidate(User), {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, id: number) => ({ id }),
  })
  driver.open(getUser, [1]).answer({ id: 1 })
  const creating = driver.open(create, [{ id: 2 }])
  expect(ids(driver)).toEqual([1, 2])
  const deleting = driver.open(gone, [1])
  expect(ids(driver)).toEqual([2])
  creating.fail(new Error('no'))
  expect(ids(driver)).toEqual([])
  deleting.fail(new Error('no'))
  expect(ids(driver)).toEqual([1])
})

test('ALL-1 ALL-2 a record that exists only in a pending operation is found', () => {
  const driver = createDriver()
  const create = endpoint('create', User, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  expect(driver.read(allUsers, []).data).toBeUndefined()
  const creating = driver.open(create, [{ id: 1 }])
  expect(ids(driver)).toEqual([1])
  creating.fail(new Error('no'))
  expect(driver.read(allUsers, []).data).toBeUndefined()
})

test('ALL-1 ENT-9 the list is frozen in development', () => {
  const driver = createDriver()
  driver.open(getUser, [1]).answer({ id: 1 })
  expect(Object.isFrozen(driver.read(allUsers, []).data)).toBe(true)
  driver.open(getUser, [1]).answer({ id: 1, name: 'other' })
  expect(Object.isFrozen(driver.read(allUsers, []).data)).toBe(true)
  expect(driver.read(new Query(allUsers, (users) => users.length), []).data).toBe(1)
})
