import { warnEmpty } from '../advice/fetched.ts'
import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { unlink } from '../denormalize/memo.ts'
import { Slot } from '../normalize/tables.ts'
import type { Entity } from '../schema/Entity.ts'
import { Invalidate } from '../schema/Invalidate.ts'
import { chosen } from '../schema/polymorphic.ts'
import { isEntity, isList } from '../schema/Schema.ts'
import { createRowStore, type ResultMeta, type Store } from '../store/Store.ts'
import { type Call, callOf } from './actions.ts'
import { applyResponse, sentNow } from './applyResponse.ts'
import { isEmptyWrite } from './sparseResponse.ts'
import { createReads, pathOf, type Reads } from './read.ts'

/** The value that the callers of `fetch` receive for a response that was stored: as readers see it. */
export function outcomeOf(store: Store, { reader, read }: Reads, call: Call, value: unknown, result: unknown): unknown {
  const { endpoint, key, plain: args } = call
  const { schema, sideEffect } = endpoint
  const { endpoints } = store.tables
  const stored = endpoints.slot(key)
  const meta: ResultMeta | undefined = stored.meta
  if (!sideEffect && !meta?.invalidated) {
    return read(endpoint, args, reader.resultNode(stored, schema, args, pathOf(endpoint))).data
  }
  if (schema instanceof Invalidate || result === undefined) {
    return unstoredOutcome(store, call, value)
  }
  // Mutations share a key, and an invalidated result belongs to no reader: each caller receives the records of its own response.
  const slot = new Slot(endpoints, key)
  slot.value = result
  const node = reader.resultNode(slot, schema, args, pathOf(endpoint))
  try {
    const shown: unknown = reader.read(node)
    // The record may have been deleted since; the response of a write still has it.
    return shown === undefined && sideEffect ? unstoredOutcome(store, call, value) : shown
  } finally {
    unlink(node)
  }
}

/**
 * The value for a response of which nothing is stored: the mutation was sent before a reset, or its record is deleted. Callers expect
 * instances of their entities all the same, with `process` and relations applied, so a store of its own reads it.
 */
export function unstoredOutcome({ clock }: Store, { endpoint: given, plain: args }: Call, value: unknown): unknown {
  const { schema } = given
  if (schema === undefined || schema === null) {
    return value
  }
  if (isEmptyWrite(given, value)) {
    if (DEV) {
      warnEmpty(given)
    }
    return undefined
  }
  if (schema instanceof Invalidate) {
    return deletedRecord(schema, value, args[0])
  }
  const own = createRowStore(clock)
  const endpoint: any = Object.assign(() => Promise.resolve(), { key: () => '', schema })
  applyResponse(own, callOf(endpoint, args), value, sentNow(own))
  return createReads(own).read(endpoint, args).data
}

/**
 * The value a delete resolves to: an instance made from the response, since the store no longer has the record; `undefined`
 * where the response has nothing to show, only an id or what the parameters said already.
 */
function deletedRecord({ choice: { schema, attribute } }: Invalidate, value: any, params: any): unknown {
  const hasMore =
    isObject(value) && Object.entries(value).some(([field, part]) => String(part) !== String(params?.[field]))
  if (!hasMore) {
    return isList(schema) ? value : undefined
  }
  const Member: unknown = attribute === undefined ? schema : schema[chosen(attribute, value)!]
  return isEntity(Member) ? (Member as unknown as typeof Entity).fromJS.call(Member as never, value) : value
}
