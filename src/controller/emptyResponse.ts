import { isObject } from '../base/equal.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { createDrafts, type Intake } from '../normalize/drafts.ts'
import { recordsBefore } from '../normalize/changeMembers.ts'
import type { Change } from '../normalize/normalize.ts'
import { originOf } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import { sent } from '../rest/sent.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity, membersOf } from '../schema/Schema.ts'
import type { Store } from '../store/Store.ts'
import { createReads } from './read.ts'
import { tablesOf } from './tablesOf.ts'

/** True for a mutation of a record whose response has no body (204): it was done, and the server does not say more. */
export function isEmptyWrite({ schema, sideEffect }: EndpointInterface, value: unknown): boolean {
  return sideEffect === true && (value ?? undefined) === undefined && isRecord(envelopeOf(schema).schema)
}

function isRecord(schema: any): boolean {
  return isEntity(schema) || !!(schema?.isUnion || schema?.collection)
}

/** The schema of the record in an envelope (`{ data: Todo, message: '' }`), and the names that lead to it. */
function envelopeOf(schema: any): { schema: any; path: readonly string[] } {
  if (isRecord(schema)) {
    return { schema, path: [] }
  }
  const found = Object.entries(membersOf(schema) ?? {}).flatMap(([name, member]) => {
    const { schema: record, path } = envelopeOf(member)
    return isRecord(record) ? [{ schema: record as unknown, path: [name, ...path] }] : []
  })
  return found.length === 1 ? found[0]! : { schema: undefined, path: [] }
}

/**
 * The record that such a mutation has written, as far as the request tells: the stored record with the fields of the body.
 * `undefined` where it does not tell.
 *
 * @param read receives the stored record: only what differs from it counts as written
 */
export function writtenBy(
  store: Store,
  endpoint: EndpointInterface,
  args: readonly any[],
  read: Map<Slot, object>,
): object | undefined {
  const { schema, path } = envelopeOf(endpoint.schema)
  const record = recordWritten(store, endpoint, schema, args, read)
  return record && path.reduceRight<object>((inner, name) => ({ [name]: inner }), record)
}

function recordWritten(
  store: Store,
  endpoint: EndpointInterface,
  schema: any,
  args: readonly any[],
  read: Map<Slot, object>,
): object | undefined {
  const Class = schema.collection ? schema.collection.cacheWith.choice.schema : schema
  const body: unknown = 'body' in endpoint && endpoint.body === undefined ? undefined : args.at(-1)
  // A form has no fields of its own, and its values are all text.
  const fields = isObject(body) && !Array.isArray(body) ? sent(body) : {}
  if (!isEntity(Class) || schema.collection?.isMap) {
    return undefined
  }
  if (schema.collection && schema.kind !== 'move') {
    return argsPk(Class as never, [fields]) === undefined ? undefined : { ...(args.length > 1 && args[0]), ...fields }
  }
  // Only these methods say that the body belongs to the record of the URL.
  if (!/^(put|patch)$/i.test((endpoint as any).method as string)) {
    return undefined
  }
  const { reader, queries } = createReads(store, (slot) => slot)
  const stored = reader.read(queries.node(Class, args)) as object | undefined
  if (stored === undefined) {
    return undefined
  }
  read.set(originOf(stored)!, stored)
  return { ...stored, ...fields }
}

/** The change of a mutation that may have written anything: the records it names and every list of their kind are stale. */
export function doubt(intake: Intake, schema: unknown): Change {
  const { tables, args } = intake
  const { draft, slots } = createDrafts(intake)
  const keys = tablesOf(schema)
  for (const slot of recordsBefore(tables, keys, args).keys()) {
    draft(slot).stale = true
  }
  const lists = [...keys].flatMap((key) => (tables.holders.get(key) ?? []).flatMap(({ rows }) => rows))
  const shared = lists.filter(({ list }) => list && list.collection?.autoUpdate !== false)
  return { result: undefined, slots, outdated: new Map(shared.map((slot) => [slot, new Map()])) }
}
