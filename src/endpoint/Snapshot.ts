import type { Denormalize, DenormalizeNullable, Queryable, SchemaArgs } from '../schema/Denormalize.ts'
import type { EndpointInterface, UnknownError } from './EndpointOptions.ts'

/** How far the data of an endpoint can be trusted: 1 invalid, 2 invalid if stale, 3 valid. */
export type ExpiryStatusType = 1 | 2 | 3

/** The store as it was when an optimistic operation looks at it. */
export interface SnapshotInterface {
  /** Thrown by `getOptimisticResponse` to show nothing. */
  readonly abort: Error
  /** When the request began, in epoch milliseconds. */
  readonly fetchedAt: number
  /** Reads a schema from the store; `undefined` when it is not there. */
  get<S extends Queryable>(schema: S, ...args: SchemaArgs<S>): Denormalize<S> | undefined
  /** Reads what an endpoint would show. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E> | [null]
  ): { data: DenormalizeNullable<E['schema']>; expiryStatus: ExpiryStatusType; expiresAt: number }
  /** The last error of an endpoint, if it is still in force. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E> | [null]): UnknownError | undefined
}
