import type { EntityClass } from '../schema/Denormalize.ts'
import { queryMembers } from '../schema/Object.ts'
import { isEntity, isSchemaClass, type IQueryDelegate } from '../schema/Schema.ts'

/** What a schema would stand for if an endpoint had answered with these arguments; `undefined` when the store cannot tell. */
export function queryKey(schema: any, args: readonly any[], delegate: Asking): unknown {
  const ask = (inner: unknown, given: readonly any[]): unknown => queryKey(inner, given, delegate)
  if (isEntity(schema)) {
    delegate.meet(schema)
    return (schema as unknown as { queryKey: AskEntity }).queryKey(args, ask, delegate)
  }
  if (typeof schema === 'function') return undefined
  // What is no schema is its own default.
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return undefined
  if (isSchemaClass(schema)) return schema.queryKey(args, ask, delegate)
  return queryMembers(schema as object, args, ask)
}

/** What a schema asks, and who is told of the classes that are met. */
interface Asking extends IQueryDelegate {
  /** The table of a class has to know it before its rows are looked at. */
  meet(schema: EntityClass): void
}

type AskEntity = (args: readonly any[], ask: unknown, delegate: IQueryDelegate) => unknown
