import { BARE, endsInPath } from './compile.ts'
import { once, type Param, PIECE, readTemplate, type Token } from './readTemplate.ts'

/** Characters that encodeURIComponent leaves, and the percent sign of those it encodes. */
const VALUE = /[\w.!~*'()%-]*/y
const SEPARATOR = /^[?&]$/

/** True when this template, behind `prefix` and followed by a query string or not, could make `prefix + rest`. */
export function matchUrl(template: string, prefix: string, rest: string): boolean {
  if (!endsInPath(prefix)) {
    return matchKey(template, rest)
  }
  // `joinUrl` leaves out a path that is only a slash.
  return !BARE.test(rest) && (matchKey(template, rest) || (BARE.test(`/${rest}`) && matchKey(template, `/${rest}`)))
}

/**
 * True when this template, followed by a query string or not, could make `rest`.
 * It follows all readings at the same time, so a hostile key takes no longer than any other of its length;
 * a regular expression needs quadratic time for `:a-:b` alone.
 */
export function matchKey(template: string, rest: string): boolean {
  const { tokens, tidy } = readTemplate(template)
  const query = `${rest}?`.indexOf('?')

  // The end of all, or the end of something in the query string.
  const isEnd = (at: number): boolean =>
    at === rest.length ||
    at === query ||
    (at > query && (rest[at] === '&' || rest[at - 1] === '&' || rest[at - 1] === '?'))

  /** The places that can be reached from `from` by these tokens; both in ascending order, without duplicates. */
  const read = (list: readonly Token[], from: readonly number[]): readonly number[] => {
    for (const token of list) {
      if (typeof token === 'string') {
        for (const text of tidy ? token.match(/[?&]|[^?&]+/g)! : [token]) {
          from = readText(text, from)
        }
      } else if ('name' in token) {
        from = readValue(token.wild, from)
      } else {
        const behind = read(token, from)
        // Only a group with parameters can be left out.
        from = token.some((inner) => (inner as Partial<Param>).name) ? merge(from, behind) : behind
      }
    }
    return from
  }

  const readText = (text: string, from: readonly number[]): number[] => {
    const to: number[] = []
    // `fill` removes a separator at the end, or beside another one.
    const removable = tidy && SEPARATOR.test(text)
    for (const at of from) {
      if (removable && to.at(-1) !== at && isEnd(at)) {
        to.push(at)
      }
      if (rest.startsWith(text, at)) {
        to.push(at + text.length)
      }
    }
    return to
  }

  const readValue = (wild: boolean, from: readonly number[]): number[] => {
    const to: number[] = []
    let end = 0
    for (const start of from) {
      // Values that begin within an earlier one end where that one may end.
      for (let at = Math.max(start, end), more = at === start; more;) {
        VALUE.lastIndex = at
        VALUE.exec(rest)
        end = VALUE.lastIndex
        more = wild && end > at && rest[end] === '/'
        while (at < end) {
          to.push(++at)
        }
        at = end + 1
      }
    }
    return to
  }

  return read(tokens, [0]).some(isEnd)
}

/** Joins two ascending lists, in time proportional to their lengths. */
function merge(a: readonly number[], b: readonly number[]): readonly number[] {
  const all: number[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const next = Math.min(a[i] ?? Infinity, b[j] ?? Infinity)
    all.push(next)
    i += +(a[i] === next)
    j += +(b[j] === next)
  }
  return all
}

/** The paths of a template as a RegExp, without a query string. Keys are matched by `matchKey`: this one may backtrack. */
export const pathRegex: (template: string) => RegExp = /* @__PURE__ */ once((template) => {
  // It refuses what cannot be read, so that every piece is known here.
  readTemplate(template)
  const source = template.replace(PIECE, (piece: string, escaped?: string, sign?: string) => {
    if (sign) {
      return sign === '*' ? '[^?#]+' : '[^/?#]+'
    }
    if (piece === '{') {
      return '(?:'
    }
    return piece === '}' ? ')?' : (escaped ?? piece).replace(/[^\w\s/-]/gu, '\\$&')
  })
  return new RegExp(`^${source}$`)
})
