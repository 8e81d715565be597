import { isObject, isPlain } from '../base/equal.ts'
import { shapeOf } from '../denormalize/shape.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { createDrafts, type Intake } from '../normalize/drafts.ts'
import { type Fitting, followsWrites, type RecentWrite } from '../normalize/ListState.ts'
import { contribute, NOTHING } from '../normalize/records.ts'
import { recordsBefore } from '../normalize/edits.ts'
import type { Change } from '../normalize/normalize.ts'
import { originOf } from '../normalize/origin.ts'
import type { Slot, Table } from '../normalize/tables.ts'
import { classOf, envelopeOf, sent, wrap } from '../rest/sent.ts'
import { argsPk } from '../schema/pk.ts'
import { Entity } from '../schema/Entity.ts'
import { isEntity, type ListSchema } from '../schema/Schema.ts'
import type { Store } from '../store/Store.ts'
import type { Call } from './actions.ts'
import { createReads } from './read.ts'
import { topTablesOf } from './tablesOf.ts'

/** True for a mutation of a record whose response has no body (204): it was done, and the server does not say more. */
export function isEmptyWrite({ schema, sideEffect }: EndpointInterface, value: unknown): boolean {
  return sideEffect === true && (value === undefined || value === null) && envelopeOf(schema).schema !== undefined
}

/** A response of a mutation, completed from its request as far as that tells. */
export interface Completed {
  /** The value to store; `undefined` where nothing is known of it. */
  readonly value: unknown
  /** For an empty response: the stored records that the value was made from. Only what differs from them counts as written. */
  readonly read?: ReadonlyMap<Slot, object>
  /** The server may have changed more than it was sent: the records are fetched again. */
  readonly isUnfinished: boolean
}

/** Completes a response that has less than the record that was written. */
export function completeResponse(store: Store, { endpoint, args }: Call, value: unknown): Completed {
  const subject = subjectOf(endpoint, args)
  if (isEmptyWrite(endpoint, value)) {
    const read = new Map<Slot, object>()
    const record = subject && recordWritten(store, subject, args, read)
    return { value: record && wrap(endpoint.schema, record), read, isUnfinished: true }
  }
  return subject ? withSentFields(subject, value, args) : { value, isUnfinished: false }
}

/** The record that a mutation writes, and what the request says of it. */
interface Subject {
  readonly Class: typeof Entity
  /** The names that lead to it in a response. */
  readonly path: readonly string[]
  /**
   * How the request names it: `add` and `remove` of a list by the body, an `update` (PUT, PATCH) by the URL. `undefined` where
   * the body may describe something else, as that of `POST /todos/5/archive`.
   */
  readonly kind: 'add' | 'remove' | 'update' | undefined
  /** The list is a map: its body has records by key. */
  readonly isMap: boolean
  readonly body: unknown
  /** The fields of the body. A form has none of its own: its values are all text. */
  readonly fields: Readonly<Record<string, unknown>>
}

function subjectOf(
  endpoint: EndpointInterface & { readonly method?: string },
  args: readonly any[],
): Subject | undefined {
  const { schema, path } = envelopeOf(endpoint.schema)
  const Class = classOf(schema)
  if (!isEntity(Class)) {
    return undefined
  }
  const { collection, kind } = schema
  const isUpdate = ['PUT', 'PATCH'].includes(String(endpoint.method).toUpperCase())
  const body: unknown = 'body' in endpoint && endpoint.body === undefined ? undefined : args.at(-1)
  return {
    Class: Class as unknown as typeof Entity,
    path,
    kind: collection && kind !== 'move' ? kind : isUpdate ? 'update' : undefined,
    isMap: collection?.isMap === true,
    body,
    fields: isObject(body) && !Array.isArray(body) ? (sent(body) as Record<string, unknown>) : {},
  }
}

/** The response to a mutation with the declared fields that were sent and that it lacks, as `{ id: 5 }` after a create. */
function withSentFields(subject: Subject, value: unknown, args: readonly any[]): Completed {
  const { Class, path, kind, body, fields } = subject
  const record: any = path.reduce((inner: any, name) => inner?.[name], value)
  // A class with a `process` of its own may read the field from another one.
  const isReadable = Class.process === Entity.process && isPlain(record)
  if (!isReadable || !isBodyOfRecord(subject, record, args)) {
    return { value, isUnfinished: false }
  }
  const { declared } = shapeOf(Class)
  const isLacking = (name: string): boolean => !(name in record)
  const unreturned = Object.keys(fields).filter(isLacking)
  const missing = unreturned.filter((name) => declared.includes(name) && !(name in Class.schema))
  // A relation, a field of another name (`owner_id`) or a form may have changed what the response does not have.
  const mayChangeMore = unreturned.length > missing.length || isOpaque(body)
  const isShort = declared.some((name) => isLacking(name) && !missing.includes(name))
  // Of a new record the server may set more fields than it was sent.
  const isUnfinished = (mayChangeMore && isShort) || (missing.length > 0 && kind === 'add')
  if (missing.length === 0) {
    return { value, isUnfinished }
  }
  const replaced = (inner: any, at: number): unknown =>
    at < path.length
      ? { ...inner, [path[at]!]: replaced(inner[path[at]!], at + 1) }
      : { ...inner, ...Object.fromEntries(missing.map((name) => [name, fields[name]])) }
  return { value: replaced(value, 0), isUnfinished }
}

/** True where the body of the request describes the record of the response. */
function isBodyOfRecord({ Class, kind, isMap }: Subject, record: object, args: readonly any[]): boolean {
  const pk = argsPk(Class, [record])
  return pk !== undefined && (kind === 'add' ? !isMap : kind === 'update' && pk === argsPk(Class, args))
}

/** True for a form and the like, which does not show its fields. */
function isOpaque(body: unknown): boolean {
  return isObject(body) && !isPlain(body) && Object.keys(body).length === 0
}

/**
 * The record that an empty response stands for, as far as the request tells: the stored one with the fields of the body.
 * `undefined` where it does not tell.
 *
 * @param read receives the stored record: only what differs from it counts as written
 */
function recordWritten(
  store: Store,
  { Class, kind, isMap, fields }: Subject,
  args: readonly any[],
  read: Map<Slot, object>,
): object | undefined {
  if (kind === undefined || isMap) {
    return undefined
  }
  const { declared } = shapeOf(Class)
  /** Without fields that a record does not have, such as a password. */
  const pick = (of: object, more: object = {}): object =>
    Object.fromEntries(Object.entries(of).filter(([name]) => declared.includes(name) || name in more))
  if (kind !== 'update') {
    // A single argument is the body, whose fields are there as they were sent.
    const record = pick({ ...(args.length > 1 && args[0]), ...fields })
    return argsPk(Class, [pick(fields)]) === undefined ? undefined : record
  }
  const { reader, queries } = createReads(store, (slot) => slot)
  const stored = reader.read(queries.node(Class, args)) as object | undefined
  if (stored === undefined) {
    return undefined
  }
  read.set(originOf(stored)!, stored)
  return { ...stored, ...pick(fields, stored) }
}

/**
 * The change of a mutation that may have written anything: the records it names and every list of their kind are stale, also
 * after a read that was sent before it.
 */
export function unknownWrite(intake: Intake, schema: unknown): Change {
  const { tables, args, meta } = intake
  const drafts = createDrafts(intake)
  const keys = topTablesOf(schema)
  for (const slot of recordsBefore(tables, keys, args).keys()) {
    // It has a place in the order, so that an earlier read does not remove the mark.
    contribute(drafts, slot, NOTHING)
    slot.draft!.stale = true
  }
  const lists = [...keys].flatMap((key) => (tables.holders.get(key) ?? []).flatMap(({ rows }) => rows))
  const { collection } = (envelopeOf(schema).schema ?? {}) as { collection?: ListSchema }
  /** Its own lists follow it whether they follow other writes or not. */
  const mayFollow = (table: Table, list: Fitting): boolean =>
    followsWrites(list) || (table.key === collection?.key && list.name === collection.name)
  const shared = lists.filter(({ table, list }) => list && mayFollow(table, list))
  const write: RecentWrite = {
    meta,
    entriesFor: (table, list) => ({
      entries: [],
      isUnsure: table.holds.some((key) => keys.has(key)) && mayFollow(table, list),
    }),
    mayChange: ({ table, pk }) => keys.has(table.key) && argsPk(table.entity!, args) === pk,
  }
  return {
    result: undefined,
    slots: drafts.slots,
    staleLists: new Map(shared.map((slot) => [slot, new Map()])),
    recentWrites: [write],
  }
}
