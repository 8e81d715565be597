import { once, parse, readTemplate, type Token } from './parse.ts'

// What encodeURIComponent leaves, and the percent sign of what it encodes.
const VALUE = /[\w.!~*'()%-]+/y
const VALUES = /[\w.!~*'()%-]+(?:\/[\w.!~*'()%-]+)*/y
const JOINT = /^[?&]|&/

/** Places in a key: the first, the last, and all between them that stand behind this text. */
type Places = [first: number, last: number, text: string]

/**
 * Could this template, followed by a query string or not, make `rest`?
 * All ways of reading it are followed side by side, so that a hostile key takes no longer than any other of its length;
 * a regular expression needs quadratic time for `:a-:b` alone.
 */
export function matchKey(template: string, rest: string): boolean {
  const { tokens, tidy } = readTemplate(template)
  const query = `${rest}?`.indexOf('?')

  // The end of all, or the end of something in the query string.
  const isEnd = (p: number): boolean => p === rest.length || JOINT.test(rest.slice(Math.max(p - 1, query), p + 1))

  // Where can one be after these tokens? Places that belong together lie in one run of the characters of values: a
  // value reads from the first of them to the end of the run, and what is no value comes only behind the last.
  const read = (list: readonly Token[], from: Places[]): Places[] => {
    for (const token of list) {
      if (token.type === 'group') {
        // Places with the same end are one, or there would be twice as many after each group.
        const merged = new Map<string, Places>()
        // Only a group with parameters can be left out.
        const without = token.tokens.some((inner) => 'name' in inner) ? from : []
        for (const [first, last, text] of [...without, ...read(token.tokens, from)]) {
          const key = `${last}:${text}`
          merged.set(key, [Math.min(first, merged.get(key)?.[0] ?? first), last, text])
        }
        from = [...merged.values()]
      } else if (token.type === 'text')
        for (const text of token.value.match(tidy ? /[?&]|[^?&]+/g : /[^]+/g)!)
          from = from.flatMap(([first, last, before]) => {
            const both = before + text
            const part = rest.slice(first - before.length, last + text.length)
            const end = first + text.length
            const to: Places[] = []
            if (part.includes(both)) to.push([end + part.indexOf(both), end + part.lastIndexOf(both), both])
            // What `fill` sweeps up: at the end, or beside another one.
            if (tidy && JOINT.test(text) && isEnd(last)) to.push([last, last, ''])
            return to
          })
      else {
        const value = token.type === 'param' ? VALUE : VALUES
        from = from.flatMap(([first]): Places[] => {
          value.lastIndex = first
          return value.test(rest) ? [[value === VALUE ? first + 1 : value.lastIndex, value.lastIndex, '']] : []
        })
      }
    }
    return from
  }

  return read(tokens, [[0, 0, '']]).some(([, last]) => isEnd(last))
}

/** The paths of a template as a RegExp, without a query string. Keys are matched by `matchKey`: this one may backtrack. */
export const pathRegex: (template: string) => RegExp = /* @__PURE__ */ once((template) => {
  const source = (tokens: readonly Token[]): string =>
    tokens
      .map((token) => {
        if (token.type === 'text') return token.value.replace(/[^\w\s/-]/gu, String.raw`\$&`)
        if (token.type === 'group') return `(?:${source(token.tokens)})?`
        return token.type === 'param' ? '[^/?#]+' : '[^?#]+'
      })
      .join('')
  return new RegExp(`^${source(parse(template))}$`)
})
