'use client'
import type { DenormalizeNullable, Queryable, SchemaArgs } from '../../schema/Denormalize.ts'
import { useReader } from '../reader.ts'
import { data } from './select.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = useQuery(User, { id: 5 })
 * @see docs/api/useQuery.md
 */
export function useQuery<S extends Queryable>(
  schema: S,
  ...args: readonly [...SchemaArgs<S>] | readonly [null]
): DenormalizeNullable<S> | undefined {
  return useReader(schema, args, data, true)[0]
}
