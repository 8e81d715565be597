import { recall } from '../base/recall.ts'
import { FIRST, nextOf, previousOf } from '../normalize/lists.ts'
import { indexText, type Slot, type Table } from '../normalize/tables.ts'
import { type Meta, STALE } from '../schema/Schema.ts'
import { DUMP, type Dump, type DumpedRow, initialState, type RowTimes, type State } from './State.ts'
import type { ResultMeta, Store } from './Store.ts'

type Column = Record<string, any>
type Rows = readonly (readonly [pk: string, value: unknown, times: RowTimes, ...list: unknown[]])[]

/** Creates `getState`. It copies the tables that have changed since the last call. */
export function createGetState(store: Store): () => State {
  const { clock, tables: all, pending } = store
  const dumps = new Map<Table, { readonly at: number; readonly rows: DumpedRow[] }>()
  const columns: Columns = new Map()
  let last: State | undefined
  let lastAt = 0
  const dump = (table: Table): DumpedRow[] => {
    const { changed } = table
    const known = dumps.get(table)
    const rows = known?.at === changed ? known.rows : table.rows.map(dumped)
    dumps.set(table, { at: changed, rows })
    return rows
  }

  return () => {
    const { lastReset, changes } = store
    const optimistic = pending.map(({ action }) => action)
    if (last && lastAt === changes && last.lastReset === lastReset && isSame(last.optimistic, optimistic)) {
      return last
    }
    const now = clock.now()
    const filled = [...all.tables.values()].filter(({ rows }) => rows.length > 0)
    const tables = filled.map((table): Dump['tables'][number] => [table.key, dump(table)])
    const results = dump(all.endpoints) as Dump['results']
    const indexes = columnOf(columns, 'indexes', {}, () =>
      recordOf(
        filled.map(({ key, indexes: { size } }, i) => {
          const column = columnOf(columns, `${size} indexes ${key}`, tables[i]![1], () => indexesOf(filled[i]!))
          return [key, some(column)]
        }),
      ),
    )
    lastAt = changes
    return (last = stateOf({ now, clock, lastReset, tables, results }, columns, { optimistic, indexes }))
  }
}

/** The columns of the last state, by name, each with the rows that it was made from. */
type Columns = Map<string, { readonly of: object; readonly column: Column }>

/** The column of these rows: the last one of its name where it is equal. */
function columnOf(columns: Columns, name: string, of: object, create: () => Column): Column {
  const known = columns.get(name)
  if (known?.of === of) {
    return known.column
  }
  const fresh = create()
  const column = known && isSame(known.column, fresh) ? known.column : fresh
  columns.set(name, { of, column })
  return column
}

/** The state that has these rows. */
export function stateOf(
  dump: Dump,
  columns: Columns = new Map(),
  { optimistic, indexes }: Pick<State, 'optimistic' | 'indexes'> = initialState,
): State {
  const { tables, results, lastReset } = dump
  const values = (key: string, rows: Rows): Column => columnOf(columns, `values ${key}`, rows, () => recordOf(rows))
  const times = (key: string, rows: Rows): Column =>
    columnOf(columns, `times ${key}`, rows, () => recordOf(rows.map(([pk, , found]) => [pk, found])))
  const group = (name: string, of: (key: string, rows: Rows) => Column): Column =>
    columnOf(columns, name, {}, () => recordOf(tables.map(([key, rows]) => [key, of(key, rows)])))
  const state: State = {
    entities: group('entities', values),
    endpoints: values('', results),
    indexes,
    meta: times('', results),
    entitiesMeta: group('entitiesMeta', times),
    optimistic,
    lastReset,
  }
  return Object.defineProperty(state, DUMP, { value: dump })
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

function dumped(slot: Slot): DumpedRow {
  const { pk, value, list } = slot
  if (list === undefined) {
    return [pk, value, timesOf(slot)]
  }
  const { keyArgs, name, isMap, path, loose } = list
  // The items of all pages are one list; the arguments of the pages are kept, to fetch them again.
  const next = nextOf(list)
  const previous = previousOf(list)
  const pages = list.pages.flatMap(({ id, isBefore, args }) => (id === FIRST || isBefore ? [] : [[args!] as const]))
  const more = {
    ...(loose && { loose }),
    ...(next && { next }),
    ...(previous && { previous }),
    ...(pages.length > 0 && { pages }),
  }
  return [pk, value, timesOf(slot), { at: keyArgs, name, isMap, path, ...more }]
}

/** Without undefined values; any text can be a key. */
export function recordOf(entries: Iterable<readonly [string, unknown, ...unknown[]]>): Column {
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
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i] && Object.is((a as Column)[name], (b as Column)[name]))
  )
}

function indexesOf({ rows, indexes }: Table): Column {
  const entries = (field: string): Column =>
    recordOf(
      rows.flatMap(({ pk, value }) => {
        const text = indexText(value, field)
        return text === undefined ? [] : [[text, pk] as const]
      }),
    )
  return recordOf([...indexes.keys()].map((field) => [field, some(entries(field))]))
}
