import { expect, test } from 'vitest'
import { show } from './show.ts'

const ring: any = { a: 1 }
ring.self = ring
let deep: unknown = 0
for (let i = 0; i < 100_000; i++) {
  deep = [deep]
}

test.each([
  [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
  ['text', '"text"'],
  [undefined, 'undefined'],
  [null, 'null'],
  [5n, '5'],
  [Symbol('s'), 'Symbol(s)'],
  [ring, '[object Object]'],
  [{ big: 1n }, '[object Object]'],
  ['x'.repeat(1_000), `"${'x'.repeat(299)}…`],
])('G-6 a message shows %o', (value, text) => {
  expect(show(value)).toBe(text)
})

test('G-6 a message shows what is too deep for JSON', () => {
  // Newer engines write it without recursion, and then it is cut.
  expect(['[object Array]', `${'['.repeat(300)}…`]).toContain(show(deep))
})
