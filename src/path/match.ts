import { once, type Param, PIECE, readTemplate, type Token } from './parse.ts'

/** What encodeURIComponent leaves, and the percent sign of what it encodes. */
const VALUE = /[\w.!~*'()%-]/
const JOINT = /^[?&]|&/

/**
 * Could this template, followed by a query string or not, make `rest`?
 * All ways of reading it are followed side by side, so that a hostile key takes no longer than any other of its length;
 * a regular expression needs quadratic time for `:a-:b` alone.
 */
export function matchKey(template: string, rest: string): boolean {
  const { tokens, tidy } = readTemplate(template)
  const query = `${rest}?`.indexOf('?')

  // The end of all, or the end of something in the query string.
  const isEnd = (at: number): boolean => at === rest.length || JOINT.test(rest.slice(Math.max(at - 1, query), at + 1))

  // Where can one be after these tokens?
  const read = (list: readonly Token[], from: Set<number>): Set<number> => {
    for (const token of list) {
      if (typeof token === 'string') {
        for (const text of tidy ? token.match(/[?&]|[^?&]+/g)! : [token]) {
          const to = new Set<number>()
          for (const at of from) {
            if (rest.startsWith(text, at)) {
              to.add(at + text.length)
            }
            // What `fill` sweeps up: at the end, or beside another one.
            if (tidy && JOINT.test(text) && isEnd(at)) {
              to.add(at)
            }
          }
          from = to
        }
      } else if ('name' in token) {
        // Each character lengthens the values that reach up to it; a slash does so if another value follows.
        const to = new Set<number>()
        let inside = false
        let behindSlash = false
        for (let at = 0; from.size && at < rest.length; at++) {
          const next: boolean = (inside || behindSlash || from.has(at)) && VALUE.test(rest[at]!)
          behindSlash = token.wild && inside && rest[at] === '/'
          inside = next
          if (inside) {
            to.add(at + 1)
          }
        }
        from = to
      } else {
        // Only a group with parameters can be left out.
        const without = token.some((inner) => (inner as Partial<Param>).name) ? from : []
        from = new Set([...without, ...read(token, from)])
      }
    }
    return from
  }

  return [...read(tokens, new Set([0]))].some(isEnd)
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
