import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { compile, joinUrl } from './compile.ts'
import { matchKey, matchUrl, pathRegex } from './match.ts'
import { PathError, readTemplate, type Token } from './readTemplate.ts'

test.each<[string, string, string[], string[]]>([
  ['KEY-1', '', ['', '?', '?a=1'], ['/', 'a', '&a=1']],
  ['KEY-1', '/', ['/', '/?a'], ['', '//']],
  ['KEY-2', '/a/:id', ['/a/5', '/a/5?x=1', '/a/5?'], ['/a/5/6', '/b/5', '/a/', '/a', '/a/5&x=1', '/a/5#x', 'x/a/5']],
  ['KEY-3', '/a/:id', ['/a/x%2Fy', '/a/x%2Fy%20z%3F%26%C3%A9', "/a/-_.!~*'()"], ['/a/x&y', '/a/x#y']],
  ['KEY-4', '/a/:id', ['/a/A'], ['/A/5', '/a/5/']],
  ['KEY-4', '/a/:id/', ['/a/5/'], ['/a/5', '/a/5//']],
  ['KEY-2', '/:a/:b', ['/1/2'], ['/1', '/1/', '/1/2/3', '//2']],
  [
    'KEY-2',
    '/flights/:from-:to',
    ['/flights/a-b', '/flights/a-b-c', '/flights/---'],
    ['/flights/a', '/flights/-b', '/flights/a-', '/flights/--'],
  ],
  ['KEY-2', '/:a:b', ['/12', '/123'], ['/1', '/']],
  ['KEY-2', '/:name.json', ['/a.json', '/.json.json', '/a.json?b'], ['/.json', '/a.jso', '/a.json5']],
  ['KEY-2', '/a/*p', ['/a/x', '/a/x/y', '/a/x/y?z'], ['/a', '/a/', '/a/x/', '/a//x', '/a/x//y']],
  ['KEY-2', '/a{/*p}', ['/a', '/a/x', '/a/x/y'], ['/a/', '/ax']],
  ['KEY-2', '/a{/:x/:y}', ['/a', '/a/1/2'], ['/a/1', '/a/1/2/3']],
  ['KEY-2', '/a{/:x{/:y}}', ['/a', '/a/1', '/a/1/2'], ['/a/', '/a/1/', '/a/1/2/3']],
  ['KEY-2', '/a{/b}', ['/a/b'], ['/ab', '/a/']],
  ['KEY-2', '/a{/b{/:x}}', ['/a/b', '/a/b/1'], ['/a/1']],
  ['KEY-2', '{/:attr1}{-:attr2}{-:attr3}', ['', '/hi', '/hi-ho', '-ho', '-a-b', '/a-b-c-d'], ['/', '-', 'hi', '/a/b']],
  ['KEY-2', '{-:a}{-:b}-x', ['-x', '-1-x', '-1-2-x', '-x-x'], ['-1', 'x', '-1-2']],
  ['KEY-2', 'http\\://a.com\\:80/:id', ['http://a.com:80/4'], ['http://a.com/4', 'http://a.com:80/']],
  [
    'KEY-3',
    '/search?{q=:q}{&page=:page}',
    [
      '/search',
      '/search?q=x',
      '/search?q=x&page=2',
      '/search?page=2',
      '/search?q=x&lang=en',
      '/search?lang=en',
      '/search?page=2&lang=en',
    ],
    ['/search/x', '/sear', '/searching', '/search/?q=x'],
  ],
  ['KEY-3', '/search?q=:q', ['/search?q=x', '/search?q=x&z=1'], ['/search', '/search?z=1', '/search?q=']],
  ['KEY-3', '/api?do=users', ['/api?do=users', '/api?do=users&id=1'], ['/api?do=posts', '/api', '/api?do=users2']],
  ['KEY-3', '/a/:id?', ['/a/4?', '/a/4?z=1'], ['/a/', '/a/4/5?']],
  ['KEY-3', '/s?x=1&{q=:q}&y=2', ['/s?x=1&y=2', '/s?x=1&q=3&y=2', '/s?x=1&y=2&z=3'], ['/s?x=1', '/s?y=2']],
])('%s %s', (_, template, matching, others) => {
  expect(matching.filter((rest) => !matchKey(template, rest))).toStrictEqual([])
  expect(others.filter((rest) => matchKey(template, rest))).toStrictEqual([])
})

test.each<[string, string, string[], string[]]>([
  ['https://x/users', '/', ['', '?a=1'], ['/', '/?a=1', '//', '/5', '5', '&a=1']],
  ['https://x/users', '', ['', '?a=1'], ['/', '/?a=1', '5']],
  ['https://x/users', '{/:id}', ['', '/5', '?a=/'], ['/', '5', '/?a=1']],
  ['https://x/users', '/:id', ['/5', '/5?a=1'], ['', '/', '5', '?a=1']],
  ['https://x/users', '/?{q=:q}', ['', '?q=5', '?a=1'], ['/', '/?q=5']],
  ['https://x/', '/', ['', '?a=1'], ['/', '/?a=1']],
  ['api', '/', ['', '?a=1'], ['/']],
  ['https://x', '/', ['/', '/?a=1'], ['', '?a=1']],
  ['', '/', ['/', '/?a=1'], ['', '?a=1']],
  ['/api?to=', '/', ['/'], ['']],
  ['/api#', '/', ['/'], ['']],
])('KEY-1 URL-21 behind the prefix "%s", %s', (prefix, template, matching, others) => {
  expect(matching.filter((rest) => !matchUrl(template, prefix, rest))).toStrictEqual([])
  expect(others.filter((rest) => matchUrl(template, prefix, rest))).toStrictEqual([])
})

test('RE-23 pathRegex is made once per template', () => {
  expect(pathRegex(['/a/', ':id'].join(''))).toBe(pathRegex('/a/:id'))
})

test.each([
  ['/a/:id', ['/a/5', '/a/x%2Fy'], ['/a/', '/b/5', '/a/5/6', '/a/5?x=1']],
  ['/a{/:x}.json', ['/a.json', '/a/b.json'], ['/a/b', '/axjson']],
  ['/a/*p', ['/a/x', '/a/x/y'], ['/a/']],
  ['/a\\:b/\\(c\\)+[d]', ['/a:b/(c)+[d]'], ['/a:b/cd']],
])('RE-23 pathRegex of %s', (template, matching, others) => {
  const regex = pathRegex(template)
  expect(matching.filter((path) => !regex.test(path))).toStrictEqual([])
  expect(others.filter((path) => regex.test(path))).toStrictEqual([])
})

test('KEY-1 URL-16 a broken template is refused', () => {
  expect(() => matchKey('/a/{b', '/a')).toThrow(PathError)
  expect(() => pathRegex('/a/{b')).toThrow(PathError)
})

const PIECES = ['/', '-', '.', 'x', '&', '=', '?', '#', ':a', ':b', ':c', ':q']
const someText = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const someGroup = someText.map((text) => `{${text}}`)
const nestedGroup = fc.tuple(someText, someText, fc.constantFrom('', '/', '&')).map(([a, b, c]) => `{${a}{${b}}${c}}`)
const someTemplate = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: someText }, someGroup, nestedGroup), { maxLength: 5 }),
    fc.constantFrom('', '', '*p', '{/*p}', '?{q=:q}{&b=:b}', '?{q=:q&}{b=:b&}'),
  )
  .map(([pieces, end]) => pieces.join('') + end)
const someValue = fc.oneof(
  fc.constantFrom('-', '--', 'x', '.x', '/', 'a-b', '%', '?', '&', 'é'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }),
  fc.integer(),
)
const someParams = fc.record(
  { a: someValue, b: someValue, c: someValue, q: someValue, p: fc.array(someValue, { maxLength: 3 }) },
  { requiredKeys: [] },
)

test('KEY-3 every path that a template makes is its own, with and without a query string', () => {
  let made = 0
  fc.assert(
    fc.property(
      someTemplate,
      someParams,
      fc.constantFrom('', 'z=1', 'a=1&b=2', 'q'),
      fc.constantFrom('http://x.com/', 'http://x.com/a', '/a'),
      (template, params, search, prefix) => {
        let url: string
        try {
          url = joinUrl(prefix, compile(template).fill(params, prefix), search)
        } catch {
          return true
        }
        made++
        return matchUrl(template, prefix, url.slice(prefix.length))
      },
    ),
    { numRuns: cases(6000) },
  )
  expect(made).toBeGreaterThan(cases(1500))
})

test('KEY-1 KEY-4 finds all that a slow and simple reader does', () => {
  let matching = 0
  fc.assert(
    fc.property(
      someTemplate.filter((template) => !template.includes('?')),
      fc
        .array(fc.constantFrom('/', '-', '.', 'x', 'a', '&', '=', '%2F', '#', '?'), { maxLength: 8 })
        .map((all) => all.join('')),
      someParams,
      fc.boolean(),
      (template, noise, params, useNoise) => {
        let rest = noise
        try {
          if (!useNoise) {
            rest = compile(template).fill(params, 'http://x.com/') + noise.slice(0, 2)
          }
        } catch {
          // The noise will do.
        }
        const expected = [...readSlowly(readTemplate(template).tokens, new Set([0]), rest)].some(
          (end) => end === rest.length || end === rest.indexOf('?'),
        )
        if (expected) {
          matching++
        }
        return !expected || matchKey(template, rest)
      },
    ),
    { numRuns: cases(3000) },
  )
  expect(matching).toBeGreaterThan(cases(250))
})

// One character at a time, with the set of all places that could have been reached.
function readSlowly(tokens: readonly Token[], from: Set<number>, rest: string): Set<number> {
  for (const token of tokens) {
    const to = new Set<number>()
    if (typeof token !== 'string' && !('name' in token)) {
      for (const end of readSlowly(token, from, rest)) {
        to.add(end)
      }
      if (token.some((inner) => typeof inner !== 'string' && 'name' in inner)) {
        for (const end of from) {
          to.add(end)
        }
      }
    } else {
      for (const start of from) {
        if (typeof token === 'string') {
          if (rest.startsWith(token, start)) {
            to.add(start + token.length)
          }
          continue
        }
        const pattern = token.wild ? /^[\w.!~*'()%-]+(?:\/[\w.!~*'()%-]+)*$/ : /^[\w.!~*'()%-]+$/
        for (let end = start + 1; end <= rest.length; end++) {
          if (pattern.test(rest.slice(start, end))) {
            to.add(end)
          }
        }
      }
    }
    from = to
  }
  return from
}

test.each([
  ['/:a-:b', '/', '-', '@/'],
  ['/:a-:b-:c', '/', '-', '/'],
  ['/:a-:b-:c.json', '/', '-', '/'],
  ['{/:a}{-:b}{-:c}', '/', '-', '/'],
  ['/:a/*p', '/', 'a/', '/'],
  ['{/:a}{/:b}{/:c}{/:d}{/:e}{/:f}{/:g}{/:h}', '/', 'a', '//'],
  ['/search?{q=:q}{&page=:page}', '/search?', '&', '#'],
  ['/search?{q=:q-:r-:s}{&page=:page}', '/search?q=', '-', '#'],
  [`/s?{q=:q}${'&{r=:r}'.repeat(8)}`, '/s?', '&', '#'],
  ['/users/:id/posts/:post', '/users/', 'a', '/'],
])('KEY-1 a hostile key does not hold up %s', (template, start, piece, end) => {
  const key = (length: number): string =>
    start + piece.repeat((length - start.length - end.length) / piece.length) + end
  // The longest path that is compared whole, and one that is not.
  matchKey(template, key(256))
  expect(matchKey(template, key(40_000))).toBe(true)
})

test('KEY-1 of a long path only the beginning is compared; the query string does not count', () => {
  const long = 'x'.repeat(300)
  expect(matchKey('/a/:id', `/a/${long}`)).toBe(true)
  expect(matchKey('/a/:id/b', `/a/${long}`)).toBe(true)
  expect(matchKey('/a/:id', `/b/${long}`)).toBe(false)
  expect(matchKey('/a/:id/b', `/a/5?q=${long}`)).toBe(false)
  expect(matchKey('/search?{q=:q}', `/search?q=${long}`)).toBe(true)
})
