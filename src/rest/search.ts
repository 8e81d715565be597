import { DEV } from '../base/env.ts'
import { sortedPairs } from '../base/stableKey.ts'
import { warnOnce } from '../base/warn.ts'

/** Values are of any type: most have a text of their own. */
type SearchParams = { readonly [name: string]: any }

/** The default of `searchToString`: sorted by name, one level deep. */
export function searchToString(params: SearchParams = {}): string {
  return writeSearch(sortedPairs(params))
}

/**
 * A replacement for `searchToString` that writes nested objects and arrays with bracket keys, sorted: `a[b]=c`, encoded.
 *
 * @example
 * const search = new RestEndpoint({ path: '/search', searchParams: {} as { filter: object }, searchToString: bracketSearch })
 * @see docs/api/RestEndpoint.md#bracketsearch
 */
export function bracketSearch(params: SearchParams = {}): string {
  return writeSearch(sortedPairs(params).flatMap(nest))
}

function nest([name, value]: [string, any]): [string, any][] {
  if (!value || typeof value !== 'object' || value.toISOString) {
    return [[name, value]]
  }
  // Items of an array stay in their order: as text, 10 would come before 2.
  const members = Array.isArray(value) ? Object.entries(value) : sortedPairs(value)
  return members.flatMap(([key, member]) => nest([`${name}[${key}]`, member]))
}

/** Writes pairs in their order. */
export function writeSearch(pairs: readonly [string, any][]): string {
  // Keys are made at every render, and many calls have no query.
  if (pairs.length === 0) {
    return ''
  }
  const search = new URLSearchParams()
  for (const [name, value] of pairs) {
    // Dates, and what stands in for them, go out in the one form that every server reads.
    const text = String(value?.toISOString?.() ?? value)
    if (DEV && text.includes('[object Object]')) {
      warnOnce(
        `The query parameter "${name}" is an object and was sent as "${text}". Override searchToString, for example with bracketSearch.`,
        'error',
      )
    }
    if (value !== undefined) {
      search.append(name, text)
    }
  }
  return search.toString()
}
