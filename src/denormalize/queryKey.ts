import { isObject } from '../base/equal.ts'
import type { Collection } from '../schema/Collection.ts'
import { queryMembers } from '../schema/Object.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type IQueryDelegate, isEntity, isSchemaClass, type SchemaClass } from '../schema/Schema.ts'
import { entityNode, listNode, type ReadContext } from './context.ts'
import type { Node } from './memo.ts'
import { findNode, indexNode } from './nodes.ts'

/** The normalised value that the store has for the schema and arguments of a node; `undefined` when it cannot tell. */
export function keyOf(context: ReadContext, { schema: root, extra }: Node): unknown {
  const delegate = createQueryDelegate(context, extra!.path)
  const queryKey = (schema: any, args: readonly any[]): unknown => {
    if (isEntity(schema)) {
      // The table of a class has to know it before its rows are looked at.
      context.tables.classInfo(schema as never, 0)
      return (schema as unknown as SchemaClass).queryKey(args, queryKey, delegate)
    }
    // Any other value is its own default.
    if (typeof schema !== 'function' && !isObject(schema)) {
      return schema
    }
    if (typeof schema === 'function' || Array.isArray(schema)) {
      return undefined
    }
    return isSchemaClass(schema)
      ? schema.queryKey(args, queryKey, delegate)
      : queryMembers(schema as object, args, queryKey)
  }
  return queryKey(root, delegate.args)
}

/** Each lookup is a dependency. */
function createQueryDelegate(context: ReadContext, path: string | undefined): IQueryDelegate {
  const { tables, apart } = context
  return {
    args: context.frame.args,
    path,
    getEntity(key, pk) {
      const table = tables.table(key)
      const slot = table.slot(pk)
      // A record that cannot be shown counts as missing.
      const record = context.get(
        table.entity === undefined ? findNode(apart, slot, 'cell') : entityNode(context, table.entity, slot),
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
      context.get(findNode(apart, cells, 'table'))
      return undefined
    },
    hasEntities(key) {
      const table = tables.table(key)
      context.get(findNode(apart, table, 'table'))
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
  }
}
