import type { ComputedRef, MaybeRef } from 'vue'
import { takeData } from '../binding/Reader.ts'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import type { ComposableArgs } from './args.ts'
import { useReader } from './reader.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = useQuery(User, () => ({ id: props.id }))
 * @see docs/api/useQuery.md#vue
 */
export function useQuery<S extends Queryable, A extends readonly unknown[]>(
  schema: MaybeRef<S>,
  ...args: ComposableArgs<SchemaArgs<S>, A>
): ComputedRef<DenormalizeNullable<S> | undefined> {
  return useReader(schema, args, takeData, true)
}
