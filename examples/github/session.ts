import { RestEndpoint, type RestGenerics } from 'restitch'
import { GQLEndpoint } from 'restitch/graphql'

let token: string | undefined
let isOpen = false
const listeners = new Set<() => void>()

/** The token that all requests send. It lives as long as the page. */
export const session = {
  isOpen: (): boolean => isOpen,
  /** Signs requests with a token that nobody has checked yet. */
  use(value: string): void {
    token = value
  },
  /** Shows the app. */
  open(): void {
    isOpen = true
    listeners.forEach((notify) => notify())
  },
  /** Shows the login form. */
  close(): void {
    token = undefined
    isOpen = false
    listeners.forEach((notify) => notify())
  },
  subscribe(notify: () => void): () => void {
    listeners.add(notify)
    return () => listeners.delete(notify)
  },
}

const sign = (headers: Record<string, string>): Record<string, string> =>
  token ? { ...headers, Authorization: `Bearer ${token}` } : headers

export class GitHubEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = '/api'
  override getHeaders(headers: Record<string, string>): HeadersInit {
    return sign(headers)
  }
}

export const gql = new GQLEndpoint('/api/graphql', { getHeaders: sign })
