import { put, share } from '../base/equal.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, type Meta } from '../schema/Schema.ts'
import type { Draft, Row } from './tables.ts'

type Fields = Record<string, unknown>

/**
 * Joins a stored row with what came in, field by field: a field is replaced unless what comes is older, and a field
 * that did not come stays, with its own order.
 *
 * @param horizon the number of the oldest open request. What is older than every open request needs no order by field
 *   any more: nothing can come that would lose against the row and win against the field.
 */
export function mergeFields(draft: Draft, row: Row, incoming: Fields, meta: Meta, horizon: number): void {
  const existing = row.value as Fields | typeof INVALID | undefined
  const rowMeta = row.meta
  if (existing === undefined || rowMeta === undefined) {
    draft.value = incoming
    draft.meta = meta
  } else if (existing === INVALID) {
    const late = isOlder(meta, rowMeta)
    draft.value = late ? INVALID : incoming
    draft.meta = late ? raise(rowMeta, meta) : remember(meta, rowMeta, horizon)
    draft.stale = late
  } else if (row.except === undefined && !isOlder(meta, rowMeta)) {
    draft.value = overlay(existing, incoming)
    draft.meta = remember(meta, rowMeta, horizon)
    if (horizon <= meta.order) draft.except = leftBehind(existing, incoming, rowMeta)
  } else mergeByOrder(draft, existing, rowMeta, row.except, incoming, meta, horizon)
}

/** `existing` with the fields of `incoming`; `existing` itself when none of them differs. */
export function overlay(existing: Fields, incoming: Fields): Fields {
  let out: Fields | undefined
  for (const name in incoming) {
    const next = incoming[name]
    const old = existing[name]
    if (next === old && (next !== undefined || Object.hasOwn(existing, name))) continue
    const part = typeof next === 'object' && Object.hasOwn(existing, name) ? share(old, next) : next
    if (Object.is(part, old) && Object.hasOwn(existing, name)) continue
    out ??= { ...existing }
    put(out, name, part)
  }
  return out ?? existing
}

function leftBehind(existing: Fields, incoming: Fields, meta: Meta): ReadonlyMap<string, Meta> | undefined {
  let out: Map<string, Meta> | undefined
  for (const name in existing) if (!Object.hasOwn(incoming, name)) (out ??= new Map<string, Meta>()).set(name, meta)
  return out
}

function mergeByOrder(
  draft: Draft,
  existing: Fields,
  rowMeta: Meta,
  except: ReadonlyMap<string, Meta> | undefined,
  incoming: Fields,
  meta: Meta,
  horizon: number,
): void {
  const orders = new Map<string, Meta>()
  for (const name of Object.keys(existing)) orders.set(name, except?.get(name) ?? rowMeta)
  const taken: Fields = {}
  for (const name of Object.keys(incoming)) {
    const stored = orders.get(name)
    if (stored === undefined || !isOlder(meta, stored)) {
      put(taken, name, incoming[name])
      orders.set(name, stored === undefined ? meta : remember(meta, stored, horizon))
    } else {
      orders.set(name, raise(stored, meta))
      draft.stale ||= isCrossing(stored, meta)
    }
  }
  draft.stale ||= isCrossing(rowMeta, meta)
  draft.value = overlay(existing, taken)
  draft.meta = isOlder(meta, rowMeta) ? raise(rowMeta, meta) : remember(meta, rowMeta, horizon)
  draft.except = undefined
  if (horizon > draft.meta.order) return
  const own = draft.meta
  const others = [...orders].filter(([, order]) => !isSameRank(order, own))
  if (others.length > 0) draft.except = new Map(others)
}

/** Of two writes the one sent later keeps its value and takes the higher order of the two. */
export function raise(kept: Meta, other: Meta): Meta {
  return other.order > kept.order && kept.order > kept.sent ? { ...kept, order: other.order } : kept
}

/** A read that takes the place of a write remembers it, as long as an older write may still be answered. */
export function remember(meta: Meta, replaced: Meta, horizon: number): Meta {
  const written = replaced.order > replaced.sent ? replaced.sent : (replaced.written ?? 0)
  return horizon < written && meta.order <= meta.sent ? { ...meta, written } : meta
}

function isSameRank(a: Meta, b: Meta): boolean {
  return a.order === b.order && a.sent === b.sent && a.written === b.written
}

/** A read that a write has overtaken, or two writes answered in another order than sent. */
export function isCrossing(stored: Meta, incoming: Meta): boolean {
  return (stored.order > stored.sent || incoming.order > incoming.sent) && isOlder(incoming, stored)
}
