import { copyPlain, put } from '../base/equal.ts'
import { stableKey } from '../base/stableKey.ts'
import { listOf } from '../store/listOf.ts'
import { normalize as takeApart } from '../writing/normalize.ts'
import { Row } from '../rows/Row.ts'
import type { Denormalize, Normalize } from '../schema/Denormalize.ts'
import type { Meta } from '../rows/Meta.ts'
import { recordOf, timesOf } from '../store/State.ts'
import type { RowTimes } from '../store/stateShape.ts'
import { Store } from '../store/Store.ts'
import { findNode } from '../reading/nodes.ts'
import { Reader } from '../reading/denormalize.ts'
import { type Node, unlink, nodesOf } from '../rows/Node.ts'
import { Queries, rowsOf } from '../reading/query.ts'

/** Rows by table and primary key. */
export interface EntityTables {
  readonly [key: string]: { readonly [pk: string]: any }
}

/** The tables of a state. */
export interface NormalizedTables {
  readonly entities: EntityTables
  readonly indexes: { readonly [key: string]: { readonly [field: string]: { readonly [value: string]: string } } }
  readonly entitiesMeta: { readonly [key: string]: { readonly [pk: string]: RowTimes } }
}

/** The row of one record. */
export interface EntityPath {
  readonly key: string
  readonly pk: string
}

const NOTHING: NormalizedTables = { entities: {}, indexes: {}, entitiesMeta: {} }

/**
 * Normalises a value without a store: returns the result and new tables. The arguments are not changed, and tables in
 * which nothing changed keep their reference.
 *
 * @example
 * const { result, entities } = normalize([User], [{ id: '5', name: 'Ann' }])
 * @see docs/api/normalize.md
 */
export function normalize<S>(
  schema: S,
  input: any,
  args: readonly any[] = [],
  store: NormalizedTables = NOTHING,
  meta: Partial<RowTimes> = {},
): { result: Normalize<S> } & NormalizedTables {
  const engine = new Store()
  for (const [key, rows] of Object.entries(store.entities)) {
    load(engine, key, rows, store.entitiesMeta[key])
  }
  const sent = ++engine.reached
  const times = { fetchedAt: 0, date: Date.now(), expiresAt: Infinity, ...meta }
  const own: Meta = { ...times, sent, at: sent, kind: 'set' }
  const intake = { tables: engine.tables, args, meta: own, fromApp: true }
  const change = takeApart(schema, input, intake)
  const before = new Map(change.rows.map((row) => [row, row.value]))
  engine.commit(change)
  const out = {
    entities: { ...store.entities },
    indexes: { ...store.indexes },
    entitiesMeta: { ...store.entitiesMeta },
  }
  for (const table of new Set(change.rows.map((row) => row.table))) {
    const { key } = table
    const rows = change.rows.filter((row) => row.table === table)
    const changed = rows.filter((row) => row.value !== before.get(row))
    if (changed.length > 0) {
      put(
        out.entities,
        key,
        column(store.entities[key], changed, ({ value }) => value),
      )
    }
    put(out.entitiesMeta, key, column(store.entitiesMeta[key], rows, timesOf))
    if (table.indexes.size > 0 && changed.length > 0) {
      put(out.indexes, key, recordOf([...table.indexes].map(([field, entries]) => [field, recordOf(entries)])))
    }
  }
  return { result: change.result as Normalize<S>, ...out }
}

/**
 * Reads a normalised value from tables; `undefined` when what it needs is not there. To read again and again, keep a
 * `MemoCache`.
 *
 * @example
 * const { result, entities } = normalize([User], [{ id: '5', name: 'Ann' }])
 * const users = denormalize([User], result, entities)
 * @see docs/api/normalize.md#denormalize
 */
export function denormalize<S>(
  schema: S,
  input: any,
  entities: EntityTables,
  args: readonly any[] = [],
): Denormalize<S> | undefined {
  return new MemoCache().denormalize(schema, input, entities, args).data
}

/** How many inputs are kept with what was read for them. */
const KEPT = 500

/**
 * Reads from tables that are replaced as they change, and keeps what it read: what did not change keeps its reference.
 *
 * @example
 * const { result, entities } = normalize([User], [{ id: '5', name: 'Ann' }])
 * const memo = new MemoCache()
 * const { data } = memo.denormalize([User], result, entities)
 * @see docs/api/normalize.md#memocache
 */
export class MemoCache {
  private readonly store = new Store()
  private readonly reader = new Reader(this.store.tables)
  private readonly queries = new Queries()
  private readonly known = new Map<string, { readonly [pk: string]: unknown }>()
  private readonly byObject = new WeakMap<object, Map<string, Row>>()
  private readonly byKey = new Map<string, Row>()
  /** In the order they were last read. */
  private readonly used = new Set<Row>()

  /** The value of a normalised input, and the rows it was made from. */
  denormalize<S>(
    schema: S,
    input: any,
    entities: EntityTables,
    args: readonly any[] = [],
  ): { data: Denormalize<S> | undefined; paths: EntityPath[] } {
    this.sync(entities)
    const row = this.inputRow(input, stableKey(args))
    return this.read(findNode(this.reader, row, 'result', schema, { args }))
  }

  /** Reads a schema as `useQuery` does. */
  query<S extends object>(
    schema: S,
    args: readonly any[],
    { entities }: Pick<NormalizedTables, 'entities'>,
  ): { data: Denormalize<S> | undefined; paths: EntityPath[] } {
    this.sync(entities)
    return this.read(this.queries.node(schema, args))
  }

  private read(node: Node): { data: any; paths: EntityPath[] } {
    const data: any = this.reader.read(node)
    const rows = rowsOf(node).filter((row) => row !== node.source)
    return { data, paths: rows.map(({ key, pk }) => ({ key, pk })) }
  }

  private inputRow(input: unknown, args: string): Row {
    const isObject = typeof input === 'object' && input !== null
    const key = isObject ? args : `${typeof input} ${String(input)} ${args}`
    const rows = isObject ? (this.byObject.get(input) ?? new Map<string, Row>()) : this.byKey
    let row = rows.get(key)
    if (row === undefined) {
      if (isObject) {
        this.byObject.set(input, rows)
      }
      // The caller's own object is neither kept nor frozen.
      rows.set(key, (row = new Row(this.store.tables.endpoints, isObject ? '' : key, copyPlain(input))))
    }
    this.use(row)
    return row
  }

  private use(row: Row): void {
    this.used.delete(row)
    this.used.add(row)
    if (this.used.size <= KEPT) {
      return
    }
    const [oldest] = this.used
    this.used.delete(oldest!)
    this.byKey.delete(oldest!.pk)
    const node = oldest!.node
    if (node !== undefined) {
      nodesOf(node).forEach(unlink)
    }
  }

  /** Takes over the rows that differ from those seen last. */
  private sync(entities: EntityTables): void {
    for (const key of this.known.keys()) {
      if (!Object.hasOwn(entities, key)) {
        this.replace(key, {})
      }
    }
    for (const [key, rows] of Object.entries(entities)) {
      if (this.known.get(key) !== rows) {
        this.replace(key, rows)
      }
    }
  }

  private replace(key: string, rows: { readonly [pk: string]: unknown }): void {
    const { store } = this
    const table = store.tables.table(key)
    store.drop(
      table.rows.filter(({ pk }) => !Object.hasOwn(rows, pk)),
      'collected',
    )
    for (const [pk, value] of Object.entries(rows)) {
      const row = table.row(pk)
      if (row.value !== value || row.meta === undefined) {
        store.write(row, { value, meta: NEVER })
      }
    }
    this.known.set(key, rows)
  }
}

/** Rows without times are as old as can be. */
const NEVER: Meta = { fetchedAt: 0, date: 0, expiresAt: 0, sent: 0, at: 0, kind: 'read' }

function load(
  store: Store,
  key: string,
  rows: { readonly [pk: string]: unknown },
  times: { readonly [pk: string]: RowTimes } = {},
): void {
  const table = store.tables.table(key)
  for (const [pk, value] of Object.entries(rows)) {
    const meta: Meta = { ...NEVER, ...times[pk] }
    store.write(table.row(pk), { value, meta, by: meta, list: listOf(key, pk, value) })
  }
}

function column(old: object | undefined, rows: readonly Row[], of: (row: Row) => unknown): Record<string, any> {
  return Object.assign(recordOf(Object.entries(old ?? {})), recordOf(rows.map((row) => [row.pk, of(row)])))
}
