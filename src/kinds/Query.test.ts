import { describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { All } from './All.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { Lazy } from './Lazy.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from './Query.ts'
import { Scalar } from './Scalar.ts'
import { Union } from './Union.ts'

class User extends Entity {
  id = ''
  name = ''
  admin = false
  static override key = 'User'
  static override indexes = ['name']
}
class Ticket extends Entity {
  id = ''
  userId = ''
  type = 'ticket'
  static override key = 'Ticket'
}

const users = new Collection([User])
const getUsers = endpoint('users', users)

function filled(): Driver {
  const driver = createDriver()
  driver.open(getUsers, [{}]).answer([
    { id: 1, name: 'Ann', admin: true },
    { id: 2, name: 'Bob' },
  ])
  driver.open(endpoint('tickets', [Ticket]), []).answer([{ id: 5, userId: 1 }])
  return driver
}

test('QRY-1 without process the entries are the result', () => {
  const driver = filled()
  expect(driver.read(new Query(users), [{}]).data).toBe(driver.read(users, [{}]).data)
  expect(driver.read(new Query(User), [{ id: 1 }]).data).toBe(driver.read(User, [1]).data)
})

describe('QRY-2 schemas', () => {
  const price = new Scalar({ key: 'price', lens: ([first]) => first?.currency as string, entity: User })
  const lazy = new Lazy([User])
  test.each<[string, any, any[], unknown]>([
    ['an Entity', new Query(User, (user: User) => user.name), [{ id: 1 }], 'Ann'],
    ['an Entity by index', new Query(User, (user: User) => user.id), [{ name: 'Bob' }], 2],
    ['All', new Query(new All(User), (all: User[]) => all.length), [], 2],
    ['a Collection', new Query(users, (all: readonly User[]) => all.length), [{}], 2],
    ['a Query', new Query(new Query(users), (all: readonly User[]) => all.length), [{}], 2],
    [
      'a Query with process',
      new Query(new Query(users, (all: readonly User[]) => all.length), (n: number) => n * 2),
      [{}],
      4,
    ],
    [
      'a Union',
      new Query(new Union({ user: User, ticket: Ticket }, 'type'), (one: User | Ticket) => one.id),
      [{ id: 5, type: 'ticket' }],
      5,
    ],
    [
      'a plain object',
      new Query({ user: User, all: users }, ({ user, all }: any) => [user.name, all?.length]),
      [{ id: 1 }],
      ['Ann', undefined],
    ],
    [
      'an object schema',
      new Query(new ObjectSchema({ user: User }), ({ user }: any) => user?.name),
      [{ id: 2 }],
      'Bob',
    ],
    [
      'Lazy.query',
      new Query(lazy.query, (all: readonly User[]) => all.map((one) => one.name)),
      [['2', '1']],
      ['Bob', 'Ann'],
    ],
    ['a Scalar', new Query(price, (value: number) => value + 1), [{ id: 1, currency: 'usd' }], 6],
  ])('QRY-2 QRY-3 %s', (_, query, args, expected) => {
    const driver = filled()
    driver.open(endpoint('price', { 1: price }), [{ currency: 'usd' }]).answer({ 1: 5 })
    expect(driver.read(query, args).data).toEqual(expected)
  })
})

test('QRY-3 process gets the entries and all arguments', () => {
  const driver = filled()
  const process = vi.fn((_entries: unknown, ...args: any[]) => args)
  const args = [{ id: 1 }, 'second', 3]
  expect(driver.read(new Query(User, process), args).data).toEqual(args)
  expect(process).toHaveBeenCalledWith(driver.read(User, [1]).data, ...args)
})

test.each<[string, any, any[]]>([
  ['an Entity', User, [{ id: 9 }]],
  ['no arguments', User, []],
  ['All of a kind never stored', new All(class Never extends Entity {}), []],
  ['a Collection', users, [{ group: 'x' }]],
  ['a Query', new Query(User, (user: User) => user), [{ id: 9 }]],
])('QRY-4 %s is not there: process is not called', (_, schema, args) => {
  const process = vi.fn()
  expect(filled().read(new Query(schema, process), args).data).toBeUndefined()
  expect(process).not.toHaveBeenCalled()
})

test('QRY-4 what was deleted is not there, and comes back', () => {
  const driver = filled()
  const process = vi.fn((user: User) => user.name)
  const query = new Query(User, process)
  driver.open(endpoint('remove', new Invalidate(User), { sideEffect: true }), [1]).answer(1)
  expect(driver.read(query, [1]).data).toBeUndefined()
  expect(process).not.toHaveBeenCalled()
  driver.open(endpoint('user', User), [1]).answer({ id: 1, name: 'New' })
  expect(driver.read(query, [1]).data).toBe('New')
})

test('QRY-5 members of an object may be missing', () => {
  const driver = filled()
  const process = vi.fn(({ user, tickets, count }: any) => [user?.name, tickets?.length, count])
  const query = new Query({ user: User, tickets: new Collection([Ticket]), count: 7 }, process)
  expect(driver.read(query, [{ id: 1 }]).data).toEqual(['Ann', undefined, 7])
  expect(driver.read(query, [{ id: 9 }]).data).toEqual([undefined, undefined, 7])
  driver.open(endpoint('tickets', new Collection([Ticket])), [{ id: 1 }]).answer([{ id: 1 }])
  expect(driver.read(query, [{ id: 1 }]).data).toEqual(['Ann', 1, 7])
  driver.open(endpoint('remove', new Invalidate(User), { sideEffect: true }), [1]).answer(1)
  expect(driver.read(query, [{ id: 1 }]).data).toEqual([undefined, 1, 7])
})

describe('QRY-6 memoised', () => {
  test('QRY-6 DEN-4 process runs again only when something it was given has changed', () => {
    const driver = filled()
    const process = vi.fn((all: readonly User[], { admin }: { admin: boolean }) =>
      all.filter((user) => user.admin === admin),
    )
    const admins = new Query(new All(User), process)
    const first = driver.read(admins, [{ admin: true }]).data
    expect(driver.read(admins, [{ admin: true }]).data).toBe(first)
    driver.open(endpoint('ticket', Ticket), []).answer({ id: 6 })
    driver.open(getUsers, [{}]).answer([
      { id: 1, name: 'Ann', admin: true },
      { id: 2, name: 'Bob' },
    ])
    expect(driver.read(admins, [{ admin: true }]).data).toBe(first)
    expect(process).toHaveBeenCalledTimes(1)
    driver.open(endpoint('user', User), [2]).answer({ id: 2, name: 'Bobby' })
    // It runs, and the entries it picks are the same.
    expect(driver.read(admins, [{ admin: true }]).data).toBe(first)
    expect(process).toHaveBeenCalledTimes(2)
    driver.read(admins, [{ admin: false }])
    driver.read(admins, [{ admin: true }])
    expect(process).toHaveBeenCalledTimes(3)
  })

  test('QRY-6 an entity that is not read does not matter', () => {
    const driver = filled()
    const process = vi.fn((user: User) => ({ name: user.name }))
    const query = new Query(User, process)
    const first = driver.read(query, [{ id: 1 }]).data
    driver.open(endpoint('user', User), [2]).answer({ id: 2, name: 'Bobby' })
    expect(driver.read(query, [{ id: 1 }]).data).toBe(first)
    expect(process).toHaveBeenCalledTimes(1)
    driver.open(endpoint('user', User), [1]).answer({ id: 1, name: 'Anna' })
    expect(driver.read(query, [{ id: 1 }]).data).toEqual({ name: 'Anna' })
  })

  test('QRY-6 QRY-9 arguments count by value, members in any order', () => {
    const driver = filled()
    const process = vi.fn((user: User, args: object) => ({ user, args }))
    const query = new Query(User, process)
    const first = driver.read(query, [{ id: 1, deep: { b: 1, a: 2 } }]).data
    expect(driver.read(query, [{ deep: { a: 2, b: 1 }, id: 1 }]).data).toBe(first)
    expect(driver.read(query, [{ id: 1, deep: { a: 2, b: 1 }, gone: undefined }]).data).toBe(first)
    expect(process).toHaveBeenCalledTimes(1)
  })

  test('QRY-6 a pending operation that fails gives the same result again', () => {
    const driver = filled()
    const names = new Query(users, (all: readonly User[]) => all.map((user) => user.name).join())
    const rename = endpoint('rename', User, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, body: object) => body,
    })
    const request = driver.open(rename, [{ id: 1, name: 'Zed' }])
    expect(driver.read(names, [{}]).data).toBe('Zed,Bob')
    request.fail(new Error('no'))
    expect(driver.read(names, [{}]).data).toBe('Ann,Bob')
  })

  test('QRY-6 ENT-9 what process gives is frozen in development where it is plain', () => {
    const driver = filled()
    const own = new Date(0)
    const query = new Query(User, (user: User) => ({ list: [user], own }))
    const { data } = driver.read(query, [1])
    expect([Object.isFrozen(data), Object.isFrozen(data.list), Object.isFrozen(own)]).toEqual([true, true, false])
  })
})

test('QRY-7 as the schema of an endpoint', () => {
  const driver = createDriver()
  const byName = endpoint(
    'users',
    new Query(users, (all: readonly User[], { name }: { name?: string } = {}) =>
      name === undefined ? all : all.filter((user) => user.name === name),
    ),
  )
  driver.open(byName, [{ name: 'Ann' }]).answer([
    { id: 1, name: 'Ann' },
    { id: 2, name: 'Bob' },
  ])
  expect(driver.read(byName, [{ name: 'Ann' }]).data.map((user: User) => user.id)).toEqual([1])
  expect(driver.read(users, [{ name: 'Ann' }]).data).toHaveLength(2)
  expect(driver.read(byName, [{ name: 'Ann' }]).data).toBe(driver.read(byName, [{ name: 'Ann' }]).data)
  driver.open(endpoint('push', users.push, { sideEffect: true }), [{ name: 'Ann' }]).answer({ id: 3, name: 'Ann' })
  expect(driver.read(byName, [{ name: 'Ann' }]).data.map((user: User) => user.id)).toEqual([1, 3])
  // Never fetched: served from the store.
  expect(driver.read(endpoint('users', new Query(users)), [{ name: 'Ann' }]).data).toHaveLength(3)
})

test.each<[string, any, any[], string, unknown]>([
  ['an Entity', User, [1], 'User', { id: 1 }],
  ['a Collection', users, [{}], '[User]', [{ id: 1 }]],
  ['All', new All(User), [], 'User', []],
  ['an object', { one: User, all: users }, [{}], 'one, all', {}],
])('QRY-8 process that throws over %s: the error names the schema', (_, schema, args, name, answer) => {
  const driver = filled()
  const cause = new RangeError('mine')
  const query = new Query(schema, () => {
    throw cause
  })
  const read = (): unknown => driver.read(query, args).data
  expect(read).toThrow(expect.objectContaining({ code: 'query-failed', cause }))
  expect(read).toThrow(name)
  expect(read).toThrow('mine')
  // As the schema of an endpoint it is the endpoint's error.
  const get = endpoint('users', query, { key: () => 'q' })
  driver.setResponse(get, args, answer)
  expect(driver.read(get, args)).toMatchObject({ data: undefined, error: { code: 'query-failed', cause } })
})

test('QRY-8 an error does not stick: when the data changes, process runs again', () => {
  const driver = filled()
  const query = new Query(User, (user: User) => {
    if (user.name === 'Ann') {
      throw new Error('no Ann')
    }
    return user.name
  })
  expect(() => driver.read(query, [1])).toThrow('no Ann')
  driver.open(endpoint('user', User), [1]).answer({ id: 1, name: 'Bea' })
  expect(driver.read(query, [1]).data).toBe('Bea')
})
