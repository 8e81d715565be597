import type { GetterArgs } from '../binding/getterArgs.ts'
import { takeData } from '../binding/Reader.ts'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import { createPassive } from './reader.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = createQuery(User, () => ({ id: props.id }))
 * const name = () => user.data?.name
 * @see docs/api/createQuery.md#svelte
 */
export function createQuery<S extends Queryable, A extends readonly unknown[]>(
  schema: S,
  ...args: GetterArgs<SchemaArgs<S>, A>
): { readonly data: DenormalizeNullable<S> | undefined } {
  return createPassive(schema, args, takeData) as never
}
