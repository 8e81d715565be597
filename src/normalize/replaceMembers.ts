import { share } from '../base/equal.ts'
import type { NextPageInfo } from '../rest/paginate.ts'
import type { Collection } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, STALE, type ListSchema, type Meta } from '../schema/Schema.ts'
import type { Fitting, ListEntry, ListPage, ListState } from './ListState.ts'
import type { Drafts, Intake } from './drafts.ts'
import { learnArgs } from './fit.ts'
import { placeAll, size, unique } from './listItems.ts'
import { gained, replaceBase, withoutItems } from './lists.ts'
import { isCrossing } from './log.ts'
import { pageKey, type ListOutcome } from './pages.ts'
import { refreshed, replacePage } from './replacePage.ts'
import type { Slot, Table, Tables } from './tables.ts'

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
  const { intake } = drafts
  const { meta, horizon } = intake
  const page = collection.isPage ? pageKey(intake.args) : undefined
  const draft = slot.draft!
  const row = drafts.below(slot)
  const existing = row.value === INVALID ? undefined : row.value
  const merged: unknown =
    existing === undefined || page !== undefined ? items : share(existing, mergeItems(collection, existing, items))
  if (drafts.isPending) {
    draft.value = merged
    draft.meta = meta
    return undefined
  }
  const slotOf = (item: unknown): Slot | undefined => drafts.itemSlot((collection as Collection).cacheWith.choice, item)
  const { state, since } = stateBefore(intake, slot, existing, page, slotOf)
  const isCompacted = state !== undefined && meta.order < state.compacted
  if (row.meta && (isCompacted || isOutdated(intake, page, state, since, row.meta))) {
    draft.stale ||= merged !== existing && (isCompacted || isCrossing(row.meta, meta))
    return { slot, page, taken: false, delta: 0 }
  }
  const own = { keyArgs, name: collection.name, collection, path: path ?? slot.list?.path }
  const { log, isStale } = withMissedWrites(intake, slot.table, own, items, state)
  const following = intake.next?.(size(items) === 0)
  const { keys = [] } = slot.list ?? {}
  const fresh = {
    ...own,
    // A page says nothing about the list itself, nor about the pages next to it.
    ...(page === undefined
      ? { loose: looseArgs(slot.table, own, items, slotOf), next: following?.args, ...edgesOf(following) }
      : { loose: state?.loose, next: state?.next, ...edgesOf(state) }),
    staleAt: state?.staleAt,
    revealed: state?.revealed && stillRevealed(state.revealed, merged),
    isMap: collection.isMap,
    base: merged,
    keys: intake.key === undefined || keys.includes(intake.key) ? keys : [...keys, intake.key],
    since,
    counts: collection.counts,
    counted: state?.counted,
  }
  const refresh = (old: ListState): Partial<ListState> => refreshed(old, fresh, meta, pageKey)
  const next =
    page === undefined
      ? replaceBase(log, fresh, meta, horizon, state, intake.isWhole ? refresh : undefined)
      : replacePage(
          {
            // A page without a base is the list, until the base comes.
            ...(state ?? { baseMeta: { ...meta, sent: -1, order: -1 }, compacted: 0, log }),
            ...fresh,
            base: state ? (state.base as unknown) : collection.isMap ? {} : [],
          },
          { ...pageFrom(intake, items, following), id: page, isBefore: collection.isBefore },
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
  const older = page === undefined || existing === undefined ? meta : row.meta!
  const expiresAt = stale ? STALE : Math.min(older.expiresAt, meta.expiresAt)
  draft.meta = expiresAt === older.expiresAt ? older : { ...older, expiresAt }
  draft.stale ||= stale
  return { slot, page, taken: true, delta }
}

/** The stored list as a response finds it: without pages that are older than an invalidation, and without deleted items. */
function stateBefore(
  { tables, key = '', meta }: Intake,
  slot: Slot,
  existing: unknown,
  page: string | undefined,
  slotOf: (item: unknown) => Slot | undefined,
): { state: ListState | undefined; since: number | undefined } {
  const stored = existing === undefined ? undefined : slot.list
  const since = invalidatedAt(tables, key) ?? stored?.since
  if (stored === undefined) {
    return { state: undefined, since }
  }
  // The first response of the list after an invalidation leaves no page that is older than that.
  const isFirst = page === undefined && since !== undefined && meta.sent >= since
  const pages = isFirst ? stored.pages?.filter((one) => one.meta.sent > since) : stored.pages
  // An item that was deleted earlier, and perhaps evicted since, does not return to the list with its record.
  const isDeleted = (item: unknown): boolean => {
    const record = slotOf(item)
    const value: unknown = record ? record.value : typeof item === 'string' ? undefined : item
    return value === undefined || (value === INVALID && !isOlder(meta, record!.meta!))
  }
  const state = { ...stored, since, pages }
  return { state: pages?.length ? withoutItems(state, isDeleted) : state, since }
}

/** True where the stored response of the list, or of this page of it, is newer; and for a page sent before an invalidation. */
function isOutdated(
  { meta }: Intake,
  page: string | undefined,
  state: ListState | undefined,
  since = 0,
  stored: Meta,
): boolean {
  const known = page === undefined ? state?.baseMeta : state?.pages?.find(({ id }) => id === page)?.meta
  const rank = state === undefined ? stored : known
  return (page !== undefined && meta.sent < since) || (rank !== undefined && isOlder(meta, rank))
}

/** The arguments that the first and the last item do not have as a field. */
function looseArgs(
  table: Table,
  list: Fitting,
  items: unknown,
  slotOf: (item: unknown) => Slot | undefined,
): readonly string[] | undefined {
  return learnArgs(
    table,
    list,
    ends(items).map((item) => {
      const slot = slotOf(item)
      return slot?.draft?.incoming ?? slot?.value
    }),
  )
}

function edgesOf(of: Pick<ListState, 'previous' | 'isEnd'> | undefined): Pick<ListState, 'previous' | 'isEnd'> {
  return { previous: of?.previous, isEnd: of?.isEnd }
}

/**
 * The log of a list, with the changes by writes that its response may lack. `isStale` says that one of them may have
 * changed the list in an unknown way.
 */
function withMissedWrites(
  { tables, meta }: Intake,
  table: Table,
  list: Fitting,
  items: unknown,
  state: ListState | undefined,
): { log: readonly ListEntry[]; isStale: boolean } {
  let isStale = (state?.staleAt ?? 0) > meta.sent
  const log = state?.log ?? []
  const missed: ListEntry[] = []
  // A write is judged by the items before it: those of the response, changed by earlier writes that it lacks. They are placed
  // only when a write needs them, which is rare.
  let before = items
  let unplaced: ListEntry[] = []
  const itemsBefore = (): unknown => {
    before = placeAll(before, unplaced)
    unplaced = []
    return before
  }
  for (const write of tables.recentWrites) {
    const isNewer = write.meta.order > meta.sent
    const known = log.filter((entry) => entry.meta === write.meta)
    // The log of a stored list lacks those that did not concern it, and those that its own response has.
    const isKnown = state && (!isNewer || !isOlder(state.baseMeta, write.meta) || known.length > 0)
    const entries = isKnown ? known : write.entriesFor(table, list, itemsBefore)
    isStale ||= isNewer && entries === undefined
    if (!isKnown && entries) {
      missed.push(...entries)
    }
    if (isOlder(meta, write.meta)) {
      unplaced.push(...(entries ?? []))
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
function invalidatedAt({ endpoints }: Tables, key: string): number | undefined {
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
