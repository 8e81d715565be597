import { isObject } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Meta } from '../rows/Meta.ts'
import { overlay } from './fields.ts'
import { type ChangedByRead, type RecordPatch, type RecordRow, SEVERAL } from './RecordRow.ts'
import { newestAt } from './Stamps.ts'

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
  const before = isObject(value) ? value : undefined
  const isFirst = !old || old.at <= sent
  const only = isFirst ? since : undefined
  // Of two reads that overlap the first counts, and neither list may know what the other has brought.
  return {
    at: isFirst ? since : old.at,
    only,
    from: old || lost ? oneOf([old?.from, next === value ? undefined : value, lost], isAlike) : before,
    seenAt: only !== at && hasWhole(patch) ? [at] : undefined,
  }
}

/** The version of the record that lists know; `SEVERAL` if they may know different ones. */
function oneOf(
  versions: readonly unknown[],
  isAlike: (a: object, b: object) => boolean,
): Fields | typeof SEVERAL | undefined {
  const known = versions.filter((one): one is Fields | typeof SEVERAL => one === SEVERAL || isObject(one))
  const [first] = known
  const isOne = known.every((one) => one === first || (isObject(first) && isAlike(first, one as Fields)))
  return isOne ? first : SEVERAL
}

/** True where a response had every field of the record as it is now. */
function hasWhole({ value, fields }: RecordPatch): boolean {
  const isAll = isObject(value) && isObject(fields) && Object.keys(fields).length === Object.keys(value).length
  return isAll && overlay(value, fields) === value
}
