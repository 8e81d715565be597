// The store as data: `getState` copies its rows, `restore` adds such a copy to a store.

import type { ListRow } from '../lists/ListRow.ts'
import type { ResultTimes, RowTimes, State } from './stateShape.ts'
import type { StoreClock } from '../base/clock.ts'
import { recall } from '../base/recall.ts'
import type { List, ListPage } from '../lists/List.ts'
import { type Doubt, laterDoubt } from '../rows/doubt.ts'
import { indexText } from '../records/indexes.ts'
import { isExpired, isInDoubt, type Row } from '../rows/Row.ts'
import { type Table } from '../rows/Table.ts'
import { type Meta, STALE } from '../rows/Meta.ts'
import { readShape } from './readShape.ts'
import type { ResultMeta, Store } from './Store.ts'

/** Of a row that was in doubt when its state was stored. */
const RESTORED_DOUBT: Doubt = { at: 1, reason: 'restored', by: undefined }

/** A row in the order of its table; a list has more than its content. */
export type DumpedRow = readonly [pk: string, value: unknown, times: ResultTimes, list?: List]

/** Everything a state holds, in order: objects would put keys that look like numbers first. */
export interface Dump {
  /** When it was taken. */
  readonly now: number
  /** The clock of its times; without one they are wall times. */
  readonly clock?: StoreClock
  readonly lastReset: number
  readonly tables: readonly (readonly [key: string, rows: readonly DumpedRow[], indexed?: readonly string[]])[]
  readonly results: readonly DumpedRow[]
}

const dumps = /* @__PURE__ */ new WeakMap<State, Dump>()
const columnsByRows = /* @__PURE__ */ new WeakMap<object, Record<string, any>>()

/** The state of a store now: the same one until something changes. Tables keep their reference until one of their rows does. */
export function getState(store: Store): State {
  if (store.state === undefined) {
    const { clock, lastReset, tables: all, pending } = store
    const copy = (table: Table): readonly DumpedRow[] =>
      (table.copy ??= table.rows.map(dumpRow)) as readonly DumpedRow[]
    const tables = [...all.tables.values()]
      .filter(({ rows }) => rows.length > 0)
      .map((table) => [table.key, copy(table), [...table.indexes.keys()]] as const)
    const dump = { now: clock.now(), clock, lastReset, tables, results: copy(all.endpoints) }
    const actions = pending.map(({ action }) => action)
    store.state = stateOf(dump, actions)
  }
  return store.state
}

/** The state that has these rows. Its tables are built when one is looked at. */
export function stateOf(dump: Dump, optimistic: readonly object[] = []): State {
  const state = { optimistic, lastReset: dump.lastReset } as State
  let built: ReturnType<typeof tablesOf> | undefined
  for (const name of ['entities', 'endpoints', 'indexes', 'meta', 'entitiesMeta'] as const) {
    Object.defineProperty(state, name, { get: () => (built ??= tablesOf(dump))[name], enumerable: true })
  }
  dumps.set(state, dump)
  return state
}

function tablesOf({ tables, results }: Dump): Omit<State, 'optimistic' | 'lastReset'> {
  const all = tables.map(([key, rows, indexed]) => [key, columnsOf(rows, indexed)] as const)
  const group = (name: 'values' | 'times' | 'indexes'): any =>
    recordOf(all.map(([key, columns]) => [key, columns[name]]))
  const { values: endpoints, times: meta } = columnsOf(results)
  return { entities: group('values'), endpoints, indexes: group('indexes'), meta, entitiesMeta: group('times') }
}

/** The rows of a table as a state shows them; the same objects for the same rows. */
function columnsOf(rows: readonly DumpedRow[], indexed: readonly string[] = []): Record<string, any> {
  const entriesOf = (field: string): [string, string][] =>
    rows.flatMap(([pk, value]) => {
      const text = indexText(value, field)
      return text === undefined ? [] : [[text, pk]]
    })
  return recall(columnsByRows, rows, () => ({
    values: recordOf(rows),
    times: recordOf(rows.map(([pk, , times]) => [pk, times])),
    indexes: indexed.length > 0 ? recordOf(indexed.map((field) => [field, recordOf(entriesOf(field))])) : undefined,
  }))
}

/** Without undefined values; any text can be a key. */
export function recordOf(entries: Iterable<readonly [string, unknown, ...unknown[]]>): Record<string, any> {
  const out = Object.create(null) as Record<string, any>
  for (const [key, value] of entries) {
    if (value !== undefined) {
      out[key] = value
    }
  }
  return out
}

function dumpRow(row: Row): DumpedRow {
  const { pk, value, list } = row as ListRow
  return list ? [pk, value, timesOf(row), list] : [pk, value, timesOf(row)]
}

const timesByMeta = /* @__PURE__ */ new WeakMap<Meta, RowTimes>()

/** One object for all rows of a response, as in the store. */
export function timesOf(row: Row): RowTimes {
  const { meta } = row
  const times = recall(timesByMeta, meta!, () => {
    const { sent: _1, at: _2, kind: _3, valueFetchedAt: _4, invalidatedAt: _5, ...rest } = meta as ResultMeta
    return rest
  })
  // Some of its fields may be older than the response that contained it last.
  return isInDoubt(row) || isExpired(row) ? { ...times, expiresAt: Math.min(times.expiresAt, STALE) } : times
}

/** The rows of a state, in order: of a copy in the order of its members. */
export function dumpOf(state: State): Dump {
  return dumps.get(state) ?? readShape(state)
}

/** Adds the rows of a state to a store. They replace rows that were restored from an older state, and no others. */
export function restore(store: Store, state: State): void {
  const { clock, tables: all } = store
  const dump = dumpOf(state)
  const shift = Math.min(clock.ahead() - aheadOf(dump), clock.now() - dump.now)
  const fill = (table: Table, [pk, value, times, list]: DumpedRow): void => {
    const row = table.row(pk)
    const meta = { ...shiftTimes(times, shift), sent: 0, at: 0, kind: 'read' as const }
    if (row.meta !== undefined && (row.meta.at > 0 || row.meta.date >= meta.date)) {
      return
    }
    store.put(row, { value, meta, by: meta, list: list && withoutNumbers(list) })
    if (meta.expiresAt === STALE) {
      store.mark(row, { marked: laterDoubt(row.marked, RESTORED_DOUBT) })
    }
    row.node?.aged()
  }
  store.state = undefined
  // One in the future would keep out what the app writes until then.
  store.lastReset = Math.max(store.lastReset, Math.min(clock.now(), shifted(dump.lastReset, shift)))
  for (const [key, rows] of dump.tables) {
    rows.forEach((row) => fill(all.table(key), row))
  }
  dump.results.forEach((row) => fill(all.endpoints, row))
}

/** By how many milliseconds the times of a state are ahead of the wall clock. */
export function aheadOf({ clock }: Dump): number {
  return clock?.ahead() ?? 0
}

/** The same times for a clock that shows another time. */
export function shiftTimes(times: ResultTimes, shift: number): ResultTimes {
  const { fetchedAt, date, expiresAt } = times
  return {
    ...times,
    fetchedAt: shifted(fetchedAt, shift),
    date: shifted(date, shift),
    expiresAt: shifted(expiresAt, shift),
  }
}

export function shifted(time: number, shift: number): number {
  return time <= STALE ? time : time + shift
}

/** A list whose pages stand before all that are requested from now on. */
export function withoutNumbers(list: List): List {
  const { pages } = list
  const restored = (page: ListPage, i: number): ListPage => {
    return { ...page, sent: 0, at: 0, firstSent: page.isBefore ? -i : i - pages.length }
  }
  return { ...list, pages: pages.map(restored) }
}
