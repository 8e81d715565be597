import { DEV } from '../base/env.ts'
import { fail } from '../base/errors.ts'
import type { List, ListPage } from '../normalize/lists.ts'
import type { Table } from '../normalize/tables.ts'
import { STALE } from '../schema/Schema.ts'
import { DUMP, type Dump, type DumpedRow, type ResultTimes, type State } from './State.ts'
import type { Store } from './Store.ts'

/** Adds the rows of a state to a store. They replace rows that were restored from an older state, and no others. */
export function restore(store: Store, state: State): void {
  const { clock, tables } = store
  const dump = dumpOf(state)
  const shift = Math.min(clock.ahead() - aheadOf(dump), clock.now() - dump.now)
  const fill = (table: Table, [pk, value, times, list]: DumpedRow): void => {
    const slot = table.slot(pk)
    const meta = { ...shiftTimes(times, shift), sent: 0, at: 0, kind: 'read' as const }
    if (slot.meta !== undefined && (slot.meta.at > 0 || slot.meta.date >= meta.date)) {
      return
    }
    store.put(slot, { value, meta, list: list && withoutNumbers(list) })
    slot.by = meta
    if (meta.expiresAt === STALE) {
      slot.doubt = 1
      store.lastDoubt = Math.max(store.lastDoubt, 1)
    }
    slot.node?.aged()
  }
  store.lastReset = Math.max(store.lastReset, shifted(dump.lastReset, shift))
  for (const [key, rows] of dump.tables) {
    rows.forEach((row) => fill(tables.table(key), row))
  }
  dump.results.forEach((row) => fill(tables.endpoints, row))
}

/** The rows of a state. */
export function dumpOf(state: State): Dump {
  const dump = (state as State & { readonly [DUMP]?: Dump })[DUMP]
  if (dump === undefined) {
    throw fail(
      'state-copied',
      Object.keys(state).join(', '),
      DEV &&
        'A state was copied or made by hand, so its rows have no order. Pass what getState() returned, or deserializeState(JSON.stringify(state)).',
      TypeError,
    )
  }
  return dump
}

/** By how many milliseconds the times of a state are ahead of the wall clock. */
export function aheadOf({ clock }: Dump): number {
  return clock?.ahead() ?? 0
}

/** The same times for a clock that shows another time. */
export function shiftTimes(times: ResultTimes, shift: number): ResultTimes {
  const { fetchedAt, date, expiresAt, prevExpiresAt } = times
  return {
    ...times,
    fetchedAt: shifted(fetchedAt, shift),
    date: shifted(date, shift),
    expiresAt: shifted(expiresAt, shift),
    ...(prevExpiresAt !== undefined && { prevExpiresAt: shifted(prevExpiresAt, shift) }),
  }
}

export function shifted(time: number, shift: number): number {
  return time <= STALE ? time : time + shift
}

/** A list whose pages stand before all that are requested from now on. */
function withoutNumbers(list: List): List {
  const { pages } = list
  const restored = (page: ListPage, i: number): ListPage => {
    return { ...page, sent: 0, at: 0, firstSent: page.isBefore ? -i : i - pages.length }
  }
  return { ...list, pages: pages.map(restored) }
}
