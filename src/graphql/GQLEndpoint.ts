import { define } from '../base/define.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { stableKey } from '../base/stableKey.ts'
import { validate } from '../base/standardSchema.ts'
import { BaseEndpoint, settle } from '../endpoint/BaseEndpoint.ts'
import { fetchWithin } from '../endpoint/redirect.ts'
import { currentCall } from '../endpoint/start.ts'
import { asTransport, joinInit } from '../endpoint/transport.ts'
import { type GQLError, GQLNetworkError } from './GQLNetworkError.ts'
import type { GQLEndpointConstructor, GQLInstance } from './GQLOptions.ts'

type Args = readonly unknown[]
type Query = string | ((variables: any) => string)

/** The run time of {@link GQLEndpoint}; its public type is `GQLEndpointConstructor`. */
class GQLEndpointClass extends BaseEndpoint {
  declare url: string
  // On the prototype, like all defaults: own members are options that were passed.
  declare method: string
  declare allowRedirectTo: readonly string[]
  declare errorsWithData?: 'keep'

  constructor(url: string, options?: object) {
    super(options, new.target === GQLEndpointClass)
    define(this, 'url', url)
  }

  override get name(): string {
    return settle(this).url
  }
  override set name(value: string) {
    define(this, 'name', value)
  }

  /** Keeps its lists apart from those of another endpoint: the query, if it is known without variables. */
  get path(): string {
    try {
      return settle(this).getQuery({})
    } catch {
      return this.name
    }
  }

  query(query: Query, schema?: unknown): this {
    return derive(this, query, schema, undefined)
  }

  mutation(query: Query, schema?: unknown): this {
    return derive(this, query, schema, true)
  }

  getQuery(_variables: unknown): string {
    throw fail(
      'query-missing',
      this.name,
      DEV && `You must include a query to fetch from "${this.name}": endpoint.query('{ me { id } }').`,
    )
  }

  override key(variables: unknown = {}): string {
    return `${settle(this).getQuery(variables)} ${stableKey(variables)}`
  }

  override testKey(key: string): boolean {
    // The text may depend on the variables. They stand at the end, and no other end of a key is a JSON document.
    for (const { index } of key.matchAll(/ \{["}]/g)) {
      try {
        return settle(this).getQuery(JSON.parse(key.slice(index))) === key.slice(0, index)
      } catch {
        // Still within the query.
      }
    }
    return false
  }

  errorPolicy(error?: { readonly status: number; readonly refused?: boolean }): 'soft' | undefined {
    return error && (error.status >= 500 || error.refused) ? 'soft' : undefined
  }

  override async fetch(...args: Args): Promise<unknown> {
    const call = currentCall(this)
    const { 0: variables = {} } = args
    const { url } = this
    const init = await this.getRequestInit({ query: this.getQuery(variables), variables })
    const signal = call ? call.join(init.signal) : init.signal
    let response, text
    try {
      response = await this.fetchResponse(url, { ...init, signal } as RequestInit)
      call?.onResponse?.(response)
      text = await response.text()
    } catch (error) {
      throw asTransport(error, url, signal)
    }
    const data = await validate(
      this.validateResponse,
      read(response, text, url, this.errorsWithData === 'keep'),
      'validate-response',
      () => this.key(variables),
    )
    return this.process(data, ...args)
  }

  getRequestInit(body?: unknown): Promise<RequestInit> {
    return joinInit(settle(this), JSON.stringify(body))
  }

  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  // A status that is not `ok` is no failure yet: the errors stand in the body.
  async fetchResponse(input: string, init: RequestInit = {}): Promise<Response> {
    try {
      return await fetchWithin(settle(this).allowRedirectTo, input, init)
    } catch (error) {
      throw asTransport(error, input, init.signal)
    }
  }

  process(data: unknown, ..._args: Args): unknown {
    return data
  }
}

/**
 * A GraphQL server: `query` and `mutation` give the endpoints that ask it.
 *
 * @example
 * const gql = new GQLEndpoint('https://api.test/graphql')
 * const getUser = gql.query((v: { id: string }) => `query ($id: ID!) { user(id: $id) { id name } }`, { user: User })
 * await getUser({ id: '5' })
 * @see docs/api/GQLEndpoint.md
 */
export const GQLEndpoint: GQLEndpointConstructor = /* @__PURE__ */ withDefaults(GQLEndpointClass) as never

// Not a static block of the class, which Metro cannot read.
function withDefaults(Class: typeof GQLEndpointClass): typeof GQLEndpointClass {
  Class.prototype.method = 'POST'
  Class.prototype.allowRedirectTo = []
  return Class
}
export interface GQLEndpoint<V = any, S = any, M = any, P = unknown> extends GQLInstance<V, S, M, P> {}

function derive<T extends GQLEndpointClass>(base: T, query: Query, schema: unknown, sideEffect: true | undefined): T {
  const options: Record<string, unknown> = { schema, sideEffect, getQuery: query }
  if (typeof query === 'string') {
    const text = compact(query)
    const name = /^\w+ (\w+)/.exec(text)?.[1]
    options['getQuery'] = () => text
    if (name) {
      options['name'] = name
    }
  }
  return base.extend(options)
}

/** The query in one line. String literals stay as they are. */
function compact(query: string): string {
  return query
    .replace(/("""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n])*")|(?:\s|#[^\n\r]*)+/g, (_, literal?: string) => literal ?? ' ')
    .trim()
}

/** `data` of a response, or the error that explains why there is none. */
function read(response: Response, text: string, url: string, keep: boolean): unknown {
  let answer: { readonly data?: unknown; readonly errors?: readonly GQLError[] } | null | undefined
  try {
    answer = JSON.parse(text)
  } catch {
    // The error below tells what came instead.
  }
  const { data, errors = [] } = answer ?? {}
  if (errors?.length ? !keep || data == null || !response.ok : !response.ok || data === undefined) {
    const error = new GQLNetworkError(errors ?? [], response, url, answer ?? (text.slice(0, 65_536) || undefined))
    if (response.ok && !errors?.length) {
      Object.assign(error, {
        code: 'response-graphql',
        refused: true,
        message: DEV
          ? `The response of "POST ${url}" has neither "data" nor "errors", so it is not from a GraphQL server. Is the url right? It began with: ${text.slice(0, 300)}`
          : `response-graphql: POST ${url}`,
      })
    }
    throw error
  }
  return data
}
