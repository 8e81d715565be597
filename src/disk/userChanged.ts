import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/** The app has another user, and has not reset the store. */
export function userChanged(name: string): Error {
  return fail(
    'user-changed',
    name,
    DEV &&
      `user() returns another user than the one of "${name}", and the store was not reset. It is reset now, so that nobody gets data of another user. Call controller.resetEntireStore() whenever the user changes.`,
  )
}
