// How lists follow a write
//
// A list is known by its arguments: `[Todo] {"done":false}`. When all records of a response are in their drafts, the lists
// change in one of two ways:
//
// 1. The response is the list itself: its items replace those of the list (`replaceMembers.ts`, `drafts.replacedLists`).
// 2. A record was written, which is an `Edit`: the record before and after (`edits.ts`). Of the lists that may hold it
//    (`concernedLists.ts`) each is a candidate: did the record belong to it, and does it now? IN, OUT, or UNSURE, where an argument
//    is no field of the record (`fit.ts`). The table in `effectOf.ts` tells the effect: the record joins, or leaves, or the list is
//    refetched. A read changes no list: one that contradicts the record is refetched, once for each record.
//
// `push`, `unshift`, `assign`, `remove` and `move` are writes of records too. They name what is to happen (`namedChanges.ts`), so more is
// certain: a created record joins the lists that match the arguments of the request.
//
// A change is an entry in the log of each list (`applyEntry.ts`), placed on the items when the list is read (`lists.ts`). Refetched
// means: marked stale (`drafts.staleLists`), so that readers fetch it again. A list that is still on its way when the write is
// committed may or may not contain it. So the edits are kept in `tables.recentWrites` while older requests are open, and the list is
// judged in the same way when it arrives (`entriesFor`).

import { recall } from '../base/recall.ts'
import { append, type Collection } from '../schema/Collection.ts'
import type { Meta } from '../schema/Schema.ts'
import { followsWrites, type Fitting, type ListEntry, type MissedEntries } from './ListState.ts'
import { applyEntry } from './applyEntry.ts'
import { eachList } from './concernedLists.ts'
import { type Drafts, rememberWrite } from './drafts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Candidate, contradiction, effectOf, goesAlong, JOIN, LEAVE, REFETCH } from './effectOf.ts'
import { fitOf, IN } from './fit.ts'
import { itemKey, itemOf, joining } from './listItems.ts'
import { isThere } from './shown.ts'
import type { Slot, Table, Tables } from './tables.ts'

/** Changes the lists that contain the records of a response, or should. */
export function followRecords(drafts: Drafts): void {
  for (const edits of editsOf(drafts)) {
    followEdits(drafts, edits)
    if (edits.some(({ isWrite }) => isWrite)) {
      rememberWrite(drafts, (...of) => entriesFor(drafts, edits, ...of))
    }
  }
}

/** The items that join and leave one list. */
interface Moves {
  readonly at: Candidate
  readonly joins: unknown[]
  readonly leaves: unknown[]
  /** How many of them leave the list whether they are loaded or not. */
  leaving: number
  /** The keys of items that were deleted before. */
  readonly deleted: Set<unknown>
}

function followEdits(drafts: Drafts, edits: readonly Edit[]): void {
  const { tables, meta, dependsOn } = drafts.intake
  const moves = new Map<Slot, Moves>()
  const isQuiet = !drafts.isPending && !drafts.mayBeMissed
  const movesOf = (slot: Slot, at: Candidate): Moves =>
    recall(moves, slot, () => ({ at, joins: [], leaves: [], leaving: 0, deleted: new Set() }))
  for (const edit of edits) {
    for (const table of tablesOf(tables, edit)) {
      dependsOn?.add(table)
      const left: Fitting[] = []
      const unsure: [Slot, Candidate][] = []
      eachList(tables, table, edit, isQuiet, (slot, list) => {
        const at = new Candidate(table, list, edit, () => slot.draft?.value ?? drafts.below(slot).value)
        const effect = follow(drafts, edit, slot, at)
        if (at.entry === undefined) {
          return
        }
        if (effect & LEAVE) {
          left.push(list)
          addLeave(movesOf(slot, at), edit, at)
        } else if (effect & JOIN) {
          movesOf(slot, at).joins.push(at.entry)
        } else if (effect & REFETCH) {
          unsure.push([slot, at])
        }
      })
      for (const [slot, at] of left.length > 0 ? unsure : []) {
        if (!slot.list!.isMap && left.some((from) => goesAlong(from, at.list, edit))) {
          movesOf(slot, at).joins.push(at.entry)
        }
      }
    }
  }
  for (const [slot, { leaves, leaving, deleted }] of moves) {
    if (leaves.length > 0) {
      applyEntry(drafts, slot, { meta, items: leaves, merge: undefined }, leaving, deleted)
    }
  }
  for (const [slot, { at, joins }] of moves) {
    if (joins.length > 0) {
      applyEntry(drafts, slot, joinEntry(meta, at, joins))
    }
  }
}

/** The tables of the lists that may hold a record. */
function tablesOf({ holders }: Tables, { slot, named }: Edit): readonly Table[] {
  return slot ? (holders.get(slot.key) ?? []) : [named!.table]
}

function addLeave(moves: Moves, { isBack, now, old, whenSent }: Edit, { list, named, entry }: Candidate): void {
  const item = itemOf(entry)
  moves.leaves.push(item)
  if (isBack || now.fields === undefined) {
    moves.deleted.add(itemKey(item))
  }
  // A remover concerns only what is loaded. A record that was changed since a move was sent was subtracted by then.
  const isRemoved = named?.change.kind === 'remove'
  const isLeft = whenSent !== undefined && fitOf(list, old, named !== undefined) !== IN
  moves.leaving += isRemoved || isLeft || isBack ? 0 : 1
}

/** The effect of a record on a list. Marks a list that has to be refetched. */
function follow(drafts: Drafts, edit: Edit, slot: Slot, at: Candidate): number {
  const { named, entry } = at
  if (!named && (drafts.replacedLists?.has(slot) || !isThere(slot))) {
    return 0
  }
  if (named && edit.isBack) {
    // A record that was deleted leaves the lists that hold it.
    drafts.intake.dependsOn?.add(slot)
  }
  if (!edit.isWrite) {
    const found = contradiction(edit, at)
    const key = itemKey(entry)
    // Once for each record: the server has the last word on whether it belongs to the list.
    if (found > 0 && !slot.list?.revealed?.has(key)) {
      noteStale(drafts, slot).set(key, found === LEAVE)
    }
    return 0
  }
  const effect = effectOf(edit, at)
  if (edit.isOverruled) {
    if (effect > 0) {
      noteStale(drafts, slot)
    }
    return 0
  }
  // Under which name an entry joins a map nobody knows.
  const isNameless = effect === JOIN && slot.list!.isMap && !named
  if ((effect & REFETCH) > 0 || (effect > 0 && entry === undefined) || isNameless) {
    noteStale(drafts, slot)
  }
  return effect
}

/** The list is refetched. Returns the records that a read casts doubt on, and whether the list held them. */
function noteStale(drafts: Drafts, list: Slot): Map<unknown, boolean> {
  return recall((drafts.staleLists ??= new Map()), list, () => new Map())
}

/** The changes that the response of a list lacks if it was sent before the write. */
function entriesFor(
  { intake: { tables, meta } }: Drafts,
  edits: readonly Edit[],
  table: Table,
  list: Fitting,
  itemsBefore: () => unknown,
): MissedEntries {
  const joins: unknown[] = []
  const leaves: unknown[] = []
  let isUnsure = false
  let last: Candidate | undefined
  for (const edit of edits) {
    if (!edit.isWrite || !tablesOf(tables, edit).includes(table)) {
      continue
    }
    const at = new Candidate(table, list, edit, itemsBefore)
    if (!at.named && !followsWrites(list)) {
      continue
    }
    const effect = effectOf(edit, at)
    const isKnown = at.entry !== undefined && !edit.isOverruled
    isUnsure ||= effect > 0 && (!isKnown || (effect & REFETCH) > 0)
    if (effect & LEAVE && isKnown) {
      leaves.push(itemOf(at.entry))
    } else if (effect & JOIN && isKnown) {
      joins.push(at.entry)
      last = at
    }
  }
  const left: ListEntry[] = leaves.length > 0 ? [{ meta, items: leaves, merge: undefined }] : []
  return { entries: last ? [...left, joinEntry(meta, last, joins)] : left, isUnsure }
}

/** The change by which items join a list. */
function joinEntry(meta: Meta, { named, list }: Candidate, entries: readonly unknown[]): ListEntry {
  if (named) {
    const { merge, collection } = named.change
    return { meta, items: joining(entries, collection.isMap), merge }
  }
  // A record that joins because it was changed is placed as a mover places it.
  return { meta, items: entries, merge: (list.collection as Collection | undefined)?.move.merge ?? append }
}
