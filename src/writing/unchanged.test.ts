import fc from 'fast-check'
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Lazy } from '../kinds/Lazy.ts'
import { Values } from '../kinds/Values.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

class User extends Entity {
  id = ''
  name = ''
  age = 0
  static override key = 'User'
}
class Article extends Entity {
  id = ''
  title = ''
  body = 'no body'
  author = User.fromJS()
  editor: User | undefined = undefined
  readers: User[] = []
  at: Date = new Date(0)
  size: any = undefined
  big: any = undefined
  static override key = 'Article'
  static override schema = {
    author: User,
    editor: User,
    readers: new Collection([User], { nestKey: (parent) => ({ of: parent.id }) }),
    at: (iso: string) => new Date(iso),
    size: Number,
    big: BigInt as never,
  }
}

const ANSWER = { id: 1, title: 'a', author: { id: 9, name: 'Ann' }, at: '2020-01-01', size: '5', big: '7' }
const STORED = { id: 1, title: 'a', author: '9', at: '2020-01-01', size: '5', big: '7' }
const row = (driver: Driver, key = 'Article', pk = '1'): any => driver.getState().entities[key]?.[pk]
const read = (driver: Driver): any => driver.read(Article, [{ id: 1 }]).data
const sentOf = (driver: Driver, key: string, pk: string): number => driver.store.tables.table(key).row(pk).meta!.sent

/** The ways in which a record that was read comes back with one field changed. */
const WAYS: [string, (driver: Driver, change: object) => unknown][] = [
  ['set with a function', (driver, change) => driver.set(Article, [{ id: 1 }], (old: any) => ({ ...old, ...change }))],
  ['set with a spread', (driver, change) => driver.set(Article, [{ id: 1 }], { ...read(driver), ...change })],
  [
    'setResponse',
    (driver, change) => driver.setResponse(endpointFor(Article), [{ id: 1 }], { ...read(driver), ...change }),
  ],
  ['set of a list', (driver, change) => driver.set([Article], [{}], [{ ...read(driver), ...change }])],
]

test.each(WAYS)('NOR-12 NOR-13 ENT-41 spread back by %s: only the field that differs is written', (_, write) => {
  const driver = receive(Article, ANSWER)
  write(driver, { title: 'b' })
  expect(row(driver)).toStrictEqual({ ...STORED, title: 'b' })
  expect(driver.getState().entities['User']).toEqual({ 9: { id: 9, name: 'Ann' } })
  expect(read(driver).author).toBe(driver.read(User, [{ id: 9 }]).data)
  // Missing fields are not written as defaults: the record does not pretend to be whole.
  expect(Object.hasOwn(row(driver), 'body')).toBe(false)
})

test.each(WAYS)(
  'NOR-13 spread back by %s: a nested record keeps its newer values, and no order changes',
  (_, write) => {
    const driver = receive(Article, ANSWER)
    const stale = read(driver)
    receive(User, { id: 9, name: 'Anna' }, driver, [{ id: 9 }])
    const sent = sentOf(driver, 'User', '9')
    write(driver, { author: stale.author, title: 'b' })
    expect(driver.read(User, [{ id: 9 }]).data.name).toBe('Anna')
    expect(sentOf(driver, 'User', '9')).toBe(sent)
    expect(row(driver)).toEqual({ ...STORED, title: 'b' })
  },
)

test.each(WAYS)('NOR-13 ENT-25 spread back by %s: unchanged fields do not outrank earlier requests', (_, write) => {
  const driver = receive(Article, ANSWER)
  const under = driver.open(endpointFor(Article), [{ id: 1 }])
  write(driver, { title: 'mine' })
  under.answer({ ...ANSWER, title: 'theirs', body: 'text', size: '6' })
  expect(row(driver)).toEqual({ ...STORED, title: 'mine', body: 'text', size: '6' })
})

test('NOR-13 a plain object with every field, as a socket brings it, is written whole, though readers are shown the same', () => {
  const driver = receive(User, { id: '9', name: 'Ann', age: 5 })
  const { data } = driver.read(User, [{ id: '9' }])
  const under = driver.open(endpointFor(User), [{ id: '9' }])
  driver.set(User, [{ id: '9' }], { id: '9', name: 'Ann', age: 5 })
  under.answer({ id: '9', name: 'older', age: 4 })
  expect(driver.read(User, [{ id: '9' }]).data).toBe(data)
})

test('NOR-12 placeholders are no data, wherever they stand', () => {
  const driver = receive(Article, { id: 1, title: 'a' })
  expect(read(driver).author).toEqual(User.fromJS())
  driver.set(Article, [{ id: 1 }], (old: any) => ({ ...old, title: 'b' }))
  driver.set(Article, [{ id: 1 }], { ...read(driver), title: 'c' })
  driver.set(Article, [{ id: 1 }], { id: 1, author: User.fromJS({ name: 'no id' }), editor: new User() })
  expect(row(driver)).toStrictEqual({ id: 1, title: 'c' })
  driver.set([User], [{}], [User.fromJS({ id: '5', name: 'five' }), User.fromJS()])
  expect(driver.getState().entities['User']).toEqual({ 5: { id: '5', name: 'five', age: 0 } })
  // At the top there is no field to be absent.
  expect(() => driver.set(User, [{ id: 1 }], User.fromJS({ name: 'lost' }))).toThrow('entity-missing-pk')
})

test('NOR-13 a pending update of a todo does not pin its author', () => {
  const driver = receive(Article, ANSWER)
  const update = endpointFor(Article, {
    sideEffect: true,
    getOptimisticResponse: (snapshot: any, args: object, body: object) => ({ ...snapshot.get(Article, args), ...body }),
  })
  const request = driver.open(update, [{ id: 1 }, { title: 'pending' }])
  receive(User, { id: 9, name: 'fresh' }, driver, [{ id: 9 }])
  receive(Article, { ...ANSWER, title: 'theirs', size: '8', author: { id: 9, name: 'fresher' } }, driver, [{ id: 1 }])
  expect(read(driver)).toMatchObject({ title: 'pending', size: 8, author: { name: 'fresher' } })
  request.fail(new Error('no'))
  expect(read(driver)).toMatchObject({ title: 'theirs', size: 8, author: { name: 'fresher' } })
})

test('NOR-13 a list or a map that was read is a reference too', () => {
  const users = new Collection([User])
  const byName = new Collection(new Values(User))
  const driver = receive(users, [{ id: 1, name: 'a' }])
  receive(byName, { a: { id: 1 } }, driver, [{ map: 1 }])
  receive(Article, { id: 1, readers: [{ id: 1 }, { id: 2 }] }, driver, [{ id: 1 }])
  const old = read(driver)
  const sent = sentOf(driver, 'User', '1')
  driver.open(endpointFor(Article.schema.readers.push, { sideEffect: true }), [{ of: 1 }]).answer({ id: 3 })
  driver.set(Article, [{ id: 1 }], { ...old, title: 'b' })
  expect(read(driver).readers).toHaveLength(3)
  driver.setResponse(endpointFor(users), [{}], driver.read(users, [{}]).data)
  driver.setResponse(endpointFor(byName), [{ map: 1 }], driver.read(byName, [{ map: 1 }]).data)
  expect(sentOf(driver, 'User', '1')).toBe(sent)
  expect(driver.read(users, [{}]).data).toMatchObject([{ name: 'a' }, { id: 3 }])
})

test('NOR-12 COL-7 the empty default of a list that is loaded elsewhere does not empty it', () => {
  const driver = receive(Article, ANSWER)
  const { readers } = Article.schema
  driver.open(endpointFor(readers), [{ of: 1 }]).answer([{ id: 1 }, { id: 2 }])
  for (const [, write] of WAYS) {
    write(driver, { title: 'b' })
    expect(driver.read(readers, [{ of: 1 }]).data).toHaveLength(2)
  }
})

test('NOR-13 items of a list that was read, combined again, are references', () => {
  const users = new Collection([User])
  const driver = receive(users, [
    { id: 1, name: 'a' },
    { id: 2, name: 'b' },
  ])
  const sent = sentOf(driver, 'User', '1')
  driver.set(users, [{}], (list: any[]) => [...list].reverse())
  expect(driver.read(users, [{}]).data).toMatchObject([{ id: 2 }, { id: 1 }])
  driver.set(users, [{}], (list: any[]) => list.map((user) => (user.id === 1 ? { ...user, name: 'c' } : user)))
  expect(driver.read(users, [{}]).data).toMatchObject([
    { id: 2, name: 'b' },
    { id: 1, name: 'c' },
  ])
  expect(sentOf(driver, 'User', '2')).toBe(sent)
})

test('NOR-13 a record of another store is plain data here', () => {
  const one = receive(Article, ANSWER)
  const two = createDriver()
  two.set(Article, [{ id: 1 }], read(one))
  expect(row(two)).toMatchObject({ id: 1, title: 'a', author: '9', at: '2020-01-01' })
  expect(two.getState().entities['User']).toEqual({ 9: { id: 9, name: 'Ann', age: 0 } })
})

test('ENT-41 what a converter made keeps its raw value; what the app made is kept as it is', () => {
  const driver = receive(Article, ANSWER)
  const other = receive(Article, { ...ANSWER, id: 2, at: '2021-01-01' }, driver, [{ id: 2 }]).read(Article, [
    { id: 2 },
  ]).data
  driver.set(Article, [{ id: 1 }], { id: 1, at: other.at })
  expect(row(driver).at).toBe('2021-01-01')
  driver.set(Article, [{ id: 1 }], (old: any) => ({ ...old, at: '2022-01-01', size: '9' }))
  expect(row(driver)).toMatchObject({ at: '2022-01-01', size: '9' })
  expect(read(driver).at).toEqual(new Date('2022-01-01'))
})

test('ENT-41 an object that a converter gets is kept, and comes back as it was', () => {
  const driver = receive(Article, { ...ANSWER, at: { year: 2020 } })
  expect(row(driver).at).toEqual({ year: 2020 })
  driver.set(Article, [{ id: 1 }], { id: 1, at: { year: 2021 } })
  expect(row(driver).at).toEqual({ year: 2021 })
})

test('NOR-13 LAZ-1 keys that a lazy field showed come back as keys', () => {
  class Room extends Entity {
    id = ''
    users: any[] = []
    note = ''
    static override key = 'Room'
    static override schema = { users: new Lazy([User]) }
  }
  const driver = receive(Room, { id: 1, users: [{ id: 1 }, { id: 2 }] })
  driver.set(Room, [{ id: 1 }], { ...driver.read(Room, [{ id: 1 }]).data, note: 'n' })
  expect(row(driver, 'Room')).toEqual({ id: 1, users: ['1', '2'], note: 'n' })
})

test('NOR-13 references to records that are not there survive; taking a loaded one away is a change', () => {
  class Team extends Entity {
    id = ''
    name = ''
    lead: User | undefined = undefined
    second: User | null = null
    members: User[] = []
    roles: Record<string, User> = {}
    static override key = 'Team'
    static override schema = { lead: User, second: User, members: [User], roles: new Values(User) }
  }
  const answer = { id: 1, lead: 1, second: 2, members: [1, { id: 5 }, 2], roles: { a: 1, b: { id: 5 } } }
  const stored = { id: 1, lead: '1', second: '2', members: ['1', '5', '2'], roles: { a: '1', b: '5' } }
  const driver = receive(Team, answer)
  const read = (): any => driver.read(Team, [{ id: 1 }]).data
  expect(read()).toMatchObject({ lead: undefined, second: null, members: [{ id: 5 }], roles: { b: { id: 5 } } })
  driver.set(Team, [{ id: 1 }], { ...read(), name: 'a' })
  driver.set(Team, [{ id: 1 }], (team: any) => ({ ...team, name: 'b' }))
  expect(row(driver, 'Team')).toEqual({ ...stored, name: 'b' })
  receive([User], [{ id: 1 }, { id: 2 }], driver)
  driver.set(Team, [{ id: 1 }], { ...read(), lead: undefined, second: null, members: read().members.slice(1) })
  expect(row(driver, 'Team')).toEqual({ ...stored, name: 'b', lead: undefined, second: null, members: ['5', '2'] })
})

test('NOR-13 whatever fields a record has, spreading it back changes the one field that is named', () => {
  const partial = fc.record(
    {
      title: fc.string(),
      body: fc.string(),
      author: fc.option(fc.record({ id: fc.nat(3), name: fc.string() })),
      editor: fc.option(fc.nat(3)),
      readers: fc.uniqueArray(
        fc.nat(3).map((id) => ({ id })),
        { selector: ({ id }) => id },
      ),
      at: fc.option(fc.constantFrom('2020-01-01', '2021-01-01')),
      size: fc.constantFrom('1', '2'),
      big: fc.constantFrom('1', '2'),
      extra: fc.jsonValue({ maxDepth: 2 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      partial,
      fc.nat(3),
      fc.constantFrom<any>({ title: 'new' }, { extra: [1] }, { body: 'new' }),
      (fields, way, change) => {
        const driver = receive(Article, { id: 1, ...fields })
        const { entities } = driver.getState()
        const stored = { ...entities['Article']!['1'] }
        const readers = Object.hasOwn(stored, 'readers') ? entities['[User]'] : undefined
        WAYS[way]![1](driver, change)
        expect(row(driver)).toStrictEqual({ ...stored, ...change })
        const after = driver.getState().entities
        expect(after['User']).toEqual(entities['User'])
        if (readers !== undefined) {
          expect(after['[User]']).toEqual(readers)
        }
      },
    ),
    { numRuns: cases(800) },
  )
  expect(warn).not.toHaveBeenCalled()
})

test('NOR-13 a spread of nothing but texts and numbers is known by a field that a function has converted', () => {
  class Counted extends Entity {
    id = ''
    title = ''
    count = 0
    static override key = 'Counted'
    static override schema = { count: Number }
  }
  const driver = receive(Counted, { id: '1', title: 'a', count: '5' })
  driver.set(Counted, [{ id: '1' }], { ...driver.read(Counted, [{ id: '1' }]).data, title: 'b' })
  expect(row(driver, 'Counted')).toEqual({ id: '1', title: 'b', count: '5' })
})

test('NOR-12 a date that differs from the default of its field is data, also where the field was never received', () => {
  class Timed extends Entity {
    id = ''
    at: Date = new Date(0)
    static override key = 'Timed'
  }
  const driver = receive(Timed, { id: '1' })
  for (const at of [new Date(0), new Date(5)]) {
    driver.set(Timed, [{ id: '1' }], { id: '1', at })
    expect(row(driver, 'Timed').at).toEqual(at.getTime() === 0 ? undefined : at)
  }
})
