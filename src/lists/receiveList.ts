// A list, or a page of it, in a response: `mergePage` puts it in its place, `learn` tells what its arguments mean, `reasonForDoubt` why it
// has to be fetched again.

import { countAt, withCount } from '../rows/counts.ts'
import { isObject, share } from '../base/equal.ts'
import { relation } from '../rows/relation.ts'
import { nextPage, type NextPageInfo } from './nextPage.ts'
import type { ListClass } from '../schema/ListClass.ts'
import { type ListSchema } from '../schema/Schema.ts'
import { isWrite, type Meta } from '../rows/Meta.ts'
import type { ListRow, StoreChange } from './ListRow.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import type { Intake } from '../rows/Change.ts'
import { numbersBeside } from './changeList.ts'
import { itemRow } from './itemRow.ts'
import { allItems, itemKey, size, unique } from './items.ts'
import { learn } from './learn.ts'
import type { List, ListPage } from './List.ts'
import { belongs } from './membership.ts'
import { mergePage, type OwnWrites } from './mergePage.ts'
import { FIRST, isCutShort, itemsOf, lastPage, nextOf, pageKey, withPages } from './pages.ts'
import { type Arrival, reasonForDoubt } from './reasonForDoubt.ts'

/** The writes that took records out of lists by name: nothing about such a record says so. */
export const removals: WeakSet<Meta> = /* @__PURE__ */ new WeakSet()

/** A list in a response, and where it stands. */
export interface ListResponse {
  readonly row: ListRow
  readonly collection: ListSchema
  readonly keyArgs: Record<string, any>
  /** The path of the endpoint, where it tells the list from others. */
  readonly path: string | undefined
  readonly items: any
  /** The record in which it is nested. */
  readonly owner: RecordRow | undefined
}

/** Takes a list from a response. Returns the page that it is; `undefined` if a newer response of that was already stored. */
export function receiveList(change: StoreChange, response: ListResponse): ListPage | undefined {
  const { row, collection } = response
  const patch = row.patch!
  const below = change.below(row)
  const existing = isObject(below) ? below : undefined
  const items = collection.isPage ? response.items : mergeItems(collection, existing, response.items)
  if (change.isPending) {
    patch.value = share(existing, items)
    return undefined
  }
  const page = pageOf(change.intake, collection, items)
  const old = existing && row.list
  if (isOutdated(change.intake, row, old, page)) {
    // A mutation that returns the list may have been done after the request of the newer response.
    const differs = isWrite(change.intake.meta) && share(existing, items) !== existing
    patch.doubt = differs ? { reason: 'crossed' } : undefined
    patch.meta = row.meta ?? change.intake.meta
    return undefined
  }
  const id = takePage(change, response, page, old, existing)
  return patch.list!.pages.find((one) => one.id === id)
}

function takePage(
  change: StoreChange,
  response: ListResponse,
  page: ListPage,
  old: List | undefined,
  existing: object | undefined,
): string {
  const { meta, hasAllPages } = change.intake
  const { row } = response
  const patch = row.patch!
  const isFirstPage = page.id === FIRST
  const writes = lastWrites(change, row)
  const list = listBefore(change.intake, response, old)
  // Usually the list is one page, and nothing was written since.
  const isPlain = list.pages.every(({ id }) => id === page.id) && list.tail.length === 0 && meta.sent > writes.lastWrite
  const own = ownWrites(change, list, page, old && allItems(existing))
  const merged = isPlain
    ? { pages: [page], tail: list.tail, differs: false }
    : mergePage(list, page, existing, change.intake, own)
  const next = withPages(learned(change, response, list), merged.pages, merged.tail)
  const differs = merged.differs || (own.hasGuessed && !isFirstPage)
  const when = { sent: meta.sent, isFirstPage, isNewPage: isNew(page, list), hasAllPages: hasAllPages === true }
  const shown: unknown = itemsOf(next)
  patch.doubt = doubtOf(change, response, { ...when, ...writes, differs, old, list: next, page }, [existing, shown])
  patch.list = next
  patch.value = share(existing, shown)
  // A page makes its list no fresher.
  patch.meta = isFirstPage || !old ? meta : { ...row.meta!, expiresAt: Math.min(row.meta!.expiresAt, meta.expiresAt) }
  return page.id
}

/** Why it is in doubt, as it stands with the numbers beside it: before the response, and after it. */
function doubtOf(
  { intake: { tables }, result }: StoreChange,
  { owner }: ListResponse,
  one: Omit<Arrival, 'isPart' | 'wasPart'>,
  [before, now]: readonly unknown[],
): ReturnType<typeof reasonForDoubt> {
  const { old, list } = one
  return reasonForDoubt({
    ...one,
    isPart: () => isPart(list, owner ? owner.patch?.value : result, now),
    wasPart: () => isPart(old!, numbersBeside(tables, old!)?.value, before),
  })
}

function pageOf(intake: Intake, { isPage, isBefore }: ListSchema, items: unknown): ListPage {
  const { meta, args, endpoint } = intake
  const { sent, at } = meta
  const id = isPage ? pageKey(args) : FIRST
  const {
    args: next,
    guess,
    isEnd,
    previous,
  }: Partial<NextPageInfo> = (endpoint && nextPage(endpoint, intake.response, args)?.(size(items) === 0)) ?? {}
  return { id, items, at, sent, firstSent: sent, args, endpoint, isBefore, next, guess, isEnd, previous }
}

/** True for a list from before its delete, a page from before the invalidation of its list, and for what is stored from a later request. */
function isOutdated(intake: Intake, row: ListRow, old: List | undefined, page: ListPage): boolean {
  const { meta } = intake
  const stored = old?.pages.find(({ id }) => id === page.id)
  // One page comes before another by its request alone.
  const holder = stored && { sent: stored.sent, at: stored.at ?? stored.sent, kind: meta.kind }
  const gone = page.id === FIRST ? row.gone : invalidatedAt(intake)
  return ['formerLife', 'loses'].includes(relation(meta, holder, gone))
}

/** The list as the response finds it. An invalidation ends with the first response after it, which leaves no older page. */
function listBefore(intake: Intake, { row, collection, keyArgs, path }: ListResponse, old: List | undefined): List {
  const invalidated = invalidatedAt(intake)
  const endsIt = !collection.isPage && invalidated > 0 && intake.meta.sent > invalidated
  return {
    keyArgs,
    name: collection.name,
    collection,
    path: path ?? row.list?.path,
    isMap: collection.isMap,
    pages: old?.pages.filter(({ sent }) => !endsIt || sent > invalidated) ?? [],
    tail: (endsIt ? undefined : old?.tail) ?? [],
    loose: old?.loose,
  }
}

/** True for a further page that was not loaded before. */
function isNew(page: ListPage, { pages }: List): boolean {
  return page.id !== FIRST && pages.every(({ id }) => id !== page.id)
}

/** True for a part of a longer list: it goes on, or the server has cut it. */
function isPart(list: List, numbers: unknown, items: unknown): boolean {
  return nextOf(list) !== undefined || isCutShort(list, numbers, items)
}

/** The writes of the app after the response was requested. `hasGuessed`: an item was kept because of its fields alone. */
function ownWrites(
  change: StoreChange,
  list: List,
  page: ListPage,
  shownItems: readonly unknown[] | undefined,
): OwnWrites & { readonly hasGuessed: boolean } {
  const recordOf = recordsOf(change, list)
  const shown = shownItems && new Set(shownItems.map(itemKey))
  // Of a list, or a page behind it, that arrives for the first time nobody knows what it was before: own records are judged by their fields.
  const isNewPage = isNew(page, list)
  const own = {
    hasGuessed: false,
    isOurs: (item: unknown) => change.intake.meta.sent < (recordOf(item)?.wrote?.at ?? 0),
    isKept: (item: unknown) => {
      if (shown?.has(itemKey(item))) {
        return true
      }
      const { value, wrote } = recordOf(item)!
      const mayBeNew = !shown || (isNewPage && !removals.has(wrote!))
      const isIn = mayBeNew && isObject(value) && belongs(list, value, true) !== 'out'
      own.hasGuessed ||= isIn
      return isIn
    },
  }
  return own
}

/** The list with what its first and last item tell about the arguments, and with the place of the numbers beside it. */
function learned(change: StoreChange, { collection, items, owner }: ListResponse, list: List): List {
  const { key } = change.intake
  const all = allItems(items)
  const records = [all[0], all.at(-1)].map(recordsOf(change, list))
  const fields = records.map((record): unknown => record?.patch?.fields ?? record?.value)
  const beside = owner ?? (key === undefined ? undefined : { key: '', pk: key })
  const counted = collection.counts && beside ? ([beside.key, beside.pk, ...collection.counts] as const) : undefined
  return { ...list, ...(collection.isPage ? undefined : learn(list, fields)), counted }
}

function recordsOf(change: StoreChange, { collection }: List): (item: unknown) => RecordRow | undefined {
  const { choice } = (collection as ListClass).cacheWith
  return (item) => itemRow(change.intake.tables, choice, item)
}

/** The numbers of the last write, and of the last mutation, of the records that a list can hold. */
function lastWrites(
  { intake: { tables } }: StoreChange,
  { table }: ListRow,
): { lastWrite: number; lastMutation: number } {
  const held = table.holds.flatMap((key) => tables.tables.get(key) ?? [])
  return {
    lastWrite: Math.max(0, ...held.map(({ fence }) => fence)),
    lastMutation: Math.max(0, ...held.map(({ mutated }) => mutated)),
  }
}

function invalidatedAt({ tables, key }: Intake): number {
  const result: { meta: (Meta & { invalidatedAt?: number }) | undefined } | undefined = tables.endpoints.byPk.get(key!)
  return result?.meta?.invalidatedAt ?? 0
}

/** A list that a Collection's own `merge` made may hold an item twice. */
function mergeItems(collection: ListSchema, existing: unknown, items: unknown): unknown {
  const merged: unknown = existing === undefined ? items : collection.merge(existing, items)
  return Array.isArray(merged) && merged !== items ? unique(merged) : merged
}

/**
 * The stored result of a list after a response, such as `{ items, cursor, total }`: the members beside the list are those of the last
 * page, and the numbers that count its items those of the newest response.
 */
export function shownResult({ patch }: ListRow, page: ListPage | undefined, result: any, stored: any): unknown {
  if (!page || typeof result !== 'object') {
    return result
  }
  const list = patch!.list!
  page.result = result
  let shown: unknown = { ...(lastPage(list)?.result ?? result) }
  const isNewest = list.pages.every(({ sent }) => sent <= page.sent)
  for (const name of list.collection?.counts ?? []) {
    const number = countAt(isNewest ? result : stored, name)
    shown = withCount(shown, name, (count) => (typeof number === 'number' ? number : count))
  }
  return shown
}
