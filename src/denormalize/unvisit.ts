import { put } from '../base/equal.ts'
import { denormalizeItems } from '../schema/Array.ts'
import type { Collection } from '../schema/Collection.ts'
import type { Entity } from '../schema/Entity.ts'
import { denormalizeMembers } from '../schema/Object.ts'
import { listChoice } from '../schema/polymorphic.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { type IDenormalizeDelegate, INVALID, isEntity, isOwn, isSchemaClass } from '../schema/Schema.ts'
import { isComplete } from './complete.ts'
import { childNode, depthOf, listNode, type ReadContext, variant } from './context.ts'
import { convert } from './convert.ts'
import { FAILED } from './memo.ts'
import { findNode } from './nodes.ts'
import { shapeOf } from './shape.ts'

/** The value of a normalised input. */
export function unvisit(context: ReadContext, schema: any, input: any): any {
  if (input === undefined || input === null || input === INVALID) {
    return input
  }
  if (typeof schema === 'function') {
    if (!isEntity(schema)) {
      return convert(schema, input, context.frame.node, context.frame.field)
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
  if (!isSchemaClass(schema)) {
    return denormalizeMembers(schema as object, input, context.delegate)
  }
  return schema.denormalize(input, isOwn(schema) ? context.delegate : context.userDelegate)
}

/** @param isWhole records that were begun are finished before the schema sees them */
export function createReadDelegate(context: ReadContext, isWhole = false): IDenormalizeDelegate {
  return {
    get args() {
      return context.frame.args
    },
    unvisit: (schema, input) => {
      const value: unknown = unvisit(context, schema, input)
      if (isWhole) {
        finish(context)
      }
      return value
    },
    all: (schema) => {
      const { table } = context.tables.classInfo(schema as never, 0)
      const extra = variant(context, depthOf(context.frame), shapeOf(schema as never).lenses)
      return context.get(findNode(context.apart, table, 'all', schema, extra)) as any[]
    },
    cell: (key, cell) => {
      const value = context.get(findNode(context.apart, context.tables.table(scalarTable(key)).slot(cell), 'cell'))
      return value === INVALID ? undefined : value
    },
    list: (collection, pk) =>
      context.get(listNode(context, collection as Collection, context.tables.table(collection.key).slot(pk))),
    isComplete: (schema, value) => {
      const { kind, seen } = context.frame.node
      return kind !== 'result' || seen !== undefined || isComplete(schema, value)
    },
  }
}

/** Finishes what the schema will see; throws where a part of it cannot be built. */
function finish(context: ReadContext): void {
  context.finishRecords()
  for (let i = context.frame.start; context.hasFailed && i < context.end; i++) {
    const { flags, value } = context.noted[i]!
    if (flags & FAILED) {
      throw value
    }
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
