import { define } from '../base/define.ts'
import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

// Shared by all endpoints that use HTTP, whatever their body contains.

/** The parts of a request, except its body. */
export interface Requester {
  readonly method: string
  readonly requestInit?: RequestInit | undefined
  readonly signal?: AbortSignal | undefined
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>
}

/** Sends one request, as `fetch` does. */
export type Send = (url: string, init: RequestInit) => Promise<Response>

/** The member of an init that replaces `fetch`, beneath everything that a class of endpoints does. */
export const SEND: unique symbol = Symbol.for('restitch.send') as never

/** Looks `fetch` up at call time, so that mocks work. */
export function sendRequest(
  url: string,
  init: RequestInit & { readonly [SEND]?: Send | undefined },
): Promise<Response> {
  return (init[SEND] ?? globalThis.fetch)(url, init)
}

/** The init of a request whose body is encoded already. `headers` are those of the library; all others go over them. */
export async function joinInit(
  endpoint: Requester,
  body: unknown,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
): Promise<RequestInit> {
  const base = endpoint.requestInit
  return {
    ...base,
    method: endpoint.method,
    signal: endpoint.signal ?? base?.signal,
    body,
    headers: plainHeaders(await endpoint.getHeaders(plainHeaders(base?.headers, headers))),
  } as RequestInit
}

/** Headers as a plain object, laid over `found`: of names that differ only in case the last one holds. */
export function plainHeaders(
  given: HeadersInit | undefined = {},
  found: Record<string, string> = {},
): Record<string, string> {
  // Only `Headers` combines names that appear twice.
  for (const [name, value] of Symbol.iterator in given ? new Headers(given) : Object.entries(given)) {
    for (const other in found) {
      if (other.toLowerCase() === name.toLowerCase()) {
        delete found[other]
      }
    }
    // A token that is not there yet is not sent as the word "undefined".
    if (value != null) {
      found[name] = value
    }
  }
  return found
}

/** Marks transport failures. Aborts by the caller, and errors with a status, stay as they are. */
export function asTransport(error: any, subject: string, signal?: AbortSignal | null): unknown {
  if (signal?.aborted || error?.name === 'AbortError' || typeof error?.status === 'number') {
    return error
  }
  try {
    return define(define(error, 'status', 500), 'code', 'transport')
  } catch {
    return fail('transport', subject, DEV && `"${subject}" failed: ${String(error)}.`, Error, {
      cause: error,
      status: 500,
    })
  }
}
