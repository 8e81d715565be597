import { ListIndex } from './ListIndex.ts'
import type { ListRow, ListTable } from './ListRow.ts'

/** The index of a table. Lists may have been restored before a Collection has brought this code. */
export function indexOf(table: ListTable): ListIndex<ListRow> {
  if (table.index === undefined) {
    table.index = new ListIndex()
    table.rows.forEach((row) => table.index!.put(row, undefined, row.list))
  }
  return table.index
}
