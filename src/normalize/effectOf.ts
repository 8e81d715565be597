import type { Fitting } from './ListState.ts'
import type { Edit } from './edits.ts'
import { type Fit, fitOf, hasPosition, hasWindow, IN, isVague, OUT, UNSURE, unknownArgs } from './fit.ts'
import { filterText } from './listIndex.ts'
import type { Table } from './tables.ts'

/** The effect of a record on a list: a sum of these flags. */
export const JOIN = 1
export const LEAVE = 2
/** Only the server knows whether the record belongs to the list, or where it stands. */
export const REFETCH = 4

/**
 * The effect of a written record on a list, by whether it belonged to the list before and belongs to it now:
 *
 * | before | now     | effect                                                                                 |
 * | ------ | ------- | -------------------------------------------------------------------------------------- |
 * | OUT    | OUT     | none                                                                                   |
 * | OUT    | IN      | joins; a sorted list is refetched, too                                                 |
 * | IN     | OUT     | leaves; if the list is cut out of a longer one, it is refetched, too                   |
 * | IN     | IN      | none; a sorted list is refetched, since the record may stand elsewhere                 |
 * | UNSURE | OUT     | leaves if it is there; refetched, too                                                  |
 * | any    | UNSURE  | refetched, and also where it was UNSURE and is IN                                      |
 * | new    | IN      | refetched, unless it is there and the list is not sorted: its place is not known       |
 * | new    | OUT     | leaves if it is there                                                                  |
 * | any    | deleted | none, since lists show no deleted records; refetched if the list may be cut out of a longer one |
 *
 * A list that disagrees with a record that was stale is refetched, and so is an empty list whose arguments may mean something else
 * than fields (`isVague`).
 *
 * @param isIn tells whether the list holds the record
 */
export function effectOf(table: Table, list: Fitting, edit: Edit, items: () => unknown, isIn: () => boolean): number {
  const { old, now, isOverruled, decision, params } = edit
  const isDeleted = now === undefined
  if (isOverruled && isDeleted) {
    return isIn() ? REFETCH : 0
  }
  const { was, is, isDisputed } = fitsOf(list, edit, isIn)
  if (isDisputed || (is === OUT && !isDeleted && isVague(table, list, items(), now, params))) {
    return REFETCH
  }
  if (is === OUT) {
    if (old === undefined && !isDeleted) {
      return isIn() ? LEAVE : 0
    }
    if (was === OUT) {
      return 0
    }
    // An argument that the record says nothing about may cut a part out of the list as well.
    const isCut = hasWindow(list) || unknownArgs(list, now ?? old, params).length > 0
    const isLeaving = !isDeleted && (was === IN || isIn())
    return (isLeaving ? LEAVE : 0) | (isCut ? REFETCH : 0)
  }
  // A remover has decided: only a list that it could not judge is left.
  if (decision?.kind === 'remove') {
    return is === UNSURE && isIn() ? REFETCH : 0
  }
  const isOrdered = hasPosition(list)
  if (old === undefined || decision?.kind === 'add') {
    return is === IN && !isOrdered && isIn() ? 0 : REFETCH
  }
  return is === UNSURE || was === UNSURE ? REFETCH : (was === OUT ? JOIN : 0) | (isOrdered ? REFETCH : 0)
}

/**
 * True where a record that leaves one list joins another one, although that has arguments which the record says nothing about: both lists
 * have the same ones. A ticket that is dragged from `{ projectId: 1, status: 'open' }` belongs to `{ projectId: 1, status: 'done' }`, whatever
 * its field for the project is called.
 */
export function goesAlong(from: Fitting, to: Fitting, { old, now, params }: Edit): boolean {
  const isSame = (name: string): boolean =>
    Object.hasOwn(from.keyArgs, name) && filterText(from.keyArgs[name]) === filterText(to.keyArgs[name])
  return (
    from.name === to.name &&
    fitOf(to, old, params) === OUT &&
    fitOf(to, now, params) === UNSURE &&
    unknownArgs(to, now, params).every(isSame)
  )
}

/** How a record that was read contradicts a list: JOIN where the list lacks it, LEAVE where the list should not have it. */
export function contradiction(list: Fitting, edit: Edit, isIn: () => boolean): number {
  const { was, is, isDisputed } = fitsOf(list, edit, isIn)
  if (is === OUT) {
    return (was !== OUT || isDisputed) && isIn() ? LEAVE : 0
  }
  return is === IN && (was === OUT || isDisputed) && !isIn() ? JOIN : 0
}

function fitsOf(
  list: Fitting,
  { old, now, wasStale, params }: Edit,
  isIn: () => boolean,
): { was: Fit; is: Fit; isDisputed: boolean } {
  const was = fitOf(list, old, params)
  const is = now === undefined ? OUT : fitOf(list, now, params)
  // Its fields say that it was, or was not, a member all the time; the list says otherwise.
  const isDisputed = wasStale === true && is === was && is !== UNSURE && isIn() !== (is === IN)
  return { was, is, isDisputed }
}
