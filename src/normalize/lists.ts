import { append, unshift } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import type { Meta } from '../schema/Schema.ts'
import type { ListEntry, ListPage, ListState } from './ListState.ts'
import { contains, itemKey, passOver, place, placeAll, plainRun, size, takeOut, unique } from './listItems.ts'
import { remainingPages } from './remainingPages.ts'

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
  left: (old: ListState) => Partial<ListState> = (before) => remainingPages(before, fresh.base, fresh.isEnd),
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
