import type { Collection } from '../schema/Collection.ts'
import type { EntityClass } from '../schema/Denormalize.ts'
import { queryMembers } from '../schema/Object.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, isEntity, isSchemaClass, type IQueryDelegate } from '../schema/Schema.ts'
import { entityNode, listNode, type ReadContext } from './context.ts'
import type { Node } from './memo.ts'
import { findNode, indexNode } from './nodes.ts'

/** The normalised value that the store has for the schema and arguments of a node. Each lookup is a dependency. */
export function keyOf(context: ReadContext, { schema, extra }: Node): unknown {
  const { path } = extra!
  const { tables, apart } = context
  const { args } = context.frame
  return queryKey(schema, args, {
    args,
    path,
    meet: (Class) => void tables.classInfo(Class as never, 0),
    getEntity(key, pk) {
      const table = tables.table(key)
      const slot = table.slot(pk)
      // A record that cannot be shown counts as missing.
      const record = context.get(
        table.entity === undefined ? findNode(context.apart, slot, 'cell') : entityNode(context, table.entity, slot),
      )
      return record === undefined || record === INVALID ? undefined : context.row(slot).value
    },
    getIndex: (Class, name, value) =>
      context.get(indexNode(apart, tables.classInfo(Class as never, 0).table, name, value)) as string | undefined,
    findOwner(key, cellOf) {
      const cells = tables.table(scalarTable(key))
      for (const name of tables.tables.keys()) {
        const slot = cells.slots.get(cellOf(name))
        if (slot && typeof context.row(slot).value === 'object') {
          return name
        }
      }
      // Any entity may bring the cell.
      context.get(findNode(context.apart, cells, 'table'))
      return undefined
    },
    hasEntities(key) {
      const table = tables.table(key)
      context.get(findNode(context.apart, table, 'table'))
      return table.rows.length > 0 || [...table.floating].some((slot) => typeof context.row(slot).value === 'object')
    },
    hasList(list, pk) {
      const slot = tables.table(list.key).slot(pk)
      context.get(listNode(context, list as Collection, slot))
      const value = context.row(slot).value
      const at = slot.list?.path
      return (
        value !== undefined &&
        value !== INVALID &&
        (path === undefined || at === undefined || at === path || (list as Collection).options.argsKey !== undefined)
      )
    },
  })
}

/** The normalised value of a schema for these arguments; `undefined` when the store cannot tell. */
function queryKey(schema: any, args: readonly any[], delegate: Asking): unknown {
  const ask = (inner: unknown, given: readonly any[]): unknown => queryKey(inner, given, delegate)
  if (isEntity(schema)) {
    delegate.meet(schema)
    return (schema as unknown as { queryKey: AskEntity }).queryKey(args, ask, delegate)
  }
  if (typeof schema === 'function') {
    return undefined
  }
  // Any other value is its own default.
  if (typeof schema !== 'object' || schema === null) {
    return schema
  }
  if (Array.isArray(schema)) {
    return undefined
  }
  if (isSchemaClass(schema)) {
    return schema.queryKey(args, ask, delegate)
  }
  return queryMembers(schema as object, args, ask)
}

/** The lookups of a schema. */
interface Asking extends IQueryDelegate {
  /** The table of a class has to know it before its rows are looked at. */
  meet(schema: EntityClass): void
}

type AskEntity = (args: readonly any[], ask: unknown, delegate: IQueryDelegate) => unknown
