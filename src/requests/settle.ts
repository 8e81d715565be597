import { warnEmpty } from '../advice/fetched.ts'
import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { findNode } from '../reading/nodes.ts'
import { FIRST } from '../lists/pages.ts'
import { unlink } from '../rows/Node.ts'
import { Row } from '../rows/Row.ts'
import { type Choice, chosen, isInvalidate } from '../schema/polymorphic.ts'
import { isEntity, isList } from '../schema/Schema.ts'
import type { ResultMeta } from '../store/Store.ts'
import { applyError, applyResponse } from './applyResponse.ts'
import { type Call, pathOf } from './Call.ts'
import { collect } from './collect.ts'
import type { Host } from './Host.ts'
import type { Request } from './Request.ts'
import type { Requests } from './Requests.ts'
import { isEmptyWrite } from './sparseResponse.ts'

/** The value or error that the callers of a request receive. */
interface Outcome {
  readonly value: unknown
  readonly isError?: boolean | undefined
}

/** Stores a response, or a failure, and settles the promise of its request. Throws the error of a response that is refused. */
export function settle(requests: Requests, request: Request, response: unknown, isError?: boolean): void {
  const { host } = requests
  const { store } = host
  const { state, pages } = request
  const notify = store.notifier.hold()
  let outcome: Outcome = { value: response, isError }
  requests.close(request)
  if (!isError && request.isWrite) {
    requests.raiseFence()
  }
  try {
    // Nothing is stored of a request from before a reset.
    if (requests.isCurrent(request)) {
      if (isError) {
        // A list that has responded stays if one of its pages fails.
        fail(requests, request, response, state === 'collecting' && pages?.has(FIRST) !== false)
      } else {
        const result = applyResponse(store, request, response, request.action.meta, request)
        host.end()
        try {
          outcome = { value: outcomeOf(host, request, response, result) }
        } catch (thrown) {
          // It is stored, and cannot be read, for example because a converter of the app fails.
          outcome = { value: thrown, isError: true }
        }
      }
    }
  } catch (thrown) {
    outcome = { value: thrown, isError: true }
    throw thrown
  } finally {
    host.end()
    finish(host, request, outcome, notify)
  }
}

/** Stores a failure. Unless the server says that it did not do a mutation, it may have. */
function fail(requests: Requests, request: Request, error: unknown, isSoft: boolean): void {
  applyError(requests.host.store, request, error, request.action.meta, false, isSoft)
  if (!isRejectedByServer(error)) {
    requests.lose(request)
  }
}

/** True for an error by which the server says that it did not do the mutation: a status from 400 to 499. */
function isRejectedByServer(error: unknown): boolean {
  const { status = 0, refused } = Object(error) as { status?: number; refused?: boolean }
  return status >= 400 && status < 500 && !refused
}

/** Settles the promise of a request, and notifies readers. */
function finish(
  host: Host,
  { endpoint, action, result }: Request,
  { value, isError }: Outcome,
  notify: () => void,
): void {
  const { store } = host
  const { resolve, reject } = action.meta
  const end = isError ? reject : resolve
  // The handler of a mutation may leave the screen before its readers are notified: they would fetch a deleted record.
  if (endpoint.sideEffect) {
    end(value)
  }
  notify()
  store.notifier.after(() => {
    // Only the caller gets a value that is not kept. One that a reader shows is collected later.
    if (endpoint.dataExpiryLength === 0 && !endpoint.schema && !result.isRead) {
      host.change(() => collect(store, { entities: [], endpoints: [result.pk] }))
    }
    end(value)
  })
}

/** The value that the callers of `fetch` receive for a response that was stored, as readers see it. */
function outcomeOf({ store, reads }: Host, call: Call, response: unknown, result: unknown): unknown {
  const { endpoint, key, plain: args } = call
  const { schema, sideEffect } = endpoint
  const { endpoints } = store.tables
  if (isInvalidate(schema)) {
    return deletedRecord(schema, response)
  }
  let row = endpoints.row(key)
  // Mutations share a key, and an invalidated result belongs to no reader: each caller receives the records of its own response.
  const { meta }: { meta?: ResultMeta | undefined } = row
  const isOwn = sideEffect || meta?.invalidated
  if (isOwn) {
    row = new Row(endpoints, key, result)
  }
  const node = findNode(reads.reader, row, 'result', schema, { args, path: pathOf(endpoint) })
  const value: unknown = isOwn && result === undefined ? undefined : reads.reader.read(node)
  if (!isOwn) {
    return value
  }
  unlink(node)
  if (DEV && sideEffect && value === undefined && isEmptyWrite(schema, response)) {
    warnEmpty(endpoint)
  }
  // The record may have been deleted since; the response of a write still has it.
  return value === undefined && sideEffect && !isEmptyWrite(schema, response) ? response : value
}

/** The value of a delete: the record, with what the response says of it. A bare key is none. */
function deletedRecord({ choice: { schema, attribute } }: { readonly choice: Choice }, response: any): unknown {
  const Member: any = attribute === undefined ? schema : schema[chosen(attribute, response)!]
  const isRecord = isObject(response)
  return isRecord && isEntity(Member)
    ? (Member as any).fromJS(response)
    : isRecord || isList(schema)
      ? response
      : undefined
}
