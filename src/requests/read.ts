import type { RecordRow } from '../records/RecordRow.ts'
import type { StoreClock } from '../base/clock.ts'
import { isObject } from '../base/equal.ts'
import { findNode } from '../reading/nodes.ts'
import { Reader } from '../reading/denormalize.ts'
import { MAKING, type Node } from '../rows/Node.ts'
import { Queries, isComplete, rowsOf } from '../reading/query.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { originOf } from '../rows/origin.ts'
import { isThere, top } from '../rows/overlay.ts'
import { isExpired, isInDoubt, Row } from '../rows/Row.ts'
import { INVALID, membersOf } from '../schema/Schema.ts'
import { INVALIDATED, STALE } from '../rows/Meta.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { pathOf } from './Call.ts'
import { lastExpired } from './expire.ts'
import { type Reading, type Target, UNUSABLE, USABLE, USABLE_IF_FRESH, isEndpoint, isSkip } from './Reading.ts'

/** Reads a store. */
export class Reads {
  readonly reader: Reader
  readonly queries: Queries = new Queries()
  /** Of a store that changes. */
  clock: StoreClock | undefined
  readonly #store: Store

  /** @param row which rows are read: with it the reader keeps nodes of its own */
  constructor(store: Store, row?: (row: Row) => unknown) {
    this.#store = store
    this.clock = row ? undefined : store.clock
    this.reader = new Reader(store.tables, row, this)
  }

  /** The node of a target. */
  node(target: Target, args: readonly any[]): Node {
    // One that is skipped never changes, and has no key.
    if (!isEndpoint(target) || isSkip(args)) {
      return this.queries.node(target, args)
    }
    const { endpoints } = this.#store.tables
    const row = endpoints.row(target.key(...args))
    if (row.node === undefined && row.meta === undefined) {
      this.#store.mark(row, { expired: lastExpired(this.#store, row.pk) })
    }
    return findNode(this.reader, row, 'result', target.schema, { args, path: pathOf(target) })
  }

  /** @param known its node, where that is known: to find it takes a key */
  read(target: Target, args: readonly any[], known?: Node): Reading {
    if (isSkip(args)) {
      const data: unknown = isEndpoint(target) ? defaultShape(target.schema) : undefined
      return { data, error: undefined, expiryStatus: USABLE, expiresAt: Infinity }
    }
    const node = known ?? this.node(target, args)
    if (!isEndpoint(target)) {
      if (node.flags & MAKING) {
        ;(target as { onLoop?(): void }).onLoop?.()
      }
      const value: unknown = this.reader.read(node)
      return inferred(this.#store, node, value, USABLE, value === undefined)
    }
    let data: unknown
    try {
      data = this.reader.read(node)
    } catch (thrown) {
      // The error of the response explains more than the one that was thrown by reading it.
      const meta: ResultMeta | undefined = (node.source as Row).meta
      const error: unknown = meta?.error ?? thrown
      return { data: undefined, error, expiryStatus: USABLE_IF_FRESH, expiresAt: STALE }
    }
    return judge(this.#store, target, node, data)
  }
}

/** How far the data of an endpoint can be trusted: by the response, or without one by its rows. */
function judge(
  store: Store,
  { schema, invalidIfStale, sideEffect }: EndpointInterface,
  node: Node,
  data: unknown,
): Reading {
  const row = node.source as Row
  const meta: ResultMeta | undefined = row.meta
  const hasResult = top(row) !== undefined
  const usual = invalidIfStale ? USABLE_IF_FRESH : USABLE
  // Without a stored response, a part of the data is no use to readers that can fetch all of it.
  const missing = data === undefined || !(hasResult || isWhole(node, data))
  if (meta === undefined && !hasResult) {
    return data === undefined && !schema
      ? { data, error: undefined, expiryStatus: UNUSABLE, expiresAt: INVALIDATED }
      : inferred(store, node, data, usual, missing)
  }
  // An error from before the app wrote the record does not count.
  const isOver =
    !sideEffect &&
    meta?.error !== undefined &&
    ((originOf(data) as Partial<RecordRow> | undefined)?.wrote?.at ?? 0) > meta.sent
  const stored: unknown = isOver ? undefined : meta?.error
  const isInvalid = meta?.invalidated || (missing && stored === undefined)
  // A result of a pending operation does not come from the server.
  const { sent, expiresAt } = meta ?? { sent: 0, expiresAt: INVALIDATED }
  return {
    data,
    error: meta?.errorPolicy === 'soft' && !missing ? undefined : stored,
    expiryStatus: isInvalid ? UNUSABLE : missing ? USABLE_IF_FRESH : usual,
    expiresAt: isOver ? STALE : row.doubt.at > sent ? Math.min(expiresAt, STALE) : expiresAt,
    ...(missing && missingPart(store, node, data)),
  }
}

/** True where no record lacks a field. The same value was made from the same rows. */
function isWhole({ schema, aside }: Node, data: unknown): boolean {
  if (aside!.complete !== data && isComplete(schema, data)) {
    aside!.complete = data
  }
  return aside!.complete === data
}

/** A reading without a response. Its age is that of all its rows, so it is computed when it is read. */
function inferred(store: Store, node: Node, data: unknown, expiryStatus: 2 | 3, missing: boolean): Reading {
  if (missing) {
    // A part that has expired is not shown if the endpoint says so.
    const isOver = expiryStatus === USABLE_IF_FRESH && earliest(node) < store.clock.now()
    const status = isOver ? UNUSABLE : USABLE_IF_FRESH
    return { data, error: undefined, expiryStatus: status, expiresAt: STALE, ...missingPart(store, node, data) }
  }
  return {
    data,
    error: undefined,
    expiryStatus,
    get expiresAt() {
      return earliest(node)
    },
  }
}

/**
 * Whether a part was found, and whether a pending operation creates or deletes a row of it: until that ends, the server may not have it.
 * A queued operation keeps no reader waiting: it is shown as it is.
 */
function missingPart({ pending }: Store, node: Node, data: unknown): Partial<Reading> {
  const isPartial = data !== undefined
  const hidden =
    pending.length > 0 ? rowsOf(node).filter((row) => row.pending && !(isObject(row.value) && isThere(row))) : []
  const by = hidden.flatMap((row) => row.pending!.map((change) => change.by))
  if (by.length > 0 && by.every(({ queued }) => queued)) {
    const error = isPartial || node.kind !== 'result' ? undefined : by[0]!.queued!((node.source as Row).pk)
    return { isPartial, error, expiryStatus: USABLE, expiresAt: Infinity }
  }
  return { ...(isPartial && { isPartial }), ...(by.length > 0 && { waiting: true }) }
}

/** The earliest end of freshness of all rows a value was made from. */
function earliest(node: Node): number {
  let expiresAt = Infinity
  const expired = node.kind === 'result' ? (node.source as Row).expired : 0
  for (const row of rowsOf(node)) {
    const { meta, value } = row
    // A deleted record is not part of the value; one that may have been deleted by mistake has been marked stale.
    if (meta && (value !== INVALID || isInDoubt(row))) {
      expiresAt = isInDoubt(row) || isExpired(row, expired) ? STALE : Math.min(expiresAt, meta.expiresAt)
    }
  }
  return expiresAt
}

/** The defaults of an object of schemas, shown before there is data. */
function defaultShape(schema: any): unknown {
  if (!isObject(schema)) {
    return typeof schema === 'function' ? undefined : schema
  }
  const members = membersOf(schema)
  return members && Object.fromEntries(Object.entries(members).map(([name, member]) => [name, defaultShape(member)]))
}
