import { describeFailure } from '../endpoint/describeFailure.ts'
import { readErrorBody } from '../endpoint/failure.ts'

/**
 * A response that cannot be used: its status is not `ok`, or its content was refused.
 *
 * @example
 * try { await getUser({ id: 5 }) } catch (error) { if (error instanceof NetworkError) show(error.message, error.body) }
 * @see docs/api/NetworkError.md
 */
export class NetworkError extends Error {
  declare status: number
  /** The response. Its body is unread. */
  declare response: Response
  /** The body of the response: parsed JSON, else text, at most 64 KiB of it; `undefined` where there is none. */
  declare body: unknown
  /** The requested URL; `response.url` is the one after redirects. */
  declare url: string
  declare method: string | undefined
  /** The status was fine, but the library refused the content. */
  declare refused?: boolean
  /** Says which refusal it was. */
  declare code?: string

  constructor(response: Response, url: string = response.url, method?: string, body?: unknown) {
    super(describeFailure(response, body))
    Object.assign(this, { name: 'NetworkError', status: response.status, response, url, method, body })
  }

  toJSON(): { name: string; status: number; message: string; url: string } {
    const { name, status, message, response, url } = this
    // A response that a test made has no URL.
    return { name, status, message, url: response.url || url }
  }
}

/** The error for a response whose status is not `ok`, with its body. */
export async function createNetworkError(response: Response, url: string, method?: string): Promise<NetworkError> {
  return new NetworkError(response, url, method, await readErrorBody(response))
}
