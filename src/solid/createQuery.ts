import type { Accessor } from 'solid-js'
import type { GetterArgs } from '../binding/getterArgs.ts'
import { takeData } from '../binding/Reader.ts'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import { createPassive } from './reader.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = createQuery(User, () => ({ id: props.id }))
 * const name = () => user()?.name
 * @see docs/api/createQuery.md#solid
 */
export function createQuery<S extends Queryable, A extends readonly unknown[]>(
  schema: S,
  ...args: GetterArgs<SchemaArgs<S>, A>
): Accessor<DenormalizeNullable<S> | undefined> {
  return createPassive(() => schema, args, takeData)
}
