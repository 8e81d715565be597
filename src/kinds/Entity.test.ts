import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, expectTypeOf, type Mock, test, vi } from 'vitest'
import { z } from 'zod'
import { isRestitchError } from '../base/errors.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { receive } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { catchError } from '../testing/outcomes.ts'
import { Collection } from './Collection.ts'
import { Entity, validateRequired } from './Entity.ts'
import { EntityMixin } from './EntityMixin.ts'
import { Invalidate } from './Invalidate.ts'

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

function rows(driver: Driver, key: string): any {
  return driver.getState().entities[key] ?? {}
}

function read(schema: unknown, value: unknown, args: any[] = [{}]): any {
  const driver = receive(schema, value, undefined, args)
  return driver.read(endpointFor(schema), args).data
}

/** The response is refused, the store is as it was, and the error says why. */
function refused(schema: unknown, value: unknown, code: string, args: any[] = [{}]): Error & Record<string, any> {
  const driver = createDriver()
  const before = JSON.stringify(driver.getState().entities)
  const fault = catchError(() => receive(schema, value, driver, args))
  expect(fault).toMatchObject({ code, status: 400, refused: true })
  expect(isRestitchError(fault)).toBe(true)
  expect(JSON.stringify(driver.getState().entities)).toBe(before)
  expect(driver.getState().endpoints).toEqual({})
  expect(driver.read(endpointFor(schema), args).error).toBe(fault)
  return fault
}

class User extends Entity {
  id = ''
  name = 'nobody'
  age: number | undefined = 0
  static override key = 'User'
}

// Identity

test('ENT-1 the primary key is the field id, or whatever pk() makes of the value, its place and the arguments', () => {
  const seen: unknown[] = []
  class Repo extends Entity {
    owner = ''
    name = ''
    override pk(...rest: unknown[]): string {
      seen.push(Object.getPrototypeOf(this), ...rest)
      return `${this.owner}/${this.name}`
    }
    static override key = 'Repo'
  }
  expect(Object.keys(rows(receive(User, { id: 5 }), 'User'))).toEqual(['5'])
  const answer = { repos: [{ owner: 'a', name: 'b' }] }
  expect(Object.keys(rows(receive({ repos: [Repo] }, answer, undefined, [{ x: 1 }]), 'Repo'))).toEqual(['a/b'])
  expect(seen).toEqual([Object.prototype, answer, 'repos', [{ x: 1 }]])
})

test('ENT-2 static pk calls the method on a value', () => {
  class Item extends Entity {
    code = ''
    override pk(parent?: any, key?: string, args?: readonly any[]): string {
      return [this.code, parent, key, ...(args ?? [])].join('-')
    }
  }
  expect(Item.pk({ code: 'c' }, 'p', 'k', ['a'])).toBe('c-p-k-a')
  expect(User.pk({ id: 7 })).toBe(7)
})

test('ENT-3 the number 5 and the text "5" name one record', () => {
  const driver = receive(
    [User],
    [
      { id: 5, name: 'a' },
      { id: '5', age: 1 },
    ],
  )
  expect(rows(driver, 'User')).toEqual({ 5: { id: '5', name: 'a', age: 1 } })
})

test.each([[undefined], [null], [''], [Number.NaN], ['undefined'], [{}], [[1]], [JSON.parse('{"toString":1}')]])(
  'ENT-4 %o is no primary key',
  (id) => {
    const fault = refused({ list: [User] }, { list: [{ id: 1 }, { id }] }, 'entity-missing-pk')
    expect(fault.message).toMatch('Missing usable primary key when normalizing response')
    expect(fault.message).toMatch('"User" at list[1] of GET [{}]')
    if (id !== undefined) {
      expect(fault.message).not.toMatch('define pk()')
    }
  },
)

test('ENT-4 the hint to define pk() comes with the default pk and no field id; the value may be anything', () => {
  class Coded extends Entity {
    code = ''
    override pk(): string {
      return this.code
    }
    static override key = 'Coded'
  }
  expect(refused(User, { uuid: 1 }, 'entity-missing-pk').message).toMatch('define pk()')
  expect(refused(Coded, { uuid: 1 }, 'entity-missing-pk').message).not.toMatch('define pk()')
  const ring: any = { big: 1n }
  ring.self = ring
  expect(refused(User, ring, 'entity-missing-pk').message).toMatch('"User"')
})

test.each(['null', 'NaN'])('ENT-4 the text %o is allowed, with one warning for the class', (id) => {
  class Odd extends Entity {
    id = ''
    static override key = `Odd ${id}`
  }
  const driver = receive([Odd], [{ id }])
  receive([Odd], [{ id }], driver, [{ again: 1 }])
  expect(Object.keys(rows(driver, Odd.key))).toEqual([id])
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch(Odd.key)
})

test('ENT-5 a created record without a primary key is an error, except while it is optimistic', () => {
  const users = new Collection([User])
  const create = endpointFor(users.push, {
    sideEffect: true,
    getOptimisticResponse: (_: unknown, body: object) => body,
  })
  const driver = receive(users, [])
  const request = driver.open(create, [{ name: 'new' }])
  expect(driver.read(users, [{}]).data).toMatchObject([{ name: 'new' }])
  const fault = catchError(() => request.answer({ name: 'new' }))
  expect(fault).toMatchObject({ code: 'entity-missing-pk', status: 400 })
  expect(driver.read(users, [{}]).data).toEqual([])
})

test('ENT-6 ENT-7 the key is the class name, or what was written down on the class or a parent', () => {
  class Plain extends Entity {}
  class Sub extends Plain {}
  class Named extends Entity {
    static override key = 'N'
  }
  class Heir extends Named {}
  class Later extends Plain {}
  Later.key = 'L'
  expect([Plain.key, Sub.key, Named.key, Heir.key, Later.key]).toEqual(['Plain', 'Sub', 'N', 'N', 'L'])
  Heir.key = 'H'
  expect([Named.key, Heir.key, Entity.key, Plain.key]).toEqual(['N', 'H', 'Entity', 'Plain'])
})

test('ENT-6 a class without a name needs a key', () => {
  const Nameless = (() =>
    class extends Entity {
      id = ''
    })()
  const fault = refused(Nameless, { id: 1 }, 'entity-no-key')
  expect(fault.message).toMatch('Entity classes without a name must define `static key`')
  expect(() => Nameless.key).toThrow('entity-no-key')
  expect(() => EntityMixin((() => class {})()).key).toThrow('entity-no-key')
})

// Construction

test('ENT-8 fromJS overlays the defaults with every own member, and checks nothing', () => {
  const user = User.fromJS({ id: '1', age: undefined, extra: 1 } as object)
  expect(user).toBeInstanceOf(User)
  expect(Object.entries(user)).toEqual(Object.entries({ id: '1', name: 'nobody', age: undefined, extra: 1 }))
  expect(Object.hasOwn(user, 'age')).toBe(true)
  expect(Object.entries(User.fromJS())).toEqual(Object.entries({ id: '', name: 'nobody', age: 0 }))
  const hostile = User.fromJS(JSON.parse('{"__proto__":{"evil":1},"constructor":1}'))
  expect(Object.getPrototypeOf(hostile)).toBe(User.prototype)
  expect((hostile as any).evil).toBe(undefined)
  expectTypeOf(User.fromJS()).toEqualTypeOf<User>()
})

test('ENT-9 values that are read are frozen in development; responses are not', () => {
  const at = new Date(0)
  const bytes = new Uint8Array(1)
  class Box extends Entity {
    id = ''
    tags: string[] = []
    deep: any = {}
    static override key = 'Box'
  }
  const boxes = new Collection([Box])
  const answer = [{ id: 1, tags: ['a'], deep: { list: [{}], at, bytes } }]
  const list = read(boxes, answer)
  const [box] = list
  for (const value of [list, box, box.tags, box.deep, box.deep.list[0]]) {
    expect(Object.isFrozen(value)).toBe(true)
  }
  for (const value of [at, answer, answer[0], answer[0]!.tags, answer[0]!.deep, answer[0]!.deep.list]) {
    expect(Object.isFrozen(value)).toBe(false)
  }
  expect(box.deep.bytes).toBe(bytes)
})

test('ENT-9 values without a schema: the store keeps its own containers', () => {
  const answer = { list: [{ a: 1 }] }
  const driver = receive(undefined, answer)
  expect(Object.isFrozen(driver.read(endpointFor(undefined), [{}]).data.list[0])).toBe(true)
  expect(Object.isFrozen(answer.list[0])).toBe(false)
  const given = { id: 1, deep: { a: 1 } }
  driver.set(User, [{ id: 1 }], given)
  given.deep.a = 2
  expect(driver.read(User, [{ id: 1 }]).data.deep).toEqual({ a: 1 })
})

test('ENT-10 absent fields read as their default, undefined and null as themselves', () => {
  const user = read(User, { id: 1, age: undefined })
  expect([user.name, user.age]).toEqual(['nobody', undefined])
  expect(read(User, { id: 1, name: null }).name).toBe(null)
})

test('ENT-11 defaults is one instance for each class', () => {
  class Summary extends Entity {
    id = ''
    title = 's'
  }
  class Detail extends Summary {
    body = 'b'
  }
  expect(Summary.defaults).toBe(Summary.defaults)
  expect(Summary.defaults).toBeInstanceOf(Summary)
  expect({ ...Detail.defaults }).toEqual({ id: '', title: 's', body: 'b' })
  expect(Detail.defaults).toBe(Detail.defaults)
  expect({ ...Summary.defaults }).toEqual({ id: '', title: 's' })
})

test('ENT-12 a class serialises to its key and schema', () => {
  class Post extends Entity {
    id = ''
    static override key = 'Post'
    static override schema = { author: User }
  }
  expect(`${Post}`).toBe('Post')
  expect(Post.toJSON()).toEqual({ key: 'Post', schema: { author: User } })
})

// Arrival

test('ENT-13 ENT-15 ENT-19 a value is processed, gets its pk, is validated, and then its fields are visited', () => {
  const steps: unknown[] = []
  class Child extends Entity {
    id = ''
    static override key = 'Child'
    static override process(input: any): any {
      steps.push('child')
      return { ...input }
    }
  }
  class Parent extends Entity {
    id = ''
    child = Child.fromJS()
    static override key = 'Parent'
    static override schema = { child: Child }
    static override process(input: any, parent: any, key: string | undefined, args: readonly any[]): any {
      steps.push(['process', input.id, parent, key, args])
      return { ...input, id: `p${input.id}` }
    }
    override pk(): string {
      steps.push('pk')
      return this.id
    }
    static override validate(processed: any): undefined {
      steps.push(['validate', { ...processed }])
    }
    static override merge(existing: any, incoming: any): any {
      steps.push('merge')
      return { ...existing, ...incoming }
    }
  }
  const driver = createDriver()
  // In development the first record is processed once more.
  receive(Parent, { id: 0 }, driver, [{ first: 1 }])
  receive(Child, { id: 0 }, driver, [{ first: 2 }])
  receive(Parent, { id: 1 }, driver, [{ first: 3 }])
  steps.length = 0
  const answer = { data: { id: 1, child: { id: 2 } } }
  receive({ data: Parent }, answer, driver, [{ x: 1 }])
  // Then the caller of the request reads the record.
  expect(steps.slice(0, 5)).toEqual([
    ['process', 1, answer, 'data', [{ x: 1 }]],
    'pk',
    ['validate', { id: 'p1', child: { id: 2 } }],
    'child',
    'merge',
  ])
  expect(rows(driver, 'Parent').p1).toEqual({ id: 'p1', child: '2' })
})

test('ENT-13 process may rename and add fields; one that changes its own output is warned about once', () => {
  class Good extends Entity {
    id = 0
    fullName = ''
    at: any = undefined
    static override key = 'Good'
    static override process({ first, last, ...input }: any): any {
      return { ...input, at: new Date(input.at), fullName: input.fullName ?? `${first} ${last}` }
    }
  }
  class Bad extends Entity {
    id = 0
    price = 0
    static override key = 'Bad'
    static override process(input: any): any {
      return { ...input, price: input.price * 100 }
    }
  }
  expect(read(Good, { id: 1, first: 'A', last: 'B', at: 0 })).toMatchObject({ id: 1, fullName: 'A B' })
  expect(warn).not.toHaveBeenCalled()
  expect(
    read(
      [Bad],
      [
        { id: 1, price: 2 },
        { id: 2, price: 3 },
      ],
    ),
  ).toMatchObject([{ price: 200 }, { price: 300 }])
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch('Bad.process')
})

test('ENT-13 process may give back what it got, or a frozen object: the input and the output stay as they are', () => {
  class Same extends Entity {
    id = ''
    user = User.fromJS()
    static override key = 'Same'
    static override schema = { user: User }
    static override process(input: any): any {
      return input.frozen ? Object.freeze({ ...input }) : input
    }
  }
  const answer = [
    { id: 1, user: { id: 1 } },
    { id: 2, frozen: true, user: { id: 2 } },
  ]
  const driver = receive([Same], answer)
  expect(rows(driver, 'Same')).toEqual({ 1: { id: 1, user: '1' }, 2: { id: 2, frozen: true, user: '2' } })
  expect(answer[0]!.user).toEqual({ id: 1 })
})

test.each([[undefined], [null]])('ENT-14 process that gives %s invalidates the record', (nothing) => {
  class Gone extends Entity {
    id = ''
    static override key = 'Gone'
    static override process(input: any): any {
      return input.gone ? nothing : { ...input }
    }
  }
  const driver = receive([Gone], [{ id: 1 }, { id: 2 }])
  receive([Gone], [{ id: 1, gone: true }, { id: 2 }], driver)
  expect(driver.read(endpointFor([Gone]), [{}]).data).toMatchObject([{ id: 2 }])
  expect(driver.read(Gone, [{ id: 1 }]).data).toBe(undefined)
  expect(rows(driver, 'Gone')['1']).toBeTypeOf('symbol')
})

test('ENT-15 ENT-38 validate refuses on arrival, and hides on reading', () => {
  let bad = 'x'
  class Checked extends Entity {
    id = ''
    name = ''
    static override key = 'Checked'
    static override validate(processed: any): string | undefined {
      return processed.name === bad ? 'no such name' : ''
    }
  }
  expect(refused(Checked, { id: 1, name: 'x' }, 'entity-invalid').message).toMatch(/: no such name .*entity-invalid/)
  const driver = receive(Checked, { id: 1, name: 'y' })
  expect(driver.read(endpointFor(Checked), [{}]).data).toMatchObject({ name: 'y' })
  expect(Checked.createIfValid({ name: 'y' })).toBeInstanceOf(Checked)
  // The response passes, but the merged record does not.
  bad = 'y'
  receive(Checked, { id: 1, age: 5 }, driver)
  expect(rows(driver, 'Checked')).toEqual({ 1: { id: 1, name: 'y', age: 5 } })
  expect(driver.read(endpointFor(Checked), [{}])).toMatchObject({ data: undefined, expiryStatus: 1 })
  expect(driver.read(Checked, [{ id: 1 }]).data).toBe(undefined)
  expect(Checked.createIfValid({ name: 'y' })).toBe(undefined)
})

test('ENT-15 a validator, a constructor or a default that throws on reading is the error of its reader', () => {
  class Broken extends Entity {
    id = ''
    static override key = 'Broken'
    static override validate(processed: any): undefined {
      if (calls++ > 0) {
        throw new RangeError(`broken ${processed.id}`)
      }
    }
  }
  let calls = 0
  const driver = receive({ it: Broken, user: User }, { it: { id: 1 }, user: { id: 1 } })
  const target = endpointFor({ it: Broken, user: User })
  for (let again = 0; again < 2; again++) {
    const reading = driver.read(target, [{}])
    expect(reading.data).toBe(undefined)
    expect(reading.error).toMatchObject({ message: 'broken 1' })
    expect(() => driver.read(Broken, [{ id: 1 }])).toThrow('broken 1')
  }
  expect(driver.read(User, [{ id: 1 }]).data).toBeInstanceOf(User)
})

test('ENT-16 validateRequired names the first own member that lacks', () => {
  expect(validateRequired({ id: 1, a: undefined }, { id: '', a: 1 })).toBe(undefined)
  expect(validateRequired({ id: 1 }, { id: '', toString: 1 })).toBe('Missing key toString')
  class Full extends Entity {
    id = ''
    body = ''
    static override key = 'Full'
    static override validate(processed: any): string | undefined {
      return validateRequired(processed, this.defaults)
    }
  }
  expect(refused(Full, { id: 1 }, 'entity-invalid').message).toMatch('Missing key body')
})

test('ENT-17 an array instead of a record is refused, warned about or accepted', () => {
  const fault = refused({ user: User }, { user: [1, 2, 3, 4] }, 'entity-array')
  expect(fault.message).toMatch('Attempted to initialize User with an array at user of GET [{}]: [1,2,3]')
  const made = (automaticValidation: 'warn' | 'silent'): typeof Entity =>
    class Lax extends Entity {
      static override key = `Lax ${automaticValidation}`
      static override automaticValidation = automaticValidation
      override pk(): string {
        return 'all'
      }
    }
  expect(rows(receive(made('warn'), ['a']), 'Lax warn')).toEqual({ all: { 0: 'a' } })
  expect(warn.mock.calls.flat().join()).toMatch('Attempted to initialize Lax warn with an array')
  warn.mockClear()
  expect(rows(receive(made('silent'), ['a']), 'Lax silent')).toEqual({ all: { 0: 'a' } })
  expect(warn).not.toHaveBeenCalled()
})

test.each<[string, unknown, unknown, string]>([
  ['a list', [User], { data: [{ id: 1 }], total: 1 }, 'data'],
  ['a list after other members', [User], { total: 1, page: 'a', results: [{ id: 1 }] }, 'results'],
  ['an empty list', [User], { items: [], total: 0 }, 'items'],
  ['a Collection', new Collection([User]), { data: [{ id: 1 }], total: 1 }, 'data'],
  ['a nested list', { users: [User] }, { users: { edges: [{ id: 1 }] } }, 'edges'],
  ['a record', User, { data: [{ id: 1 }] }, ''],
])('ENT-17 an envelope instead of %s: the message says which member to declare', (_, schema, value, member) => {
  const { message } = member ? refused(schema, value, 'entity-array') : refused(schema, value, 'entity-missing-pk')
  if (member) {
    expect(message).toMatch(
      `The list is in the member "${member}" of an object. Declare that member: schema: { ${member}: [User] }`,
    )
  }
  expect(message).not.toMatch('Write [User]')
})

class Named extends Entity {
  name = ''
  static override key = 'Named'
  override pk(): string {
    return this.name
  }
}
class Strict extends Entity {
  static override key = 'Strict'
  override pk(): string {
    if (!('data' in this)) {
      throw new Error('no data')
    }
    return ''
  }
}

test.each<[string, unknown, unknown, string | undefined]>([
  ['of get', User, { data: { id: 1, name: 'Ann' } }, 'data'],
  ['after other members', User, { meta: { at: 1 }, user: { id: 0 } }, 'user'],
  ['of a create', new Collection([User]).push, { data: { id: 1 } }, 'data'],
  ['with a pk of its own', Named, { data: { name: 'ann' } }, 'data'],
  ['no envelope: it has fields of the class', User, { name: 'Ann', team: { id: 1 } }, undefined],
  ['no envelope: nothing in it has an id', User, { data: { uuid: 1 } }, undefined],
  ['no envelope: pk throws', Strict, { data: { id: 1 } }, undefined],
])('ENT-4 an envelope around a record, %s: the message names the member', (_, schema, value, member) => {
  const { message } = refused(schema, value, 'entity-missing-pk')
  if (member) {
    expect(message).toMatch(`The record is in the member "${member}" of an object. Return that member from process()`)
    expect(message).toMatch(`schema: { ${member}: ${schema === Named ? 'Named' : 'User'} }`)
    expect(message).not.toMatch('define pk()')
  } else {
    expect(message).not.toMatch('The record is in the member')
  }
})

class Article extends Entity {
  id = ''
  title = ''
  author = User.fromJS()
  editor: User | undefined = undefined
  at = new Date(0)
  static override key = 'Article'
  static override schema = { author: User, editor: User, at: (iso: string) => new Date(iso) }
}

test('ENT-18 ENT-19 NOR-1 only members the value has are visited; nested records go to their tables', () => {
  const driver = receive(Article, { id: 1, author: { id: 2, name: 'Ann' } })
  expect(driver.getState().entities).toEqual({
    Article: { 1: { id: 1, author: '2' } },
    User: { 2: { id: 2, name: 'Ann' } },
  })
  const article = driver.read(Article, [{ id: 1 }]).data
  expect(article.author).toBe(driver.read(User, [{ id: 2 }]).data)
  expect(article.author).toBeInstanceOf(User)
  expect(article.editor).toBe(undefined)
})

// Converters

class Decimal {
  readonly digits: string
  constructor(text: string) {
    this.digits = text
  }
}
test.each([
  ['a function', (iso: string) => new Date(iso), '2020-01-01', new Date('2020-01-01')],
  ['Date', Date, '2020-01-01', new Date('2020-01-01')],
  ['Date of a number', Date, 0, new Date(0)],
  ['Number', Number, '5', 5],
  ['Number of nothing', Number, '', 0],
  ['String', String, 0, '0'],
  ['Boolean', Boolean, 0, false],
  ['BigInt', BigInt, '12345678901234567890', 12345678901234567890n],
  ['URL', URL, 'http://a.test/', new URL('http://a.test/')],
  ['a class', Decimal, '1.10', new Decimal('1.10')],
  ['a method without this', JSON.parse, '[1]', [1]],
])('ENT-20 PAT-4 %s converts on reading, and the raw value is stored', (_, converter, raw, converted) => {
  class Thing extends Entity {
    id = ''
    field: any = 'default'
    static override key = 'Thing'
    static override schema = { field: converter as never }
  }
  const driver = receive(
    [Thing],
    [{ id: 1, field: raw }, { id: 2, field: null }, { id: 3, field: undefined }, { id: 4 }],
  )
  const things = driver.read(endpointFor([Thing]), [{}]).data
  expect(things.map((thing: any) => thing.field)).toEqual([converted, null, undefined, 'default'])
  expect(rows(driver, 'Thing')['1'].field).toBe(raw)
})

test('ENT-20 PAT-4 converters work in any object, array and map schema', () => {
  const at = (iso: string): Date => new Date(iso)
  expect(read({ at, list: [Number] }, { at: '2020-01-01', list: ['1', '0'] })).toEqual({
    at: new Date('2020-01-01'),
    list: [1, 0],
  })
})

test('ENT-21 two readings of an unchanged record give the same converted object', () => {
  const driver = receive(Article, { id: 1, at: '2020-01-01' })
  const { at } = driver.read(Article, [{ id: 1 }]).data
  receive(Article, { id: 1, at: '2020-01-01' }, driver)
  receive(User, { id: 5 }, driver, [{ other: 1 }])
  expect(driver.read(Article, [{ id: 1 }]).data.at).toBe(at)
})

test('ENT-22 a converter that throws is the error of the endpoint, naming record and field', () => {
  class Timed extends Entity {
    id = ''
    at: any
    times: any
    static override key = 'Timed'
    static override schema = { at: (text: string) => BigInt(text), times: [BigInt as never] }
  }
  const driver = receive([Timed], [{ id: 7, at: 'x' }])
  const reading = driver.read(endpointFor([Timed]), [{}])
  expect(reading.data).toBe(undefined)
  expect(reading.error).toMatchObject({ code: 'convert-failed', status: 400 })
  expect(reading.error.message).toMatch('The converter of "at" threw for Timed 7')
  expect(reading.error.cause).toBeInstanceOf(SyntaxError)
  expect(isRestitchError(reading.error)).toBe(true)
  receive([Timed], [{ id: 7, at: '1', times: ['1', 'x'] }], driver)
  expect(driver.read(endpointFor([Timed]), [{}]).error.message).toMatch('Timed 7')
  receive([Timed], [{ id: 7, at: '1', times: ['1', '2'] }], driver)
  expect(driver.read(endpointFor([Timed]), [{}])).toMatchObject({
    data: [{ at: 1n, times: [1n, 2n] }],
    error: undefined,
  })
})

test('ENT-23 REL-6 relations may be declared when all classes exist', () => {
  class Person extends Entity {
    id = ''
    friend: any = undefined
    static override key = 'Person'
  }
  const driver = receive(User, { id: 1 })
  Person.schema = { ...Person.schema, friend: Person }
  receive(Person, { id: 'a', friend: { id: 'b', friend: { id: 'a' } } }, driver)
  const person = driver.read(Person, [{ id: 'a' }]).data
  expect(person.friend.id).toBe('b')
  expect(person.friend.friend).toBe(person)
})

test('ENT-23 REL-6 a getter relates to a class that is declared later', () => {
  class Team extends Entity {
    id = ''
    lead: Member | undefined = undefined
    static override key = 'Team'
    static override schema = {
      get lead() {
        return Member
      },
    }
  }
  class Member extends Entity {
    id = ''
    team: Team | undefined = undefined
    static override key = 'Member'
    static override schema = { team: Team }
  }
  const driver = receive(Team, { id: 'a', lead: { id: 'b', team: 'a' } })
  const team = driver.read(Team, [{ id: 'a' }]).data
  expect(team.lead).toBeInstanceOf(Member)
  expect(team.lead.team).toBe(team)
})

test('ENT-23 a schema that is replaced is used from the next reading on', () => {
  class Job extends Entity {
    id = ''
    at: any = undefined
    static override key = 'Job'
  }
  const driver = receive(Job, { id: 1, at: '5' })
  expect(driver.read(Job, [{ id: 1 }]).data.at).toBe('5')
  Job.schema = { at: Number }
  receive(Job, { id: 1, at: '6' }, driver)
  expect(driver.read(Job, [{ id: 1 }]).data.at).toBe(6)
})

// Indexes

class Member extends Entity {
  id = ''
  username = ''
  mail = ''
  static override key = 'Member'
  static override indexes = ['username', 'mail']
}

test('ENT-31 ENT-32 ENT-33 ENT-35 records stay findable by the value of an index, as text', () => {
  const driver = receive(Member, { id: 1, username: 'a', mail: 'm' })
  receive(Member, { id: 2, username: 5, mail: 'n' }, driver, [{ id: 2 }])
  const find = (by: object): any => driver.read(Member, [by]).data
  expect([find({ username: 'a' }).id, find({ username: '5' }).id, find({ username: 5 }).id]).toEqual([1, 2, 2])
  expect(find({ mail: 'm' })).toBe(find({ username: 'a' }))
  expect(driver.read(endpointFor(Member), [{ username: 'a' }])).toMatchObject({ data: { id: 1 }, expiryStatus: 3 })
  receive(Member, { id: 1, username: 'b' }, driver, [{ id: 1 }])
  expect([find({ username: 'a' }), find({ username: 'b' }).id, find({ mail: 'm' }).id]).toEqual([undefined, 1, 1])
  expect(driver.getState().indexes['Member']).toEqual({ username: { b: '1', 5: '2' }, mail: { m: '1', n: '2' } })
  driver.open(endpointFor(new Invalidate(Member), { sideEffect: true }), [{ id: 1 }]).answer({ id: 1 })
  expect(find({ username: 'b' })).toBe(undefined)
  receive(Member, { id: 1, username: 'b' }, driver, [{ id: 1 }])
  expect(find({ username: 'b' }).id).toBe(1)
  driver.reset()
  expect(find({ username: 'b' })).toBe(undefined)
})

test('ENT-33 of two records with one value the last written is found; the other after it is written again', () => {
  const driver = receive(
    [Member],
    [
      { id: 1, username: 'x', mail: 'a' },
      { id: 2, username: 'x', mail: 'b' },
    ],
  )
  const find = (): any => driver.read(Member, [{ username: 'x' }]).data?.id
  expect(find()).toBe(2)
  receive(Member, { id: 2, username: 'y' }, driver, [{ id: 2 }])
  expect(find()).toBe(undefined)
  receive(Member, { id: 1, username: 'x' }, driver, [{ id: 1 }])
  expect(find()).toBe(1)
})

test('ENT-33 of two records with one value the first may change: the last is still found', () => {
  const driver = receive(
    [Member],
    [
      { id: 1, username: 'x', mail: 'a' },
      { id: 2, username: 'x', mail: 'b' },
    ],
  )
  receive(Member, { id: 1, username: 'z' }, driver, [{ id: 1 }])
  expect(driver.read(Member, [{ username: 'x' }]).data.id).toBe(2)
})

test('ENT-34 a record without the field is not indexed, and its class is warned about once', () => {
  class Loose extends Entity {
    id = 0
    static override key = 'Loose'
    static override indexes = ['slug']
  }
  const driver = receive([Loose], [{ id: 1 }, { id: 2 }, { id: 3, slug: null }])
  expect(driver.read(Loose, [{ slug: 'null' }]).data).toBe(undefined)
  expect(driver.read(Loose, [{ slug: 'undefined' }]).data).toBe(undefined)
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch('"Loose" lacks a field of its indexes (slug)')
})

test('ENT-31 fields and values whose texts run together do not meet', () => {
  class Spaced extends Entity {
    id = ''
    static override key = 'Spaced'
    static override indexes = ['a', 'a b']
  }
  const driver = receive(
    [Spaced],
    [
      { id: 1, a: 'b c', 'a b': 'x' },
      { id: 2, a: 'y', 'a b': 'c' },
    ],
  )
  expect(driver.read(Spaced, [{ a: 'b c' }]).data.id).toBe(1)
  expect(driver.read(Spaced, [{ 'a b': 'c' }]).data.id).toBe(2)
})

test('ENT-31 ENT-42 a class that shares a table brings its own indexes', () => {
  class Short extends Entity {
    id = ''
    static override key = 'Short'
  }
  class Long extends Short {
    slug = ''
    static override indexes = ['slug']
  }
  const driver = receive([Short], [{ id: 1, slug: 'a' }])
  receive([Long], [{ id: 2, slug: 'b' }], driver, [{ x: 1 }])
  expect(['a', 'b'].map((slug) => driver.read(Long, [{ slug }]).data?.id)).toEqual([1, 2])
})

// Asking

test.each([
  [[], undefined],
  [[undefined], undefined],
  [['1'], '1'],
  [[1], '1'],
  [['2'], undefined],
  [[{ id: 1 }], '1'],
  [[{ id: '1', other: 2 }], '1'],
  [[{ id: 2 }], undefined],
  [[{ username: 'ann' }], '1'],
  [[{ mail: 'no', username: 'ann' }], '1'],
  [[{ username: 'no', mail: 'm' }], undefined],
  [[{ id: '', username: 'ann' }], '1'],
  [[{ other: 1 }], undefined],
])('ENT-36 the arguments %j name the record %j', (args, pk) => {
  const driver = receive(Member, { id: 1, username: 'ann', mail: 'm' })
  expect(driver.read(Member, args).data?.pk()).toBe(pk && 1)
})

test('ENT-36 a pk() that cannot work on arguments names nothing', () => {
  class Nested extends Entity {
    owner = { login: '' }
    name = ''
    override pk(): string {
      return `${this.owner.login}/${this.name}`
    }
    static override key = 'Nested'
    static override indexes = ['name']
  }
  const driver = receive(Nested, { owner: { login: 'a' }, name: 'b' }, undefined, [{ name: 'b' }])
  expect(driver.read(endpointFor(Nested), [{ name: 'b' }])).toMatchObject({ data: { name: 'b' }, error: undefined })
  expect(driver.read(Nested, [{ name: 'b' }]).data.name).toBe('b')
})

test('ENT-39 deleting a record deletes no other; it leaves the lists that held it', () => {
  const articles = new Collection([Article])
  const driver = receive(articles, [
    { id: 1, author: { id: 9 } },
    { id: 2, author: { id: 9 } },
  ])
  driver.open(endpointFor(new Invalidate(Article), { sideEffect: true }), [{ id: 1 }]).answer({ id: 1 })
  expect(driver.read(articles, [{}]).data).toMatchObject([{ id: 2 }])
  expect(driver.read(User, [{ id: 9 }]).data).toBeInstanceOf(User)
})

// Validators

const VALIDATORS: [string, any][] = [
  [
    'zod',
    z.object({
      id: z.number(),
      name: z
        .string()
        .min(2)
        .transform((name) => name.toUpperCase()),
      author: z.object({ id: z.number() }),
    }),
  ],
  [
    'valibot',
    v.object({
      id: v.number(),
      name: v.pipe(
        v.string(),
        v.minLength(2),
        v.transform((name) => name.toUpperCase()),
      ),
      author: v.object({ id: v.number() }),
    }),
  ],
  [
    'arktype',
    type({ id: 'number', name: ['string >= 2', '=>', (name) => name.toUpperCase()], author: { id: 'number' } }),
  ],
]

test.each(VALIDATORS)('VALID-2 VALID-6 static validate = a schema of %s', (name, validate) => {
  class Checked extends Entity {
    id = 0
    name = ''
    author = User.fromJS()
    static override key = `Checked by ${name}`
    static override schema = { author: User }
    static override validate = validate
    static override process(input: any): any {
      return { ...input, id: Number(input.id) }
    }
  }
  // It sees the processed value before its fields are visited, and its output is not used.
  const driver = receive(Checked, { id: '1', name: 'Ann', author: { id: 5 }, extra: true })
  expect(rows(driver, Checked.key)).toEqual({ 1: { id: 1, name: 'Ann', author: '5', extra: true } })
  expect(driver.read(Checked, [{ id: 1 }]).data).toMatchObject({ name: 'Ann', author: { id: 5 } })
  expect(Checked.createIfValid({ name: 'A' })).toBeInstanceOf(Checked)
  const fault = refused({ list: [Checked] }, { list: [{ id: 1, name: 'A', author: { id: 1 } }] }, 'validate-entity')
  expect(fault['issues']).toHaveLength(1)
  expect(fault.message).toMatch(`"Checked by ${name} 1 at list[0] of GET [{}]" was refused by its schema at "name": `)
})

test('VALID-2 VALID-9 a schema does not validate reads; it validates what the app writes', () => {
  const asked: unknown[] = []
  class Asked extends Entity {
    id = ''
    static override key = 'Asked'
    static override validate = {
      '~standard': {
        version: 1 as const,
        vendor: 'test',
        validate: (value: any) => {
          asked.push(value.id)
          return value.bad ? { issues: [{ message: 'bad' }] } : { value }
        },
      },
    }
  }
  const driver = receive(Asked, { id: 1 })
  driver.read(endpointFor(Asked), [{}])
  driver.set(Asked, [{ id: 2 }], { id: 2 })
  expect(() => driver.set(Asked, [{ id: 3 }], { id: 3, bad: true })).toThrow('validate-entity')
  expect(asked).toEqual([1, 2, 3])
  expect(Object.keys(rows(driver, 'Asked'))).toEqual(['1', '2'])
})

test('VALID-2 VALID-7 an asynchronous schema is refused', () => {
  class Slow extends Entity {
    id = ''
    static override key = 'Slow'
    static override validate = z.object({ id: z.number() }).refine(async () => true)
  }
  const driver = createDriver()
  const fault = catchError(() => receive(Slow, { id: 1 }, driver))
  expect(['validate-async', 'validate-entity']).toContain(fault.code)
  expect(fault).toMatchObject({ status: 400, issues: [] })
  class Later extends Entity {
    id = ''
    static override key = 'Later'
    static override validate = v.objectAsync({ id: v.number() })
  }
  expect(refused(Later, { id: 1 }, 'validate-async').message).toMatch('asynchronous')
})

// Another record

const get = (strict?: boolean, more: object = {}): any =>
  endpointFor(User, { key: (args: any) => `GET /user/${args?.id ?? args}`, strict, ...more })

test('ERR-9 a response with another record warns once for each endpoint, and stored under its own key', () => {
  const target = get()
  const driver = createDriver()
  for (const id of [1, 2]) {
    driver.open(target, [{ id }]).answer({ id: `other${id}` })
  }
  expect(warn).toHaveBeenCalledTimes(1)
  expect(warn.mock.calls[0]![0]).toMatch(/The response of "GET \/user\/1" is the record "other1" of "User", not "1"/)
  expect(Object.keys(rows(driver, 'User'))).toEqual(['other1', 'other2'])
  expect(driver.read(target, [{ id: 1 }]).data).toMatchObject({ id: 'other1' })
})

test('ERR-9 strict: true refuses it, strict: false is silent', () => {
  const driver = receive(User, { id: 1, name: 'good' })
  const before = driver.getState().entities
  const fault = catchError(() => driver.open(get(true), [{ id: 1 }]).answer({ id: 2 }))
  expect(fault).toMatchObject({ code: 'answer-other-record', status: 400, refused: true, response: { id: 2 } })
  expect(driver.getState().entities).toEqual(before)
  expect(driver.read(get(true), [{ id: 1 }]).error).toBe(fault)
  expect(() => driver.open(get(true), [5]).answer({ id: 2 })).toThrow('answer-other-record')
  driver.open(get(false), [{ id: 'me' }]).answer({ id: 7 })
  expect(driver.read(get(false), [{ id: 'me' }]).data).toMatchObject({ id: 7 })
  expect(warn).not.toHaveBeenCalled()
})

test.each([
  ['the same', [{ id: 1 }]],
  ['the same as text', [{ id: '1' }]],
  ['the key itself', ['1']],
  ['no arguments', []],
  ['another field', [{ name: 'Ann' }]],
  ['nothing', [undefined]],
])('ERR-9 %s: nothing to complain about', (_, args) => {
  const driver = createDriver()
  driver.open(get(true), args).answer({ id: 1 })
  expect(Object.keys(rows(driver, 'User'))).toEqual(['1'])
  expect(warn).not.toHaveBeenCalled()
})

test('ERR-9 arguments that name only a part of a key name none; of mutations only strict ones are checked', () => {
  class Repo extends Entity {
    owner = { login: '' }
    name = ''
    override pk(): string {
      return `${this.owner.login}/${this.name}`
    }
    static override key = 'Repo'
  }
  class Pair extends Entity {
    a = ''
    b = ''
    override pk(): string {
      return `${this.a}/${this.b}`
    }
    static override key = 'Pair'
  }
  const driver = createDriver()
  driver.open(endpointFor(Repo, { strict: true }), [{ name: 'x' }]).answer({ owner: { login: 'o' }, name: 'x' })
  driver.open(endpointFor(Pair, { strict: true }), [{ a: 'x' }]).answer({ a: 'x', b: 'y' })
  driver.open(get(undefined, { sideEffect: true }), [{ id: 'client' }]).answer({ id: 1 })
  driver.open(get(true, { sideEffect: true }), [{ id: 'client' }]).answer({ id: 2 })
  expect(warn).not.toHaveBeenCalled()
  const update = get(true, { sideEffect: true })
  expect(() => driver.open(update, [{ id: 1 }, { name: 'a' }]).answer({ id: 2 })).toThrow('answer-other-record')
})

// Hostile names

test('ENT-8 ENT-10 a field may have the name of a getter: the getter stays and nothing throws', () => {
  class Shape extends Entity {
    id = ''
    width = 2
    friend: any = undefined
    get area(): number {
      return this.width * 2
    }
    get owner(): string {
      return 'me'
    }
    static override key = 'Shape'
    static override schema = { owner: User }
  }
  const shape = read(Shape, { id: 1, width: 3, area: 100, owner: { id: 1 } })
  expect([shape.area, shape.width, shape.owner]).toEqual([6, 3, 'me'])
  expect(Shape.fromJS({ area: 5 } as never).area).toBe(4)
})
