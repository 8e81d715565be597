import { BARE, endsInPath } from './compile.ts'
import { once, PIECE, readTemplate } from './readTemplate.ts'

/** A regular expression may take long for a hostile path, but not for one of so many characters. */
const LONGEST = 256

/** True when this template, behind `prefix` and followed by a query string or not, could make `prefix + rest`. */
export function matchUrl(template: string, prefix: string, rest: string): boolean {
  if (!endsInPath(prefix)) {
    return matchKey(template, rest)
  }
  // `joinUrl` leaves out a path that is only a slash.
  return !BARE.test(rest) && (matchKey(template, rest) || (BARE.test(`/${rest}`) && matchKey(template, `/${rest}`)))
}

/**
 * True when this template, followed by a query string or not, could make `rest`. Of a path that is too long only the beginning is
 * compared.
 */
export function matchKey(template: string, rest: string): boolean {
  const path = template.includes('?') ? rest : rest.split('?', 1)[0]!
  return path.length > LONGEST ? path.startsWith(/^[^\\:*{?]*/.exec(template)![0]) : pathRegex(template).test(path)
}

/** The paths of a template as a RegExp; a query string may follow one that is embedded in the template. */
export const pathRegex: (template: string) => RegExp = /* @__PURE__ */ once((template) => {
  // It refuses what cannot be read, so that every piece is known here.
  readTemplate(template)
  const source = template.replace(PIECE, (piece: string, escaped?: string, sign?: string) => {
    if (sign) {
      return sign === '*' ? `${VALUE}(?:/${VALUE})*` : VALUE
    }
    if (piece === '{') {
      return '(?:'
    }
    if (piece === '}') {
      return ')?'
    }
    // `fill` removes separators that nothing stands between.
    return (escaped ?? piece).replace(/[^\w\s/-]/gu, (sign) => (/[?&]/.test(sign) ? '[?&]?' : `\\${sign}`))
  })
  return new RegExp(`^${source}${template.includes('?') ? '(?:[?&].*)?' : ''}$`)
})

const VALUE = '[^/?#&]+'
