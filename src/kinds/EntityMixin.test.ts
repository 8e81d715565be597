import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Driver } from '../testing/drivers.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { Entity } from './Entity.ts'
import { EntityMixin } from './EntityMixin.ts'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const pks = (driver: Driver, key: string): string[] => Object.keys(driver.getState().entities[key] ?? {})

class Person {
  id = ''
  name = 'nobody'
  readonly born: number
  constructor(born = 1900) {
    this.born = born
  }
  greet(): string {
    return `I am ${this.name}`
  }
  static create(): Person {
    return new this()
  }
}

test('MIX-1 gives a class that extends the base and has every static of Entity', () => {
  class User extends EntityMixin(Person) {}
  const user = new User(2000)
  expect([user.born, user.name, user.greet()]).toEqual([2000, 'nobody', 'I am nobody'])
  expect(user).toBeInstanceOf(Person)
  expect(User.create()).toBeInstanceOf(User)
  expect(Object.getOwnPropertyNames(Entity).filter((name) => !(name in User))).toEqual([])
  const made = User.fromJS({ name: 'Ann' })
  expect(made).toBeInstanceOf(User)
  expect([made.greet(), `${User}`, User.toJSON()]).toEqual(['I am Ann', 'User', { key: 'User', schema: {} }])
  const read = receive(User, { id: 1, name: 'Bob' }).read(endpointFor(User), [{}]).data
  expect(read).toBeInstanceOf(User)
  expect(read.greet()).toBe('I am Bob')
  expect('fromJS' in Person).toBe(false)
})

class Coded {
  code = ''
  pk(): string {
    return `c-${this.code}`
  }
}

test.each([
  ['the field id', Person, {}, ['7']],
  ['a field', Person, { pk: 'code' }, ['x']],
  [
    'a function',
    Person,
    { pk: (value: any, parent: any, key?: string) => `${value.code}${Object.keys(parent)[0]}${key}` },
    ['xitit'],
  ],
  ['the pk of the base', Coded, {}, ['c-x']],
  ['an option rather than the pk of the base', Coded, { pk: 'id' }, ['7']],
] as const)('MIX-2 the primary key is %s', (_, Base, options, expected) => {
  const Mixed = EntityMixin(Base, { key: 'Mixed', ...options })
  const driver = receive({ it: Mixed }, { it: { id: 7, code: 'x' } })
  expect(pks(driver, 'Mixed')).toEqual(expected)
})

test('MIX-3 the key: of a subclass, of the options, of the base, and else the name', () => {
  class Keyed {
    static key = 'Base'
  }
  class Named {}
  const Own = EntityMixin(Keyed, { key: 'Option' })
  class Sub extends Own {
    static override key = 'Sub'
  }
  class Heir extends EntityMixin(Named) {}
  expect([Own.key, Sub.key, EntityMixin(Keyed).key, EntityMixin(Named).key, Heir.key]).toEqual([
    'Option',
    'Sub',
    'Base',
    'Named',
    'Heir',
  ])
  expect(Keyed.key).toBe('Base')
})

test('MIX-3 ENT-7 classes that extend one mixin with a key share its table', () => {
  const Base = EntityMixin(Person, { key: 'Person' })
  class Summary extends Base {}
  class Detail extends Base {
    body = ''
  }
  const driver = receive({ a: Summary, b: Detail }, { a: { id: 1, name: 'a' }, b: { id: 1, body: 'b' } })
  expect(driver.getState().entities['Person']).toEqual({ 1: { id: 1, name: 'a', body: 'b' } })
})

test('MIX-4 the schema of the options wins over that of the base; other options become statics', () => {
  class Post {
    id = ''
    at: any = undefined
    static schema = { at: String }
  }
  const process = (input: object): object => ({ ...input, seen: true })
  const merge = (a: object, b: object): object => ({ ...a, ...b, merged: true })
  const Mixed = EntityMixin(Post, { schema: { at: Number }, indexes: ['at'], process, merge })
  expect([EntityMixin(Post).schema, Mixed.schema]).toEqual([{ at: String }, { at: Number }])
  expect(EntityMixin(Person).schema).toEqual({})
  expect([Mixed.indexes, Mixed.process, Mixed.merge]).toEqual([['at'], process, merge])
  const driver = receive([Mixed], [{ id: 1, at: '5' }])
  driver.open(endpointFor(Mixed), [{ id: 1 }]).answer({ id: 1 })
  expect(driver.read(Mixed, [{ at: 5 }]).data).toMatchObject({ at: 5, seen: true, merged: true })
  expect(EntityMixin(Person).indexes).toBe(undefined)
})

test('MIX-5 a field that does not exist is found by the first response', () => {
  const Mixed = EntityMixin(Person, { key: 'Mixed', pk: 'uuid' })
  expect(() => receive(Mixed, { id: 1 })).toThrow('entity-missing-pk')
})
