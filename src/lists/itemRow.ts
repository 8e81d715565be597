import { classInfo } from '../records/classInfo.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'
import type { AllTables } from './ListRow.ts'

/** The record that an item of a list stands for. */
export function itemRow(tables: AllTables, { schema, attribute }: Choice, item: any): RecordRow | undefined {
  if (attribute === undefined) {
    return recordRow(tables, schema, item)
  }
  return isTagged(item, schema as object) ? recordRow(tables, schema[item.schema], item.id) : undefined
}

function recordRow(tables: AllTables, Class: unknown, pk: unknown): RecordRow | undefined {
  return isEntity(Class) && typeof pk === 'string'
    ? classInfo(tables, Class as unknown as RecordClass).table.row(pk)
    : undefined
}
