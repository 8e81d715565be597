import { expect, test } from 'vitest'
import { argsText, cutKey, findDifferences, readable, shortKey } from './keys.ts'

test('PNL-2 keys are cut before the part in which they differ', () => {
  const keys = [
    'GET /a',
    'GET /issues?sort=rank&status=done',
    'GET /issues?sort=rank&status=doing',
    'GET /issues?sort=rank',
  ]
  const tails = [...findDifferences(keys)].map(([key, at]) => key.slice(at))
  expect(tails).toEqual(['a', 'sort=rank', 'status=doing', 'status=done'])
  expect(findDifferences([])).toEqual(new Map())
  expect(findDifferences(['GET'])).toEqual(new Map([['GET', 0]]))
})

test.each([
  ['GET /a?b=1', 'GET /a?b=1'],
  [
    'GET /api/issues?limit=15&order=asc&project=1&sort=rank&status=todo',
    'GET /api/issues?…project=1&sort=rank&status=todo',
  ],
  [`GET /files/${'a'.repeat(60)}`, `GET /files/${'a'.repeat(17)}…${'a'.repeat(28)}`],
  [`Todo list (title ${'a'.repeat(60)})`, `Todo list (title ${'a'.repeat(60)})`],
])('PNL-2 a long URL in a sentence is cut: %s', (key, cut) => expect(cutKey(key)).toBe(cut))

test('PNL-2 names of lists are shown with their arguments as words, and keys without the origin', () => {
  expect(readable('It is part of [Todo] {"done":true,"group":"a b"}.')).toBe(
    'It is part of Todo list (done true, group a b).',
  )
  expect(readable('[Todo] {}')).toBe('Todo list')
  expect(readable('[Todo]')).toBe('Todo list')
  expect(readable('[Post;Link] {"at":{"x":1}}')).toBe('[Post;Link] {"at":{"x":1}}')
  expect(readable('[Post;Link] {"tag":"}"}')).toBe('Post or Link list (tag })')
  expect(readable('GET https://api.test/a and POST http://x:1/b')).toBe('GET /a and POST /b')
  expect(shortKey('GET /a?to=https://x.test/y')).toBe('GET /a?to=https://x.test/y')
  expect(argsText({ a: 1, b: ['x'] })).toBe('a 1, b ["x"]')
})
