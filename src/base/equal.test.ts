import fc from 'fast-check'
import { expect, test } from 'vitest'
import { copyPlain, freezePlain, isPlain, put, share } from './equal.ts'

const json = fc.jsonValue({ noUnicodeString: false })
const clone = <T>(value: T): T => structuredClone(value)

/** A chain of `depth` objects, each in the field `in` of the one before. */
function nest(depth: number, end: unknown = 0): any {
  let value: unknown = end
  for (let i = 0; i < depth; i++) {
    value = { in: value }
  }
  return value
}

test('ENT-29 an equal value is the old one, whatever its shape', () => {
  fc.assert(
    fc.property(json, (value) => {
      const old = clone(value)
      expect(share(old, clone(value))).toBe(old)
    }),
  )
})

test('ENT-29 the outcome equals the new value, and every part that is equal in the same place is the old one', () => {
  fc.assert(
    fc.property(json, json, (old, next) => {
      const [oldText, nextText] = [JSON.stringify(old), JSON.stringify(next)]
      const shared = share(old, next)
      expect(shared).toEqual(next)
      expectOldParts(old, shared)
      expect([JSON.stringify(old), JSON.stringify(next)]).toEqual([oldText, nextText])
    }),
  )
})

function expectOldParts(old: any, shared: any): void {
  if (typeof old !== 'object' || typeof shared !== 'object' || old === null || shared === null) {
    return
  }
  if (JSON.stringify(old) === JSON.stringify(shared)) {
    expect(shared).toBe(old)
  } else if (Array.isArray(old) === Array.isArray(shared)) {
    for (const name of Object.keys(shared)) {
      if (Object.hasOwn(old, name)) {
        expectOldParts(old[name], shared[name])
      }
    }
  }
}

class Money {
  cents = 1
}
const day = new Date(0)
const bytes = new Uint8Array(2)
const money = new Money()

test.each([
  ['NaN', Number.NaN, Number.NaN, true],
  ['0 and -0', 0, -0, false],
  ['a text and a number', '1', 1, false],
  ['null and undefined', null, undefined, false],
  ['an array and an object', [], {}, false],
  ['an absent and an undefined member', {}, { a: undefined }, false],
  ['a member that went', { a: 1, b: 2 }, { a: 1 }, false],
  ['another order of members', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}'), true],
  ['another __proto__', JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}'), false],
  ['an inherited name', {}, { toString: 1 }, false],
  ['the same date', { at: day }, { at: day }, true],
  ['two equal dates', { at: day }, { at: new Date(0) }, false],
  ['the same bytes', [bytes], [bytes], true],
  ['two equal instances', [money], [new Money()], false],
])('ENT-29 %s: kept %s', (_, old, next, kept) => {
  const shared = share(old, next)
  expect(Object.is(shared, old)).toBe(kept)
  if (!kept) {
    expect(shared).toEqual(next)
  }
})

test('ENT-29 beyond 500 levels values count as changed, and no depth overflows the stack', () => {
  const near = nest(400)
  expect(share(near, nest(400))).toBe(near)
  const far = nest(10_000)
  const next = nest(10_000)
  expect(share(far, next) === far).toBe(false)
})

test('ENT-29 the comparison of a graph with many shared parts stops instead of walking for ever', () => {
  const ring = (): object => {
    const root: any = { children: [] }
    for (let i = 0; i < 5; i++) {
      root.children.push({ parent: root })
    }
    return root
  }
  const old = ring()
  expect(share(old, ring()) === old).toBe(false)
  expect(share(old, old)).toBe(old)
})

test('ENT-9 a copy has nothing in common with the original but what is no container', () => {
  fc.assert(
    fc.property(json, (value) => {
      const copy = copyPlain(value)
      expect(copy).toEqual(value)
      if (typeof value === 'object' && value !== null) {
        expect(copy).not.toBe(value)
      }
    }),
  )
  const given = { list: [{ a: 1 }], day, bytes, money }
  const copy = copyPlain(given) as typeof given
  expect(copy.list[0]).not.toBe(given.list[0])
  expect([copy.day, copy.bytes, copy.money]).toEqual([day, bytes, money])
  expect(copy.day).toBe(day)
})

test('ENT-9 copying follows rings and any depth, and keeps a hostile name a name', () => {
  const ring: any = { name: 'a' }
  ring.self = ring
  const copy = copyPlain(ring) as any
  expect(copy).not.toBe(ring)
  expect(copy.self).toBe(copy)
  let at = copyPlain(nest(10_000, 'end')) as any
  for (let i = 0; i < 10_000; i++) {
    at = at.in
  }
  expect(at).toBe('end')
  const hostile = copyPlain(JSON.parse('{"__proto__":{"evil":1}}')) as object
  expect(Object.keys(hostile)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(hostile)).toBe(Object.prototype)
})

test('ENT-9 freezing reaches plain containers only, at most 10,000 of them', () => {
  const value = { list: [{ a: 1 }], day: new Date(0), bytes: new Uint8Array(1), money: new Money(), made: nest(3) }
  freezePlain(value)
  expect([value, value.list, value.list[0], value.made.in.in].map(Object.isFrozen)).toEqual([true, true, true, true])
  expect([value.day, value.bytes, value.money].map(Object.isFrozen)).toEqual([false, false, false])
  const long = nest(10_001)
  freezePlain(long)
  let at = long
  for (let i = 0; i < 9_999; i++) {
    at = at.in
  }
  expect(Object.isFrozen(at)).toBe(true)
  expect(Object.isFrozen(at.in)).toBe(false)
})

test.each([
  [{}, true],
  [[], true],
  [Object.create(null), true],
  [new Date(), false],
  [new Money(), false],
  [null, false],
  ['', false],
  [() => 0, false],
])('ENT-29 ENT-9 %o is a plain container: %s', (value, plain) => {
  expect(isPlain(value)).toBe(plain)
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', '\u2028', 'a'])(
  'NOR-9 a member may be named %o',
  (name) => {
    const target = {}
    put(target, name, { evil: 1 })
    expect(Object.entries(target)).toEqual([[name, { evil: 1 }]])
    expect(Object.getPrototypeOf(target)).toBe(Object.prototype)
    put(target, name, 2)
    expect(Object.entries(target)).toEqual([[name, 2]])
  },
)
