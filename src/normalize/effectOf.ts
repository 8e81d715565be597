import type { Collection } from '../schema/Collection.ts'
import type { Fitting } from './ListState.ts'
import type { Edit } from './edits.ts'
import { type Fit, fitOf, hasPosition, hasWindow, IN, isVague, OUT, type Known, UNSURE, unknownArgs } from './fit.ts'
import { filterText } from './listIndex.ts'
import { contains, itemOf } from './listItems.ts'
import { isNamed, type NamedChange } from './namedChanges.ts'
import type { Slot, Table } from './tables.ts'

/** The effect of a record on a list: a sum of these flags. */
export const JOIN = 1
export const LEAVE = 2
/** Only the server knows whether the record belongs to the list, or where it stands. */
export const REFETCH = 4

/** A list that a record is judged for. */
export interface Candidate {
  readonly table: Table
  readonly list: Fitting
  /** The change that the schema names, if it is about this list. */
  readonly named: NamedChange | undefined
  /** The record as an item of the list, in a map with its name; `undefined` where that is not known. */
  readonly entry: unknown
  items(): unknown
  /** True where the list holds the record. */
  isIn(): boolean
}

export function candidate(table: Table, list: Fitting, edit: Edit, items: () => unknown): Candidate {
  const named = isNamed(edit.named, table, list) ? edit.named : undefined
  const entry = named ? named.entry : itemFor(list, edit.slot!)
  return { table, list, named, entry, items, isIn: () => contains(items(), itemOf(entry)) }
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
function itemFor({ collection }: Fitting, { key, pk }: Slot): unknown {
  const of = (collection as Collection | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}

/**
 * The effect of a written record on a list, by whether it belonged to the list before and belongs to it now:
 *
 * | before | now     | effect                                                                                 |
 * | ------ | ------- | -------------------------------------------------------------------------------------- |
 * | OUT    | OUT     | none                                                                                   |
 * | OUT    | IN      | joins; a sorted list is refetched, too                                                 |
 * | IN     | OUT     | leaves; if the list is cut out of a longer one, it is refetched, too                   |
 * | IN     | IN      | none; a sorted list is refetched, since the record may stand elsewhere                 |
 * | UNSURE | OUT     | leaves if it is there; if the list is cut out of a longer one, it is refetched, too    |
 * | any    | UNSURE  | refetched, and also where it was UNSURE and is IN                                      |
 * | new    | IN      | refetched, unless it is there and the list is not sorted: its place is not known       |
 * | new    | OUT     | leaves if it is there; refetched, too, if it was deleted before                        |
 * | any    | deleted | none, since lists show no deleted records; refetched if the list may be cut out of a longer one |
 *
 * If the schema names the change, more is known: what is added joins the lists that match, what is removed leaves them, and a moved record
 * joins where it is IN, also if it was new or UNSURE.
 *
 * A list that disagrees with a record that was stale is refetched, and so is an empty list whose arguments may mean something else
 * than fields (`isVague`).
 */
export function effectOf(edit: Edit, at: Candidate): number {
  const { list, named } = at
  if (!named) {
    return effectOfFields(edit, at)
  }
  const { matches, change, isExact } = named
  let effect = 0
  if (matches?.(list.keyArgs)) {
    effect = change.kind === 'add' ? joinEffect(list) : LEAVE | (hasWindow(list) ? REFETCH : 0)
  } else if (change.kind === 'move' || (!isExact && edit.slot)) {
    effect = effectOfFields(edit, at)
  }
  return isExact ? effect & ~REFETCH : effect
}

function effectOfFields(edit: Edit, at: Candidate): number {
  const { old, now, isOverruled } = edit
  const { table, list, named, items, isIn } = at
  const kind = edit.named?.change.kind
  const isNew = old.fields === undefined
  const isDeleted = now.fields === undefined
  if (isOverruled && isDeleted) {
    return isIn() ? REFETCH : 0
  }
  const { was, is, isDisputed } = fitsOf(edit, at)
  if (isDisputed || (is === OUT && !isDeleted && isVague(table, list, items(), now))) {
    return REFETCH
  }
  if (is === OUT) {
    // An exact mover changes only lists of which it is certain.
    const mayLeave = (): boolean => (edit.isBack || !named?.isExact) && isIn()
    if (isNew && !isDeleted) {
      return mayLeave() ? LEAVE | (edit.isBack ? REFETCH : 0) : 0
    }
    if (was === OUT) {
      return 0
    }
    // An argument that the record says nothing about may cut a part out of the list as well.
    const isCut = hasWindow(list) || unknownArgs(list, isDeleted ? old : now).length > 0
    const isLeaving = !isDeleted && (was === IN || mayLeave())
    return (isLeaving ? LEAVE : 0) | (isCut ? REFETCH : 0)
  }
  // A remover has decided: only a list that it could not judge is left.
  if (kind === 'remove') {
    return is === UNSURE && isIn() ? REFETCH : 0
  }
  if (named && kind === 'move' && is === IN && (isNew || was !== IN)) {
    return joinEffect(list)
  }
  const isOrdered = hasPosition(list)
  if (isNew || kind === 'add') {
    return is === IN && !isOrdered && isIn() ? 0 : REFETCH
  }
  if (is === UNSURE || was === UNSURE) {
    return REFETCH
  }
  return was === OUT ? joinEffect(list) : isOrdered ? REFETCH : 0
}

function joinEffect(list: Fitting): number {
  return JOIN | (hasPosition(list) ? REFETCH : 0)
}

/**
 * True where a record that leaves one list joins another one, although that has arguments which the record says nothing about: both lists
 * have the same ones. A ticket that is dragged from `{ projectId: 1, status: 'open' }` belongs to `{ projectId: 1, status: 'done' }`, whatever
 * its field for the project is called.
 */
export function goesAlong(from: Fitting, to: Fitting, { old, now }: Edit): boolean {
  const isSame = (name: string): boolean =>
    Object.hasOwn(from.keyArgs, name) && filterText(from.keyArgs[name]) === filterText(to.keyArgs[name])
  return (
    from.name === to.name && fitOf(to, old) === OUT && fitOf(to, now) === UNSURE && unknownArgs(to, now).every(isSame)
  )
}

/** How a record that was read contradicts a list: JOIN where the list lacks it, LEAVE where the list should not have it. */
export function contradiction(edit: Edit, at: Candidate): number {
  const { was, is, isDisputed } = fitsOf(edit, at)
  if (is === OUT) {
    return (was !== OUT || isDisputed) && at.isIn() ? LEAVE : 0
  }
  return is === IN && (was === OUT || isDisputed) && !at.isIn() ? JOIN : 0
}

function fitsOf(
  { old, now, whenSent, wasStale }: Edit,
  { list, named, isIn }: Candidate,
): { was: Fit; is: Fit; isDisputed: boolean } {
  const fit = (known: Known): Fit => fitOf(list, known, named !== undefined)
  const is = now.fields === undefined ? OUT : fit(now)
  // It leaves what it belonged to at any time, and stays where it belonged all the time.
  const were = whenSent && old.fields ? [fit(old), fit(whenSent)] : [fit(old)]
  const was = (is === OUT ? Math.max(...were) : Math.min(...were)) as Fit
  // Its fields say that it was, or was not, a member all the time; the list says otherwise.
  const isDisputed = wasStale === true && is === was && is !== UNSURE && isIn() !== (is === IN)
  return { was, is, isDisputed }
}
