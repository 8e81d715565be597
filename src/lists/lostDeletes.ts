// A DELETE without an outcome names a record. Once every list that held the record when it was sent, or when it was lost, has been fetched
// again without it, the record is gone for all readers, also for those that list all records. A list that it has moved out of tells nothing.

import type { RecordClass } from '../schema/RecordClass.ts'
import { argsPk } from '../schema/pk.ts'
import { isInvalidate } from '../schema/polymorphic.ts'
import { isEntity } from '../schema/Schema.ts'
import type { Meta } from '../rows/Meta.ts'
import { topTablesOf } from '../schema/topTables.ts'
import type { Fields } from '../rows/Fields.ts'
import type { Row } from '../rows/Row.ts'
import type { RecordRow, RecordTable } from '../records/RecordRow.ts'
import type { AllTables, Deletes, ListRow } from './ListRow.ts'
import { numbersBeside } from './changeList.ts'
import { itemFor } from './collectionOf.ts'
import { contains } from './items.ts'
import { belongs } from './membership.ts'
import { isCutShort } from './pages.ts'
import { partOf } from './place.ts'

/** The records that a call is about to delete; `undefined` for any other call. */
export function deletesOf(all: AllTables, schema: unknown, args: readonly any[]): Deletes | undefined {
  if (!isInvalidate(schema)) {
    return undefined
  }
  const deletes = new Map<RecordRow, readonly ListRow[]>()
  for (const [key, one] of topTablesOf(schema)) {
    const pk = isEntity(one) ? argsPk(one as unknown as RecordClass, args) : undefined
    const record = pk === undefined ? undefined : (all.tables.get(key) as RecordTable | undefined)?.byPk.get(pk)
    if (record) {
      deletes.set(record, listsWith(all, record))
    }
  }
  return deletes
}

function listsWith({ holders }: AllTables, record: RecordRow): readonly ListRow[] {
  const lists = (holders.get(record.table.key) ?? []).flatMap(({ rows }) => rows)
  return lists.filter((row) => holds(row, record))
}

function holds({ list, value }: ListRow, record: RecordRow): boolean {
  const item = list && itemFor(list, record)
  return item !== undefined && contains(value, item)
}

/** Notes that nobody knows whether these records were deleted. */
export function loseDeletes(tables: AllTables, deletes: Deletes, at: number): void {
  const { lostDeletes } = tables
  for (const [record, lists] of deletes) {
    // It may be the second try.
    const heldBy = new Set([...lists, ...listsWith(tables, record), ...(lostDeletes.get(record)?.heldBy ?? [])])
    if (heldBy.size > 0) {
      lostDeletes.set(record, { at, heldBy, isMissed: false })
    }
  }
}

/** Returns the records that are known to be gone, now that these rows were committed. */
export function settleDeletes(tables: AllTables, rows: readonly Row[], meta: Meta): RecordRow[] {
  const gone: RecordRow[] = []
  const changed = new Set<Row>(rows)
  for (const [record, lost] of tables.lostDeletes) {
    const { at, heldBy } = lost
    if (meta.sent < at) {
      continue
    }
    let isAlive = changed.has(record)
    for (const row of heldBy) {
      const { list } = row
      // It was collected.
      if (!list) {
        heldBy.delete(row)
      } else if (changed.has(row) && row.meta === meta) {
        isAlive ||= holds(row, record)
        const fields = record.value as Fields
        const tells = belongs(list, fields, true) !== 'out' && partOf(list, fields) === undefined
        lost.isMissed ||= tells && !isCutShort(list, numbersBeside(tables, list)?.value, row.value)
        heldBy.delete(row)
      }
    }
    if (isAlive || heldBy.size === 0) {
      tables.lostDeletes.delete(record)
    }
    if (!isAlive && heldBy.size === 0 && lost.isMissed) {
      gone.push(record)
    }
  }
  return gone
}
