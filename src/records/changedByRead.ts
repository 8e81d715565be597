import { isObject } from '../base/equal.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Meta } from '../rows/Meta.ts'
import { type ChangedByRead, overlay, type RecordPatch, type RecordRow, SEVERAL } from './RecordRow.ts'
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
    return old && sent < old.at && hasWhole(patch) ? { ...old, seenAt: [...(old.seenAt ?? []), at] } : old
  }
  /** The versions of the record that lists may know. */
  const versions = [old?.from, next === value ? undefined : value, lost].filter(
    (one) => one === SEVERAL || isObject(one),
  )
  const [from] = versions as (Fields | typeof SEVERAL | undefined)[]
  const isOne = versions.every((one) => one === from || (isObject(from) && isAlike(from, one as Fields)))
  // A list shows what its own response has changed, but not what that has lost to another.
  const since = lost ? newestAt(by!) : at
  // Of two reads that overlap the first counts: a list of the second may know nothing of it.
  return {
    at: old && old.at > sent ? old.at : since,
    from: isOne ? from : SEVERAL,
    seenAt: hasWhole(patch) ? [at] : undefined,
  }
}

/** True where a response had every field of the record as it is now. */
function hasWhole({ value, fields }: RecordPatch): boolean {
  const isAll = isObject(value) && isObject(fields) && Object.keys(fields).length === Object.keys(value).length
  return isAll && overlay(value, fields) === value
}
