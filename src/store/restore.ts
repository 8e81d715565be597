import { FIRST, type ListPage, type List, listOf, pageKey } from '../normalize/lists.ts'
import type { Slot } from '../normalize/tables.ts'
import { STALE } from '../schema/Schema.ts'
import {
  DUMP,
  type Dump,
  type DumpedList,
  type DumpedRow,
  type ResultTimes,
  type RowTimes,
  type State,
} from './State.ts'
import type { Store } from './Store.ts'

/** Adds the rows of a state to a store. They replace rows that were restored from an older state, and no others. */
export function restore(store: Store, state: State): void {
  const dump = dumpOf(state)
  const { clock } = store
  const shift = Math.min(clock.ahead() - aheadOf(dump), clock.now() - dump.now)
  const { tables, results, lastReset } = shiftTimes(dump, shift)
  store.lastReset = Math.max(store.lastReset, lastReset)
  const fill = (slot: Slot, value: unknown, times: RowTimes, list?: DumpedList): void => {
    if (slot.meta !== undefined && (slot.meta.at > 0 || slot.meta.date >= times.date)) {
      return
    }
    const meta = { ...times, sent: 0, at: 0, kind: 'read' as const }
    store.put(slot, { value, meta, list: list && listState(list, value) })
    slot.by = meta
    if (times.expiresAt === STALE) {
      slot.doubt = 1
      store.lastDoubt = Math.max(store.lastDoubt, 1)
    }
    slot.node?.aged()
  }
  for (const [key, rows] of tables) {
    for (const [pk, value, times, list] of rows) {
      fill(store.tables.table(key).slot(pk), value, times, list)
    }
  }
  for (const [key, value, times] of results) {
    fill(store.tables.endpoints.slot(key), value, times)
  }
}

/** A list whose items are all in its first page: the others are there to be fetched again. */
function listState({ at, pages = [], next, previous, ...known }: DumpedList, items: unknown): List {
  const all = [[] as const, ...pages].map(([args], i): ListPage => ({
    id: args ? pageKey(args) : FIRST,
    items: i === 0 ? items : known.isMap ? {} : [],
    sent: 0,
    // Before all pages that are requested now.
    firstSent: i - pages.length,
    args,
    next: pages[i]?.[0] ?? next,
    previous: i === 0 ? previous : undefined,
  }))
  return { ...known, keyArgs: at, pages: all, tail: [] }
}

/** The rows of a state, in order where the state knows it. */
export function dumpOf(state: State): Dump {
  const own = (state as State & { [DUMP]?: Dump })[DUMP]
  if (own !== undefined) {
    return own
  }
  const times = (found: RowTimes | undefined): RowTimes => {
    const { fetchedAt = 0, date = 0, expiresAt = 0, ...rest } = found ?? ({} as Partial<RowTimes>)
    // In JSON, Infinity is null.
    return { ...rest, fetchedAt, date, expiresAt: expiresAt ?? Infinity }
  }
  return {
    now: 0,
    lastReset: state.lastReset,
    tables: Object.entries(state.entities).map(([key, rows]) => [
      key,
      Object.entries(rows).map(([pk, value]): DumpedRow => {
        const row = times(state.entitiesMeta[key]?.[pk])
        const list = listOf(key, pk, value)
        if (list === undefined) {
          return [pk, value, row]
        }
        const { keyArgs: at, name, isMap, path } = list
        return [pk, value, row, { at, name, isMap, path }]
      }),
    ]),
    results: Object.keys({ ...state.meta, ...state.endpoints }).map((key) => [
      key,
      state.endpoints[key],
      times(state.meta[key]),
    ]),
  }
}

/** By how many milliseconds the times of a state are ahead of the wall clock. */
export function aheadOf({ clock }: Dump): number {
  return clock?.ahead() ?? 0
}

/** The same rows with their times shifted, for a clock that shows another time. */
export function shiftTimes(dump: Dump, shift: number): Dump {
  if (shift === 0) {
    return dump
  }
  const late = <T extends number | undefined>(time: T): T =>
    time === undefined || time <= STALE ? time : ((time + shift) as T)
  const move = <T extends ResultTimes>(times: T): T => ({
    ...times,
    fetchedAt: late(times.fetchedAt),
    date: late(times.date),
    expiresAt: late(times.expiresAt),
    ...(times.prevExpiresAt !== undefined && { prevExpiresAt: late(times.prevExpiresAt) }),
  })
  return {
    now: dump.now + shift,
    lastReset: late(dump.lastReset),
    tables: dump.tables.map(([key, rows]) => [
      key,
      rows.map(([pk, value, times, ...list]) => [pk, value, move(times), ...list]),
    ]),
    results: dump.results.map(([key, value, times]) => [key, value, move(times)]),
  }
}
