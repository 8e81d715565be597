import { DEV } from '../base/env.ts'
import { sourcesOf } from '../denormalize/queries.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import type { SnapshotInterface } from '../endpoint/Snapshot.ts'
import { normalize } from '../normalize/normalize.ts'
import { STAND_IN } from '../base/standIn.ts'
import { originOf } from '../normalize/origin.ts'
import { valueBelow } from '../normalize/overlay.ts'
import { Patch, type Slot, type Table } from '../normalize/tables.ts'
import type { Meta } from '../schema/Schema.ts'
import type { Operation } from '../store/operations.ts'
import type { Store } from '../store/Store.ts'
import type { OptimisticAction } from './actions.ts'
import { OPTIMISTIC } from './actionTypes.ts'
import { updatesOf } from './applyResponse.ts'
import { createReads, isSkip, type Reading, type Reads } from './read.ts'
import type { Request } from './Request.ts'

/** Thrown by an operation that shows nothing. There is one, since an error is slow to create. */
const ABORT: Error = new Error('aborted')

/** The optimistic operation of a request. */
export function createOperation(store: Store, request: Request): Operation {
  const { tables } = store
  const { id, endpoint, key, plain: args } = request
  const { sent, fetchedAt } = request.action.meta
  const meta: Meta = { sent, at: Infinity, kind: 'mutation', fetchedAt, date: fetchedAt, expiresAt: Infinity }
  const action: OptimisticAction = { type: OPTIMISTIC, key, args, endpoint, meta: { fetchedAt, sent, requestId: id } }
  return {
    id,
    sent,
    action,
    slots: [],
    reads: new Set(),
    run: () => {
      /** A change of one of these runs the operation again. */
      const sources = new Set<Slot | Table>()
      /** The records that the app received: fields that it returns unchanged do not count as written. */
      const records = new Map<Slot, object>()
      try {
        const value = optimisticResponse(store, request, records, sources)
        const standIn = `${STAND_IN}${id}`
        const intake = {
          tables,
          args,
          meta,
          fromApp: true,
          madeFrom: records,
          dependsOn: sources,
          key,
          standIn,
          isWrite: true,
        }
        const change = normalize(endpoint.schema, value, intake)
        const { slots } = change
        const cover = (slot: Slot, result: unknown): void => {
          if (slot.patch === undefined) {
            slots.push(slot)
          }
          slot.patch = new Patch(result, slot.meta ?? meta, undefined)
        }
        for (const update of updatesOf(store, request, change.result, (slot) =>
          slot.patch ? slot.patch.value : valueBelow(slot, sent),
        )) {
          sources.add(update[0])
          cover(...update)
        }
        // Changes of a list, and of the numbers beside it, adapt to what lies below: no need to run again for these.
        for (const slot of slots) {
          if (!slot.patch!.edits && !slot.patch!.counts) {
            sources.add(slot)
          }
        }
        cover(tables.endpoints.slot(key), change.result)
        return { change, reads: sources }
      } catch (error) {
        if (DEV && error !== ABORT) {
          console.error(error)
        }
        return { change: { slots: [] }, reads: sources }
      }
    },
  }
}

/**
 * The optimistic response of a request, made from what lies below it.
 *
 * @param records receives the records that the app read to make it
 * @param sources receives everything that it read
 */
export function optimisticResponse(
  store: Store,
  { endpoint, plain: args, action }: Request,
  records: Map<Slot, object>,
  sources: Set<Slot | Table>,
): unknown {
  const { sent, fetchedAt } = action.meta
  const snapshot = createSnapshot(store, sent, fetchedAt, records, sources)
  return endpoint.getOptimisticResponse!.call(endpoint, snapshot, ...(args as []))
}

/** The store as an operation sees it. Its reads are recorded: a change of one runs the operation again. */
function createSnapshot(
  store: Store,
  sent: number,
  fetchedAt: number,
  records: Map<Slot, object>,
  sources: Set<Slot | Table>,
): SnapshotInterface {
  /** Reads the rows below the operation. Most operations read nothing. */
  let below: Reads | undefined
  const look = (target: any, args: readonly any[]): Reading => {
    below ??= createReads(store, (slot) => valueBelow(slot, sent))
    const reading = below.read(target, args)
    if (!isSkip(args)) {
      for (const source of sourcesOf(below.node(target, args))) {
        sources.add(source)
      }
    }
    handedOut(reading.data, records)
    return reading
  }
  return snapshotOf(fetchedAt, look)
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
export function handedOut(value: unknown, records: Map<Slot, object>): void {
  const slot = originOf(value)
  if (slot !== undefined) {
    records.set(slot, value as object)
  }
}
