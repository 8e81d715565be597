'use client'
import type { QueryArgs } from '../../binding/args.ts'
import type { DenormalizeNullable, Queryable } from '../../schema/Denormalize.ts'
import { takeData } from '../../binding/Reader.ts'
import { useReader } from '../reader.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = useQuery(User, { id: 5 })
 * @see docs/api/useQuery.md
 */
export function useQuery<S extends Queryable, A extends readonly unknown[] = readonly unknown[]>(
  schema: S,
  ...args: QueryArgs<S, A>
): DenormalizeNullable<S> | undefined {
  return useReader(schema, args as readonly any[], takeData, true)[0]
}
