import { classInfo } from '../records/classInfo.ts'
import type { RecordRow } from '../records/RecordRow.ts'
import { type Choice, isTagged } from '../schema/polymorphic.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'
import type { AllTables } from './ListRow.ts'

/** The record that an item of a list stands for. */
export function itemRow(tables: AllTables, { schema, attribute }: Choice, item: any): RecordRow | undefined {
  const tagged = attribute !== undefined && isTagged(item, schema as object)
  const Class: unknown = attribute === undefined ? schema : tagged ? schema[item.schema] : undefined
  const pk: unknown = tagged ? item.id : item
  return isEntity(Class) && typeof pk === 'string'
    ? classInfo(tables, Class as unknown as RecordClass).table.row(pk)
    : undefined
}
