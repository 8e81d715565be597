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
import { followsWrites, type Fitting, type ListEntry, type ListState, type MissedEntries } from './ListState.ts'
import { applyEntry } from './applyEntry.ts'
import { eachList } from './concernedLists.ts'
import { type Drafts, rememberWrite } from './drafts.ts'
import { type Edit, editsOf } from './edits.ts'
import { Candidate, contradiction, effectOf, goesAlong, JOIN, LEAVE, REFETCH } from './effectOf.ts'
import { IN } from './fit.ts'
import { itemKey, itemOf, itemsToPlace } from './listItems.ts'
import { nextOf } from './pages.ts'
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
  /** The list, as a candidate for one of the records. */
  readonly at: Candidate
  readonly joins: unknown[]
  readonly leaves: unknown[]
  /** The keys of items that leave it, and were deleted before. */
  readonly deleted: Set<unknown>
}

function newMoves(at: Candidate): Moves {
  return { at, joins: [], leaves: [], deleted: new Set() }
}

function followEdits(drafts: Drafts, edits: readonly Edit[]): void {
  const { tables, meta, dependsOn } = drafts.intake
  const moves = new Map<Slot, Moves>()
  const isQuiet = !drafts.isPending && !drafts.mayBeMissed
  const movesOf = (slot: Slot, at: Candidate): Moves => recall(moves, slot, () => newMoves(at))
  for (const edit of edits) {
    for (const table of tablesOf(tables, edit)) {
      dependsOn?.add(table)
      const left: Fitting[] = []
      const unsure: [Slot, Candidate][] = []
      eachList(tables, table, edit, isQuiet, (slot, list) => {
        const at = new Candidate(table, list, edit, () => slot.draft?.value ?? drafts.below(slot).value)
        if (!at.named && (drafts.replacedLists?.has(slot) || !isThere(slot))) {
          return
        }
        if (!edit.isWrite) {
          noteContradiction(drafts, edit, slot, at)
          return
        }
        if (at.named && edit.isBack) {
          // Whether it leaves depends on the items of the list.
          dependsOn?.add(slot)
        }
        const effect = effectOf(edit, at)
        if (effect & REFETCH || (effect & LEAVE && isOnUnloadedPage(list, edit, at))) {
          noteStale(drafts, slot)
        }
        if (effect & (JOIN | LEAVE)) {
          addMove(movesOf(slot, at), edit, at, effect)
        }
        if (effect & LEAVE) {
          left.push(list)
        } else if (effect === REFETCH) {
          unsure.push([slot, at])
        }
      })
      for (const [slot, at] of left.length > 0 ? unsure : []) {
        if (left.some((from) => goesAlong(from, at, edit))) {
          addMove(movesOf(slot, at), edit, at, JOIN)
        }
      }
    }
  }
  for (const [slot, listMoves] of moves) {
    for (const entry of entriesOf(listMoves, meta)) {
      applyEntry(drafts, slot, entry, listMoves.deleted)
    }
  }
}

/** The tables of the lists that may hold a record. */
function tablesOf({ holders }: Tables, { slot, named }: Edit): readonly Table[] {
  return slot ? (holders.get(slot.key) ?? []) : [named!.table]
}

function addMove({ joins, leaves, deleted }: Moves, { isBack, now }: Edit, { entry }: Candidate, effect: number): void {
  if (effect & JOIN) {
    joins.push(entry)
    return
  }
  const item = itemOf(entry)
  leaves.push(item)
  if (isBack || now.fields === undefined) {
    deleted.add(itemKey(item))
  }
}

/** True where a record that leaves a list is not loaded, though a number beside the list counts it; unless it had left before. */
function isOnUnloadedPage(list: ListState, { old }: Edit, at: Candidate): boolean {
  const mayCount = list.counts !== undefined && nextOf(list) !== undefined
  return mayCount && at.kind !== 'remove' && at.fit(old) === IN && !at.isIn()
}

/** The changes of one list. */
function entriesOf({ at, joins, leaves }: Moves, meta: Meta): ListEntry[] {
  const entries: ListEntry[] = leaves.length > 0 ? [{ meta, items: leaves, merge: undefined }] : []
  return joins.length > 0 ? [...entries, joinEntry(meta, at, joins)] : entries
}

/** The list is refetched. Returns the records that a read casts doubt on, and whether the list held them. */
function noteStale(drafts: Drafts, list: Slot): Map<unknown, boolean> {
  return recall((drafts.staleLists ??= new Map()), list, () => new Map())
}

/** A list that a read contradicts is refetched. */
function noteContradiction(drafts: Drafts, edit: Edit, slot: Slot, at: Candidate): void {
  const found = contradiction(edit, at)
  const key = itemKey(at.entry)
  // Once for each record: the server has the last word on whether it belongs to the list.
  if (found > 0 && !slot.list?.revealed?.has(key)) {
    noteStale(drafts, slot).set(key, found === LEAVE)
  }
}

/** The changes that the response of a list lacks if it was sent before the write. */
function entriesFor(
  { intake: { tables, meta } }: Drafts,
  edits: readonly Edit[],
  table: Table,
  list: Fitting,
  itemsBefore: () => unknown,
): MissedEntries {
  let moves: Moves | undefined
  let isUnsure = false
  for (const edit of edits) {
    if (!edit.isWrite || !tablesOf(tables, edit).includes(table)) {
      continue
    }
    const at = new Candidate(table, list, edit, itemsBefore)
    const effect = at.named || followsWrites(list) ? effectOf(edit, at) : 0
    isUnsure ||= (effect & REFETCH) > 0
    if (effect & (JOIN | LEAVE)) {
      addMove((moves ??= newMoves(at)), edit, at, effect)
    }
  }
  return { entries: moves ? entriesOf(moves, meta) : [], isUnsure }
}

/** The change by which items join a list. */
function joinEntry(meta: Meta, { named, list }: Candidate, entries: readonly unknown[]): ListEntry {
  if (named) {
    const { merge, collection } = named.change
    return { meta, items: itemsToPlace(entries, collection.isMap), merge }
  }
  // A record that joins because it was changed is placed as a mover places it.
  return { meta, items: entries, merge: (list.collection as Collection | undefined)?.move.merge ?? append }
}
