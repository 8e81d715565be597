import { Entity, NetworkError, RestEndpoint, type RestGenerics } from 'restitch'

/** The base class of all endpoints: the address of the server, the credentials, and readable errors. */
export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  static accessToken: string | null = sessionStorage.getItem('accessToken')

  override urlPrefix = '/api'

  override getHeaders(headers: Record<string, string>): HeadersInit {
    const { accessToken } = ApiEndpoint
    return accessToken ? { ...headers, Authorization: `Bearer ${accessToken}` } : headers
  }

  override async getRequestInit(body?: any): Promise<RequestInit> {
    // With a token no cookie is needed.
    const credentials = ApiEndpoint.accessToken ? 'omit' : 'same-origin'
    return { ...(await super.getRequestInit(body)), credentials }
  }

  override async fetchResponse(input: string, init: RequestInit): Promise<Response> {
    try {
      return await super.fetchResponse(input, init)
    } catch (error) {
      throw await explain(error)
    }
  }
}

/** Keeps the token across reloads of this tab, or removes it. */
export function keepToken(token: string | undefined): void {
  ApiEndpoint.accessToken = token ?? null
  if (token) {
    sessionStorage.setItem('accessToken', token)
  } else {
    sessionStorage.removeItem('accessToken')
  }
}

/** An error of the server: a message, and one for each invalid field. */
export interface Problem extends Error {
  readonly status: number
  readonly fields?: Readonly<Record<string, string>>
}

/** Adds the server's `{ message, fields }` to the error. */
export async function explain(error: unknown): Promise<unknown> {
  if (error instanceof TypeError) {
    return Object.assign(error, { message: 'The server cannot be reached.' })
  }
  if (!(error instanceof NetworkError)) {
    return error
  }
  try {
    return Object.assign(error, await error.response.json())
  } catch {
    // Not every failed response has a JSON body.
    return error
  }
}

/** A record with a revision: an older revision never replaces a newer one. */
export class Versioned extends Entity {
  id = ''
  revision = 0

  static override shouldUpdate(_existingMeta: unknown, _incomingMeta: unknown, existing: any, incoming: any): boolean {
    return !(incoming.revision < existing.revision)
  }
}
