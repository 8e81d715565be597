// How lists follow a write
//
// A list is known by its arguments: `[Todo] {"done":false}`. When all records of a response are in their drafts, each list
// that may be concerned is handled in one of three ways:
//
// 1. The response is the list itself: its items replace those of the list (`replaceMembers.ts`, `drafts.replacedLists`).
// 2. The schema names the change: `push`, `unshift`, `assign`, `remove`, `move`. The lists are those whose arguments match the
//    arguments of the request and the fields of the item (`changeMembers.ts`, `matchLists.ts`). The choice is noted in
//    `drafts.decisions`, so that it is not judged again here.
// 3. All other lists are judged here, by the fields of each written record before and after (`edits.ts`). Of the lists that may
//    hold it (`concernedLists.ts`) each says whether it did and does belong to it: IN, OUT, or UNSURE, where an argument is no
//    field of the record (`fit.ts`). The table in `effectOf.ts` tells the effect: the record joins, placed as a mover places
//    it, or leaves, or the list is refetched. A read changes no list: one that contradicts the record is refetched, once for
//    each record.
//
// A change is an entry in the log of each list (`applyEntry.ts`), placed on the items when the list is read (`lists.ts`). Refetched
// means: marked stale (`drafts.staleLists`), so that readers fetch it again. A list that is still on its way when the write is
// committed may or may not contain it. So the write is kept in `tables.recentWrites` while older requests are open, and
// judges the list in the same way when it arrives.

import { append, type Collection } from '../schema/Collection.ts'
import type { Fitting, ListEntry, ListState, RecentWrite } from './ListState.ts'
import { addItem, applyEntry } from './applyEntry.ts'
import { eachList, withCollection } from './concernedLists.ts'
import { type Drafts, rememberWrite } from './drafts.ts'
import { type Edit, editsOf } from './edits.ts'
import { contradiction, effectOf, goesAlong, JOIN, LEAVE, REFETCH } from './effectOf.ts'
import { contains } from './listItems.ts'
import { isThere } from './shown.ts'
import type { Slot, Table } from './tables.ts'

/** Changes the lists that contain the records of a response, or should. */
export function followRecords(drafts: Drafts): void {
  const { tables, meta, reads } = drafts.intake
  const edits = editsOf(drafts)
  if (edits === undefined) {
    return
  }
  const joins = new Map<Slot, unknown[]>()
  const leaves = new Map<Slot, unknown[]>()
  const isQuiet = !drafts.isPending && !drafts.mayBeMissed
  for (const edit of edits) {
    for (const table of tables.holders.get(edit.slot.key) ?? []) {
      reads?.add(table)
      const left: ListState[] = []
      const unsure: Followed[] = []
      eachList(tables, table, edit, isQuiet, (at, list) => {
        const { effect, item } = follow(drafts, edit, at, list)
        if (item === undefined) {
          return
        }
        if (effect & LEAVE) {
          left.push(list)
          addItem(leaves, at, item)
        } else if (effect & JOIN) {
          addItem(joins, at, item)
        } else if (effect & REFETCH) {
          unsure.push({ at, list, item })
        }
      })
      for (const { at, list, item } of left.length > 0 ? unsure : []) {
        if (!list.isMap && left.some((from) => goesAlong(from, list, edit))) {
          addItem(joins, at, item)
        }
      }
    }
  }
  for (const [slot, items] of leaves) {
    applyEntry(drafts, slot, { meta, items, merge: undefined }, items.length)
  }
  for (const [slot, items] of joins) {
    applyEntry(drafts, slot, { meta, items, merge: placing(withCollection(slot, slot.list!)) })
  }
  for (const edit of edits.filter(({ isWrite }) => isWrite)) {
    rememberWrite(drafts, (...of) => entriesFor(drafts, edit, ...of))
  }
}

interface Followed {
  readonly at: Slot
  readonly list: ListState
  readonly item: unknown
}

/** Marks a list that has to be refetched. Returns the effect of a write on it, and the record as its item. */
function follow(drafts: Drafts, edit: Edit, at: Slot, list: ListState): { effect: number; item?: unknown } {
  const { slot, decision, isWrite } = edit
  const isDecided =
    decision?.table === at.table && decision.name === list.name && (decision.isExact || decision.lists.has(at))
  if (isDecided || drafts.replacedLists?.has(at) || !isThere(at)) {
    return { effect: 0 }
  }
  const item = itemFor(list, slot)
  const items = (): unknown => at.draft?.value ?? drafts.below(at).value
  const isIn = (): boolean => contains(items(), item)
  if (!isWrite) {
    const found = contradiction(list, edit, isIn)
    // Once for each record: the server has the last word on whether it belongs to the list.
    if (found > 0 && !list.revealed?.has(slot.pk)) {
      markStale(drafts, at).set(slot.pk, found === LEAVE)
    }
    return { effect: 0 }
  }
  const effect = effectOf(at.table, list, edit, items, isIn)
  if (edit.isOverruled) {
    if (effect > 0) {
      markStale(drafts, at)
    }
    return { effect: 0 }
  }
  // Under which name an entry joins a map nobody knows.
  if ((effect & REFETCH) > 0 || (effect > 0 && item === undefined) || (effect === JOIN && list.isMap)) {
    markStale(drafts, at)
  }
  return { effect, item }
}

/** The list is refetched. Returns the records that a read casts doubt on, and whether the list held them. */
function markStale(drafts: Drafts, list: Slot): Map<string, boolean> {
  const staleLists = (drafts.staleLists ??= new Map())
  let revealed = staleLists.get(list)
  if (revealed === undefined) {
    staleLists.set(list, (revealed = new Map()))
  }
  return revealed
}

/** The changes that the response of a list lacks if it was sent before the write. */
function entriesFor(
  { intake: { tables, meta } }: Drafts,
  edit: Edit,
  table: Table,
  list: Fitting,
  itemsBefore: () => unknown,
): ReturnType<RecentWrite['entriesFor']> {
  const { slot, decision } = edit
  const isDecided = decision?.table === table && decision.name === list.name
  if (
    !tables.holders.get(slot.key)?.includes(table) ||
    list.collection?.autoUpdate === false ||
    (isDecided && decision.isExact)
  ) {
    return []
  }
  const item = itemFor(list, slot)
  const effect = effectOf(table, list, edit, itemsBefore, () => contains(itemsBefore(), item))
  if (effect === 0) {
    return []
  }
  if (effect & REFETCH || item === undefined || edit.isOverruled) {
    return undefined
  }
  // The entries of the mover itself say the same.
  if (isDecided && decision.kind === 'move') {
    return []
  }
  return [{ meta, items: [item], merge: effect & JOIN ? placing(list) : undefined }]
}

/** How an item is placed that joins a list because it was changed. */
function placing({ collection }: Fitting): NonNullable<ListEntry['merge']> {
  return (collection as Collection | undefined)?.move.merge ?? append
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
