import { afterEach, expect, test, vi } from 'vitest'
import { RestEndpoint } from './RestEndpoint.ts'
import type { RestGenerics } from './RestOptions.ts'
import { bracketSearch, searchToString } from './search.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  [{ b: 2, a: 1 }, 'a=1&b=2'],
  [{ a: 'x y&é' }, 'a=x+y%26%C3%A9'],
  [{ b: true }, 'b=true'],
  [{ x: null }, 'x=null'],
  [{ y: undefined }, ''],
  [{ z: [1, 2] }, 'z=1%2C2'],
  [{ d: new Date(0) }, 'd=1970-01-01T00%3A00%3A00.000Z'],
  [{ a: 1, B: 2, é: 3, Z: 4 }, 'B=2&Z=4&a=1&%C3%A9=3'],
  [{ n: 0, big: 5n, empty: '' }, 'big=5&empty=&n=0'],
  [JSON.parse('{"__proto__":"x"}'), '__proto__=x'],
  [{}, ''],
  [undefined, ''],
])('RE-13 SRCH-1 searchToString of %o', (params, text) => {
  expect(searchToString(params)).toBe(text)
  expect(new RestEndpoint({ path: '/a' }).searchToString(params as object)).toBe(text)
})

test('SRCH-1 an object is sent as its text, with one error in the console', () => {
  const error = vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(searchToString({ o: { a: 1 } })).toBe('o=%5Bobject+Object%5D')
  expect(searchToString({ o: { a: 1 } })).toBe('o=%5Bobject+Object%5D')
  expect(error).toHaveBeenCalledTimes(1)
  expect(error.mock.calls[0]![0]).toMatch('"o"')
})

test.each([
  [{ a: { b: 'c' } }, 'a%5Bb%5D=c'],
  [{ z: 1, a: { d: 1, c: [true, { e: 'x y' }] } }, 'a%5Bc%5D%5B0%5D=true&a%5Bc%5D%5B1%5D%5Be%5D=x+y&a%5Bd%5D=1&z=1'],
  [{ l: Array.from({ length: 11 }, (_, i) => i) }, Array.from({ length: 11 }, (_, i) => `l%5B${i}%5D=${i}`).join('&')],
  [
    { d: { at: new Date(0) }, u: { x: undefined }, n: { x: null } },
    'd%5Bat%5D=1970-01-01T00%3A00%3A00.000Z&n%5Bx%5D=null',
  ],
  [{ empty: {}, none: [] }, ''],
  [undefined, ''],
])('SRCH-2 bracketSearch of %o', (params, text) => {
  expect(bracketSearch(params)).toBe(text)
})

test('SRCH-1 SRCH-2 URL-2 a replacement is used by url and key, and gets only what is there', () => {
  const search = new RestEndpoint({ path: '/s', searchParams: {} as { f: object }, searchToString: bracketSearch })
  expect(search.url({ f: { b: 2, a: 1 } })).toBe('/s?f%5Ba%5D=1&f%5Bb%5D=2')
  expect(search.key({ f: { a: 1 } })).toBe('GET /s?f%5Ba%5D=1')
  const loose = new RestEndpoint({
    path: '/s',
    searchParams: {} as object,
    searchToString: (all) => `${Object.keys(all)}`,
  })
  expect(loose.url({ a: undefined, b: null } as object)).toBe('/s?b')
  const none = new RestEndpoint({ path: '/s', searchParams: {} as { q: string }, searchToString: () => '' })
  expect(none.url({ q: 'x' })).toBe('/s')
})

test('SRCH-3 URL-2 an override is called without parameters, too: a constant of it is always sent', () => {
  const given: object[] = []
  const searchToString = (params: object): string => {
    given.push({ ...params })
    return `${new URLSearchParams({ ...params, meta: '*' })}`
  }
  class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
    override searchToString(params: object): string {
      return searchToString(params)
    }
  }
  for (const list of [
    new RestEndpoint({ path: '/s', searchToString }),
    new Api({ path: '/s' }),
    new RestEndpoint({ path: '/s' }).extend({ searchToString }),
  ]) {
    expect(list.url()).toBe('/s?meta=*')
    expect(list.key()).toBe('GET /s?meta=*')
  }
  const one = new RestEndpoint({ path: '/s/:id', searchParams: {} as { q?: string }, searchToString })
  expect(one.url({ id: 5, q: undefined } as never)).toBe('/s/5?meta=*')
  expect(one.url({ id: 5, q: 'a' })).toBe('/s/5?q=a&meta=*')
  expect(one.testKey('GET /s/5?meta=*')).toBe(true)
  expect(given.slice(0, 6)).toEqual([{}, {}, {}, {}, {}, {}])
  const empty = new RestEndpoint({ path: '/s', searchToString: () => '' })
  expect([empty.url(), empty.key()]).toEqual(['/s', 'GET /s'])
  expect(new RestEndpoint({ path: '/s', searchToString: bracketSearch }).url()).toBe('/s')
})
