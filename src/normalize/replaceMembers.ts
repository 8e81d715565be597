import { share } from '../base/equal.ts'
import type { NextPageInfo } from '../rest/paginate.ts'
import type { Collection } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, STALE, type ListSchema, type Meta } from '../schema/Schema.ts'
import type { Fitting, ListEntry, ListPage, ListState } from './ListState.ts'
import type { Drafts, Intake } from './drafts.ts'
import { compareArgs } from './fit.ts'
import { placeAll, size, unique } from './listItems.ts'
import { gained, replaceBase, withoutItems } from './lists.ts'
import { isCrossing } from './log.ts'
import { pageKey, type ListOutcome } from './pages.ts'
import { refreshed, replacePage } from './replacePage.ts'
import type { Slot, Tables } from './tables.ts'

/**
 * Combines a whole list, or a page of it, with the stored one and with its changes of membership since the request
 * was sent.
 */
export function replaceMembers(
  drafts: Drafts,
  collection: ListSchema,
  slot: Slot,
  keyArgs: Record<string, any>,
  path: string | undefined,
  items: unknown,
): ListOutcome | undefined {
  const { intake, below } = drafts
  const { meta, key, horizon, tables } = intake
  const id = collection.isPage ? pageKey(intake.args) : undefined
  const draft = slot.draft!
  const row = below(slot)
  const existing = row.value === INVALID ? undefined : row.value
  const merged: unknown =
    existing === undefined || id !== undefined ? items : share(existing, mergeItems(collection, existing, items))
  if (drafts.isPending) {
    draft.value = merged
    draft.meta = meta
    return undefined
  }
  const stored = existing === undefined ? undefined : slot.list
  const since = invalidatedAt(tables, key) ?? stored?.since
  const isLate = since !== undefined && meta.sent < since
  const slotOf = (item: unknown): Slot | undefined => drafts.itemSlot((collection as Collection).cacheWith.choice, item)
  // The first response of the list after an invalidation leaves no page that is older than that.
  const oldest = id === undefined && !isLate ? since : undefined
  const state = stored && stateBefore({ ...stored, since }, oldest, meta, slotOf)
  const page = state?.pages?.find((one) => one.id === id)
  const rank = state === undefined ? row.meta : id === undefined ? state.baseMeta : page?.meta
  const overtaken = state !== undefined && meta.order < state.compacted
  if (row.meta && (overtaken || (id !== undefined && isLate) || (rank && isOlder(meta, rank)))) {
    draft.stale ||= merged !== existing && (overtaken || isCrossing(row.meta, meta))
    return { slot, page: id, taken: false, delta: 0 }
  }
  const keys = slot.list?.keys ?? []
  const following = intake.next?.(size(items) === 0)
  const own = { keyArgs, name: collection.name, collection, path: path ?? slot.list?.path }
  const { log, isStale } = logFor(slot, tables, own, items, meta, state)
  const fresh = {
    ...own,
    loose:
      id === undefined
        ? compareArgs(
            slot.table,
            own,
            ends(items).map((item) => fieldsOf(slotOf(item))),
          )
        : state?.loose,
    staleAt: state?.staleAt,
    revealed: state?.revealed && stillRevealed(state.revealed, merged),
    isMap: collection.isMap,
    base: merged,
    keys: key === undefined || keys.includes(key) ? keys : [...keys, key],
    since,
    counts: collection.counts,
    counted: state?.counted,
    next: id === undefined ? following?.args : state?.next,
    previous: id === undefined ? following?.previous : state?.previous,
    isEnd: id === undefined ? following?.isEnd : state?.isEnd,
  }
  const next =
    id === undefined
      ? replaceBase(
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
            ...(state ?? { baseMeta: { ...meta, sent: -1, order: -1 }, compacted: 0, log }),
            ...fresh,
            base: state ? (state.base as unknown) : collection.isMap ? {} : [],
          },
          { ...pageFrom(intake, items, following), id, isBefore: collection.isBefore },
          pageKey,
        )
  draft.list = next.list
  draft.value = share(existing, next.value)
  // A number in this response may or may not include newer changes and deletes, so it is refetched.
  const isGone = (item: unknown): boolean => {
    const of = slotOf(item)
    return of?.value === INVALID && isOlder(meta, of.meta!)
  }
  const delta = collection.counts
    ? gained(next.list, meta) - Object.values(next.value as object).filter(isGone).length
    : 0
  const stale = next.stale || delta !== 0 || isStale
  // A page makes its list no fresher.
  const older = id === undefined || existing === undefined ? meta : row.meta!
  const expiresAt = stale ? STALE : Math.min(older.expiresAt, meta.expiresAt)
  draft.meta = expiresAt === older.expiresAt ? older : { ...older, expiresAt }
  draft.stale ||= stale
  return { slot, page: id, taken: true, delta }
}

/** The stored list as a response finds it: without pages that are older than an invalidation, and without deleted items. */
function stateBefore(
  stored: ListState,
  oldest: number | undefined,
  meta: Meta,
  slotOf: (item: unknown) => Slot | undefined,
): ListState {
  const pages = oldest === undefined ? stored.pages : stored.pages?.filter((page) => page.meta.sent > oldest)
  // An item that was deleted earlier, and perhaps evicted since, does not return to the list with its record.
  const isOver = (item: unknown): boolean => {
    const of = slotOf(item)
    const value: unknown = of ? of.value : typeof item === 'string' ? undefined : item
    return value === undefined || (value === INVALID && !isOlder(meta, of!.meta!))
  }
  return pages?.length ? withoutItems({ ...stored, pages }, isOver) : { ...stored, pages }
}

/** The fields that a response brought for a record, or else the stored ones. */
function fieldsOf(slot: Slot | undefined): unknown {
  return slot?.draft?.incoming ?? slot?.value
}

/**
 * The log of a list, with the changes by writes that its response may lack. `isStale` says that one of them may have
 * changed the list in an unknown way.
 */
function logFor(
  { table }: Slot,
  { recentWrites }: Tables,
  list: Fitting,
  items: unknown,
  meta: Meta,
  state: ListState | undefined,
): { log: readonly ListEntry[]; isStale: boolean } {
  let isStale = (state?.staleAt ?? 0) > meta.sent
  const log = state?.log ?? []
  const missed: ListEntry[] = []
  let before = items
  let unplaced: ListEntry[] = []
  // Placed only when a write needs them: most of them do not.
  const itemsBefore = (): unknown => {
    before = placeAll(before, unplaced)
    unplaced = []
    return before
  }
  for (const write of recentWrites) {
    const isNewer = write.meta.order > meta.sent
    const known = log.filter((entry) => entry.meta === write.meta)
    // The log of a stored list lacks those that did not concern it, and those that its own response has.
    const isKnown = state && (!isNewer || !isOlder(state.baseMeta, write.meta) || known.length > 0)
    const entries = isKnown ? [] : write.entriesFor(table, list, itemsBefore)
    isStale ||= isNewer && entries === undefined
    missed.push(...(entries ?? []))
    if (isOlder(meta, write.meta)) {
      unplaced.push(...(isKnown ? known : (entries ?? [])))
    }
  }
  return {
    log: missed.length > 0 ? [...log, ...missed].sort((a, b) => a.meta.order - b.meta.order) : log,
    isStale,
  }
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

/** The number at which the result of an endpoint was invalidated, while it is. */
function invalidatedAt({ endpoints }: Tables, key = ''): number | undefined {
  const meta: (Meta & { invalidated?: boolean }) | undefined = endpoints.slots.get(key)?.meta
  return meta?.invalidated ? meta.order : undefined
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
  return { args, endpoint, firstSent: meta.sent, meta, items, next, isEnd, previous, number }
}
