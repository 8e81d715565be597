import type { Casing } from './Casing.ts'
import type { AuthConfig, Config } from './config.ts'
import {
  ENTITY_OR,
  FIRST_OF,
  FORM_API,
  KEEP_LINK,
  LINKS,
  NEXT_ARGS,
  NEXT_LINK,
  NEXT_OFFSET,
  NEXT_PAGE,
  PAGE_END,
  QUERY_OF,
  SEARCH,
  TEXT_AT,
  TYPED,
  UNWRAP,
  WITHOUT,
  searchOf,
} from './helperTexts.ts'
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
