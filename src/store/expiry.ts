import type { Meta } from '../schema/Schema.ts'

/** What nobody needs is kept for two minutes at least, in milliseconds. */
const FLOOR = 120_000

/**
 * From when on a row or result may be collected that nobody needs.
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
