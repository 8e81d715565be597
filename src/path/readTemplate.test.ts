import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { parse as parsePeer, type Token as PeerToken } from 'path-to-regexp'
import { expect, test } from 'vitest'
import { cases } from '../../tests/effort.ts'
import { isRestitchError } from '../base/errors.ts'
import { catchError } from '../testing/outcomes.ts'
import { CASES } from './cases.ts'
import { getUrlBase, getUrlTokens } from './compile.ts'
import { PathError, readTemplate, type Token } from './readTemplate.ts'
import { shorten } from './shorten.ts'

type Kinds = Record<string, 'required' | 'optional' | 'wildcard' | 'optional-wildcard'>

test.each(CASES as unknown as [string, Kinds][])(
  'URL-10 URL-11 URL-12 URL-13 the parameters of %s',
  (template, kinds) => {
    const found: Kinds = {}
    const walk = (tokens: readonly Token[], optional: boolean): void => {
      for (const token of tokens) {
        if (typeof token === 'string') {
          continue
        }
        if (!('name' in token)) {
          walk(token, true)
        } else if (!(optional && Object.hasOwn(found, token.name))) {
          found[token.name] = token.wild
            ? optional
              ? 'optional-wildcard'
              : 'wildcard'
            : optional
              ? 'optional'
              : 'required'
        }
      }
    }
    walk(parse(template), false)
    expect(found).toStrictEqual(kinds)
    expect([...readTemplate(template).names].toSorted()).toStrictEqual(Object.keys(kinds).toSorted())
  },
)

const parse = (template: string): readonly Token[] => readTemplate(template).tokens
const param = (name: string): Token => ({ name, wild: false })
const wildcard = (name: string): Token => ({ name, wild: true })

test.each<[string, Token[]]>([
  ['', []],
  ['{}', [[]]],
  ['/a{/:x{/:y}}', ['/a', ['/', param('x'), ['/', param('y')]]]],
  ['/:a:b', ['/', param('a'), param('b')]],
  ['/:"a\\"b\\\\c"', ['/', param('a"b\\c')]],
  ['/*"a b"', ['/', wildcard('a b')]],
  ['/a{/b{/*p}}', ['/a', ['/b', ['/', wildcard('p')]]]],
  ['/:é\u200cx/:𠮷', ['/', param('é\u200cx'), '/', param('𠮷')]],
  ['\\:\\*\\{\\}\\(\\)\\\\\\?\\&\\a\\\n\\😀', [':*{}()\\?&a\n😀']],
  ['/a?b+c[d]!', ['/a?b+c[d]!']],
])('URL-10 URL-11 URL-12 URL-13 the tokens of %j', (template, tokens) => {
  expect(parse(template)).toStrictEqual(tokens)
})

test.each([
  ['/a/{b', 5],
  ['/a/{b{c}', 8],
  ['/a}', 2],
  ['/a/:', 3],
  ['/a/:/b', 3],
  ['/a/:5', 3],
  ['/a/*', 3],
  ['/a/:"b', 3],
  ['/a/:"b\\"', 3],
  ['/a/:""', 3],
  ['/a/(b', 3],
  ['/a/b)', 4],
  ['/a\\', 2],
  ['/*p/b', 3],
  ['/*p:x', 3],
  ['/*p*q', 3],
  ['/*p{/b}', 3],
  ['{/*p}/b', 5],
  ['/*p\\:', 3],
])('URL-15 URL-16 %s is refused at index %i', (template, index) => {
  const error = catchError(() => parse(template)) as PathError
  expect(error).toBeInstanceOf(PathError)
  expect(error).toBeInstanceOf(TypeError)
  expect(isRestitchError(error)).toBe(true)
  expect(error).toMatchObject({ name: 'PathError', code: 'path-syntax', template, index })
  expect(error.message).toContain(`at index ${index} of the path "${template}"`)
  const unexpected = template[index] === undefined ? 'Unexpected end' : `Unexpected ${template[index]} (`
  const text = template.includes('*p') ? 'A wildcard must be the last token' : unexpected
  expect(error.message.slice(0, text.length)).toBe(text)
  expect(
    catchError(() => parse(template)),
    'each time',
  ).toBeInstanceOf(PathError)
})

test.each([undefined, null, 5, {}, Symbol('x'), Object.create(null)])('URL-16 refuses %o as a template', (template) => {
  for (const read of [getUrlBase, getUrlTokens, shorten]) {
    const error = catchError(() => read(template as never))
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toMatchObject({ name: 'RestitchError', code: 'path-type' })
    expect((error as Error).message).toMatch(/^Expected "path" to be a string/)
  }
})

test('URL-17 parses once per distinct string', () => {
  expect(parse('/once/:id')).toBe(parse(['/once/', ':id'].join('')))
  expect(parse('/once/:id')).not.toBe(parse('/once/:other'))
})

const PIECES =
  ': * { } \\ " / - . _ ~ @ = & , ; $ % # | ^ < > \' 5 a id x1 é 𠮷 \u200c ? + ! [ ] :id *path :"a b" :"c\\"d" *"e/f" {/:x} {-:y} {/*z} {/b} \\: \\{ \\} \\( \\) \\* \\\\ \\" \\?'.split(
    ' ',
  )
const anyTemplate = fc.array(fc.constantFrom(...PIECES, ' '), { maxLength: 9 }).map((pieces) => pieces.join(''))
const brokenTemplate = fc
  .tuple(anyTemplate, fc.constantFrom('(', ')', '}', ':', '*', ':"', '{', '\\'), anyTemplate)
  .map((parts) => parts.join(''))

test('URL-13 URL-15 URL-18 reads what path-to-regexp 8 reads, and refuses what it refuses', () => {
  let read = 0
  let refused = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 4, arbitrary: anyTemplate }, brokenTemplate), (template) => {
      // Five signs are plain text for us; written with a backslash they are so for both.
      const escaped = template.replaceAll(/\\[^]|[?+![\]]/g, (sign) => (sign.length > 1 ? sign : `\\${sign}`))
      const peer = attempt(() => parsePeer(escaped).tokens) as readonly PeerToken[] | Error
      const own = attempt(() => parse(template))
      if (peer instanceof Error || !isWildcardLast(peer)) {
        refused++
        return own instanceof PathError
      }
      read++
      return isDeepStrictEqual(own, peer.map(fromPeer))
    }),
    { numRuns: cases(8000) },
  )
  expect(read).toBeGreaterThan(cases(2000))
  expect(refused).toBeGreaterThan(cases(2000))
})

function fromPeer(token: PeerToken): Token {
  if (token.type === 'text') {
    return token.value
  }
  return token.type === 'group' ? token.tokens.map(fromPeer) : { name: token.name, wild: token.type === 'wildcard' }
}

// The one rule of syntax that is ours alone.
function isWildcardLast(tokens: readonly PeerToken[]): boolean {
  return tokens.every((token, index) => {
    const last = index === tokens.length - 1
    if (token.type !== 'group') {
      return token.type !== 'wildcard' || last
    }
    return isWildcardLast(token.tokens) && (last || !JSON.stringify(token).includes('"wildcard"'))
  })
}

/** The value that a function returns, or the error that it throws. */
function attempt(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
