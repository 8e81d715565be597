import { DEV } from '../base/env.ts'
import { isObject } from '../base/equal.ts'
import { addCounts } from '../rows/counts.ts'
import type { Row } from '../rows/Row.ts'
import { adviseCounts } from './adviseCounts.ts'
import type { AllTables, ListRow, StoreChange } from './ListRow.ts'
import { applyEdit, size } from './items.ts'
import type { Edit, List } from './List.ts'
import { editList } from './pages.ts'

/** Changes the membership of one list, and the numbers beside it. */
export function changeList(change: StoreChange, row: ListRow, edits: readonly Edit[]): void {
  if (change.isPending && row.patch && !row.patch.edits) {
    // The operation brings the whole list.
    row.patch.value = edits.reduce(applyEdit, row.patch.value)
    return
  }
  const patch = change.patch(row)
  const list = patch.list!
  const before = patch.edits || !change.isPending ? patch.value : change.below(row)
  if (!isObject(before)) {
    return
  }
  if (change.isPending) {
    patch.value = edits.reduce(applyEdit, before)
  } else {
    for (const edit of edits) {
      ;[patch.list, patch.value] = editList(patch.list!, patch.value, edit)
    }
  }
  patch.edits = [...(patch.edits ?? []), ...edits]
  patch.meta = row.meta!
  const by = size(patch.value) - size(before)
  changeNumbers(change, list, by)
  if (DEV && !list.counted && by !== 0) {
    adviseCounts(row, size(before))
  }
}

/** The row with the numbers that count the items of a list: a result, or the record that holds the list. */
export function numbersBeside(tables: AllTables, { counted }: Pick<List, 'counted'>): Row | undefined {
  const [key, pk] = counted ?? []
  return pk === undefined ? undefined : (key ? tables.table(key) : tables.endpoints).row(pk)
}

/** Changes them. */
function changeNumbers(change: StoreChange, { counted }: List, by: number): void {
  if (!counted || by === 0) {
    return
  }
  const [, , ...names] = counted
  const row = numbersBeside(change.intake.tables, { counted })!
  const patch = change.patch(row)
  const counts = (patch.counts ??= {})
  names.forEach((name) => (counts[name] = (counts[name] ?? 0) + by))
  patch.value = addCounts(patch.value, Object.fromEntries(names.map((name) => [name, by])))
  patch.meta = row.meta ?? patch.meta
}
