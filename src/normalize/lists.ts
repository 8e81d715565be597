import { append } from '../schema/Collection.ts'
import { isOlder } from '../schema/Entity.ts'
import type { Meta } from '../schema/Schema.ts'
import type { ListEntry, ListPage, ListState } from './ListState.ts'
import { contains, isPlain, itemKey, passOver, place, placeAll, plainRun, size, takeOut, unique } from './listItems.ts'
import { compactableCount } from './log.ts'
import { remainingPages } from './remainingPages.ts'

/** The items of a list: its base, its pages, appended items, and later changes of membership. */
export function content(list: ListState, unchanged: any = baseContent(list)): any {
  const entries = list.log.filter((entry) => !isInBase(list, entry))
  return placeAll(unchanged, list.pages?.length ? entries.map((entry) => guarded(list, entry)) : entries)
}

/** How many items a list has gained by the changes that are newer than a response. */
export function gained(list: ListState, meta: Meta): number {
  const before = { ...list, log: list.log.filter((entry) => !isOlder(meta, entry.meta)) }
  return size(content(list)) - size(content(before))
}

/** True where the newest response already has a change: the log keeps it only for writes that have to yield to it. */
export function isInBase({ baseMeta }: ListState, { meta }: ListEntry): boolean {
  return meta.order < baseMeta.order && !isOlder(baseMeta, meta)
}

/** The list without the changes that are still in its log. Of an item that stands in it twice the first stays. */
function baseContent(list: ListState): any {
  const { base, pages, tail } = list
  if (!pages?.length && !tail?.length) {
    return base
  }
  const parts = partsOf(list)
  return Array.isArray(base) ? unique(parts.flat()) : Object.assign({}, ...parts.reverse())
}

/** The items of a list in the order they are shown: pages before the base, the base, further pages, what was appended. */
function partsOf({ base, pages = [], tail = [] }: ListState): any[] {
  const parts = pages.map(({ items }): unknown => items)
  parts.splice(pages.filter(({ isBefore }) => isBefore).length, 0, base)
  return [...parts, tail]
}

function withParts(list: ListState, parts: readonly any[]): ListState {
  const { pages = [] } = list
  const at = pages.filter(({ isBefore }) => isBefore).length
  const filled = (page: ListPage, i: number): ListPage => ({ ...page, items: parts[i < at ? i : i + 1] as unknown })
  return {
    ...list,
    base: parts[at] as unknown,
    pages: pages.length > 0 ? pages.map(filled) : list.pages,
    tail: parts.at(-1) as unknown[],
  }
}

/** A removal does not touch what a newer response of a page has brought again. */
function guarded({ pages = [] }: ListState, entry: ListEntry): ListEntry {
  const newer = entry.merge ? [] : pages.filter(({ meta }) => isOlder(entry.meta, meta))
  if (newer.length === 0) {
    return entry
  }
  const kept = new Set(newer.flatMap(({ items }) => Object.values(items as object)).map(itemKey))
  return { ...entry, items: Object.values(entry.items as object).filter((item) => !kept.has(itemKey(item))) }
}

/** Folds a run of changes into the parts of a list; `undefined` where a merge of the app's own would have to see all of them. */
function absorb(list: ListState, run: readonly ListEntry[]): ListState | undefined {
  const entries = run.filter((entry) => !isInBase(list, entry))
  if (entries.length === 0) {
    return list
  }
  if (Array.isArray(list.base) && entries.every(isPlain)) {
    const open = list.pages?.length ? entries.map((entry) => guarded(list, entry)) : entries
    return withParts(list, passOver(partsOf(list), open))
  }
  const [entry] = entries as [ListEntry]
  if (!entry.merge) {
    const { items } = guarded(list, entry)
    return withParts(
      list,
      partsOf(list).map((part) => takeOut(part, items)),
    )
  }
  if (!Array.isArray(list.base)) {
    return { ...list, base: place(list.base, entry) as unknown }
  }
  return list.pages?.length ? undefined : { ...list, base: place(baseContent(list), entry) as unknown, tail: [] }
}

/** A list whose parts lack some items. */
export function withoutItems(list: ListState, isOver: (item: unknown) => boolean): ListState {
  const without = (part: object): unknown => takeOut(part, Object.values(part).filter(isOver))
  return withParts(list, partsOf(list).map(without))
}

/** The state of a list without a history, from the names of its table and row. */
export function listOf(table: string, pk: string, value: unknown, meta: Meta): Omit<ListState, 'pages'> | undefined {
  const isMap = table.startsWith('{')
  if ((!isMap && !table.startsWith('[')) || typeof value !== 'object' || value === null) {
    return undefined
  }
  const start = pk.indexOf('{')
  try {
    const keyArgs = JSON.parse(pk.slice(start)) as Record<string, any>
    const name = start > 0 ? pk.slice(0, start - 1) : undefined
    return { keyArgs, name, isMap, path: undefined, base: value, baseMeta: meta, compacted: 0, log: [], keys: [] }
  } catch {
    return undefined
  }
}

/**
 * Combines a whole response with the changes of membership and the pages of a list. `stale`: some changes are later than
 * the request, and the response lacks them.
 */
export function replaceBase(
  changes: readonly ListEntry[],
  fresh: Omit<ListState, 'log' | 'baseMeta' | 'compacted'>,
  meta: Meta,
  horizon: number = Number.POSITIVE_INFINITY,
  old?: ListState,
  pagesAfter: (old: ListState) => Partial<ListState> = (before) => remainingPages(before, fresh.base, fresh.isEnd),
): { list: ListState; value: unknown; stale: boolean } {
  // A change that the response contains is kept while an earlier write may have to yield to it, or a page may lack it.
  const log = changes.filter((entry) => isOlder(meta, entry.meta) || horizon < entry.meta.order)
  let before = old
  for (const entry of old?.pages?.length ? changes : []) {
    if (!isOlder(meta, entry.meta)) {
      before = absorb(before!, [entry]) ?? before
    }
  }
  const list: ListState = {
    ...fresh,
    baseMeta: meta,
    compacted: 0,
    log,
    // All lists have one shape: it makes copies cheap.
    pages: undefined,
    tail: undefined,
    ...(before && pagesAfter(before)),
  }
  const unchanged: unknown = baseContent(list)
  const value: unknown = content(list, unchanged)
  return { list, value, stale: value !== unchanged }
}

/**
 * Applies one change of membership to the stored list. A change that no pending request can overtake is folded at once.
 * Of two changes of one item the one sent later wins, whatever the order of the responses; `stale`: they crossed and
 * differ.
 */
export function changeList(
  state: ListState,
  value: unknown,
  given: ListEntry,
  horizon: number,
): { list: ListState; value: unknown; stale: boolean } {
  const [entry = given] = undecided([given], state.log)
  const next: unknown = place(value, entry)
  const { log, pages, tail } = state
  const { order } = entry.meta
  // Of a list in one part the value is the base: it need not be put together again.
  const isOnePart = log.length === 0 && order < horizon && !pages?.length && !tail?.length && entry.merge !== append
  const list = isOnePart
    ? { ...state, base: next, compacted: order }
    : compactList({ ...state, log: [...log, entry] }, horizon)
  // An echo says what is shown already.
  const differs = (item: unknown): boolean => contains(next, item) !== (given.merge !== undefined)
  return { list, value: next, stale: entry !== given && Object.values(given.items as object).some(differs) }
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
export function compactList(state: ListState, horizon: number): ListState {
  const due = state.log.slice(0, compactableCount(state.log, horizon))
  let list = state
  let end = 0
  while (end < due.length) {
    const run = Math.max(1, Array.isArray(list.base) ? plainRun(due, end) : 0)
    const next = absorb(list, due.slice(end, end + run))
    if (!next) {
      break
    }
    list = next
    end += run
  }
  const compacted = Math.max(state.compacted, ...due.slice(0, end).map(({ meta }) => meta.order))
  return end === 0 ? state : { ...list, compacted, log: state.log.slice(end) }
}
