import { put, share } from '../base/equal.ts'
import type { NextPageInfo } from '../rest/paginate.ts'
import type { Collection } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import type { Choice } from '../schema/polymorphic.ts'
import { INVALID, type ListChange, type ListSchema, type Meta, STALE } from '../schema/Schema.ts'
import { argsPk } from '../schema/pk.ts'
import type { Drafts, Intake } from './drafts.ts'
import { hasPosition, hasWindow, looseArgs } from './fit.ts'
import { draftedValue, showsItem } from './listLayer.ts'
import {
  changeList,
  contains,
  type End,
  gained,
  isPlain,
  itemOf,
  joining,
  listTest,
  matchingLists,
  recall,
  replaceList,
  size,
  undecided,
  unique,
  withoutItems,
} from './lists.ts'
import { isCrossing } from './merge.ts'
import { count, type ListAnswer, nextOf, pageKey } from './pages.ts'
import { refreshed, replacePage } from './replacePage.ts'
import {
  type Fitting,
  isThere,
  type ListEntry,
  type ListPage,
  type ListState,
  type RecentMember,
  type Slot,
  type Table,
  type Tables,
} from './tables.ts'

/**
 * A whole list has come, or a page of it: it meets the stored one, and what joined or left that one since the answer
 * was sent.
 */
export function replaceMembers(
  { intake, below, itemSlot }: Drafts,
  collection: ListSchema,
  slot: Slot,
  at: Record<string, any>,
  path: string | undefined,
  items: unknown,
): ListAnswer | undefined {
  const { meta, key, standIn, horizon, tables } = intake
  const id = collection.isPage ? pageKey(intake.args) : undefined
  const draft = slot.draft!
  const row = below(slot)
  const existing = row.value === INVALID ? undefined : row.value
  const merged: unknown =
    existing === undefined || id !== undefined ? items : share(existing, mergeItems(collection, existing, items))
  if (standIn !== undefined) {
    draft.value = merged
    draft.meta = meta
    return undefined
  }
  const stored = existing === undefined ? undefined : slot.list
  const since = invalidatedAt(tables, key) ?? stored?.since
  const isLate = since !== undefined && meta.sent < since
  const slotOf = (item: unknown): Slot | undefined => itemSlot((collection as Collection).cacheWith.choice, item)
  const fieldsOf = (item: unknown): unknown => {
    const of = slotOf(item)
    return of?.draft?.incoming ?? of?.value
  }
  // What was deleted before, and perhaps forgotten since, does not come back into the list with its record.
  const isOver = (item: unknown): boolean => {
    const of = slotOf(item)
    const value: unknown = of ? of.value : typeof item === 'string' ? undefined : item
    return value === undefined || (value === INVALID && !isOlder(meta, of!.meta!))
  }
  // The first response of the list after an invalidation leaves no page that is older than that.
  const isKept = ({ meta: { sent } }: ListPage): boolean =>
    id !== undefined || isLate || since === undefined || sent > since
  const state = stored && withoutItems({ ...stored, since, pages: stored.pages?.filter(isKept) }, isOver)
  const known = state?.pages?.find((page) => page.id === id)
  const rank = state === undefined ? row.meta : id === undefined ? row.meta && state.baseMeta : known?.meta
  const overtaken = state !== undefined && meta.order < state.folded
  if (row.meta && (overtaken || (id !== undefined && isLate) || (rank && isOlder(meta, rank)))) {
    draft.stale ||= merged !== existing && (overtaken || isCrossing(row.meta, meta))
    return { slot, page: id, taken: false, delta: 0 }
  }
  const keys = slot.list?.keys ?? []
  const following = intake.next?.(size(items) === 0)
  const own = { at, name: collection.name, collection }
  // Writes since the request was sent that the log lacks, because they did not concern the stored list.
  const missed = tables.recentWrites
    .filter((write) => write.meta.order > meta.sent && !state?.log.some((entry) => entry.meta === write.meta))
    .map((write) => write.entryFor(slot.table, own, items))
  const doubted = (state?.doubtedAt ?? 0) > meta.sent || missed.includes(undefined)
  const logged = state?.log ?? recall(slot.table, collection.name, at)
  const entries = missed.filter((entry): entry is ListEntry => !!entry)
  const log =
    entries.length > 0 ? [...logged, ...entries].sort((one, other) => one.meta.order - other.meta.order) : logged
  const fresh = {
    ...own,
    loose: id === undefined ? looseArgs(own, ends(items).map(fieldsOf)) : state?.loose,
    doubtedAt: state?.doubtedAt,
    revealed: state?.revealed && stillRevealed(state.revealed, merged),
    isMap: collection.isMap,
    path: path ?? slot.list?.path,
    base: merged,
    keys: key === undefined || keys.includes(key) ? keys : [...keys, key],
    since,
    counts: collection.counts,
    choice: (collection as Collection).cacheWith.choice,
    counted: state?.counted,
    next: id === undefined ? following?.args : state?.next,
    previous: id === undefined ? following?.previous : state?.previous,
    isEnd: id === undefined ? following?.isEnd : state?.isEnd,
  }
  const next =
    id === undefined
      ? replaceList(
          log,
          fresh,
          meta,
          horizon,
          state,
          intake.isWhole ? (old) => refreshed(old, fresh, meta, pageKey) : undefined,
        )
      : replacePage(
          {
            // A page without a base is the list, until the base comes.
            ...(state ?? { baseMeta: { ...meta, sent: -1, order: -1 }, folded: 0, log }),
            ...fresh,
            base: state ? (state.base as unknown) : collection.isMap ? {} : [],
          },
          { ...pageFrom(intake, items, following), id, isBefore: collection.isBefore },
          pageKey,
        )
  draft.list = next.list
  draft.value = share(existing, next.value)
  // A number in this answer counts neither the changes that are newer, nor what was deleted since. Or it does: nobody
  // knows, so that it is asked for again.
  const isGone = (item: unknown): boolean => {
    const of = slotOf(item)
    return of?.value === INVALID && isOlder(meta, of.meta!)
  }
  const delta = collection.counts
    ? gained(next.list, meta) - Object.values(next.value as object).filter(isGone).length
    : 0
  const stale = next.stale || delta !== 0 || doubted
  // A page makes its list no fresher.
  const older = id === undefined || existing === undefined ? meta : row.meta!
  const expiresAt = stale ? STALE : Math.min(older.expiresAt, meta.expiresAt)
  draft.meta = expiresAt === older.expiresAt ? older : { ...older, expiresAt }
  draft.stale ||= stale
  return { slot, page: id, taken: true, delta }
}

/** The first and the last item of a list. */
function ends(items: any): unknown[] {
  const all: unknown[] = Array.isArray(items) ? items : Object.values(items as object)
  return all.length > 1 ? [all[0], all.at(-1)] : all
}

/** The records that a response leaves where they were, though a read said otherwise: the server means it. */
function stillRevealed(revealed: ReadonlyMap<string, boolean>, items: any): ReadonlyMap<string, boolean> | undefined {
  const all: any[] = Array.isArray(items) ? items : Object.values(items as object)
  const left = [...revealed].filter(([pk, isHeld]) => all.some((item) => (item?.id ?? item) === pk) === isHeld)
  return left.length > 0 ? new Map(left) : undefined
}

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

/** The number at which the result of an endpoint was invalidated, while it is. */
function invalidatedAt({ endpoints }: Tables, key = ''): number | undefined {
  const meta: (Meta & { invalidated?: boolean }) | undefined = endpoints.slots.get(key)?.meta
  return meta?.invalidated ? meta.order : undefined
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
  /** What is deleted was counted out then. */
  const dead = new Set<unknown>()
  const members: RecentMember[] = []
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
        gather(joins, slot, entry)
        decided.add(slot)
      }
    }
    for (const lists of left) {
      for (const slot of lists) {
        if (!joined.has(slot)) {
          gather(leaves, slot, entry)
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
    // What the record was when the request was sent may have been counted out already, by whoever brought what it is now.
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
      ;(drafts.outdated ??= new Map()).set(slot, new Map())
    }
  }
  for (const [slot, items] of leaves) {
    apply(drafts, slot, { meta, items: items.map(itemOf), merge: undefined }, counted.get(slot), dead)
    doubt(slot, hasWindow)
  }
  for (const [slot, items] of joins) {
    doubt(slot, hasPosition)
    apply(drafts, slot, { meta, items: joining(items, isMap), merge })
  }
  if (standIn === undefined && horizon <= meta.order) {
    drafts.recent.push({ table, meta, name, isMap, merge, members })
  }
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
 * By which arguments and fields an item is looked for in the lists it joins, and in those it leaves. A read may have
 * brought what a move made of the record before the move is answered: it leaves the lists it was in when that was sent.
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

/**
 * @param leaving how many items leave that its number counts, whether they are loaded or not
 * @param dead items that its number does not count any more
 */
export function apply(drafts: Drafts, slot: Slot, entry: ListEntry, leaving = 0, dead?: ReadonlySet<unknown>): void {
  const { intake } = drafts
  const pending = intake.standIn !== undefined
  if (pending && applyLater(drafts, slot, entry, leaving, dead)) {
    return
  }
  const draft = drafts.draft(slot)
  if (draft.entries) {
    draft.value = draftedValue(slot, drafts.below(slot))
    draft.entries = undefined
    draft.list = slot.list
  }
  if (draft.value === INVALID || draft.value === undefined || draft.list === undefined) {
    return
  }
  // Of a pending operation nothing is remembered, but what was sent later has the last word here too.
  const next = changeList(draft.list, draft.value, entry, pending ? 0 : intake.horizon)
  if (draft.list.counts) {
    const alive = (items: any): number =>
      dead?.size ? Object.values(items as object).filter((item) => !dead.has(item)).length : size(items)
    const delta = alive(next.value) - alive(draft.value)
    draft.stale ||= countChange(drafts, draft.list, delta, next.stale ? 0 : leaving)
  }
  draft.value = next.value
  if (pending) {
    return
  }
  // The list keeps its age: a change of membership is no answer to its question.
  draft.list = next.list
  draft.stale ||= next.stale
}

/** Leaves a pending change to the first reader of the list; false where its value is needed now. */
function applyLater(
  drafts: Drafts,
  slot: Slot,
  entry: ListEntry,
  leaving: number,
  dead: ReadonlySet<unknown> | undefined,
): boolean {
  const { list, draft } = slot
  if (!list || (draft ? !draft.entries : !isThere(slot)) || (list.counts && (list.isMap || !isPlain(entry)))) {
    return false
  }
  if (list.counts) {
    drafts.intake.reads?.add(slot)
    const [open = entry] = undecided([entry], list.log)
    const isAdded = entry.merge !== undefined
    const changed = unique(open.items as unknown[]).filter(
      (item) => !dead?.has(item) && showsItem(slot, item) !== isAdded,
    )
    countChange(drafts, list, isAdded ? changed.length : -changed.length, open === entry ? leaving : 0)
  }
  drafts.change(slot).push(entry)
  return true
}

/**
 * The numbers beside a list follow a change of its size. True where they have to be fetched again.
 *
 * @param leaving how many items leave that the number counts, whether they are loaded or not
 */
function countChange(drafts: Drafts, list: ListState, delta: number, leaving: number): boolean {
  // One on a page that is not loaded was not seen to leave.
  const unseen = leaving > 0 && nextOf(list) ? Math.max(0, leaving + delta) : 0
  return count(drafts, list, delta - unseen) || (unseen > 0 && drafts.intake.standIn === undefined)
}

export function gather(into: Map<Slot, unknown[]>, slot: Slot, item: unknown): void {
  const items = into.get(slot)
  if (items === undefined) {
    into.set(slot, [item])
  }
  // It may leave a list by what it was at two times.
  else if (items.at(-1) !== item) {
    items.push(item)
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

/** A list that a Collection's own `merge` made may hold an item twice. */
function mergeItems(collection: ListSchema, existing: unknown, items: unknown): unknown {
  const merged: unknown = collection.merge(existing, items)
  return Array.isArray(merged) && merged !== items ? unique(merged) : merged
}

/** A page, as a response brings it. */
function pageFrom(
  { args, endpoint, meta }: Intake,
  items: unknown,
  following: NextPageInfo | undefined,
): Omit<ListPage, 'id'> {
  const { args: next, isEnd, previous, number } = following ?? {}
  return { args, endpoint, at: meta.sent, meta, items, next, isEnd, previous, number }
}
