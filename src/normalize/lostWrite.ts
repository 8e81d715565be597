import { isObject } from '../base/equal.ts'
import { append } from '../lists/merges.ts'
import type { RecordClass } from '../schema/RecordClass.ts'
import { envelopeOf } from '../schema/envelope.ts'
import { argsPk } from '../schema/pk.ts'
import { isEntity, type ListChange, type ListSchema } from '../schema/Schema.ts'
import { topTablesOf } from '../schema/topTables.ts'
import type { Pages, Reason } from '../rows/doubt.ts'
import { type Intake, Walk } from './Walk.ts'
import { followsWrites } from './collectionOf.ts'
import type { List } from '../lists/List.ts'
import { size } from '../lists/items.ts'
import { areCounted, pageWith } from '../lists/pages.ts'

/** A write of which nobody knows what it has done: the record that the arguments name, and the lists that can hold it, are in doubt. */
export function unknownWrite(intake: Intake, schema: unknown, reason: Reason): Walk {
  const walk = new Walk(intake)
  const { tables, args } = intake
  // The lists of the Collection that it names follow it whether they follow other writes or not.
  const named: Partial<ListChange> | undefined = envelopeOf(schema).schema
  const own: ListSchema | undefined = named?.collection
  for (const [key, one] of topTablesOf(schema)) {
    const table = tables.table(key)
    walk.wroteTo.push(table)
    // The path may name the record, or the body.
    const pks = [args, args.slice(-1)].map((of) => isEntity(one) && argsPk(one as unknown as RecordClass, of))
    pks.forEach((pk) => pk && walk.ask(table.slot(pk), reason))
    for (const lists of tables.holders.get(key) ?? []) {
      lists.rows
        .filter(({ list }) => list && (followsWrites(list) || (lists.key === own?.key && list.name === own.name)))
        .forEach((row) => walk.ask(row, reason, pagesOf(row.list!, named, pks)))
    }
  }
  return walk
}

/** The pages that such a write may have changed: that of the record, or the end at which the Collection adds; `undefined` for all. */
function pagesOf(
  list: List,
  named: Partial<ListChange> | undefined,
  pks: readonly (string | false | undefined)[],
): Pages {
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
