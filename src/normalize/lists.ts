import { put, share } from '../base/equal.ts'
import { append } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import type { ListChange, Meta } from '../schema/Schema.ts'
import { filterText, type ListEntry, type ListState, type Slot, type Table } from './tables.ts'

/** The content of a list: its base, and what joined or left since. */
export function fold(base: any, entries: readonly ListEntry[]): any {
  let value: unknown = base
  for (const entry of entries) if (!entry.past) value = place(value, entry)
  return value
}

/** What one change of membership makes of a list; the list itself when nothing changes. No item stands in it twice. */
export function place(existing: any, { items, merge }: Pick<ListEntry, 'items' | 'merge'>): any {
  if (merge === undefined) return takeOut(existing, items)
  if (!Array.isArray(existing)) return placeEntries(existing as object, items, merge)
  if (merge === append) {
    const fresh = (items as unknown[]).filter(
      (item, i) => !holds(existing, item) && !holds(items as unknown[], item, i),
    )
    return fresh.length === 0 ? existing : [...(existing as unknown[]), ...fresh]
  }
  return share(existing, unique(merge(existing, items) as unknown[]))
}

function placeEntries(existing: object, items: any, merge: NonNullable<ListEntry['merge']>): unknown {
  if (!Array.isArray(items)) return share(existing, merge(existing, items))
  const entries: Record<string, unknown> = {}
  for (const item of items) {
    const pk: unknown = typeof item === 'object' ? (item as { id: unknown } | null)?.id : item
    if (typeof pk === 'string') put(entries, pk, item)
  }
  return share(existing, { ...existing, ...entries })
}

function takeOut(existing: any, items: any): unknown {
  const gone = new Set((Array.isArray(items) ? (items as unknown[]) : Object.values(items as object)).map(itemKey))
  if (Array.isArray(existing)) {
    const left = existing.filter((item) => !gone.has(itemKey(item)))
    return left.length === existing.length ? existing : left
  }
  const left = Object.entries(existing as object).filter(([, item]) => !gone.has(itemKey(item)))
  return left.length === Object.keys(existing as object).length ? existing : Object.fromEntries(left)
}

/** The items of a list, each once: the first of equal ones stays. */
export function unique(items: readonly unknown[]): unknown[] {
  const met = new Set<unknown>()
  const out: unknown[] = []
  for (const item of items) {
    if (item === null || item === undefined) {
      out.push(item)
      continue
    }
    const size = met.size
    met.add(itemKey(item))
    if (met.size > size) out.push(item)
  }
  return out.length === items.length ? (items as unknown[]) : out
}

function holds(list: readonly unknown[], item: unknown, end: number = list.length): boolean {
  if (typeof item === 'string') {
    const at = list.indexOf(item)
    return at >= 0 && at < end
  }
  const key = itemKey(item)
  for (let i = 0; i < end; i++) if (itemKey(list[i]) === key) return true
  return false
}

/** What a list without a history knows, told by the names of its table and row. */
export function listOf(table: string, pk: string, value: unknown, meta: Meta): ListState | undefined {
  const isMap = table.startsWith('{')
  if ((!isMap && !table.startsWith('[')) || typeof value !== 'object' || value === null) return undefined
  const start = pk.indexOf('{')
  try {
    const at = JSON.parse(pk.slice(start)) as Record<string, any>
    const name = start > 0 ? pk.slice(0, start - 1) : undefined
    return { at, name, isMap, path: undefined, base: value, baseMeta: meta, folded: 0, log: [], keys: [] }
  } catch {
    return undefined
  }
}

/** By what two items are the same: the pk, and of a union the member too. What no member knew is only itself. */
function itemKey(item: any): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { schema, id } = item as { schema: unknown; id: unknown }
  return typeof schema === 'string' && typeof id === 'string' ? `${schema}\0${id}` : item
}

/** A whole answer meets what joined or left the list. `stale` says that some of it came after the answer was sent. */
export function replaceList(
  changes: readonly ListEntry[],
  fresh: Omit<ListState, 'log' | 'baseMeta' | 'folded'>,
  meta: Meta,
  horizon: number = Number.POSITIVE_INFINITY,
): { list: ListState; value: unknown; stale: boolean } {
  const log: ListEntry[] = []
  for (const entry of changes) {
    if (!entry.past && isOlder(meta, entry.meta)) log.push(entry)
    else if (horizon < entry.meta.sent) log.push({ ...entry, past: true })
  }
  const list: ListState = { ...fresh, baseMeta: meta, folded: 0, log }
  return { list, value: fold(list.base, log), stale: log.some((entry) => !entry.past) }
}

/**
 * One change of membership meets the stored list. What no open request can overtake is folded at once. Of two changes
 * about one item the one sent later has the last word, whatever the order of answers; `stale` says that they crossed.
 */
export function changeList(
  state: ListState,
  value: unknown,
  given: ListEntry,
  horizon: number,
): { list: ListState; value: unknown; stale: boolean } {
  const later = state.log.filter((other) => isOlder(given.meta, other.meta))
  const items: any = later.length === 0 ? given.items : undecided(given.items, later)
  const entry = items === given.items ? given : { ...given, items }
  const next: unknown = place(value, entry)
  const list =
    entry.meta.order < horizon
      ? { ...state, base: next, folded: entry.meta.order, log: [] }
      : compact({ ...state, log: [...state.log, entry] }, horizon)
  return { list, value: next, stale: entry !== given }
}

/** The items about which no other change says anything. */
function undecided(items: any, later: readonly ListEntry[]): any {
  const met = new Set<unknown>()
  const names = new Set<string>()
  for (const other of later) {
    for (const item of Object.values(other.items as object)) met.add(itemKey(item))
    if (!Array.isArray(other.items)) for (const name of Object.keys(other.items as object)) names.add(name)
  }
  if (Array.isArray(items)) {
    const others = items.filter((item) => !met.has(itemKey(item)))
    return others.length === items.length ? items : others
  }
  const left = Object.entries(items as object).filter(([name]) => !names.has(name))
  return left.length === Object.keys(items as object).length ? items : Object.fromEntries(left)
}

/** Folds the changes that are older than every open request into the base. */
export function compact(state: ListState, horizon: number): ListState {
  const old = state.log.findIndex((entry) => entry.meta.order >= horizon)
  const end = old < 0 ? state.log.length : old
  if (end === 0) return state
  const folded = Math.max(...state.log.slice(0, end).map((entry) => entry.meta.order))
  return { ...state, base: fold(state.base, state.log.slice(0, end)), folded, log: state.log.slice(end) }
}

/** What joined or left a list before there was one: the changes whose requests it may have crossed. */
export function recall({ recent }: Table, name: string | undefined, at: Record<string, any>): ListEntry[] {
  return recent.flatMap(({ meta, merge, isMap, members, ...of }) => {
    if (of.name !== name) return []
    const joins: unknown[] = []
    const leaves: unknown[] = []
    for (const { entry, into, outOf } of members) {
      const joined = into?.(at) ?? false
      const left = outOf?.(at) ?? false
      if (joined && !left) joins.push(entry)
      if (left && !joined) leaves.push(itemOf(entry))
    }
    const entries: ListEntry[] = []
    if (leaves.length > 0) entries.push({ meta, items: leaves, merge: undefined })
    if (joins.length > 0) entries.push({ meta, items: joining(joins, isMap), merge })
    return entries
  })
}

/** What is placed in a list: the items, or in a map the named entries. */
export function joining(entries: readonly any[], isMap: boolean): unknown {
  if (!isMap || !Array.isArray(entries[0])) return entries
  const out = {}
  for (const [name, item] of entries as [string, unknown][]) put(out, name, item)
  return out
}

/** The item of an entry, which in a map has a name. */
export function itemOf(entry: any): unknown {
  return Array.isArray(entry) ? entry[1] : entry
}

/** Which stored lists an item belongs to, by its arguments and its own fields. */
export function matchingLists(
  table: Table,
  { collection, filter }: ListChange,
  matches: (at: Record<string, any>) => boolean,
  args: readonly any[],
  fields: any,
): ReadonlySet<Slot> {
  const found = new Set<Slot>()
  const test = (slot: Slot): void => {
    if (slot.list !== undefined && slot.list.name === collection.name && matches(slot.list.at)) found.add(slot)
  }
  if (filter !== undefined || collection.ownFilter) {
    for (const slot of table.rows) test(slot)
    return found
  }
  for (const slot of table.unfiltered) test(slot)
  for (const [name, values] of table.filtered) {
    if (collection.isNonFilter(name)) {
      for (const slots of values.values()) for (const slot of slots) test(slot)
      continue
    }
    for (const value of possible(args, fields, name)) for (const slot of values.get(value) ?? []) test(slot)
  }
  return found
}

/** Whether an item belongs to a list, told by the key object of the list. */
export function listTest(
  { collection, filter }: ListChange,
  args: readonly any[],
  fields: any,
): (at: Record<string, any>) => boolean {
  if (filter !== undefined) return filter(...args)
  if (collection.ownFilter) return collection.createCollectionFilter(...args)
  return (at) =>
    Object.keys(at).every(
      (name) => collection.isNonFilter(name) || possible(args, fields, name).has(filterText(at[name])),
    )
}

/** The values by which an item may match an argument: those of the two arguments, else that of its own field. */
function possible(args: readonly any[], fields: any, name: string): Set<string> {
  const values = new Set<string>()
  for (let i = 0; i < 2; i++) {
    const value = member(args[i], name)
    if (value !== undefined) values.add(filterText(value))
  }
  const own = values.size === 0 ? member(fields, name) : undefined
  if (own !== undefined) values.add(filterText(own))
  return values
}

function member(of: any, name: string): unknown {
  return typeof of === 'object' && of !== null && Object.hasOwn(of as object, name) ? of[name] : undefined
}
