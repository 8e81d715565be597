// Mutations whose response says nothing of the record: it is empty (204), or has only the key. The body that was sent, over the stored
// record, stands for it until it is fetched again.

import { isObject, isPlain } from '../base/equal.ts'
import { shapeOf } from '../denormalize/nodes.ts'
import type { EndpointInterface } from '../endpoint/EndpointOptions.ts'
import { classOf, envelopeOf, sent, wrap } from '../rest/sent.ts'
import type { Slot } from '../normalize/tables.ts'
import { argsPk } from '../schema/pk.ts'
import type { Entity } from '../schema/Entity.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Store } from '../store/Store.ts'
import type { Call } from './actions.ts'

/** True for a mutation of a record whose response has no body: it was done, and the server does not say more. */
export function isEmptyWrite({ schema, sideEffect }: EndpointInterface, value: unknown): boolean {
  return sideEffect === true && (value === undefined || value === null) && envelopeOf(schema).schema !== undefined
}

/** True for a mutation whose response is empty, or has nothing but the key of the record. */
export function isBareWrite(endpoint: EndpointInterface, value: unknown): boolean {
  const { schema, path } = envelopeOf(endpoint.schema)
  const Class: unknown = classOf(schema)
  const record: unknown = path.reduce((inner: any, name) => inner?.[name], value)
  if (!endpoint.sideEffect || !isEntity(Class) || schema.kind === 'remove' || !isPlain(record)) {
    return isEmptyWrite(endpoint, value)
  }
  const pk = argsPk(Class as unknown as typeof Entity, [record])
  return pk !== undefined && Object.keys(record).length === 1
}

/**
 * The response over the body over the record, and the record it was made from; `undefined` where nobody knows which record it is.
 * `isTold`: the body says what has changed.
 */
export function completeResponse(
  { tables }: Store,
  { endpoint, args }: Call,
  value: unknown,
): { value: unknown; isTold: boolean; madeFrom: ReadonlyMap<Slot, object> } | undefined {
  const { schema, path } = envelopeOf(endpoint.schema)
  const Class = classOf(schema) as typeof Entity
  if (!isEntity(Class) || schema.collection?.isMap) {
    return undefined
  }
  const { declared } = shapeOf(Class)
  const pick = (of: unknown): object =>
    isObject(of) && !Array.isArray(of)
      ? Object.fromEntries(Object.entries(sent(of)).filter(([name]) => declared.includes(name)))
      : {}
  const record: any = path.reduce((inner: any, name) => inner?.[name], value) ?? {}
  const fields = pick('body' in endpoint && endpoint.body === undefined ? undefined : args.at(-1))
  const isAdded = schema.kind === 'add'
  const isNamed = isAdded || schema.kind === 'remove'
  const pk = argsPk(Class, [record]) ?? argsPk(Class, isNamed ? [fields] : args) ?? argsPk(Class, isAdded ? [] : args)
  const slot = pk === undefined ? undefined : tables.tables.get(Class.key)?.slots.get(pk)
  const known = isObject(slot?.value) ? slot.value : undefined
  if (pk === undefined || (!known && !isAdded)) {
    return undefined
  }
  const params = isAdded && args.length > 1 ? pick(args[0]) : {}
  return {
    value: wrap(endpoint.schema, { ...known, ...params, ...fields, ...record }),
    isTold: Object.values(fields).some((value) => String(value) !== pk),
    // Only what differs from the stored record counts as written.
    madeFrom: new Map(known ? [[slot!, known]] : []),
  }
}
