import { expect, test } from 'vitest'
import { applyEdits, shiftMap } from '../scripts/edits.mjs'
import { findFields } from '../scripts/fields.mjs'

const removeFields = (file: string, text: string): string => applyEdits(text, findFields(file, text))

const classOf = (fields: string, body: string, parent = ''): string =>
  `class A${parent} {\n  ${fields}\n  constructor(a) {\n    ${body}\n  }\n}`

test.each([
  ['what the constructor sets', 'a;', 'this.a = a;', ''],
  ['what it sets on the way', 'a; b;', 'const b = (this.b = this.a = 1);', ' '],
  ['no initial value', 'a = 1;', 'this.a = a;', 'a = 1;'],
  ['no private field', '#a;', 'this.#a = a;', '#a;'],
  ['no static field', 'static a;', 'this.a = a;', 'static a;'],
  ['no method', 'a() {}', 'this.a = a;', 'a() {}'],
  ['nothing that is set elsewhere', 'a;', 'this.b = a;', 'a;'],
  ['nothing that another object has', 'a;', 'a.a = 1;', 'a;'],
  [
    'nothing that is set under a condition',
    'a; b; c;',
    'if (a) { this.a = 1 } a && (this.b = 1); a ? (this.c = 1) : 0;',
    'a; b; c;',
  ],
  ['nothing that is set later', 'a; b;', 'a(() => (this.a = 1), function () { this.b = 1 });', 'a; b;'],
])('the build removes %s', (_, fields, body, left) => {
  expect(removeFields('a.js', classOf(fields, body))).toBe(classOf(left, body))
})

test('the build leaves a class without a constructor, and one with a parent, as they are', () => {
  for (const text of ['class A { a; }', classOf('a;', 'super(); this.a = a;', ' extends B')]) {
    expect(removeFields('a.js', text)).toBe(text)
  }
})

test('a source map leads to the same places after an edit', () => {
  // One segment at each of the columns 0, 4 and 8 of the second line.
  const map = { mappings: ';AAAA,IAAI,IAAI' }
  const text = 'first\nif (DEV) { x }'
  const edit = { start: text.indexOf('DEV'), end: text.indexOf('DEV') + 3, text: 'DEVELOPMENT' }
  expect(applyEdits(text, [edit])).toBe('first\nif (DEVELOPMENT) { x }')
  expect(shiftMap(map, text, [edit]).mappings).toBe(';AAAA,IAAI,YAAI')
})
