import * as fc from 'fast-check'
import { compile as compilePeer, parse as parsePeer } from 'path-to-regexp'
import { describe, expect, test, vi } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { isRestitchError } from '../base/errors.ts'
import { catchError } from '../testing/outcomes.ts'
import { CASES } from './cases.ts'
import { compile, getUrlBase, getUrlTokens, joinUrl } from './compile.ts'
import { PathError, readTemplate } from './readTemplate.ts'

type Params = Record<string, unknown>

test.each<[string, string, Params, string]>([
  ['URL-4', '/a/:id', { id: 5 }, '/a/5'],
  ['URL-4', '/a/:id', { id: 'x/y z?&é' }, '/a/x%2Fy%20z%3F%26%C3%A9'],
  ['URL-4', '/a/:id', { id: true }, '/a/true'],
  ['URL-4', '/a/:id', { id: false }, '/a/false'],
  ['URL-4', '/a/:id', { id: 0 }, '/a/0'],
  ['URL-4', '/a/:id', { id: -0 }, '/a/0'],
  ['URL-4', '/a/:id', { id: -1.5 }, '/a/-1.5'],
  ['URL-4', '/a/:id', { id: 1e21 }, '/a/1e%2B21'],
  ['URL-4', '/a/:id', { id: 12345678901234567890n }, '/a/12345678901234567890'],
  ['URL-4', '/é a/:id', { id: 1 }, '/é a/1'],
  ['URL-20', '/a/:id', { id: '/\\%?#\r\n' }, '/a/%2F%5C%25%3F%23%0D%0A'],
  ['URL-4', '/a/:id', { id: '%2e%2e' }, '/a/%252e%252e'],
  ['URL-4', '/a/:id', { id: '...' }, '/a/...'],
  ['URL-4', '/a/:id', { id: 'null' }, '/a/null'],
  ['URL-4', '/flights/:from-:to', { from: 'a', to: 'b' }, '/flights/a-b'],
  ['URL-4', '/a/:id/b/:id', { id: 1 }, '/a/1/b/1'],
  ['URL-5', '/a{/:id}', { id: null }, '/a'],
  ['URL-5', '/a{/:id}', { id: undefined }, '/a'],
  ['URL-7', '/a{/:id}', { id: '' }, '/a'],
  ['URL-9', '/a/*p', { p: ['x', 'y z', 'a/b'] }, '/a/x/y%20z/a%2Fb'],
  ['URL-9', '/a/*p', { p: [1, 2n, true] }, '/a/1/2/true'],
  ['URL-9', '/a{/*p}', { p: ['x'] }, '/a/x'],
  ['URL-9', '/a{/*p}', { p: [] }, '/a'],
  ['URL-9', '/a{/*p}', {}, '/a'],
  ['URL-10', '/a{/:id}', {}, '/a'],
  ['URL-10', '/a{/:id}', { id: 3, q: 1 }, '/a/3'],
  ['URL-10', '{/:attr1}{-:attr2}{-:attr3}', { attr1: 'hi', attr3: 'ho' }, '/hi-ho'],
  ['URL-10', '/a{/:x/:y}', { x: 1 }, '/a'],
  ['URL-10', '/a{/:x/:y}', { x: 1, y: 2 }, '/a/1/2'],
  ['URL-10', '/a{/b}', {}, '/a/b'],
  ['URL-10', '/a{/:x{/:y}}', { y: 2 }, '/a'],
  ['URL-10', '/a{/:x{/:y}}', { x: 1 }, '/a/1'],
  ['URL-10', '/a{/:x{/:y}}', { x: 1, y: 2 }, '/a/1/2'],
  ['URL-10', '/a{/b{/:x}}', {}, '/a/b'],
  ['URL-11', '/x/:"with-dash"', { 'with-dash': 4 }, '/x/4'],
  ['URL-11', '/x/:"a/b"', { 'a/b': 4 }, '/x/4'],
  ['URL-12', 'http\\://a.com\\:80/:id', { id: 4 }, 'http://a.com:80/4'],
  ['URL-12', '/\\{\\}\\(\\)\\*\\:\\\\\\?\\&\\x/:id', { id: 4 }, '/{}()*:\\?&x/4'],
  ['URL-13', '/search?{q=:q}{&page=:page}', { q: 'a b', page: 2 }, '/search?q=a%20b&page=2'],
  ['URL-13', '/a/:id?', { id: 4 }, '/a/4?'],
  ['URL-13', '/a/:id+', { id: 4 }, '/a/4+'],
  ['URL-13', '/a[b]!/:id', { id: 4 }, '/a[b]!/4'],
  ['URL-14', '/search?{q=:q}{&page=:page}', {}, '/search'],
  ['URL-14', '/search?{q=:q}{&page=:page}', { page: 2 }, '/search?page=2'],
  ['URL-14', '/search?{q=:q}&x=1', {}, '/search?x=1'],
  ['URL-14', '/search?x=1&{q=:q}', {}, '/search?x=1'],
  ['URL-14', '/search?x=1&{q=:q}&y=2', {}, '/search?x=1&y=2'],
  ['URL-14', '/a&&b{/:x}?{q=:q}', {}, '/a&&b'],
])('%s %s with %o gives %s', (_, template, params, path) => {
  expect(getUrlBase(template)(params)).toBe(path)
  expect(compile(template).fill(params, 'http://x.com/')).toBe(path)
})

test.each<[string, string, string, string, string]>([
  ['', '/a', '', '/a'],
  ['http://x.com', '/a', '', 'http://x.com/a'],
  ['http://x.com', '/a', 'z=2', 'http://x.com/a?z=2'],
  ['', '/search?q=1', 'z=2', '/search?q=1&z=2'],
  ['', '/search', 'z=2', '/search?z=2'],
  ['', '/a/4?', 'z=2', '/a/4?z=2'],
  ['', '/a/4?', '', '/a/4?'],
  ['', '/a?x&', 'z=2', '/a?x&z=2'],
  ['http://x.com/a?b', '/c', 'z=2', 'http://x.com/a?b/c?z=2'],
] as never)('URL-14 joins %s, %s and %s', (prefix, filled, search, url) => {
  expect(joinUrl(prefix, filled, search)).toBe(url)
})

test('URL-14 refuses a query string behind a fragment', () => {
  expect(joinUrl('', '/a#b', '')).toBe('/a#b')
  expect(catchError(() => joinUrl('', '/a#b', 'z=2'))).toMatchObject({ code: 'path-fragment' })
})

describe('what is refused', () => {
  const date = new Date(0)
  test.each<[string, string, Params, string, string, string]>([
    ['URL-6', '/a/:id', {}, 'path-missing-param', 'Missing parameters: id', 'id'],
    ['URL-6', '/a/:id/:x{/:y}', {}, 'path-missing-param', 'Missing parameters: id, x.', 'id, x'],
    ['URL-6', '/a/:id/b/:id', {}, 'path-missing-param', 'Missing parameters: id.', 'id'],
    ['URL-6', '/a/*p', {}, 'path-missing-param', 'Missing parameters: p', 'p'],
    ['URL-5', '/a/:id', { id: null }, 'path-missing-param', 'Missing parameters: id', 'id'],
    ['URL-5', '/a/:id', { id: undefined }, 'path-missing-param', 'Missing parameters: id', 'id'],
    ['URL-6', '/a/:constructor', {}, 'path-missing-param', 'Missing parameters: constructor', 'constructor'],
    ['URL-6', '/a/:__proto__', {}, 'path-missing-param', 'Missing parameters: __proto__', '__proto__'],
    ['URL-6', '/a/:id', Object.create({ id: 5 }) as Params, 'path-missing-param', 'Missing parameters: id', 'id'],
    ['URL-7', '/a/:id', { id: '' }, 'path-empty-value', 'Empty value for parameter: id', 'id'],
    ['URL-7', '/a?q=:q', { q: '' }, 'path-empty-value', 'Empty value for parameter: q', 'q'],
    ['URL-8', '/a/:p', { p: ['x'] }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-8', '/a/:p', { p: [] }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-8', '/a{/:p}', { p: [] }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-19', '/a/:p', { p: {} }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: date }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: Object.create(null) as unknown }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: () => 'x' }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a{/:p}', { p: () => 'x' }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: Symbol('x') }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-19', '/a/:p', { p: Number.NaN }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: Infinity }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p', { p: '\ud800' }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-4', '/a/:p/:q', { p: '\ud83d', q: '\ude00' }, 'path-wrong-value', 'Expected "p" to be a string', 'p'],
    ['URL-9', '/a/*p', { p: [] }, 'path-wrong-value', 'Expected "p" to be a non-empty array', 'p'],
    ['URL-9', '/a/*p', { p: 'x' }, 'path-wrong-value', 'Expected "p" to be a non-empty array', 'p'],
    ['URL-9', '/a{/*p}', { p: 'x' }, 'path-wrong-value', 'Expected "p" to be a non-empty array', 'p'],
    ['URL-9', '/a/*p', { p: { length: 1, 0: 'x' } }, 'path-wrong-value', 'Expected "p" to be a non-empty array', 'p'],
    ['URL-19', '/a/*p', { p: ['x', {}] }, 'path-wrong-value', 'Expected "p/1" to be a string', 'p/1'],
    ['URL-9', '/a/*p', { p: ['x', undefined] }, 'path-wrong-value', 'Expected "p/1" to be a string', 'p/1'],
    ['URL-9', '/a/*p', { p: Array.from({ length: 2 }) }, 'path-wrong-value', 'Expected "p/0" to be a string', 'p/0'],
    ['URL-19', '/a/*p', { p: ['x', ''] }, 'path-empty-value', 'Empty value for parameter: p/1', 'p/1'],
    ['URL-19', '/a/*p', { p: ['..'] }, 'path-dot-segment', '".." for "p/0"', 'p/0'],
    ['URL-19', '/a/*p', { p: ['x', '.'] }, 'path-dot-segment', '"." for "p/1"', 'p/1'],
    ['URL-19', '/a/:id', { id: '..' }, 'path-dot-segment', '".." for "id"', 'id'],
    ['URL-19', '/a/:id', { id: '.' }, 'path-dot-segment', '"." for "id"', 'id'],
    ['URL-19', '/a{/:id}', { id: '..' }, 'path-dot-segment', '".." for "id"', 'id'],
    ['URL-19', '/a/.:x', { x: '.' }, 'path-dot-segment', '"." for "x"', 'x'],
    ['URL-19', '/a/%2e:x', { x: '.' }, 'path-dot-segment', '"." for "x"', 'x'],
    ['URL-19', '/a{?q=:q}/:id', { id: '..' }, 'path-dot-segment', '".." for "id"', 'id'],
    ['URL-19', '/a/%:x', { x: '2e' }, 'path-wrong-value', 'Expected "x" to be a string', 'x'],
    ['URL-19', '/a/%:x', { x: 20 }, 'path-wrong-value', 'Expected "x" to be a string', 'x'],
    ['URL-19', '/a/.%2:x', { x: 'e' }, 'path-wrong-value', 'Expected "x" to be a string', 'x'],
    ['URL-19', '/a/%{2}:x', { x: 'F' }, 'path-wrong-value', 'Expected "x" to be a string', 'x'],
    ['URL-19', '/a/%*p', { p: ['2e'] }, 'path-wrong-value', 'Expected "p/0" to be a string', 'p/0'],
  ])('%s %s with %o: %s', (_, template, params, code, text, names) => {
    const error = catchError(() => compile(template).fill(params)) as Error
    expect(error).toBeInstanceOf(TypeError)
    expect(isRestitchError(error)).toBe(true)
    expect(error).toMatchObject({ name: 'RestitchError', code })
    expect(error.message.slice(0, text.length)).toBe(text)
    expect(error.message).toContain(names)
    expect(error.message).toContain(`"${template}"`)
  })

  test('URL-4 URL-19 allows dots, and % before what is not a digit, where they mean themselves', () => {
    expect(getUrlBase('/search?q=:q')({ q: '..' })).toBe('/search?q=..')
    expect(getUrlBase('/100%:x')({ x: 'xyz' })).toBe('/100%xyz')
    expect(getUrlBase('./%41/:x')({ x: '41' })).toBe('./%41/41')
  })

  test('URL-4 a parameter may be called like a member of every object', () => {
    const params = JSON.parse('{"__proto__": 1, "constructor": 2}') as Params
    expect(getUrlBase('/:__proto__/:constructor{/:toString}')(params)).toBe('/1/2')
  })

  test('URL-9 reads each value once', () => {
    let reads = 0
    const params = {
      get id() {
        return reads++ ? '..' : 'a'
      },
    }
    expect(getUrlBase('/:id')(params)).toBe('/a')
  })
})

describe('the origin', () => {
  test.each([
    ['http://x.com', ':id', { id: '.evil.com' }],
    ['http://x.com', ':id', { id: '@evil.com' }],
    ['http://x.com', ':id', { id: 5 }],
    ['http://x.com:8', ':port', { port: 1 }],
    ['http://x.com', 'users/:id', { id: 5 }],
    ['http://x.com', 'http\\://evil.com/:id', { id: 5 }],
    ['http://', ':host/a', { host: 'evil.com' }],
    ['/', '/evil.com/:id', { id: 5 }],
    ['/', '{/:id}', { id: 'evil.com' }],
    ['\\', '/:id', { id: 'evil.com' }],
    ['', ':scheme\\://x.com/a', { scheme: 'https' }],
    ['', 'http\\://:host/a', { host: 'evil.com' }],
    ['', 'http\\://x.com:id', { id: '.evil.com' }],
    ['', 'http\\://x.com{:id}', { id: '.evil.com' }],
    ['', 'http\\://{:user@}x.com', { user: 'a' }],
    ['', '/{:x}/evil.com', {}],
    ['', '{/:x}{/\\/evil.com}', {}],
    ['', ' {/}{/:id}', { id: 'evil.com' }],
    ['', '/{:x}\\\\evil.com', {}],
    ['', '//:host/a', { host: 'evil.com' }],
  ])('URL-20 of "%s" + "%s" with %o is refused', (prefix, template, params) => {
    const error = catchError(() => makeUrl(prefix, template, params))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ code: 'path-origin' })
    expect((error as Error).message).toContain(`(path "${template}")`)
    expect((error as Error).message).toContain('would not keep the origin of')
  })

  test.each([
    ['http://x.com', '/:id', { id: '@evil.com' }, 'http://x.com/%40evil.com'],
    ['http://x.com', '{/:id}', { id: 5 }, 'http://x.com/5'],
    ['http://x.com', '{/:id}', {}, 'http://x.com'],
    ['http://x.com', '?q=:id', { id: 5 }, 'http://x.com?q=5'],
    ['http://x.com', '//:id', { id: 5 }, 'http://x.com//5'],
    ['http://x.com', '/{:x}/a', {}, 'http://x.com//a'],
    ['http://x.com/', ':id\\:go', { id: 'a' }, 'http://x.com/a:go'],
    ['http://x.com/', '/:id', { id: 5 }, 'http://x.com//5'],
    ['http://x.com/api', ':id', { id: 5 }, 'http://x.com/api5'],
    ['/api', '/:id', { id: 5 }, '/api/5'],
    ['/', ':id', { id: 5 }, '/5'],
    ['', '/:id', { id: '/evil.com' }, '/%2Fevil.com'],
    ['', ':id', { id: 'http://evil.com' }, 'http%3A%2F%2Fevil.com'],
    ['', 'users/:id\\:go', { id: 'a' }, 'users/a:go'],
    ['', 'http\\://x.com{/:id}', { id: 5 }, 'http://x.com/5'],
    ['', 'http\\://x.com', {}, 'http://x.com'],
    ['', '//x.com/:id', { id: 5 }, '//x.com/5'],
  ])('URL-20 of "%s" + "%s" with %o stays', (prefix, template, params, url) => {
    expect(makeUrl(prefix, template, params)).toBe(url)
  })
})

test('URL-15 URL-16 a broken template is refused at its first use, and each time', () => {
  expect(() => compile('/a/{b')).toThrow(PathError)
  expect(() => getUrlBase('/*p/b')).toThrow(PathError)
  expect(() => getUrlTokens('/a/:')).toThrow(PathError)
  expect(() => compile('/a/{b')).toThrow(PathError)
})

test('G-6 in production an error says its code, the parameters and the template', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  vi.resetModules()
  const { compile: compileInProduction } = await import('./compile.ts')
  vi.unstubAllEnvs()
  const say = (template: string, params: Params): string =>
    (catchError(() => compileInProduction(template).fill(params)) as Error).message
  expect(say('/a/:id/:x', {})).toBe('path-missing-param: id, x in /a/:id/:x')
  expect(say('/a/:id', { id: '' })).toBe('path-empty-value: id in /a/:id')
  expect(say(':scheme\\://x', { scheme: 'http' })).toBe('path-origin: http://x in :scheme\\://x')
  expect(say('/a/{b', {})).toBe('path-syntax: /a/{b at 5')
  const { fill } = compileInProduction(':id')
  expect(fill({ id: 5 })).toBe('5')
})

test('URL-17 compiles once per distinct string, and gives names that are the caller’s own', () => {
  expect(compile('/a/:id{/:tab}')).toBe(compile(['/a/:id', '{/:tab}'].join('')))
  const names = getUrlTokens('/a/:id{/:tab}')
  expect(names).toStrictEqual(new Set(['id', 'tab']))
  names.clear()
  expect(getUrlTokens('/a/:id{/:tab}').size).toBe(2)
  expect(getUrlBase('/a')()).toBe('/a')
})

test.each(CASES)('URL-17 URL-18 %s has the parameters of the table', (template, kinds) => {
  expect([...getUrlTokens(template)].toSorted()).toStrictEqual(Object.keys(kinds).toSorted())
})

const someValue = fc.oneof(
  fc.constantFrom(
    '',
    '.',
    '..',
    '...',
    '/',
    '//evil.com',
    '\\',
    '@',
    '%',
    '%2e',
    '2e',
    ':',
    '?',
    '#',
    '&',
    'a',
    'é',
    '\r\n',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.constantFrom(null, undefined, {}, [], Symbol('s'), readTemplate),
)
const plainValue = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter((text) => text !== '.' && text !== '..'),
  fc.integer({ min: 0 }),
)
const NAMES = ['a', 'b', 'c', 'q']
const PIECES = ['/', '-', '.', 'x', '=', '\\:', '%', '@', ...NAMES.map((name) => `:${name}`)]
const someText = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''))
const someGroup = someText.map((text) => `{${text}}`)
const nestedGroup = fc.tuple(someText, someText).map(([outer, inner]) => `{${outer}{${inner}}}`)
const someTemplate = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: someText }, someGroup, nestedGroup), { maxLength: 5 }),
    fc.constantFrom('', '', '*p', '{/*p}'),
  )
  .map(([pieces, end]) => pieces.join('') + end)
const paramsOf = (value: fc.Arbitrary<unknown>) =>
  fc.record({ a: value, b: value, c: value, q: value, p: fc.array(value, { maxLength: 3 }) }, { requiredKeys: [] })

test('URL-4 URL-9 URL-10 URL-18 fills as path-to-regexp 8 does', () => {
  let filled = 0
  fc.assert(
    fc.property(
      someTemplate,
      paramsOf(plainValue.map((value) => `z${value}`)).filter(({ p }) => p?.length !== 0),
      (template, params) => {
        const peer = attempt(() => compilePeer(parsePeer(template))(params as never))
        const own = attempt(() => compile(template).fill(params, 'http://x.com/'))
        if (peer instanceof Error) {
          return own instanceof TypeError
        }
        filled++
        return own === peer
      },
    ),
    { numRuns: cases(6000) },
  )
  expect(filled).toBeGreaterThan(cases(1500))
})

test('URL-20 any values either throw or keep the origin', () => {
  let kept = 0
  const base = 'http://base.test/dir/file'
  fc.assert(
    fc.property(
      fc.constantFrom(
        '',
        '/',
        'api',
        '/api',
        '//x.com',
        'http://x.com',
        'http://x.com/',
        'http://x.com/api',
        'https:',
        'http://',
      ),
      fc.tuple(
        fc.constantFrom('', '/', '//', '/\\\\', 'http\\:', 'http\\://y.com', 'http\\://y.com/', '{/}', '{/:a}', 'x\\:'),
        someTemplate,
      ),
      paramsOf(someValue),
      (prefix, [start, end], params) => {
        const template = start + end
        const url = attempt(() => makeUrl(prefix, template, params))
        if (url instanceof Error) {
          return isRestitchError(url)
        }
        const [first] = readTemplate(template).tokens
        const fixed = prefix || (typeof first === 'string' ? first : '')
        // A host that no browser accepts sends nothing anywhere.
        if (!URL.canParse(url as string, base) || !URL.canParse(fixed, base)) {
          return true
        }
        kept++
        return new URL(url as string, base).origin === new URL(fixed, base).origin
      },
    ),
    { numRuns: cases(8000) },
  )
  expect(kept).toBeGreaterThan(cases(800))
})

// Segments and what they must decode to; the last one may be a wildcard.
const someSegment = fc.oneof(
  someValue.map((value) => ({ write: (name: string) => `/:${name}`, value })),
  someValue.map((value) => ({ write: (name: string) => `/v.:${name}`, value, before: 'v.' })),
  someValue.map((value) => ({ write: (name: string) => `{/:${name}}`, value })),
  fc.constantFrom('x', 'users').map((text) => ({ write: () => `/${text}`, before: text })),
)

test('URL-4 URL-9 URL-10 URL-19 any values either throw or come out of the path again', () => {
  let made = 0
  fc.assert(
    fc.property(
      fc.constantFrom('', 'http://x.com', 'http://x.com/api', '/api'),
      fc.array(someSegment, { minLength: 1, maxLength: 4 }),
      fc.option(fc.array(someValue, { maxLength: 3 }), { nil: undefined }),
      (prefix, segments: { write: (name: string) => string; value?: unknown; before?: string }[], list) => {
        const template = segments.map((segment, index) => segment.write(`s${index}`)).join('') + (list ? '{/*p}' : '')
        const params: Params = { p: list }
        segments.forEach((segment, index) => (params[`s${index}`] = segment.value))
        const url = attempt(() => makeUrl(prefix, template, params))
        if (url instanceof Error) {
          return isRestitchError(url)
        }
        made++
        const expected = [
          ...prefix.split('/').filter((text) => text === 'api'),
          ...segments
            .filter(({ value, before }) => before !== undefined || (value != null && value !== ''))
            .map(({ value, before = '' }) => before + String(value ?? '')),
          ...(list ?? []).map(String),
        ]
        const { pathname, origin } = new URL(url as string, 'http://x.com/')
        expect(pathname.split('/').slice(1).map(decodeURIComponent)).toStrictEqual(expected.length ? expected : [''])
        return origin === 'http://x.com'
      },
    ),
    { numRuns: cases(4000) },
  )
  expect(made).toBeGreaterThan(cases(400))
})

function makeUrl(prefix: string, template: string, params: Params): string {
  return joinUrl(prefix, compile(template).fill(params, prefix), '')
}

/** The value that a function returns, or the error that it throws. */
function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
