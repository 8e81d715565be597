import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { readReceived, receive, resultOf } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { Link, Post } from '../testing/entities.ts'
import { All } from './All.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { Union } from './Union.ts'

let warn: Mock
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
})

const item = new Union({ post: Post, link: Link }, 'type')

test('UNI-1 a union needs an attribute', () => {
  expect(() => new Union({ post: Post }, undefined as never)).toThrow(
    /^Expected option "schemaAttribute" not found on UnionSchema\..*union-attribute/,
  )
})

test.each([
  ['a field', item],
  ['a function', new Union({ post: Post, link: Link }, (value) => value.type)],
  ['numbers', new Union({ 1: Post, 2: Link }, (value) => (value.type === 'post' ? 1 : 2))],
])('UNI-2 by %s: stored as id and schema, read as the right class', (_, schema) => {
  const driver = receive(schema, { id: 5, type: 'link', url: 'u' })
  expect(resultOf(driver)).toEqual({ id: '5', schema: Object.keys(schema.schema).at(-1) })
  const link = readReceived(driver, schema)
  expect(link).toBeInstanceOf(Link)
  expect(link).toBe(driver.read(Link, [{ id: 5 }]).data)
})

test.each([
  ['another name', { id: 1, type: 'unknown-a' }, 'unknown-a'],
  ['no name', { id: 1 }, 'undefined'],
  ['the name of an inherited member', { id: 1, type: 'constructor' }, 'constructor'],
  ['that of a prototype', { id: 1, type: '__proto__' }, '__proto__'],
  ['that of a method', { id: 1, type: 'toString' }, 'toString'],
  ['an object', { id: 1, type: JSON.parse('{"toString":1,"valueOf":2}') }, 'undefined'],
  ['an array', { id: 1, type: ['post'] }, 'undefined'],
])('UNI-3 %s belongs to no member: warned about, kept and read back as it came', (title, value, named) => {
  const schema = new Union({ post: Post, link: Link, [title]: Link }, 'type')
  const driver = receive(schema, value)
  expect(driver.getState().entities).toEqual({})
  expect(readReceived(driver, schema)).toEqual(value)
  expect(warn.mock.calls.flat().join()).toMatch(`"${named}`)
  expect(warn.mock.calls.flat().join()).toMatch('post, link')
})

test('UNI-3 a member may have any name, and the attribute may have any name', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '💥']) {
    const schema = new Union(Object.defineProperty({}, name, { value: Post, enumerable: true }), name)
    const value = JSON.parse(`{"id":1,${JSON.stringify(name)}:${JSON.stringify(name)}}`)
    expect(readReceived(receive(schema, value), schema)).toBeInstanceOf(Post)
    // Without it, what objects inherit under that name does not count.
    expect(readReceived(receive(schema, { id: 2 }), schema)).toEqual({ id: 2 })
  }
  expect(({} as any).id).toBe(undefined)
})

test('UNI-2 a record of nothing but id and schema is a record where "schema" is the attribute', () => {
  const schema = new Union({ post: Post, link: Link }, 'schema' as never)
  const driver = receive(
    [schema],
    [
      { id: 1, schema: 'post' },
      { id: '2', schema: 'link' },
    ],
  )
  expect(readReceived(driver, [schema])).toMatchObject([{ id: 1 }, { id: '2' }])
  expect(driver.getState().entities).toEqual({
    Post: { 1: { id: 1, schema: 'post' } },
    Link: { 2: { id: '2', schema: 'link' } },
  })
})

test('UNI-4 read with the attribute: that member only; without: each in turn', () => {
  const driver = receive(
    [item],
    [
      { id: 1, type: 'link' },
      { id: 2, type: 'post' },
      { id: 2, type: 'link' },
    ],
  )
  const ask = (...args: any[]): any => driver.read(item, args).data?.constructor
  expect([ask({ id: 1 }), ask('1'), ask({ id: 2 }), ask(2)]).toEqual([Link, Link, Post, Post])
  expect([ask({ id: 2, type: 'link' }), ask({ id: 1, type: 'post' }), ask({ id: 1, type: 'no' })]).toEqual([
    Link,
    undefined,
    undefined,
  ])
  expect([ask(), ask(undefined), ask({ id: 9 })]).toEqual([undefined, undefined, undefined])
  const careless = new Union({ post: Post, link: Link }, (value) => value.type.toLowerCase())
  expect(driver.read(careless, [{ id: 1 }]).data).toBeInstanceOf(Link)
  expect(driver.read(careless, [{ id: 2, type: 'LINK' }]).data).toBeInstanceOf(Link)
})

test('UNI-5 a union is transparent in a Collection and in All', () => {
  const items = new Collection([item])
  const driver = receive(items, [
    { id: 1, type: 'link' },
    { id: 1, type: 'post' },
  ])
  expect(items.key).toBe('[Post;Link]')
  expect(driver.getState().entities['[Post;Link]']).toEqual({
    '{}': [
      { id: '1', schema: 'link' },
      { id: '1', schema: 'post' },
    ],
  })
  expect(readReceived(driver, items).map((one: any) => one.constructor)).toEqual([Link, Post])
  expect(driver.read(new All(item), []).data.map((one: any) => one.type)).toEqual(['post', 'link'])
})

test('UNI-2 INV-1 a union takes its members out', () => {
  const driver = receive(
    [item],
    [
      { id: 1, type: 'link' },
      { id: 1, type: 'post' },
    ],
  )
  const gone = endpointFor(new Invalidate(item), { sideEffect: true })
  driver.open(gone, [{ x: 1 }]).answer({ id: 1, type: 'post' })
  expect(readReceived(driver, [item])).toMatchObject([{ type: 'link' }])
})

test('NOR-13 UNI-2 a member that was read is a reference, also when it no longer says which it is', () => {
  class Silent extends Entity {
    id = 0
    label = ''
    static override key = 'Silent'
    static override process({ type: _, ...rest }: any): any {
      return rest
    }
  }
  class Holder extends Entity {
    id = 0
    it: any = undefined
    note = ''
    static override key = 'Holder'
    static override schema = { it: new Union({ silent: Silent, post: Post }, 'type') }
  }
  const driver = receive(Holder, { id: 1, it: { id: 2, type: 'silent', label: 'a' } })
  const holder = readReceived(driver, Holder)
  driver.set(Silent, [{ id: 2 }], { id: 2, label: 'b' })
  driver.set(Holder, [{ id: 1 }], { ...holder, note: 'n' })
  expect(driver.getState().entities['Holder']).toEqual({ 1: { id: 1, it: { id: '2', schema: 'silent' }, note: 'n' } })
  expect(readReceived(driver, Holder).it).toMatchObject({ label: 'b' })
  expect(warn).not.toHaveBeenCalled()
})

test('DEN-6 a deleted member of a required field makes its owner invalid', () => {
  class Pin extends Entity {
    id = ''
    it: any = Post.fromJS()
    maybe: any = undefined
    static override key = 'Pin'
    static override schema = { it: item, maybe: item }
  }
  const driver = receive(Pin, { id: 1, it: { id: 1, type: 'post' }, maybe: { id: 2, type: 'link' } })
  const gone = endpointFor(new Invalidate(item), { sideEffect: true })
  driver.open(gone, [{ x: 1 }]).answer({ id: 2, type: 'link' })
  expect(readReceived(driver, Pin)).toMatchObject({ maybe: undefined, it: { id: 1 } })
  driver.open(gone, [{ x: 2 }]).answer({ id: 1, type: 'post' })
  expect(driver.read(endpointFor(Pin), [{}])).toMatchObject({ data: undefined, expiryStatus: 1 })
})
