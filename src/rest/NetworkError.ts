/**
 * The server answered, but not with what was asked for: a status that is not `ok`, or content that cannot be used.
 *
 * @example
 * try { await getUser({ id: 5 }) } catch (error) { if (error instanceof NetworkError) show(error.status) }
 * @see docs/api/NetworkError.md
 */
export class NetworkError extends Error {
  declare status: number
  /** The answer. Its body is unread. */
  declare response: Response
  /** What was requested; `response.url` is where redirects led to. */
  declare url: string
  declare method: string | undefined
  /** The status was fine, but the library refused the content. */
  declare refused?: boolean
  /** Says which refusal it was. */
  declare code?: string

  constructor(response: Response, url: string = response.url, method?: string) {
    const { status } = response
    super(`${response.url || url}: ${response.statusText || `Status not 'ok': ${status}`}`)
    Object.assign(this, { name: 'NetworkError', status, response, url, method })
  }

  toJSON(): { name: string; status: number; message: string; url: string } {
    const { name, status, message, response } = this
    return { name, status, message, url: response.url }
  }
}
