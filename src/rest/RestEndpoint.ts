import { define } from '../base/define.ts'
import { put } from '../base/equal.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { validate } from '../base/standardSchema.ts'
import { BaseEndpoint, settle } from '../endpoint/BaseEndpoint.ts'
import { fetchWithin } from '../endpoint/redirect.ts'
import { currentCall } from '../endpoint/start.ts'
import { asTransport } from '../endpoint/transport.ts'
import { compile, joinUrl } from '../path/compile.ts'
import { matchUrl, pathRegex } from '../path/match.ts'
import { defineExtenders } from './extenders.ts'
import { createNetworkError } from './NetworkError.ts'
import { type Cursor, paginate } from '../lists/paginate.ts'
import { describeContent, parse, signals } from './parse.ts'
import { checkRefusal, createInit } from './request.ts'
import type { RestEndpointConstructor, RestInstance } from './RestInstance.ts'
import type { RestGenerics } from './RestOptions.ts'
import { searchToString } from './search.ts'

type Args = readonly unknown[]

/** Methods that change nothing on the server. */
const SAFE: ReadonlySet<string> = /* @__PURE__ */ new Set(['GET', 'HEAD', 'OPTIONS'])

/** The run time of {@link RestEndpoint}; its public type is `RestEndpointConstructor`. */
class RestEndpointClass extends BaseEndpoint {
  declare path: string
  declare body?: unknown
  declare content?: string
  declare schema?: unknown
  declare validateBody?: unknown
  // On the prototype, like all defaults: own members are options that were passed.
  declare urlPrefix: string
  declare allowRedirectTo: readonly string[]
  declare sendContentType: 'always' | 'withBody'

  constructor(options?: object) {
    super(options, new.target === RestEndpointClass)
    const text = DEV && describeContent(this)
    if (text) {
      console.error(text)
    }
  }

  override get name(): string {
    return `${settle(this).urlPrefix}${this.path}`
  }
  override set name(value: string) {
    define(this, 'name', value)
  }

  // Method and side effect follow from each other; only one that was given can lead.
  get method(): string {
    return Object.hasOwn(settle(this), 'sideEffect') && this.sideEffect ? 'POST' : 'GET'
  }
  set method(value: string) {
    define(this, 'method', value)
  }

  get sideEffect(): boolean | undefined {
    return SAFE.has(verbOf(this)) ? undefined : true
  }
  set sideEffect(value: boolean | undefined) {
    define(this, 'sideEffect', value)
  }

  get pathRegex(): RegExp {
    return pathRegex(pathOf(this))
  }

  url(params?: Record<string, unknown> | null, ..._more: Args): string {
    const { names, fill } = compile(pathOf(this))
    const { urlPrefix } = this
    const given = params ?? {}
    if (DEV && typeof given !== 'object') {
      throw fail(
        'params-not-object',
        this.name,
        `The first argument of "${this.name}" holds its parameters and must be an object, not ${typeof given} "${String(given)}".`,
        TypeError,
      )
    }
    const search: Record<string, unknown> = {}
    for (const name of Object.keys(given)) {
      if (given[name] !== undefined && !names.has(name)) {
        put(search, name, given[name])
      }
    }
    return joinUrl(urlPrefix, fill(given, urlPrefix), this.searchToString(search))
  }

  searchToString(params: Record<string, unknown>): string {
    return searchToString(params)
  }

  override key(...args: Args): string {
    return requestOf(this, args)
  }

  override testKey(key: string): boolean {
    const lead = `${verbOf(this)} ${this.urlPrefix}`
    return key.startsWith(lead) && matchUrl(pathOf(this), this.urlPrefix, key.slice(lead.length))
  }

  errorPolicy(error?: { readonly status: number; readonly refused?: boolean }): 'soft' | undefined {
    return error && (error.status >= 500 || error.refused) ? 'soft' : undefined
  }

  override async fetch(...args: Args): Promise<unknown> {
    const call = currentCall(this)
    const verb = verbOf(this)
    let subject, init
    try {
      const isSent = takesBody(this, verb)
      let body = isSent ? args.at(-1) : undefined
      if (isSent && this.validateBody) {
        body = validate(this.validateBody, body, 'validate-body', () => this.key(...args))
      }
      subject = requestOf(this, args)
      init = await this.getRequestInit(body)
    } catch (error) {
      call?.onUnsent?.()
      throw error
    }
    const url = subject.slice(verb.length + 1)
    const signal = call ? call.join(init.signal) : init.signal
    let response
    try {
      response = await this.fetchResponse(url, { ...init, signal } as RequestInit)
    } catch (error) {
      if (DEV) {
        checkRefusal(this as never, init, error)
      }
      throw asTransport(error, subject, signal)
    }
    signals.set(response, signal)
    call?.onResponse?.(response)
    let value = await this.parseResponse(response)
    if (this.validateResponse) {
      value = await validate(this.validateResponse, value, 'validate-response', () => subject)
    }
    if (!DEV) {
      return this.process(value, ...args)
    }
    try {
      return await this.process(value, ...args)
    } catch (error) {
      throw explainProcess(error, subject, value)
    }
  }

  override extend(options: object = {}): this {
    const child = super.extend(options)
    const given: { method?: string } = { ...options }
    // A new method determines again whether there is a side effect.
    if (given.method && !('sideEffect' in given)) {
      delete (child as { sideEffect?: unknown }).sideEffect
    }
    return child
  }

  paginated(cursor: Cursor): this {
    return paginate(settle(this), cursor)
  }

  getRequestInit(body?: unknown): Promise<RequestInit> {
    return createInit(settle(this), body)
  }

  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  async fetchResponse(input: string, init: RequestInit = {}): Promise<Response> {
    try {
      const response = await fetchWithin(settle(this).allowRedirectTo, input, init)
      if (response.ok) {
        return response
      }
      throw await createNetworkError(response, input, init.method)
    } catch (error) {
      throw asTransport(error, input, init.signal)
    }
  }

  parseResponse(response: Response): Promise<unknown> {
    return parse(settle(this), response, this.process !== RestEndpointClass.prototype.process)
  }

  process(value: unknown, ..._args: Args): unknown {
    return value
  }
}

/**
 * An HTTP endpoint: from a path template to the request, from the response to the value.
 *
 * @example
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/users/:id' })
 * await getUser({ id: 5 }) // GET https://api.test/users/5
 * @see docs/api/RestEndpoint.md
 */
export const RestEndpoint: RestEndpointConstructor = /* @__PURE__ */ withDefaults(RestEndpointClass) as never

// Not a static block of the class, which Metro cannot read.
function withDefaults(Class: typeof RestEndpointClass): typeof RestEndpointClass {
  Class.prototype.urlPrefix = ''
  Class.prototype.allowRedirectTo = []
  Class.prototype.sendContentType = 'always'
  // One function for both, so that a URL is built once where they are the same.
  Class.prototype.requestKey = Class.prototype.key
  defineExtenders(Class.prototype)
  return Class
}
export interface RestEndpoint<O extends RestGenerics = any, P = unknown> extends RestInstance<O, P> {}

function pathOf(endpoint: RestEndpointClass): string {
  const { path } = settle(endpoint)
  if (DEV && typeof path !== 'string') {
    throw fail(
      'path-missing',
      endpoint.name,
      `The endpoint "${endpoint.name}" has no path. Give it one: new RestEndpoint({ path: '/users/:id' }).`,
      TypeError,
    )
  }
  return path
}

/** For a mistake in `process`: which one it was, and what it received. Errors that an app throws on purpose stay as they are. */
function explainProcess(error: unknown, subject: string, value: unknown): unknown {
  if (DEV && error instanceof TypeError) {
    error.message =
      `process() of "${subject}" failed on ${show(value)}: ${error.message}. ` +
      'The members of a list, such as create and push, inherit the process() of getList: give them one of their own if their response has another shape.'
  }
  return error
}

function verbOf(endpoint: RestEndpointClass): string {
  const { method } = settle(endpoint)
  // Keys are made at every render, and nearly all are of reads.
  return method === 'GET' ? method : method.toUpperCase()
}

function takesBody(endpoint: RestEndpointClass, verb: string): boolean {
  return !SAFE.has(verb) && ('body' in endpoint ? endpoint.body !== undefined : verb !== 'DELETE')
}

/** The method and the URL of a call: `url` receives all arguments except the body. */
function requestOf(endpoint: RestEndpointClass, args: Args): string {
  const verb = verbOf(endpoint)
  const withBody = takesBody(endpoint, verb)
  const alone = withBody && args.length < 2
  const params = (alone ? {} : (args[0] ?? {})) as Record<string, unknown>
  // Only an override of `url` has a use for more: keys are made at every render, and nearly all have one argument.
  const more = args.length > 1 ? args.slice(1, withBody ? -1 : undefined) : []
  if (!DEV) {
    return `${verb} ${endpoint.url(params, ...more)}`
  }
  try {
    return `${verb} ${endpoint.url(params, ...more)}`
  } catch (error) {
    if (alone && args.length && (error as { code?: string }).code === 'path-missing-param') {
      ;(error as Error).message += ' (one argument was given and was taken as the body)'
    }
    throw error
  }
}
