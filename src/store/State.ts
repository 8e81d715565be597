import type { StoreClock } from '../base/clock.ts'
import { recall } from '../base/recall.ts'
import type { List } from '../normalize/lists.ts'
import { indexText } from '../normalize/tables.ts'

/** Times of a row, without the store's numbers: those mean nothing outside. */
export interface RowTimes {
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
}

/** Times of a result, with its error. */
export interface ResultTimes extends RowTimes {
  readonly prevExpiresAt?: number | undefined
  readonly error?: any
  readonly errorPolicy?: 'hard' | 'soft' | undefined
  readonly invalidated?: boolean | undefined
}

/** The committed store, as it was at one moment. It never changes. */
export interface State<_T = unknown> {
  readonly entities: { readonly [key: string]: { readonly [pk: string]: any } }
  readonly endpoints: { readonly [key: string]: any }
  readonly indexes: { readonly [key: string]: { readonly [field: string]: { readonly [value: string]: string } } }
  readonly meta: { readonly [key: string]: ResultTimes }
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: RowTimes } }
  readonly optimistic: readonly any[]
  readonly lastReset: number
}

/** A row in the order of its table; a list has more than its content. */
export type DumpedRow = readonly [pk: string, value: unknown, times: ResultTimes, list?: List]

/** Everything a state holds, in order: objects would put keys that look like numbers first. */
export interface Dump {
  /** When it was taken. */
  readonly now: number
  /** The clock of its times; without one they are wall times. */
  readonly clock?: StoreClock
  readonly lastReset: number
  readonly tables: readonly (readonly [key: string, rows: readonly DumpedRow[]])[]
  readonly results: readonly DumpedRow[]
  /** The fields by which tables are indexed. */
  readonly indexed?: Readonly<Record<string, readonly string[]>>
}

/** The hidden member of a state that has its rows in order. */
export const DUMP: unique symbol = Symbol('dump')

/** The state that has these rows. Its tables are built when they are looked at. */
export function stateOf(dump: Dump, optimistic: readonly object[] = []): State {
  const { tables, results, lastReset, indexed = {} } = dump
  const group = (of: (rows: readonly DumpedRow[], key: string) => unknown): (() => any) => {
    let built: object | undefined
    return () => (built ??= recordOf(tables.map(([key, rows]) => [key, of(rows, key)])))
  }
  const entities = group(valuesOf)
  const entitiesMeta = group(timesOf)
  const indexes = group((rows, key) => some((indexed[key] ?? []).map((field) => [field, entriesOf(rows, field)])))
  const state: State = {
    get entities() {
      return entities()
    },
    get endpoints() {
      return valuesOf(results)
    },
    get indexes() {
      return indexes()
    },
    get meta() {
      return timesOf(results)
    },
    get entitiesMeta() {
      return entitiesMeta()
    },
    optimistic,
    lastReset,
  }
  return Object.defineProperty(state, DUMP, { value: dump })
}

/** The state of a store in which nothing has happened. */
export const initialState: State = /* @__PURE__ */ stateOf({ now: 0, lastReset: 0, tables: [], results: [] })

type Column = Record<string, any>
const values = /* @__PURE__ */ new WeakMap<object, Column>()
const times = /* @__PURE__ */ new WeakMap<object, Column>()

/** The values of rows; the same object for the same rows. */
function valuesOf(rows: readonly DumpedRow[]): Column {
  return recall(values, rows, () => recordOf(rows))
}

function timesOf(rows: readonly DumpedRow[]): Column {
  return recall(times, rows, () => recordOf(rows.map(([pk, , found]) => [pk, found])))
}

/** The rows by the value of a field. */
function entriesOf(rows: readonly DumpedRow[], field: string): Column | undefined {
  const found = rows.map(([pk, value]) => [indexText(value, field), pk] as const)
  return some(found.filter((entry): entry is [string, string] => entry[0] !== undefined))
}

function some(entries: readonly (readonly [string, unknown])[]): Column | undefined {
  const record = recordOf(entries)
  return Object.keys(record).length > 0 ? record : undefined
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
