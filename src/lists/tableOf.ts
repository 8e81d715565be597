import type { ListClass } from '../schema/ListClass.ts'
import type { ListSchema } from '../schema/Schema.ts'
import type { AllTables, ListCode, ListRow, ListTable } from './ListRow.ts'

/** The table of the lists of a Collection, which have the code of lists from now on. */
export function tableOf(tables: AllTables, collection: ListSchema): ListTable & { readonly code: ListCode } {
  const table = tables.lists(collection.key)
  if (table.code === undefined) {
    table.code = tables.listCode ??= (collection as ListClass).code as ListCode
    table.code.indexOf(table)
  }
  return table as ListTable & { readonly code: ListCode }
}

/** The rows of lists that can hold the records of a table. */
export function listsOf({ holders }: AllTables, table: string): ListRow[] {
  return (holders.get(table) ?? []).flatMap(({ rows }) => rows)
}
