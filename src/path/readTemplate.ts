import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { recall } from '../base/recall.ts'

/** One piece of a template: text as it stands, a parameter, or a group with the pieces between its braces. */
export type Token = string | Param | readonly Token[]

/** A parameter; `wild`: it takes several segments. */
export interface Param {
  readonly name: string
  readonly wild: boolean
}

/** A template read once, with what the other steps need to know. */
export interface Template {
  readonly tokens: readonly Token[]
  /** All parameters, those of groups included. */
  readonly names: Set<string>
  /** Groups left out of an embedded query leave its `?` and `&` behind: those are to be swept up. */
  readonly tidy: boolean
}

/**
 * Raised at the first use of a path template that cannot be read; `index` says where.
 *
 * @example
 * try { getUser.url({ id: 5 }) } catch (error) { if (error instanceof PathError) report(error.template, error.index) }
 * @see docs/api/paths.md#patherror
 */
export class PathError extends TypeError {
  declare readonly code: string
  declare readonly page: string
  declare readonly template: string
  declare readonly index: number
}

/**
 * Reads a template, once per distinct string: as path-to-regexp 8 does, with `?`, `+`, `!`, `[` and `]` as plain text.
 */
export const readTemplate: (template: string) => Template = /* @__PURE__ */ once((template) => {
  const names = new Set<string>()
  const open: Token[][] = []
  let tokens: Token[] = []
  let index = 0
  let wild = false

  const refuse = (text: string | false): Error =>
    fail(
      'path-syntax',
      `${template} at ${index}`,
      DEV && `${text} at index ${index} of the path "${template}".`,
      PathError as unknown as ErrorConstructor,
      { name: 'PathError', template, index },
    )

  for (const [piece, escaped, sign, plain, quoted] of template.matchAll(PIECE)) {
    if (piece === '}') {
      const outer = open.pop()
      if (!outer) {
        break
      }
      outer.push(tokens)
      tokens = outer
    } else if (wild) {
      // It takes all that is left of a path, so that only the ends of its groups may follow.
      throw refuse(DEV && 'A wildcard must be the last token, found more')
    } else if (piece === '{') {
      open.push(tokens)
      tokens = []
    } else if (sign) {
      const name = plain ?? quoted!.replace(/\\(.)/gsu, '$1')
      wild = sign === '*'
      names.add(name)
      tokens.push({ name, wild })
    } else {
      tokens.push((typeof tokens.at(-1) === 'string' ? (tokens.pop() as string) : '') + (escaped ?? piece))
    }
    index += piece.length
  }
  if (index < template.length || open[0]) {
    throw refuse(
      DEV &&
        (index < template.length
          ? `Unexpected ${template[index]} (a name or a "quoted name" follows : and *, a } closes a {, and a literal { } ( ) : * or \\ has a backslash before it)`
          : 'Unexpected end, expected a }, found nothing'),
    )
  }
  return { tokens, names, tidy: template.includes('?') && tokens.some(Array.isArray) }
})

/** An escape, a parameter, a brace, or a run of plain text. Text that does not match is an error of the template. */
export const PIECE: RegExp =
  /\\(.)|([:*])(?:([$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*)|"((?:[^"\\]|\\.)+)")|[{}]|[^\\:*{}()]+/gsuy

/** Keeps what `make` gives for each template. */
export function once<T>(make: (template: string) => T): (template: string) => T {
  const made = new Map<string, T>()
  return (template) => recall(made, template, make)
}

/** A path from outside; endpoints look at theirs themselves. */
export function checkPath(template: string): string {
  if (typeof template === 'string') {
    return template
  }
  throw fail(
    'path-type',
    typeof template,
    DEV && `Expected "path" to be a string, found ${typeof template}. Give the endpoint a path such as "/users/:id".`,
    TypeError,
  )
}
