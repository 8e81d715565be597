import { put } from '../base/equal.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, type ListChange, type Meta } from '../schema/Schema.ts'
import { argsPk } from '../schema/pk.ts'
import type { Choice } from '../schema/polymorphic.ts'
import type { Fitting, ListEntry } from './ListState.ts'
import { type Drafts, rememberWrite } from './drafts.ts'
import { hasPosition, hasWindow } from './fit.ts'
import { contains, itemKey, itemOf, joining, size } from './listItems.ts'
import { listTest, matchingLists, type Matcher } from './matchLists.ts'
import { applyEntry, addItem } from './applyEntry.ts'
import type { Slot, Table, Tables } from './tables.ts'

/** The records that the arguments of a mutation name, as they are when it is sent. */
export function recordsBefore(
  { tables }: Tables,
  keys: Iterable<string>,
  args: readonly any[],
): ReadonlyMap<Slot, object> {
  const before = new Map<Slot, object>()
  for (const key of keys) {
    const table = tables.get(key)
    const pk = table?.entity && argsPk(table.entity, args)
    const slot = pk === undefined ? undefined : table!.slots.get(pk)
    if (typeof slot?.value === 'object') {
      before.set(slot, slot.value as object)
    }
  }
  return before
}

/** Each item joins or leaves the lists it matches, by the arguments and by its own fields. */
export function changeMembers(drafts: Drafts, change: ListChange): void {
  const { collection, merge } = change
  const { tables, meta, reads } = drafts.intake
  const { name, isMap } = collection
  const table = tables.table(collection.key)
  reads?.add(table)
  // A filter of the app's own decides on every list, and so does a Collection with `autoUpdate: false`.
  const isExact = change.filter !== undefined || collection.ownFilter || !collection.autoUpdate
  const moves: Moves = { table, isExact, joins: new Map(), leaves: new Map(), leaving: new Map(), deleted: new Set() }
  const members = Object.entries(change.items)
    .filter(([, item]) => item !== null && item !== undefined)
    .map(([label, item]) => moveItem(drafts, change, moves, Array.isArray(change.items) ? item : [label, item]))
  const refetchIf = (slot: Slot, isAffected: (list: Fitting) => boolean): void => {
    if (!isExact && isAffected({ ...slot.list!, collection })) {
      ;(drafts.staleLists ??= new Map()).set(slot, new Map())
    }
  }
  for (const [slot, entries] of moves.leaves) {
    const items = entries.map(itemOf)
    applyEntry(drafts, slot, { meta, items, merge: undefined }, moves.leaving.get(slot), moves.deleted)
    refetchIf(slot, hasWindow)
  }
  for (const [slot, entries] of moves.joins) {
    refetchIf(slot, hasPosition)
    applyEntry(drafts, slot, { meta, items: joining(entries, isMap), merge })
  }
  rememberWrite(drafts, (of, list) =>
    of === table && list.name === name ? entriesAt(members, list.keyArgs, meta, change) : [],
  )
}

/** The lists that a change has chosen for its items. In a map an item is an entry: its name and the item. */
interface Moves {
  readonly table: Table
  /** The change knows of every list of its name. */
  readonly isExact: boolean
  readonly joins: Map<Slot, unknown[]>
  readonly leaves: Map<Slot, unknown[]>
  /** How many items leave each list, loaded or not. */
  readonly leaving: Map<Slot, number>
  /** The keys of items that were deleted before. */
  readonly deleted: Set<unknown>
}

/** Chooses the lists that one item joins and leaves. */
function moveItem(drafts: Drafts, change: ListChange, moves: Moves, entry: unknown): Member {
  const { kind, collection } = change
  const { table, isExact } = moves
  const item = itemOf(entry)
  const record = drafts.itemSlot(change.item as Choice, item)
  if (record) {
    drafts.intake.reads?.add(record)
  }
  const { to, from, lost } = matchersOf(drafts, change, record)
  const listsOf = (matcher: Matcher): ReadonlySet<Slot> => matchingLists(table, change, matcher)
  const joined = to ? listsOf(to) : NOWHERE
  const left = from.map(listsOf)
  // It may belong to these lists: only the server knows which of two writes came last.
  for (const slot of lost && !drafts.isPending ? listsOf(lost) : NOWHERE) {
    drafts.draft(slot).stale ||= !joined.has(slot)
  }
  const comesBack = kind === 'move' && record !== undefined && drafts.below(record).value === INVALID
  if (comesBack || (record && (record.draft ?? drafts.below(record)).value === INVALID)) {
    moves.deleted.add(itemKey(item))
  }
  if (comesBack) {
    left.push(leaveAll(drafts, table, collection.name, item, joined))
  } else if (kind === 'move') {
    // Only lists of the record as it is now: a response that has changed it since the request was sent has subtracted it there.
    for (const slot of left[0] ?? NOWHERE) {
      if (!joined.has(slot)) {
        moves.leaving.set(slot, (moves.leaving.get(slot) ?? 0) + 1)
      }
    }
  }
  // A list stays as it is only for what belonged to it all the time.
  const joins = [...joined].filter((slot) => left.length === 0 || left.some((lists) => !lists.has(slot)))
  const leaves = left.flatMap((lists) => [...lists].filter((slot) => !joined.has(slot)))
  joins.forEach((slot) => addItem(moves.joins, slot, entry))
  leaves.forEach((slot) => addItem(moves.leaves, slot, entry))
  if (record) {
    const lists = new Set([...joins, ...leaves])
    const fields = kind === 'move' ? (to!.args[0] as object) : undefined
    const decision = { kind, table, name: collection.name, lists, isExact, to: fields }
    ;(drafts.decisions ??= new Map()).set(record, decision)
  }
  const outOf = from.length > 0 ? (at: Record<string, any>) => from.some(({ matches }) => matches(at)) : undefined
  return { entry, into: to?.matches, outOf }
}

/** One item of a change, with the tests of the lists it joins and leaves. */
interface Member {
  readonly entry: unknown
  readonly into: ((at: Record<string, any>) => boolean) | undefined
  readonly outOf: ((at: Record<string, any>) => boolean) | undefined
}

/** The entries of a change for the list of these arguments. */
function entriesAt(
  members: readonly Member[],
  at: Record<string, any>,
  meta: Meta,
  { collection, merge }: ListChange,
): ListEntry[] {
  const isIn = ({ into, outOf }: Member): number => Number(into?.(at) ?? false) - Number(outOf?.(at) ?? false)
  const leaves = members.filter((member) => isIn(member) < 0).map(({ entry }) => itemOf(entry))
  const joins = members.filter((member) => isIn(member) > 0).map(({ entry }) => entry)
  return [
    { meta, items: leaves, merge: undefined },
    { meta, items: joining(joins, collection.isMap), merge },
  ].filter(({ items }) => size(items) > 0)
}

const NOWHERE: ReadonlySet<Slot> = new Set()

/**
 * The lists that still hold a deleted record which moves and so comes back. It is shown nowhere but where it moves to;
 * the others are refetched, since nobody knows what the record was.
 */
function leaveAll(
  drafts: Drafts,
  table: Table,
  name: string | undefined,
  item: unknown,
  joined: ReadonlySet<Slot>,
): Set<Slot> {
  const lists = table.rows.filter(({ list }) => list?.name === name)
  lists.forEach((slot) => drafts.intake.reads?.add(slot))
  const held = lists.filter((slot) => contains(drafts.below(slot).value, item))
  for (const slot of held) {
    if (!joined.has(slot) && !drafts.isPending) {
      drafts.draft(slot).stale = true
    }
  }
  return new Set(held)
}

/**
 * The arguments and fields that match an item with the lists it joins, and with those it leaves. A read may already
 * contain the effect of a pending move: the item leaves the lists it was in when the move was sent.
 */
function matchersOf(
  { intake, below }: Drafts,
  change: ListChange,
  slot: Slot | undefined,
): { to?: Matcher; from: Matcher[]; lost?: Matcher | undefined } {
  const { kind, args, items } = change
  const matcher = (of: readonly any[], fields?: any): Matcher => ({
    args: of,
    fields,
    matches: listTest(change, of, fields),
  })
  const row = slot && below(slot)
  const old: any = row?.value === INVALID ? undefined : row?.value
  const draft = slot?.draft
  const now: any = draft?.value
  if (kind === 'add') {
    return { to: matcher(args, now ?? old), from: [] }
  }
  if (kind === 'remove') {
    return { from: [matcher(args, old ?? now)] }
  }
  const single = !Array.isArray(items) || items.length === 1
  const params: object = single && args.length > 1 ? args[0] : {}
  const body: object = single && typeof args[args.length - 1] === 'object' ? args[args.length - 1] : {}
  // Where a write sent later has the last word on the record, it has it on its lists too.
  const late = row?.meta !== undefined && isOlder(intake.meta, row.meta)
  const next = late ? given(params, body, now) : given(params, old, body, picked(now, draft?.incoming))
  const other = late ? given(params, old, body, draft?.incoming) : undefined
  const before = row?.value === undefined ? undefined : intake.before?.get(slot!)
  const olds = [old, before].filter((was) => was !== undefined)
  return {
    to: matcher([next, next]),
    from: olds.map((was) => matcher([given(params, was), was])),
    lost: other && matcher([other, other]),
  }
}

/** The members of all objects; later ones win, and undefined counts as not given. */
function given(...of: (object | undefined)[]): object {
  const out = {}
  for (const members of of) {
    if (members) {
      for (const name of Object.keys(members)) {
        const value: unknown = (members as Record<string, unknown>)[name]
        if (value !== undefined) {
          put(out, name, value)
        }
      }
    }
  }
  return out
}

/** The fields that came in, as they are after they met the row. */
function picked(value: any, incoming: object | undefined): object {
  const out = {}
  for (const name of Object.keys(incoming ?? {})) {
    put(out, name, value?.[name])
  }
  return out
}
