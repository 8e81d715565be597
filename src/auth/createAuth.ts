import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import { warnOnce } from '../base/warn.ts'
import { originOf } from '../endpoint/originOf.ts'
import { plainHeaders } from '../endpoint/transport.ts'
import type { Manager } from '../managers/Manager.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestEndpointConstructor } from '../rest/RestInstance.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import type { AuthOptions } from './AuthOptions.ts'
import { Session } from './Session.ts'
import type { Tokens } from './Tokens.ts'

/** The endpoint class of an API with tokens, and the calls that start and end a session. */
export interface Auth<T extends Tokens = Tokens> {
  /** The class for the endpoints and resources of your API. */
  readonly Endpoint: RestEndpointConstructor
  /** Resets its store when a session ends, and listens to the other tabs. */
  readonly manager: Manager
  /** Starts a session with tokens that your server issued; resets the store. */
  signIn(tokens: T): Promise<void>
  /** Ends the session and resets the store. A refresh in flight is dropped. */
  signOut(): Promise<void>
  /** The tokens, refreshed if they are about to expire; `undefined` if nobody is signed in. */
  getTokens(): Promise<T | undefined>
  /** Sends any request with the token. `send` sends it once; by default it is `fetch`. */
  fetch(url: string, init?: RequestInit, send?: Send): Promise<Response>
}

type Send = (url: string, init: RequestInit) => Promise<Response>

/**
 * Makes the endpoint class of an API with access tokens that expire: they are refreshed once for all requests and tabs.
 *
 * @example
 * const refresh = new RestEndpoint({ path: '/refresh', method: 'POST', process: (value): Tokens => value })
 * const auth = createAuth({ origins: ['https://api.test'], refresh })
 * const Users = resource({ urlPrefix: 'https://api.test', path: '/users/:id', schema: User, Endpoint: auth.Endpoint })
 * @see docs/api/createAuth.md
 */
export function createAuth<T extends Tokens = Tokens>(options: AuthOptions<T>): Auth<T> {
  const origins = new Set(options.origins.map(readOrigin))
  const session = new Session(options, [...origins].sort().join(' '))
  const send = async (url: string, init: RequestInit = {}, once: Send = fetchOnce): Promise<Response> => {
    if (origins.has(originOf(url))) {
      return sendWithToken(session, origins, url, init, once)
    }
    if (DEV) {
      warnOnce(`A request to ${originOf(url)} is sent without a token: it is not one of the origins of createAuth().`)
    }
    return once(url, init)
  }
  // Its constructor is the inherited one, so the options may be of any type.
  class AuthEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
    override fetchResponse(url: string, init: RequestInit): Promise<Response> {
      return send(url, init, (...request) => super.fetchResponse(...request))
    }
  }
  return {
    Endpoint: AuthEndpoint as unknown as RestEndpointConstructor,
    manager: {
      middleware: (controller) => {
        session.controller = controller
        return (next) => next
      },
      init: () => session.channel.open(),
      cleanup: () => session.channel.close(),
    },
    signIn: (tokens) => session.signIn(tokens),
    signOut: () => session.end('requested'),
    getTokens: () => session.ready(session.era),
    fetch: send,
  }
}

/** Sends a request, and sends it again with new tokens if the server responds with 401. */
async function sendWithToken<T extends Tokens>(
  session: Session<T>,
  origins: ReadonlySet<string>,
  url: string,
  init: RequestInit,
  once: Send,
): Promise<Response> {
  const { era } = session
  // The tokens that another tab has stored may have expired, too.
  for (let tries = 0, isLast = false; ; isLast = ++tries > 1 || isIssued(session)) {
    const used = await session.ready(era, init.signal)
    let refusal: { response: Response; error?: unknown }
    try {
      const response = await once(url, used ? withToken(session, init, used) : init)
      if (response.status !== 401) {
        return response
      }
      refusal = { response }
    } catch (error) {
      const { status, response } = Object(error) as { status?: number; response?: Response }
      if (status !== 401 || !response) {
        throw error
      }
      refusal = { response, error }
    }
    const isOurs = !refusal.response.url || origins.has(originOf(refusal.response.url))
    if (!used || !isOurs || isLast) {
      return settle(refusal)
    }
    await session.renew(era, used, init.signal)
    // A stream has been read.
    if ((init.body as { getReader?: unknown } | null | undefined)?.getReader) {
      return settle(refusal)
    }
    refusal.response.body?.cancel().catch(() => {})
  }
}

function isIssued<T extends Tokens>({ tokens, issued }: Session<T>): boolean {
  return tokens !== undefined && issued.has(tokens)
}

function withToken<T extends Tokens>({ options }: Session<T>, init: RequestInit, tokens: T): RequestInit {
  const { headers } = options
  const given = headers ? headers(tokens) : { Authorization: `Bearer ${tokens.accessToken}` }
  return {
    // Only `Authorization` is dropped by every platform when a redirect leads to another origin.
    ...(headers && { redirect: 'error' }),
    ...init,
    headers: plainHeaders(given, plainHeaders(init.headers)),
  }
}

/** A 401 as the caller expects it: thrown, or returned as `fetch` does. */
function settle({ response, error }: { response: Response; error?: unknown }): Response {
  if (error !== undefined) {
    throw error as Error
  }
  return response
}

function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  return globalThis.fetch(url, init)
}

function readOrigin(url: string): string {
  // A relative address would be one of the page, which may be another server.
  if (/^https?:\/\/[^/]/.test(url)) {
    return originOf(url)
  }
  throw fail(
    'auth-origins',
    url,
    DEV && `"${url}" in the origins of createAuth() is no origin. Write all of it, such as "https://api.test".`,
    TypeError,
  )
}
