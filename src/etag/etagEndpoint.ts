import type { Controller } from '../controller/Controller.ts'
import { settle } from '../endpoint/BaseEndpoint.ts'
import { callableOf, SEEN_VERSION, type SeenVersion, START, type StartOptions } from '../endpoint/start.ts'
import { isPage } from '../lists/paginate.ts'
import { RestEndpoint } from '../rest/RestEndpoint.ts'
import type { RestEndpointClass, RestEndpointConstructor } from '../rest/RestInstance.ts'
import type { RestGenerics } from '../rest/RestOptions.ts'
import { plainHeaders } from '../endpoint/transport.ts'
import { changeIfMatch, isChange, seenVersion } from './changeIfMatch.ts'
import { BASE } from './ifMatch.ts'
import { readIfChanged } from './readIfChanged.ts'

/** Sends the request of a call, with a further header. Resolves to its value and the ETag of the response. */
export type SendWith = (name?: string, value?: string) => Promise<Sent>

export interface Sent {
  readonly value: unknown
  readonly etag: string | null | undefined
}

/** A call through a store. */
export interface EtagCall {
  readonly endpoint: any
  readonly args: readonly any[]
  readonly url: string
  readonly controller: Controller
  readonly stored: Promise<unknown>
  readonly send: SendWith
}

/**
 * Makes the endpoint class of an API with ETags: stored data that has not changed is not sent again, and changes of a record that
 * another user has changed are refused.
 *
 * @example
 * const Users = resource({ urlPrefix: 'https://api.test', path: '/users/:id', schema: User, Endpoint: etagEndpoint() })
 * @see docs/api/etagEndpoint.md
 */
export function etagEndpoint(): RestEndpointConstructor
export function etagEndpoint<E extends RestEndpointClass>(Endpoint: E): E
export function etagEndpoint(Base: RestEndpointClass = RestEndpoint): unknown {
  class EtagEndpoint<O extends RestGenerics = any> extends (Base as RestEndpointConstructor)<O> {
    // On the prototype, since it is no option.
    get [BASE](): object | null {
      return null
    }

    /** For the outbox, which sends the change later. */
    [SEEN_VERSION](args: readonly any[], controller: Controller): SeenVersion | undefined {
      const line = this.requestKey(...(args as any))
      const url = line.slice(line.indexOf(' ') + 1)
      const call = { endpoint: callableOf(this), args, url, controller } as Parameters<typeof seenVersion>[0]
      return isChange(this as never) ? seenVersion(call) : undefined
    }

    override [START](args: any, options: StartOptions = {}): Promise<any> {
      const { controller, stored } = options
      // A page has the key and the data of its list.
      if (!controller || !stored || isPage(this)) {
        return super[START](args, options)
      }
      const send: SendWith = async (name, value) => {
        let etag: string | null | undefined
        const { fetchResponse } = settle(this)
        const own: any = this.extend({
          async fetchResponse(input: string, init: RequestInit): Promise<Response> {
            const headers = name ? plainHeaders(init.headers, { [name]: value! }) : init.headers
            // By default `fetch` adds "Cache-Control: no-cache" to a conditional read, and Express then ignores the condition.
            const cache = name === 'If-None-Match' && (init.cache ?? 'no-cache')
            const response = await fetchResponse.call(this, input, {
              ...init,
              headers,
              ...(cache && { cache }),
            } as RequestInit)
            etag = response.headers.get('etag')
            return response
          },
        } as object)
        return { value: await super[START].call(own, args, options), etag }
      }
      const line = this.requestKey(...args)
      const url = line.slice(line.indexOf(' ') + 1)
      const endpoint = callableOf(this)
      const call: EtagCall = { endpoint, args, url, controller: controller as Controller, stored, send }
      if (!this.sideEffect) {
        return readIfChanged(call)
      }
      return isChange(this as never) ? changeIfMatch(call, options.onUnsent) : super[START](args, options)
    }
  }
  return EtagEndpoint
}
