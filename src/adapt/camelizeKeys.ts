import { type CasingOptions, createCasing } from './casing.ts'

/**
 * Gives the names of the app to data that no endpoint has fetched, such as a message of a stream.
 *
 * @example
 * const task = camelizeKeys({ id: '5', due_at: '2030-01-01' }) // { id: '5', dueAt: '2030-01-01' }
 * @param casing that of `adaptEndpoint`
 * @see docs/api/adaptEndpoint.md
 */
// The members of the result have other names than those of the value, which no type can tell.
export function camelizeKeys(value: unknown, casing: 'snake' | CasingOptions = 'snake'): any {
  const { rename, toApp } = createCasing(casing === 'snake' ? {} : casing)
  return rename(value, toApp)
}
