import { Unconvertible } from './errors.ts'
import { type Entry, literal, type RequestRead, stringOf, UNDEFINED, type Value } from './values.ts'

/** The parts of a URL: text, and values between it. */
export interface Url {
  /** The part before the path: a host, or an expression such as API_URL. */
  readonly prefix: Value | undefined
  /** Text and parameters in turn. */
  readonly path: readonly (string | Value)[]
  readonly search: readonly Entry[]
}

/** Splits a URL into prefix, path and query. */
export function readUrl({ url, search }: RequestRead): Url {
  const query: Entry[] = []
  const flat: (string | Value)[] = []
  flatten(url, flat, query)
  const parts = joinTexts(flat)
  let prefix: Value | undefined
  const [first, second] = parts
  if (typeof first === 'object') {
    if (first.kind === 'literal' && !(typeof second === 'string' && second.startsWith('/'))) {
      parts[0] = stringOf(first) ?? ''
    } else if (first.kind === 'literal' || (first.kind === 'code' && !first.isLocal) || first.kind === 'choice') {
      prefix = first
      parts.shift()
    } else {
      throw new Unconvertible('its URL begins with a parameter')
    }
  }
  const joined = joinTexts(parts)
  if (!prefix && typeof joined[0] === 'string') {
    const origin = /^https?:\/\/[^/?]+/.exec(joined[0])
    if (origin) {
      prefix = literal(origin[0])
      joined[0] = joined[0].slice(origin[0].length)
    }
  }
  const path: (string | Value)[] = []
  let rest: (string | Value)[] | undefined
  for (const part of joined) {
    if (rest) {
      rest.push(part)
    } else if (typeof part === 'string' && part.includes('?')) {
      const at = part.indexOf('?')
      path.push(part.slice(0, at))
      rest = [part.slice(at + 1)]
    } else {
      path.push(typeof part === 'object' && part.kind === 'literal' ? String(part.value) : part)
    }
  }
  if (rest) {
    query.unshift(...readQuery(rest))
  }
  if (search) {
    query.push(...(search.kind === 'object' ? search.entries : [{ name: undefined, value: search }]))
  }
  const cleaned = joinTexts(path)
  if (typeof cleaned[0] !== 'string' || !cleaned[0].startsWith('/')) {
    if (typeof cleaned[0] === 'string' && /^[\w-]/.test(cleaned[0])) {
      cleaned[0] = `/${cleaned[0]}`
    } else {
      throw new Unconvertible('its URL is not known')
    }
  }
  return { prefix, path: cleaned, search: query }
}

function flatten(value: Value, parts: (string | Value)[], query: Entry[]): void {
  switch (value.kind) {
    case 'text':
      value.parts.forEach((part) => flatten(part, parts, query))
      return
    case 'literal':
      // The name of a constant is kept where it is the base URL.
      parts.push(
        (value.ref && parts.every((part) => part === '')) || /^(?:number|boolean)$/.test(typeof value.value)
          ? value
          : String(value.value ?? ''),
      )
      return
    case 'query':
      query.push(...value.entries)
      return
    case 'url':
      flatten(value.url, parts, query)
      query.push(...value.query.entries)
      return
    case 'choice': {
      const [inner, more]: [(string | Value)[], Entry[]] = [[], []]
      flatten(value.yes, inner, more)
      if (stringOf(value.no) === '' || value.no === UNDEFINED) {
        const texts = joinTexts(inner)
        if (typeof texts[0] === 'string' && /^[?&]/.test(texts[0])) {
          const entries = [...readQuery([texts[0].slice(1), ...texts.slice(1)]), ...more]
          query.push(
            ...entries.map((entry) => ({
              ...entry,
              value: { kind: 'choice' as const, test: value.test, yes: entry.value, no: UNDEFINED },
            })),
          )
          return
        }
      }
      parts.push(value)
      return
    }
    default:
      parts.push(value)
  }
}

function joinTexts(parts: readonly (string | Value)[]): (string | Value)[] {
  const joined: (string | Value)[] = []
  for (const part of parts) {
    if (typeof part === 'string' && typeof joined.at(-1) === 'string') {
      joined[joined.length - 1] += part
    } else if (part !== '') {
      joined.push(part)
    }
  }
  return joined
}

/** `a=1&b=${x}` as entries. */
function readQuery(parts: readonly (string | Value)[]): Entry[] {
  const entries: { name: string; value: (string | Value)[] }[] = []
  let current: { name: string; value: (string | Value)[] } | undefined
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (!current) {
        throw new Unconvertible('its query is not known')
      }
      current.value.push(part)
      continue
    }
    part.split('&').forEach((piece, index) => {
      if (index > 0) {
        current = undefined
      }
      if (!current && piece !== '') {
        const at = piece.indexOf('=')
        current = {
          name: decodeURIComponent(at < 0 ? piece : piece.slice(0, at)),
          value: at < 0 ? [] : [piece.slice(at + 1)],
        }
        entries.push(current)
      } else if (piece !== '') {
        current!.value.push(piece)
      }
    })
  }
  return entries.map(({ name, value }) => {
    const [only, ...more] = value.filter((part) => part !== '')
    if (more.length > 0) {
      return {
        name,
        value: { kind: 'text', parts: value.map((part) => (typeof part === 'string' ? literal(part) : part)) },
      }
    }
    return { name, value: typeof only === 'object' ? only : literal(decodeURIComponent(only ?? '')) }
  })
}
