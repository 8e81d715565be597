import type { ResultMeta, Store } from '../store/Store.ts'

/** Requests for one key that may be sent without a usable response. */
export const TRIES = 3

/** The longest `Retry-After` that is respected, in milliseconds. */
const LONGEST = 300_000

/** Limits the requests that readers send for a key. A reset of the store clears it. */
export interface Attempts {
  /** Counts one more request; false when there have been enough. */
  addTry(key: string): boolean
  /** Allows no further request. */
  exhaust(key: string): void
  /** A usable response, or a caller that fetches on purpose: earlier requests do not count. */
  resetTries(key: string): void
  /** Keeps the `Retry-After` of a response. `isPage`: a page does not say that the list may be fetched again. */
  onResponse(key: string, error: unknown, isPage: boolean): void
  /** When the server allows the next request. */
  retryAt(key: string): number
}

export function createAttempts(store: Store): Attempts {
  const { clock, tables } = store
  const tries = new Map<string, number>()
  /** Kept apart from the stored errors, which may be removed, or not stored at all. */
  const retryTimes = new Map<string, number>()
  let { resetAt } = store
  const clearOnReset = (): void => {
    if (resetAt !== store.resetAt) {
      resetAt = store.resetAt
      tries.clear()
      retryTimes.clear()
    }
  }
  return {
    addTry(key) {
      clearOnReset()
      const count = tries.get(key) ?? 0
      tries.set(key, Math.min(count + 1, TRIES))
      return count < TRIES
    },
    exhaust: (key) => void tries.set(key, TRIES),
    resetTries: (key) => void tries.delete(key),
    onResponse(key, error, isPage) {
      clearOnReset()
      const until = error ? retryAfter(error, clock.now(), clock.ahead()) : 0
      if (until > 0) {
        retryTimes.set(key, until)
      } else if (!isPage) {
        retryTimes.delete(key)
      }
    },
    retryAt(key) {
      clearOnReset()
      const { error, date = 0 } = (tables.endpoints.slots.get(key)?.meta ?? {}) as Partial<ResultMeta>
      return Math.max(retryAfter(error, date, clock.ahead()), retryTimes.get(key) ?? 0)
    },
  }
}

/**
 * When the server allows the next request, according to the `Retry-After` of an error; 0 without one.
 *
 * @param date when the error was received
 * @param ahead by how much store time runs ahead of the wall clock, by which a server names a date
 */
export function retryAfter(error: unknown, date: number, ahead: number): number {
  const { headers } = (error as { response?: Partial<Response> | null } | undefined)?.response ?? {}
  const text = typeof headers?.get === 'function' ? headers.get('retry-after') : null
  if (text === null) {
    return 0
  }
  const time = Number.isNaN(Number(text)) ? Date.parse(text) + ahead : date + Number(text) * 1000
  return Math.min(time, date + LONGEST) || 0
}
