import { listAt } from '../lists/ListRow.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEndpoint } from '../requests/Reading.ts'
import { rowsOf } from '../reading/query.ts'
import { mountedViews, readersOf } from '../explain/readersOf.ts'
import { isListTable, nameOf } from '../explain/rowNames.ts'
import { top } from '../rows/overlay.ts'
import type { Row } from '../rows/Row.ts'
import { isEntity } from '../schema/Schema.ts'
import type { ResultMeta } from '../store/Store.ts'
import { cutKey, readable } from './keys.ts'
import { resultStatus, rowStatus, type Status } from './statuses.ts'

const MOST_TITLE = 48

/** A table of records or lists. */
export interface TableFact {
  readonly key: string
  readonly isList: boolean
  readonly count: number
}

/** The tables of a store, by name. */
export function tableFacts(controller: Controller): TableFact[] {
  const { core } = controller
  return [...core.store.tables.tables.values()]
    .map(({ key, rows, floating }) => ({ key, isList: isListTable(key), count: rows.length + floating.size }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** A row as the devtools show it. */
export interface RowFact {
  readonly row: Row
  readonly name: string
  readonly pk: string
  /** With pending operations. */
  readonly value: unknown
  readonly statuses: readonly Status[]
}

/** The rows of a table. */
export function rowFacts(controller: Controller, key: string): RowFact[] {
  const { core } = controller
  const { rows = [], floating = [] } = core.store.tables.tables.get(key) ?? {}
  const now = core.store.clock.now()
  return [...rows, ...floating].map((row) => ({
    row,
    name: nameOf(row),
    pk: row.pk,
    value: top(row),
    statuses: rowStatus(row, now),
  }))
}

/** The stored result of an endpoint. */
export interface ResultFact {
  readonly key: string
  readonly row: Row
  readonly storedAt: number
  /** The number of its last response, by arrival. */
  readonly arrival: number
  readonly statuses: readonly Status[]
  readonly expiresAt: number
  readonly readers: number
}

/** The results of all endpoints, those with readers first. */
export function resultFacts(controller: Controller): ResultFact[] {
  const { store, requests } = controller.core
  const inFlight = new Set([...requests.open.values()].map(({ action }) => action.key))
  const facts: ResultFact[] = []
  for (const row of store.tables.endpoints.byPk.values()) {
    const meta: ResultMeta | undefined = row.meta
    const readers = readersOf(row.node ? mountedViews(row.node) : []).count
    if (meta === undefined && readers === 0 && !inFlight.has(row.pk)) {
      continue
    }
    facts.push({
      key: row.pk,
      row,
      storedAt: meta?.date ?? 0,
      arrival: meta?.at ?? 0,
      statuses: resultStatus(controller, row, inFlight.has(row.pk)),
      expiresAt: meta?.expiresAt ?? 0,
      readers,
    })
  }
  return facts.sort((a, b) => Math.sign(b.readers) - Math.sign(a.readers) || (a.key < b.key ? -1 : 1))
}

/** The row with a name of `nameOf`. */
export function findRow(controller: Controller, name: string): Row | undefined {
  const { core } = controller
  const { tables, endpoints } = core.store.tables
  const result = endpoints.byPk.get(name)
  if (result) {
    return result
  }
  for (const { key, byPk } of tables.values()) {
    const found = name.startsWith(`${key} `) ? byPk.get(name.slice(key.length + 1)) : undefined
    if (found) {
      return found
    }
  }
  return undefined
}

/** The row that an endpoint or schema shows with arguments: its result, list or record. */
export function findShown({ core }: Controller, target: object, args: readonly any[]): Row | undefined {
  if (isEndpoint(target)) {
    return core.store.tables.endpoints.byPk.get(target.key(...args))
  }
  // A node knows its rows once it is read.
  core.reads.read(target, args)
  const rows = rowsOf(core.reads.node(target, args)).filter((row) => top(row) !== undefined)
  return rows.find((row) => (isEntity(target) ? row.key === target.key : listAt(row) !== undefined))
}

/** The name of a row as people read it: `Todo 5`, `Todo list (group a)`, `GET /todos`. */
export function rowLabel(row: Row): string {
  return readable(nameOf(row))
}

/** The name of a row with the title of a record: `Todo 5 “Buy milk”`. A long URL is cut. */
export function titledLabel(row: Row): string {
  const title = row.table.entity ? titleOf(top(row)) : ''
  const text = title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE)}…` : title
  return text === '' ? cutKey(rowLabel(row)) : `${rowLabel(row)} “${text}”`
}

/** The name of a record. */
export function titleOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return ''
  }
  const { title, name, label, username, subject, body } = value as Record<string, unknown>
  const text = [title, name, label, username, subject, body].find((one) => typeof one === 'string')
  return typeof text === 'string' ? text : ''
}
