import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** The error response of a request: `throw new Problem(404, 'There is no issue 7.')`. */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: ContentfulStatusCode
  readonly fields: Record<string, string> | undefined

  constructor(status: ContentfulStatusCode, message: string, fields?: Record<string, string>) {
    super(message)
    this.status = status
    this.fields = fields
  }
}

export function answerProblem(c: Context, { status, message, fields }: Problem): Response {
  return c.json(fields ? { message, fields } : { message }, status)
}

export function invalid(fields: Record<string, string>): Problem {
  const [name, text] = Object.entries(fields)[0] ?? ['', '']
  return new Problem(422, `${name} ${text}.`, fields)
}
