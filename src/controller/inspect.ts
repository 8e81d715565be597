// The one file that reads the internals of the store for `explain` and the devtools. It returns plain facts.
import { DEV } from '../base/env.ts'
import { type Node, nodesOf, parentsOf } from '../denormalize/memo.ts'
import { slotsOf } from '../denormalize/queries.ts'
import { shapeOf } from '../denormalize/shape.ts'
import { filterText, isNonFilter } from '../normalize/listIndex.ts'
import { top } from '../normalize/shown.ts'
import { type Slot, Table } from '../normalize/tables.ts'
import { INVALID } from '../schema/Schema.ts'
import type { ResultMeta } from '../store/Store.ts'
import type { Controller } from './Controller.ts'
import type { History } from './history.ts'
import type { Listener, SharedView } from './SharedView.ts'

/** A pending optimistic operation. */
export interface PendingFact {
  readonly requestId: string
  readonly key: string
  readonly args: readonly unknown[]
  /** When its request was sent. */
  readonly since: number
  /** The records and lists that it changes. */
  readonly changes: readonly string[]
}

/** A request in flight. */
export interface RequestFact {
  readonly requestId: string
  readonly key: string
  /** Differs from the key for pages of a list. */
  readonly name: string
  readonly args: readonly unknown[]
  readonly since: number
  readonly sent: number
  readonly isMutation: boolean
  /** The library sent it for a reader. */
  readonly auto: boolean
  /** How many callers of `fetch` wait for it. */
  readonly callers: number
  /** When it is sent again after a failure. */
  readonly retryAt: number | undefined
  readonly retryError: string | undefined
}

/** The readers of some data. */
export interface ReadersFact {
  readonly count: number
  /** How many of them fetch missing and stale data. */
  readonly fetching: number
  /** The names of their components, where they are known. */
  readonly components: readonly string[]
  /** The view they read. */
  readonly views: readonly string[]
}

/** `Todo 5`, `[Todo] {"group":"a"}`, or the key of a result. */
export function nameOf({ table, pk }: Slot): string {
  return table.key === '' ? pk : `${table.key} ${pk}`
}

/** The name of what a node shows. */
export function nodeName({ kind, source, schema, extra }: Node): string {
  if (kind === 'query') {
    const args = extra?.args?.length ? ` ${extra.args.map(asText).join(', ')}` : ''
    return `${schema?.key ?? schema?.constructor?.name}${args}`
  }
  return source === undefined || source instanceof Table ? (source?.key ?? kind) : nameOf(source)
}

/** JSON where a value has any. */
export function asText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

/** True for tables of lists and maps. */
export function isListTable(key: string): boolean {
  return /^[[{]/.test(key)
}

/** The pks that a list or map contains. */
export function pksOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.values(value).map((item) => {
        const pk: unknown = (item as { id?: unknown } | null)?.id ?? item
        // An item that was not normalised may be anything.
        return typeof pk === 'object' ? asText(pk) : String(pk)
      })
    : []
}

/** The slots that a target shows, its own result first. */
export function slotsShown(controller: Controller, target: object, args: readonly any[]): Slot[] {
  const { driver } = controller.core
  driver.read(target, args)
  return slotsOf(driver.node(target, args))
}

/** The mounted views that a slot is part of. */
export function mountedOn({ node }: Slot): Node[] {
  const met = new Set<Node>(node ? nodesOf(node as Node) : [])
  const found: Node[] = []
  for (const one of met) {
    if (isMounted(one)) {
      found.push(one)
    }
    for (const parent of parentsOf(one)) {
      met.add(parent)
    }
  }
  return found
}

function isMounted({ extra }: Node): boolean {
  return (extra?.view as SharedView | undefined)?.isMounted === true
}

/** The readers of some views. */
export function readersOf(nodes: readonly Node[]): ReadersFact {
  const listeners: Listener[] = []
  for (const { extra } of nodes) {
    ;(extra?.view as SharedView | undefined)?.some((listener) => void listeners.push(listener))
  }
  return {
    count: listeners.length,
    fetching: listeners.filter(({ subscriber }) => subscriber).length,
    components: [...new Set(listeners.flatMap(({ name }) => name ?? []))],
    views: [...new Set(nodes.map(nodeName))],
  }
}

/** The mounted views of one node's row, or the node itself. */
export function mountedViews(node: Node): Node[] {
  const { source } = node
  const first = source === undefined || source instanceof Table ? node : ((source.node as Node | undefined) ?? node)
  return [...new Set([node, ...nodesOf(first)])].filter(isMounted)
}

/** The requests in flight, oldest first. */
export function requestsOf(controller: Controller, history: History, key?: string): RequestFact[] {
  const { core } = controller
  return core.requests
    .all()
    .filter(({ action }) => key === undefined || action.key === key)
    .map(({ id, name, action, callers }) => {
      const retry = history.retryOf(id)
      const isWaiting = retry !== undefined && retry.at > core.driver.store.clock.now()
      return {
        requestId: id,
        key: action.key,
        name,
        args: action.args,
        since: action.meta.fetchedAt,
        sent: action.meta.sent,
        isMutation: action.endpoint.sideEffect === true,
        auto: action.meta.auto === true,
        callers,
        retryAt: isWaiting ? retry.at : undefined,
        retryError: isWaiting ? retry.error : undefined,
      }
    })
}

/** The pending operations, oldest first; with slots only those that change one of them. */
export function pendingOf(controller: Controller, slots?: readonly Slot[]): PendingFact[] {
  const { core } = controller
  const shown = slots && new Set(slots)
  return core.driver.store.pending
    .filter(({ slots: changed }) => !shown || changed.some((slot) => shown.has(slot)))
    .map(({ id, action, slots: changed }) => {
      const { key, args, meta } = action as { key: string; args: readonly unknown[]; meta: { fetchedAt: number } }
      const changes = changed.filter(({ table }) => table.key !== '').map(nameOf)
      return { requestId: id, key, args, since: meta.fetchedAt, changes }
    })
}

/** Why the garbage collector keeps a row, each reason a sentence; and until when, at least. */
export function keptOf(controller: Controller, history: History, slot: Slot): { why: string[]; until: number } {
  const { driver, views } = controller.core
  const { store, counts } = driver
  const { meta, table } = slot
  const why: string[] = []
  if (meta === undefined) {
    return { why, until: 0 }
  }
  const isResult = table.key === ''
  const now = controller.clock.now()
  const until = history.limit?.(meta, isResult, slot.pk) ?? Infinity
  const { count } = readersOf(mountedOn(slot))
  if (count > 0) {
    why.push(`${count === 1 ? 'A reader shows' : `${count} readers show`} it.`)
  } else if (isResult && views.isRead(slot.pk)) {
    why.push('A reader is waiting for it.')
  }
  if (counts.has(slot)) {
    why.push('countRef() holds it.')
  }
  if (slot.pending !== undefined) {
    why.push('A pending operation changes it.')
  }
  if (history.limit === undefined) {
    // Policies report their limit in development only.
    if (DEV) {
      why.push('The garbage policy of this store removes nothing.')
    }
  } else if (until > now) {
    why.push(until === Infinity ? 'It never expires.' : 'It is not old enough to be removed.')
  }
  if (meta.order >= store.horizon()) {
    why.push('An older request is still in flight, and its response has to be compared with it.')
  }
  const holders = holdersOf(controller, slot)
  if (holders.length > 0) {
    const more = holders.length > 3 ? ` and ${holders.length - 3} more` : ''
    why.push(`It is part of ${holders.slice(0, 3).join(', ')}${more}.`)
  }
  return { why, until }
}

/** The names of the rows that refer to a row. */
function holdersOf(controller: Controller, slot: Slot): string[] {
  const { core } = controller
  const { tables } = core.driver.store
  const collector = core.driver.collector()
  let isNamed = false
  // In browsers it is loaded when the page is idle.
  const follow = 'names' in collector ? collector.names((named) => (isNamed ||= named === slot)) : undefined
  if (follow === undefined) {
    return []
  }
  const holders: string[] = []
  for (const table of [tables.endpoints, ...tables.tables.values()]) {
    for (const row of table.rows) {
      isNamed = false
      follow(row)
      if (isNamed && row !== slot) {
        holders.push(nameOf(row))
      }
    }
  }
  return holders
}

/** The declared or required fields that no response has set. */
export function missingFields(slot: Slot): string[] {
  const Class = slot.table.entity
  const row = top(slot).value
  if (Class === undefined || typeof row !== 'object' || row === null) {
    return []
  }
  const { declared } = shapeOf(Class)
  return [...(Class.required ?? declared)].filter((name) => !Object.hasOwn(row, name))
}

/** The arguments by which a list filters that a record does not match, each as a sentence. */
export function misfits({ list }: Slot, row: unknown): string[] | undefined {
  if (list === undefined || typeof row !== 'object' || row === null) {
    return undefined
  }
  const { at, collection, loose } = list
  if (collection?.ownFilter) {
    try {
      return collection.createCollectionFilter(row as any, row as any)(at) ? [] : ["The list's own filter rejects it."]
    } catch {
      return undefined
    }
  }
  const out: string[] = []
  for (const [name, wanted] of Object.entries(at)) {
    const value = Object.hasOwn(row, name) ? (row as Record<string, unknown>)[name] : undefined
    if (isNonFilter(collection, name) || loose?.includes(name)) {
      continue
    }
    if (value === undefined) {
      out.push(`The list wants \`${name}\` to be ${asText(wanted)}; the record has no \`${name}\`.`)
    } else if (filterText(value) !== filterText(wanted)) {
      out.push(`Its \`${name}\` is ${asText(value)}; the list wants ${asText(wanted)}.`)
    }
  }
  return out
}

/** The items of a list, with pending operations. */
export function shownPks(slot: Slot): string[] {
  return pksOf(top(slot).value)
}

/** The items of a list without pending operations. */
export function committedPks(slot: Slot): string[] {
  return pksOf(slot.value)
}

/** The records of a list's members that the store has, in the list or not. */
export function recordsFor(controller: Controller, { table }: Slot): Slot[] {
  const { core } = controller
  const { tables } = core.driver.store
  const records: Slot[] = []
  for (const key of table.key.slice(1, -1).split(';')) {
    const { rows = [], floating = [] } = tables.tables.get(key) ?? {}
    records.push(...rows, ...floating)
  }
  return records
}

/** All lists that can contain a record. */
export function listsFor(controller: Controller, { table }: Slot): Slot[] {
  const { core } = controller
  const { tables } = core.driver.store
  return [...tables.tables.values()]
    .filter(({ key }) => isListTable(key) && key.slice(1, -1).split(';').includes(table.key))
    .flatMap(({ rows }) => rows)
}

/** A table of records or lists. */
export interface TableFact {
  readonly key: string
  readonly isList: boolean
  readonly count: number
}

/** The tables of a store, by name. */
export function tableFacts(controller: Controller): TableFact[] {
  const { core } = controller
  return [...core.driver.store.tables.tables.values()]
    .map(({ key, rows, floating }) => ({ key, isList: isListTable(key), count: rows.length + floating.size }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** A row as the devtools show it. */
export interface RowFact {
  readonly slot: Slot
  readonly name: string
  readonly pk: string
  /** With pending operations. */
  readonly value: unknown
  readonly isDeleted: boolean
  readonly isPending: boolean
}

/** The rows of a table. */
export function rowFacts(controller: Controller, key: string): RowFact[] {
  const { core } = controller
  const { rows = [], floating = [] } = core.driver.store.tables.tables.get(key) ?? {}
  return [...rows, ...floating].map(rowFact)
}

export function rowFact(slot: Slot): RowFact {
  const { value } = top(slot)
  return {
    slot,
    name: nameOf(slot),
    pk: slot.pk,
    value,
    isDeleted: value === INVALID,
    isPending: slot.pending !== undefined,
  }
}

/** The stored result of an endpoint. */
export interface ResultFact {
  readonly key: string
  readonly slot: Slot
  readonly storedAt: number
  readonly status: 'fresh' | 'stale' | 'invalid' | 'failed' | 'empty'
  readonly expiresAt: number
  readonly readers: number
  readonly isInFlight: boolean
}

/** The results of all endpoints, those with readers first. */
export function resultFacts(controller: Controller): ResultFact[] {
  const { driver, requests } = controller.core
  const now = controller.clock.now()
  const inFlight = new Set(requests.all().map(({ action }) => action.key))
  const facts: ResultFact[] = []
  for (const slot of driver.store.tables.endpoints.slots.values()) {
    const meta: ResultMeta | undefined = slot.meta
    const readers = readersOf(slot.node ? mountedViews(slot.node as Node) : []).count
    if (meta === undefined && readers === 0 && !inFlight.has(slot.pk)) {
      continue
    }
    const { expiresAt = 0 } = meta ?? {}
    const status = !meta
      ? 'empty'
      : meta.invalidated
        ? 'invalid'
        : meta.error
          ? 'failed'
          : expiresAt > now
            ? 'fresh'
            : 'stale'
    facts.push({
      key: slot.pk,
      slot,
      storedAt: meta?.date ?? 0,
      status,
      expiresAt,
      readers,
      isInFlight: inFlight.has(slot.pk),
    })
  }
  return facts.sort((a, b) => Math.sign(b.readers) - Math.sign(a.readers) || (a.key < b.key ? -1 : 1))
}

/** The endpoint and arguments that a result was last read with. */
export function targetOf({ node }: Slot): [target: object, args: readonly any[]] | undefined {
  for (const { extra } of node ? nodesOf(node as Node) : []) {
    const view = extra?.view as SharedView | undefined
    if (view) {
      return [view.target, view.args]
    }
  }
  return undefined
}

/** The slot with a name of `nameOf`. */
export function findSlot(controller: Controller, name: string): Slot | undefined {
  const { core } = controller
  const { tables, endpoints } = core.driver.store.tables
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

/** The rows that a field of a record refers to. */
export function relationsOf(controller: Controller, { table }: Slot, field: string, value: unknown): Slot[] {
  const { core } = controller
  const member: any = table.entity?.schema[field]
  const key: unknown = Array.isArray(member) ? member[0]?.key : member?.key
  const slots = typeof key === 'string' ? core.driver.store.tables.tables.get(key)?.slots : undefined
  return (Array.isArray(value) ? value : [value]).flatMap((pk) => slots?.get(String(pk)) ?? [])
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
