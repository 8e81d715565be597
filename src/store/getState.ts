import { recall } from '../base/recall.ts'
import { dumpPages, nextOf, previousOf } from '../normalize/pages.ts'
import { indexText, type Slot, type Table } from '../normalize/tables.ts'
import type { Meta } from '../schema/Schema.ts'
import { DUMP, type Dump, type DumpedRow, type ResultTimes, type RowTimes, type State } from './State.ts'
import type { ResultMeta, Store } from './Store.ts'

type Column = Record<string, any>
type Row = Pick<Slot, 'pk' | 'value' | 'meta' | 'list'>

/** The rows of a table at one moment. They are copied when they are read, or before one of them is replaced. */
class Snapshot {
  readonly table: Table
  private copied: readonly Row[] | undefined

  constructor(table: Table) {
    this.table = table
  }

  get rows(): readonly Row[] {
    return (this.copied ??= this.table.rows.map(({ pk, value, meta, list }) => ({ pk, value, meta, list })))
  }
}

/**
 * Creates `getState`. A state has a snapshot of each table, which it shares with other states while the table stays the same. A call
 * copies nothing: most states are never read, or are read before the next write.
 */
export function createGetState(store: Store): () => State {
  const { clock, tables: all, pending } = store
  /** The snapshots of tables that have not changed since. */
  const snapshots = new Map<Table, Snapshot>()
  /** The columns that were read last: a new one that is equal is not used. */
  const columns = new Map<string, Column>()
  let last: State | undefined

  store.journal = ({ table }) => {
    void snapshots.get(table)?.rows
    snapshots.delete(table)
    last = undefined
  }

  const snapshotOf = (table: Table): Snapshot => recall(snapshots, table, () => new Snapshot(table))
  const shared = (name: string, fresh: Column): Column => {
    const before = columns.get(name)
    const column = before !== undefined && isSame(before, fresh) ? before : fresh
    columns.set(name, column)
    return column
  }
  const values = ({ table, rows }: Snapshot): Column =>
    shared(`values ${table.key}`, recordOf(rows.map(({ pk, value }) => [pk, value])))
  const times = ({ table, rows }: Snapshot): Column =>
    shared(`times ${table.key}`, recordOf(rows.map((row) => [row.pk, timesOf(row)])))

  return () => {
    const optimistic = pending.map(({ action }) => action)
    const { lastReset } = store
    if (last && last.lastReset === lastReset && isSame(last.optimistic, optimistic)) {
      return last
    }
    const now = clock.now()
    const results = snapshotOf(all.endpoints)
    const tables = [...all.tables.values()].map(snapshotOf)
    const group = (name: string, of: (snapshot: Snapshot) => Column): Column =>
      shared(name, recordOf(tables.map((one) => [one.table.key, some(of(one))])))
    const dump = (): Dump => ({
      now,
      clock,
      lastReset,
      tables: tables
        .map(({ table, rows }): Dump['tables'][number] => [table.key, rows.map(dumped)])
        .filter(([, rows]) => rows.length > 0),
      results: results.rows.map((row) => [row.pk, row.value, timesOf(row) as ResultTimes]),
    })
    // Computed members are not stored in the object, so that it can be frozen before it is read.
    const read = new Map<string, Column>()
    const state: State = {
      get entities() {
        return recall(read, 'entities', () => group('entities', values))
      },
      get endpoints() {
        return recall(read, 'endpoints', () => values(results))
      },
      get indexes() {
        return recall(read, 'indexes', () => group('indexes', indexesOf))
      },
      get meta() {
        return recall(read, 'meta', () => times(results))
      },
      get entitiesMeta() {
        return recall(read, 'entitiesMeta', () => group('entitiesMeta', times))
      },
      optimistic,
      lastReset,
    }
    return (last = Object.defineProperty(state, DUMP, { value: dump }))
  }
}

const allTimes = new WeakMap<Meta, RowTimes>()

/** One object for all rows of a response, as in the store. */
export function timesOf({ meta }: Pick<Row, 'meta'>): RowTimes {
  let times = allTimes.get(meta!)
  if (times === undefined) {
    const { sent: _sent, order: _order, valueFetchedAt: _at, ...rest } = meta as ResultMeta
    allTimes.set(meta!, (times = rest))
  }
  return times
}

function dumped(row: Row): DumpedRow {
  const { pk, list } = row
  if (list === undefined) {
    return [pk, row.value, timesOf(row)]
  }
  const { keyArgs, name, isMap, path, keys, counts, loose } = list
  // The items of all pages are one list; the arguments of the pages are kept, to fetch them again.
  const next = nextOf(list)
  const previous = previousOf(list)
  const pages = dumpPages(list)
  const more = {
    ...(counts && { counts }),
    ...(loose && { loose }),
    ...(next && { next }),
    ...(previous && { previous }),
    ...(pages.length > 0 && { pages }),
  }
  return [pk, row.value, timesOf(row), { at: keyArgs, name, isMap, path, keys, ...more }]
}

/** Without undefined values; any text can be a key. */
export function recordOf(entries: Iterable<readonly [string, unknown, ...unknown[]]>): Record<string, any> {
  const out = Object.create(null) as Column
  for (const [key, value] of entries) {
    if (value !== undefined) {
      out[key] = value
    }
  }
  return out
}

function some(column: Column): Column | undefined {
  return Object.keys(column).length > 0 ? column : undefined
}

function isSame(a: object, b: object): boolean {
  const names = Object.keys(a)
  const others = Object.keys(b)
  if (names.length !== others.length) {
    return false
  }
  for (const [i, name] of names.entries()) {
    if (name !== others[i] || !Object.is((a as Column)[name], (b as Column)[name])) {
      return false
    }
  }
  return true
}

function indexesOf({ table, rows }: Snapshot): Column {
  const entries = (field: string): Column =>
    recordOf(
      rows.flatMap(({ pk, value }) => {
        const text = indexText(value, field)
        return text === undefined ? [] : [[text, pk] as const]
      }),
    )
  return recordOf([...table.indexes.keys()].map((field) => [field, some(entries(field))]))
}
