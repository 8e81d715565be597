import { describeFailure } from '../endpoint/describeFailure.ts'

/**
 * One of the `errors` of a GraphQL response.
 *
 * @example
 * const show = ({ message, path }: GQLError) => `${path?.join('.')}: ${message}`
 * @see docs/api/GQLEndpoint.md#gqlerror
 */
export interface GQLError {
  readonly message: string
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  readonly path?: readonly (string | number)[]
  readonly extensions?: any
}

/**
 * The response contains errors, has a status that is not `ok`, or is not a GraphQL response.
 *
 * @example
 * try { await getUser({ id: '5' }) } catch (error) { if (error instanceof GQLNetworkError) show(error.errors) }
 * @see docs/api/GQLEndpoint.md#gqlnetworkerror
 */
export class GQLNetworkError extends Error {
  /** That of the response; 400 for errors in a response that was ok. */
  declare status: number
  /** The errors of the response; empty when it is not a GraphQL response. */
  declare errors: readonly GQLError[]
  /** The response. Its body has been read. */
  declare response: Response | undefined
  /** The body of the response: parsed JSON, else text, at most 64 KiB of it. */
  declare body: unknown
  declare url: string
  /** The status was fine, but the library refused the content. */
  declare refused?: boolean
  /** Says which refusal it was. */
  declare code?: string

  constructor(errors: readonly GQLError[], response?: Response, url: string = response?.url ?? '', body?: unknown) {
    const status = !response || response.ok ? 400 : response.status
    super(errors[0]?.message ?? (response ? describeFailure(response, body) : `Status ${status}`))
    Object.assign(this, { name: 'NetworkError', status, errors, response, url, body })
  }

  toJSON(): { name: string; status: number; message: string; url: string; errors: readonly GQLError[] } {
    const { name, status, message, url, errors } = this
    return { name, status, message, url, errors }
  }
}
