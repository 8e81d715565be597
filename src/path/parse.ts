import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/** One piece of a template; a group holds the pieces between its braces. */
export type Token =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param' | 'wildcard'; readonly name: string }
  | { readonly type: 'group'; readonly tokens: readonly Token[] }

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
 * @see docs/api/PathError.md
 */
export class PathError extends TypeError {
  declare readonly code: string
  declare readonly page: string
  declare readonly template: string
  declare readonly index: number
}

/** The tokens of a template, those of path-to-regexp 8; `?`, `+`, `!`, `[` and `]` are plain text besides. */
export function parse(template: string): readonly Token[] {
  return readTemplate(template).tokens
}

/** Reads a template, once per distinct string. */
export const readTemplate: (template: string) => Template = /* @__PURE__ */ once((template) => {
  if (typeof template !== 'string')
    throw fail(
      'path-type',
      typeof template,
      DEV && `Expected "path" to be a string, found ${typeof template}. Give the endpoint a path such as "/users/:id".`,
      TypeError,
    )
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

  while (index < template.length) {
    PIECE.lastIndex = index
    const [piece, escaped, sign, plain, quoted] = PIECE.exec(template) ?? []
    if (!piece || (piece === '}' && !open[0]))
      throw refuse(
        DEV &&
          `Unexpected ${template[index]} (a name or a "quoted name" follows : and *, a } closes a {, and a literal { } ( ) : * or \\ has a backslash before it)`,
      )
    if (piece === '}') {
      const group: Token = { type: 'group', tokens }
      tokens = open.pop()!
      tokens.push(group)
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
      tokens.push({ type: wild ? 'wildcard' : 'param', name })
    } else {
      const before = tokens.at(-1)
      const text = before?.type === 'text' && tokens.pop() ? before.value : ''
      tokens.push({ type: 'text', value: text + (escaped ?? piece) })
    }
    index += piece.length
  }
  if (open[0]) throw refuse(DEV && 'Unexpected end, expected a }, found nothing')
  return { tokens, names, tidy: template.includes('?') && tokens.some((token) => token.type === 'group') }
})

/** An escape, a parameter, a brace, or a run of plain text. What does not match here is a fault of the template. */
export const PIECE: RegExp =
  /\\(.)|([:*])(?:([$_\p{ID_Start}][$\u200c\u200d\p{ID_Continue}]*)|"((?:[^"\\]|\\.)+)")|[{}]|[^\\:*{}()]+/gsuy

/** Keeps what `make` gives for each template. */
export function once<T>(make: (template: string) => T): (template: string) => T {
  const made = new Map<string, T>()
  return (template) => {
    let value = made.get(template)
    if (value === undefined) made.set(template, (value = make(template)))
    return value
  }
}
