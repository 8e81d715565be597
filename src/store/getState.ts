import { recall } from '../base/recall.ts'
import type { Slot, Table } from '../normalize/tables.ts'
import { type Meta, STALE } from '../schema/Schema.ts'
import { type DumpedRow, type RowTimes, type State, stateOf } from './State.ts'
import type { ResultMeta, Store } from './Store.ts'

/** Creates `getState`. It copies the tables that have changed since the last call. */
export function createGetState(store: Store): () => State {
  const { clock, tables: all, pending } = store
  const copies = new Map<Table, { readonly at: number; readonly rows: readonly DumpedRow[] }>()
  let last: State | undefined
  let lastAt = 0
  const copy = (table: Table): readonly DumpedRow[] => {
    const { changed } = table
    const known = copies.get(table)
    const rows = known?.at === changed ? known.rows : table.rows.map(dumped)
    copies.set(table, { at: changed, rows })
    return rows
  }
  return () => {
    const { lastReset, changes } = store
    const optimistic = pending.map(({ action }) => action)
    const isSame =
      lastAt === changes &&
      last?.lastReset === lastReset &&
      last.optimistic.length === optimistic.length &&
      optimistic.every((action, i) => action === last!.optimistic[i])
    if (!isSame) {
      const filled = [...all.tables.values()].filter(({ rows }) => rows.length > 0)
      const dump = {
        now: clock.now(),
        clock,
        lastReset,
        tables: filled.map((table) => [table.key, copy(table)] as const),
        results: copy(all.endpoints),
        indexed: Object.fromEntries(filled.map(({ key, indexes }) => [key, [...indexes.keys()]])),
      }
      last = stateOf(dump, optimistic)
      lastAt = changes
    }
    return last!
  }
}

function dumped(slot: Slot): DumpedRow {
  const { pk, value, list } = slot
  return list ? [pk, value, timesOf(slot), list] : [pk, value, timesOf(slot)]
}

const freshTimes = new WeakMap<Meta, RowTimes>()
const staleTimes = new WeakMap<Meta, RowTimes>()

/** One object for all rows of a response, as in the store. */
export function timesOf({ meta, doubt }: Pick<Slot, 'meta' | 'doubt'>): RowTimes {
  const isStale = doubt > meta!.sent
  return recall(isStale ? staleTimes : freshTimes, meta!, () => {
    const { sent: _1, at: _2, kind: _3, valueFetchedAt: _4, invalidatedAt: _5, ...times } = meta as ResultMeta
    return isStale ? { ...times, expiresAt: Math.min(times.expiresAt, STALE) } : times
  })
}
