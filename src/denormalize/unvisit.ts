import { DEV } from '../base/env.ts'
import { put } from '../base/equal.ts'
import { fail } from '../base/errors.ts'
import { denormalizeItems } from '../schema/Array.ts'
import { Collection } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { give } from '../schema/give.ts'
import { denormalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { Query } from '../schema/Query.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { type IDenormalizeDelegate, INVALID, isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import { isComplete } from './complete.ts'
import { childNode, find, listNode, type ReadContext, variant } from './context.ts'
import { convert } from './convert.ts'
import { FAILED } from './memo.ts'
import { schemaName } from './queryKey.ts'
import { shapeOf } from './shape.ts'

/** The value of a normalised input. */
export function unvisit(context: ReadContext, schema: any, input: any): any {
  if (input === undefined || input === null || input === INVALID) {
    return input
  }
  if (typeof schema === 'function') {
    if (!isEntity(schema)) {
      return convert(schema, input, context.frame.node!, context.frame.field)
    }
    return typeof input === 'object'
      ? inline(context, schema as never, input as Record<string, unknown>)
      : context.get(childNode(context, schema as never, String(input)))
  }
  if (typeof schema !== 'object' || schema === null) {
    return input
  }
  if (Array.isArray(schema)) {
    return denormalizeItems(listChoice(schema), input, context.delegate)
  }
  if (schema instanceof Collection && typeof input === 'string') {
    return context.get(listNode(context, schema, context.tables.table(schema.key).slot(input)))
  }
  if (schema instanceof Query) {
    return runQuery(context, schema, input)
  }
  if (!isSchemaClass(schema)) {
    return denormalizeMembers(schema as object, input, context.delegate)
  }
  return schema.denormalize(input, isOwn(schema) ? context.delegate : context.userDelegate)
}

/** @param isWhole records that were begun are finished before the schema sees them */
export function createDelegate(context: ReadContext, isWhole = false): IDenormalizeDelegate {
  const delegate: IDenormalizeDelegate = {
    get args() {
      return context.frame.args
    },
    unvisit: (schema, input) => {
      const value: unknown = unvisit(context, schema, input)
      if (isWhole) {
        context.finishRecords()
      }
      return value
    },
    give: (schema, input) => give(schema, input, delegate),
    all: (schema) => {
      const { table } = context.tables.classInfo(schema as never, 0)
      const depth = context.frame.node?.extra?.depth ?? Infinity
      const extra = variant(context, depth, shapeOf(schema as never).lenses)
      return context.get(find(context, table, 'all', schema, extra)) as any[]
    },
    cell: (key, cell) => {
      const value = context.get(find(context, context.tables.table(scalarTable(key)).slot(cell), 'cell'))
      return value === INVALID ? undefined : value
    },
  }
  return delegate
}

/** Runs the `process` of a Query on whole values. */
function runQuery(context: ReadContext, schema: Query, input: unknown): unknown {
  const entries: unknown = unvisit(context, schema.schema, input)
  if (entries === undefined || entries === INVALID) {
    return undefined
  }
  const { frame, noted } = context
  const { kind, seen } = frame.node!
  // Without a response the store may have a part of the data: `process` is written for the whole.
  if (kind === 'result' && seen === undefined && !isComplete(schema.schema, entries)) {
    return undefined
  }
  context.finishRecords()
  for (let i = frame.start; i < context.end; i++) {
    if (noted[i]!.flags & FAILED) {
      throw noted[i]!.view
    }
  }
  try {
    return schema.process(entries, ...frame.args)
  } catch (cause) {
    const name = schemaName(schema)
    throw fail('query-failed', name, DEV && `The process of a Query over "${name}" threw: ${String(cause)}.`, Error, {
      status: 400,
      refused: true,
      cause,
    })
  }
}

/** A value that was never normalised becomes an instance, too. */
function inline(context: ReadContext, Class: typeof Entity, input: Record<string, unknown>): unknown {
  if (input instanceof Class) {
    return input
  }
  const instance: object = Class.fromJS.call(Class as never, input)
  for (const [name, member] of Object.entries(Class.schema)) {
    if (Object.hasOwn(input, name)) {
      put(instance, name, unvisit(context, member, input[name]))
    }
  }
  return instance
}
