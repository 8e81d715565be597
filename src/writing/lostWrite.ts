import { listsOf } from '../lists/tableOf.ts'
import type { StoreChange, StoreIntake } from '../lists/ListRow.ts'
import { Change } from '../rows/Change.ts'
import type { Reason } from '../rows/doubt.ts'
import { argsPk } from '../schema/pk.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { isEntity } from '../schema/Schema.ts'
import { topTablesOf } from '../schema/topTables.ts'

/** A write of which nobody knows what it has done: the record that the arguments name, and the lists that can hold it, are in doubt. */
export function unknownWrite(intake: StoreIntake, schema: unknown, reason: Reason): StoreChange {
  const change = new Change(intake)
  const { tables, args } = intake
  for (const [key, one] of topTablesOf(schema)) {
    const table = tables.table(key)
    change.wroteTo.push(table)
    // The path may name the record, or the body.
    const pks = [args, args.slice(-1)].map((of) =>
      isEntity(one) ? argsPk(one as unknown as RecordClass, of) : undefined,
    )
    pks.forEach((pk) => pk && change.doubt(table.row(pk), reason))
    if (tables.listCode) {
      tables.listCode.doubt(change, key, schema, pks, reason)
    } else {
      listsOf(tables, key).forEach((row) => change.doubt(row, reason))
    }
  }
  return change
}
