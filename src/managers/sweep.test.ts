import type { ListTable } from '../lists/ListRow.ts'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import type { CountRefOptions } from '../controller/GCInterface.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { Scalar } from '../kinds/Scalar.ts'
import { Union } from '../kinds/Union.ts'
import { limitOf } from './expiry.ts'
import { tick } from '../testing/TestClock.ts'
import { collectorOf } from '../testing/drivers.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Link, Post } from '../testing/entities.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name'] as const
}
class Todo extends Entity {
  id = ''
  title = ''
  author: User | undefined = undefined
  static override key = 'Todo'
  static override schema = { author: User }
}
const todos = new Collection([Todo])
const getTodos = endpoint('todos', todos)
const getTodo = endpoint('todo', Todo)
const getUsers = endpoint('users', [User])

const MINUTE = 60_000

function held(): { driver: Driver; at: (minutes: number) => void } {
  let now = 1_000_000
  const driver = createDriver({ now: () => now, setTimeout: () => 0, clearTimeout: () => {} })
  return {
    driver,
    at: (minutes) => {
      now = 1_000_000 + minutes * MINUTE
    },
  }
}

/** Holds rows by name, as `countRef` does. */
function hold(driver: Driver, names: CountRefOptions): () => void {
  const own = { ...names }
  driver.holds = new Set([...driver.holds, own])
  return () => {
    driver.holds = new Set([...driver.holds].filter((one) => one !== own))
  }
}

function collectAll(driver: Driver): string[] {
  const gone: string[] = []
  for (const garbage of collectorOf(driver).sweep((meta, isResult) => limitOf(meta, 2, isResult))) {
    collectorOf(driver).collect(garbage)
    gone.push(...garbage.endpoints, ...garbage.entities.map(({ key, pk }) => `${key} ${pk}`))
  }
  return gone.sort()
}

const answer = (driver: Driver, target: any, args: any[], value: unknown): void =>
  driver.open(target, args).answer(value)
const list = [
  { id: '1', title: 'a', author: { id: '7', name: 'Ann' } },
  { id: '2', title: 'b', author: { id: '7', name: 'Ann' } },
]

describe('what goes', () => {
  test.each([
    [{ fetchedAt: 0, date: 10, expiresAt: 60_010 }, 2, false, 120_020],
    [{ fetchedAt: 0, date: 10, expiresAt: 60_010 }, 10, false, 600_100],
    [{ fetchedAt: 50, date: 60, expiresAt: 1 }, 2, false, 120_050],
    [{ fetchedAt: 50, date: 60, expiresAt: Infinity }, 2, true, Infinity],
    [{ fetchedAt: 50, date: 60, expiresAt: 60 }, 2, true, 60],
    [{ fetchedAt: 50, date: 60, expiresAt: 60 }, 2, false, 120_050],
  ])('GC-3 GC-9 the limit of %o by %d, a result: %s', (meta, multiplier, isResult, limit) => {
    expect(limitOf({ ...meta, sent: 1, at: 2, kind: 'read' }, multiplier, isResult)).toBe(limit)
  })

  test('GC-3 GC-5 rows without readers are removed once their limit has passed, and not before', () => {
    const { driver, at } = held()
    answer(driver, getTodos, [{}], list)
    driver.set(User, [{ id: '9' }], { id: '9', name: 'Bob' })
    at(2)
    expect(collectAll(driver)).toEqual([])
    at(2.1)
    expect(collectAll(driver)).toEqual(['Todo 1', 'Todo 2', 'User 7', 'User 9', '[Todo] {}', 'todos [{}]'])
    const { entities, endpoints, meta, entitiesMeta, indexes } = driver.getState()
    expect([entities, endpoints, meta, entitiesMeta, indexes]).toEqual([{}, {}, {}, {}, {}])
    expect(driver.read(getTodos, [{}])).toMatchObject({ data: undefined, expiresAt: 1 })
  })

  test('GC-3 data that never expires never goes, and holds what it names', () => {
    const { driver, at } = held()
    answer(driver, endpoint('todos', todos, { dataExpiryLength: Infinity }), [{}], list)
    driver.set(User, [{ id: '7' }], { id: '7', name: 'changed' })
    at(99_999)
    expect(collectAll(driver)).toEqual([])
  })

  test('GC-9 a result that is not retained goes at once', () => {
    const { driver, at } = held()
    const secret = endpoint('secret', undefined, { dataExpiryLength: 0 })
    driver.resolve(secret, { args: [], response: { token: 'x' }, fetchedAt: 1_000_000 })
    at(0.01)
    expect(collectAll(driver)).toEqual(['secret []'])
  })

  test('GC-9 GC-3 the records of a result that is not retained stay for two minutes', () => {
    const { driver, at } = held()
    answer(driver, endpoint('user', User, { dataExpiryLength: 0 }), [], { id: '7', name: 'Ann' })
    driver.set(User, [{}], { id: '8', name: 'Bob' })
    at(1)
    collectAll(driver)
    expect(Object.keys(driver.getState().entities['User']!)).toEqual(['7', '8'])
    at(2.1)
    collectAll(driver)
    expect(driver.getState().entities).toEqual({})
  })

  test('GC-5 a record whose pk reads like that of a cell', () => {
    const { driver, at } = held()
    driver.set(Todo, [{}], { id: 'User|7|x', title: 'a' })
    answer(driver, endpoint('user', User, { dataExpiryLength: Infinity }), [], { id: '7', name: 'Ann' })
    at(60)
    expect(collectAll(driver)).toEqual(['Todo User|7|x'])
  })

  test('GC-6 indexes, lists and memory of what was read go with the rows', () => {
    const { driver, at } = held()
    for (let i = 0; i < 50; i++) {
      answer(driver, getTodos, [{ group: i }], [{ id: i, author: { id: i, name: `n${i}` } }])
      driver.read(getTodos, [{ group: i }])
    }
    at(3)
    collectAll(driver)
    collectAll(driver)
    const { tables } = driver.store
    for (const table of [tables.endpoints, ...tables.tables.values()]) {
      expect([
        table.byPk.size,
        table.rows.length,
        (table as unknown as Partial<ListTable>).index?.find(() => undefined) ?? [],
      ]).toEqual([0, 0, []])
      for (const entries of table.indexes.values()) {
        expect(entries.size).toBe(0)
      }
    }
    // A row that comes again is found by its index, and joins its lists.
    answer(driver, getTodos, [{ group: 1 }], [{ id: 1, author: { id: 1, name: 'n1' } }])
    expect(driver.read(User, [{ name: 'n1' }]).data.name).toBe('n1')
    answer(driver, endpoint('push', todos.push, { sideEffect: true }), [{ group: 1 }, { id: 8 }], { id: 8 })
    expect(driver.read(getTodos, [{ group: 1 }]).data.map((todo: Todo) => todo.id)).toEqual([1, 8])
  })
})

class Person extends Entity {
  id = ''
  friend: Person | undefined = undefined
  static override key = 'Person'
}
Person.schema = { friend: Person }

test('GC-6 GC-10 records that name each other, and were read, leave nothing behind', () => {
  const { driver, at } = held()
  const getPerson = endpoint('person', Person)
  answer(driver, getPerson, ['1'], { id: '1', friend: { id: '2', friend: { id: '3', friend: '1' } } })
  expect(driver.read(getPerson, ['1']).data.friend.friend.friend.id).toBe('1')
  at(60)
  collectAll(driver)
  collectAll(driver)
  const { tables, endpoints } = driver.store.tables
  expect([tables.get('Person')!.byPk.size, endpoints.byPk.size]).toEqual([0, 0])
})

test('GC-6 records that name each other go together', () => {
  const { driver, at } = held()
  answer(driver, endpoint('person', Person), ['1'], { id: '1', friend: { id: '2', friend: '1' } })
  expect(driver.read(Person, ['1']).data.friend.friend.friend.id).toBe('2')
  const waiting = driver.subscribe(Person, ['2'], () => {})
  at(60)
  expect(collectAll(driver)).toEqual(['person ["1"]'])
  waiting()
  expect(collectAll(driver)).toEqual(['Person 1', 'Person 2'])
  expect(driver.read(Person, ['1']).data).toBeUndefined()
  answer(driver, endpoint('person', Person), ['2'], { id: '2', friend: '1' })
  expect(driver.read(Person, ['2']).data.friend).toBeUndefined()
  answer(driver, endpoint('person', Person), ['1'], { id: '1', friend: '2' })
  expect(driver.read(Person, ['2']).data.friend.friend.id).toBe('2')
})

describe('what stays', () => {
  const readers: [string, any, any[], string[]][] = [
    ['an endpoint', getTodos, [{}], ['User 9', 'other []']],
    ['a list', todos, [{}], ['User 9', 'other []', 'todos [{}]']],
    ['a record', Todo, [{ id: '1' }], ['Todo 2', 'User 9', '[Todo] {}', 'other []', 'todos [{}]']],
    ['a query', new Query(new All(Todo), (all) => all.length), [], ['User 9', '[Todo] {}', 'other []', 'todos [{}]']],
    ['a shape', { one: User }, [{ id: '9' }], ['Todo 1', 'Todo 2', 'User 7', '[Todo] {}', 'other []', 'todos [{}]']],
  ]
  test.each(readers)('GC-2 GC-4 all that a mounted reader of %s shows', (_, target, args, gone) => {
    const { driver, at } = held()
    answer(driver, getTodos, [{}], list)
    answer(driver, endpoint('other', undefined), [], 'x')
    driver.set(User, [{ id: '9' }], { id: '9', name: 'Bob' })
    const release = driver.subscribe(target, args, () => {})
    const shown: unknown = driver.read(target, args).data
    at(60)
    expect(collectAll(driver)).toEqual(gone)
    expect(driver.read(target, args).data).toBe(shown)
    expect(collectAll(driver)).toEqual([])
    release()
    collectAll(driver)
    expect(driver.getState().entities).toEqual({})
  })

  test('GC-2 what is held by name, as often as it is held', () => {
    const { driver, at } = held()
    answer(driver, getTodos, [{}], list)
    const release = hold(driver, { paths: [{ key: 'Todo', pk: '1' }] })
    const again = hold(driver, { key: 'todos [{}]', paths: [{ key: 'Todo', pk: '1' }] })
    at(60)
    expect(collectAll(driver)).toEqual(['Todo 2', 'User 7', '[Todo] {}'])
    again()
    again()
    expect(collectAll(driver)).toEqual(['todos [{}]'])
    release()
    expect(collectAll(driver)).toEqual(['Todo 1'])
  })

  test('GC-2 a row that is held before it comes', () => {
    const { driver, at } = held()
    const release = hold(driver, { key: 'todo [{"id":"1"}]', paths: [{ key: 'Todo', pk: '1' }] })
    collectAll(driver)
    answer(driver, getTodo, [{ id: '1' }], list[0])
    at(60)
    expect(collectAll(driver)).toEqual(['User 7'])
    release()
    expect(collectAll(driver)).toEqual(['Todo 1', 'todo [{"id":"1"}]'])
  })

  test('GC-7 what a result that stays names, at any distance, though its own limit has passed', () => {
    const { driver, at } = held()
    answer(driver, endpoint('todos', todos, { dataExpiryLength: 60 * MINUTE }), [{}], list)
    answer(driver, endpoint('users', [User], { dataExpiryLength: 60 * MINUTE }), [], [{ id: '8', name: 'Cy' }])
    // Written later, for a shorter time.
    driver.set(Todo, [{ id: '1' }], { id: '1', title: 'set' })
    driver.set(User, [{ id: '7' }], { id: '7', name: 'set' })
    driver.set(User, [{ id: '8' }], { id: '8', name: 'set' })
    at(60)
    expect(collectAll(driver)).toEqual([])
    expect(driver.read(getTodos, [{}]).data.map((todo: Todo) => todo.author!.name)).toEqual(['set', 'set'])
    at(121)
    expect(collectAll(driver)).toHaveLength(7)
  })

  test('GC-7 the items of a union, and the cells of a record', () => {
    const mixed = new Collection([new Union({ todo: Todo, user: User }, 'type' as never)])
    class Stock extends Entity {
      id = ''
      price = 0
      static override key = 'Stock'
    }
    const prices = new Scalar({ lens: ([{ currency }]: any) => currency, key: 'prices', entity: Stock })
    Stock.schema = { price: prices }
    const { driver, at } = held()
    const long = { dataExpiryLength: 60 * MINUTE }
    answer(driver, endpoint('mixed', mixed, long), [{}], [{ type: 'user', id: '8', name: 'Cy' }])
    answer(driver, endpoint('stock', Stock, long), [{ id: '1', currency: 'EUR' }], { id: '1', price: 5 })
    driver.set(User, [{ id: '8' }], { id: '8', name: 'set' })
    at(60)
    expect(collectAll(driver)).toEqual([])
    expect(driver.read(Stock, [{ id: '1', currency: 'EUR' }]).data.price).toBe(5)
    // A cell that is older than its record stays, too.
    const fresh = { dataExpiryLength: 6_000 * MINUTE }
    answer(driver, endpoint('stock', Stock, fresh), [{ id: '1', currency: 'USD' }], { id: '1', price: 4 })
    at(1_000)
    expect(collectAll(driver)).toContain('stock [{"id":"1","currency":"EUR"}]')
    const both = ['EUR', 'USD'].map((currency) => driver.read(Stock, [{ id: '1', currency }]).data.price)
    expect(both).toEqual([5, 4])
    at(20_000)
    // Its cells go after a record that was removed by name.
    collectorOf(driver).collect({ entities: [{ key: 'Stock', pk: '1' }], endpoints: [] })
    collectAll(driver)
    collectAll(driver)
    expect(driver.getState().entities).toEqual({})
  })

  test('GC-3 rows over which an operation is pending', () => {
    const { driver, at } = held()
    const patch = endpoint('patch', Todo, {
      sideEffect: true,
      getOptimisticResponse: (_: unknown, { id }: any) => ({ id, title: 'pending' }),
    })
    answer(driver, getTodo, [{ id: '1' }], { id: '1', title: 'a' })
    const pending = driver.open(patch, [{ id: '1' }])
    at(60)
    expect(collectAll(driver)).toEqual(['todo [{"id":"1"}]'])
    expect(driver.read(Todo, [{ id: '1' }]).data.title).toBe('pending')
    pending.drop()
    expect(collectAll(driver)).toEqual(['Todo 1'])
  })

  test('GC-3 GC-4 a mounted record that only a pending operation creates, and what it references', () => {
    const { driver, at } = held()
    const create = endpoint('create', Todo, {
      sideEffect: true,
      getOptimisticResponse: () => ({ id: '1', title: 'pending', author: '7' }),
    })
    driver.set(User, [{ id: '7' }], { id: '7', name: 'Ann' })
    const pending = driver.open(create, [{}])
    const end = driver.subscribe(Todo, [{ id: '1' }], () => {})
    at(60)
    const shown = driver.read(Todo, [{ id: '1' }]).data
    expect(shown.author.name).toBe('Ann')
    expect(collectAll(driver)).toEqual([])
    expect(driver.read(Todo, [{ id: '1' }]).data).toBe(shown)
    pending.drop()
    end()
    expect(driver.read(Todo, [{ id: '1' }]).data).toBeUndefined()
    expect(collectAll(driver)).toEqual(['User 7'])
  })

  test('GC-3 GC-4 a record that only a pending operation creates, before its first reader', () => {
    const { driver } = held()
    driver.open(
      endpoint('create', User, { sideEffect: true, getOptimisticResponse: () => ({ id: '7', name: 'Ann' }) }),
      [],
    )
    collectAll(driver)
    expect(driver.read(User, [{ id: '7' }]).data.name).toBe('Ann')
  })

  test.each<[string, any, any[]]>([
    ['a response that is not there yet', getTodo, [{ id: '1' }]],
    ['a record that is not there yet', Todo, [{ id: '1' }]],
    ['a query that finds nothing yet', new Query(new All(Todo), (all) => all.length), []],
  ])('GC-4 a mounted reader of %s is notified when it arrives after a sweep', async (_name, target, args) => {
    const { driver } = held()
    const notify = vi.fn()
    driver.subscribe(target, args, notify)
    collectAll(driver)
    answer(driver, getTodo, [{ id: '1' }], { id: '1', title: 'a' })
    await tick()
    expect(notify).toHaveBeenCalledOnce()
    expect(driver.read(target, args).data).toBeDefined()
  })

  test('GC-4 a reader is notified of a record that its data names, and that arrives after a sweep', () => {
    const { driver } = held()
    const notify = vi.fn()
    answer(driver, getTodo, [{ id: '1' }], { id: '1', title: 'a', author: '7' })
    driver.subscribe(getTodo, [{ id: '1' }], notify)
    collectAll(driver)
    driver.set(User, [{}], { id: '7', name: 'Ann' })
    expect(notify).toHaveBeenCalledOnce()
    expect(driver.read(getTodo, [{ id: '1' }]).data.author.name).toBe('Ann')
  })

  test('GC-3 GC-7 the records of a result, after members that are null', () => {
    const { driver, at } = held()
    const schema = { todos: [Todo], all: todos, box: { first: Todo }, author: User }
    const get = endpoint('page', schema, { dataExpiryLength: Infinity })
    answer(driver, get, [], { todos: null, all: null, box: null, author: { id: '7', name: 'Ann' } })
    // Written again, it would expire by itself.
    driver.set(User, [{ id: '7' }], { id: '7', name: 'Bob' })
    at(60)
    expect(collectAll(driver)).toEqual([])
  })

  test.each<[string, any, any[]]>([
    ['a record', User, [{ id: '5999' }]],
    ['a result', getUsers, []],
    ['a query', new Query(new All(User), (all) => all.length), []],
  ])('GC-4 the rows of %s that is mounted while a sweep goes on', (_name, target, args) => {
    const { driver, at } = held()
    const users = Array.from({ length: 6_000 }, (_, id) => ({ id, name: `n${id}` }))
    answer(driver, getUsers, [], users)
    at(60)
    const sweep = collectorOf(driver).sweep((meta) => limitOf(meta))
    sweep.next()
    driver.subscribe(target, args, () => {})
    const shown: unknown = driver.read(target, args).data
    expect(shown).toBeDefined()
    for (const garbage of sweep) {
      collectorOf(driver).collect(garbage)
    }
    expect(driver.read(target, args).data === shown).toBe(true)
  })

  test('GC-3 what is written while a sweep goes on', () => {
    const { driver, at } = held()
    answer(
      driver,
      getUsers,
      [],
      Array.from({ length: 2_000 }, (_, id) => ({ id, name: `n${id}` })),
    )
    at(60)
    const sweep = collectorOf(driver).sweep((meta) => limitOf(meta))
    sweep.next()
    driver.set(User, [{}], { id: '1999', name: 'new' })
    for (const garbage of sweep) {
      collectorOf(driver).collect(garbage)
    }
    expect(Object.keys(driver.getState().entities['User']!)).toEqual(['1999'])
  })

  test.each([
    ['never', [0, 0]],
    ['before the write', [1, 0]],
    ['after the write', [0, 1]],
  ])('GC-7 a record that joined a list by a write, for as long as the list, which was read %s', (_name, reads) => {
    const { driver, at } = held()
    const forEver = endpoint('todos', todos, { dataExpiryLength: Infinity })
    answer(driver, forEver, [{}], list)
    const look = (count: number | undefined): unknown => count && driver.read(forEver, [{}])
    look(reads[0])
    answer(driver, endpoint('push', todos.push, { sideEffect: true }), [{ id: '3' }], { id: '3', title: 'new' })
    look(reads[1])
    at(60)
    collectAll(driver)
    const { data, expiresAt } = driver.read(forEver, [{}])
    expect(data.map((todo: Todo) => todo.id).join() === '1,2,3' || expiresAt === 1).toBe(true)
  })
})

describe('lists that lose an item', () => {
  test('DEN-15 a list that names a collected record is stale, and short until it is refetched', () => {
    const { driver } = held()
    const told = vi.fn()
    answer(driver, getTodos, [{}], list)
    answer(driver, getUsers, [], [{ id: '7', name: 'Ann' }])
    driver.subscribe(getTodos, [{}], told)
    collectorOf(driver).collect({ entities: [{ key: 'Todo', pk: '1' }], endpoints: [] })
    const { data, expiresAt, expiryStatus } = driver.read(getTodos, [{}])
    expect([data.map((todo: Todo) => todo.pk()), expiresAt, expiryStatus]).toEqual([['2'], 1, 3])
    expect(driver.read(getUsers, []).expiresAt).toBeGreaterThan(1)
    collectorOf(driver).collect({ entities: [{ key: 'User', pk: '7' }], endpoints: [] })
    expect(driver.read(getUsers, [])).toMatchObject({ data: [], expiresAt: 1 })
    answer(driver, getTodos, [{}], list)
    expect(driver.read(getTodos, [{}]).data).toHaveLength(2)
    expect(driver.read(getTodos, [{}]).expiresAt).toBeGreaterThan(1)
  })

  test('GC-1 names of rows that the store does not have are ignored', () => {
    const { driver } = held()
    answer(driver, getTodos, [{}], list)
    const before = driver.getState()
    const entities = [
      { key: 'Nobody', pk: '1' },
      { key: 'Todo', pk: '99' },
    ]
    collectorOf(driver).collect({ entities, endpoints: ['nothing'] })
    expect(driver.getState()).toEqual(before)
  })

  test('DEN-15 a record that names a collected record is as fresh as before', () => {
    const { driver } = held()
    answer(driver, getTodo, [{ id: '1' }], list[0])
    const before = driver.getState().entitiesMeta['Todo']!['1']
    collectorOf(driver).collect({ entities: [{ key: 'User', pk: '7' }], endpoints: [] })
    expect(driver.read(User, [{ id: '7' }]).data).toBeUndefined()
    expect(driver.getState().entitiesMeta['Todo']!['1']).toEqual(before)
  })

  test('GC-10 the mark of a deleted record goes, and that of another member of the union with its pk stays', () => {
    const { driver, at } = held()
    const getFeed = endpoint('feed', new Collection([new Union({ post: Post, link: Link }, 'type')]))
    const feed = [
      { id: '1', type: 'post', title: 'a' },
      { id: '1', type: 'link', url: 'b' },
    ]
    driver.subscribe(getFeed, [{}], () => {})
    answer(driver, getFeed, [{}], feed)
    answer(driver, endpoint('delete', new Invalidate(Post), { sideEffect: true }), [{ id: '1' }], '1')
    driver.read(getFeed, [{}])
    at(60)
    expect(collectAll(driver)).toEqual(['Post 1', 'delete [{"id":"1"}]'])
    driver.set(Post, [{}], feed[0])
    expect((driver.read(getFeed, [{}]).data as any[]).map(({ type }) => type)).toEqual(['link'])
  })

  test('GC-10 the mark stays for as long as a response that contained the record', () => {
    class Post extends Entity {
      id = ''
      author = User.fromJS()
      static override key = 'Post'
      static override schema = { author: User }
    }
    const { driver, at } = held()
    const getPost = endpoint('post', Post, { dataExpiryLength: Infinity })
    answer(driver, getPost, ['1'], { id: '1', author: { id: '7', name: 'Ann' } })
    answer(driver, endpoint('delete', new Invalidate(User), { sideEffect: true }), [{ id: '7' }], { id: '7' })
    at(60)
    expect(collectAll(driver)).toEqual(['delete [{"id":"7"}]'])
    expect(driver.read(getPost, ['1']).data).toBeUndefined()
  })
})

test('GC-1 a result that a manager removes from the GC action stays', () => {
  const { driver, at } = held()
  answer(driver, endpoint('other', undefined), [], 'x')
  driver.set(User, [{ id: '9' }], { id: '9', name: 'Bob' })
  at(60)
  for (const { entities } of collectorOf(driver).sweep((meta) => limitOf(meta))) {
    collectorOf(driver).collect({ entities, endpoints: [] })
  }
  expect(driver.getState()).toMatchObject({ entities: {}, endpoints: { 'other []': 'x' } })
})

test('ST-3 GC-6 a picture taken before still shows what has gone', () => {
  const { driver, at } = held()
  answer(driver, getTodos, [{}], list)
  const before = driver.getState()
  at(60)
  collectAll(driver)
  answer(driver, getTodo, [{ id: '3' }], { id: '3', title: 'c' })
  expect(Object.keys(before.entities['Todo']!)).toEqual(['1', '2'])
  expect(before.entities['[Todo]']).toEqual({ '{}': ['1', '2'] })
  expect(Object.keys(driver.getState().entities['Todo']!)).toEqual(['3'])
})

test('GC-10 a day of polling with deletes and creations leaves the store as small as it was', () => {
  const { driver, at } = held()
  const release = driver.subscribe(getTodos, [{}], () => {})
  let most = 0
  for (let minute = 0; minute < 1_440; minute++) {
    at(minute)
    answer(driver, getTodos, [{}], [{ id: minute, author: { id: minute } }, { id: minute + 1 }])
    answer(driver, endpoint('delete', new Invalidate(Todo), { sideEffect: true }), [{ id: minute }], { id: minute })
    if (minute % 5 === 0) {
      collectAll(driver)
    }
    const { tables, endpoints } = driver.store.tables
    most = Math.max(most, ...[...tables.values(), endpoints].map(({ byPk }) => byPk.size))
  }
  expect(most).toBeLessThan(30)
  release()
})

test('GC-3 a slice looks at no more than 500 rows', () => {
  const { driver, at } = held()
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `n${id}` }))
  answer(driver, getUsers, [], rows)
  const others = Array.from({ length: 2_000 }, (_, id) => ({ id, title: '' }))
  answer(driver, endpoint('todos', todos, { dataExpiryLength: Infinity }), [{}], others)
  at(60)
  let looks = 0
  let slices = 0
  for (const garbage of collectorOf(driver).sweep((meta) => (looks++, limitOf(meta)))) {
    slices++
    expect(looks).toBeLessThanOrEqual(500)
    expect(garbage.entities.length + garbage.endpoints.length).toBeLessThanOrEqual(500)
    collectorOf(driver).collect(garbage)
    looks = 0
  }
  expect(slices).toBeGreaterThan(44)
  expect(Object.keys(driver.getState().entities).sort()).toEqual(['Todo', '[Todo]'])
})

test.each<[string, (driver: Driver) => void]>([
  ['a reset', (driver) => driver.reset()],
  ['a removal', (driver) => collectorOf(driver).collect({ entities: [{ key: 'User', pk: '400' }], endpoints: [] })],
])('GC-4 a sweep goes on after %s', (_name, change) => {
  const { driver, at } = held()
  answer(
    driver,
    getUsers,
    [],
    Array.from({ length: 500 }, (_, id) => ({ id, name: `n${id}` })),
  )
  at(1_000)
  let slices = 0
  for (const garbage of collectorOf(driver).sweep((meta) => {
    // A slice ends.
    at(1_000 + ++slices)
    return limitOf(meta)
  })) {
    change(driver)
    collectorOf(driver).collect(garbage)
  }
  expect(driver.getState().entities).toEqual({})
})

test('GC-7 property: what is fresh has all its rows after a sweep, and so has what is mounted', () => {
  const id = fc.integer({ min: 1, max: 5 })
  const step = fc.record({
    kind: fc.constantFrom('list', 'todo', 'user', 'push', 'mount'),
    id,
    other: id,
    length: fc.constantFrom(1_000, 10 * MINUTE),
    minutes: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const { driver, at } = held()
      let minutes = 0
      const mounted: [id: number, shown: unknown][] = []
      for (const { kind, id: one, other, length, minutes: more } of steps) {
        at((minutes += more))
        const options = { dataExpiryLength: length }
        const make = (each: number): object => ({ id: each, title: 'a', author: { id: each, name: 'b' } })
        const todo = make(one)
        if (kind === 'list') {
          answer(driver, endpoint('todos', todos, options), [{}], [todo, make(other)])
        } else if (kind === 'todo') {
          answer(driver, endpoint('todo', Todo, options), [{ id: one }], todo)
        } else if (kind === 'user') {
          driver.set(User, [{ id: one }], { id: one, name: 'c' })
        } else if (kind === 'push') {
          answer(driver, endpoint('push', todos.push, { ...options, sideEffect: true }), [{}, todo], todo)
        } else {
          driver.subscribe(Todo, [{ id: one }], () => {})
          mounted.push([one, undefined])
        }
        for (const each of mounted) {
          each[1] = driver.read(Todo, [{ id: each[0] }]).data
        }
        collectAll(driver)
        for (const [each, shown] of mounted) {
          expect(driver.read(Todo, [{ id: each }]).data).toBe(shown)
        }
        const { entities, endpoints, meta } = driver.getState()
        const now = driver.store.clock.now()
        const isFresh = (key: string): boolean => meta[key]!.expiresAt >= now
        const has = (key: string, pk: string): any => {
          expect([key, pk, Object.hasOwn(entities[key] ?? {}, pk)]).toEqual([key, pk, true])
          return entities[key]![pk]
        }
        for (const [key, pk] of Object.entries(endpoints).filter(([name]) => isFresh(name))) {
          const pks: string[] = key.startsWith('todos') ? has('[Todo]', pk as string) : [pk]
          pks.forEach((each) => has('User', has('Todo', each).author as string))
        }
      }
    }),
    { numRuns: cases(2_400) },
  )
})

test('GC-3 a list over which an operation is pending keeps its records', () => {
  const { driver, at } = held()
  answer(driver, getTodos, [{}], list)
  driver.read(getTodos, [{}])
  const create = endpoint('create', todos.push, { sideEffect: true, getOptimisticResponse: () => ({ title: 'new' }) })
  const pending = driver.open(create, [{}])
  at(60)
  expect(collectAll(driver)).toEqual(['todos [{}]'])
  expect(driver.read(getTodos, [{}]).data).toHaveLength(3)
  pending.drop()
  expect(collectAll(driver)).toEqual(['Todo 1', 'Todo 2', 'User 7', '[Todo] {}'])
})

test('GC-7 what came with a record that joined a list is kept as long as the list', () => {
  const { driver, at } = held()
  answer(driver, endpoint('todos', todos, { dataExpiryLength: 10 * MINUTE }), [{}], list)
  const push = endpoint('push', todos.push, { dataExpiryLength: 1_000, sideEffect: true })
  answer(driver, push, [{}], { id: 9, title: 'new', author: { id: 8, name: 'Eve' } })
  at(5)
  collectAll(driver)
  expect(Object.keys(driver.getState().entities['User']!)).toContain('8')
})

test('GC-3 lists go before the records that they hold', () => {
  const { driver, at } = held()
  driver.set(Todo, [{}], { id: '1', title: 'a' })
  answer(driver, getTodos, [{}], [{ id: '1', title: 'a' }])
  at(60)
  const order: string[] = []
  for (const { entities } of collectorOf(driver).sweep((meta) => limitOf(meta))) {
    order.push(...entities.map(({ key }) => key))
  }
  expect(order).toEqual(['[Todo]', 'Todo'])
})
