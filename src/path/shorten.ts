import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { checkPath, PIECE, readTemplate } from './readTemplate.ts'

/** The end of a template behind a parameter that is a whole segment: `.json`. */
const EXTENSION = /^\.[^/.?#\\{}*:]+$/

/** The template of the list that an item's template belongs to: its last parameter goes, with all that follows but an extension. */
export function shorten(template: string): string {
  if (DEV && !readTemplate(checkPath(template)).names.size) {
    throw fail(
      'path-no-param',
      template,
      `Resource path requires at least one :parameter or *wildcard, found "${template}".`,
    )
  }
  const open: number[] = []
  let short = ''
  for (const { 0: piece, 2: sign, index } of template.matchAll(PIECE)) {
    if (piece === '{') {
      open.push(index)
    } else if (piece === '}') {
      open.pop()
    }
    // The innermost group goes as a whole, those around it are closed. In front of the slash stand whole characters:
    // an escaped slash goes with its backslash, an escaped backslash stays.
    else if (sign) {
      short =
        template.slice(0, open.at(-1) ?? index).replace(/^((?:\\.|[^\\])+?)\\?\/$/s, '$1') +
        '}'.repeat(open.length && open.length - 1)
      const rest = template.slice(index + piece.length)
      if (open.length === 0 && template[index - 1] === '/' && /[^/]$/.test(short) && EXTENSION.test(rest)) {
        short += rest
      }
    }
  }
  return short
}
