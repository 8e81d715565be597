import { listAt } from '../lists/ListRow.ts'
import type { Controller } from '../controller/Controller.ts'
import { isEndpoint } from '../requests/Reading.ts'
import { slotsOf } from '../denormalize/query.ts'
import { mountedViews, readersOf } from '../explain/readersOf.ts'
import { isListTable, nameOf } from '../explain/slotNames.ts'
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
  readonly slot: Row
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
  return [...rows, ...floating].map((slot) => ({
    slot,
    name: nameOf(slot),
    pk: slot.pk,
    value: top(slot),
    statuses: rowStatus(slot, now),
  }))
}

/** The stored result of an endpoint. */
export interface ResultFact {
  readonly key: string
  readonly slot: Row
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
  for (const slot of store.tables.endpoints.slots.values()) {
    const meta: ResultMeta | undefined = slot.meta
    const readers = readersOf(slot.node ? mountedViews(slot.node) : []).count
    if (meta === undefined && readers === 0 && !inFlight.has(slot.pk)) {
      continue
    }
    facts.push({
      key: slot.pk,
      slot,
      storedAt: meta?.date ?? 0,
      arrival: meta?.at ?? 0,
      statuses: resultStatus(controller, slot, inFlight.has(slot.pk)),
      expiresAt: meta?.expiresAt ?? 0,
      readers,
    })
  }
  return facts.sort((a, b) => Math.sign(b.readers) - Math.sign(a.readers) || (a.key < b.key ? -1 : 1))
}

/** The slot with a name of `nameOf`. */
export function findSlot(controller: Controller, name: string): Row | undefined {
  const { core } = controller
  const { tables, endpoints } = core.store.tables
  const result = endpoints.slots.get(name)
  if (result) {
    return result
  }
  for (const { key, slots } of tables.values()) {
    const found = name.startsWith(`${key} `) ? slots.get(name.slice(key.length + 1)) : undefined
    if (found) {
      return found
    }
  }
  return undefined
}

/** The row that an endpoint or schema shows with arguments: its result, list or record. */
export function findShown({ core }: Controller, target: object, args: readonly any[]): Row | undefined {
  if (isEndpoint(target)) {
    return core.store.tables.endpoints.slots.get(target.key(...args))
  }
  // A node knows its rows once it is read.
  core.reads.read(target, args)
  const slots = slotsOf(core.reads.node(target, args)).filter((slot) => top(slot) !== undefined)
  return slots.find((slot) => (isEntity(target) ? slot.key === target.key : listAt(slot) !== undefined))
}

/** The name of a row as people read it: `Todo 5`, `Todo list (group a)`, `GET /todos`. */
export function rowLabel(slot: Row): string {
  return readable(nameOf(slot))
}

/** The name of a row with the title of a record: `Todo 5 “Buy milk”`. A long URL is cut. */
export function titledLabel(slot: Row): string {
  const title = slot.table.entity ? titleOf(top(slot)) : ''
  const text = title.length > MOST_TITLE ? `${title.slice(0, MOST_TITLE)}…` : title
  return text === '' ? cutKey(rowLabel(slot)) : `${rowLabel(slot)} “${text}”`
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
