import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { asError } from '../base/errors.ts'
import type { EndpointInterface, UnknownError } from '../endpoint/EndpointOptions.ts'
import type { Intake } from '../normalize/drafts.ts'
import { isCrossing } from '../normalize/log.ts'
import { type Change, normalize } from '../normalize/normalize.ts'
import { shownResult } from '../normalize/counts.ts'
import type { Slot } from '../normalize/tables.ts'
import { isPage, nextPage } from '../rest/paginate.ts'
import { isOlder, type Meta, STALE } from '../schema/Schema.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import type { Call } from './actions.ts'
import { checkPage, checkRecord, refusedError } from './checkResponse.ts'
import { completeResponse, isEmptyWrite, unknownWrite } from './sparseResponse.ts'
import { pathOf } from './read.ts'
import { topTablesOf } from './tablesOf.ts'

/** When a response was sent for, and how it ranks among others. */
export type Rank = Pick<Meta, 'sent' | 'order' | 'fetchedAt'>

/** A response without its value: that of a request, or one that the app sets. */
interface ResponseContext extends Pick<Intake, 'whenSent' | 'hasAllPages' | 'fromApp'> {
  /** Makes the optimistic response; `records` receives those that it was made from. */
  optimistic?(records: Map<Slot, object>): unknown
}

/** The times of a result that was never received. */
export const UNKNOWN: ResultMeta = { fetchedAt: 0, date: 0, expiresAt: 0, sent: 0, order: 0 }

/** The rank of a write that is made now. */
export function rankNow(store: Store): Rank {
  const fetchedAt = store.clock.now()
  return { sent: store.nextNumber(fetchedAt), order: store.nextNumber(fetchedAt), fetchedAt }
}

/** Reads rank by when they were sent, writes by when they are committed. */
export function rankOf(
  store: Store,
  { sideEffect }: EndpointInterface,
  { sent, fetchedAt }: Pick<Meta, 'sent' | 'fetchedAt'>,
): Rank {
  return { sent, fetchedAt, order: sideEffect ? store.nextNumber() : sent }
}

/** Stores a response and returns its normalised result. Throws the error of a response that is refused, and stores it. */
export function applyResponse(
  store: Store,
  call: Call,
  value: unknown,
  { sent, order, fetchedAt }: Rank,
  context: ResponseContext = {},
): unknown {
  const { endpoint, key } = call
  const { tables } = store
  const date = store.clock.now()
  const expiresAt = date + (endpoint.dataExpiryLength ?? store.defaults.dataExpiryLength)
  const meta: Meta = { sent, order, fetchedAt, date, expiresAt }
  const isMutation = endpoint.sideEffect === true && !context.fromApp
  let change: Change
  try {
    const intake = intakeOf(store, call, value, meta, context)
    change = isMutation
      ? normalizeMutation(store, call, value, intake, context)
      : normalize(endpoint.schema, value, intake)
    checkRecord(call, change)
    checkPage(call, value, change)
  } catch (error) {
    const refused = refusedError(call, error, value)
    if (DEV) {
      console.error(refused)
    }
    applyError(store, call, refused, meta)
    if (!context.fromApp) {
      applyUnknown(store, call, meta)
    }
    throw refused
  }
  const { result, listOutcome, slots } = change
  const isStale = slots.some(({ draft }) => draft?.stale)
  const slot = tables.endpoints.slot(key)
  const shown = listOutcome ? shownResult(listOutcome, result, slot.value, meta, tables.reached()) : result
  if (isMutation) {
    commitWrite(store, change)
  } else {
    store.commit(change)
  }
  const wasExpired = endpoint.invalidIfStale && slot.meta !== undefined && slot.meta.expiresAt < date
  if (!isPage(endpoint)) {
    putResult(store, slot, endpoint.schema, shown, meta, isStale)
  } else if (listOutcome?.taken) {
    putPage(store, slot, shown, meta, isStale)
  }
  // The value may be the same, but readers did not see it.
  if (wasExpired) {
    slot.node?.aged(true)
  }
  // An empty response that tells nothing of its record has no result that `update` could use.
  const isUnknown = isMutation && result === undefined && isEmptyWrite(endpoint, value)
  if (endpoint.update && !isUnknown) {
    applyUpdates(store, call, result, meta)
  }
  return result
}

function intakeOf(store: Store, call: Call, value: unknown, meta: Meta, context: ResponseContext): Intake {
  const { endpoint, key, plain: args } = call
  return {
    tables: store.tables,
    args,
    meta,
    horizon: store.horizon(),
    key,
    path: pathOf(endpoint),
    fromApp: context.fromApp === true,
    isWrite: endpoint.sideEffect,
    whenSent: context.whenSent,
    endpoint,
    hasAllPages: context.hasAllPages,
    next: nextPage(endpoint, value, args),
  }
}

/** The change of a mutation, whose response may have less than the record, or nothing. */
function normalizeMutation(store: Store, call: Call, value: unknown, intake: Intake, context: ResponseContext): Change {
  const { schema } = call.endpoint
  const { value: completed, read, isUnfinished } = completeResponse(store, call, value)
  const normalizeEmpty = (): Change =>
    completed === undefined
      ? (normalizeOptimistic(call, intake, context) ?? unknownWrite(intake, schema))
      : normalize(schema, completed, { ...intake, fromApp: true, madeFrom: read })
  const change = read ? normalizeEmpty() : normalize(schema, completed, intake)
  if (isUnfinished) {
    // The response says enough about the records nested in it.
    const written = topTablesOf(schema)
    const isWritten = ({ table: { key, holds } }: Slot): boolean => [key, ...holds].some((one) => written.has(one))
    change.slots.filter(isWritten).forEach(({ draft }) => (draft!.stale = true))
  }
  return change
}

/** The optimistic change of the mutation; `undefined` if it has none, or if its record has no key yet. */
function normalizeOptimistic({ endpoint }: Call, intake: Intake, context: ResponseContext): Change | undefined {
  const read = new Map<Slot, object>()
  try {
    return endpoint.getOptimisticResponse && context.optimistic
      ? normalize(endpoint.schema, context.optimistic(read), { ...intake, fromApp: true, madeFrom: read })
      : undefined
  } catch {
    return undefined
  }
}

/** Stores the results of other endpoints that `update` changes. */
function applyUpdates(store: Store, call: Call, result: unknown, meta: Meta): void {
  const { sent, order } = meta
  for (const [slot, value] of updatesOf(store, call, result, (other) => other.value)) {
    const old: ResultMeta = slot.meta ?? UNKNOWN
    // A value that replaces an error counts as a response.
    const known = old.error && value !== undefined ? meta : old
    // A read that was sent before the write must not undo its update.
    store.put(slot, { value, meta: call.endpoint.sideEffect ? { ...known, sent, order } : known })
  }
}

/** A mutation that the server may have done, though no response tells: what it may have changed is stale. */
export function applyUnknown(store: Store, { endpoint, plain: args }: Call, rank: Rank): void {
  if (endpoint.sideEffect) {
    // The rows are marked stale when they are committed, which notifies their readers.
    const meta: Meta = { ...rank, date: rank.fetchedAt, expiresAt: rank.fetchedAt }
    commitWrite(store, unknownWrite({ tables: store.tables, args, meta, horizon: store.horizon() }, endpoint.schema))
  }
}

function commitWrite(store: Store, change: Change): void {
  store.commit(change)
  store.onWrite?.([...change.slots, ...(change.staleLists?.keys() ?? [])])
}

/** Stores a page. It makes the list no fresher, and does not outrank a response of the list. */
function putPage(store: Store, slot: Slot, value: unknown, meta: Meta, stale: boolean): void {
  const known: ResultMeta = slot.meta ?? { ...meta, sent: 0, order: 0 }
  const expiresAt = stale ? STALE : Math.min(known.expiresAt, meta.expiresAt)
  store.put(slot, { value: share(slot.value, value), meta: { ...known, expiresAt } })
  if (stale) {
    slot.node?.aged()
  }
}

function putResult(store: Store, slot: Slot, schema: unknown, value: unknown, meta: Meta, stale: boolean): void {
  const old: ResultMeta | undefined = slot.meta
  if (old !== undefined && isOlder(meta, old)) {
    if (stale || (isCrossing(old, meta) && share(slot.value, value) !== slot.value)) {
      store.expire(slot)
    }
    return
  }
  const { sent, order, fetchedAt, date } = meta
  const expiresAt = stale ? STALE : meta.expiresAt
  const next: ResultMeta = { sent, order, fetchedAt, date, expiresAt, prevExpiresAt: old?.expiresAt }
  slot.schema = schema
  store.put(slot, { value: share(slot.value, value), meta: next })
  if (stale || old?.invalidated || old?.error !== undefined) {
    slot.node?.aged()
  }
}

/** Stores an error; the data stays. */
export function applyError(
  store: Store,
  { endpoint, key }: Call,
  thrown: unknown,
  { sent, order, fetchedAt }: Rank,
): void {
  // A page that fails leaves the list as it is.
  if (isPage(endpoint)) {
    return
  }
  const error = asError(thrown)
  const slot = store.tables.endpoints.slot(key)
  const date = store.clock.now()
  const expiresAt = date + (endpoint.errorExpiryLength ?? store.defaults.errorExpiryLength)
  const errorPolicy = endpoint.errorPolicy?.(error as UnknownError)
  const old: ResultMeta | undefined = slot.meta
  const valueFetchedAt = old?.error === undefined ? old?.fetchedAt : old.valueFetchedAt
  const meta: ResultMeta = { sent, order, fetchedAt, date, expiresAt, error, errorPolicy, valueFetchedAt }
  if (old !== undefined && isOlder(meta, old)) {
    return
  }
  store.put(slot, { value: slot.value, meta })
  slot.node?.aged()
}

/** The results of other endpoints that `update` changes. */
export function updatesOf(
  { tables }: Store,
  { endpoint, plain }: Call,
  result: unknown,
  current: (slot: Slot) => unknown,
): [Slot, unknown][] {
  try {
    return Object.entries(endpoint.update?.(result, ...(plain as [])) ?? {}).map(([key, change]) => {
      const slot = tables.endpoints.slot(key)
      return [slot, share(slot.value, change(current(slot)))]
    })
  } catch (error) {
    console.error(error)
    return []
  }
}
