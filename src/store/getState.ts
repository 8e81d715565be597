import { recall } from '../base/recall.ts'
import { dumpPages, nextOf, previousOf } from '../normalize/pages.ts'
import { indexText, type Slot, type Table } from '../normalize/tables.ts'
import type { Meta } from '../schema/Schema.ts'
import { DUMP, type Dump, type DumpedRow, type ResultTimes, type RowTimes, type State } from './State.ts'
import type { ResultMeta, Store } from './Store.ts'

/** The hidden member of a state that has its moment, until the state is read. */
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

type OldRow = Pick<Slot, 'value' | 'meta' | 'list' | 'position'>

/** A moment whose state was requested: the rows replaced since then, up to the next such moment. */
interface Moment {
  /** How many rows had been replaced in all. */
  readonly edits: number
  readonly now: number
  readonly lastReset: number
  readonly optimistic: readonly object[]
  /** There were no rows, and nobody holds an older state: replaced rows need not be kept for it. */
  readonly isEmpty: boolean
  readonly replaced: Map<Slot, OldRow>
  next: Moment | undefined
  state: State | undefined
}

type Column = Record<string, any>
type Ref<T> = { deref(): T | undefined }
/** The columns that states have, and the edit of the table each was made for. */
type Made<K> = Map<K, { readonly edits: number; readonly column: Ref<Column> }>

/**
 * Creates `getState`. To copy the rows at each call would take too long, so a state is computed when it is first read. Until
 * then the store keeps the rows that were replaced since, as long as the state is referenced.
 */
export function createGetState(store: Store): () => State {
  const { clock, tables: all, pending } = store
  const { endpoints } = all
  const valuesMade: Made<Table> = new Map()
  const timesMade: Made<Table> = new Map()
  const groupsMade: Made<string> = new Map()
  /** The last moment. It is weak from the next microtask on: a WeakRef is slow to create, and would not be released earlier. */
  let strong: Moment | undefined
  let weak: Ref<Moment> | undefined
  /** The rows replaced since, and the size at which to check whether the state is still referenced. */
  let replaced: Moment['replaced'] | undefined
  let most = 0
  let edits = 0

  const last = (): Moment | undefined => strong ?? weak?.deref()
  const weaken = (): void => {
    weak = refTo(strong!)
    strong = undefined
  }

  store.journal = (slot) => {
    slot.table.edits = ++edits
    if (replaced === undefined || replaced.has(slot)) {
      return
    }
    // `deref` keeps its target alive until the end of the task: called at each write, it would keep it for ever.
    if (replaced.size >= most) {
      most *= 2
      if (last() === undefined) {
        replaced = undefined
        return
      }
    }
    const { value, meta, list, position } = slot
    replaced.set(slot, { value, meta, list, position })
  }

  /** The members of a state, each computed when it is first read. */
  const compute = (moment: Moment): State => {
    const { optimistic, lastReset, now } = moment
    // Tables created later were empty.
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
    // Computed members are not stored in the object, so that it can be frozen before it is read. The accessors hold the
    // moment, and so the rows replaced since.
    const made = new Map<string, Column>()
    const once = (name: string, of: (table: Table) => Column, table?: Table): Column =>
      recall(made, name, () =>
        table === undefined
          ? keep(groupsMade, name, 0, recordOf(tables.map((one) => [one.key, some(of(one))])))
          : of(table),
      )
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

  // Accessors take 15 microseconds to create, so a state has none until it is read. Then it becomes an ordinary object.
  const handler: ProxyHandler<{ [MOMENT]?: Moment }> = {}
  for (const trap of TRAPS) {
    handler[trap] = (target: { [MOMENT]?: Moment }, ...rest: any[]): any => {
      const { [MOMENT]: moment } = target
      if (moment !== undefined) {
        delete target[MOMENT]
        Object.defineProperties(target, Object.getOwnPropertyDescriptors(compute(moment)))
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
    const state = (moment.state = new Proxy({ [MOMENT]: moment }, handler) as never as State)
    if (before !== undefined) {
      before.next = moment
    }
    if (strong === undefined) {
      void Promise.resolve().then(weaken)
    }
    strong = moment
    replaced = isEmpty ? undefined : moment.replaced
    most = 64
    // Without WeakRef nobody knows how long a state is held, so it is computed at once.
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

/** The row of a slot at a moment. */
function rowAt(slot: Slot, moment: Moment): OldRow {
  for (let at: Moment | undefined = moment; at !== undefined; at = at.next) {
    const old = at.replaced.get(slot)
    if (old !== undefined) {
      return old
    }
  }
  return slot
}

/** The rows of a table at a moment, in the order in which they were created. */
function rowsOf(table: Table, moment: Moment): [pk: string, row: OldRow][] {
  if (moment.isEmpty) {
    return []
  }
  const slots = new Set<Slot>(table.rows)
  // Rows that were removed since.
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
  return out.sort((a, b) => a[1].position - b[1].position)
}

const allTimes = new WeakMap<Meta, RowTimes>()

/** One object for all rows of a response, as in the store. */
export function timesOf({ meta }: Pick<OldRow, 'meta'>): RowTimes {
  let times = allTimes.get(meta!)
  if (times === undefined) {
    const { sent: _sent, order: _order, valueFetchedAt: _at, ...rest } = meta as ResultMeta
    allTimes.set(meta!, (times = rest))
  }
  return times
}

function dumped([pk, row]: [string, OldRow]): DumpedRow {
  const { list } = row
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
