import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { fail } from '../base/errors.ts'

/**
 * The tokens of one session. Add what your server needs to refresh them.
 *
 * @example
 * interface Session extends Tokens { readonly refreshToken: string }
 * @see docs/api/createAuth.md#tokens
 */
export interface Tokens {
  /** Sent with every request. */
  readonly accessToken: string
  /** When the access token expires, in milliseconds since 1970. Without it, `exp` of a JWT is used. */
  readonly expiresAt?: number | undefined
  /** Set by `signIn`: tells one sign-in from the next, in all tabs. */
  readonly session?: string | undefined
}

/** Throws unless the value can be sent as tokens. The message names no value: each may be a secret. */
export function checkTokens<T extends Tokens>(value: T | null | undefined, source: string): T {
  const { accessToken } = Object(value) as Partial<Tokens>
  // A header takes only visible ASCII, and an error of `fetch` would quote the token.
  if (typeof accessToken === 'string' && /^[!-~]+$/.test(accessToken)) {
    return value!
  }
  throw fail(
    'auth-tokens',
    source,
    DEV &&
      `${source} must return an object with an "accessToken" of visible ASCII characters, but returned ${shapeOf(value)}.`,
  )
}

/** When tokens expire, in milliseconds since 1970; `NaN` if nobody knows. */
export function expiryOf({ accessToken, expiresAt }: Tokens): number {
  try {
    const [, payload = ''] = accessToken.split('.')
    return expiresAt ?? JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))).exp * 1_000
  } catch {
    return NaN
  }
}

function shapeOf(value: unknown): string {
  return isObject(value)
    ? `an object with the members [${Object.keys(value).join(', ')}]`
    : `a value of type ${typeof value}`
}
