import { expect, test } from 'vitest'
import { nextPage } from './nextPage.ts'

const byLink = { getNextPage: (value: any) => value.next, paginationField: 'cursor' }
const byArgs = { getNextPage: (value: any, ...args: any[]) => value.next && [{ ...args[0], after: value.next }] }
const byNumber = { paginationField: 'page' }

test.each<[name: string, endpoint: object, value: unknown, params: object, expected: object]>([
  ['the first page by number', byNumber, [], { g: 1 }, { guess: [{ g: 1, page: 2 }, 'more'] }],
  ['a later one', byNumber, [], { g: 1, page: 4 }, { guess: [{ g: 1, page: 5 }, 'more'] }],
  ['a number as text', byNumber, [], { page: '4' }, { guess: [{ page: 5 }, 'more'] }],
  ['a number too large to count up, such as the id of a message', byNumber, [], { page: 1234567890123456800 }, {}],
  ['a cursor that is not a number', byNumber, [], { page: 'x' }, {}],
  ['a link', byLink, { next: 'b' }, { g: 1, cursor: 'a' }, { args: [{ g: 1, cursor: 'b' }, 'more'] }],
  ['all arguments', byArgs, { next: 'b' }, { g: 1 }, { args: [{ g: 1, after: 'b' }] }],
])('PAG-5 the next page: %s', (_name, endpoint, value, params, expected) => {
  expect(nextPage(endpoint, value, [params, 'more'])!(false)).toEqual({ isEnd: false, ...expected })
})

test.each([undefined, null, '', NaN])('PAG-5 PAG-6 %s from getNextPage is the end', (next) => {
  expect(nextPage(byLink, { next }, [{}])!(false)).toEqual({ args: undefined, isEnd: true, previous: undefined })
})

test('PAG-6 without getNextPage an empty response is the end, and without pages there is none', () => {
  expect([true, false].map((isEmpty) => nextPage(byNumber, [], [{}])!(isEmpty).isEnd)).toEqual([true, false])
  expect(nextPage({}, [], [{}])).toBeUndefined()
})

test('PAG-9 getPreviousPage names the page before', () => {
  const endpoint = { ...byLink, getPreviousPage: (value: any) => value.previous }
  const { previous, args } = nextPage(endpoint, { previous: 'a', next: 'c' }, [{ g: 1, cursor: 'b' }])!(false)
  expect([previous, args]).toEqual([[{ g: 1, cursor: 'a' }], [{ g: 1, cursor: 'c' }]])
})

test('PAG-5 PAG-9 where only getPreviousPage names pages, nothing follows the list', () => {
  const endpoint = { getPreviousPage: (value: any) => [{ before: value.previous }] }
  const expected = { args: undefined, isEnd: true, previous: [{ before: 'a' }] }
  expect(nextPage(endpoint, { previous: 'a' }, [{}])!(false)).toEqual(expected)
})
