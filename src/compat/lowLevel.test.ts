import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver } from '../testing/drivers.ts'
import { All } from '../kinds/All.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Query } from '../kinds/Query.ts'
import { INVALID } from '../schema/Schema.ts'
import { endpoint, mutation } from '../testing/endpoints.ts'
import { denormalize, MemoCache, normalize, type NormalizedTables } from './lowLevel.ts'

class User extends Entity {
  id = ''
  name = ''
  static override key = 'User'
  static override indexes = ['name']
}
class Post extends Entity {
  id = ''
  title = ''
  author = User.fromJS()
  at = new Date(0)
  static override key = 'Post'
  static override schema = { author: User, at: (iso: string) => new Date(iso) }
}
const ann = { id: 7, name: 'Ann' }

describe('normalize', () => {
  test('DEN-14 tables in which nothing has changed stay the same objects', () => {
    const first = normalize(User, ann)
    const again = normalize(User, ann, [], first)
    expect(again.entities['User']).toBe(first.entities['User'])
    expect(again.indexes['User']).toBe(first.indexes['User'])
    expect(normalize(User, { id: 7, name: 'Eve' }, [], first).indexes['User']).toEqual({ name: { Eve: '7' } })
  })

  test('DEN-14 gives result, entities, indexes and times', () => {
    const input = [
      { id: 1, title: 'a', author: ann, tags: ['x'] },
      { id: 2, author: 7 },
    ]
    const before = structuredClone(input)
    const times = { fetchedAt: 1, date: 2, expiresAt: 3 }
    const { result, entities, indexes, entitiesMeta } = normalize([Post], input, [], undefined, times)
    expect(result).toEqual(['1', '2'])
    expect(entities).toEqual({
      Post: { 1: { id: 1, title: 'a', author: '7', tags: ['x'] }, 2: { id: 2, author: '7' } },
      User: { 7: ann },
    })
    expect(indexes).toEqual({ User: { name: { Ann: '7' } } })
    expect(entitiesMeta).toEqual({ Post: { 1: times, 2: times }, User: { 7: times } })
    expect(input).toEqual(before)
    expect(Object.isFrozen(input[0]!.tags)).toBe(false)
  })

  test('DEN-14 merges into tables that are given, and leaves these as they were', () => {
    const first = normalize([Post], [{ id: 1, title: 'a', author: ann }])
    const copy = structuredClone(first.entities)
    const second = normalize(Post, { id: 1, title: 'b' }, [], first)
    expect(second.entities['Post']![1]).toEqual({ id: 1, title: 'b', author: '7' })
    expect(second.entities['User']).toBe(first.entities['User'])
    expect(first.entities).toEqual(copy)
    const third = normalize(Post, { id: 1, title: 'b' }, [], second)
    expect(third.entities['Post']).toBe(second.entities['Post'])
  })

  test('DEN-14 arguments reach the schemas; lists grow; records are removed', () => {
    const users = new Collection([User])
    const first = normalize(users, [ann], [{ group: 'a' }])
    expect(first).toMatchObject({ result: '{"group":"a"}', entities: { '[User]': { '{"group":"a"}': ['7'] } } })
    const second = normalize(users.push, { id: 8 }, [{ group: 'a' }], first)
    expect(second.entities['[User]']).toEqual({ '{"group":"a"}': ['7', '8'] })
    const named = normalize(new Collection([User], { name: 'n' }).push, { id: 9 }, [{ group: 'a' }], second)
    expect(named.entities['[User]']).toBe(second.entities['[User]'])
    const third = normalize(new Invalidate(User), 8, [], second)
    expect(third.entities['User']).toMatchObject({ 7: ann, 8: INVALID })
    expect(denormalize(users, '{"group":"a"}', third.entities)).toEqual([User.fromJS(ann as never)])
  })

  test('DEN-14 what is refused throws, and nothing was changed', () => {
    const first = normalize(User, ann)
    expect(() => normalize(User, { name: 'x' }, [], first)).toThrow(/entity-missing-pk/)
    expect(() => normalize(User, null)).toThrow(/input-wrong-kind/)
    expect(first.entities).toEqual({ User: { 7: ann } })
  })

  test('DEN-14 names of objects are ordinary keys', () => {
    const { entities } = normalize([User], [{ id: '__proto__' }, { id: 'constructor' }])
    expect(Object.keys(entities['User']!)).toEqual(['__proto__', 'constructor'])
    expect(denormalize(User, '__proto__', entities)!.id).toBe('__proto__')
    expect(denormalize(User, 'toString', entities)).toBeUndefined()
  })
})

describe('denormalize', () => {
  const { result, entities } = normalize(
    [Post],
    [
      { id: 1, author: ann, at: '2020-01-01' },
      { id: 2, author: 9 },
    ],
  )

  test('DEN-14 DEN-1 reads what was normalised', () => {
    const [one, two] = denormalize([Post], result, entities) as Post[]
    expect(one).toBeInstanceOf(Post)
    expect(one!.author).toBeInstanceOf(User)
    expect([one!.author.name, one!.at.getFullYear(), two!.author.name]).toEqual(['Ann', 2020, ''])
  })

  test('DEN-14 DEN-8 DEN-11 what is missing or deleted is undefined', () => {
    expect(denormalize(Post, '9', entities)).toBeUndefined()
    expect(denormalize(Post, '1', { Post: { 1: INVALID } })).toBeUndefined()
    expect(denormalize({ post: Post }, { post: '1' }, { Post: { 1: INVALID } })).toBeUndefined()
    expect(denormalize([Post], ['9', '1'], entities)).toHaveLength(1)
  })

  test('REL-3 DEN-6 a nested list that is not there is the default of its field', () => {
    class Team extends Entity {
      id = ''
      members: readonly User[] = []
      none: readonly User[] | undefined = undefined
      static override key = 'Team'
      static override schema = { members: new Collection([User]), none: new Collection([User]) }
    }
    const rows = { id: 1, members: '{"a":1}', none: '{"a":1}' }
    expect(denormalize(Team, '1', { Team: { 1: rows } })).toEqual({ id: 1, members: [], none: undefined })
    const lists = { '{"a":1}': ['7'] }
    const found = denormalize(Team, '1', { Team: { 1: rows }, '[User]': lists, User: { 7: ann } })
    expect(found).toMatchObject({ members: [ann], none: [ann] })
  })

  test('DEN-14 what was never normalised stays as it is', () => {
    const bob = { id: 1, name: 'Bob' }
    expect(denormalize([User], [bob, '7'], entities)).toEqual([bob, ann])
  })

  test('DEN-14 arguments reach the schemas', () => {
    const query = new Query([Post], (posts, { n }: { n: number }) => posts.length + n)
    expect(denormalize(query, result, entities, [{ n: 5 }])).toBe(7)
  })

  test('DEN-14 the input stays the caller’s own', () => {
    const input = { post: '1', more: { deep: [1] } }
    const tables = { Post: { 1: { id: 1, tags: ['x'] } } }
    const data = denormalize({ post: Post }, input, tables) as any
    expect(data.more).toEqual({ deep: [1] })
    expect([input, input.more, input.more.deep, tables.Post[1], tables.Post[1].tags].some(Object.isFrozen)).toBe(false)
  })
})

describe('MemoCache', () => {
  test('DEN-14 DEN-2 DEN-3 what did not change keeps its reference while tables are replaced', () => {
    const memo = new MemoCache()
    const first = normalize(
      [Post],
      [
        { id: 1, author: ann },
        { id: 2, title: 'b' },
      ],
    )
    const read = memo.denormalize([Post], first.result, first.entities).data!
    expect(memo.denormalize([Post], first.result, first.entities).data).toBe(read)
    const other = normalize(User, { id: 99 }, [], first)
    expect(memo.denormalize([Post], first.result, other.entities).data).toBe(read)
    const renamed = normalize(User, { id: 7, name: 'Anna' }, [], other)
    const again = memo.denormalize([Post], first.result, renamed.entities).data!
    expect(again[0]!.author.name).toBe('Anna')
    expect(again[1]).toBe(read[1])
    expect(memo.denormalize(Post, '2', renamed.entities).data).toBe(read[1])
    // Rows that went are gone.
    expect(memo.denormalize([Post], first.result, {}).data).toEqual([])
    expect(memo.denormalize(Post, '2', {}).data).toBeUndefined()
  })

  test('DEN-14 lists the rows that a value depends on, missing ones too', () => {
    const memo = new MemoCache()
    const { entities } = normalize(Post, { id: 1, author: ann })
    expect(memo.denormalize([Post], ['1', '5'], entities).paths).toEqual(
      expect.arrayContaining([
        { key: 'Post', pk: '1' },
        { key: 'User', pk: '7' },
        { key: 'Post', pk: '5' },
      ]),
    )
  })

  test('DEN-14 arguments and inputs are kept apart', () => {
    const memo = new MemoCache()
    const { entities } = normalize([User], [ann, { id: 8, name: 'Bob' }])
    const query = new Query(User, (user: User, suffix: string) => user.name + suffix)
    expect(memo.denormalize(query, '7', entities, ['!']).data).toBe('Ann!')
    expect(memo.denormalize(query, '7', entities, ['?']).data).toBe('Ann?')
    expect(memo.denormalize(query, '8', entities, ['!']).data).toBe('Bob!')
  })

  test('DEN-14 query reads what schemas find without a response', () => {
    const memo = new MemoCache()
    const users = new Collection([User])
    const first = normalize(users, [ann], [{}])
    expect(memo.query(User, [{ id: 7 }], first).data).toMatchObject(ann)
    expect(memo.query(User, [{ name: 'Ann' }], first).data).toBe(memo.query(User, [7], first).data)
    expect(memo.query(users, [{}], first).data).toHaveLength(1)
    expect(memo.query(users, [{ group: 'x' }], first).data).toBeUndefined()
    expect(memo.query(new All(User), [], first).data).toHaveLength(1)
    const second = normalize(users.push, { id: 8, name: 'Bob' }, [{}], first)
    expect(memo.query(User, [{ name: 'Bob' }], second).data!.id).toBe(8)
    expect(memo.query(new All(User), [], second).data).toHaveLength(2)
    expect(memo.query(users, [{}], second).data).toHaveLength(2)
    const third = normalize(new Invalidate(User), 8, [], second)
    expect(memo.query(new All(User), [], third).data).toHaveLength(1)
    expect(memo.query(User, [{ name: 'Bob' }], third).data).toBeUndefined()
  })

  test('DEN-14 ALL-1 a row that went and came back is listed once', () => {
    const memo = new MemoCache()
    const users = new All(User)
    const { entities } = normalize([User], [ann, { id: 8, name: 'Bob' }])
    const without = { User: { 8: entities['User']![8] } }
    const names = [entities, without, entities].map((tables) =>
      memo.query(users, [], { entities: tables }).data!.map(({ name }) => name),
    )
    expect(names).toEqual([['Ann', 'Bob'], ['Bob'], ['Bob', 'Ann']])
  })

  test('DEN-13 DEN-14 readings of many inputs do not pile up', () => {
    const memo = new MemoCache()
    const { entities } = normalize(
      [User],
      Array.from({ length: 2000 }, (_, id) => ({ id, name: '' })),
    )
    const input = ['3']
    const read = memo.denormalize([User], input, entities).data
    for (let id = 0; id < 2000; id++) {
      memo.denormalize(User, `${id}`, entities)
      memo.denormalize([User], [`${id}`, '3'], entities)
    }
    const { byKey, used, store } = memo as any
    expect([byKey.size <= 500, used.size]).toEqual([true, 500])
    expect(store.tables.table('User').row('3').node.up.size).toBeLessThanOrEqual(500)
    expect(memo.denormalize([User], input, entities).data).toEqual(read)
    expect(memo.denormalize(User, '3', entities).data).toBe(read![0])
  })
})

describe('properties', () => {
  const users = new Collection([User])
  const id = fc.constantFrom('1', '2', '3')
  // An index finds one record, so no two have the same name.
  const user = fc.tuple(id, fc.constantFrom('a', 'b')).map(([one, name]) => ({ id: one, name: name + one }))
  const post = fc.record({ id, title: fc.constantFrom('s', 't'), author: fc.oneof(id, user) }, { requiredKeys: ['id'] })
  /** A write with its schema and arguments. */
  const change = fc.oneof(
    fc.array(post, { maxLength: 3 }).map((value) => [[Post], value] as const),
    user.map((value) => [User, value] as const),
    fc.uniqueArray(user, { maxLength: 3, selector: (one) => one.id }).map((value) => [users, value] as const),
    user.map((value) => [users.push, value] as const),
  )
  // Lists of a store follow a delete. Tables are only what was written to them.
  const write = fc.oneof(
    change,
    id.map((value) => [new Invalidate(User), value] as const),
  )
  const queries: [any, any[]][] = [
    [new All(User), []],
    [new All(Post), []],
    [users, [{}]],
    [new Query(users, (all) => all.length), [{}]],
    ...['1', '2', '3'].flatMap((one): [any, any[]][] => [
      [User, [{ id: one }]],
      [Post, [one]],
    ]),
    ...['a1', 'b1', 'b2'].map((name): [any, any[]] => [User, [{ name }]]),
  ]
  const inputs: [any, any][] = [
    [[Post], ['1', '2', '3']],
    [
      { post: Post, users },
      { post: '1', users: '{}' },
    ],
    [User, '1'],
    [users, '{}'],
  ]

  test('DEN-14 normalize returns the tables that a store has after the same writes, and keeps those that did not change', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (writes) => {
        const driver = createDriver()
        let tables: NormalizedTables = { entities: {}, indexes: {}, entitiesMeta: {} }
        for (const [schema, value] of writes) {
          const send = schema === User || Array.isArray(schema) || schema === users ? endpoint : mutation
          driver.open(send('x', schema), [{}]).answer(value)
          const { result, ...next } = normalize(schema as any, value, [{}], tables, {
            fetchedAt: 1,
            date: 2,
            expiresAt: 3,
          })
          const { entities, indexes, endpoints } = driver.getState()
          expect(next.entities).toEqual(entities)
          expect({ ...next.indexes['User']?.['name'] }).toEqual({ ...indexes['User']?.['name'] })
          expect(result).toEqual(endpoints['x [{}]'])
          for (const key of Object.keys(tables.entities)) {
            const isSame = Object.entries(next.entities[key]!).every(([pk, row]) => row === tables.entities[key]![pk])
            const isAsLong = Object.keys(next.entities[key]!).length === Object.keys(tables.entities[key]!).length
            expect([key, next.entities[key] === tables.entities[key]]).toEqual([key, isSame && isAsLong])
          }
          for (const [key, rows] of Object.entries(next.entities)) {
            expect(Object.keys(next.entitiesMeta[key]!)).toEqual(Object.keys(rows))
          }
          tables = next
        }
      }),
      { numRuns: cases(600) },
    )
  })

  test('DEN-14 DEN-2 DEN-3 a MemoCache reads what a new one reads, whatever it has read before, and keeps what is the same', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(write, fc.nat(9)), { maxLength: 15 }), (steps) => {
        const memo = new MemoCache()
        const states: NormalizedTables[] = [{ entities: {}, indexes: {}, entitiesMeta: {} }]
        for (const [[schema, value], back] of steps) {
          const known = states.at(-1)!
          const next = normalize(schema as any, value, [{}], known)
          states.push(next)
          // Tables may also be those of an earlier moment, or have lost one.
          const { User: _removed, ...rest } = next.entities
          const entities = back === 0 ? rest : back < 4 ? (states.at(-back) ?? next).entities : next.entities
          const fresh = new MemoCache()
          for (const [target, args] of queries) {
            const { data, paths } = memo.query(target, args, { entities })
            const { data: expected } = fresh.query(target, args, { entities })
            expect(data).toEqual(target instanceof All ? sorted(data, expected) : expected)
            expect((data as unknown[] | undefined)?.length).toBe((expected as unknown[] | undefined)?.length)
            expect(memo.query(target, args, { entities }).data).toBe(data)
            expect(new Set(paths.map(({ key, pk }) => `${key} ${pk}`)).size).toBe(paths.length)
            expect(paths.every(({ key, pk }) => typeof key === 'string' && typeof pk === 'string')).toBe(true)
          }
          for (const [target, input] of inputs) {
            const { data } = memo.denormalize(target, input, entities)
            expect(data).toEqual(denormalize(target, input, entities))
            expect(memo.denormalize(target, input, entities).data).toBe(data)
          }
        }
      }),
      { numRuns: cases(400) },
    )
  })

  /** Rows that went and came back are listed last, so their order depends on what was read before. */
  function sorted(like: any, found: any): any {
    return like?.map((one: Entity) => found.find((other: Entity) => other.pk() === one.pk()))
  }
})

test('DEN-14 OBJ-6 a query of an object finds its records and defaults, and neither converted values nor plain arrays', () => {
  const tables = normalize([User], [ann])
  const schema = { user: User, at: Date, run: () => 5, list: [User], page: 1, none: null }
  expect(new MemoCache().query(schema, [{ id: 7 }], tables).data).toEqual({
    user: User.fromJS({ ...ann, id: 7 } as never),
    page: 1,
    none: null,
  })
  expect(new MemoCache().query({ list: [User] }, [{ id: 7 }], tables).data?.list).toBeUndefined()
})

test('DEN-14 ALL-1 a memo from whose tables all rows of a class are removed reads the same as a new one', () => {
  const memo = new MemoCache()
  const all = new All(User)
  const none = { entities: { User: {} } }
  expect(memo.query(all, [], normalize([User], [ann])).data).toHaveLength(1)
  expect(memo.query(all, [], none)).toEqual(new MemoCache().query(all, [], none))
  expect(memo.query(all, [], normalize([User], [ann])).data).toHaveLength(1)
})

test('DEN-2 DEN-14 a query that selects the same records again stays the same list', () => {
  const memo = new MemoCache()
  const some = new Query(new All(User), (all: readonly User[]) => all.filter(({ name }) => name === 'Ann'))
  const tables = normalize([User], [ann])
  const first = memo.query(some, [], tables).data
  expect(first).toHaveLength(1)
  expect(memo.query(some, [], normalize(User, { id: 8, name: 'Eve' }, [], tables)).data).toBe(first)
  expect(memo.query(some, [], normalize(User, { id: 8, name: 'Ann' }, [], tables)).data).toHaveLength(2)
})
