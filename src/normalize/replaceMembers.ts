import { share } from '../base/equal.ts'
import type { NextPageInfo } from '../rest/paginate.ts'
import type { Collection } from '../schema/Collection.ts'
import { INVALID, isOlder, type ListSchema, type Meta, STALE } from '../schema/Schema.ts'
import { type Fitting, type ListState, type ListUpdate, missingBase } from './ListState.ts'
import type { Drafts, Intake } from './drafts.ts'
import { learnArgs } from './fit.ts'
import { allItems, itemKey, joinParts, size, unique } from './listItems.ts'
import { gained, withoutItems } from './lists.ts'
import { isCrossing } from './log.ts'
import { withMissedWrites } from './missedWrites.ts'
import { pageKey, type ListOutcome } from './pages.ts'
import { replaceBase } from './replaceBase.ts'
import { replacePage } from './replacePage.ts'
import type { Slot } from './tables.ts'

/** A list in a response. */
interface ListResponse {
  readonly fitting: Fitting & { readonly collection: ListSchema }
  readonly items: unknown
  /** The page that it is; `undefined` for the list itself. */
  readonly page: string | undefined
  /** The number at which the list was invalidated. */
  readonly invalidatedAt: number | undefined
  slotOf(item: unknown): Slot | undefined
}

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
  const { meta } = intake
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
  const list = existing === undefined ? undefined : slot.list
  const response: ListResponse = {
    fitting: { keyArgs, name: collection.name, collection, path: path ?? slot.list?.path },
    items,
    page,
    invalidatedAt: endpointInvalidatedAt(intake) ?? list?.invalidatedAt,
    slotOf: (item) => drafts.itemSlot((collection as Collection).cacheWith.choice, item),
  }
  const stored = list && withoutOutdated(list, response, meta)
  const isCompacted = stored !== undefined && meta.order < stored.compacted
  if (row.meta && (isCompacted || isSuperseded(response, meta, stored, row.meta))) {
    draft.stale ||= row.meta.expiresAt === STALE || (merged !== existing && (isCompacted || isCrossing(row.meta, meta)))
    // The result shows the stored list, so it is refetched with it.
    if (list) {
      draft.list = { ...list, keys: withKey(list.keys, intake.key) }
    }
    return { slot, page, taken: false, delta: 0 }
  }
  const update = combine(intake, slot, response, merged, stored)
  const delta = collection.counts ? uncounted(update, response, meta) : 0
  // A number in this response may or may not include newer changes and deletes, so it is refetched.
  const stale = update.stale || delta !== 0
  // A page makes its list no fresher.
  const kept = page === undefined || existing === undefined ? meta : row.meta!
  const expiresAt = stale ? STALE : Math.min(kept.expiresAt, meta.expiresAt)
  draft.list = update.list
  draft.value = share(existing, update.value)
  draft.meta = expiresAt === kept.expiresAt ? kept : { ...kept, expiresAt }
  draft.stale ||= stale
  return { slot, page, taken: true, delta }
}

/** The new state of a list. `merged`: the items as the `merge` of the Collection wants them. */
function combine(
  intake: Intake,
  slot: Slot,
  { fitting, items, page, invalidatedAt, slotOf }: ListResponse,
  merged: unknown,
  stored: ListState | undefined,
): ListUpdate {
  const { args, endpoint, horizon, meta } = intake
  const { isMap, isBefore, counts } = fitting.collection
  // A page is judged together with the rest of the list.
  const all: unknown = page !== undefined && stored ? joinParts(slot.value, items) : items
  const { log, isStale } = withMissedWrites(intake, slot.table, fitting, all, stored)
  const { args: next, guess, isEnd, previous }: Partial<NextPageInfo> = intake.next?.(size(items) === 0) ?? {}
  const neighbours = { next, guess, previous, isEnd }
  const common = {
    ...fitting,
    isMap,
    keys: withKey(slot.list?.keys, intake.key),
    counts,
    countsMeta: stored?.countsMeta,
    invalidatedAt,
    staleAt: stored?.staleAt,
    revealed: stored?.revealed && stillRevealed(stored.revealed, merged),
  }
  let update: ListUpdate
  if (page === undefined) {
    // The first and the last item tell which arguments are no field.
    const records = ends(items)
      .map((item) => slotOf(item))
      .map((of) => of?.draft?.incoming ?? of?.value)
    const loose = learnArgs(slot.table, fitting, records, stored?.loose)
    const list = { ...common, ...neighbours, loose, base: merged, baseMeta: meta, compacted: 0, log }
    update = replaceBase(list, horizon, stored, intake.hasAllPages)
  } else {
    // A page says nothing about the list itself. Without a base it is the list, until the base comes.
    const empty = { base: isMap ? {} : [], baseMeta: missingBase(meta), compacted: 0 }
    update = replacePage(
      { ...empty, ...stored, ...common, log },
      { id: page, args, endpoint, firstSent: meta.sent, meta, items, isBefore, ...neighbours },
    )
  }
  return isStale ? { ...update, stale: true } : update
}

/** The stored list as a response finds it: without pages that are older than an invalidation, and without deleted items. */
function withoutOutdated(list: ListState, { page, invalidatedAt, slotOf }: ListResponse, meta: Meta): ListState {
  // The first response of the list after an invalidation leaves no page that is older than that.
  const isFirst = page === undefined && invalidatedAt !== undefined && meta.sent >= invalidatedAt
  const pages = isFirst ? list.pages?.filter((one) => one.meta.sent > invalidatedAt) : list.pages
  // An item that was deleted earlier, and perhaps evicted since, does not return to the list with its record.
  const wasDeletedBefore = (item: unknown): boolean => {
    const record = slotOf(item)
    if (!record) {
      return false
    }
    return record.value === undefined || (record.value === INVALID && !isOlder(meta, record.meta!))
  }
  const state = { ...list, invalidatedAt, pages }
  return pages?.length ? withoutItems(state, wasDeletedBefore) : state
}

/** True where the stored response of the list, or of this page of it, is newer; and for a page sent before an invalidation. */
function isSuperseded(
  { page, invalidatedAt = 0 }: ListResponse,
  meta: Meta,
  stored: ListState | undefined,
  rowMeta: Meta,
): boolean {
  if (page !== undefined && meta.sent < invalidatedAt) {
    return true
  }
  const own = page === undefined ? stored?.baseMeta : stored?.pages?.find(({ id }) => id === page)?.meta
  const newest = stored === undefined ? rowMeta : own
  return newest !== undefined && isOlder(meta, newest)
}

/**
 * How many more items the list has than the numbers in the response say: it has gained items by changes that the response lacks,
 * and holds records that were deleted after it.
 */
function uncounted({ list, value }: ListUpdate, { slotOf }: ListResponse, meta: Meta): number {
  const isDeletedSince = (item: unknown): boolean => {
    const record = slotOf(item)
    return record?.value === INVALID && isOlder(meta, record.meta!)
  }
  return gained(list, meta) - allItems(value).filter(isDeletedSince).length
}

/** The first and the last item of a list. */
function ends(items: unknown): readonly unknown[] {
  const all = allItems(items)
  return all.length > 1 ? [all[0], all.at(-1)] : all
}

/** The records that a response leaves where they were, though a read said otherwise: the server means it. */
function stillRevealed(
  revealed: ReadonlyMap<unknown, boolean>,
  items: unknown,
): ReadonlyMap<unknown, boolean> | undefined {
  const keys = new Set(allItems(items).map(itemKey))
  const left = [...revealed].filter(([key, isHeld]) => keys.has(key) === isHeld)
  return left.length > 0 ? new Map(left) : undefined
}

/** The number at which the result of the endpoint was invalidated, while it is. */
function endpointInvalidatedAt({ tables, key = '' }: Intake): number | undefined {
  const meta: (Meta & { invalidated?: boolean }) | undefined = tables.endpoints.slots.get(key)?.meta
  return meta?.invalidated ? meta.order : undefined
}

function withKey(keys: readonly string[] = [], key: string | undefined): readonly string[] {
  return key === undefined || keys.includes(key) ? keys : [...keys, key]
}

/** A list that a Collection's own `merge` made may hold an item twice. */
function mergeItems(collection: ListSchema, existing: unknown, items: unknown): unknown {
  const merged: unknown = collection.merge(existing, items)
  return Array.isArray(merged) && merged !== items ? unique(merged) : merged
}
