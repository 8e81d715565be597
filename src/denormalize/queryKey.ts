import { isObject } from '../base/equal.ts'
import type { Slot } from '../normalize/tables.ts'
import type { Collection } from '../schema/Collection.ts'
import { queryMembers } from '../schema/Object.ts'
import { scalarTable } from '../schema/Scalar.ts'
import { INVALID, type IQueryDelegate, isEntity, isSchemaClass, type SchemaClass } from '../schema/Schema.ts'
import type { Reader } from './denormalize.ts'
import type { Node } from './memo.ts'
import { entityNode, findNode, indexNode, listNode } from './nodes.ts'

/** The normalised value that the store has for the schema and arguments of a node; `undefined` when it cannot tell. */
export function keyOf(reader: Reader, { schema: root, extra }: Node): unknown {
  const { tables } = reader
  const delegate = createQueryDelegate(reader, extra!.path)
  const queryKey = (schema: any, args: readonly any[]): unknown => {
    if (isEntity(schema)) {
      // The table of a class has to know it before its rows are looked at.
      tables.classInfo(schema as never, 0)
    } else if (typeof schema === 'function' || Array.isArray(schema)) {
      return undefined
    } else if (!isObject(schema)) {
      // Any other value is its own default.
      return schema
    } else if (!isSchemaClass(schema)) {
      return queryMembers(schema, args, queryKey)
    }
    return (schema as unknown as SchemaClass).queryKey(args, queryKey, delegate)
  }
  return queryKey(root, delegate.args)
}

/** Each lookup is a dependency. */
function createQueryDelegate(reader: Reader, path: string | undefined): IQueryDelegate {
  const { tables } = reader
  return {
    args: reader.args,
    path,
    getEntity(key, pk) {
      const table = tables.table(key)
      const slot = table.slot(pk)
      // A record that cannot be shown counts as missing.
      const record = reader.get(
        table.entity === undefined ? findNode(reader, slot, 'leaf') : entityNode(reader, table.entity, slot),
      )
      return record === undefined || record === INVALID ? undefined : reader.row(slot)
    },
    getIndex: (Class, name, value) =>
      reader.get(indexNode(reader, tables.classInfo(Class as never, 0).table, name, value)) as string | undefined,
    findOwner(key, cellOf) {
      const cells = tables.table(scalarTable(key))
      for (const name of tables.tables.keys()) {
        const slot = cells.slots.get(cellOf(name))
        if (slot && typeof reader.row(slot) === 'object') {
          return name
        }
      }
      // Any entity may bring the cell.
      reader.get(findNode(reader, cells, 'leaf'))
      return undefined
    },
    hasEntities(key) {
      const table = tables.table(key)
      reader.get(findNode(reader, table, 'leaf'))
      return table.rows.length > 0 || [...table.floating].some((slot) => typeof reader.row(slot) === 'object')
    },
    hasList(list, pk) {
      const node = listNode(reader, list as Collection, pk)
      const slot = node.source as Slot
      reader.get(node)
      const value = reader.row(slot)
      const at = slot.list?.path
      return (
        value !== undefined &&
        value !== INVALID &&
        (path === undefined || at === undefined || at === path || (list as Collection).options.argsKey !== undefined)
      )
    },
  }
}
