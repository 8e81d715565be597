import { isObject, isPlain } from '../base/equal.ts'
import { isList, membersOf } from '../schema/Schema.ts'

/**
 * Puts members from the headers of a response beside its list, where the schema has a place for them. A list without an envelope becomes
 * the member of the schema that is a Collection.
 */
export function putBeside(
  body: unknown,
  response: Response,
  headers: { readonly [member: string]: string },
  schema: unknown,
): unknown {
  const members = Object.entries(membersOf(schema) ?? {})
  const lists = members.filter(([, member]) => isListLike(member)).map(([name]) => name)
  if (lists.length !== 1 || !(Array.isArray(body) || isPlain(body))) {
    return body
  }
  const beside: { [member: string]: unknown } = {}
  for (const [member, header] of Object.entries(headers)) {
    const text = response.headers.get(header)
    if (/^link$/i.test(header)) {
      beside[member] = linkOf(text ?? '', member, response.url)
    } else if (text !== null) {
      beside[member] = valueOf(text)
    }
  }
  return Array.isArray(body) ? { ...beside, [lists[0]!]: body } : { ...beside, ...body }
}

/** A Collection, or a list of records; also inside a Query. */
function isListLike(schema: unknown): boolean {
  return isList(schema) || Array.isArray(schema) || (isObject(schema) && isList(schema['schema']))
}

function valueOf(text: string): string | number {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

/** The URL of one relation in a header such as `</posts?page=2>; rel="next", </posts?page=9>; rel="last"`; an empty text where it has none. */
function linkOf(header: string, relation: string, base: string): string {
  for (const [, url, parameters] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters!) ?? []
    const names = (quoted ?? bare ?? '').toLowerCase().split(/\s+/)
    if (names.includes(relation.toLowerCase()) || (relation === 'previous' && names.includes('prev'))) {
      return absolute(url!, base)
    }
  }
  return ''
}

function absolute(url: string, base: string): string {
  try {
    return new URL(url, base).href
  } catch {
    // A response that was made by hand has no URL.
    return url
  }
}
