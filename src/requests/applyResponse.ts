import type { Result } from './Result.ts'
import { checkExpires, noPage, otherRecord, refusedError } from '../advice/fetched.ts'
import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { asError } from '../base/errors.ts'
import { recall } from '../base/recall.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { UNCHANGED } from '../endpoint/start.ts'
import type { Deletes } from '../lists/ListRow.ts'
import { unknownWrite } from '../writing/lostWrite.ts'
import { normalize } from '../writing/normalize.ts'
import type { Row } from '../rows/Row.ts'
import { Change } from '../rows/Change.ts'
import type { StoreChange, StoreIntake } from '../lists/ListRow.ts'
import { relation } from '../rows/relation.ts'
import type { Meta } from '../rows/Meta.ts'
import type { Operation } from '../store/operations.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import { type Call, pathOf } from './Call.ts'
import { completeMutation } from './completeMutation.ts'
import { confirmRows, expire, type TestKey } from './expire.ts'
import { isBareWrite, isEmptyWrite } from './sparseResponse.ts'
import { updatesOf } from './pending.ts'

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

/** How a response came, beyond its call. */
interface How {
  /** The app sets it. */
  readonly fromApp?: boolean
  /** All pages of the list were stored before it. */
  readonly hasAllPages?: boolean
  /** Only these pages of the list were fetched: the others stay. */
  readonly pages?: ReadonlySet<string> | undefined
  /** The optimistic operation that the request had. */
  readonly operation?: Pick<Operation, 'issuedOver'> | undefined
}

/** Stores a response and returns its normalised result. Throws the error of a response that is refused, and stores it. */
export function applyResponse(store: Store, call: Call, value: unknown, sent: Sent, how: How = {}): unknown {
  const { endpoint, key } = call
  const expiry = endpoint.dataExpiryLength ?? store.defaults.dataExpiryLength
  const meta = arriveNow(store, call, sent, expiry, how.fromApp)
  const row = store.tables.endpoints.row(key)
  const isMutation = meta.kind === 'mutation'
  let change: StoreChange
  try {
    const intake = intakeOf(store, call, value, meta, how)
    if (value === UNCHANGED) {
      change = new Change(intake)
      change.result = row.value
      confirmRows(store, row, sent.sent)
    } else if (isMutation && isBareWrite(endpoint.schema, value)) {
      change = completeMutation(store, call, value, intake)
    } else {
      change = normalize(endpoint.schema, value, intake)
    }
    checkChange(call, value, change)
  } catch (error) {
    throw refuse(store, call, value, meta, error)
  }
  const { result } = change
  const old = row.meta
  storeChange(store, call, row, change, meta)
  // The value may be the same, but readers did not see it.
  if (endpoint.invalidIfStale && old && old.expiresAt < meta.date) {
    row.node?.aged()
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

function intakeOf({ tables }: Store, call: Call, value: unknown, meta: Meta, how: How): StoreIntake {
  const { endpoint, key, plain: args } = call
  return {
    tables,
    args,
    meta,
    key,
    path: pathOf(endpoint),
    fromApp: how.fromApp ?? false,
    isWrite: endpoint.sideEffect,
    endpoint,
    hasAllPages: how.hasAllPages,
    keepsPages: how.pages !== undefined,
    issuedOver: how.operation?.issuedOver,
    response: value,
  }
}

/** Refuses a page without a list, which would leave the list as it is, and in development another record than was requested. */
function checkChange({ endpoint, key, plain: args, isPage }: Call, value: unknown, change: StoreChange): void {
  const isLost = isPage && change.lists?.top === undefined
  const wrong = isLost ? noPage(key, value) : DEV && otherRecord(endpoint, key, args, change.result)
  if (wrong) {
    change.discard()
    throw wrong
  }
}

/** Stores the error of a response that is refused, and returns it. */
function refuse(store: Store, call: Call, value: unknown, meta: Meta, error: unknown): unknown {
  const refused = refusedError(call.endpoint.schema, call.key, error, value)
  if (DEV) {
    console.error(refused)
  }
  applyError(store, call, refused, meta)
  if (meta.kind !== 'set') {
    applyUnknown(store, call, meta)
  }
  return refused
}

/** Stores what a response changes, and its result. */
function storeChange(store: Store, { endpoint, isPage }: Call, row: Row, change: StoreChange, meta: Meta): void {
  const { result, lists } = change
  const old: ResultMeta | undefined = row.meta
  const value = share(row.value, lists ? lists.shownResult(result, row.value) : result)
  store.commit(change)
  if (isPage) {
    if (lists!.page) {
      // It makes the list no fresher, and does not count as a response of the list.
      const known = old ?? { ...meta, sent: 0, at: 0 }
      store.put(row, { value, meta: { ...known, expiresAt: Math.min(known.expiresAt, meta.expiresAt) } })
    }
    return
  }
  // It was invalidated since.
  if (meta.sent < (old?.invalidatedAt ?? 0)) {
    return
  }
  // A newer response of this key is here.
  if (relation(meta, old) === 'loses') {
    if ([meta.kind, old?.kind].includes('mutation') && value !== row.value) {
      store.doubt([row], 'crossed', row.pk)
    }
    return
  }
  ;(row as Result).schema = endpoint.schema
  store.put(row, { value, meta })
  if (old?.invalidated || old?.error !== undefined) {
    row.node?.aged()
  }
}

/** Stores the results of other endpoints that `update` changes. */
function applyUpdates(store: Store, call: Call, result: unknown, meta: Meta): void {
  const { sent, at, kind } = meta
  for (const [row, value] of updatesOf(store, call, result, (other) => other.value)) {
    const old: ResultMeta = row.meta ?? UNKNOWN
    // A value that replaces an error counts as a response.
    const known = old.error && value !== undefined ? meta : old
    // A read that was sent before the write must not undo its update.
    store.put(row, { value, meta: call.endpoint.sideEffect ? { ...known, sent, at, kind } : known })
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
  const isNamed = ({ table }: Row): boolean => [table.key, ...table.holds].some((name) => names.has(name))
  const rows = [...store.tables.tables.values()].flatMap(({ byPk }) => [...byPk.values()].filter(isNamed))
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
      store.tables.listCode!.loseDeletes(store.tables, deletes, store.reached)
    }
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
  if (call.isPage) {
    return
  }
  const error = asError(thrown)
  const row = store.tables.endpoints.row(key)
  const expiry = endpoint.errorExpiryLength ?? store.defaults.errorExpiryLength
  const errorPolicy = isSoft ? 'soft' : endpoint.errorPolicy?.(error as UnknownError)
  const old: ResultMeta | undefined = row.meta
  const valueFetchedAt = old?.error === undefined ? old?.fetchedAt : old.valueFetchedAt
  // Assigning the members is faster than spreading them.
  const times = arriveNow(store, call, sent, expiry, fromApp)
  const meta: ResultMeta = Object.assign(times, { error, errorPolicy, valueFetchedAt })
  if (relation(meta, old) === 'loses' || meta.sent < (old?.invalidatedAt ?? 0)) {
    return
  }
  store.put(row, { value: row.value, meta })
  row.node?.aged()
}
