import type { Collection } from '../schema/Collection.ts'
import type { ListChange } from '../schema/Schema.ts'
import type { Fitting } from './ListState.ts'
import type { Edit } from './edits.ts'
import {
  type Fit,
  fitOf,
  hasPosition,
  hasWindow,
  IN,
  isVague,
  OUT,
  type KnownFields,
  UNSURE,
  unknownArgs,
} from './fit.ts'
import { filterText } from './listIndex.ts'
import { contains, itemOf } from './listItems.ts'
import { namesList, type NamedChange } from './namedChanges.ts'
import type { Slot, Table } from './tables.ts'

/** The effect of a record on a list: a sum of these flags. */
export const JOIN = 1
export const LEAVE = 2
/** Only the server knows whether the record belongs to the list, or where it stands. */
export const REFETCH = 4

/** A list that a record is judged for. */
export class Candidate {
  readonly table: Table
  readonly list: Fitting
  /** The change that the schema names for this very list. */
  readonly named: NamedChange | undefined
  /** The kind of change that it names for the record, also if that is about other lists. */
  readonly kind: ListChange['kind'] | undefined
  /** The record as an item of the list, in a map with its name; `undefined` where that is not known. */
  readonly entry: unknown
  readonly items: () => unknown

  constructor(table: Table, list: Fitting, edit: Edit, items: () => unknown) {
    this.table = table
    this.list = list
    this.named = namesList(edit.named, table, list) ? edit.named : undefined
    this.kind = edit.named?.change.kind
    this.entry = this.named ? this.named.entry : itemFor(list, edit.slot!)
    this.items = items
  }

  /** True where the list holds the record. */
  isIn(): boolean {
    return contains(this.items(), itemOf(this.entry))
  }

  fit(known: KnownFields): Fit {
    return fitOf(this.list, known, this.named !== undefined)
  }
}

/** A record as an item of a list; `undefined` where that is not known, as of a restored list. */
export function itemFor({ collection }: Fitting, { key, pk }: Slot): unknown {
  const of = (collection as Collection | undefined)?.cacheWith?.choice
  if (of?.attribute === undefined) {
    return of && pk
  }
  const name = Object.keys(of.schema as object).find((one) => of.schema[one].key === key)
  return name && { id: pk, schema: name }
}

/**
 * The effect of a written record on a list, by whether it belongs to the list now and belonged to it before:
 *
 * | now     | before | effect                                                                                  |
 * | ------- | ------ | --------------------------------------------------------------------------------------- |
 * | deleted | OUT    | none                                                                                    |
 * |         | other  | none, since lists show no deleted records; refetched if it may be cut out of a longer one |
 * | OUT     | OUT    | none                                                                                    |
 * |         | IN     | leaves; if the list may be cut out of a longer one, it is refetched, too                |
 * |         | UNSURE | the same, but it leaves only if it is there                                             |
 * |         | new    | leaves if it is there; refetched, too, if it was deleted before                         |
 * | UNSURE  | any    | refetched                                                                               |
 * | IN      | OUT    | joins; a list with positions (`hasPosition`) is refetched, too                          |
 * |         | IN     | none; a list with positions is refetched, since the record may stand elsewhere          |
 * |         | UNSURE | refetched                                                                               |
 * |         | new    | refetched, unless it is there and the list has no positions: its place is not known     |
 *
 * If the schema names the change, more is known: what is added joins the lists that match, what is removed leaves them, and a moved record
 * joins where it is IN, also if it was new or UNSURE.
 *
 * A list that disagrees with a record that was stale is refetched, and so is an empty list whose arguments may mean something else
 * than fields (`isVague`). Of a map that a record joins, the name is not known, so it is refetched, too. Where the record cannot be
 * placed, the list is only refetched: a write sent later stands in its place, or the list was restored and its Collection is not known.
 *
 * Of lists that the schema does not name, one where the record may belong is refetched after an adder, and not after a remover.
 */
export function effectOf(edit: Edit, at: Candidate): number {
  const effect = at.named ? effectOfNamed(edit, at, at.named) : effectOfOther(edit, at)
  if (effect > 0 && (edit.isOverruled || at.entry === undefined)) {
    return REFETCH
  }
  return effect === JOIN && at.list.collection?.isMap && !at.named ? JOIN | REFETCH : effect
}

/**
 * The effect on a list that the schema does not name. Where it names others, and no field has changed, there is none: a person who
 * is invited to a meeting joins the list of that meeting only.
 */
function effectOfOther(edit: Edit, at: Candidate): number {
  const isUnchanged = at.kind !== undefined && !edit.wasStale && edit.old.fields === edit.now.fields
  return isUnchanged ? 0 : effectOfFields(edit, at)
}

/** The effect on a list whose change the schema names. */
function effectOfNamed(edit: Edit, at: Candidate, { matches, change, isExact, ownArgs }: NamedChange): number {
  const { list } = at
  let effect = 0
  if (matches?.(list.keyArgs)) {
    // A person who leaves the list of one meeting still belongs to the list of all people.
    const isCertain = ownArgs.every((name) => Object.hasOwn(list.keyArgs, name))
    effect =
      change.kind === 'add' ? joinEffect(list) : isCertain ? LEAVE | refetchIf(hasWindow(list)) : refetchIf(at.isIn())
  } else if (change.kind === 'move' || (!isExact && edit.slot)) {
    effect = effectOfFields(edit, at)
  }
  return isExact ? effect & ~REFETCH : effect
}

function effectOfFields(edit: Edit, at: Candidate): number {
  const { was, is, isDisputed } = fitsOf(edit, at)
  if (edit.now.fields === undefined) {
    return edit.isOverruled
      ? refetchIf(at.isIn())
      : refetchIf(isDisputed || (was !== OUT && mayBeCut(at.list, edit.old)))
  }
  if (isDisputed) {
    return REFETCH
  }
  if (is === OUT) {
    return effectWhereOut(edit, at, was)
  }
  if (is === UNSURE) {
    // A remover has decided on all other lists.
    return refetchIf(at.kind !== 'remove' || at.isIn())
  }
  return effectWhereIn(edit, at, was)
}

function effectWhereOut({ old, now, isBack }: Edit, at: Candidate, was: Fit): number {
  const { table, list, named, items } = at
  if (isVague(table, list, items(), now)) {
    return REFETCH
  }
  // An exact mover changes only lists of which it is certain.
  const mayLeave = isBack || !named?.isExact
  if (old.fields === undefined) {
    return mayLeave && at.isIn() ? LEAVE | refetchIf(isBack) : 0
  }
  if (was === OUT) {
    return 0
  }
  return (was === IN || (mayLeave && at.isIn()) ? LEAVE : 0) | refetchIf(mayBeCut(list, now))
}

function effectWhereIn({ old }: Edit, at: Candidate, was: Fit): number {
  const { list, named, kind } = at
  const isNew = old.fields === undefined
  // A remover has decided.
  if (kind === 'remove') {
    return 0
  }
  if (named && kind === 'move' && (isNew || was !== IN)) {
    return joinEffect(list)
  }
  if (isNew || kind === 'add') {
    return refetchIf(hasPosition(list) || !at.isIn())
  }
  return was === OUT ? joinEffect(list) : refetchIf(was === UNSURE || hasPosition(list))
}

function refetchIf(isNeeded: boolean): number {
  return isNeeded ? REFETCH : 0
}

/** True where another item may take the place of one that leaves. An argument that the record says nothing about may cut the list, too. */
function mayBeCut(list: Fitting, known: KnownFields): boolean {
  return hasWindow(list) || unknownArgs(list, known).length > 0
}

function joinEffect(list: Fitting): number {
  return JOIN | (hasPosition(list) ? REFETCH : 0)
}

/**
 * True where a record that leaves one list joins another one, although that has arguments which the record says nothing about: both lists
 * have the same ones. A ticket that is dragged from `{ projectId: 1, status: 'open' }` belongs to `{ projectId: 1, status: 'done' }`, whatever
 * its field for the project is called.
 */
export function goesAlong(from: Fitting, { list: to, entry }: Candidate, { old, now }: Edit): boolean {
  const isSame = (name: string): boolean =>
    Object.hasOwn(from.keyArgs, name) && filterText(from.keyArgs[name]) === filterText(to.keyArgs[name])
  return (
    entry !== undefined &&
    !to.collection?.isMap &&
    from.name === to.name &&
    fitOf(to, old) === OUT &&
    fitOf(to, now) === UNSURE &&
    unknownArgs(to, now).every(isSame)
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

function fitsOf({ old, now, whenSent, wasStale }: Edit, at: Candidate): { was: Fit; is: Fit; isDisputed: boolean } {
  const is = now.fields === undefined ? OUT : at.fit(now)
  let was = at.fit(old)
  if (whenSent && old.fields) {
    // It leaves what it belonged to at any time, and stays where it belonged all the time.
    const sent = at.fit(whenSent)
    was = (is === OUT ? Math.max(was, sent) : Math.min(was, sent)) as Fit
  }
  // Its fields say that it was, or was not, a member all the time; the list says otherwise.
  const isDisputed = wasStale === true && is === was && is !== UNSURE && at.isIn() !== (is === IN)
  return { was, is, isDisputed }
}
