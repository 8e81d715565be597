import { type Reading, USABLE, USABLE_IF_FRESH } from '../requests/Reading.ts'
import { STALE } from '../rows/Meta.ts'
import type { ViewChange } from './View.ts'

/**
 * The change for readers since they were last notified.
 *
 * @param isAged something has happened to its freshness
 */
export function changeOf(now: Reading, told: Reading | undefined, isAged: boolean): ViewChange | undefined {
  if (now.data !== told?.data) {
    return 'value'
  }
  return (isAged && now.expiresAt <= STALE) || !isAsFresh(now, told) ? 'freshness' : undefined
}

/** True where two readings of the same data differ in nothing that a reader shows. Fresh for longer is no difference. */
function isAsFresh(one: Reading, other: Reading | undefined): boolean {
  return (
    one.error === other?.error &&
    one.expiryStatus === other?.expiryStatus &&
    // Readers may not have shown data that had expired.
    (one.data === undefined || one.expiryStatus !== USABLE_IF_FRESH || one.expiresAt === other.expiresAt) &&
    one.waiting === other?.waiting
  )
}

/** A reading to compare with others: what a query of the app throws counts as its data. */
export function readAnyway(read: () => Reading): Reading {
  try {
    return read()
  } catch (thrown) {
    return { data: thrown, error: undefined, expiryStatus: USABLE, expiresAt: Infinity }
  }
}
