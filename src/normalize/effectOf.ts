import type { Fitting } from './ListState.ts'
import type { Edit } from './edits.ts'
import { type Fit, fitOf, hasPosition, hasUnknownArgument, hasWindow, IN, isVague, OUT, UNSURE } from './fit.ts'
import type { Table } from './tables.ts'

/** The effect of an edit on a list: a sum of these flags. */
export const JOIN = 1
export const LEAVE = 2
/** Whether the record belongs to the list, or where it stands, only the server knows. */
export const REFETCH = 4

/**
 * The effect of an edit on a list.
 *
 * @param isIn tells whether the list holds the record
 */
export function effectOf(
  table: Table,
  list: Fitting,
  { old, now, isWrite, isOverruled, wasStale, decision, params }: Edit,
  items: () => unknown,
  isIn: () => boolean,
): number {
  if (isOverruled && now === undefined) {
    return isIn() ? REFETCH : 0
  }
  const was: Fit = fitOf(list, old, params)
  const is: Fit = now === undefined ? OUT : fitOf(list, now, params)
  // Its fields say that it was, or was not, a member all the time; the list says otherwise.
  const isDisputed = wasStale === true && is === was && is !== UNSURE && isIn() !== (is === IN)
  if (!isWrite) {
    return is === OUT && (was !== OUT || isDisputed) ? LEAVE : is === IN && (was === OUT || isDisputed) ? JOIN : 0
  }
  if (isDisputed) {
    return REFETCH
  }
  if (is === OUT && now !== undefined && isVague(table, list, items(), now, params)) {
    return REFETCH
  }
  if (is === OUT) {
    if (old === undefined && now !== undefined) {
      return isIn() ? LEAVE : 0
    }
    if (was === OUT) {
      return 0
    }
    // An argument that the record says nothing about may cut a part out of the list as well.
    const isCut = hasWindow(list) || hasUnknownArgument(list, now ?? old, params)
    const isLeaving = now !== undefined && (was === IN || isIn())
    return (isLeaving ? LEAVE : 0) | (isCut ? REFETCH : 0)
  }
  const kind = decision?.kind
  if (kind === 'remove') {
    return is === UNSURE && isIn() ? REFETCH : 0
  }
  const isOrdered = hasPosition(list)
  if (old === undefined || kind === 'add') {
    return is === IN && !isOrdered && isIn() ? 0 : REFETCH
  }
  return is === UNSURE || was === UNSURE ? REFETCH : (was === OUT ? JOIN : 0) | (isOrdered ? REFETCH : 0)
}
