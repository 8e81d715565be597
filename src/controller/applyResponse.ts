import { checkExpires, noPage, otherRecord, refusedError } from '../advice/fetched.ts'
import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { asError } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { UNCHANGED } from '../endpoint/start.ts'
import { type Deletes, loseDeletes } from '../normalize/lostDeletes.ts'
import { unknownWrite } from '../normalize/lostWrite.ts'
import { normalize } from '../normalize/normalize.ts'
import { shownResult } from '../normalize/receiveList.ts'
import type { Slot } from '../normalize/tables.ts'
import { type Intake, Walk } from '../normalize/Walk.ts'
import { isPage, nextPage } from '../rest/paginate.ts'
import { relation } from '../rows/relation.ts'
import type { Meta } from '../rows/Meta.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import type { Call } from './actions.ts'
import { completeMutation } from './completeMutation.ts'
import { confirmRows, expire, type TestKey } from './expire.ts'
import { isBareWrite, isEmptyWrite } from './sparseResponse.ts'
import { updatesOf } from './pending.ts'
import { pathOf } from './read.ts'

/** When a request was sent. */
export type Sent = Pick<Meta, 'sent' | 'fetchedAt'>

/** The times of a result that was never received. */
const UNKNOWN: ResultMeta = { fetchedAt: 0, date: 0, expiresAt: 0, sent: 0, at: 0, kind: 'read' }

/** The meta of a response that arrives now. A value that the app sets was sent at the same moment. */
function arriveNow(
  store: Store,
  { endpoint }: Call,
  { sent, fetchedAt }: Sent,
  expiry: number,
  fromApp?: boolean,
): Meta {
  const date = store.clock.now()
  const kind = fromApp ? 'set' : endpoint.sideEffect ? 'mutation' : 'read'
  return { sent, at: fromApp ? sent : ++store.reached, kind, fetchedAt, date, expiresAt: date + expiry }
}

/**
 * Stores a response and returns its normalised result. Throws the error of a response that is refused, and stores it.
 *
 * @param fromApp the app sets it
 * @param hasAllPages all pages of the list were stored before it
 * @param keepsPages pages of the list that were not in doubt stay
 * @param issuedOver that of the optimistic operation that the request had
 */
export function applyResponse(
  store: Store,
  call: Call,
  value: unknown,
  sent: Sent,
  {
    fromApp = false,
    hasAllPages,
    keepsPages,
    issuedOver,
  }: {
    fromApp?: boolean
    hasAllPages?: boolean | undefined
    keepsPages?: boolean
    issuedOver?: Intake['issuedOver']
  } = {},
): unknown {
  const { endpoint, key, plain: args } = call
  const { tables, defaults } = store
  const meta = arriveNow(store, call, sent, endpoint.dataExpiryLength ?? defaults.dataExpiryLength, fromApp)
  const isMutation = meta.kind === 'mutation'
  const slot = tables.endpoints.slot(key)
  let change: Walk
  try {
    const intake: Intake = {
      tables,
      args,
      meta,
      key,
      path: pathOf(endpoint),
      fromApp,
      isWrite: endpoint.sideEffect,
      endpoint,
      hasAllPages,
      keepsPages,
      issuedOver,
      next: nextPage(endpoint, value, args),
    }
    if (value === UNCHANGED) {
      change = new Walk(intake)
      change.result = slot.value
      confirmRows(store, slot, meta.sent)
    } else if (isMutation && isBareWrite(endpoint.schema, value)) {
      change = completeMutation(store, call, value, intake)
    } else {
      change = normalize(endpoint.schema, value, intake)
    }
    // A page without a list would leave the list as it is.
    const isLost = isPage(endpoint) && change.topList === undefined
    const wrong = isLost ? noPage(key, value) : DEV && otherRecord(endpoint, key, args, change.result)
    if (wrong) {
      change.slots.forEach((slot) => (slot.patch = undefined))
      throw wrong
    }
  } catch (error) {
    const refused = refusedError(endpoint.schema, key, error, value)
    if (DEV) {
      console.error(refused)
    }
    applyError(store, call, refused, meta)
    if (!fromApp) {
      applyUnknown(store, call, meta)
    }
    throw refused
  }
  const { result, topList, page } = change
  const { meta: old } = slot
  const shown = share(slot.value, topList ? shownResult(topList, page, result, slot.value) : result)
  store.commit(change)
  if (!isPage(endpoint)) {
    putResult(store, slot, endpoint.schema, shown, meta)
  } else if (page) {
    // It makes the list no fresher, and does not count as a response of the list.
    const known = old ?? { ...meta, sent: 0, at: 0 }
    store.put(slot, { value: shown, meta: { ...known, expiresAt: Math.min(known.expiresAt, meta.expiresAt) } })
  }
  // The value may be the same, but readers did not see it.
  if (endpoint.invalidIfStale && old && old.expiresAt < meta.date) {
    slot.node?.aged()
  }
  // An empty response that tells nothing of its record has no result that `update` could use.
  const isUnknown = isMutation && result === undefined && isEmptyWrite(endpoint.schema, value)
  if (endpoint.update && !isUnknown) {
    applyUpdates(store, call, result, meta)
  }
  if (endpoint.expires) {
    applyExpires(store, call)
  }
  return result
}

/** Stores the results of other endpoints that `update` changes. */
function applyUpdates(store: Store, call: Call, result: unknown, meta: Meta): void {
  const { sent, at, kind } = meta
  for (const [slot, value] of updatesOf(store, call, result, (other) => other.value)) {
    const old: ResultMeta = slot.meta ?? UNKNOWN
    // A value that replaces an error counts as a response.
    const known = old.error && value !== undefined ? meta : old
    // A read that was sent before the write must not undo its update.
    store.put(slot, { value, meta: call.endpoint.sideEffect ? { ...known, sent, at, kind } : known })
  }
}

/** Marks as stale what the server computes from the data that a mutation has changed: results, or the rows of an Entity. */
function applyExpires(store: Store, { endpoint, key }: Call): void {
  const { expires, sideEffect } = endpoint
  if (!expires || !sideEffect) {
    return
  }
  if (DEV) {
    checkExpires(expires, pathOf(endpoint))
  }
  const keys = expires.filter((one: Expires) => one?.testKey)
  const names = new Set(expires.map((one: Expires) => (one?.testKey ? undefined : one?.key)))
  const isNamed = ({ table }: Slot): boolean => [table.key, ...table.holds].some((name) => names.has(name))
  const rows = [...store.tables.tables.values()].flatMap(({ slots }) => [...slots.values()].filter(isNamed))
  const test = recall(tests, expires, () => (key) => keys.some((one: Expires) => one!.testKey!(key)))
  expire(store, rows, keys.length > 0 ? test : undefined, key)
}

/** An endpoint, another test of keys, or an Entity. */
type Expires = { readonly key?: any; testKey?(key: string): boolean } | undefined

const tests = /* @__PURE__ */ new WeakMap<object, TestKey>()

/**
 * A mutation that the server may have done, though no response tells: what it may have changed is in doubt.
 *
 * @param deletes the records that it was to delete
 */
export function applyUnknown(store: Store, call: Call, sent: Sent, deletes?: Deletes): void {
  const { endpoint, plain: args } = call
  if (endpoint.sideEffect) {
    const meta = arriveNow(store, call, sent, 0)
    store.commit(unknownWrite({ tables: store.tables, args, meta, key: call.key }, endpoint.schema, 'no-outcome'))
    applyExpires(store, call)
    if (deletes) {
      loseDeletes(store.tables, deletes, store.reached)
    }
  }
}

function putResult(store: Store, slot: Slot, schema: unknown, value: unknown, meta: Meta): void {
  const old: ResultMeta | undefined = slot.meta
  const { sent, kind } = meta
  // It was invalidated since.
  if (sent < (old?.invalidatedAt ?? 0)) {
    return
  }
  // A newer response of this key is here.
  if (relation(meta, old) === 'loses') {
    if ([kind, old?.kind].includes('mutation') && value !== slot.value) {
      store.doubt([slot], 'crossed', slot.pk)
    }
    return
  }
  slot.schema = schema
  store.put(slot, { value, meta })
  if (old?.invalidated || old?.error !== undefined) {
    slot.node?.aged()
  }
}

/** Stores an error; the data stays. */
export function applyError(
  store: Store,
  call: Call,
  thrown: unknown,
  sent: Sent & Partial<Meta>,
  fromApp?: boolean,
  isSoft?: boolean,
): void {
  const { endpoint, key } = call
  // A page that fails leaves the list as it is.
  if (isPage(endpoint)) {
    return
  }
  const error = asError(thrown)
  const slot = store.tables.endpoints.slot(key)
  const expiry = endpoint.errorExpiryLength ?? store.defaults.errorExpiryLength
  const errorPolicy = isSoft ? 'soft' : endpoint.errorPolicy?.(error as UnknownError)
  const old: ResultMeta | undefined = slot.meta
  const valueFetchedAt = old?.error === undefined ? old?.fetchedAt : old.valueFetchedAt
  // Assigning the members is faster than spreading them.
  const times = arriveNow(store, call, sent, expiry, fromApp)
  const meta: ResultMeta = Object.assign(times, { error, errorPolicy, valueFetchedAt })
  if (relation(meta, old) === 'loses' || meta.sent < (old?.invalidatedAt ?? 0)) {
    return
  }
  store.put(slot, { value: slot.value, meta })
  slot.node?.aged()
}
