import { ExpiryStatus, type Reading } from '../controller/read.ts'
import { STALE } from '../rows/Meta.ts'

/** Why a reader fetches. */
export function whyFetch({ data, error, expiryStatus, expiresAt, isPartial }: Reading, now: number): string {
  const why =
    error !== undefined
      ? 'the last error has expired'
      : isPartial
        ? 'the stored data is incomplete'
        : data === undefined
          ? 'nothing was stored'
          : expiryStatus === ExpiryStatus.Invalid
            ? 'it was invalidated'
            : expiresAt <= STALE
              ? 'it was marked stale'
              : `it expired ${now - expiresAt} ms ago`
  return `A reader needed it: ${why}.`
}
