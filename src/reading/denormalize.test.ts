import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { All } from '../kinds/All.ts'
import { ArraySchema } from '../schema/Array.ts'
import { type AllTables, createTables } from '../lists/ListRow.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Lazy } from '../kinds/Lazy.ts'
import { Query } from '../kinds/Query.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { TestClock } from '../testing/TestClock.ts'
import { endpoint } from '../testing/endpoints.ts'
import { Article, User } from '../testing/entities.ts'
import { findNode } from './nodes.ts'
import { Reader } from './denormalize.ts'

const getUser = endpoint('user', User)
const getArticle = endpoint('article', Article)
const getArticles = endpoint('articles', new Collection([Article]))
const removeUser = endpoint('remove', new Invalidate(User), { sideEffect: true })
const optimistic = { sideEffect: true, getOptimisticResponse: (_: unknown, ...args: unknown[]) => args.at(-1) }
const update = endpoint('update', Article, optimistic)
const updateUser = endpoint('updateUser', User, optimistic)

const two = [
  { id: 1, title: 'a', author: { id: 7, name: 'Ann' }, tags: ['x'], at: '2020-01-01' },
  { id: 2, title: 'b', author: { id: 8, name: 'Bob' } },
]
function filled(): Driver {
  const driver = createDriver()
  driver.open(getArticles, [{}]).answer(two)
  return driver
}

function readerOf(): { reader: Reader; tables: AllTables } {
  const tables = createTables()
  return { reader: new Reader(tables), tables }
}

afterEach(() => vi.restoreAllMocks())

test('DEN-1 a field that was stored by a class without it in its schema is read as a record by a class that has it', () => {
  class Note extends Entity {
    id = 0
    static override key = 'Note'
  }
  class ReviewedNote extends Note {
    reviewer: User | undefined = undefined
    others: readonly User[] = []
    static override schema = { reviewer: User, others: [User] }
  }
  const driver = createDriver()
  driver.open(endpoint('note', Note), []).answer({ id: 1, reviewer: { id: 7, name: 'Ann' }, others: [{ id: 8 }] })
  const { reviewer, others } = driver.read(endpoint('reviewed', ReviewedNote), [{ id: 1 }]).data
  expect([reviewer, others[0]]).toEqual([
    User.fromJS({ id: 7, name: 'Ann' } as object),
    User.fromJS({ id: 8 } as object),
  ])
  expect(reviewer).toBeInstanceOf(User)
  // A response through its own schema makes it the record that all readers share.
  driver.open(endpoint('reviewed', ReviewedNote), [{ id: 1 }]).answer({ id: 1, reviewer: { id: 7, name: 'Bob' } })
  const read = driver.read(endpoint('reviewed', ReviewedNote), [{ id: 1 }]).data
  expect(read.reviewer).toBe(driver.read(User, [{ id: 7 }]).data)
})

test('DEN-1 reading joins what was taken apart, as instances', () => {
  const [one] = filled().read(getArticles, [{}]).data
  expect(one).toBeInstanceOf(Article)
  expect(one.author).toBeInstanceOf(User)
  expect(one).toMatchObject({
    id: 1,
    title: 'a',
    tags: ['x'],
    author: { id: 7, name: 'Ann' },
    at: new Date('2020-01-01'),
  })
  expect(one.editor).toBeUndefined()
})

describe('identity', () => {
  test('DEN-2 every reader gets the same object', () => {
    const driver = filled()
    const articles = driver.read(getArticles, [{}]).data
    driver.open(getArticle, [{ id: 1 }]).answer({ id: 1 })
    expect(driver.read(getArticles, [{}]).data).toBe(articles)
    expect(driver.read(getArticle, [{ id: 1 }]).data).toBe(articles[0])
    expect(driver.read(Article, [1]).data).toBe(articles[0])
    expect(driver.read(Article, [{ id: '1' }]).data).toBe(articles[0])
    expect(driver.read(new Collection([Article]), [{}]).data).toBe(articles)
    expect(driver.read(new All(Article), []).data[1]).toBe(articles[1])
    expect(driver.read(new Query(Article), [2]).data).toBe(articles[1])
    expect(driver.read(User, [7]).data).toBe(articles[0].author)
    expect(articles[0].at).toBe(driver.read(Article, [1]).data.at)
  })

  test.each<[string, () => unknown, unknown]>([
    ['[User]', () => [User], [{ id: 1 }]],
    ['{ user: User }', () => ({ user: User, total: 0 }), { user: { id: 1 }, total: 5 }],
    ['nested', () => ({ a: [{ b: [User] }] }), { a: [{ b: [{ id: 1 }] }] }],
    ['new schema.Array(User)', () => new ArraySchema(User), [{ id: 1 }]],
    ['new Values(User)', () => new Values(User), { x: { id: 1 } }],
    ['new Collection([User])', () => new Collection([User]), [{ id: 1 }]],
  ])('DEN-2 %s written twice is one schema', (_, schema, answer) => {
    const driver = createDriver()
    driver.open(endpoint('x', schema()), []).answer(answer)
    expect(driver.read(endpoint('x', schema()), []).data).toBe(driver.read(endpoint('x', schema()), []).data)
  })

  test('DEN-2 different inline schemas are kept apart', () => {
    const driver = createDriver()
    driver.open(endpoint('x', [User]), []).answer([{ id: 1 }])
    expect(driver.read(endpoint('x', [User]), []).data[0]).toBeInstanceOf(User)
    expect(driver.read(endpoint('x', undefined), []).data).toEqual(['1'])
    expect(driver.read(endpoint('x', [User]), []).data[0]).toBeInstanceOf(User)
  })

  // Their members have the same names, or none.
  test.each<[string, unknown, unknown]>([
    ['a converter and an object', { a: Date }, { a: {} }],
    ['an object and a converter', { a: {} }, { a: Date }],
    ['null and an object', { a: null }, { a: {} }],
    ['an object and null', { a: {} }, { a: null }],
    ['an array and an object', { a: [User] }, { a: { 0: User } }],
    ['an object and an array', { a: { 0: User } }, { a: [User] }],
    ['a schema and an object', { a: new Values(User) }, { a: Object.assign({}, new Values(User)) }],
    ['other names', { a: { b: User } }, { a: { c: User } }],
    ['an Array and Values', { a: new ArraySchema(User) }, { a: new Values(User) }],
    ['two schemas without a choice', { a: new Lazy(User) }, { a: new Lazy(User) }],
    ['lists of two names', new Collection([User], { name: 'a' }), new Collection([User], { name: 'b' })],
  ])('DEN-2 two schemas: %s', (_, one, other) => {
    const { reader, tables } = readerOf()
    const node = (schema: unknown): unknown =>
      findNode(reader, tables.endpoints.row('x'), 'result', schema, { args: [] })
    const first = node(one)
    expect(node(other)).not.toBe(first)
    expect(node(one)).toBe(first)
  })

  test('DEN-2 an inline schema with another member is another schema', () => {
    const driver = createDriver()
    const both = endpoint('x', { one: User, two: User })
    driver.open(both, []).answer({ one: { id: 1 }, two: { id: 2 } })
    expect(driver.read(endpoint('x', { one: User }), []).data).toEqual({ one: expect.any(User), two: '2' })
    expect(driver.read(both, []).data).toEqual({ one: expect.any(User), two: expect.any(User) })
  })

  test.each<[string, (Class: any) => unknown, unknown, (data: any) => unknown]>([
    ['an array', (Class) => [Class], [{ id: 1 }], (data) => data[0]],
    ['a member', (Class) => ({ one: Class, none: null }), { one: { id: 1 } }, (data) => data.one],
    ['a map', (Class) => new Values(Class), { x: { id: 1 } }, (data) => data.x],
    ['a Collection', (Class) => new Collection([Class]), [{ id: 1 }], (data) => data?.[0]],
  ])('DEN-2 inline schemas of two classes, in %s, are two schemas', (_, schema, answer, item) => {
    // Their statics do not tell them apart.
    class One extends Entity {
      id = ''
    }
    class Other extends Entity {
      id = ''
    }
    const driver = createDriver()
    for (const Class of [One, Other]) {
      driver.open(endpoint('x', schema(Class)), []).answer(answer)
    }
    const read = (Class: any): unknown => item(driver.read(endpoint('x', schema(Class)), []).data)
    for (const Class of [One, Other, One]) {
      expect(read(Class)).toBeInstanceOf(Class)
      expect(read(Class)).toBe(read(Class))
    }
  })

  test.each<[string, unknown, unknown]>([
    ['members', { a: 1, b: 2 }, { b: 2, a: 1 }],
    ['nested members', { a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
    ['members in an array', { a: [{ x: 1, y: 2 }] }, { a: [{ y: 2, x: 1 }] }],
  ])('DEN-2 %s of the arguments may stand in any order', (_, one, other) => {
    const driver = createDriver()
    const schema = new Query(new All(User), (users: unknown[], args: unknown) => ({ users, args }))
    driver.set(User, [{}], { id: 1 })
    expect(driver.read(schema, [one]).data).toBe(driver.read(schema, [other]).data)
    expect(driver.view(schema, [one])).toBe(driver.view(schema, [other]))
    expect(driver.view(schema, [one])).not.toBe(driver.view(schema, [{ a: 1 }]))
  })

  test.each<[string, any, unknown]>([
    ['a list', new Collection([User]), [{ id: 1 }]],
    ['a map', new Collection(new Values(User)), { x: { id: 1 } }],
    ['all records', new All(User), undefined],
  ])('ENT-9 G-7 QRY-6 the process of a Query cannot change %s that others read', (_, source, answer) => {
    const driver = createDriver()
    driver.set(User, [{}], { id: 1 })
    if (answer !== undefined) {
      driver.open(endpoint('source', source), [{}]).answer(answer)
    }
    expect(driver.read(new Query(source, (found: object) => Object.isFrozen(found)), [{}]).data).toBe(true)
  })

  test('DEN-3 ENT-31 all readers of an index follow it', () => {
    class Named extends Entity {
      id = ''
      name = ''
      static override key = 'Named'
      static override indexes = ['name']
    }
    const driver = createDriver()
    const targets = [1, 2].map((n) => new Query(Named, (one: Named) => one.id + n))
    const read = (): unknown[] => targets.map((target) => driver.read(target, [{ name: 'ann' }]).data)
    expect(read()).toEqual([undefined, undefined])
    driver.set(Named, [{}], { id: 'a', name: 'ann' })
    expect(read()).toEqual(['a1', 'a2'])
    driver.set(Named, [{}], { id: 'a', name: 'bob' })
    expect(read()).toEqual([undefined, undefined])
    driver.set(Named, [{}], { id: 'b', name: 'ann' })
    expect(read()).toEqual(['b1', 'b2'])
  })

  test('DEN-3 a change makes new objects of the changed and of what contains it, and of nothing else', () => {
    const driver = filled()
    const old = driver.read(getArticles, [{}]).data
    driver.open(getArticle, [{ id: 1 }]).answer({ id: 1, title: 'A' })
    const list = driver.read(getArticles, [{}]).data
    expect(list).not.toBe(old)
    expect(list[0]).not.toBe(old[0])
    expect(list[0].title).toBe('A')
    expect([list[1], list[0].author, list[0].tags]).toEqual([old[1], old[0].author, old[0].tags])
    expect(list[1] === old[1] && list[0].author === old[0].author && list[0].tags === old[0].tags).toBe(true)
    driver.open(getUser, [8]).answer({ id: 8, name: 'Bobby' })
    const next = driver.read(getArticles, [{}]).data
    expect(next[0]).toBe(list[0])
    expect(next[1]).not.toBe(list[1])
    expect(next[1].author.name).toBe('Bobby')
    // Values that were read stay as they were.
    expect([old[0].title, old[1].author.name, list[1].author.name]).toEqual(['a', 'Bob', 'Bob'])
  })

  test('DEN-4 what is not in the list does not change the list', () => {
    const driver = filled()
    const old = driver.read(getArticles, [{}]).data
    driver.open(getArticle, [{ id: 3 }]).answer({ id: 3, author: { id: 9 } })
    driver.open(getUser, [10]).answer({ id: 10 })
    expect(driver.read(getArticles, [{}]).data).toBe(old)
  })

  test('DEN-2 ENT-29 the same response again keeps every object; it is fresh for longer', () => {
    const clock = new TestClock(0)
    const driver = createDriver(clock)
    const answer = (): unknown => [{ id: 1, tags: ['a'], address: { city: { name: 'x' } }, author: { id: 7 } }]
    driver.open(getArticles, [{}]).answer(answer())
    const [old, expiresAt] = [driver.read(getArticles, [{}]).data, driver.read(getArticles, [{}]).expiresAt]
    clock.time = 1000
    const late = driver.open(getArticles, [{}])
    driver.open(getArticles, [{}]).answer(answer())
    const list = driver.read(getArticles, [{}]).data
    expect(
      list === old && list[0] === old[0] && list[0].tags === old[0].tags && list[0].address === old[0].address,
    ).toBe(true)
    expect(driver.read(getArticles, [{}]).expiresAt).toBe(expiresAt + 1000)
    late.answer([{ id: 1, tags: ['old'], address: {}, author: { id: 7 } }])
    expect(driver.read(getArticles, [{}]).data).toBe(old)
  })

  test('OPT-4 a pending operation that fails leaves equal data, and what it did not touch is the same', () => {
    const driver = filled()
    const [old, all] = [driver.read(getArticles, [{}]).data, driver.read(new All(Article), []).data]
    const request = driver.open(update, [{ id: 1, title: 'pending' }])
    expect(driver.read(getArticles, [{}]).data[0].title).toBe('pending')
    expect(driver.read(getArticles, [{}]).data[1]).toBe(old[1])
    expect(driver.read(new All(Article), []).data[0].title).toBe('pending')
    request.fail(new Error('no'))
    expect(driver.read(getArticles, [{}]).data).toEqual(old)
    expect(driver.read(getArticles, [{}]).data[1]).toBe(old[1])
    expect(driver.read(new All(Article), []).data).toEqual(all)
    const author = driver.open(updateUser, [{ id: 7, name: 'pending' }])
    expect(driver.read(getArticles, [{}]).data[0].author.name).toBe('pending')
    author.fail(new Error('no'))
    expect(driver.read(getArticles, [{}]).data).toEqual(old)
  })
})

describe('what is missing', () => {
  test('DEN-5 arrays, maps and lists leave out what is missing or deleted; null stays in arrays', () => {
    const driver = filled()
    driver.open(removeUser, [8]).answer(8)
    const at = (schema: unknown, input: unknown): unknown => {
      const target = endpoint('x', schema)
      driver.setResponse(target, [{ any: 1 }], input)
      return driver.read(target, [{ any: 1 }]).data
    }
    const ann = driver.read(User, [7]).data
    expect(at([User], ['7', '8', '9', null])).toEqual([ann, null])
    expect(at(new Values(User), { a: '7', b: '8', c: '9' })).toEqual({ a: ann })
    expect(at(new Collection([User]), ['8', '7', '9'])).toEqual([ann])
    expect(at({ list: [User] }, { list: ['8', '9'] })).toEqual({ list: [] })
    expect(driver.read(getArticles, [{}]).data.map((article: Article) => article.id)).toEqual([1])
  })

  test('DEN-6 a deleted record takes those along that require it, and these read as defaults further away', () => {
    class Thread extends Entity {
      id = ''
      first = Article.fromJS()
      last: Article | undefined = undefined
      static override key = 'Thread'
      static override schema = { first: Article, last: Article }
    }
    const getThread = endpoint('thread', Thread)
    const driver = filled()
    driver.open(getThread, [1]).answer({ id: 1, first: 1, last: 2 })
    driver.open(getThread, [2]).answer({ id: 2, first: 2, last: 1 })
    driver.open(removeUser, [8]).answer(8)
    expect(driver.read(Article, [2]).data).toBeUndefined()
    expect(driver.read(Thread, [1]).data).toMatchObject({ first: { id: 1 }, last: undefined })
    expect(driver.read(getThread, [2])).toMatchObject({ data: { first: Article.fromJS(), last: { id: 1 } } })
    driver.open(getUser, [8]).answer({ id: 8, name: 'back' })
    expect(driver.read(Thread, [1]).data.last.author.name).toBe('back')
    expect(driver.read(Thread, [2]).data.first.author.name).toBe('back')
  })

  test('DEN-6 with unions', () => {
    class Box extends Entity {
      id = ''
      needed: unknown = {}
      spare: unknown = undefined
      static override key = 'Box'
      static override schema = {
        needed: new Union({ u: User }, 'type' as never),
        spare: new Union({ u: User }, 'type' as never),
      }
    }
    const driver = filled()
    const user = (id: number): object => ({ id, type: 'u' })
    driver.open(endpoint('box', [Box]), []).answer([
      { id: 1, needed: user(7), spare: user(8) },
      { id: 2, needed: user(8), spare: user(7) },
    ])
    driver.open(removeUser, [8]).answer(8)
    expect(driver.read(Box, [1]).data).toMatchObject({ needed: { id: 7 }, spare: undefined })
    expect(driver.read(Box, [2]).data).toBeUndefined()
  })

  test.each([
    ['missing', 99, { author: User.fromJS(), editor: undefined }],
    ['null', null, { author: null, editor: null }],
    ['undefined', undefined, { author: undefined, editor: undefined }],
  ])('DEN-6 DEN-7 REL-3 a relation that is %s', (_, reference, expected) => {
    const driver = createDriver()
    driver.open(getArticle, [{ id: 1 }]).answer({ id: 1, author: reference, editor: reference })
    const article = driver.read(getArticle, [{ id: 1 }]).data
    expect({ author: article.author, editor: article.editor }).toEqual(expected)
    driver.open(getArticle, [{ id: 2 }]).answer({ id: 2 })
    expect(driver.read(Article, [2]).data.author).toEqual(User.fromJS())
  })

  test('REL-3 the owner follows a record that comes later', () => {
    const driver = createDriver()
    driver.open(getArticle, [{ id: 1 }]).answer({ id: 1, author: 99, editor: 99 })
    const told = vi.fn()
    driver.read(getArticle, [{ id: 1 }])
    driver.subscribe(getArticle, [{ id: 1 }], told)
    driver.set(User, [99], { id: 99, name: 'late' })
    expect(told).toHaveBeenCalledTimes(1)
    const article = driver.read(getArticle, [{ id: 1 }]).data
    expect([article.author.name, article.editor]).toEqual(['late', article.author])
  })

  test('DEN-7 converters are not run on what is absent, null or undefined', () => {
    const convert = vi.fn((value: unknown) => `<${String(value)}>`)
    class Converted extends Entity {
      id = ''
      a: unknown = 'default'
      b: unknown = 'default'
      c: unknown = 'default'
      zero: unknown = 'default'
      empty: unknown = 'default'
      static override key = 'Converted'
      static override schema = { a: convert, b: convert, c: convert, zero: convert, empty: convert }
    }
    const driver = createDriver()
    driver.open(endpoint('c', Converted), [1]).answer({ id: 1, a: null, b: undefined, zero: 0, empty: '' })
    expect(driver.read(Converted, [1]).data).toMatchObject({
      a: null,
      b: undefined,
      c: 'default',
      zero: '<0>',
      empty: '<>',
    })
    expect(convert).toHaveBeenCalledTimes(2)
  })

  test('ENT-20 a converter that returns undefined leaves the field undefined, whatever the default of the class', () => {
    class Parsed extends Entity {
      id = ''
      count: number | undefined = 1
      static override key = 'Parsed'
      static override schema = { count: (text: string) => (text === 'many' ? undefined : Number(text)) }
    }
    const driver = createDriver()
    driver.open(endpoint('parsed', [Parsed]), []).answer([
      { id: 1, count: 'many' },
      { id: 2, count: '3' },
    ])
    const [many, three] = driver.read(endpoint('parsed', [Parsed]), []).data
    expect([many.count, three.count]).toEqual([undefined, 3])
  })

  test('DEN-8 a record that is not there is undefined', () => {
    const driver = createDriver()
    expect(driver.read(User, [1]).data).toBeUndefined()
    expect(driver.read(getUser, [{ id: 1 }])).toMatchObject({ data: undefined, expiryStatus: 2, expiresAt: 1 })
  })
})

describe('converters', () => {
  class Money {
    readonly #amount: string
    constructor(amount: string) {
      this.#amount = amount
    }
    get amount(): string {
      return this.#amount
    }
  }
  test.each<[string, any, unknown, (value: any) => unknown, unknown]>([
    ['Number', Number, '5', (value) => value, 5],
    ['String', String, 5, (value) => value, '5'],
    ['Boolean', Boolean, 0, (value) => value, false],
    ['BigInt', BigInt, '12345678901234567890', (value) => value, 12345678901234567890n],
    ['Date', Date, '2020-01-01', (value: Date) => value.toISOString(), '2020-01-01T00:00:00.000Z'],
    ['a function', (iso: string) => new Date(iso), '2020-01-01', (value: Date) => value.getUTCFullYear(), 2020],
    ['a class', Money, '12.50', (value: Money) => [value instanceof Money, value.amount], [true, '12.50']],
    ['URL', URL, 'http://a/b', (value: URL) => value.pathname, '/b'],
  ])(
    'ENT-20 %s in entities, objects, arrays and maps; the store holds the raw value',
    (_, converter, raw, look, expected) => {
      class Row extends Entity {
        id = ''
        value: unknown = undefined
        static override key = 'Row'
        static override schema = { value: converter }
      }
      const driver = createDriver()
      const schema = { row: Row, plain: converter, list: [converter], map: new Values(converter) }
      const get = endpoint('x', schema)
      driver.open(get, []).answer({ row: { id: 1, value: raw }, plain: raw, list: [raw], map: { a: raw } })
      const { row, plain, list, map } = driver.read(get, []).data
      expect([row.value, plain, list[0], map.a].map(look)).toEqual([expected, expected, expected, expected])
      expect(driver.getState().entities['Row']![1].value).toBe(raw)
      expect(driver.getState().endpoints['x []'].plain).toBe(raw)
      // ENT-21 the same object while nothing changes.
      expect(driver.read(get, []).data.row.value).toBe(row.value)
      expect(driver.read(Row, [1]).data).toBe(row)
    },
  )

  test('ENT-22 a converter that throws is the error of the endpoint, and names entity, pk and field', () => {
    class Bad extends Entity {
      id = ''
      at: unknown = undefined
      static override key = 'Bad'
      static override schema = {
        at: (value: string) => {
          if (value === 'bad') {
            throw new RangeError('no such time')
          }
          return value
        },
      }
    }
    const driver = createDriver()
    const getBad = endpoint('bad', Bad)
    driver.open(getBad, [5]).answer({ id: 5, at: 'bad' })
    const { data, error } = driver.read(getBad, [5])
    expect(data).toBeUndefined()
    expect(error).toMatchObject({ code: 'convert-failed', status: 400, cause: expect.any(RangeError) })
    for (const part of ['Bad', '5', 'at', 'no such time']) {
      expect(error.message).toContain(part)
    }
    expect(() => driver.read(Bad, [5])).toThrow(/convert-failed/)
    // A list that holds it fails with it, and recovers with it.
    const getAll = endpoint('all', [Bad])
    driver.open(getAll, []).answer([{ id: 4, at: 'x' }, { id: 5 }])
    expect(driver.read(getAll, []).error).toMatchObject({ code: 'convert-failed' })
    driver.open(getBad, [5]).answer({ id: 5, at: 'good' })
    expect(driver.read(getBad, [5])).toMatchObject({ data: { at: 'good' }, error: undefined })
    expect(driver.read(getAll, []).data.map((bad: Bad) => bad.at)).toEqual(['x', 'good'])
  })

  test('ENT-22 a plain converter that throws', () => {
    const driver = createDriver()
    const get = endpoint('x', { n: BigInt })
    driver.open(get, []).answer({ n: 'no number' })
    expect(driver.read(get, []).error).toMatchObject({ code: 'convert-failed', status: 400 })
  })
})

describe('cycles and depth', () => {
  class Person extends Entity {
    id = 0
    n = 0
    next: Person | undefined = undefined
    friends: Person[] = []
    static override key = 'Person'
  }
  Person.schema = { next: Person, friends: [Person] }
  const getPeople = endpoint('people', [Person])
  const getPerson = endpoint('person', Person)

  /** Milliseconds of CPU time, to see that cost does not explode. Other processes do not add to it. */
  const time = (run: () => void): number => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }

  test('DEN-9 REL-6 cycles resolve to the same object', () => {
    const driver = createDriver()
    driver.open(getPeople, []).answer([
      { id: 1, next: 2, friends: [1, 2] },
      { id: 2, next: 1, friends: [1] },
      { id: 3, next: 3 },
    ])
    const [a, b, c] = driver.read(getPeople, []).data
    expect(a.next === b && b.next === a && a.next.next === a && c.next === c).toBe(true)
    expect(a.friends[0] === a && a.friends[1] === b && b.friends[0] === a).toBe(true)
    expect(driver.read(Person, [2]).data).toBe(b)
    driver.open(getPerson, [2]).answer({ id: 2, n: 5 })
    const [a2, b2, c2] = driver.read(getPeople, []).data
    expect(a2 !== a && b2 !== b && c2 === c && a2.next === b2 && b2.next === a2 && a2.next.n === 5).toBe(true)
    expect(driver.read(Person, [1]).data).toBe(a2)
  })

  test('DEN-9 objects that refer to each other in the response itself', () => {
    const one: Record<string, unknown> = { id: 1 }
    const other = { id: 2, next: one }
    one['next'] = other
    const driver = createDriver()
    driver.open(getPerson, [1]).answer(one)
    const read = driver.read(getPerson, [1]).data
    expect(read.next.next).toBe(read)
  })

  test('DEN-12 a chain of 10,000 links, nested in the response', () => {
    let chain: object = { id: 0 }
    for (let id = 1; id < 10_000; id++) {
      chain = { id, next: chain }
    }
    const driver = createDriver()
    driver.open(getPerson, [9999]).answer(chain)
    let length = 0
    for (let at = driver.read(getPerson, [9999]).data; at !== undefined; at = at.next) {
      length++
    }
    expect(length).toBe(10_000)
  })

  test('DEN-12 a chain of 10,000 links in rows: read, changed at its end, read again', () => {
    const driver = createDriver()
    driver.open(getPeople, []).answer(Array.from({ length: 10_000 }, (_, id) => ({ id, next: id + 1 })))
    const head = driver.read(Person, [0]).data
    driver.open(getPerson, [9999]).answer({ id: 9999, n: 1 })
    const again = driver.read(Person, [0]).data
    // Comparing by expect would walk the chain and overflow.
    expect(again === head).toBe(false)
    let last = again
    while (last.next !== undefined) {
      last = last.next
    }
    expect([last.id, last.n]).toEqual([9999, 1])
    driver.open(getPerson, [0]).answer({ id: 0, n: 2 })
    expect(driver.read(Person, [0]).data.next === again.next).toBe(true)
  })

  test('DEN-12 a ring of 50,000 records: read, changed, read again', () => {
    const size = 50_000
    const driver = createDriver()
    driver.open(getPeople, []).answer(Array.from({ length: size }, (_, id) => ({ id, next: (id + 1) % size })))
    let at = driver.read(Person, [0]).data
    const head = at
    for (let i = 0; i < size; i++) {
      at = at.next
    }
    expect(at === head).toBe(true)
    driver.open(getPerson, [25_000]).answer({ id: 25_000, n: 1 })
    expect(time(() => driver.read(Person, [0]))).toBeLessThan(5000)
    const changed = driver.read(Person, [0]).data
    expect(changed === head).toBe(false)
    expect(driver.read(Person, [24_999]).data.next.n).toBe(1)
  })

  test.each<[string, (Class: typeof Entity) => unknown, (links: any) => unknown]>([
    [
      'records in lists',
      (Class) => new Collection([Class], { nestKey: ({ id }) => ({ of: id }) }),
      (links) => links[0],
    ],
    [
      'a schema of the app that looks into the records',
      (Class) => ({
        normalize: ([input]: unknown[], parent: unknown, key: string, _args: unknown, visit: any) =>
          visit(Class, input, parent, key),
        denormalize: (input: unknown, { unvisit }: any) => {
          const link = unvisit(Class, input)
          return { link, depth: 1 + (link.links?.depth ?? 0) }
        },
        queryKey: () => undefined,
      }),
      (links) => links.link,
    ],
  ])('DEN-12 a chain of 200 links through %s', (_name, schemaOf, next) => {
    class Node extends Entity {
      id = 0
      links: any = undefined
      static override key = 'Node'
      static override schema: any = {}
    }
    Node.schema = { links: schemaOf(Node) }
    const chain = Array.from({ length: 200 }).reduce<object>((links, _, i) => ({ id: 200 - i, links: [links] }), {
      id: 201,
    })
    const driver = createDriver()
    driver.open(endpoint('chain', Node), [{ id: 1 }]).answer(chain)
    let at = driver.read(Node, [{ id: 1 }]).data
    expect(at.links.depth ?? 200).toBe(200)
    for (let id = 2; id <= 201; id++) {
      at = next(at.links)
      expect(at.id).toBe(id)
    }
  })

  test('DEN-12 ENT-22 a chain whose last link cannot be read fails as a whole, and quickly', () => {
    class Fragile extends Entity {
      id = 0
      static override key = 'Fragile'
    }
    Fragile.schema = {
      next: Fragile,
      bad: (value: unknown) => {
        if (value === 1) {
          throw new Error('broken')
        }
        return value
      },
    }
    const driver = createDriver()
    const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, next: id + 1, bad: id === 9999 ? 1 : 0 }))
    driver.open(endpoint('fragile', [Fragile]), []).answer(rows)
    expect(time(() => expect(() => driver.read(Fragile, [0])).toThrow('broken'))).toBeLessThan(5000)
    expect(() => driver.read(Fragile, [5000])).toThrow('broken')
    driver.open(endpoint('one', Fragile), [9999]).answer({ id: 9999, bad: 2 })
    expect(driver.read(Fragile, [0]).data.id).toBe(0)
    // So does a ring, which has no end.
    const ring = (bad: number): object[] => [
      { id: 1, next: 2, bad: 0 },
      { id: 2, next: 1, bad },
    ]
    driver.open(endpoint('fragile', [Fragile]), []).answer(ring(1))
    for (const id of [1, 2]) {
      expect(() => driver.read(Fragile, [id])).toThrow('broken')
    }
    driver.open(endpoint('fragile', [Fragile]), []).answer(ring(2))
    expect(driver.read(Fragile, [1]).data.next.bad).toBe(2)
  })

  test('DEN-12 Lazy needs no depth', () => {
    class Node extends Entity {
      id = 0
      next = ''
      static override key = 'Node'
    }
    Node.schema = { next: new Lazy(Node) }
    const driver = createDriver()
    driver.open(endpoint('nodes', [Node]), []).answer([{ id: 1, next: { id: 2, next: 1 } }])
    expect(driver.read(Node, [1]).data.next).toBe('2')
  })
})

describe('memory', () => {
  test('DEN-13 queries without readers are released', () => {
    const driver = filled()
    const query = new Query(User, (user: User, n: number) => [user, n])
    for (let n = 0; n < 5000; n++) {
      driver.read(query, [7, n])
    }
    const { up } = driver.store.tables.table('User').row('7').node as any
    expect(up.size).toBeLessThanOrEqual(401)
    // One that is subscribed to is kept, however many come after it.
    const seen = driver.read(query, [7, -1]).data
    driver.subscribe(query, [7, -1], () => {})
    for (let n = 0; n < 1000; n++) {
      driver.read(query, [7, n])
    }
    expect(driver.read(query, [7, -1]).data).toBe(seen)
  })

  test('DEN-13 a reading that no longer needs a record is no longer notified of it', () => {
    const driver = filled()
    driver.read(getArticles, [{}])
    driver.open(getArticles, [{}]).answer([two[1]])
    driver.read(getArticles, [{}])
    const { up } = driver.store.tables.table('Article').row('1').node as any
    expect(up).toBeUndefined()
  })
})

describe('DEN-15', () => {
  test('DEN-15 a list is shown short while a record it names is not there, and whole once it is', () => {
    const driver = filled()
    driver.setResponse(getArticles, [{}], ['1', '2', '77'])
    expect(driver.read(getArticles, [{}]).data.map((article: Article) => article.id)).toEqual([1, 2])
    driver.open(getArticles, [{}]).answer([...two, { id: 77 }])
    expect(driver.read(getArticles, [{}]).data.map((article: Article) => article.id)).toEqual([1, 2, 77])
  })
})
