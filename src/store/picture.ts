import type { StoreClock } from '../base/clock.ts'
import type { ListState } from '../normalize/ListState.ts'
import { type DumpedPage, dumpPages, nextOf, previousOf } from '../normalize/pages.ts'
import { indexText, type Slot, type Table } from '../normalize/tables.ts'
import type { Meta } from '../schema/Schema.ts'
import type { ResultMeta, Store } from './Store.ts'

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
export type DumpedList = Pick<ListState, 'at' | 'name' | 'isMap' | 'path' | 'keys' | 'counts' | 'next' | 'previous'> & {
  readonly pages?: readonly DumpedPage[] | undefined
}

/** Everything a state holds, in order: objects would put keys that look like numbers first. */
export interface Dump {
  /** When it was taken. */
  readonly now: number
  /** The clock of its times; without one they are wall times. */
  readonly clock?: StoreClock
  readonly lastReset: number
  readonly tables: [key: string, rows: DumpedRow[]][]
  readonly results: [key: string, value: unknown, meta: ResultTimes][]
}

/** Where a state keeps its rows in order; it shows nowhere. */
export const DUMP: unique symbol = Symbol('dump')

/** Where a state keeps its moment until somebody looks at it. */
const MOMENT: unique symbol = Symbol('moment')
const TRAPS = [
  'get',
  'has',
  'ownKeys',
  'getOwnPropertyDescriptor',
  'defineProperty',
  'deleteProperty',
  'preventExtensions',
] as const

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
  /** How many rows had been replaced in all. */
  readonly edits: number
  readonly now: number
  readonly lastReset: number
  readonly optimistic: readonly object[]
  /** There were no rows, and nobody holds an older picture: what comes later need not be kept for it. */
  readonly isEmpty: boolean
  readonly replaced: Map<Slot, OldRow>
  next: Moment | undefined
  state: State | undefined
}

type Column = Record<string, any>
type Ref<T> = { deref(): T | undefined }
/** What was made of something, and for which edits of its table. */
type Made<K> = Map<K, { readonly edits: number; readonly column: Ref<Column> }>

/**
 * Takes pictures of a store. A picture is made when somebody looks at it; until then the rows replaced since are kept
 * for it, as long as somebody holds it.
 */
export function createPictures(store: Store): () => State {
  const { clock, tables: all, pending } = store
  const { endpoints } = all
  const valuesMade: Made<Table> = new Map()
  const timesMade: Made<Table> = new Map()
  const groupsMade: Made<string> = new Map()
  /** The last moment. Within a task it would live on in any case, and a WeakRef is dear to make. */
  let strong: Moment | undefined
  let weak: Ref<Moment> | undefined
  /** Where rows replaced since go, and how many there are when it is next asked whether anybody holds the picture. */
  let replaced: Moment['replaced'] | undefined
  let most = 0
  let edits = 0

  const last = (): Moment | undefined => strong ?? weak?.deref()
  const weaken = (): void => {
    weak = refTo(strong!)
    strong = undefined
  }

  const { journal } = store
  store.journal = (slot) => {
    journal?.(slot)
    slot.table.edits = ++edits
    if (replaced === undefined || replaced.has(slot)) {
      return
    }
    // What a WeakRef was asked for lives until the end of the task: asked at each write, it would live for ever.
    if (replaced.size >= most) {
      most *= 2
      if (last() === undefined) {
        replaced = undefined
        return
      }
    }
    const { value, meta, list, at } = slot
    replaced.set(slot, { value, meta, list, at })
  }

  /** What a state has, made when it is looked at. */
  const draw = (moment: Moment): State => {
    const { optimistic, lastReset, now } = moment
    // Those that came later were empty.
    const tables = [...all.tables.values()]
    /** One column of a table. It keeps its reference while nothing in it is different. */
    const column = (made: Made<Table>, of: (row: OldRow) => unknown, table: Table): Column => {
      const known = made.get(table)
      const before = known?.column.deref()
      if (before !== undefined && table.edits <= Math.min(known!.edits, moment.edits)) {
        return before
      }
      const entries = rowsOf(table, moment).map(([pk, row]) => [pk, of(row)] as const)
      return keep(made, table, moment.edits, recordOf(entries))
    }
    const values = (table: Table): Column => column(valuesMade, ({ value }) => value, table)
    const times = (table: Table): Column => column(timesMade, timesOf, table)
    // Accessors keep what they made beside the object, so that it can be frozen before anybody has looked. They hold
    // the moment: as long as the picture is held, so are the rows replaced since.
    const made = new Map<string, Column>()
    const once = (name: string, of: (table: Table) => Column, table?: Table): Column => {
      let found = made.get(name)
      if (found === undefined) {
        found =
          table === undefined
            ? keep(groupsMade, name, 0, recordOf(tables.map((one) => [one.key, some(of(one))])))
            : of(table)
        made.set(name, found)
      }
      return found
    }
    const state: State = {
      get entities() {
        return once('entities', values)
      },
      get endpoints() {
        return once('endpoints', values, endpoints)
      },
      get indexes() {
        return once('indexes', (table) => indexesOf(table, moment))
      },
      get meta() {
        return once('meta', times, endpoints)
      },
      get entitiesMeta() {
        return once('entitiesMeta', times)
      },
      optimistic,
      lastReset,
    }
    const dump = (): Dump => ({
      now,
      clock,
      lastReset,
      tables: tables
        .map((table): Dump['tables'][number] => [table.key, rowsOf(table, moment).map(dumped)])
        .filter(([, rows]) => rows.length > 0),
      results: rowsOf(endpoints, moment).map(([key, row]) => [key, row.value, timesOf(row) as ResultTimes]),
    })
    return Object.defineProperty(state, DUMP, { value: dump })
  }

  // Accessors are dear to make, so there are none until somebody looks. From then on it is an object like any other.
  const looks: ProxyHandler<{ [MOMENT]?: Moment }> = {}
  for (const trap of TRAPS) {
    looks[trap] = (target: { [MOMENT]?: Moment }, ...rest: any[]): any => {
      const { [MOMENT]: moment } = target
      if (moment !== undefined) {
        delete target[MOMENT]
        Object.defineProperties(target, Object.getOwnPropertyDescriptors(draw(moment)))
      }
      return (Reflect[trap] as (...args: any[]) => any)(target, ...rest)
    }
  }

  return () => {
    const before = last()
    const optimistic = pending.map(({ action }) => action)
    const { lastReset } = store
    if (before?.edits === edits && before.lastReset === lastReset && isSame(before.optimistic, optimistic)) {
      return before.state!
    }
    const now = clock.now()
    const isEmpty = before === undefined && [endpoints, ...all.tables.values()].every(({ rows }) => rows.length === 0)
    const moment: Moment = {
      edits,
      now,
      lastReset,
      optimistic,
      isEmpty,
      replaced: new Map(),
      next: undefined,
      state: undefined,
    }
    const state = (moment.state = new Proxy({ [MOMENT]: moment }, looks) as never as State)
    if (before !== undefined) {
      before.next = moment
    }
    if (strong === undefined) {
      void Promise.resolve().then(weaken)
    }
    strong = moment
    replaced = isEmpty ? undefined : moment.replaced
    most = 64
    // Nothing can be kept for those who hold the picture, so all of it is made at once.
    if (typeof WeakRef !== 'function') {
      Object.values(state)
    }
    return state
  }
}

function keep<K>(made: Made<K>, name: K, edits: number, fresh: Column): Column {
  const before = made.get(name)?.column.deref()
  const column = before !== undefined && isSame(before, fresh) ? before : fresh
  made.set(name, { edits, column: refTo(column) })
  return column
}

function refTo<T extends object>(target: T): Ref<T> {
  return typeof WeakRef === 'function' ? new WeakRef(target) : { deref: () => target }
}

/** What stood in a slot at a moment. */
function rowAt(slot: Slot, moment: Moment): OldRow {
  for (let at: Moment | undefined = moment; at !== undefined; at = at.next) {
    const old = at.replaced.get(slot)
    if (old !== undefined) {
      return old
    }
  }
  return slot
}

/** The rows of a table at a moment, in the order they came. */
function rowsOf(table: Table, moment: Moment): [pk: string, row: OldRow][] {
  if (moment.isEmpty) {
    return []
  }
  const slots = new Set<Slot>(table.rows)
  // Rows that have left since.
  for (let at: Moment | undefined = moment; at !== undefined; at = at.next) {
    for (const slot of at.replaced.keys()) {
      if (slot.table === table) {
        slots.add(slot)
      }
    }
  }
  const out: [string, OldRow][] = []
  for (const slot of slots) {
    const row = rowAt(slot, moment)
    if (row.meta !== undefined) {
      out.push([slot.pk, row])
    }
  }
  return out.sort((a, b) => a[1].at - b[1].at)
}

const allTimes = new WeakMap<Meta, RowTimes>()

/** One object for all rows of an answer, as in the store. */
function timesOf({ meta }: OldRow): RowTimes {
  let times = allTimes.get(meta!)
  if (times === undefined) {
    const { sent: _sent, order: _order, written: _written, valueFetchedAt: _at, ...rest } = meta as ResultMeta
    allTimes.set(meta!, (times = rest))
  }
  return times
}

function dumped([pk, row]: [string, OldRow]): DumpedRow {
  const { list } = row
  if (list === undefined) {
    return [pk, row.value, timesOf(row)]
  }
  const { at, name, isMap, path, keys, counts } = list
  // The items of all pages are one list. How to fetch the pages again, and what comes after them, is kept.
  const next = nextOf(list)
  const previous = previousOf(list)
  const pages = dumpPages(list)
  const more = {
    ...(counts && { counts }),
    ...(next && { next }),
    ...(previous && { previous }),
    ...(pages.length > 0 && { pages }),
  }
  return [pk, row.value, timesOf(row), { at, name, isMap, path, keys, ...more }]
}

/** What is undefined is left out; any text can be a key. */
function recordOf(entries: Iterable<readonly [string, unknown]>): Column {
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

function indexesOf(table: Table, moment: Moment): Column {
  const rows = rowsOf(table, moment)
  const entries = (field: string): Column =>
    recordOf(
      rows.flatMap(([pk, { value }]) => {
        const text = indexText(value, field)
        return text === undefined ? [] : [[text, pk] as const]
      }),
    )
  return recordOf([...table.indexes.keys()].map((field) => [field, some(entries(field))]))
}
