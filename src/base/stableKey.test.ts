import { expect, test } from 'vitest'
import { stableKey } from './stableKey.ts'

test.each([
  [{ b: 2, a: 1 }, '{"a":1,"b":2}'],
  [[{ b: { d: 1, c: 2 }, a: [{ z: 1, y: 2 }] }], '[{"a":[{"y":2,"z":1}],"b":{"c":2,"d":1}}]'],
  [[undefined, null, 1, 'x', true], '[null,null,1,"x",true]'],
  [{ a: undefined }, '{}'],
  [[new Date(0)], '["1970-01-01T00:00:00.000Z"]'],
  [JSON.parse('{"b":1,"__proto__":{"x":1}}'), '{"__proto__":{"x":1},"b":1}'],
  [Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
])('EP-6 the members of an object are written in sorted order: %o', (value, text) => {
  expect(stableKey(value)).toBe(text)
})
