import type { StoreClock } from '../base/clock.ts'
import type { List, ListPage } from '../normalize/lists.ts'

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
export type DumpedRow = [pk: string, value: unknown, meta: RowTimes, list?: DumpedList]
export type DumpedList = Pick<List, 'name' | 'isMap' | 'path' | 'loose'> &
  Pick<ListPage, 'next' | 'previous'> & {
    /** The arguments that tell it from other lists. */
    readonly at: List['keyArgs']
    /** The arguments of its pages, to fetch them again. */
    readonly pages?: readonly (readonly [args: readonly any[]])[] | undefined
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

/** The hidden member of a state that has its rows in order. */
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
