import { put } from '../base/equal.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, type ListChange, type Meta } from '../schema/Schema.ts'
import { argsPk } from '../schema/pk.ts'
import type { Choice } from '../schema/polymorphic.ts'
import type { Fitting, ListEntry } from './ListState.ts'
import type { Drafts } from './drafts.ts'
import { hasPosition, hasWindow } from './fit.ts'
import { contains, itemOf, joining, size } from './listItems.ts'
import { listTest, matchingLists, type End } from './matchLists.ts'
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
  const { tables, meta, standIn, horizon, reads } = drafts.intake
  const { name, isMap } = collection
  const table = tables.table(collection.key)
  reads?.add(table)
  const joins = new Map<Slot, unknown[]>()
  const leaves = new Map<Slot, unknown[]>()
  const counted = new Map<Slot, number>()
  /** Deleted items were already subtracted. */
  const dead = new Set<unknown>()
  const members: Member[] = []
  // A filter of the app's own knows every list, and so does who does not want to know.
  const isExact = change.filter !== undefined || collection.ownFilter || !collection.autoUpdate
  for (const [label, item] of Object.entries(change.items)) {
    if (item === null || item === undefined) {
      continue
    }
    const entry = Array.isArray(change.items) ? item : [label, item]
    const of = drafts.itemSlot(change.item as Choice, item)
    if (of) {
      reads?.add(of)
    }
    const { to, from, lost } = endsOf(drafts, change, of)
    const left = matchingLists(table, change, to ? [to, ...from] : from)
    const joined = to ? left.shift()! : NOWHERE
    // Perhaps it is there, all the same: nobody knows which of two writes came last.
    if (lost && standIn === undefined) {
      for (const slot of matchingLists(table, change, [lost])[0]!) {
        drafts.draft(slot).stale ||= !joined.has(slot)
      }
    }
    const decided = new Set<Slot>()
    const comesBack = change.kind === 'move' && of !== undefined && drafts.below(of).value === INVALID
    if (comesBack) {
      left.push(leaveAll(drafts, table, name, item, joined))
      dead.add(itemOf(entry))
    }
    // A list stays as it is only for what belonged to it all the time.
    for (const slot of joined) {
      if (left.length === 0 || left.some((lists) => !lists.has(slot))) {
        addItem(joins, slot, entry)
        decided.add(slot)
      }
    }
    for (const lists of left) {
      for (const slot of lists) {
        if (!joined.has(slot)) {
          addItem(leaves, slot, entry)
          decided.add(slot)
        }
      }
    }
    if (of) {
      const moved = change.kind === 'move' ? (to!.args[0] as object) : undefined
      ;(drafts.decisions ??= new Map()).set(of, { kind: change.kind, table, name, lists: decided, isExact, to: moved })
    }
    if (of && (of.draft ?? drafts.below(of)).value === INVALID) {
      dead.add(itemOf(entry))
    }
    // The record as it was when the request was sent may already have been subtracted, by the response that changed it.
    if (change.kind === 'move' && !comesBack) {
      for (const slot of left[0] ?? NOWHERE) {
        if (!joined.has(slot)) {
          counted.set(slot, (counted.get(slot) ?? 0) + 1)
        }
      }
    }
    const outOf = from.length > 0 ? (at: Record<string, any>) => from.some(({ matches }) => matches(at)) : undefined
    members.push({ entry, into: to?.matches, outOf })
  }
  const doubt = (slot: Slot, isAffected: (list: Fitting) => boolean): void => {
    if (!isExact && isAffected({ ...slot.list!, collection })) {
      ;(drafts.staleLists ??= new Map()).set(slot, new Map())
    }
  }
  for (const [slot, items] of leaves) {
    applyEntry(drafts, slot, { meta, items: items.map(itemOf), merge: undefined }, counted.get(slot), dead)
    doubt(slot, hasWindow)
  }
  for (const [slot, items] of joins) {
    doubt(slot, hasPosition)
    applyEntry(drafts, slot, { meta, items: joining(items, isMap), merge })
  }
  if (standIn === undefined && horizon <= meta.order) {
    ;(drafts.recentWrites ??= []).push({
      meta,
      entriesFor: (of, list) => (of === table && list.name === name ? entriesAt(members, list.at, meta, change) : []),
    })
  }
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
  const held = table.rows.filter((slot) => slot.list?.name === name && contains(drafts.below(slot).value, item))
  for (const slot of held) {
    if (!joined.has(slot) && drafts.intake.standIn === undefined) {
      drafts.draft(slot).stale = true
    }
  }
  return new Set(held)
}

/**
 * The arguments and fields that match an item with the lists it joins, and with those it leaves. A read may already
 * contain the effect of a pending move: the item leaves the lists it was in when the move was sent.
 */
function endsOf(
  { intake, below }: Drafts,
  change: ListChange,
  slot: Slot | undefined,
): { to?: End; from: End[]; lost?: End | undefined } {
  const { kind, args, items } = change
  const end = (of: readonly any[], fields?: any): End => ({ args: of, fields, matches: listTest(change, of, fields) })
  const row = slot && below(slot)
  const old: any = row?.value === INVALID ? undefined : row?.value
  const draft = slot?.draft
  const now: any = draft?.value
  if (kind === 'add') {
    return { to: end(args, now ?? old), from: [] }
  }
  if (kind === 'remove') {
    return { from: [end(args, old ?? now)] }
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
    to: end([next, next]),
    from: olds.map((was) => end([given(params, was), was])),
    lost: other && end([other, other]),
  }
}

/** The members of all, the later ones first; what is undefined was not given. */
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
