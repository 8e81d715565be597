import { Entity, NetworkError, RestEndpoint, type RestGenerics } from 'restitch'

/** The endpoint that all others are made of: where the server is, who asks, and what its errors say. */
export class ApiEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  static accessToken: string | null = sessionStorage.getItem('accessToken')

  override urlPrefix = '/api'

  override getHeaders(headers: Record<string, string>): HeadersInit {
    const { accessToken } = ApiEndpoint
    return accessToken ? { ...headers, Authorization: `Bearer ${accessToken}` } : headers
  }

  override async getRequestInit(body?: any): Promise<RequestInit> {
    // Whoever signed in with a token is known by it alone.
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

/** Keeps the token over a reload of this tab, or forgets it. */
export function keepToken(token: string | undefined): void {
  ApiEndpoint.accessToken = token ?? null
  if (token) {
    sessionStorage.setItem('accessToken', token)
  } else {
    sessionStorage.removeItem('accessToken')
  }
}

/** What the server says when it refuses: a sentence, and one for each field that is wrong. */
export interface Problem extends Error {
  readonly status: number
  readonly fields?: Readonly<Record<string, string>>
}

/** The error with the words of the server: `{ message, fields }`. */
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
    // Not every failure has words.
    return error
  }
}

/** A record whose server counts its changes: an older one never takes the place of a newer one. */
export class Versioned extends Entity {
  id = ''
  revision = 0

  static override shouldUpdate(_existingMeta: unknown, _incomingMeta: unknown, existing: any, incoming: any): boolean {
    return !(incoming.revision < existing.revision)
  }
}
