import type { RestitchError } from '../base/errors.ts'
import type { Tokens } from './Tokens.ts'

/** The options of `createAuth`: where tokens come from, and who may see them. */
export interface AuthOptions<T extends Tokens = Tokens> {
  /** The servers that receive the token. A request to any other is sent without it. */
  readonly origins: readonly string[]
  /** Returns the tokens of the user who signed in earlier, or nothing. Called before the first request. */
  readonly load?: (() => T | null | undefined | Promise<T | null | undefined>) | undefined
  /** Keeps the tokens for `load`; `undefined` after a sign-out. Without it they are in memory. */
  readonly save?: ((tokens: T | undefined) => unknown) | undefined
  /** Returns new tokens. An error with a status from 400 to 499 says that the session is over. */
  readonly refresh: (tokens: T) => T | Promise<T>
  /** The headers that carry the token; by default `Authorization: Bearer …`. */
  readonly headers?: ((tokens: T) => { readonly [name: string]: string }) | undefined
  /** Called after a session has begun, here or in another tab, and the store was reset. */
  readonly onSignIn?: (() => void) | undefined
  /** Called after a session has ended and the store was reset. */
  readonly onSignOut?: ((error: SignedOutError) => void) | undefined
}

/**
 * Why a session ended: `signOut` was called, the server refused to refresh, the user signed out in another tab, or signed in
 * again, here or in another tab.
 *
 * @example
 * const isSurprise = (reason: SignOutReason) => reason === 'refused'
 * @see docs/api/createAuth.md#signoutreason
 */
export type SignOutReason = 'requested' | 'refused' | 'elsewhere' | 'replaced'

/**
 * Rejects the requests that waited for a token when the session ended.
 *
 * @example
 * const show = ({ reason }: SignedOutError) => (reason === 'refused' ? 'Your session has expired' : 'You signed out')
 * @see docs/api/createAuth.md#signedouterror
 */
export interface SignedOutError extends RestitchError {
  readonly code: 'signed-out'
  readonly status: 401
  readonly reason: SignOutReason
}
