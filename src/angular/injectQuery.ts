import type { Signal } from '@angular/core'
import type { GetterArgs } from '../binding/getterArgs.ts'
import { takeData } from '../binding/Reader.ts'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import { createPassive } from './reader.ts'

/**
 * Reads a schema from the store, as a signal. It never fetches.
 *
 * @example
 * const user = injectQuery(User, () => ({ id: props.id }))
 * const name = () => user()?.name
 * @see docs/api/injectQuery.md
 */
export function injectQuery<S extends Queryable, A extends readonly unknown[]>(
  schema: S,
  ...args: GetterArgs<SchemaArgs<S>, A>
): Signal<DenormalizeNullable<S> | undefined> {
  return createPassive(() => schema, args, takeData)
}
