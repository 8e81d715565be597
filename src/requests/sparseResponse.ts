// Mutations whose response says nothing of the record: it is empty (204), or has only the key (`completeMutation.ts`).

import { isPlain } from '../base/equal.ts'
import { classOf, envelopeOf } from '../schema/envelope.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity } from '../schema/Schema.ts'

/** True for the response of a mutation of a record that has no body: it was done, and the server does not say more. */
export function isEmptyWrite(schema: unknown, value: unknown): boolean {
  return (value === undefined || value === null) && envelopeOf(schema).schema !== undefined
}

/** True for the response of a mutation that is empty, or has nothing but the key of the record. */
export function isBareWrite(root: unknown, value: unknown): boolean {
  const { schema, path } = envelopeOf(root)
  const Class: unknown = classOf(schema)
  const record: unknown = path.reduce((inner: any, name) => inner?.[name], value)
  if (!isEntity(Class) || schema.kind === 'remove' || !isPlain(record)) {
    return isEmptyWrite(root, value)
  }
  return Object.keys(record).length === 1 && argsPk(Class as unknown as RecordClass, [record]) !== undefined
}
