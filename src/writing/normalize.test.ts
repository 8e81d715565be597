import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { isRestitchError } from '../base/errors.ts'
import { createDriver, type Driver } from '../testing/drivers.ts'
import { All } from '../kinds/All.ts'
import { ArraySchema } from '../schema/Array.ts'
import { MixedArray } from '../kinds/MixedArray.ts'
import { Collection } from '../kinds/Collection.ts'
import { Entity } from '../kinds/Entity.ts'
import { Invalidate } from '../kinds/Invalidate.ts'
import { Lazy } from '../kinds/Lazy.ts'
import { ObjectSchema } from '../schema/Object.ts'
import { Query } from '../kinds/Query.ts'
import { Scalar } from '../kinds/Scalar.ts'
import type { IDenormalizeDelegate, SchemaClass, Visit } from '../schema/Schema.ts'
import { Union } from '../kinds/Union.ts'
import { Values } from '../kinds/Values.ts'
import { readReceived, receive, resultOf } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { User } from '../testing/entities.ts'
import { catchError } from '../testing/outcomes.ts'

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

class Post extends Entity {
  id = ''
  title = ''
  author = User.fromJS()
  likes: User[] = []
  static override key = 'Post'
  static override schema = { author: User, likes: [User] }
}

test('NOR-1 records go to their tables, and their primary keys stay in their place', () => {
  const ann = { id: 1, name: 'Ann' }
  const answer = { posts: [{ id: 'a', title: 't', author: ann, likes: [ann, { id: 2, name: 'Bob' }] }], page: 1 }
  const driver = receive({ posts: [Post] }, answer)
  expect(driver.getState()).toMatchObject({
    entities: {
      Post: { a: { id: 'a', title: 't', author: '1', likes: ['1', '2'] } },
      User: { 1: { id: 1, name: 'Ann' }, 2: { id: 2, name: 'Bob' } },
    },
    endpoints: { 'GET [{}]': { posts: ['a'], page: 1 } },
  })
})

// A schema of one's own: a value with its unit, kept as one text.
class Measure implements SchemaClass {
  readonly seen: unknown[] = []
  normalize(input: any, parent: any, key: string | undefined, args: readonly any[], _visit: Visit): unknown {
    this.seen.push([input, parent, key, args])
    return typeof input === 'object' ? `${input.value} ${input.unit}` : input
  }
  denormalize(input: string, _delegate: IDenormalizeDelegate): unknown {
    const [value, unit] = input.split(' ')
    return { value: Number(value), unit }
  }
  queryKey(): undefined {
    return undefined
  }
}

test('NOR-2 a schema gets the value, what encloses it, the name of the field and the arguments', () => {
  const measure = new Measure()
  class Box extends Entity {
    id = ''
    width: any = undefined
    static override key = 'Box'
    static override schema = { width: measure, all: [measure], deep: { inner: measure } }
  }
  const one = { value: 1, unit: 'm' }
  const two = { value: 2, unit: 'm' }
  const answer = { id: 1, width: one, all: [two], deep: { inner: one } }
  const args = [{ a: 1 }, { b: 2 }]
  const driver = receive(Box, answer, createDriver(), args)
  const processed = { id: 1, width: '1 m', all: ['2 m'], deep: { inner: '1 m' } }
  expect(measure.seen).toEqual([
    [one, processed, 'width', args],
    [two, processed, 'all', args],
    [one, answer.deep, 'inner', args],
  ])
  expect(driver.getState().entities['Box']).toEqual({ 1: processed })
  expect(driver.read(Box, [{ id: 1 }]).data).toMatchObject(answer)
})

test('NOR-2 of a value at the top the parent is the value itself, without a key', () => {
  const measure = new Measure()
  const value = { value: 1, unit: 'm' }
  receive(measure, value)
  const list = [value]
  receive([measure], list)
  expect(measure.seen).toEqual([
    [value, value, undefined, [{}]],
    [value, list, undefined, [{}]],
  ])
})

test('NOR-3 null and undefined stay what they are, at any depth', () => {
  const answer = { user: null, users: [null, undefined], post: { id: 1, author: null, likes: undefined }, map: null }
  const driver = receive({ user: User, users: [User], post: Post, map: new Values(User) }, answer)
  expect(resultOf(driver)).toStrictEqual({ user: null, users: [null, undefined], post: '1', map: null })
  expect(driver.getState().entities['Post']).toStrictEqual(
    Object.assign(Object.create(null), { 1: { id: 1, author: null, likes: undefined } }),
  )
  expect(driver.read(Post, [{ id: 1 }]).data).toMatchObject({ author: null, likes: undefined })
})

test.each([
  [5, '5'],
  ['5', '5'],
  [0, '0'],
  [-0, '0'],
  [5n, '5'],
  [true, 'true'],
  ['', ''],
  [false, false],
])('NOR-4 where a record is expected, %o is kept as %o', (given, kept) => {
  const driver = receive({ user: User, list: [User] }, { user: given, list: [given] })
  expect(resultOf(driver)).toEqual({ user: kept, list: [kept] })
  receive(User, { id: given === 0 ? 0 : 5, name: 'Ann' }, driver, [{ other: 1 }])
  if (kept === '5' || kept === '0') {
    expect(readReceived(driver, { user: User, list: [User] }).list).toMatchObject([{ name: 'Ann' }])
  }
})

const OBJECTS: [string, unknown][] = [
  ['Entity', User],
  ['array', [User]],
  ['schema.Array', new ArraySchema(User)],
  ['object', { user: User }],
  ['schema.Object', new ObjectSchema({ user: User })],
  ['Values', new Values(User)],
  ['Union', new Union({ user: User }, 'type' as never)],
  ['All', new All(User)],
  ['Collection', new Collection([User])],
  ['push', new Collection([User]).push],
  ['Query', new Query(new Collection([User]))],
]

test.each(
  OBJECTS.flatMap(([name, schema]) =>
    [null, undefined, 'text', 5, true, ''].map((value) => [name, value, schema] as const),
  ),
)('NOR-5 %s: %o at the top is refused', (_, value, schema) => {
  const driver = createDriver()
  const fault = catchError(() => receive(schema, value, driver))
  const found = value === null ? 'null' : typeof value
  expect(fault).toMatchObject({ code: 'input-wrong-kind', status: 400, refused: true, response: value })
  expect(fault.message).toMatch(/^Error processing GET \[\{\}\] \(.+\): Expected an object/)
  expect(fault.message).toMatch(`, but the response is ${found}. `)
  expect(driver.getState().endpoints).toEqual({})
})

test('NOR-5 a text that is JSON gets a hint; Invalidate takes a key; without a schema anything goes', () => {
  expect(catchError(() => receive(User, '{"id":1}')).message).toMatch('It is JSON as text')
  expect(catchError(() => receive(User, null)).message).toMatch('process: (value, ...args) => value ?? …')
  expect(catchError(() => receive(User, 5)).message).toMatch('Check the URL')
  expect(catchError(() => receive(User, 'null?')).message).not.toMatch('JSON')
  for (const pk of ['5', 5]) {
    const driver = receive(User, { id: 5 })
    driver.open(endpointFor(new Invalidate(User), { sideEffect: true }), [{ x: 1 }]).answer(pk)
    expect(driver.read(User, [{ id: 5 }]).data).toBe(undefined)
  }
  expect(catchError(() => receive(new Invalidate(User), null))).toMatchObject({ status: 400 })
  for (const value of [null, 'text', 0, false, [1], { a: 1 }]) {
    expect(readReceived(receive(undefined, value), undefined)).toEqual(value)
    expect(readReceived(receive(null, value), null)).toEqual(value)
  }
})

// Responses of any shape that fits the schema.
const user = fc.record({ id: fc.integer({ min: 1, max: 4 }), name: fc.string() }, { requiredKeys: ['id'] })
const post = fc.record(
  {
    id: fc.integer({ min: 1, max: 4 }).map((id) => `p${id}`),
    title: fc.string(),
    author: fc.option(user),
    likes: fc.array(user, { maxLength: 3 }),
    extra: fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['id'] },
)
const answer = fc.record({ posts: fc.array(post, { maxLength: 4 }), users: fc.array(user, { maxLength: 3 }) })
const ANSWER = { posts: [Post], users: [User] }

test('NOR-6 ENT-9 the input is neither changed nor frozen', () => {
  fc.assert(
    fc.property(answer, fc.boolean(), (value, fromApp) => {
      const copy = structuredClone(value)
      const driver = createDriver()
      if (fromApp) {
        driver.setResponse(endpointFor(ANSWER), [{}], value)
      } else {
        receive(ANSWER, value, driver)
      }
      receive(ANSWER, value, driver)
      expect(value).toEqual(copy)
      const parts: unknown[] = [value]
      for (const part of parts) {
        if (typeof part !== 'object' || part === null) {
          continue
        }
        if (Object.keys(part).length > 0) {
          expect(Object.isFrozen(part)).toBe(false)
        }
        parts.push(...Object.values(part))
      }
      const state = JSON.stringify(driver.getState().entities)
      value.posts.forEach((one) => Object.assign(one, { title: 'changed' }))
      expect(JSON.stringify(driver.getState().entities)).toBe(state)
    }),
    { numRuns: cases(200) },
  )
})

test('NOR-1 reading returns the normalised value', () => {
  const distinct = fc.uniqueArray(post, { selector: (one) => one.id, maxLength: 4 })
  fc.assert(
    fc.property(distinct, (posts) => {
      // One name for each user: the same record cannot have two.
      const named = JSON.parse(JSON.stringify(posts), (_, value) =>
        typeof value?.id === 'number' && value.title === undefined ? { id: value.id, name: `u${value.id}` } : value,
      )
      const data = readReceived(receive([Post], named), [Post])
      expect(data).toHaveLength(named.length)
      for (const [i, one] of named.entries()) {
        expect(pick(data[i], one)).toEqual(one)
      }
    }),
    { numRuns: cases(200) },
  )
})

/** The value read, without the defaults of missing fields. */
function pick(data: any, shape: any): any {
  if (Array.isArray(shape)) {
    return shape.map((item, i) => pick(data[i], item))
  }
  if (typeof shape !== 'object' || shape === null) {
    return data
  }
  return Object.fromEntries(Object.keys(shape).map((name) => [name, pick(data[name], shape[name])]))
}

test('ENT-29 the same response twice changes nothing and keeps every reference', () => {
  fc.assert(
    fc.property(answer, (value) => {
      const driver = receive(ANSWER, value)
      const state = driver.getState().entities
      const before = readReceived(driver, ANSWER)
      receive(ANSWER, structuredClone(value), driver)
      const after = readReceived(driver, ANSWER)
      expect(after).toBe(before)
      expect(driver.getState().entities).toEqual(state)
    }),
    { numRuns: cases(200) },
  )
})

test('NOR-7 a record that occurs twice in one response is merged with merge(first, second), before the stored row', () => {
  const calls: unknown[] = []
  class Tag extends Entity {
    id = ''
    static override key = 'Tag'
    static override merge(existing: any, incoming: any): any {
      calls.push([existing, incoming])
      return { ...existing, ...incoming, names: [...(existing.names ?? []), ...(incoming.names ?? [])] }
    }
    static override shouldReorder(): boolean {
      return true
    }
  }
  const driver = receive(
    [Tag],
    [
      { id: 1, names: ['a'], x: 1 },
      { id: 1, names: ['b'], y: 2 },
    ],
  )
  expect(calls).toEqual([
    [
      { id: 1, names: ['a'], x: 1 },
      { id: 1, names: ['b'], y: 2 },
    ],
  ])
  expect(driver.getState().entities['Tag']).toEqual({ 1: { id: 1, names: ['a', 'b'], x: 1, y: 2 } })
  const plain = receive(
    [User],
    [
      { id: 1, name: 'a', x: 1 },
      { id: 1, name: 'b' },
    ],
  )
  expect(plain.getState().entities['User']).toEqual({ 1: { id: 1, name: 'b', x: 1 } })
})

class Person extends Entity {
  id = ''
  friend: any = undefined
  friends: any[] = []
  static override key = 'Person'
}
Person.schema = { friend: Person, friends: [Person] }

test('NOR-8 REL-6 objects that refer to each other are visited once', () => {
  const ann: any = { id: 'a' }
  const bob: any = { id: 'b', friend: ann }
  ann.friend = bob
  ann.friends = [ann, bob]
  const driver = receive(Person, ann)
  expect(driver.getState().entities['Person']).toEqual({
    a: { id: 'a', friend: 'b', friends: ['a', 'b'] },
    b: { id: 'b', friend: 'a' },
  })
  const read = driver.read(Person, [{ id: 'a' }]).data
  expect(read.friend.friend).toBe(read)
  expect(read.friends[0]).toBe(read)
})

test('NOR-8 several objects for one record may refer to each other, however many', () => {
  const faces: any[] = Array.from({ length: 8 }, (_, n) => ({ id: 'a', n }))
  for (const face of faces) {
    face.friends = faces
  }
  const driver = receive([Person], faces)
  expect(driver.getState().entities['Person']).toEqual({ a: { id: 'a', n: 7, friends: Array(8).fill('a') } })
  expect(resultOf(driver)).toEqual(Array(8).fill('a'))
})

test('NOR-8 a ring that no schema looks into is kept by the app, and written twice', () => {
  const root: any = { id: 1, children: [] }
  for (let i = 0; i < 4; i++) {
    root.children.push({ parent: root })
  }
  const driver = createDriver()
  driver.set(User, [{ id: 1 }], root)
  driver.set(User, [{ id: 1 }], root)
  const stored = driver.read(User, [{ id: 1 }]).data as any
  expect(stored.children[0].parent.children).toHaveLength(4)
})

test('NOR-9 fields that no schema names are kept', () => {
  const extra = { deep: [{ a: null }], text: 'x', __typename: 'User' }
  expect(readReceived(receive(User, { id: 1, ...extra }), User)).toMatchObject(extra)
})

test('NOR-10 a text instead of a schema is a default: any value passes', () => {
  const schema = { kind: 'x', list: 'y', 'a b': '' }
  const answer = { kind: { a: [1] }, list: [{ b: 1 }], 'a b': 5 }
  expect(readReceived(receive(schema, answer), schema)).toEqual(answer)
  class Kind extends Entity {
    id = ''
    kind: any = ''
    static override key = 'Kind'
    static override schema = { kind: 'x' }
  }
  expect(readReceived(receive(Kind, { id: 1, kind: { a: 1 } }), Kind).kind).toEqual({ a: 1 })
})

// Depth

const DEPTH = 10_000

function chain(depth: number, end: any): any {
  let value = end
  for (let i = depth; i > 0; i--) {
    value = { id: `n${i}`, friend: value }
  }
  return value
}

test('NOR-1 DEN-12 records nested 10,000 levels deep are normalised and read', () => {
  const driver = receive(Person, chain(DEPTH, { id: 'end', friends: [{ id: 'last' }] }))
  expect(driver.store.tables.table('Person').rows).toHaveLength(DEPTH + 2)
  let at = driver.read(Person, [{ id: 'n1' }]).data
  for (let i = 0; i < DEPTH; i++) {
    at = at.friend
  }
  expect([at.id, at.friends[0].id]).toEqual(['end', 'last'])
})

test.each<[string, (Class: any) => any, (value: unknown) => unknown]>([
  ['lists', (Class) => [Class], (value) => [value]],
  ['maps', (Class) => new Values(Class), (value) => ({ a: value })],
  ['objects', (Class) => ({ inner: Class }), (value) => ({ inner: value })],
  ['unions', (Class) => new Union({ deep: Class }, () => 'deep'), (value) => value],
  ['Collections', (Class) => new Collection([Class], { nestKey: ({ id }) => ({ of: id }) }), (value) => [value]],
])('NOR-1 DEN-12 nesting may go through %s', (_, make, wrap) => {
  class Deep extends Entity {
    id = ''
    inner: any = undefined
    static override key = 'Deep'
  }
  Deep.schema = { inner: make(Deep) }
  let value: any = { id: 'end' }
  for (let i = 3_000; i > 0; i--) {
    value = { id: `n${i}`, inner: wrap(value) }
  }
  const driver = receive(Deep, value)
  expect(driver.store.tables.table('Deep').rows).toHaveLength(3_001)
  expect(driver.read(Deep, [{ id: 'n1' }]).data.id).toBe('n1')
})

test('NOR-9 values 10,000 levels deep that no schema names are kept, also without any schema', () => {
  let deep: any = 'end'
  for (let i = 0; i < DEPTH; i++) {
    deep = i % 2 ? [deep] : { in: deep }
  }
  const driver = createDriver()
  for (let again = 0; again < 2; again++) {
    receive(User, { id: 1, deep }, driver)
    receive(undefined, deep, driver, [{ plain: 1 }])
    driver.set(User, [{ id: 2 }], { id: 2, deep })
  }
  let at = readReceived(driver, undefined, [{ plain: 1 }])
  for (let i = 0; i < DEPTH; i++) {
    at = Object.values(at)[0]
  }
  expect(at).toBe('end')
  expect((driver.read(User, [{ id: 2 }]).data as any).deep).toBeTypeOf('object')
})

test('NOR-5 a schema that refers to itself, with more levels than a stack has, is refused', () => {
  const tree: any = { user: User }
  tree.child = tree
  let value: any = {}
  for (let i = 0; i < 100_000; i++) {
    value = { user: { id: 1 }, child: value }
  }
  const driver = createDriver()
  expect(catchError(() => receive(tree, value, driver))).toMatchObject({
    code: 'input-too-deep',
    status: 400,
    refused: true,
  })
  expect(driver.getState().entities).toEqual({})
  expect(readReceived(receive(tree, { user: { id: 1 }, child: { user: 2 } }), tree)).toMatchObject({ user: { id: 1 } })
})

test('ENT-4 a fault 10,000 levels down is an error that can be read, and nothing is stored', () => {
  const driver = receive(User, { id: 1 })
  const before = driver.getState().entities
  const fault = catchError(() => receive(Person, chain(DEPTH, { name: 'no id' }), driver))
  expect(fault).toMatchObject({ code: 'entity-missing-pk', status: 400 })
  expect(fault.message.length).toBeLessThan(1_000)
  const top = catchError(() => receive(Person, { friend: chain(DEPTH, null) }, driver))
  expect(top.message).toMatch('"Person" of GET [{}]')
  expect(driver.getState().entities).toEqual(before)
})

// Hostile input

class Note extends Entity {
  id = ''
  at: any = undefined
  static override key = 'Note'
  static override indexes = ['type', 'at']
}
class Item extends Entity {
  id = ''
  price: any = undefined
  static override key = 'Item'
}
const kinds = new Union({ post: Post, note: Note, constructor: User, __proto__: User } as never, 'type')
class Every extends Entity {
  id = ''
  author: any = undefined
  static override key = 'Every'
  static override schema = {
    author: User,
    items: [Post],
    list: new Collection([User], { nestKey: (parent) => ({ of: parent.id }) }),
    type: kinds,
    name: new Values(kinds),
    at: (text: string) => new Date(text),
    toString: { author: Note, at: Number },
    lazy: new Lazy([User]),
    data: new Scalar({ key: 'data', lens: () => 'x' }),
    constructor: Note,
    hasOwnProperty: new MixedArray({ post: Post, note: Note }, 'type'),
  } as never
}
Object.defineProperty(Every.schema, '__proto__', { value: Note, enumerable: true })

const SCHEMAS: [string, unknown][] = [
  ['Entity', Every],
  ['Note', Note],
  ['array', [Every]],
  ['object', { data: Every, items: [Post], list: new Collection([Note]), toString: User, total: 0 }],
  ['Values', new Values(Every)],
  ['Values of kinds', new Values({ post: Post, note: Note } as never, 'type')],
  ['Union', kinds],
  ['Collection', new Collection([Every])],
  ['Collection of a map', new Collection(new Values(kinds))],
  ['push', new Collection([Every]).push],
  ['unshift', new Collection([kinds]).unshift],
  ['remove', new Collection([Every]).remove],
  ['move', new Collection([Every]).move],
  ['assign', new Collection(new Values(Every)).assign],
  ['All', new All(Every)],
  ['Invalidate', new Invalidate(Every)],
  ['Invalidate kinds', new Invalidate(kinds)],
  ['Query', new Query(new Collection([Every]), (list: any) => list.length)],
  ['Lazy', new Lazy([Every])],
  ['Scalar', new Values(new Scalar({ key: 'price', lens: () => 'usd', entity: Item }))],
  ['none', undefined],
]

const FIELDS = ['id', 'type', 'author', 'items', 'list', 'name', 'at', 'lazy', 'data', 'schema', 'total', '', '0']
const INHERITED = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', 'prototype', 'toJSON', 'then']
const NAMES = [...FIELDS, ...INHERITED]
const TEXTS = [...NAMES, 'post', 'note', 'undefined', 'null', 'NaN', 'optimistic-1-0', '{}', '2020-01-01', '\u2028']
const hostile = fc.letrec((tie) => ({
  leaf: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<any>(...TEXTS) },
    fc.constantFrom<any>(0, 1, 2, -0, 1e21, true, false, null),
    fc.string({ unit: 'binary' }),
  ),
  object: fc
    .uniqueArray(fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.string()), tie('any')), {
      selector: ([name]) => name,
      maxLength: 6,
    })
    .map((members) => {
      const out = {}
      for (const [name, value] of members) {
        Object.defineProperty(out, name, { value, writable: true, enumerable: true, configurable: true })
      }
      return out
    }),
  // Most objects should come as far as the store.
  record: fc.tuple(tie('object'), fc.constantFrom<any>(1, 2, '3', '__proto__', 'constructor')).map(([one, id]) =>
    Object.hasOwn(one as object, 'id')
      ? one
      : Object.defineProperty(one as object, 'id', {
          value: id,
          enumerable: true,
          writable: true,
          configurable: true,
        }),
  ),
  any: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    tie('leaf'),
    { weight: 3, arbitrary: tie('record') },
    { weight: 2, arbitrary: tie('object') },
    { weight: 2, arbitrary: fc.array(tie('any'), { maxLength: 4 }) },
  ),
}))

const PROTOTYPES = [
  ...[Object, Array, Function, String, Number, Map, Set, Promise, Error, Date].map((one) => one.prototype as object),
  ...[Entity, User, Post, Note, Every].flatMap((Class) => [Class.prototype, Class as object]),
]
/** Every member of every prototype, to be compared one by one. */
function membersOf(): unknown[] {
  const all: unknown[] = []
  for (const one of PROTOTYPES) {
    all.push(Object.getPrototypeOf(one))
    for (const [name, { value, get, set }] of Object.entries(Object.getOwnPropertyDescriptors(one))) {
      all.push(name, value, get, set)
    }
  }
  return all
}

function view(driver: Driver): unknown {
  const { entities, endpoints, indexes } = driver.getState()
  return { entities: { ...entities }, endpoints: { ...endpoints }, indexes: { ...indexes } }
}

test.each(SCHEMAS)(
  'ST-8 any JSON into %s is stored, or refused with a code and leaves the store as it was; no prototype changes',
  (_, schema) => {
    const before = membersOf()
    fc.assert(
      fc.property(
        fc.array(fc.tuple(hostile.any, fc.constantFrom('answer', 'mutation', 'set', 'response', 'pending')), {
          minLength: 1,
          maxLength: 3,
        }),
        (writes) => {
          const driver = createDriver()
          receive([Every], [{ id: 1, author: { id: 1 }, list: [] }], driver, [{ seed: 1 }])
          for (const [value, how] of writes) {
            const args = [{ id: 1 }]
            const target = endpointFor(schema, { sideEffect: how === 'mutation', key: () => how })
            const old = view(driver)
            try {
              if (how === 'pending') {
                const getOptimisticResponse = (): unknown => value
                const request = driver.open(Object.assign(target, { sideEffect: true, getOptimisticResponse }), args)
                expect(view(driver)).toEqual(old)
                request.fail(new Error('refused'))
                expect(view(driver)).toEqual(old)
                continue
              }
              if (how === 'set') {
                driver.set(schema as object, args, value)
              } else if (how === 'response') {
                driver.setResponse(target, args, value)
              } else {
                driver.open(target, args).answer(value)
              }
            } catch (fault) {
              if (!isRestitchError(fault)) {
                throw fault
              }
              expect(fault).toMatchObject({ status: 400 })
              expect(view(driver)).toEqual(old)
            }
            try {
              const reading = driver.read(target, args)
              if (reading.error !== undefined && !isRestitchError(reading.error)) {
                throw reading.error
              }
            } catch (fault) {
              if (!isRestitchError(fault)) {
                throw fault
              }
            }
            for (const rows of driver.store.tables.tables.values()) {
              for (const row of rows.byPk.values()) {
                expect(row.patch).toBe(undefined)
              }
            }
          }
        },
      ),
      { numRuns: cases(200) },
    )
    const after = membersOf()
    expect(after.length === before.length && after.every((one, i) => Object.is(one, before[i]))).toBe(true)
  },
)

const HOSTILE = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  '💥',
  '\u2028',
  'a b',
  '\0',
]

test.each(HOSTILE)('ENT-3 NOR-9 %o is an ordinary primary key, field and index value; a miss is a miss', (name) => {
  const driver = receive(User, { id: 'other' })
  expect(driver.read(User, [{ id: name }]).data).toBe(undefined)
  expect(driver.read(endpointFor(User), [{ id: name }]).data).toBe(undefined)
  const value = JSON.parse(
    `{"id":${JSON.stringify(name)},${JSON.stringify(name)}:{"evil":1},"type":${JSON.stringify(name)}}`,
  )
  receive(Note, value, driver, [{ id: name }])
  const note = driver.read(Note, [{ id: name }]).data
  expect(note).toBeInstanceOf(Note)
  expect(Object.getOwnPropertyDescriptor(note, name)!.value).toEqual({ evil: 1 })
  expect(driver.read(Note, [{ type: name }]).data).toBe(note)
  for (const other of HOSTILE) {
    if (other !== name) {
      expect(driver.read(Note, [{ type: other }]).data).toBe(undefined)
    }
  }
  driver.set(Note, [{ id: name }], (old: any) => ({ ...old, at: 5 }))
  expect(driver.read(Note, [{ id: name }]).data.at).toBe(5)
  const state = driver.getState()
  expect(Object.keys(state.entities['Note']!)).toEqual([name])
  expect(Object.keys(state.indexes['Note']!['type']!)).toEqual([name])
  expect(Object.getPrototypeOf(state.entities)).toBe(null)
  expect(({} as any).evil).toBe(undefined)
  driver.open(endpointFor(new Invalidate(Note), { sideEffect: true }), [{ id: name }]).answer(name)
  expect(driver.read(Note, [{ id: name }]).data).toBe(undefined)
})

test.each(HOSTILE)('ENT-6 a table, an endpoint and an argument of a list may be named %o', (name) => {
  class Named extends Entity {
    id = ''
    static override key = name
  }
  const lists = new Collection([Named])
  const target = endpointFor(lists, { key: () => name })
  const driver = createDriver()
  const args = [JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(name)}}`)]
  expect(driver.read(target, args)).toMatchObject({ data: undefined, error: undefined })
  driver.open(target, args).answer([{ id: name }])
  expect(driver.read(target, args).data).toMatchObject([{ id: name }])
  expect(driver.read(lists, args).data).toBe(driver.read(target, args).data)
  expect(driver.read(lists, [{}]).data).toBe(undefined)
  expect(Object.keys(driver.getState().entities)).toContain(name)
  expect(Object.keys(driver.getState().endpoints)).toEqual([name])
  driver.open(endpointFor(lists.push, { sideEffect: true }), args).answer({ id: 'new' })
  expect(driver.read(lists, args).data).toHaveLength(2)
})

test.each<[string, unknown, string]>([
  ['in a list', [{ id: 1 }, {}], 'at [1] of GET'],
  ['in a record', [{ id: 1, link: {} }], 'at [0].link of GET'],
  [
    'records deep',
    [{ id: 1, link: { id: 2, others: [{ id: 3 }, { id: 4, link: {} }] } }],
    'at [0].link.others[1].link of GET',
  ],
])('ENT-4 the error of a record without a pk says where it stands: %s', (_name, value, where) => {
  class Linked extends Entity {
    id = ''
    static override key = 'Linked'
    static override schema: any = {}
  }
  Linked.schema = { link: Linked, others: [Linked] }
  expect(() => receive([Linked], value)).toThrow(where)
})

test('ENT-2 a class that overrides only the static pk gives each key', () => {
  class Named extends Entity {
    id = ''
    slug = ''
    static override key = 'Named'
    static override pk({ slug }: any): string {
      return slug
    }
  }
  const driver = receive(Named, { id: '1', slug: 'a' })
  expect(Object.keys(driver.getState().entities['Named']!)).toEqual(['a'])
})
