import { Entity, RestEndpoint, type RestGenerics } from 'restitch'

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
      throw explain(error)
    }
  }
}

const USER = 'user'

/** The id of the user who was signed in last: known before the server responds, since a reload may have no network. */
export function knownUser(): string | undefined {
  return usersPlace().getItem(USER) ?? undefined
}

/** Notes who is signed in, or that nobody is. */
export function keepUser(id: string | undefined): void {
  if (id === undefined) {
    usersPlace().removeItem(USER)
  } else {
    usersPlace().setItem(USER, id)
  }
}

/** All windows share a cookie; a token belongs to one. */
function usersPlace(): Storage {
  return ApiEndpoint.accessToken ? sessionStorage : localStorage
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

/** A failure without a response says so. The message of any other is that of the server. */
export function explain(error: unknown): unknown {
  return error instanceof TypeError ? Object.assign(error, { message: 'The server cannot be reached.' }) : error
}

/** A record with a revision: an older revision never replaces a newer one. */
export abstract class Versioned extends Entity {
  id = ''
  revision = 0

  static override shouldUpdate(_existingMeta: unknown, _incomingMeta: unknown, existing: any, incoming: any): boolean {
    return !(incoming.revision < existing.revision)
  }
}
