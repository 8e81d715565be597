import { memberName, objectDoc, print, quote } from './print.ts'
import type { SearchStyle } from './searchStyles.ts'

export const SEARCH: string = `  override searchToString(params: { [name: string]: unknown }): string {
    return searchOf(params)
  }`

export const LINKS: string = `  override async parseResponse(response: Response): Promise<unknown> {
    const body: unknown = await super.parseResponse(response)
    const next = /<([^<>]*)>;[^,]*\\brel="?next\\b/.exec(response.headers.get('link') ?? '')?.[1]
    if (next !== undefined && typeof body === 'object' && body !== null) {
      links.set(body, next)
    }
    return body
  }`

/** Writes queries as the description has them. */
export function searchOf(styles: ReadonlyMap<string, SearchStyle | undefined>, isExported: boolean): string {
  const own = [...styles].filter((pair): pair is [string, SearchStyle] => pair[1] !== undefined)
  const items = own.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, style]) => `${memberName(name)}: ${quote(style)}`)
  if (items.length === 0 && !isExported) {
    return SEARCH_OF_LISTS
  }
  const table = print(['const searchStyles: SearchStyles = ', objectDoc(items)])
  const text = `${SEARCH_STYLES}\n${table}\n\n${SEARCH_OF}`
  return isExported ? text : text.replaceAll(/^export /gm, '')
}

const SEARCH_OF_LISTS = `/** Writes a query. Lists are repeated: a=1&a=2. */
function searchOf(params: { [name: string]: unknown }): string {
  const names = Object.keys(params).sort()
  const pairs = names.flatMap((name) => [params[name]].flat().map((value) => ({ [name]: value })))
  return pairs.map((pair) => bracketSearch(pair)).join('&')
}
`

const SEARCH_STYLES = `/**
 * How lists and objects are written: \`deep\` is a[b]=c, \`spread\` is b=c, \`json\` is JSON, and any other text separates the items of a
 * list. Lists without a style are repeated: a=1&a=2.
 */
export type SearchStyles = { readonly [name: string]: string | undefined }
`

const SEARCH_OF = `/** Writes a query. */
export function searchOf(params: { [name: string]: unknown }, styles: SearchStyles = searchStyles): string {
  const names = Object.keys(params).sort()
  const pairs = names.flatMap((name) => pairsOf(name, params[name], styles[name]))
  const texts = pairs.map((pair) => bracketSearch(pair))
  return texts.filter((text) => text !== '').join('&')
}

function pairsOf(name: string, value: unknown, style: string | undefined): { [name: string]: unknown }[] {
  const isObject = Object.prototype.toString.call(value) === '[object Object]'
  if (style === 'deep' || style === 'json') {
    return [{ [name]: style === 'json' ? JSON.stringify(value) : value }]
  }
  if (style === 'spread' && isObject) {
    return [{ ...Object(value) }]
  }
  const items: unknown[] = isObject ? Object.entries(Object(value)).flat() : [value].flat()
  const isRepeated = style === undefined || style === 'spread' || items.length === 0
  return (isRepeated ? items : [items.join(style)]).map((item) => ({ [name]: item }))
}
`

export const FORM_API: string = `/** The class of endpoints whose bodies are forms. */
export class FormApi<O extends RestGenerics = RestGenerics> extends Api<O> {
  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    if (typeof body !== 'object' || body === null || body instanceof FormData) {
      return super.getRequestInit(body)
    }
    const init = await super.getRequestInit()
    const headers = new Headers(init.headers)
    headers.set('Content-Type', 'application/x-www-form-urlencoded')
    return { ...init, headers, body: bracketSearch(body as { [name: string]: unknown }) }
  }
}
`

export const NEXT_LINK: string = `const links = new WeakMap<object, string>()

/** The page in the \`Link\` header that came with a list; the whole URL without a field. */
export function nextLink(list: object, field?: string): string | undefined {
  const link = links.get(list)
  return link === undefined || field === undefined ? link : queryValue(link, field)
}

function queryValue(link: string, field: string): string | undefined {
  return new URL(link, 'https://localhost').searchParams.get(field) ?? undefined
}
`

export const KEEP_LINK: string = `/** Keeps the \`Link\` header of a list that is validated. */
export function keepLink({ '~standard': own }: StandardSchemaV1): StandardSchemaV1 {
  const validate: typeof own.validate = async (value) => {
    const result = await own.validate(value)
    const link = links.get(Object(value))
    if (!result.issues && link !== undefined) {
      links.set(Object(result.value), link)
    }
    return result
  }
  return { '~standard': { ...own, validate } }
}
`

export const QUERY_OF: string = `/** The page in the URL of the next page. A text without a query is the page itself. */
export function queryOf(link: string | null | undefined, field: string): string | undefined {
  const isUrl = link?.includes('?')
  return (isUrl ? new URL(link!, 'https://localhost').searchParams.get(field) : link) ?? undefined
}
`

export const TEXT_AT: string = `/** A value inside another, as text. */
export function textAt(value: unknown, ...names: string[]): string | undefined {
  const own: unknown = names.reduce((at, name) => Object(at)[name], value)
  return own === undefined || own === null ? undefined : String(own)
}
`

export const NEXT_ARGS: string = `/** The arguments of the next page: the query of its URL. */
export function nextArgs(link: string | null | undefined, params?: unknown): [object] | undefined {
  const query = [...(link ? new URL(link, 'https://localhost').searchParams : [])]
  // A URL that leads back to the same page ends the list.
  const isNew = query.some(([name, value]) => String(Object(params)[name]) !== value)
  return isNew ? [{ ...Object(params), ...Object.fromEntries(query) }] : undefined
}
`

export const PAGE_END: string = `/** The end of a list, as a response describes it. */
export interface PageEnd {
  /** True if there is a further page. */
  more?: boolean | null | undefined
  /** True for the last page. */
  last?: boolean | null | undefined
  /** The number of pages. */
  pages?: number | null | undefined
  /** The number of all items. */
  total?: number | null | undefined
  /** The same, or the number of items of this page. */
  count?: number | null | undefined
  /** The number of items of a full page. */
  size?: number | null | undefined
  /** The number of the first page or item. */
  first?: number
}

type Items = readonly unknown[] | null | undefined

/** True if a response is the last one of its list. \`before\`: the number of items on the pages before it. */
function isEnd(items: Items, before: number, { more, last, total, count }: PageEnd): boolean {
  const length = items?.length ?? 0
  const all = total ?? (count === length ? undefined : count)
  if (more === true) {
    return false
  }
  return length === 0 || more === false || last === true || (all != null && before + length >= all)
}
`

export const NEXT_PAGE: string = `/** The number of the next page; none after the last one, or after an empty one. */
export function nextPage(items: Items, page: unknown, end: PageEnd = {}): number | undefined {
  const { first = 1, pages, size } = end
  const number = Number(page ?? first)
  const isLast = pages != null && number - first + 1 >= pages
  return isLast || isEnd(items, (number - first) * (size ?? items?.length ?? 0), end) ? undefined : number + 1
}
`

export const NEXT_OFFSET: string = `/** The offset of the next page; none after the last one, or after an empty one. */
export function nextOffset(items: Items, offset: unknown, end: PageEnd = {}): number | undefined {
  const { first = 0 } = end
  const number = Number(offset ?? first)
  return !items?.length || isEnd(items, number - first, end) ? undefined : number + items.length
}
`

export const WITHOUT: string = `/** A resource without the members that the API does not have. */
export function without<R, K extends keyof R>(resource: R, ...names: K[]): Omit<R, K> {
  const members = { ...resource }
  for (const name of names) {
    delete members[name]
  }
  return members
}
`

export const UNWRAP: string = `/** Takes a record out of its envelope: the member, or one inside another. */
export function unwrap(...names: string[]): (value: unknown) => unknown {
  return (value) => names.reduce((at, name) => (at === null ? at : Object(at)[name]), value)
}
`

export const FIRST_OF: string = `/** The record of a response that may be a list of one. */
export function firstOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
`

export const TYPED: string = `/** A schema for values of the type T, with the records in them. */
export interface Typed<T> {
  readonly _out: T
  readonly _in: T
  readonly _normal: unknown
}

/** Gives a schema its type. Without a schema, the value is plain data. */
export function typed<T>(schema: object = {}): Typed<T> {
  return schema as Typed<T>
}
`

export const ENTITY_OR: string = `/** A record, or a value that stands for it, such as its id. */
export class EntityOr<C extends ConstructorParameters<typeof Union>[0]> extends Union<C> {
  override normalize(...[input, ...others]: Parameters<Union['normalize']>): unknown {
    return typeof input === 'object' ? super.normalize(input, ...others) : input
  }
}
`
