import { expect, test } from 'vitest'
import { argsText, findDifferences, readable, shortKey } from './keys.ts'

test('PNL-2 keys are cut before the part in which they differ', () => {
  const keys = [
    'GET /a',
    'GET /issues?sort=rank&status=done',
    'GET /issues?sort=rank&status=doing',
    'GET /issues?sort=rank',
  ]
  const tails = [...findDifferences(keys)].map(([key, at]) => key.slice(at))
  expect(tails).toEqual(['a', 'rank', 'doing', 'done'])
  expect(findDifferences([])).toEqual(new Map())
  expect(findDifferences(['GET'])).toEqual(new Map([['GET', 0]]))
})

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
