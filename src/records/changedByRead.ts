import { isObject } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Meta } from '../rows/Meta.ts'
import { overlay } from './fields.ts'
import { type ChangedByRead, type RecordPatch, type RecordRow, SEVERAL } from './RecordRow.ts'
import { newestAt } from './Stamps.ts'

/** A record that reads move more often concerns every list of its entity. */
const MOST_VERSIONS = 4

/**
 * The versions of a record that lists may have missed, after a response. They do not follow a read that changes it: its next write makes up for that.
 *
 * @param isAlike no list can tell two versions of the record apart
 */
export function changedByRead(
  row: RecordRow,
  patch: RecordPatch,
  { sent, at }: Meta,
  isAlike: (a: object, b: object) => boolean,
): ChangedByRead | undefined {
  const { value: next, lost } = patch
  const { value, by, changedByRead: old } = row
  if (next === value && !lost) {
    const hasSeen = old && sent < old.at && hasWhole(patch)
    return hasSeen ? { ...old, seenAt: [...(old.seenAt ?? []), at] } : old
  }
  // A list shows what its own response has changed, but not what that has lost to another.
  const since = lost ? newestAt(by!) : at
  const before = next === value ? undefined : value
  const isFirst = !old || old.at <= sent
  const only = isFirst ? since : undefined
  // Of two reads that overlap the first counts, and neither list may know what the other has brought.
  return {
    at: isFirst ? since : old.at,
    only,
    from: old?.from === SEVERAL ? SEVERAL : distinct([...(old?.from ?? []), before, lost], isAlike),
    seenAt: only !== at && hasWhole(patch) ? [at] : undefined,
  }
}

/** The versions of a record that a list can tell apart; `SEVERAL` if there are more than are kept. */
function distinct(
  versions: readonly unknown[],
  isAlike: (a: object, b: object) => boolean,
): readonly Fields[] | typeof SEVERAL {
  const found: Fields[] = []
  for (const one of versions) {
    if (isObject(one) && !found.some((other) => other === one || isAlike(other, one))) {
      found.push(one)
    }
  }
  return found.length > MOST_VERSIONS ? SEVERAL : found
}

/** True where a response had every field of the record as it is now. */
function hasWhole({ value, fields }: RecordPatch): boolean {
  const isAll = isObject(value) && isObject(fields) && Object.keys(fields).length === Object.keys(value).length
  return isAll && overlay(value, fields) === value
}
