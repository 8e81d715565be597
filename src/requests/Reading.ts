import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'

/** How far data can be trusted. */
export const ExpiryStatus = { Invalid: 1, InvalidIfStale: 2, Valid: 3 } as const
// The same as constants, which bundlers replace by their values.
export const UNUSABLE = 1
export const USABLE_IF_FRESH = 2
export const USABLE = 3

/** The data of a reader, and how far it can be trusted. */
export interface Reading {
  readonly data: any
  readonly error: any
  readonly expiryStatus: 1 | 2 | 3
  readonly expiresAt: number
  /** The data is missing, and a pending operation creates or deletes one of its rows: it is fetched when that has ended. */
  readonly waiting?: boolean
  /** There is no response, and the store has only a part of the data: for readers that never fetch. */
  readonly isPartial?: boolean
}

/** The one place that says whether data has to be fetched: it is invalid, or has expired as of then. */
export function isDue({ expiryStatus, expiresAt }: Pick<Reading, 'expiryStatus' | 'expiresAt'>, asOf: number): boolean {
  return expiryStatus === UNUSABLE || expiresAt < asOf
}

/** An endpoint, or a schema that can be queried. */
export type Target = object

/** `null` instead of arguments reads nothing. */
export function isSkip(args: readonly any[]): boolean {
  return args.length === 1 && args[0] === null
}

export function isEndpoint(target: Target): target is EndpointInterface {
  return typeof target === 'function' && typeof (target as { key?: unknown }).key === 'function'
}
