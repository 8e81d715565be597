import { tableOf } from '../lists/tableOf.ts'
import { scalarTable } from '../schema/scalarTable.ts'
import { INVALID, type INormalizeDelegate, isEntity } from '../schema/Schema.ts'
import { originOf } from '../rows/origin.ts'
import { type Walk, writerOf } from './Walk.ts'

/** The calls that schemas may make while a value is normalised. */
export function createDelegate(walk: Walk): INormalizeDelegate {
  const { intake } = walk
  const { tables, args, meta } = intake
  return {
    args,
    meta,
    get owner() {
      return walk.owner
    },
    mergeEntity: (schema, pk, incoming) => writerOf(schema).merge(walk, schema, pk, incoming),
    invalidate: (schema, pk) => {
      const row = (isEntity(schema) ? writerOf(schema).info(walk, schema).table : tables.records(schema.key)).row(pk)
      walk.noteWritten(row)
      walk.patch(row).fields = INVALID
    },
    getEntity: (key, pk) => {
      const row = tables.tables.get(key)?.byPk.get(pk)
      const value = row && walk.below(row)
      return value === INVALID ? undefined : value
    },
    create: (run) => {
      walk.creating++
      try {
        return run()
      } finally {
        walk.creating--
      }
    },
    writeScalar: (key, cell, values, Class) => {
      if (Class) {
        writerOf(Class).info(walk, Class)
      }
      const patch = walk.patch(tables.records(scalarTable(key)).row(cell))
      patch.fields = { ...(patch.fields as object), ...values }
    },
    ...listCalls(walk),
  }
}

/** Those that lists make. */
function listCalls(
  walk: Walk,
): Pick<INormalizeDelegate, 'listReference' | 'writeList' | 'invalidateList' | 'changeLists'> {
  const { tables } = walk.intake
  return {
    listReference: (collection, value) => {
      const row = originOf(value)
      return row && tables.tables.get(collection.key)?.byPk.get(row.pk) === row ? row.pk : undefined
    },
    writeList: (collection, keyArgs, items, nested) => {
      const { owner, isRepeated } = walk
      const table = tableOf(tables, collection)
      const where = (): string => walk.where
      return table.code.write(walk, { table, collection, keyArgs, items, nested, owner, isRepeated, where })
    },
    invalidateList: (collection, keyArgs) => {
      const table = tableOf(tables, collection)
      return table.code.invalidate(walk, table, collection, keyArgs)
    },
    changeLists: (change) => tableOf(tables, change.collection).code.changeLists(walk, change),
  }
}
