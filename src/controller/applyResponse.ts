import { noPage, otherRecord, schemaName } from '../advice/fetched.ts'
import { DEV } from '../base/env.ts'
import { share } from '../base/equal.ts'
import { asError } from '../base/errors.ts'
import type { UnknownError } from '../endpoint/EndpointOptions.ts'
import { UNCHANGED } from '../endpoint/start.ts'
import { type Change, normalize, unknownWrite } from '../normalize/normalize.ts'
import { shownResult } from '../normalize/receiveList.ts'
import type { Slot } from '../normalize/tables.ts'
import { discard, type Intake } from '../normalize/Walk.ts'
import { isPage, nextPage } from '../rest/paginate.ts'
import { envelopeOf } from '../rest/sent.ts'
import { isOlder, type ListSchema, type Meta } from '../schema/Schema.ts'
import type { ResultMeta, Store } from '../store/Store.ts'
import type { Call } from './actions.ts'
import { applyExpires } from './applyExpires.ts'
import { completeResponse, isBareWrite, isEmptyWrite } from './sparseResponse.ts'
import { pathOf } from './read.ts'
import { topTablesOf } from './tablesOf.ts'

/** When a request was sent. */
export type Sent = Pick<Meta, 'sent' | 'fetchedAt'>

/** A response without its value: that of a request, or one that the app sets. */
interface ResponseContext {
  readonly fromApp?: boolean
  readonly hasAllPages?: boolean | undefined
  /** Makes the optimistic response; `records` receives those that it was made from. */
  optimistic?(records: Map<Slot, object>): unknown
}

/** The times of a result that was never received. */
export const UNKNOWN: ResultMeta = { fetchedAt: 0, date: 0, expiresAt: 0, sent: 0, at: 0, kind: 'read' }

/** A value that is set now. */
export function sentNow(store: Store): Sent {
  return { sent: store.nextNumber(), fetchedAt: store.clock.now() }
}

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
  return { sent, at: fromApp ? sent : store.nextNumber(), kind, fetchedAt, date, expiresAt: date + expiry }
}

/** Stores a response and returns its normalised result. Throws the error of a response that is refused, and stores it. */
export function applyResponse(
  store: Store,
  call: Call,
  value: unknown,
  sent: Sent,
  context: ResponseContext = {},
): unknown {
  const { endpoint, key } = call
  const { tables, defaults } = store
  const meta = arriveNow(store, call, sent, endpoint.dataExpiryLength ?? defaults.dataExpiryLength, context.fromApp)
  const isMutation = meta.kind === 'mutation'
  const slot = tables.endpoints.slot(key)
  let change: Change
  try {
    change =
      value === UNCHANGED
        ? { result: slot.value, slots: [], doubted: new Set(), wroteTo: new Set(), meta }
        : normalizeResponse(store, call, value, intakeOf(store, call, value, meta, context), context)
    // A page without a list would leave the list as it is.
    const isLost = isPage(endpoint) && change.listOutcome === undefined
    const wrong = isLost ? noPage(key, value) : otherRecord(endpoint, key, call.plain, change.result)
    if (wrong) {
      discard(change.slots)
      throw wrong
    }
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
  const shown = listOutcome ? shownResult(listOutcome, result, slot.value) : result
  store.commit(change)
  // Rows of the response that are in doubt leave the result so, too.
  const doubt = slots.reduce((most, row) => Math.max(most, row.doubt), 0)
  const wasExpired = endpoint.invalidIfStale && slot.meta !== undefined && slot.meta.expiresAt < meta.date
  if (!isPage(endpoint)) {
    putResult(store, slot, endpoint.schema, shown, meta, doubt)
  } else if (listOutcome?.page) {
    putPage(store, slot, shown, meta, doubt)
  }
  // The value may be the same, but readers did not see it.
  if (wasExpired) {
    slot.node?.aged(undefined, true)
  }
  // An empty response that tells nothing of its record has no result that `update` could use.
  const isUnknown = isMutation && result === undefined && isEmptyWrite(endpoint, value)
  if (endpoint.update && !isUnknown) {
    applyUpdates(store, call, result, meta)
  }
  applyExpires(store, endpoint)
  return result
}

/** The error of a response that is refused. */
function refusedError({ endpoint, key }: Call, thrown: unknown, response: unknown): unknown {
  const error = asError(thrown) as Error
  const message = DEV ? `Error processing ${key} (${schemaName(endpoint.schema)}): ${error.message}` : error.message
  const more = { status: 400, refused: true, response }
  try {
    return Object.assign(error, { message }, more)
  } catch {
    // Frozen, or of a kind whose message is fixed.
    return Object.assign(new Error(message, { cause: error }), more)
  }
}

function intakeOf(store: Store, call: Call, value: unknown, meta: Meta, context: ResponseContext): Intake {
  const { endpoint, key, plain: args } = call
  return {
    tables: store.tables,
    args,
    meta,
    key,
    path: pathOf(endpoint),
    fromApp: context.fromApp === true,
    isWrite: endpoint.sideEffect,
    endpoint,
    hasAllPages: context.hasAllPages,
    next: nextPage(endpoint, value, args),
  }
}

/** The change of a response. Where that of a mutation says nothing of the record, this and its lists are in doubt. */
function normalizeResponse(store: Store, call: Call, value: unknown, intake: Intake, context: ResponseContext): Change {
  const { schema } = call.endpoint
  if (intake.meta.kind !== 'mutation' || !isBareWrite(call.endpoint, value)) {
    return normalize(schema, value, intake)
  }
  const isEmpty = isEmptyWrite(call.endpoint, value)
  const completed = completeResponse(store, call, value)
  // An action without a body has shown what it does.
  const shown = isEmpty && !completed?.isTold ? normalizeOptimistic(call, intake, context) : undefined
  const change =
    shown ??
    (completed
      ? normalize(schema, completed.value, { ...intake, fromApp: true, madeFrom: completed.madeFrom })
      : isEmpty
        ? unknownWrite(intake, ...subjectOf(schema))
        : normalize(schema, value, intake))
  // A remover names what it changes, and nothing else.
  if (completed && envelopeOf(schema).schema?.kind === 'remove') {
    return change
  }
  // The response says enough about the records nested in it.
  const written = topTablesOf(schema)
  const isWritten = ({ table: { key, holds } }: Slot): boolean => [key, ...holds].some((one) => written.has(one))
  change.slots.filter(isWritten).forEach((slot) => change.doubted.add(slot))
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

/** The tables that a mutation writes to, and the Collection that it names. */
function subjectOf(schema: unknown): [tables: ReadonlyMap<string, object>, own: ListSchema | undefined] {
  return [topTablesOf(schema), envelopeOf(schema).schema?.collection as ListSchema | undefined]
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

/** A mutation that the server may have done, though no response tells: what it may have changed is in doubt. */
export function applyUnknown(store: Store, call: Call, sent: Sent): void {
  const { endpoint, plain: args } = call
  if (endpoint.sideEffect) {
    const meta = arriveNow(store, call, sent, 0)
    store.commit(unknownWrite({ tables: store.tables, args, meta }, ...subjectOf(endpoint.schema)))
    applyExpires(store, endpoint)
  }
}

/** Stores a page. It makes the list no fresher, and does not count as a response of the list. */
function putPage(store: Store, slot: Slot, value: unknown, meta: Meta, doubt: number): void {
  const known: ResultMeta = slot.meta ?? { ...meta, sent: 0, at: 0 }
  const expiresAt = Math.min(known.expiresAt, meta.expiresAt)
  store.put(slot, { value: share(slot.value, value), meta: { ...known, expiresAt } })
  ageIf(slot, doubt)
}

function putResult(store: Store, slot: Slot, schema: unknown, value: unknown, meta: Meta, doubt: number): void {
  const old: ResultMeta | undefined = slot.meta
  const { sent, at, kind, fetchedAt, date, expiresAt } = meta
  // It was invalidated since, or a newer response of this key is here.
  if (sent < (old?.invalidatedAt ?? 0)) {
    return
  }
  if (old !== undefined && isOlder(meta, old)) {
    const isMutation = [meta, old].some((one) => one.kind === 'mutation')
    if (isMutation && share(slot.value, value) !== slot.value) {
      store.doubt([slot])
    }
    return
  }
  slot.schema = schema
  const next: ResultMeta = { sent, at, kind, fetchedAt, date, expiresAt, prevExpiresAt: old?.expiresAt }
  store.put(slot, { value: share(slot.value, value), meta: next })
  if (old?.invalidated || old?.error !== undefined) {
    slot.node?.aged()
  }
  ageIf(slot, doubt)
}

function ageIf(slot: Slot, doubt: number): void {
  if (doubt > slot.meta!.sent) {
    slot.doubt = Math.max(slot.doubt, doubt)
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
  const meta: ResultMeta = { ...arriveNow(store, call, sent, expiry, fromApp), error, errorPolicy, valueFetchedAt }
  if (old !== undefined && (isOlder(meta, old) || meta.sent < (old.invalidatedAt ?? 0))) {
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
