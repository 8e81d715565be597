import type { ListPatch } from '../lists/ListRow.ts'
import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { sourcesOf } from '../reading/query.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import { normalize } from '../writing/normalize.ts'
import { STAND_IN } from '../base/standIn.ts'
import { originOf } from '../rows/origin.ts'
import { valueBelow } from '../rows/overlay.ts'
import { Patch, type Row } from '../rows/Row.ts'
import { type Table } from '../rows/Table.ts'
import type { Walk } from '../writing/Walk.ts'
import type { Meta } from '../rows/Meta.ts'
import type { Operation } from '../store/operations.ts'
import type { Store } from '../store/Store.ts'
import type { OptimisticAction } from './actions.ts'
import type { Call } from './Call.ts'
import { OPTIMISTIC } from './actionTypes.ts'
import type { Host } from './Host.ts'
import { Reads } from './read.ts'
import { type Reading } from './Reading.ts'
import type { Request } from './Request.ts'

/** Thrown by an operation that shows nothing. There is one, since an error is slow to create. */
const ABORT: Error = new Error('aborted')

/** The members of a request that its optimistic operation is made from. */
export interface Shown extends Pick<Request, 'id' | 'endpoint' | 'key' | 'plain'> {
  readonly action: { readonly meta: Pick<Meta, 'sent' | 'fetchedAt'> }
}

/** The optimistic operation of a request. */
export function createOperation(store: Store, request: Shown): Operation {
  const { id, endpoint, key, plain: args } = request
  const { sent, fetchedAt } = request.action.meta
  const meta: Meta = { sent, at: Infinity, kind: 'mutation', fetchedAt, date: fetchedAt, expiresAt: Infinity }
  const action: OptimisticAction = { type: OPTIMISTIC, key, args, endpoint, meta: { fetchedAt, sent, requestId: id } }
  const issuedOver = new Map<Row, unknown>()
  const run: Operation['run'] = () => {
    /** A change of one of these runs the operation again. */
    const reads = new Set<Row | Table>()
    try {
      return { change: optimisticChange(store, request, meta, issuedOver, reads), reads }
    } catch (error) {
      if (DEV && error !== ABORT) {
        console.error(error)
      }
      return { change: { rows: [] }, reads }
    }
  }
  return { id, sent, action, issuedOver, rows: [], reads: new Set(), run }
}

/** The changes that a pending operation makes to the rows below it, as they are now. */
function optimisticChange(
  store: Store,
  request: Shown,
  meta: Meta,
  issuedOver: Map<Row, unknown>,
  dependsOn: Set<Row | Table>,
): Walk {
  const change = responseChange(store, request, meta, issuedOver, dependsOn)
  const { rows } = change
  const cover = (row: Row, result: unknown): void => {
    if (row.patch === undefined) {
      rows.push(row)
    }
    row.patch = new Patch(result, row.meta ?? meta)
  }
  const current = (row: Row): unknown => (row.patch ? row.patch.value : valueBelow(row, meta.sent))
  for (const update of updatesOf(store, request, change.result, current)) {
    dependsOn.add(update[0])
    cover(...update)
  }
  // Changes of a list, and of the numbers beside it, adapt to what lies below: no need to run again for these.
  for (const row of rows) {
    const { edits, counts } = row.patch as Partial<ListPatch>
    if (!edits && !counts) {
      dependsOn.add(row)
    }
  }
  cover(store.tables.endpoints.row(request.key), change.result)
  return change
}

/** The changes that its optimistic response makes. */
function responseChange(
  store: Store,
  request: Shown,
  meta: Meta,
  issuedOver: Map<Row, unknown>,
  dependsOn: Set<Row | Table>,
): Walk {
  const { id, endpoint, key, plain: args } = request
  /** The records that the app received: fields that it returns unchanged do not count as written. */
  const madeFrom = new Map<Row, object>()
  const value = optimisticResponse(store, request, meta, madeFrom, dependsOn)
  // Listing the members is faster than spreading them.
  return normalize(endpoint.schema, value, {
    tables: store.tables,
    args,
    meta,
    key,
    endpoint,
    fromApp: true,
    isWrite: true,
    madeFrom,
    dependsOn,
    standIn: `${STAND_IN}${id}`,
    issuedOver,
  })
}

/**
 * The optimistic response of a call, made from what lies below it; `undefined` without one.
 *
 * @param records receives the records that the app read to make it
 * @param sources receives everything that it read: a change of one runs the operation again
 */
export function optimisticResponse(
  store: Store,
  { endpoint, plain: args }: Pick<Call, 'endpoint' | 'plain'>,
  { sent, fetchedAt }: Pick<Meta, 'sent' | 'fetchedAt'>,
  records: Map<Row, object>,
  sources: Set<Row | Table>,
): unknown {
  /** Reads the rows below the operation. Most operations read nothing. */
  let below: Reads | undefined
  const snapshot = snapshotOf(fetchedAt, (target, given) => {
    below ??= new Reads(store, (row) => valueBelow(row, sent))
    const reading = below.read(target, given)
    sourcesOf(below.node(target, given)).forEach((source) => sources.add(source))
    handedOut(reading.data, records)
    return reading
  })
  return endpoint.getOptimisticResponse?.(snapshot, ...(args as []))
}

/** Stores and throws what `getOptimisticResponse` throws, other than `snapshot.abort`: then nothing is sent. */
export function checkOptimistic(host: Host, call: Call): void {
  try {
    const now = { sent: Infinity, fetchedAt: host.store.clock.now() }
    optimisticResponse(host.store, call, now, new Map(), new Set())
  } catch (thrown) {
    if (thrown !== ABORT) {
      host.respond(call, thrown, true)
      throw thrown
    }
  }
}

/** The results of other endpoints that `update` changes. */
export function updatesOf(
  { tables }: Store,
  { endpoint, plain }: Pick<Call, 'endpoint' | 'plain'>,
  result: unknown,
  current: (row: Row) => unknown,
): [Row, unknown][] {
  try {
    return Object.entries(endpoint.update?.(result, ...(plain as [])) ?? {}).map(([key, change]) => {
      const row = tables.endpoints.row(key)
      return [row, share(row.value, change(current(row)))]
    })
  } catch (error) {
    console.error(error)
    return []
  }
}

/** The snapshot whose methods return what `read` finds. */
export function snapshotOf(
  fetchedAt: number,
  read: (target: any, args: readonly any[]) => Pick<Reading, 'data' | 'error'>,
): SnapshotInterface {
  const get = (target: object, ...args: any[]): object => read(target, args)
  return {
    abort: ABORT,
    fetchedAt,
    get: (schema: object, ...args: any[]) => read(schema, args).data as unknown,
    getQueryMeta: get,
    getResponse: get,
    getResponseMeta: get,
    getError: (endpoint: EndpointInterface, ...args: any[]) => read(endpoint, args).error as unknown,
  } as never
}

/** Records an instance that was read, so that its unchanged fields do not count as written. */
export function handedOut(value: unknown, records: Map<Row, object>): void {
  const row = originOf(value)
  if (row !== undefined) {
    records.set(row, value as object)
  }
}
