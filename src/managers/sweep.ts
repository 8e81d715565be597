import { sourcesOf } from '../denormalize/queries.ts'
import type { Core } from '../controller/Core.ts'
import { forget, type Garbage } from '../controller/collect.ts'
import type { Slot, Table } from '../normalize/tables.ts'
import { scalarTable } from '../schema/Scalar.ts'
import type { Meta } from '../schema/Schema.ts'

/** How many rows one step looks at. */
const STRIDE = 500

const CELLS = scalarTable('').slice(0, -1)

/**
 * Looks for rows without readers, a slice at each step, and yields what may be removed. A row is kept for as long as the newest of the
 * responses that contained it, so a list goes before its items.
 *
 * @param limit from when on a row may be removed
 */
export function* sweep(
  { store, views, counts }: Pick<Core, 'store' | 'views' | 'counts'>,
  limit: (meta: Meta, isResult: boolean) => number,
): Generator<Garbage, void> {
  const { tables, clock } = store
  const { endpoints } = tables
  const held = new Set<Slot | Table>()
  const counted = new Set<object>()
  // Readers may be mounted while the sweep goes on.
  const hold = (): void => {
    for (const view of views.mounted) {
      if (!counted.has(view)) {
        counted.add(view)
        sourcesOf(view.node).forEach((source) => held.add(source))
      }
    }
  }
  hold()
  // Rows that are written or read from now on are younger than this.
  const start = clock.now()
  const isFree = (slot: Slot): boolean =>
    !held.has(slot) &&
    slot.pending === undefined &&
    !counts.has(slot) &&
    (slot.kept === undefined || limit(slot.kept, slot.table === endpoints) < start)
  for (const table of [endpoints, ...tables.tables.values()]) {
    const isResult = table === endpoints
    const isCell = table.key.startsWith(CELLS)
    let found: string[] = []
    const garbage = (): Garbage => ({
      endpoints: isResult ? found : [],
      entities: isResult ? [] : found.map((pk) => ({ key: table.key, pk })),
    })
    let count = 0
    for (const slot of Array.from(table.slots.values())) {
      if (isFree(slot) && !(isCell && isOfRow(tables.tables, slot))) {
        if (slot.meta === undefined) {
          forget(slot)
        } else if (!views.isRead(isResult ? slot.pk : '')) {
          found.push(slot.pk)
        }
      }
      if (++count % STRIDE === 0) {
        yield garbage()
        found = []
        hold()
      }
    }
    yield garbage()
    hold()
  }
}

/** The cells of a Scalar go with the record they belong to: `User|5|EUR`. */
function isOfRow(tables: ReadonlyMap<string, Table>, { pk }: Slot): boolean {
  const start = pk.indexOf('|')
  return tables.get(pk.slice(0, start))?.slots.get(pk.slice(start + 1, pk.lastIndexOf('|')))?.meta !== undefined
}
