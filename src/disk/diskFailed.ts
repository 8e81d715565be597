import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/** The error of a storage that cannot be used. */
export function diskFailed(name: string, cause: unknown): Error {
  return fail(
    'disk-failed',
    String(cause),
    DEV &&
      `The storage of "${name}" cannot be used: ${String(cause)}. Everything is kept in memory until it can be, and is gone with the page. Private windows, blocked site data and a full disk are the usual causes.`,
    Error,
    { cause },
  )
}
