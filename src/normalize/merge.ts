import { put, share } from '../base/equal.ts'
import { isOlder } from '../schema/Entity.ts'
import { INVALID, type Meta } from '../schema/Schema.ts'
import type { Draft, Orders, Row } from './tables.ts'

type Fields = Record<string, unknown>

/** Joins a stored row with what came in as a whole, as hooks of the user's class decide. */
export function mergeWhole(draft: Draft, row: Row, incoming: Fields, meta: Meta, horizon: number): void {
  const { value: existing, meta: rowMeta } = row
  if (existing === undefined || rowMeta === undefined || existing === INVALID) {
    mergeFields(draft, row, incoming, meta, horizon)
    return
  }
  const Class = draft.info!.Entity
  const merged: unknown = Class.mergeWithStore(rowMeta, meta, existing, incoming)
  draft.value = share(existing, merged)
  if (!Class.shouldUpdate(rowMeta, meta, existing, incoming)) {
    return
  }
  const kept = remember(Class.mergeMetaWithStore(rowMeta, meta, existing, incoming), rowMeta, horizon)
  // A hook may make a meta of its own; the numbers are the store's.
  const sent = (kept as Partial<Meta>).sent ?? meta.sent
  draft.meta = { ...kept, sent, order: Math.max(rowMeta.order, meta.order) }
  draft.stale ||= isCrossing(rowMeta, meta) && overlay(draft.value as Fields, incoming) !== draft.value
}

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
    // A write that was under way together with the delete may have come before it.
    draft.stale = late || meta.sent < rowMeta.order
    if (!late && horizon <= meta.order && meta.order !== Infinity) {
      draft.except = new Map([[INVALID, rowMeta]])
    }
  } else if (row.except === undefined && !isOlder(meta, rowMeta)) {
    draft.value = overlay(existing, incoming)
    draft.meta = remember(meta, rowMeta, horizon)
    // A pending operation is covered by all that come after it, whichever field they write.
    if (horizon <= meta.order && meta.order !== Infinity) {
      draft.except = others(existing, incoming, rowMeta, draft.meta, meta)
    }
  } else {
    mergeByOrder(draft, existing, rowMeta, row.except, incoming, meta, horizon)
  }
}

/** `existing` with the fields of `incoming`; `existing` itself when none of them differs. */
export function overlay(existing: Fields, incoming: Fields): Fields {
  let out: Fields | undefined
  for (const name in incoming) {
    const next = incoming[name]
    const old = existing[name]
    if (next === old && (next !== undefined || Object.hasOwn(existing, name))) {
      continue
    }
    const part = typeof next === 'object' && Object.hasOwn(existing, name) ? share(old, next) : next
    if (Object.is(part, old) && Object.hasOwn(existing, name)) {
      continue
    }
    out ??= { ...existing }
    put(out, name, part)
  }
  return out ?? existing
}

/** The fields that did not come keep their order, and those that were not there remember no write. */
function others(existing: Fields, incoming: Fields, old: Meta, now: Meta, meta: Meta): Orders | undefined {
  let out: Map<string, Meta> | undefined
  const add = (of: Fields, without: Fields, order: Meta): void => {
    for (const name in of) {
      if (!Object.hasOwn(without, name)) {
        ;(out ??= new Map<string, Meta>()).set(name, order)
      }
    }
  }
  add(existing, incoming, old)
  if (now !== meta) {
    add(incoming, existing, meta)
  }
  return out
}

function mergeByOrder(
  draft: Draft,
  existing: Fields,
  rowMeta: Meta,
  except: Orders | undefined,
  incoming: Fields,
  meta: Meta,
  horizon: number,
): void {
  const before = except?.get(INVALID)
  let gone = before
  const orders = new Map<string, Meta>()
  const taken: Fields = {}
  const lost: Fields = {}
  for (const name of Object.keys(incoming)) {
    const isKnown = Object.hasOwn(existing, name)
    const stored = isKnown ? (except?.get(name) ?? rowMeta) : before
    if (stored === undefined || !isOlder(meta, stored)) {
      put(taken, name, incoming[name])
      orders.set(name, stored === undefined ? meta : remember(meta, stored, horizon))
    } else {
      const raised = raise(stored, meta)
      if (isKnown) {
        orders.set(name, raised)
      } else {
        gone = raised
      }
      if (isCrossing(stored, meta)) {
        put(lost, name, incoming[name])
      }
    }
  }
  const value = (draft.value = overlay(existing, taken))
  // Nothing is in doubt where both say the same, as an echo of our own write does.
  draft.stale ||= overlay(value, lost) !== value || (value !== existing && isCrossing(rowMeta, meta))
  const own = (draft.meta = isOlder(meta, rowMeta) ? raise(rowMeta, meta) : remember(meta, rowMeta, horizon))
  draft.except = undefined
  if (horizon > own.order) {
    return
  }
  const rest = new Map<string | typeof INVALID, Meta>()
  const add = (name: string | typeof INVALID, order: Meta): void => {
    if (!isSameRank(order, own)) {
      rest.set(name, order)
    }
  }
  if (gone) {
    add(INVALID, gone)
  }
  for (const name of Object.keys(existing)) {
    add(name, orders.get(name) ?? except?.get(name) ?? rowMeta)
  }
  for (const [name, order] of orders) {
    if (!Object.hasOwn(existing, name)) {
      add(name, order)
    }
  }
  if (rest.size > 0) {
    draft.except = rest
  }
}

/** Of two writes the one sent later keeps its value and takes the higher order of the two. */
export function raise(kept: Meta, other: Meta): Meta {
  return other.order > kept.order && kept.order > kept.sent ? { ...kept, order: other.order } : kept
}

/** A read that takes the place of a write remembers it, as long as an older write may still be answered. */
function remember(meta: Meta, replaced: Meta, horizon: number): Meta {
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
