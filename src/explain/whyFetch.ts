import type { DoubtFact } from '../advice/Explanation.ts'
import { ExpiryStatus, type Reading } from '../requests/Reading.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { STALE } from '../rows/Meta.ts'

/**
 * Why a reader fetches.
 *
 * @param rows those that it looked at
 * @param doubt why the data is stale before its time
 */
export function whyFetch(
  { data, error, expiryStatus, expiresAt, isPartial }: Reading,
  rows: readonly Row[],
  now: number,
  doubt?: DoubtFact,
): string {
  const why =
    error !== undefined
      ? 'the last error has expired.'
      : data === undefined || (isPartial && !hasRows(rows))
        ? 'nothing was stored.'
        : isPartial
          ? 'the stored data is incomplete.'
          : expiryStatus === ExpiryStatus.Invalid
            ? 'it was invalidated.'
            : expiresAt <= STALE
              ? (doubt?.text ?? 'it was marked stale.')
              : `it expired ${now - expiresAt} ms ago.`
  return `A reader needed it: ${why}`
}

/** True if one of these rows is stored. An envelope around a list has defaults without any. */
export function hasRows(rows: readonly Row[]): boolean {
  return rows.some((row) => top(row) !== undefined)
}
