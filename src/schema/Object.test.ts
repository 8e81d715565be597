import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDriver } from '../testing/drivers.ts'
import { readReceived, receive, resultOf } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { ObjectSchema } from './Object.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const KINDS: [string, (members: any) => any][] = [
  ['{…}', (members) => members],
  ['schema.Object', (members) => new ObjectSchema(members)],
]

test.each(KINDS)('OBJ-1 %s: declared members are normalised, others pass, and invalid ones are dropped', (_, make) => {
  const schema = make({ user: User, users: [User], gone: User, none: User })
  const driver = receive(schema, {
    user: { id: 1 },
    users: [{ id: 2 }],
    extra: { a: [1] },
    gone: undefined,
    none: null,
  })
  expect(Object.entries(resultOf(driver))).toEqual([
    ['user', '1'],
    ['users', ['2']],
    ['extra', { a: [1] }],
    ['none', null],
  ])
})

test.each(KINDS)(
  'OBJ-2 OBJ-3 DEN-6 %s: a deleted member makes the whole invalid, a missing one is undefined',
  (_, make) => {
    const schema = make({ user: User, other: User })
    const driver = receive(schema, { user: { id: 1 }, other: 'never' })
    const data = readReceived(driver, schema)
    expect(data.user).toBe(driver.read(User, [{ id: 1 }]).data)
    expect(data.other).toBe(undefined)
    driver.open(endpointFor(new Invalidate(User), { sideEffect: true }), [{ x: 1 }]).answer({ id: 1 })
    expect(driver.read(endpointFor(schema), [{}])).toMatchObject({ data: undefined, expiryStatus: 1 })
  },
)

test('OBJ-4 define adds members', () => {
  const members = { user: User }
  const schema = new ObjectSchema<any>(members)
  schema.define({ other: User })
  const driver = receive(schema, { user: { id: 1 }, other: { id: 2 } })
  expect(resultOf(driver)).toEqual({ user: '1', other: '2' })
  expect(members).toEqual({ user: User })
})

test.each(KINDS)('OBJ-5 %s: each member is read with the same arguments, and defaults return themselves', (_, make) => {
  const users = new Collection([User])
  const schema = make({ results: users, user: User, list: [User], total: 0, name: '', ok: false, none: null })
  const empty = { results: undefined, user: undefined, list: undefined, total: 0, name: '', ok: false, none: null }
  const driver = createDriver()
  expect(driver.read(schema, [{ id: 1 }]).data).toEqual(empty)
  expect(driver.read(endpointFor(schema), [{ id: 1 }]).data).toEqual(empty)
  driver.open(endpointFor(users, { key: () => 'list' }), [{ id: 1 }]).answer([{ id: 1 }])
  expect(driver.read(schema, [{ id: 1 }]).data).toMatchObject({ results: [{ id: 1 }], user: { id: 1 }, total: 0 })
})

test('OBJ-1 OBJ-5 NOR-10 a default lets any value through, and stands in for what did not come', () => {
  const schema = { kind: 'x', total: 0, deep: { page: 1 } }
  const answer = { kind: { a: 1 }, deep: {} }
  const driver = receive(schema, answer)
  expect(readReceived(driver, schema)).toEqual({ kind: { a: 1 }, total: 0, deep: { page: 1 } })
  expect(readReceived(receive(schema, { kind: null, total: 5, deep: null }), schema)).toEqual({
    kind: null,
    total: 5,
    deep: null,
  })
})

test.each(KINDS)('OBJ-3 %s: a member without a default that the response lacks stays absent', (_, make) => {
  const schema = make({ user: User, others: [User], tags: [], total: 0 })
  expect(readReceived(receive(schema, { tags: [] }), schema)).toStrictEqual({ tags: [], total: 0 })
})

test('OBJ-1 ENT-20 objects nest in entities, and hold converters', () => {
  class Post extends Entity {
    id = ''
    meta: any = {}
    static override key = 'Post'
    static override schema = { meta: { by: User, at: Number } }
  }
  const driver = receive(Post, { id: 1, meta: { by: { id: 2 }, at: '5', extra: true } })
  expect(driver.getState().entities['Post']).toEqual({ 1: { id: 1, meta: { by: '2', at: '5', extra: true } } })
  expect(readReceived(driver, Post).meta).toMatchObject({ by: { id: 2 }, at: 5, extra: true })
})

test.each(KINDS)('NOR-5 %s: a list in its place is refused, unless the members are its places', (_, make) => {
  expect(() => receive(make({ user: User }), [{ id: 1 }])).toThrow(
    /Expected an object, but the response is array\. Describe the list/,
  )
  const pair = make({ 0: User, 1: [User] })
  expect(readReceived(receive(pair, [{ id: 1 }, [{ id: 2 }]]), pair)).toMatchObject({ 0: { id: 1 }, 1: [{ id: 2 }] })
})
