// Rows of the disk become rows of the store. They count as responses that were requested before everything in it.

import { isObject } from '../base/equal.ts'
import { metasOf, type Stamps } from '../records/Stamps.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import { restoreEtag } from '../requests/etags.ts'
import { lastExpired } from '../requests/expire.ts'
import { type Doubt, laterDoubt, NO_DOUBT } from '../rows/doubt.ts'
import { type Meta, STALE } from '../rows/Meta.ts'
import type { Row } from '../rows/Row.ts'
import { shifted } from '../store/State.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { type About, isBehind } from './About.ts'
import type { SavedRow } from './rowText.ts'

/** Of a row that was in doubt when it was written, or that may lack a write. */
const RESTORED: Doubt = { at: 1, reason: 'restored', by: undefined }

/** Adds rows to a store, which keeps its own, in their order. Returns the rows that were restored. */
export function restoreRows(store: Store, saved: readonly SavedRow[], about: About): Map<SavedRow, Row> {
  const restored = new Map<SavedRow, Row>()
  let last: { readonly one: SavedRow; readonly meta: Meta } | undefined
  for (const one of saved) {
    // Rows of one response share their times.
    if (!last || !isOfSameTimes(last.one, one)) {
      last = { one, meta: metaOf(store, one) }
    }
    const row = one.key === '' ? store.tables.endpoints.row(one.pk) : store.tables.table(one.key).row(one.pk)
    const isMissing = row.table.isOfLists && !hasItems(store, row, one.value)
    if (!isMissing && take(store, row, one, last.meta)) {
      restored.set(one, row)
      markOld(store, row, one, about)
      if (one.etag) {
        restoreEtag(row, one.etag)
      }
      row.node?.aged()
    }
  }
  return restored
}

function isOfSameTimes(one: SavedRow, other: SavedRow): boolean {
  return one.fetchedAt === other.fetchedAt && one.date === other.date && one.expiresAt === other.expiresAt
}

/** Gives a row its content, or a record the fields that it lacks. */
function take(store: Store, row: Row, one: SavedRow, meta: Meta): boolean {
  const { error } = (row.meta ?? {}) as Partial<ResultMeta>
  // A request that has failed before the disk responded brings nothing.
  if (row.meta === undefined || (error !== undefined && row.value === undefined)) {
    store.put(row, { value: one.value, meta, by: meta, list: one.list })
    return true
  }
  const { value, by } = row as RecordRow
  if (by === undefined || !isObject(value) || !isObject(one.value)) {
    return false
  }
  const lacking = Object.entries(one.value).filter(([name]) => !Object.hasOwn(value, name))
  if (lacking.length > 0) {
    const others = Object.fromEntries(lacking.map(([name]) => [name, meta]))
    store.put(row, { value: { ...value, ...Object.fromEntries(lacking) }, meta: row.meta, by: withOthers(by, others) })
  }
  return false
}

/** The responses that brought its fields, with those of the disk. */
function withOthers(by: Stamps, others: Record<string, Meta>): Stamps {
  return 'most' in by
    ? { ...by, others: { ...others, ...by.others } }
    : { most: by, others, newest: Math.max(...metasOf(by).map(({ at }) => at)) }
}

/** Times in the clock of the store. Nothing is from the future, where the clock has been set back. */
function metaOf({ clock }: Store, { fetchedAt, date, expiresAt }: SavedRow): Meta {
  const shift = clock.ahead() + Math.min(0, clock.now() - clock.ahead() - Math.max(date, fetchedAt))
  return {
    fetchedAt: shifted(fetchedAt, shift),
    date: shifted(date, shift),
    expiresAt: shifted(expiresAt, shift),
    sent: 0,
    at: 0,
    kind: 'read',
  }
}

/** Puts a restored row in doubt if something is known to have happened since it was written. */
function markOld(store: Store, row: Row, one: SavedRow, about: About): void {
  const { table } = row
  const { tables } = store
  // Its memory is back.
  const last = row.marked.reason === 'collected' ? NO_DOUBT : row.marked
  let marked =
    one.expiresAt === STALE || (table.isOfLists && isBehind(one, table.holds, about))
      ? laterDoubt(last, RESTORED)
      : last
  for (const key of table.holds) {
    marked = laterDoubt(marked, { at: tables.records(key).fence, reason: 'lacks-own-write', by: undefined })
  }
  if (table.key === '') {
    marked = laterDoubt(marked, { at: lastExpired(store, row.pk), reason: 'expired', by: undefined })
  }
  if (marked.at !== row.marked.at) {
    store.mark(row, { marked })
  }
}

/** True for a list whose records are all there, deleted ones included. A part of it would look like all. */
function hasItems({ tables }: Store, { table }: Row, value: unknown): boolean {
  const items: unknown[] = isObject(value) ? Object.values(value) : []
  const isThere = (pk: string): boolean =>
    table.holds.some((key) => tables.records(key).byPk.get(pk)?.meta !== undefined)
  return items.every((item) => {
    const pk: unknown = isObject(item) ? item['id'] : item
    return typeof pk !== 'string' || isThere(pk)
  })
}
