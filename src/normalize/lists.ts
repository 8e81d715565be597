import { isObject, put, share } from '../base/equal.ts'
import { append, unshift } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import type { ListChange, Meta } from '../schema/Schema.ts'
import { member } from './fit.ts'
import { filterText, LEFTOVER, type ListEntry, type ListPage, type ListState, type Slot, type Table } from './tables.ts'

/** What a list shows: its base, its pages, what was appended, and what joined or left since. */
export function content(list: ListState, unchanged: any = answered(list)): any {
  const entries = list.log.filter((entry) => !entry.past)
  return placeAll(unchanged, list.pages?.length ? entries.map((entry) => guarded(list, entry)) : entries)
}

/** How many items a list has gained by the changes that are newer than an answer. */
export function gained(list: ListState, meta: Meta): number {
  const before = { ...list, log: list.log.filter((entry) => !isOlder(meta, entry.meta)) }
  return size(content(list)) - size(content(before))
}

/** How many items a list, or a map, holds. */
export function size(list: any): number {
  return Array.isArray(list) ? list.length : Object.keys(list as object).length
}

/** The list without the changes that are still remembered. Of an item that stands in it twice the first stays. */
function answered({ base, pages = [], tail = [] }: ListState): any {
  const before = pages.filter(({ isBefore }) => isBefore).length
  const parts = pages.map(({ items }): unknown => items)
  parts.splice(before, 0, base)
  parts.push(tail)
  if (pages.length + tail.length === 0) {
    return base
  }
  return Array.isArray(base) ? unique(parts.flat()) : Object.assign({}, ...parts.reverse())
}

/** A removal does not touch what a newer answer of a page has brought again. */
function guarded({ pages = [] }: ListState, entry: ListEntry): ListEntry {
  const newer = entry.merge ? [] : pages.filter(({ meta }) => isOlder(entry.meta, meta))
  if (newer.length === 0) {
    return entry
  }
  const kept = new Set(newer.flatMap(({ items }) => Object.values(items as object)).map(itemKey))
  return { ...entry, items: Object.values(entry.items as object).filter((item) => !kept.has(itemKey(item))) }
}

/** Folds a change into the parts of a list; `undefined` where a merge of the user's would have to see all of them. */
function absorb(list: ListState, entry: ListEntry): ListState | undefined {
  const { base, pages = [], tail = [] } = list
  const { items, merge, meta, past } = entry
  if (past) {
    return list
  }
  const without = (part: unknown): any => takeOut(part, items)
  if (!merge) {
    const left = (page: ListPage): ListPage =>
      isOlder(meta, page.meta) ? page : { ...page, items: without(page.items) as unknown }
    return { ...list, base: without(base) as unknown, tail: without(tail) as unknown[], pages: pages.map(left) }
  }
  if (!Array.isArray(base)) {
    return { ...list, base: place(base, entry) as unknown }
  }
  if (merge === unshift && !pages[0]?.isBefore) {
    return { ...list, base: place(base, entry) as unknown, tail: without(tail) as unknown[] }
  }
  const whole: unknown[] = answered(list)
  if (merge === append) {
    return { ...list, tail: [...tail, ...(place(whole, entry) as unknown[]).slice(whole.length)] }
  }
  return pages.length > 0 ? undefined : { ...list, base: place(whole, entry) as unknown, tail: [] }
}

/** What one change of membership makes of a list; the list itself when nothing changes. No item stands in it twice. */
export function place(existing: any, entry: Placement): any {
  return placeAll(existing, [entry])
}

type Placement = Pick<ListEntry, 'items' | 'merge'>

/** The same for several, one after another. However many they are, they cost one pass over the list. */
export function placeAll(existing: any, entries: readonly Placement[]): any {
  let value = existing
  for (let i = 0; i < entries.length;) {
    const { items, merge } = entries[i]!
    const run = Array.isArray(value) ? plainRun(entries, i) : 0
    if (run > 0) {
      const [next] = passOver([value], entries.slice(i, i + run))
      // An item that left and came back may keep its place.
      value = keep(value, next)
      i += run
      continue
    }
    value =
      merge === undefined
        ? takeOut(value, items)
        : Array.isArray(value)
          ? share(value, unique(merge(value, items) as unknown[]))
          : placeEntries(value as object, items, merge)
    i++
  }
  return value
}

/** The old list where the new one is equal. Unlike `share` it ends at the first difference, since items are small. */
export function keep(old: unknown, next: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(next)) {
    return share(old, next)
  }
  return old.length === next.length && next.every((item, i) => itemKey(item) === itemKey(old[i])) ? old : next
}

/** How many of the changes, from one on, need not see the whole list. */
function plainRun(entries: readonly Placement[], from: number): number {
  let end = from
  while (end < entries.length && isPlain(entries[end]!)) {
    end++
  }
  return end - from
}

/** True for a change that appends, prepends or removes. */
export function isPlain({ merge }: Placement): boolean {
  return merge === append || merge === unshift || merge === undefined
}

/** Up to so many items are looked for one by one, which for primary keys is faster than visiting the list. */
const FEW = 4

/**
 * Appends, prepends and removes items, in that part of a list where each belongs: the first takes what is prepended,
 * the last what is appended. Only the items that the changes name are looked at one by one.
 */
function passOver(parts: readonly (readonly unknown[])[], entries: readonly Placement[]): (readonly unknown[])[] {
  const named = new Map<unknown, unknown>()
  for (const { items } of entries) {
    for (const item of Object.values(items as object)) {
      named.set(itemKey(item), item)
    }
  }
  const present = findAll(parts, named)
  const gone = new Set<unknown>()
  /** The last one in it stands first. */
  const front = new Map<unknown, unknown>()
  const back = new Map<unknown, unknown>()
  for (const { items, merge } of entries) {
    const values = Object.values(items as object)
    for (const item of merge === unshift ? values.reverse() : values) {
      const key = itemKey(item)
      if (merge === append) {
        if (!present.has(key) && !front.has(key) && !back.has(key)) {
          back.set(key, item)
        }
        continue
      }
      front.delete(key)
      back.delete(key)
      if (present.delete(key)) {
        gone.add(key)
      }
      if (merge === unshift) {
        front.set(key, item)
      }
    }
  }
  const last = parts.length - 1
  return parts.map((part, i) => {
    const kept = gone.size === 0 ? part : part.filter((item) => !gone.has(itemKey(item)))
    const before = i === 0 ? [...front.values()].reverse() : []
    const after = i === last ? [...back.values()] : []
    return before.length + after.length > 0 ? before.concat(kept, after) : kept.length < part.length ? kept : part
  })
}

/** The keys of those items that a list holds. */
function findAll(parts: readonly (readonly unknown[])[], named: ReadonlyMap<unknown, unknown>): Set<unknown> {
  const found = new Set<unknown>()
  if (named.size <= FEW) {
    for (const [key, item] of named) {
      if (parts.some((part) => holds(part, item))) {
        found.add(key)
      }
    }
    return found
  }
  for (const part of parts) {
    for (const item of part) {
      const key = itemKey(item)
      if (named.has(key)) {
        found.add(key)
      }
    }
  }
  return found
}

function placeEntries(existing: object, items: any, merge: NonNullable<ListEntry['merge']>): unknown {
  if (!Array.isArray(items)) {
    return share(existing, merge(existing, items))
  }
  const entries: Record<string, unknown> = {}
  for (const item of items) {
    const pk: unknown = typeof item === 'object' ? (item as { id: unknown } | null)?.id : item
    if (typeof pk === 'string') {
      put(entries, pk, item)
    }
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

/** A list with pages whose parts lack some items. */
export function withoutItems(list: ListState, isOver: (item: unknown) => boolean): ListState {
  const { base, pages, tail } = list
  if (!pages?.length) {
    return list
  }
  const left = (part: unknown): any => takeOut(part, Object.values(part as object).filter(isOver))
  const shorter = (page: ListPage): ListPage => ({ ...page, items: left(page.items) as unknown })
  return {
    ...list,
    base: left(base) as unknown,
    pages: pages.map(shorter),
    tail: tail && (left(tail) as unknown[]),
  }
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
    if (met.size > size) {
      out.push(item)
    }
  }
  return out.length === items.length ? (items as unknown[]) : out
}

/** True where a list, or a map, holds an item. */
export function contains(list: unknown, item: unknown): boolean {
  return isObject(list) && holds(Array.isArray(list) ? list : Object.values(list), item)
}

function holds(list: readonly unknown[], item: unknown): boolean {
  if (typeof item === 'string') {
    return list.includes(item)
  }
  const key = itemKey(item)
  return list.some((other) => itemKey(other) === key)
}

/** What a list without a history knows, told by the names of its table and row. */
export function listOf(table: string, pk: string, value: unknown, meta: Meta): Omit<ListState, 'pages'> | undefined {
  const isMap = table.startsWith('{')
  if ((!isMap && !table.startsWith('[')) || typeof value !== 'object' || value === null) {
    return undefined
  }
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
  if (typeof item !== 'object' || item === null) {
    return item
  }
  const { schema, id } = item as { schema: unknown; id: unknown }
  return typeof schema === 'string' && typeof id === 'string' ? `${schema}\0${id}` : item
}

/**
 * A whole answer meets what joined or left the list, and of a paged one the pages. `stale` says that some of it came
 * after the answer was sent, and that the answer lacks it.
 */
export function replaceList(
  changes: readonly ListEntry[],
  fresh: Omit<ListState, 'log' | 'baseMeta' | 'folded'>,
  meta: Meta,
  horizon: number = Number.POSITIVE_INFINITY,
  old?: ListState,
  left: (old: ListState) => Partial<ListState> = (before) => leftOf(before, fresh.base, fresh.isEnd),
): { list: ListState; value: unknown; stale: boolean } {
  const log: ListEntry[] = []
  let before = old
  for (const entry of changes) {
    if (isOlder(meta, entry.meta)) {
      // The answer that held it is replaced by that of a write which was sent before it.
      log.push({ meta: entry.meta, items: entry.items, merge: entry.merge })
    } else {
      if (before?.pages?.length) {
        before = absorb(before, entry) ?? before
      }
      if (horizon < entry.meta.sent) {
        log.push({ ...entry, past: true })
      }
    }
  }
  const list: ListState = {
    ...fresh,
    baseMeta: meta,
    folded: 0,
    log,
    // All lists have one shape: it makes copies cheap.
    pages: undefined,
    tail: undefined,
    ...(before && left(before)),
  }
  const unchanged: unknown = answered(list)
  const value: unknown = content(list, unchanged)
  return { list, value, stale: value !== unchanged }
}

/**
 * The pages that remain after a new response of the list itself. Items of the old response that the new one does not reach
 * stand before all pages: which of them they belong to is not known.
 */
function leftOf(
  { base, baseMeta, pages: all = [], tail = [] }: ListState,
  answer: any,
  isEnd: boolean | undefined,
): Partial<ListState> {
  if (all.length === 0) {
    return {}
  }
  if (baseMeta.order < 0) {
    return { pages: all, tail }
  }
  const old = all.filter(({ isBefore }) => !isBefore)
  const fresh = new Set(keysOf(answer))
  // Without an item in common, something may be missing between them.
  const lacking =
    (keys: ReadonlySet<unknown>) =>
    (page: ListPage): ListPage => ({
      ...page,
      items: withoutKeys(page.items, keys) as unknown,
    })
  const isAdjacent = keysOf(base).some((key) => fresh.has(key))
  const before = isAdjacent ? all.filter(({ isBefore }) => isBefore).map(lacking(fresh)) : []
  if (isEnd) {
    return before.length > 0 ? { pages: before } : {}
  }
  // What was appended here says nothing of where the server has it.
  const covered = coveredBy([base, ...old.map(({ items }) => items)], answer)
  if (covered.size === 0) {
    return before.length > 0 ? { pages: before } : {}
  }
  const pages = old.map(lacking(covered))
  const at = pages.findIndex(({ id }) => id === LEFTOVER)
  const [older] = at < 0 ? [] : pages.splice(at, 1)
  const own: unknown = withoutKeys(base, covered)
  const items = older && at === 0 ? join(own, older.items) : own
  // Behind other pages it does not stand together with what is left now.
  if (older && at > 0) {
    pages[at - 1] = { ...pages[at - 1]!, items: join(pages[at - 1]!.items, older.items) }
  }
  const leftover: ListPage[] = size(items) > 0 ? [{ id: LEFTOVER, at: -1, meta: baseMeta, items }] : []
  return { pages: [...before, ...leftover, ...pages], tail: takeOut(tail, answer) as unknown[] }
}

function join(a: any, b: any): unknown {
  return Array.isArray(a) ? [...a, ...b] : { ...b, ...a }
}

/**
 * The items of a response, and those that stand before the last of them in the parts of an older list: the response tells
 * which of these are still there. Empty where they share no item.
 */
export function coveredBy(parts: readonly any[], answer: any): ReadonlySet<unknown> {
  const known = new Set(parts.flatMap(keysOf))
  const fresh = keysOf(answer)
  const last = [...fresh].reverse().find((key) => known.has(key))
  if (last === undefined) {
    return new Set()
  }
  const old = [...known]
  return new Set([...old.slice(0, old.indexOf(last) + 1), ...fresh])
}

/** By what the items of a list are told apart; in a map by their names. */
export function keysOf(part: any): unknown[] {
  return Array.isArray(part) ? part.map(itemKey) : Object.keys(part as object)
}

/** A part of a list without some of its items. */
export function withoutKeys(part: any, keys: ReadonlySet<unknown>): any {
  return Array.isArray(part)
    ? part.filter((item) => !keys.has(itemKey(item)))
    : Object.fromEntries(Object.entries(part as object).filter(([name]) => !keys.has(name)))
}

/**
 * One change of membership meets the stored list. What no open request can overtake is folded at once. Of two changes
 * about one item the one sent later has the last word, whatever the order of answers; `stale` says that they crossed and
 * differ.
 */
export function changeList(
  state: ListState,
  value: unknown,
  given: ListEntry,
  horizon: number,
): { list: ListState; value: unknown; stale: boolean } {
  const [entry = given] = undecided([given], state.log)
  const { items } = entry
  const next: unknown = place(value, entry)
  const { order } = entry.meta
  const { tail = [], pages = [] } = state
  const whole = state.log.length === 0 && order < horizon
  // What is there now is the whole list: it need not be put together again.
  const list =
    whole && entry.merge === append && Array.isArray(value)
      ? { ...state, tail: [...tail, ...(next as unknown[]).slice(value.length)], folded: order }
      : whole && tail.length + pages.length === 0
        ? { ...state, base: next, folded: order }
        : whole && entry.merge === undefined && pages.length === 0
          ? { ...state, base: takeOut(state.base, items), tail: takeOut(tail, items) as unknown[], folded: order }
          : compact({ ...state, log: [...state.log, entry] }, horizon)
  // An echo says what is shown already.
  const inDoubt = (item: unknown): boolean => contains(next, item) !== (given.merge !== undefined)
  return { list, value: next, stale: entry !== given && Object.values(given.items as object).some(inDoubt) }
}

/** Changes without the items that others, sent later and committed already, have decided on. */
export function undecided(entries: readonly ListEntry[], log: readonly ListEntry[]): readonly ListEntry[] {
  const first = Math.min(...entries.map(({ meta }) => meta.sent))
  const later = log.filter(({ meta }) => meta.sent > first)
  if (later.length === 0) {
    return entries
  }
  /** When the last change of an item was sent, and in a map that of a name. */
  const items = new Map<unknown, number>()
  const names = new Map<string, number>()
  for (const { items: others, meta } of later) {
    for (const [name, item] of Object.entries(others as object)) {
      raiseTo(items, itemKey(item), meta.sent)
      if (!Array.isArray(others)) {
        raiseTo(names, name, meta.sent)
      }
    }
  }
  return entries.map((entry) => {
    const { items: given, meta } = entry
    const isOpen = ([name, item]: [string, unknown]): boolean =>
      !((Array.isArray(given) ? items.get(itemKey(item)) : names.get(name))! > meta.sent)
    const all = Object.entries(given as object)
    const left = all.filter(isOpen)
    if (left.length === all.length) {
      return entry
    }
    return {
      ...entry,
      items: Array.isArray(given) ? left.map(([, item]) => item as unknown) : Object.fromEntries(left),
    }
  })
}

function raiseTo<K>(most: Map<K, number>, key: K, value: number): void {
  most.set(key, Math.max(most.get(key) ?? 0, value))
}

/** Folds the changes that are older than every open request into the list. */
export function compact(state: ListState, horizon: number): ListState {
  const first = state.log.findIndex(({ meta }) => meta.order >= horizon)
  const due = first < 0 ? state.log : state.log.slice(0, first)
  let list = state
  let end = 0
  while (end < due.length) {
    const run = Math.max(1, isOnePart(list) ? plainRun(due, end) : 0)
    const entries = due.slice(end, end + run)
    const next = run > 1 ? absorbAll(list, entries) : absorb(list, entries[0]!)
    if (!next) {
      break
    }
    list = { ...next, folded: Math.max(list.folded, ...entries.map(({ meta }) => meta.order)) }
    end += run
  }
  return end === 0 ? state : { ...list, log: state.log.slice(end) }
}

/** True for an array without further pages. */
function isOnePart({ base, pages }: ListState): boolean {
  return Array.isArray(base) && !pages?.length
}

function absorbAll(list: ListState, entries: readonly ListEntry[]): ListState {
  const [base, tail] = passOver(
    [list.base as unknown[], list.tail ?? []],
    entries.filter(({ past }) => !past),
  )
  return { ...list, base, tail }
}

/** What joined or left a list before there was one: the changes whose requests it may have crossed. */
export function recall({ recent }: Table, name: string | undefined, at: Record<string, any>): ListEntry[] {
  return recent.flatMap(({ meta, merge, isMap, members, ...of }) => {
    if (of.name !== name) {
      return []
    }
    const joins: unknown[] = []
    const leaves: unknown[] = []
    for (const { entry, into, outOf } of members) {
      const joined = into?.(at) ?? false
      const left = outOf?.(at) ?? false
      if (joined && !left) {
        joins.push(entry)
      }
      if (left && !joined) {
        leaves.push(itemOf(entry))
      }
    }
    const entries: ListEntry[] = []
    if (leaves.length > 0) {
      entries.push({ meta, items: leaves, merge: undefined })
    }
    if (joins.length > 0) {
      entries.push({ meta, items: joining(joins, isMap), merge })
    }
    return entries
  })
}

/** What is placed in a list: the items, or in a map the named entries. */
export function joining(entries: readonly any[], isMap: boolean): unknown {
  if (!isMap || !Array.isArray(entries[0])) {
    return entries
  }
  const out = {}
  for (const [name, item] of entries as [string, unknown][]) {
    put(out, name, item)
  }
  return out
}

/** The item of an entry, which in a map has a name. */
export function itemOf(entry: any): unknown {
  return Array.isArray(entry) ? entry[1] : entry
}

/** By which arguments and fields lists are matched, and the test that their key objects have to pass. */
export interface End {
  readonly args: readonly any[]
  readonly fields?: any
  readonly matches: (at: Record<string, any>) => boolean
}

/** For each end the stored lists that an item belongs to by it. */
export function matchingLists(
  table: Table,
  { collection, filter }: ListChange,
  ends: readonly End[],
): ReadonlySet<Slot>[] {
  const test = (slot: Slot, { matches }: End, found: Set<Slot>): void => {
    if (slot.list !== undefined && slot.list.name === collection.name && matches(slot.list.at)) {
      found.add(slot)
    }
  }
  const all = ends.map(() => new Set<Slot>())
  if (filter !== undefined || collection.ownFilter) {
    for (const slot of table.rows) {
      for (let i = 0; i < ends.length; i++) {
        test(slot, ends[i]!, all[i]!)
      }
    }
    return all
  }
  for (const [i, end] of ends.entries()) {
    const found = all[i]!
    for (const slot of table.unfiltered) {
      test(slot, end, found)
    }
    for (const [name, values] of table.filtered) {
      if (collection.isNonFilter(name)) {
        for (const slots of values.values()) {
          for (const slot of slots) {
            test(slot, end, found)
          }
        }
        continue
      }
      for (const value of possible(end.args, end.fields, name)) {
        for (const slot of values.get(value) ?? []) {
          test(slot, end, found)
        }
      }
    }
  }
  return all
}

/** Whether an item belongs to a list, told by the key object of the list. */
export function listTest(
  { collection, filter }: ListChange,
  args: readonly any[],
  fields: any,
): (at: Record<string, any>) => boolean {
  const known = fields === undefined ? args : [...args, fields]
  if (filter !== undefined) {
    return filter(...known)
  }
  if (collection.ownFilter) {
    return collection.createCollectionFilter(...known)
  }
  return (at) =>
    Object.keys(at).every(
      (name) => collection.isNonFilter(name) || possible(args, fields, name).includes(filterText(at[name])),
    )
}

/** The values by which an item may match an argument: those of the two arguments, else that of its own field. */
function possible(args: readonly any[], fields: any, name: string): string[] {
  const values: string[] = []
  for (const given of [member(args[0], name), member(args[1], name)]) {
    const text = given === undefined ? undefined : filterText(given)
    if (text !== undefined && text !== values[0]) {
      values.push(text)
    }
  }
  const own = values.length === 0 ? member(fields, name) : undefined
  return own === undefined ? values : [filterText(own)]
}
