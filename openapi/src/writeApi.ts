import type { AuthConfig, Config } from './config.ts'
import type { Model } from './Model.ts'
import { memberName, quote, WIDTH } from './print.ts'
import type { Operation } from './readOperations.ts'

/** Writes `api.ts`: the class of all endpoints, and the helpers that the other files use. */
export function writeApi(
  model: Model,
  operations: readonly Operation[],
  auth: AuthConfig | undefined,
  config: Config,
  helpers: ReadonlySet<string>,
): string {
  const base = config.baseClass?.name ?? 'RestEndpoint'
  const hasLinks = helpers.has('nextLink')
  const isCamel = config.casing === 'camel'
  const library = new Set(['type RestGenerics'])
  if (base === 'RestEndpoint') {
    library.add('RestEndpoint')
  }
  const members = [
    ...authStatics(auth),
    ...urlPrefix(model, config),
    ...authMethods(auth),
    ...(isCamel ? [CAMEL_REQUEST] : []),
    ...searchMethod(model, operations, isCamel, library),
    ...(hasLinks || isCamel ? [parseMethod(hasLinks, isCamel)] : []),
  ]
  const parts = [
    `/** The class of all endpoints. To change it, set "baseClass" in the configuration. */
export class Api<O extends RestGenerics = RestGenerics> extends ${base}<O> {${members.length > 0 ? `\n${members.join('\n\n')}\n` : ''}}
`,
  ]
  if (helpers.has('FormApi')) {
    library.add('bracketSearch')
    parts.push(FORM_API)
  }
  if (hasLinks) {
    parts.push(NEXT_LINK)
  }
  if (helpers.has('queryOf')) {
    parts.push(QUERY_OF)
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
  if (helpers.has('typed')) {
    parts.push(TYPED)
  }
  if (helpers.has('EntityOr')) {
    library.add('Union')
    parts.push(ENTITY_OR)
  }
  if (isCamel) {
    parts.push(RENAME)
  }
  const names = [...library].sort((a, b) =>
    a.replace('type ', '').toLowerCase() < b.replace('type ', '').toLowerCase() ? -1 : 1,
  )
  const onlyTypes = names.every((name) => name.startsWith('type '))
  const list = names.map((name) => (onlyTypes ? name.replace('type ', '') : name)).join(', ')
  const imports = [`import ${onlyTypes ? 'type ' : ''}{ ${list} } from 'restitch'`]
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

/** Lists and objects in queries, as the description has them. */
function searchMethod(
  model: Model,
  operations: readonly Operation[],
  isCamel: boolean,
  library: Set<string>,
): string[] {
  const params = operations.flatMap(({ query }) => query)
  const isDeep = params.some(({ style }) => style === 'deepObject')
  const isList = params.some(
    ({ schema, style = 'form', explode = style === 'form' }) =>
      schema && model.resolve(schema).schema.type === 'array' && explode && style !== 'deepObject',
  )
  const given = isCamel ? 'rename(params, toSnake)' : 'params'
  const type = isCamel ? `${given} as { [name: string]: unknown }` : given
  if (isDeep) {
    library.add('bracketSearch')
    return [
      `  // a[b]=c
  override searchToString(params: { [name: string]: unknown }): string {
    return bracketSearch(${type})
  }`,
    ]
  }
  if (!isList && !isCamel) {
    return []
  }
  return [
    `  // a=1&a=2
  override searchToString(params: { [name: string]: unknown }): string {
    const search = new URLSearchParams()
    const entries = Object.entries(${type})
    for (const [name, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
      for (const item of Array.isArray(value) ? value : [value]) {
        if (item !== undefined) {
          search.append(name, String(item))
        }
      }
    }
    return search.toString()
  }`,
  ]
}

const CAMEL_REQUEST = `  // Names are written as the API has them.
  override getRequestInit(body?: unknown): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(rename(body, toSnake))
  }`

function parseMethod(hasLinks: boolean, isCamel: boolean): string {
  const body = isCamel ? 'rename(await super.parseResponse(response), toCamel)' : 'await super.parseResponse(response)'
  const links = `
    const next = /<([^<>]*)>;[^,]*\\brel="?next\\b/.exec(response.headers.get('link') ?? '')?.[1]
    if (next !== undefined && typeof body === 'object' && body !== null) {
      links.set(body, next)
    }`
  return `  override async parseResponse(response: Response): Promise<unknown> {
    const body: unknown = ${body}${hasLinks ? links : ''}
    return body
  }`
}

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

/** The page in the \`Link\` header that came with a list. */
export function nextLink(list: object, field: string): string | undefined {
  const link = links.get(list)
  return link === undefined ? undefined : queryValue(link, field)
}

function queryValue(link: string, field: string): string | undefined {
  return new URL(link, 'https://localhost').searchParams.get(field) ?? undefined
}
`

const QUERY_OF = `/** The page in the URL of the next page. */
export function queryOf(link: string | null | undefined, field: string): string | undefined {
  return link ? (new URL(link, 'https://localhost').searchParams.get(field) ?? undefined) : undefined
}
`

const NEXT_OFFSET = `/** The offset of the next page; none after an empty one. */
export function nextOffset(items: readonly unknown[], offset: unknown): number | undefined {
  return items.length > 0 ? Number(offset ?? 0) + items.length : undefined
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

const UNWRAP = `/** Takes a record out of its envelope. */
export function unwrap(name: string): (value: unknown) => unknown {
  return (value) => (value === null ? value : (value as { [member: string]: unknown })[name])
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

const RENAME = `const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => \`_\${letter.toLowerCase()}\`)
const toCamel = (name: string): string => name.replace(/[_-]([a-z\\d])/g, (_, letter: string) => letter.toUpperCase())

/** Renames the members of plain objects. Forms, files and dates stay as they are. */
function rename(value: unknown, change: (name: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => rename(item, change))
  }
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [change(name), rename(member, change)]))
}
`
