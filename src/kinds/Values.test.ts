import { expect, test } from 'vitest'
import { readReceived, receive, resultOf } from '../testing/drivers.ts'
import { endpointFor } from '../testing/endpoints.ts'
import { Link, Post } from '../testing/entities.ts'
import { Collection } from './Collection.ts'
import { Entity } from './Entity.ts'
import { Invalidate } from './Invalidate.ts'
import { Union } from './Union.ts'
import { Values } from './Values.ts'

class Rate extends Entity {
  currency = ''
  value = 0
  override pk(_parent?: any, key?: string): string {
    return this.currency || key!
  }
  static override key = 'Rate'
}

test('VAL-1 NOR-2 a map normalises each value; parent is the map, key the name', () => {
  const seen: unknown[] = []
  class Seen extends Rate {
    static override key = 'Seen'
    static override process(input: any, parent: any, key: string | undefined): any {
      seen.push(parent, key)
      return { currency: key, ...input }
    }
  }
  const schema = { rates: new Values(Seen) }
  const answer = { rates: { usd: { value: 1 }, eur: { value: 2 } } }
  const driver = receive(schema, answer)
  expect(driver.getState().entities['Seen']).toEqual({
    usd: { currency: 'usd', value: 1 },
    eur: { currency: 'eur', value: 2 },
  })
  // The first is processed once more, to see whether that changes it.
  expect(new Set(seen)).toEqual(new Set([answer.rates, 'usd', 'eur']))
  expect(readReceived(driver, schema).rates.eur).toBeInstanceOf(Seen)
})

test('VAL-2 nothing is dropped but what is null, missing, deleted or no record', () => {
  const schema = new Values(Post)
  const driver = receive(schema, {
    a: { id: 1 },
    b: null,
    c: undefined,
    d: 'never',
    e: { id: 2 },
    f: '',
    g: 0,
    h: false,
  })
  expect(Object.keys(resultOf(driver))).toEqual(['a', 'd', 'e', 'f', 'g', 'h'])
  driver.open(endpointFor(new Invalidate(Post), { sideEffect: true }), [{ x: 1 }]).answer({ id: 2 })
  expect(readReceived(driver, schema)).toMatchObject({ a: { id: 1 } })
  expect(Object.keys(readReceived(driver, schema))).toEqual(['a'])
  expect(readReceived(receive(new Values(Number), { a: '0', b: '1', c: null }), new Values(Number))).toEqual({
    a: 0,
    b: 1,
  })
})

test.each([
  ['a field', new Values({ post: Post, link: Link }, 'type')],
  ['a function', new Values({ post: Post, link: Link }, (_value, _parent, key) => key?.slice(2))],
  ['a union', new Values(new Union({ post: Post, link: Link }, 'type' as never))],
])('VAL-1 UNI-5 a map of several kinds, by %s', (_, schema) => {
  const driver = receive(schema, { 'a-post': { id: 1, type: 'post' }, 'b-link': { id: 1, type: 'link' } })
  expect(resultOf(driver)).toEqual({ 'a-post': { id: '1', schema: 'post' }, 'b-link': { id: '1', schema: 'link' } })
  const map = readReceived(driver, schema)
  expect([map['a-post'].constructor, map['b-link'].constructor]).toEqual([Post, Link])
})

test('VAL-3 a map cannot be read, except as a Collection', () => {
  const schema = new Values(Post)
  const driver = receive(schema, { a: { id: 1 } })
  expect(driver.read(schema, [{}]).data).toBe(undefined)
  const posts = new Collection(schema)
  receive(posts, { a: { id: 1 } }, driver)
  expect(driver.read(posts, [{}]).data).toMatchObject({ a: { id: 1 } })
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\u2028', '💥'])(
  'VAL-1 a map may have the key %o',
  (name) => {
    const answer = JSON.parse(`{${JSON.stringify(name)}:{"id":1},"a":{"id":2}}`)
    for (const schema of [new Values(Post), new Collection(new Values(Post))]) {
      const map = readReceived(receive(schema, answer), schema)
      expect(Object.keys(map)).toEqual(Object.keys(answer))
      expect(Object.getPrototypeOf(map)).toBe(Object.prototype)
      expect(Object.getOwnPropertyDescriptor(map, name)!.value).toBeInstanceOf(Post)
      expect(readReceived(receive(schema, { a: { id: 1 } }), schema)).not.toHaveProperty(['evil'])
    }
  },
)
