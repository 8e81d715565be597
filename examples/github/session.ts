import type { RestGenerics } from 'restitch'
import { adaptEndpoint } from 'restitch/adapt'
import { createAuth, type Tokens } from 'restitch/auth'
import { GQLEndpoint } from 'restitch/graphql'

interface Session extends Tokens {
  readonly refreshToken: string
}

// The API writes names in snake_case, and the app in camelCase.
const SNAKE = { casing: 'snake' } as const
const OpenEndpoint = adaptEndpoint(SNAKE)

/** Both respond with `{ access_token, refresh_token, expires_in }`. They carry no token, and are called directly. */
const logIn = new OpenEndpoint({
  path: '/api/login',
  method: 'POST',
  body: {} as { code: string },
  process: toSession,
})
const refresh = new OpenEndpoint({
  path: '/api/refresh',
  method: 'POST',
  body: {} as { refreshToken: string },
  process: toSession,
  timeout: 10_000,
})

let isOpen = false
const listeners = new Set<() => void>()

/** An expired token is refreshed, once for all requests. If the server refuses that, the login form is shown, and nothing of the user stays in memory. */
export const auth = createAuth<Session>({
  origins: [location.origin],
  refresh: ({ refreshToken }) => refresh({ refreshToken }),
  onSignOut: () => show(false),
})

/** Whether a user is signed in, for `useSyncExternalStore`. */
export const session = {
  isOpen: (): boolean => isOpen,
  subscribe(notify: () => void): () => void {
    listeners.add(notify)
    return () => listeners.delete(notify)
  },
}

export async function signIn(code: string): Promise<void> {
  await auth.signIn(await logIn({ code }))
  show(true)
}

function show(next: boolean): void {
  isOpen = next
  listeners.forEach((notify) => notify())
}

function toSession(response: { accessToken: string; refreshToken: string; expiresIn: number }): Session {
  const { accessToken, refreshToken, expiresIn } = response
  return { accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1_000 }
}

export class GitHubEndpoint<O extends RestGenerics = any> extends adaptEndpoint(SNAKE, auth.Endpoint)<O> {
  override urlPrefix = '/api'
}

class GitHubGraphQL extends GQLEndpoint {
  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return auth.fetch(url, init, (...request) => super.fetchResponse(...request))
  }
}

export const gql = new GitHubGraphQL('/api/graphql')
