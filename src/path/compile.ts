import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { checkPath, once, readTemplate, type Token } from './readTemplate.ts'

type Params = Readonly<Record<string, unknown>>

/** A template made ready for filling. */
export interface Compiled {
  /** All parameters, those of groups included. */
  readonly names: ReadonlySet<string>
  /**
   * The path for these parameters. `prefix` is the text that will stand in front of it, and its origin has to stay;
   * without one the origin has to be written in the template, out of reach for values.
   */
  readonly fill: (params: Params, prefix?: string) => string
}

/** Prepares a template, once per distinct string. */
export const compile: (template: string) => Compiled = /* @__PURE__ */ once((template) => {
  const { tokens, names, tidy } = readTemplate(template)
  const lead = typeof tokens[0] === 'string' ? tokens[0] : ''
  // Nearly all templates begin with a slash and a name. Then no value has a say in the origin, and one look per prefix
  // will do.
  let harmless = /^\/[^\\/]/.test(lead) ? '' : undefined
  const escapes = template.includes('%')

  const refuse = (code: string, name: string, text: string | false): Error =>
    fail(code, `${name} in ${template}`, DEV && `${text} (path "${template}").`, TypeError)

  const encode = (value: unknown, name: string, out: string): string => {
    // The commonest values need no encoding, which would cost more than all the rest.
    if (!escapes && Number.isSafeInteger(value)) {
      return String(value)
    }
    let text = ''
    if (['string', 'boolean', 'bigint'].includes(typeof value) || Number.isFinite(value)) {
      try {
        text = encodeURIComponent(value as string)
      } catch {
        // Half of a surrogate pair: told below.
      }
    }
    if (value === '') {
      throw refuse(
        'path-empty-value',
        name,
        DEV && `Empty value for parameter: ${name}. Give it a value, or do not call`,
      )
    }
    if ((text === '.' || text === '..') && !/[?#]/.test(out)) {
      throw refuse(
        'path-dot-segment',
        name,
        DEV && `"${text}" for "${name}" would lead to another path. Give it a name`,
      )
    }
    // Behind a bare "%" of the template, digits would become one character with it.
    if (!text || (escapes && /%[\da-f]?$/i.test(out) && /^[\da-f]/i.test(text))) {
      throw refuse(
        'path-wrong-value',
        name,
        DEV && `Expected "${name}" to be a string or a finite number that a URL can hold here, found ${typeof value}`,
      )
    }
    return text
  }

  // A group in which a value is absent gives nothing.
  const write = (list: readonly Token[], params: Params, out: string, group: boolean): string | undefined => {
    let missing: Set<string> | undefined
    for (const token of list) {
      if (typeof token === 'string') {
        out += token
      } else if ('name' in token) {
        const { name, wild } = token
        // A parameter may have the name of something that every object inherits.
        const value = Object.hasOwn(params, name) ? params[name] : undefined
        const size = wild && Array.isArray(value) ? value.length : -1
        if (value == null || (group && (value === '' || !size))) {
          ;(missing ??= new Set()).add(name)
        } else if (!wild) {
          out += encode(value, name, out)
        } else if (size < 1) {
          throw refuse(
            'path-wrong-value',
            name,
            DEV && `Expected "${name}" to be a non-empty array, found ${typeof value}`,
          )
        } else {
          for (let i = 0; i < size; i++) {
            out += (i ? '/' : '') + encode((value as unknown[])[i], `${name}/${i}`, out)
          }
        }
      } else {
        out = write(token, params, out, true) ?? out
      }
    }
    if (!missing) {
      return out
    }
    if (group) {
      return undefined
    }
    const absent = [...missing].join(', ')
    throw refuse('path-missing-param', absent, DEV && `Missing parameters: ${absent}. Pass them in the first argument`)
  }

  return {
    names,
    fill(params, prefix = '') {
      let out = write(tokens, params, '', false)!
      if (tidy) {
        out = out.replace(/\?.*/s, (query) => query.replace(/([?&])[?&]+/g, '$1').replace(/[?&]$/, ''))
      }
      if (prefix !== harmless) {
        const url = prefix + out
        const fixed = prefix || lead
        if (ORIGIN.exec(url)![0].length > fixed.length) {
          throw refuse(
            'path-origin',
            url,
            DEV &&
              `"${url}" would not keep the origin of "${fixed}". Give urlPrefix the whole origin, and begin the path with a slash`,
          )
        }
        if (harmless !== undefined) {
          harmless = prefix
        }
      }
      return out
    },
  }
})

/**
 * The function that fills a path template.
 *
 * @example
 * getUrlBase('/users/:id')({ id: 5 }) // '/users/5'
 * @see docs/api/paths.md#geturlbase
 */
export function getUrlBase(path: string): (params?: Record<string, unknown>) => string {
  const { fill } = compile(checkPath(path))
  return (params) => fill(params ?? {})
}

/**
 * The names of the parameters of a path template.
 *
 * @example
 * getUrlTokens('/users/:id{/:tab}') // Set { 'id', 'tab' }
 * @see docs/api/paths.md#geturltokens
 */
export function getUrlTokens(path: string): Set<string> {
  return new Set(readTemplate(checkPath(path)).names)
}

/** Puts the parts of a URL together. A path that is only a slash adds nothing to a prefix that has a path itself. */
export function joinUrl(prefix: string, filled: string, search: string): string {
  const url = prefix + (BARE.test(filled) && endsInPath(prefix) ? filled.slice(1) : filled)
  if (!search) {
    return url
  }
  if (DEV && filled.includes('#')) {
    throw fail(
      'path-fragment',
      url,
      `"${search}" would get lost behind the # of "${url}". Write %23 in the path, or leave the fragment out.`,
      TypeError,
    )
  }
  return url + (filled.includes('?') ? (/[?&]$/.test(filled) ? '' : '&') : '?') + search
}

/** True for a prefix with a path behind its origin, such as `https://x/users` or `/api`. */
export function endsInPath(prefix: string): boolean {
  return !/[?#]/.test(prefix) && ORIGIN.exec(prefix)![0].length < prefix.length
}

/** A path that is only a slash, with a query string or without. */
export const BARE: RegExp = /^\/(\?|$)/

// Scheme and host as a browser reads them: it takes backslashes for slashes, and any number of them.
const ORIGIN = /^([\0- ]*([a-z][a-z\d+.-]*:[\\/]*|[\\/]{2,})[^\\/?#]*)?/i
