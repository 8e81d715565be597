import { isObject, share } from '../base/equal.ts'
import type { NextPageInfo } from '../rest/paginate.ts'
import type { Collection } from '../schema/Collection.ts'
import { isWrite, type ListSchema, type Meta } from '../schema/Schema.ts'
import { fitOf, learnArgs, meaningOf, OUT } from './fit.ts'
import { allItems, itemKey, place, size, unique } from './listItems.ts'
import {
  type Edit,
  editList,
  FIRST,
  isCutShort,
  isTorn,
  itemsOf,
  lastPage,
  type List,
  type ListPage,
  nextOf,
  pageKey,
  receivePage,
  withPages,
} from './lists.ts'
import { addCounts } from './overlay.ts'
import type { Slot, Tables } from './tables.ts'
import type { Walk } from './Walk.ts'

/** The writes that took records out of lists by name: nothing about such a record says so. */
export const removals: WeakSet<Meta> = /* @__PURE__ */ new WeakSet()

/**
 * A list, or a page of it, in a response. Own writes that crossed it stay, and leave it in doubt. Returns the page; `undefined` if a newer
 * response of it was already stored.
 */
export function receiveList(
  walk: Walk,
  collection: ListSchema,
  slot: Slot,
  keyArgs: Record<string, any>,
  path: string | undefined,
  items: unknown,
  owner: Slot | undefined,
): ListPage | undefined {
  const { intake, isPending } = walk
  const { meta, args, endpoint, hasAllPages, tables, key } = intake
  const { sent } = meta
  const isFirst = !collection.isPage
  const id = isFirst ? FIRST : pageKey(args)
  const patch = slot.patch!
  const below = walk.below(slot)
  const existing = isObject(below) ? below : undefined
  const merged: unknown = existing === undefined || !isFirst ? items : mergeItems(collection, existing, items)
  if (isPending) {
    patch.value = share(existing, merged)
    return undefined
  }
  const old = existing === undefined ? undefined : slot.list
  const result: { meta: (Meta & { invalidatedAt?: number }) | undefined } | undefined = tables.endpoints.slots.get(key!)
  const invalidatedAt = result?.meta?.invalidatedAt ?? 0
  const isLate = isFirst ? !isWrite(meta) && sent < slot.gone : sent < invalidatedAt
  if (isLate || old?.pages.some((page) => page.id === id && page.sent > sent)) {
    // A mutation that returns the list may have been done after the request of the newer response.
    patch.isDoubted = isWrite(meta) && share(existing, merged) !== existing
    patch.meta = slot.meta ?? meta
    return undefined
  }
  const tablesHeld = slot.table.holds.flatMap((held) => tables.tables.get(held) ?? [])
  const fence = Math.max(0, ...tablesHeld.map((table) => table.fence))
  const mutated = Math.max(0, ...tablesHeld.map((table) => table.mutated))
  const { choice } = (collection as Collection).cacheWith
  const recordOf = (item: unknown): Slot | undefined => walk.itemSlot(choice, item)
  const { args: next, guess, isEnd, previous }: Partial<NextPageInfo> = intake.next?.(size(items) === 0) ?? {}
  const page: ListPage = {
    id,
    items: merged,
    at: meta.at,
    sent,
    firstSent: sent,
    args,
    endpoint,
    isBefore: collection.isBefore,
    next,
    guess,
    isEnd,
    previous,
  }
  // An invalidation ends with the first response after it, which leaves no older page.
  const isFirstAgain = isFirst && invalidatedAt > 0 && sent > invalidatedAt
  const known = old?.pages.filter((one) => !isFirstAgain || one.sent > invalidatedAt) ?? []
  const added = (isFirstAgain ? undefined : old?.tail) ?? []
  const { isMap, name } = collection
  const ownPath = path ?? slot.list?.path
  const list: List = { keyArgs, name, collection, path: ownPath, isMap, pages: known, tail: added, loose: old?.loose }
  const isOurs = (item: unknown): boolean => sent < (recordOf(item)?.wrote?.at ?? 0)
  const shown = new Set(old && sent < fence ? allItems(existing).map(itemKey) : [])
  // Of a list, or a page behind it, that arrives for the first time nobody knows what it was before: own records are judged by their fields.
  const isNewPage = !isFirst && known.every((one) => one.id !== id)
  let isGuessed = false
  const isKept = (item: unknown): boolean => {
    if (shown.has(itemKey(item))) {
      return true
    }
    const { value, wrote } = recordOf(item)!
    const mayBeNew = !old || (isNewPage && !removals.has(wrote!))
    const isIn = mayBeNew && isObject(value) && fitOf(list, value, true) !== OUT
    isGuessed ||= isIn && !isFirst
    return isIn
  }
  // Usually the list is one page, and nothing was written since.
  const isPlain = known.every((one) => one.id === id) && added.length === 0 && sent > fence
  const received: ReturnType<typeof receivePage> = isPlain
    ? { pages: [page], tail: added, differs: false }
    : receivePage(list, page, existing, hasAllPages, isOurs, isKept)
  const { differs, pages, tail } = received
  // A list with all its pages is judged as a whole, by the request of the list itself.
  const isJudged = isFirst || !hasAllPages
  const isLatePage = !(isFirst && !hasAllPages) && sent < mutated
  // A page that lacks an own write leaves the list in doubt as of now, since the list itself may be newer than the write.
  patch.isDoubted = ((differs || isGuessed) && !isFirst) || (isJudged && (isLatePage || isTorn(pages)))
  const beside = owner ?? (key === undefined ? undefined : { key: '', pk: key })
  const counted = collection.counts && beside ? ([beside.key, beside.pk, ...collection.counts] as const) : undefined
  const shownItems: unknown = itemsOf({ pages, tail })
  // A number beside a part of a list may count what was written since, on a page that is not loaded. Events, which
  // may come all the time, doubt it only when the list becomes a part.
  const isPart = (one: Pick<List, 'pages' | 'counted'>, numbers: unknown, all: unknown): boolean =>
    nextOf(one) !== undefined || isCutShort(one, numbers, all)
  const isPartNow =
    counted && sent < fence && isPart({ pages, counted }, owner ? owner.patch?.value : walk.result, shownItems)
  const wasPart = (): boolean => !!old && isPart(old, numbersBeside(tables, old)?.value, existing)
  const mayCount =
    collection.counts && (sent < mutated ? isPartNow || meaningOf(list).isCut : old && isPartNow && !wasPart())
  // It differs from an own write, or arrives for the first time: what was sent before the last one leaves it stale.
  patch.doubt = sent < fence && (differs || !old || mayCount) ? fence : 0
  const all = allItems(items)
  // The first and the last item tell which arguments are no field.
  const records = [all[0], all.at(-1)].map(recordOf).map((record): unknown => record?.patch?.fields ?? record?.value)
  const loose = isFirst ? learnArgs(slot.table, list, records) : list.loose
  patch.list = withPages({ ...list, loose, counted }, pages, tail)
  patch.value = share(existing, shownItems)
  // A page makes its list no fresher.
  patch.meta = isFirst || !old ? meta : { ...slot.meta!, expiresAt: Math.min(slot.meta!.expiresAt, meta.expiresAt) }
  return patch.list.pages.find((one) => one.id === id)
}

/** Changes the membership of one list, and the numbers beside it. */
export function changeList(walk: Walk, slot: Slot, edits: readonly Edit[]): void {
  const { patch: given } = slot
  if (walk.isPending && given && !given.edits) {
    // The operation brings the whole list.
    given.value = edits.reduce(place, given.value)
    return
  }
  const patch = walk.patch(slot)
  const { list } = patch
  const before = patch.edits || !walk.isPending ? patch.value : walk.below(slot)
  if (!isObject(before)) {
    return
  }
  if (walk.isPending) {
    patch.value = edits.reduce(place, before)
  } else {
    patch.list = edits.reduce(editList, list!)
    patch.value = itemsOf(patch.list)
  }
  patch.edits = [...(patch.edits ?? []), ...edits]
  patch.meta = slot.meta!
  const by = size(patch.value) - size(before)
  const { counted } = list!
  if (counted && by !== 0) {
    const [, , ...names] = counted
    const beside = numbersBeside(walk.intake.tables, list!)!
    const other = walk.patch(beside)
    const counts = (other.counts ??= {})
    names.forEach((name) => (counts[name] = (counts[name] ?? 0) + by))
    other.value = addCounts(other.value, Object.fromEntries(names.map((name) => [name, by])))
    other.meta = beside.meta ?? other.meta
  }
}

/** The row with the numbers that count the items of a list. */
export function numbersBeside(tables: Tables, { counted }: Pick<List, 'counted'>): Slot | undefined {
  const [key, pk] = counted ?? []
  return pk === undefined ? undefined : (key ? tables.table(key) : tables.endpoints).slot(pk)
}

/**
 * The stored result of a list after a response, such as `{ items, cursor, total }`: the members beside the list are those of the last
 * page, and the numbers that count its items those of the newest response.
 */
export function shownResult({ patch }: Slot, page: ListPage | undefined, result: any, stored: any): unknown {
  if (!page || typeof result !== 'object') {
    return result
  }
  const list = patch!.list!
  page.result = result
  const shown: any = { ...(lastPage(list)?.result ?? result) }
  const isNewest = list.pages.every(({ sent }) => sent <= page.sent)
  for (const name of list.collection?.counts ?? []) {
    const number: unknown = isNewest ? result[name] : stored?.[name]
    shown[name] = typeof number === 'number' ? number : shown[name]
  }
  return shown
}

/** A list that a Collection's own `merge` made may hold an item twice. */
function mergeItems(collection: ListSchema, existing: unknown, items: unknown): unknown {
  const merged: unknown = collection.merge(existing, items)
  return Array.isArray(merged) && merged !== items ? unique(merged) : merged
}
