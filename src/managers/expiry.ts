import type { Meta } from '../rows/Meta.ts'
import type { GCOptions } from './GCPolicy.ts'

/** Unused data is kept for at least two minutes, in milliseconds. */
const FLOOR = 120_000

/**
 * The time from which an unused row or result may be collected.
 *
 * @param multiplier how often the time passes for which it was fresh
 * @param isResult results that were never fresh are not retained at all
 */
export function limitOf({ fetchedAt, date, expiresAt }: Meta, multiplier = 2, isResult = false): number {
  if (isResult && expiresAt === date) {
    return expiresAt
  }
  return fetchedAt + Math.max((expiresAt - fetchedAt) * multiplier, FLOOR)
}

/** The same as the options of a policy say it. */
export function limitBy({ expiryMultiplier, expiresAt }: GCOptions): (meta: Meta, isResult: boolean) => number {
  return (meta, isResult) => expiresAt?.(meta) ?? limitOf(meta, expiryMultiplier, isResult)
}
