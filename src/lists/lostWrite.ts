import { isObject } from '../base/equal.ts'
import type { Pages, Reason } from '../rows/doubt.ts'
import { envelopeOf } from '../schema/envelope.ts'
import type { ListChange, ListSchema } from '../schema/Schema.ts'
import { followsWrites } from './collectionOf.ts'
import type { List } from './List.ts'
import { listsOf } from './tableOf.ts'
import type { StoreChange } from './ListRow.ts'
import { size } from './items.ts'
import { append } from '../schema/merges.ts'
import { areCounted, pageWith } from './pages.ts'

/** Nobody knows what a write has done: the lists that can hold the records of a table are in doubt. */
export function doubtLists(
  change: StoreChange,
  table: string,
  schema: unknown,
  pks: readonly (string | undefined)[],
  reason: Reason,
): void {
  // The lists of the Collection that it names follow it whether they follow other writes or not.
  const named: Partial<ListChange> | undefined = envelopeOf(schema).schema
  const own: ListSchema | undefined = named?.collection
  listsOf(change.intake.tables, table)
    .filter(({ list, key }) => list && (followsWrites(list) || (key === own?.key && list.name === own.name)))
    .forEach((row) => change.doubt(row, reason, pagesOf(row.list!, named, pks)))
}

/** The pages that such a write may have changed: that of the record, or the end at which the Collection adds; `undefined` for all. */
function pagesOf(list: List, named: Partial<ListChange> | undefined, pks: readonly (string | undefined)[]): Pages {
  if (named?.kind !== 'add') {
    return pks.map((pk) => (pk ? pageWith(list, pk) : undefined)).find(isObject)
  }
  const { pages } = list
  if (pages.length < 2) {
    return undefined
  }
  if (named.merge !== append) {
    return areCounted(list) ? undefined : [pages[0]!.id]
  }
  // The end may be an empty page, and there may be room on the one before it.
  const last = pages.findLastIndex(({ items }) => size(items) > 0)
  return pages.slice(Math.max(0, last)).map(({ id }) => id)
}
