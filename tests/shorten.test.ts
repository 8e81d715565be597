import { expect, test } from 'vitest'
import { chooseShortNames, readMembers, shorten } from '../scripts/shorten.mjs'

const short = new Map([
  ['doubt', 'd'],
  ['commit', 'c'],
])
const shortened = (text: string): string => shorten('module.js', text, short)

test('members are shortened, and a comment has the long name where a module uses it first', () => {
  expect(shortened('row.doubt = other?.doubt')).toBe('row.d /* doubt */ = other?.d')
})

test('definitions tell their long names, so that stack traces can be followed', () => {
  const text = 'class Store { commit() {}\n doubt = this.commit\n static commit = 1 }'
  expect(shortened(text)).toBe(
    'class Store { c /* commit */() {}\n d /* doubt */ = this.c\n static c /* commit */ = 1 }',
  )
})

test('variables keep their names where a member is short for one', () => {
  expect(shortened('const { doubt, ...rest } = row; use({ doubt })')).toBe(
    'const { d: doubt, ...rest } = row; use({ d: doubt })',
  )
  expect(shortened('const { doubt = 1 } = row; ({ doubt } = row)')).toBe(
    'const { d: doubt = 1 } = row; ({ d: doubt } = row)',
  )
  expect(shortened('function f({ doubt: { commit } }, doubt) {}')).toBe(
    'function f({ d /* doubt */: { c: commit } }, doubt) {}',
  )
})

test('what is no member of that name stays: texts, computed names, private names, variables, exports', () => {
  for (const text of [
    "row['doubt'] + row[doubt]; export { doubt as commit }",
    "class A { #doubt = 1; [doubt] = 2; 'commit' = 3; read() { return this.#doubt } }",
  ]) {
    expect(shortened(text)).toBe(text)
  }
})

test('lines stay where they are', () => {
  const text = '// row.doubt\nrow.doubt = 1 /* commit */\n\nrow.commit()\n'
  expect(shortened(text).split('\n')).toHaveLength(text.split('\n').length)
})

test('a short name is no name that another member has, and each is given once', () => {
  const { members, texts } = readMembers([{ file: 'a.js', text: "a.t = b.doubt + b.doubt; b.depth + b.drop; 'doubt'" }])
  const chosen = chooseShortNames(['doubt', 'depth', 'drop'], members)
  expect(Object.fromEntries(chosen)).toEqual({ doubt: 'e', depth: 'n', drop: 'r' })
  expect(texts.get('doubt')).toBe('a.js')
})
