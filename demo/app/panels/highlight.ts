/** A piece of code, and what it is: the name of a colour. */
export interface Token {
  readonly kind: 'comment' | 'string' | 'keyword' | 'number' | 'name' | 'call' | 'plain'
  readonly text: string
}

const KEYWORDS =
  'abstract as async await break case catch class const continue declare default delete do else export extends false finally for from ' +
  'function get if implements import in instanceof interface let new null of override private readonly return satisfies set static super ' +
  'switch this throw true try type typeof undefined void while yield'

/** In this order: the first that matches wins. */
const PATTERNS: readonly [Token['kind'], RegExp][] = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//],
  ['string', /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/],
  ['keyword', new RegExp(`(?<![\\w$.])(?:${KEYWORDS.replaceAll(' ', '|')})(?![\\w$])`)],
  ['number', /(?<![\w$])\d[\d_]*(?:\.\d+)?/],
  // Classes, types and components.
  ['name', /(?<![\w$])[A-Z][\w$]*/],
  ['call', /(?<![\w$])[a-z_$][\w$]*(?=\s*\()/],
]
const ALL = new RegExp(PATTERNS.map(([, pattern]) => `(${pattern.source})`).join('|'), 'g')

/** Splits TypeScript or TSX into pieces with a colour. It reads no grammar, so text inside JSX is coloured like code. */
export function highlight(code: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of code.matchAll(ALL)) {
    if (match.index > end) {
      tokens.push({ kind: 'plain', text: code.slice(end, match.index) })
    }
    const at = match.slice(1).findIndex((group) => group !== undefined)
    tokens.push({ kind: PATTERNS[at]![0], text: match[0] })
    end = match.index + match[0].length
  }
  if (end < code.length) {
    tokens.push({ kind: 'plain', text: code.slice(end) })
  }
  return tokens
}
