import { isOlder } from '../schema/Schema.ts'
import type { Fitting, ListEntry, ListState } from './ListState.ts'
import type { Intake } from './drafts.ts'
import { placeAll } from './listItems.ts'
import type { Table } from './tables.ts'

/**
 * The log of a list, with the changes by recent writes that its response may lack. `isStale`: one of them may have changed the
 * list in an unknown way.
 *
 * Example: the list is requested (1), a record is created (2) and committed (3), then the list arrives without it. If the list was
 * loaded before, the create is in its log. If not, the write is asked now what it changes in the list.
 */
export function withMissedWrites(
  { tables, meta }: Intake,
  table: Table,
  list: Fitting,
  items: unknown,
  stored: ListState | undefined,
): { log: readonly ListEntry[]; isStale: boolean } {
  let isStale = (stored?.staleAt ?? 0) > meta.sent
  const log = stored?.log ?? []
  const missed: ListEntry[] = []
  // A write is judged by the items before it: those of the response, changed by earlier writes that it lacks. They are placed
  // only when a write needs them, which is rare.
  let before = items
  let unplaced: ListEntry[] = []
  const itemsBefore = (): unknown => {
    before = placeAll(before, unplaced)
    unplaced = []
    return before
  }
  for (const write of tables.recentWrites) {
    // Committed after the request was sent. For a read this is the same as ranking after it; the response of a write ranks by
    // its commit, and may lack a write that ranks before it all the same.
    const mayLack = write.meta.order > meta.sent
    // All entries of a write have its meta.
    const logged = log.filter((entry) => entry.meta === write.meta)
    let entries: readonly ListEntry[] = logged
    if (logged.length === 0 && (!stored || mayLack)) {
      const found = write.entriesFor(table, list, itemsBefore)
      entries = found.entries
      isStale ||= mayLack && found.isUnsure
      missed.push(...entries)
    }
    if (isOlder(meta, write.meta)) {
      unplaced.push(...entries)
    }
  }
  return {
    log: missed.length > 0 ? [...log, ...missed].sort((a, b) => a.meta.order - b.meta.order) : log,
    isStale,
  }
}
