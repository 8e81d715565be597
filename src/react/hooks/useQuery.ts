'use client'
import type { DenormalizeNullable, EntityClass, Queryable, SchemaArgs } from '../../schema/Denormalize.ts'
import { data, useReader } from '../reader.ts'

/**
 * Reads a schema from the store. It never fetches.
 *
 * @example
 * const user = useQuery(User, { id: 5 })
 * @see docs/api/useQuery.md
 */
export function useQuery<S extends Queryable, A extends readonly unknown[] = readonly unknown[]>(
  schema: S,
  ...args: (readonly [...SchemaArgs<S>] & OneField<S, A>) | readonly [null]
): DenormalizeNullable<S> | undefined {
  return useReader(schema, args as readonly any[], data, true)[0]
}

/** A record is found by at least one field: `{}` would find none. */
type OneField<S, A extends readonly unknown[]> =
  | (S extends EntityClass
      ? A[0] extends object
        ? keyof A[0] extends never
          ? NoField<'name at least one field of the record'>
          : unknown
        : unknown
      : unknown)
  // Never true: from this branch A is inferred.
  | ([A] extends [never] ? A : never)

/** Replaces arguments that name no record; the compiler shows `reason`. */
interface NoField<M extends string> {
  readonly reason: M
}
