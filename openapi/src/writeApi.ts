import type { Casing } from './Casing.ts'
import type { AuthConfig, Config } from './config.ts'
import type { Model } from './Model.ts'
import { arrayDoc, callDoc, type Doc, memberName, objectDoc, print, quote, WIDTH } from './print.ts'
import type { SearchStyle } from './searchStyles.ts'
import type { Types } from './Types.ts'

/** Writes `api.ts`: the class of all endpoints, and the helpers that the other files use. */
export function writeApi(
  { model, casing }: Types,
  styles: ReadonlyMap<string, SearchStyle | undefined>,
  auth: AuthConfig | undefined,
  config: Config,
  helpers: ReadonlySet<string>,
): string {
  const base = config.baseClass?.name ?? 'RestEndpoint'
  const hasLinks = helpers.has('nextLink')
  const library = new Set(['type RestGenerics'])
  if (base === 'RestEndpoint' && !casing.isCamel) {
    library.add('RestEndpoint')
  }
  const hasStyles = styles.size > 0
  const members = [
    ...authStatics(auth),
    ...urlPrefix(model, config),
    ...authMethods(auth),
    ...(hasStyles ? [SEARCH] : []),
    ...(hasLinks ? [LINKS] : []),
  ]
  const parts = [
    `/** The class of all endpoints. To change it, set "baseClass" in the configuration. */
export class Api<O extends RestGenerics = RestGenerics> extends ${baseOf(base, casing)}<O> {${members.length > 0 ? `\n${members.join('\n\n')}\n` : ''}}
`,
  ]
  if (helpers.has('FormApi')) {
    library.add('bracketSearch')
    parts.push(FORM_API)
  }
  if (hasStyles) {
    library.add('bracketSearch')
    parts.push(searchOf(styles, helpers.has('searchOf')))
  }
  if (hasLinks) {
    parts.push(NEXT_LINK)
  }
  if (helpers.has('keepLink')) {
    library.add('type StandardSchemaV1')
    parts.push(KEEP_LINK)
  }
  if (helpers.has('queryOf')) {
    parts.push(QUERY_OF)
  }
  if (helpers.has('textAt')) {
    parts.push(TEXT_AT)
  }
  if (helpers.has('nextArgs')) {
    parts.push(NEXT_ARGS)
  }
  if (helpers.has('nextPage') || helpers.has('nextOffset')) {
    parts.push(PAGE_END)
  }
  if (helpers.has('nextPage')) {
    parts.push(NEXT_PAGE)
  }
  if (helpers.has('nextOffset')) {
    parts.push(NEXT_OFFSET)
  }
  if (helpers.has('without')) {
    parts.push(WITHOUT)
  }
  if (helpers.has('unwrap')) {
    parts.push(UNWRAP)
  }
  if (helpers.has('firstOf')) {
    parts.push(FIRST_OF)
  }
  if (helpers.has('typed')) {
    parts.push(TYPED)
  }
  if (helpers.has('EntityOr')) {
    library.add('Union')
    parts.push(ENTITY_OR)
  }
  const names = [...library].sort((a, b) =>
    a.replace('type ', '').toLowerCase() < b.replace('type ', '').toLowerCase() ? -1 : 1,
  )
  const onlyTypes = names.every((name) => name.startsWith('type '))
  const list = names.map((name) => (onlyTypes ? name.replace('type ', '') : name)).join(', ')
  const imports = [`import ${onlyTypes ? 'type ' : ''}{ ${list} } from 'restitch'`]
  if (casing.isCamel) {
    imports.push(`import { adaptEndpoint } from 'restitch/adapt'`)
  }
  if (config.baseClass) {
    imports.push(`import { ${base} } from ${quote(config.baseClass.from)}`)
  }
  return `${imports.join('\n')}\n\n${parts.join('\n')}`
}

function urlPrefix(model: Model, { baseUrl }: Config): string[] {
  const [server] = model.description.servers ?? []
  const url = server?.url.replaceAll(
    /\{([^}]+)\}/g,
    (whole, name: string) => server.variables?.[name]?.default ?? whole,
  )
  const prefix = baseUrl === undefined ? (url ?? '') : baseUrl === false ? '' : baseUrl
  const plain = prefix.replace(/\/+$/, '')
  return plain === '' ? [] : [`  override urlPrefix = ${quote(plain)}`]
}

const ON_SERVERS = 'On a server, where requests of several users meet, set it on a subclass for each request.'

function authStatics(auth: AuthConfig | undefined): string[] {
  switch (auth?.type) {
    case 'bearer':
      return [`  /** The access token. ${ON_SERVERS} */\n  static accessToken: string | undefined`]
    case 'basic':
      return [
        `  /** Name and password. ${ON_SERVERS} */\n  static credentials: { name: string; password: string } | undefined`,
      ]
    case 'header':
    case 'query':
      return [`  /** The key of the API. ${ON_SERVERS} */\n  static apiKey: string | undefined`]
    default:
      return []
  }
}

function authMethods(auth: AuthConfig | undefined): string[] {
  const header = (name: string, field: string, value: string): string[] => {
    const parts = [`    return ${field}`, `? { ...headers, ${memberName(name)}: ${value} }`, ': headers']
    const line = parts.join(' ')
    return [
      `  override getHeaders(headers: { [name: string]: string }): HeadersInit {
    const { ${field} } = this.constructor as typeof Api
${line.length > WIDTH ? parts.join('\n      ') : line}
  }`,
    ]
  }
  switch (auth?.type) {
    case 'bearer':
      return header('Authorization', 'accessToken', '`Bearer ${accessToken}`')
    case 'basic':
      return header('Authorization', 'credentials', '`Basic ${btoa(`${credentials.name}:${credentials.password}`)}`')
    case 'header':
      return header(auth.name, 'apiKey', 'apiKey')
    case 'query':
      return [
        `  // The key is added to the request alone: it is not part of the cache key.
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    const { apiKey } = this.constructor as typeof Api
    const key = apiKey ? \`\${url.includes('?') ? '&' : '?'}${encodeURIComponent(auth.name)}=\${encodeURIComponent(apiKey)}\` : ''
    return super.fetchResponse(url + key, init)
  }`,
      ]
    case 'cookie':
      return [
        `  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'include' }
  }`,
      ]
    default:
      return []
  }
}

/** The class that `Api` extends. With names in camel case, it is one that converts them. */
function baseOf(base: string, { isCamel, exceptions, data }: Casing): string {
  if (!isCamel) {
    return base
  }
  const names = [...exceptions].sort(([a], [b]) => (a < b ? -1 : 1))
  const options: Doc[] = [
    `style: 'snake'`,
    ...(names.length > 0
      ? [['names: ', objectDoc(names.map(([own, name]) => `${memberName(own)}: ${quote(name)}`))]]
      : []),
    ...(data.length > 0 ? [['except: ', arrayDoc(data.map(quote))]] : []),
  ]
  const casing: Doc = options.length > 1 ? objectDoc(options) : `'snake'`
  const own = objectDoc([['casing: ', casing]])
  return print(callDoc('adaptEndpoint', base === 'RestEndpoint' ? [own] : [own, base]), 0, 71)
}

const SEARCH = `  override searchToString(params: { [name: string]: unknown }): string {
    return searchOf(params)
  }`

const LINKS = `  override async parseResponse(response: Response): Promise<unknown> {
    const body: unknown = await super.parseResponse(response)
    const next = /<([^<>]*)>;[^,]*\\brel="?next\\b/.exec(response.headers.get('link') ?? '')?.[1]
    if (next !== undefined && typeof body === 'object' && body !== null) {
      links.set(body, next)
    }
    return body
  }`

/** Writes queries as the description has them. */
function searchOf(styles: ReadonlyMap<string, SearchStyle | undefined>, isExported: boolean): string {
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

const FORM_API = `/** The class of endpoints whose bodies are forms. */
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

const NEXT_LINK = `const links = new WeakMap<object, string>()

/** The page in the \`Link\` header that came with a list; the whole URL without a field. */
export function nextLink(list: object, field?: string): string | undefined {
  const link = links.get(list)
  return link === undefined || field === undefined ? link : queryValue(link, field)
}

function queryValue(link: string, field: string): string | undefined {
  return new URL(link, 'https://localhost').searchParams.get(field) ?? undefined
}
`

const KEEP_LINK = `/** Keeps the \`Link\` header of a list that is validated. */
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

const QUERY_OF = `/** The page in the URL of the next page. A text without a query is the page itself. */
export function queryOf(link: string | null | undefined, field: string): string | undefined {
  const isUrl = link?.includes('?')
  return (isUrl ? new URL(link!, 'https://localhost').searchParams.get(field) : link) ?? undefined
}
`

const TEXT_AT = `/** A value inside another, as text. */
export function textAt(value: unknown, ...names: string[]): string | undefined {
  const own: unknown = names.reduce((at, name) => Object(at)[name], value)
  return own === undefined || own === null ? undefined : String(own)
}
`

const NEXT_ARGS = `/** The arguments of the next page: the query of its URL. */
export function nextArgs(link: string | null | undefined, params?: unknown): [object] | undefined {
  const query = link ? new URL(link, 'https://localhost').searchParams : undefined
  return query && [{ ...Object(params), ...Object.fromEntries(query) }]
}
`

const PAGE_END = `/** The end of a list, as a response describes it. */
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

const NEXT_PAGE = `/** The number of the next page; none after the last one, or after an empty one. */
export function nextPage(items: Items, page: unknown, end: PageEnd = {}): number | undefined {
  const { first = 1, pages, size } = end
  const number = Number(page ?? first)
  const isLast = pages != null && number - first + 1 >= pages
  return isLast || isEnd(items, (number - first) * (size ?? items?.length ?? 0), end) ? undefined : number + 1
}
`

const NEXT_OFFSET = `/** The offset of the next page; none after the last one, or after an empty one. */
export function nextOffset(items: Items, offset: unknown, end: PageEnd = {}): number | undefined {
  const { first = 0 } = end
  const number = Number(offset ?? first)
  return !items?.length || isEnd(items, number - first, end) ? undefined : number + items.length
}
`

const WITHOUT = `/** A resource without the members that the API does not have. */
export function without<R, K extends keyof R>(resource: R, ...names: K[]): Omit<R, K> {
  const members = { ...resource }
  for (const name of names) {
    delete members[name]
  }
  return members
}
`

const UNWRAP = `/** Takes a record out of its envelope: the member, or one inside another. */
export function unwrap(...names: string[]): (value: unknown) => unknown {
  return (value) => names.reduce((at, name) => (at === null ? at : Object(at)[name]), value)
}
`

const FIRST_OF = `/** The record of a response that may be a list of one. */
export function firstOf(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value
}
`

const TYPED = `/** A schema for values of the type T, with the records in them. */
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

const ENTITY_OR = `/** A record, or a value that stands for it, such as its id. */
export class EntityOr<C extends ConstructorParameters<typeof Union>[0]> extends Union<C> {
  override normalize(...[input, ...others]: Parameters<Union['normalize']>): unknown {
    return typeof input === 'object' ? super.normalize(input, ...others) : input
  }
}
`
