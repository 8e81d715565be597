import { DEV } from '../base/env.ts'
import { refusal } from '../base/errors.ts'
import { show } from '../base/show.ts'
import { rawValues } from '../normalize/origin.ts'
import type { Slot } from '../normalize/tables.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Node } from './memo.ts'

/** True for a function instead of a schema. */
export function isConverter(member: unknown): boolean {
  return typeof member === 'function' && !isEntity(member)
}

/** Converts a stored value; `node` and `field` say in messages where it is. */
export function convert(converter: any, raw: unknown, { kind, source }: Node, field: string | undefined): unknown {
  // An arrow function has no prototype to compare with.
  if (typeof converter.prototype === 'object' && raw instanceof converter) {
    return raw
  }
  try {
    const value: unknown = construct(converter, raw)
    if (typeof value === 'object' && value !== null && value !== raw) {
      rawValues.set(value, raw)
    }
    return value
  } catch (cause) {
    const { key, pk } = source as Slot
    const isRecord = kind === 'entity'
    const where = DEV && (isRecord ? `of "${field}" threw for "${key}" ${pk}` : 'threw in the response')
    throw refusal(
      'convert-failed',
      isRecord ? `${key} ${pk} at ${field}` : 'response',
      DEV && `The converter ${where}: ${String(cause)}. The stored value is ${show(raw)}.`,
      { cause },
    )
  }
}

const CALLED = new Set<unknown>([Number, String, Boolean, BigInt, Symbol])

/** Functions are called, classes are constructed. */
function construct(converter: any, raw: unknown): unknown {
  if (CALLED.has(converter)) {
    return converter(raw)
  }
  if (Object.getOwnPropertyDescriptor(converter, 'prototype')?.writable === false) {
    return new converter(raw)
  }
  try {
    return converter(raw)
  } catch (error) {
    if (
      error instanceof TypeError &&
      /without 'new'|without new|constructor .* requires|class as a function|Illegal constructor/i.test(error.message)
    ) {
      return new converter(raw)
    }
    throw error
  }
}
