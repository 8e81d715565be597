import { isObject } from '../base/equal.ts'
import { rawValues } from '../rows/origin.ts'
import type { Row } from '../rows/Row.ts'
import { denormalizeItems } from '../schema/Array.ts'
import { denormalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { convertFailed } from '../schema/refuse.ts'
import { scalarTable } from '../schema/scalarTable.ts'
import { type IDenormalizeDelegate, INVALID, isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import { isComplete } from './query.ts'
import type { Reader } from './denormalize.ts'
import type { Node } from '../rows/Node.ts'
import { listsOf, recordsOf } from './code.ts'
import { findNode } from './nodes.ts'

/** The value of a normalised input. */
export function unvisit(reader: Reader, schema: any, input: any): any {
  if (input === undefined || input === null || input === INVALID) {
    return input
  }
  if (typeof schema === 'function') {
    if (!isEntity(schema)) {
      return convert(schema, input, reader.node!, reader.field)
    }
    const Class: any = schema
    if (typeof input !== 'object') {
      return reader.get(recordsOf(Class).child(reader, Class, String(input)))
    }
    // A class without this field in its schema has stored it as it came.
    return input instanceof Class ? input : Class.fromJS(input)
  }
  if (!isObject(schema)) {
    return input
  }
  if (Array.isArray(schema)) {
    return denormalizeItems(listChoice(schema), input, reader.delegate)
  }
  return isSchemaClass(schema)
    ? schema.denormalize(input, isOwn(schema) ? reader.delegate : reader.userDelegate)
    : denormalizeMembers(schema, input, reader.delegate)
}

/** @param isWhole for schemas of the app, which may look into the values they are given: records are finished first */
export function createReadDelegate(reader: Reader, isWhole = false): IDenormalizeDelegate {
  return {
    get args() {
      return reader.args
    },
    unvisit: (schema, input) => {
      const value: unknown = unvisit(reader, schema, input)
      if (isWhole) {
        reader.finishParts()
      }
      return value
    },
    all: (schema) => reader.get(recordsOf(schema).all(reader, schema as never)) as any[],
    cell: (key, cell) => {
      const value = reader.get(findNode(reader, reader.tables.table(scalarTable(key)).row(cell), 'leaf'))
      return value === INVALID ? undefined : value
    },
    reader,
    list: (collection, pk) => reader.get(listsOf(collection).node(reader, collection as never, pk)),
    isComplete: (schema, value) => {
      const { kind, seen } = reader.node!
      return kind !== 'result' || seen !== undefined || isComplete(schema, value)
    },
  }
}

/** Converts a stored value; `node` and `field` say in messages where it is. */
export function convert(converter: any, raw: unknown, { kind, source }: Node, field: string | undefined): unknown {
  // An arrow function has no prototype to compare with.
  if (typeof converter.prototype === 'object' && raw instanceof converter) {
    return raw
  }
  try {
    const value: unknown = construct(converter, raw)
    if (isObject(value) && value !== raw) {
      rawValues.set(value, raw)
    }
    return value
  } catch (cause) {
    const { key, pk } = source as Row
    throw convertFailed(kind === 'entity' ? `${key} ${pk}` : undefined, field, raw, cause)
  }
}

const CALLED = new Set<unknown>([Number, String, Boolean, BigInt, Symbol])

/** Functions are called, classes are constructed. Those that were compiled to functions have methods. */
function construct(converter: any, raw: unknown): unknown {
  const { value: prototype, writable } = Object.getOwnPropertyDescriptor(converter, 'prototype') ?? {}
  const isClass = prototype && (!writable || Object.getOwnPropertyNames(prototype).length > 1)
  return isClass && !CALLED.has(converter) ? new converter(raw) : converter(raw)
}
