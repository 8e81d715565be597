// Times and numbers of a response. Order is a number, never a clock.

/** `expiresAt` of data that is marked as stale: readers show it and refetch it. */
export const STALE = 1
/** `expiresAt` of a result that was invalidated, or that only a pending operation shows. */
export const INVALIDATED = 0

/** When a response was requested, and when it arrived. One object serves all its rows. */
export interface Meta {
  /** When the request began, in epoch milliseconds. Not used to order responses. */
  readonly fetchedAt: number
  /** When the response arrived, in epoch milliseconds. Age is counted from it. */
  readonly date: number
  /** Until when it counts as fresh, in epoch milliseconds. */
  readonly expiresAt: number
  /** The number of the store when the request was sent. */
  readonly sent: number
  /** The number of the store when the response arrived. */
  readonly at: number
  /** `set`: the app knows the value, as from an event. A mutation is known only to have been done between `sent` and `at`. */
  readonly kind: 'read' | 'mutation' | 'set'
}

export function isWrite({ kind }: Pick<Meta, 'kind'>): boolean {
  return kind !== 'read'
}
