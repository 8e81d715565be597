import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'

/** The member of an endpoint with the record that a change starts from. On endpoints of this entry it is `null` by default. */
export const BASE: unique symbol = Symbol('base')

/**
 * The same mutation; the server refuses it if the record is no longer the one that was passed.
 *
 * @example
 * const Users = resource({ path: '/users/:id', schema: User, Endpoint: etagEndpoint() })
 * const rename = (user: User, name: string) => ifMatch(Users.partialUpdate, user)({ id: user.id }, { name })
 * @see docs/api/ifMatch.md
 */
export function ifMatch<E extends { readonly sideEffect: true; readonly name: string; extend(options: any): any }>(
  endpoint: E,
  record: object,
): E {
  if ((endpoint as { [BASE]?: unknown })[BASE] === undefined) {
    throw fail(
      'etag-unknown',
      endpoint.name,
      DEV && `ifMatch() needs an endpoint of etagEndpoint(), and "${endpoint.name}" is none.`,
      TypeError,
    )
  }
  return endpoint.extend({ [BASE]: record }) as E
}
