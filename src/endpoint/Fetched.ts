import type { Denormalize, DenormalizeNullable } from '../schema/Denormalize.ts'
import type { EndpointInterface, ResolveType } from './EndpointOptions.ts'

/**
 * The value that `fetch` resolves to: that of the schema, else that of the endpoint. A mutation whose `process` may return `null` may
 * have no record to resolve to.
 */
export type Fetched<E extends EndpointInterface> = [E['schema']] extends [null | undefined]
  ? ResolveType<E>
  : E['sideEffect'] extends true
    ? Denormalize<E['schema']> | MaybeEmpty<ResolveType<E>>
    : Denormalize<E['schema']>

type MaybeEmpty<R> = unknown extends R ? never : null extends R ? undefined : undefined extends R ? undefined : never

/** The stored value of an endpoint; `undefined` before the first response. */
export type Known<E extends EndpointInterface> = [E['schema']] extends [null | undefined]
  ? ResolveType<E> | undefined
  : DenormalizeNullable<E['schema']>
