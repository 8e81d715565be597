import { indexText, type ListState, type Slot, type Table } from '../normalize/tables.ts'
import type { Meta } from '../schema/Schema.ts'
import type { Journal, ResultMeta, Store } from './Store.ts'

/** Times of a row, without the store's numbers: those mean nothing outside. */
export interface RowTimes {
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
}

/** What is known of a result beside its value. */
export interface ResultTimes extends RowTimes {
  readonly prevExpiresAt?: number | undefined
  readonly error?: any
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
}

/** The committed store, as it was at one moment. It never changes. */
export interface State {
  readonly entities: { readonly [key: string]: { readonly [pk: string]: any } }
  readonly endpoints: { readonly [key: string]: any }
  readonly indexes: { readonly [key: string]: { readonly [field: string]: { readonly [value: string]: string } } }
  readonly meta: { readonly [key: string]: ResultTimes }
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: RowTimes } }
  readonly optimistic: readonly any[]
  readonly lastReset: number
}

/** A row in the order of its table, with what a list knows beside its content. */
export type DumpedRow = [pk: string, value: unknown, meta: RowTimes, list?: DumpedList]
export type DumpedList = Pick<ListState, 'at' | 'name' | 'isMap' | 'path' | 'keys'>

/** Everything a state holds, in order: objects would put keys that look like numbers first. */
export interface Dump {
  /** When it was taken. */
  readonly now: number
  readonly lastReset: number
  readonly tables: [key: string, rows: DumpedRow[]][]
  readonly results: [key: string, value: unknown, meta: ResultTimes][]
}

/** Where a state keeps its rows in order; it shows nowhere. */
export const DUMP: unique symbol = Symbol('dump')

/** The state of a store in which nothing has happened. */
export const initialState: State = {
  entities: {},
  endpoints: {},
  indexes: {},
  meta: {},
  entitiesMeta: {},
  optimistic: [],
  lastReset: 0,
}

type OldRow = Pick<Slot, 'value' | 'meta' | 'list' | 'at'>

/** A moment: the rows replaced since, and the next moment somebody asked for. */
interface Moment {
  readonly replaced: Map<Slot, OldRow>
  next: Moment | undefined
  state: State | undefined
}
function rowAt(moment: Moment, slot: Slot): OldRow {
  for (let at: Moment | undefined = moment; at !== undefined; at = at.next) {
    const row = at.replaced.get(slot)
    if (row !== undefined) return row
  }
  return slot
}

/** What was made of a table, and for which of its edits. */
interface Made {
  readonly edits: number
  readonly column: Ref<Column>
}

type Column = Record<string, any>
type Ref<T> = { deref(): T | undefined }

/**
 * Takes pictures of a store. A picture is made when somebody looks at it; until then the rows replaced since are kept
 * for it, as long as somebody holds it.
 */
export class Pictures implements Journal {
  private readonly store: Store
  private last: Ref<Moment> | undefined
  private changed = true
  private readonly values = new Map<Table, Made>()
  private readonly times = new Map<Table, Made>()
  private readonly groups = new Map<string, Made>()

  constructor(store: Store) {
    this.store = store
  }

  note(slot: Slot): void {
    this.changed = true
    slot.table.edits++
    const moment = this.last?.deref()
    if (moment === undefined || moment.replaced.has(slot)) return
    const { value, meta, list, at } = slot
    moment.replaced.set(slot, { value, meta, list, at })
  }

  take(): State {
    const before = this.last?.deref()
    const optimistic = this.store.pending.map(({ id }) => id)
    const same = before !== undefined && !this.changed && isSame(before.state!.optimistic, optimistic)
    if (same) return before.state!
    const moment: Moment = { replaced: new Map(), next: undefined, state: undefined }
    if (before !== undefined) before.next = moment
    moment.state = this.draw(moment, optimistic)
    this.changed = false
    this.last = refTo(moment)
    if (typeof WeakRef !== 'function') lookAtAll(moment.state)
    return moment.state
  }

  private draw(moment: Moment, optimistic: readonly string[]): State {
    const { store } = this
    const { lastReset } = store
    const { endpoints } = store.tables
    const now = store.clock.now()
    const tables = [...store.tables.tables.values()]
    const edits = new Map([...tables, endpoints].map((table) => [table, table.edits]))
    const values = (table: Table): Column => this.column(this.values, table, edits.get(table)!, moment, valueOf)
    const times = (table: Table): Column => this.column(this.times, table, edits.get(table)!, moment, timesOf)
    const all = (name: string, of: (table: Table) => Column): Column => {
      const out = empty()
      for (const table of tables) {
        const column = of(table)
        if (Object.keys(column).length > 0) out[table.key] = column
      }
      return this.keep(this.groups, name, 0, out)
    }
    // Accessors keep what they made beside the object, so that it can be frozen before anybody has looked. They hold
    // the moment: as long as the picture is held, so are the rows replaced since.
    const entities = once(() => all('values', values))
    const results = once(() => values(endpoints))
    const indexes = once(() => all('indexes', (table) => indexesOf(table, moment)))
    const meta = once(() => times(endpoints))
    const entitiesMeta = once(() => all('times', times))
    const state: State = {
      get entities() {
        return entities()
      },
      get endpoints() {
        return results()
      },
      get indexes() {
        return indexes()
      },
      get meta() {
        return meta()
      },
      get entitiesMeta() {
        return entitiesMeta()
      },
      optimistic,
      lastReset,
    }
    const dump = (): Dump => ({
      now,
      lastReset,
      tables: tables
        .map((table): Dump['tables'][number] => [table.key, rowsOf(table, moment).map(dumped)])
        .filter(([, rows]) => rows.length > 0),
      results: rowsOf(endpoints, moment).map(([key, row]) => [key, row.value, timesOf(row) as ResultTimes]),
    })
    Object.defineProperty(state, DUMP, { value: dump })
    return state
  }

  /** One column of a table. It keeps its reference while nothing in it is different. */
  private column(
    known: Map<Table, Made>,
    table: Table,
    edits: number,
    moment: Moment,
    of: (row: OldRow) => unknown,
  ): Column {
    const made = known.get(table)
    const last = made?.column.deref()
    if (last !== undefined && made!.edits === edits) return last
    const fresh = empty()
    for (const [pk, row] of rowsOf(table, moment)) {
      const value = of(row)
      if (value !== undefined) fresh[pk] = value
    }
    return this.keep(known, table, edits, fresh)
  }

  private keep<K>(known: Map<K, Made>, name: K, edits: number, fresh: Column): Column {
    const last = known.get(name)?.column.deref()
    const column = last !== undefined && isSame(last, fresh) ? last : fresh
    known.set(name, { edits, column: refTo(column) })
    return column
  }
}

function refTo<T extends object>(target: T): Ref<T> {
  return typeof WeakRef === 'function' ? new WeakRef(target) : { deref: () => target }
}

function lookAtAll(state: State): void {
  void [state.entities, state.endpoints, state.indexes, state.meta, state.entitiesMeta]
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The rows of a table at a moment, in the order they came. */
function rowsOf(table: Table, moment: Moment): [pk: string, row: OldRow][] {
  const slots = new Set<Slot>(table.rows)
  // Rows that have left since.
  for (let at: Moment | undefined = moment; at !== undefined; at = at.next)
    for (const slot of at.replaced.keys()) if (slot.table === table) slots.add(slot)
  const out: [string, OldRow][] = []
  for (const slot of slots) {
    const row = rowAt(moment, slot)
    if (row.meta !== undefined) out.push([slot.pk, row])
  }
  return out.sort((a, b) => a[1].at - b[1].at)
}

function valueOf(row: OldRow): unknown {
  return row.value
}

const allTimes = new WeakMap<Meta, RowTimes>()

/** One object for all rows of an answer, as in the store. */
function timesOf({ meta }: OldRow): RowTimes {
  let times = allTimes.get(meta!)
  if (times === undefined) {
    const { sent: _sent, order: _order, written: _written, ...rest } = meta as ResultMeta
    allTimes.set(meta!, (times = rest))
  }
  return times
}

function dumped([pk, row]: [string, OldRow]): DumpedRow {
  const { list } = row
  if (list === undefined) return [pk, row.value, timesOf(row)]
  const { at, name, isMap, path, keys } = list
  return [pk, row.value, timesOf(row), { at, name, isMap, path, keys }]
}

function empty(): Column {
  return Object.create(null) as Column
}

function isSame(a: object, b: object): boolean {
  const names = Object.keys(a)
  const others = Object.keys(b)
  if (names.length !== others.length) return false
  for (const [i, name] of names.entries())
    if (name !== others[i] || !Object.is((a as Column)[name], (b as Column)[name])) return false
  return true
}

function indexesOf(table: Table, moment: Moment): Column {
  const out = empty()
  for (const field of table.indexes.keys()) {
    const entries = empty()
    for (const [pk, { value }] of rowsOf(table, moment)) {
      const text = indexText(value, field)
      if (text !== undefined) entries[text] = pk
    }
    if (Object.keys(entries).length > 0) out[field] = entries
  }
  return out
}
