import { isObject } from '../base/equal.ts'
import { append } from '../schema/Collection.ts'
import { isOlder, type Meta } from '../schema/Schema.ts'
import { type ListEntry, type ListPage, type ListState, type ListUpdate, sidesOf } from './ListState.ts'
import {
  allItems,
  contains,
  isPlain,
  itemKey,
  keepItems,
  passOver,
  place,
  placeAll,
  runsOf,
  size,
  takeOut,
  unique,
} from './listItems.ts'
import { compactableCount } from './log.ts'

/** The items of a list: its base, its pages, appended items, and later changes of membership. */
export function content(list: ListState, folded: any = foldedContent(list)): any {
  const entries = list.log.filter((entry) => !isInBase(list, entry))
  return placeAll(folded, sparingPages(list, entries))
}

/** How many items a list has gained by the changes that are newer than a response. */
export function gained(list: ListState, meta: Meta): number {
  const before = { ...list, log: list.log.filter((entry) => !isOlder(meta, entry.meta)) }
  return size(content(list)) - size(content(before))
}

/**
 * True where the base already has a change: the log keeps it only for writes that have to yield to it. The base has the
 * changes that rank before it. If it is itself the response of a write, it lacks those that were sent later.
 *
 * Example: a POST that returns the whole list is sent (1), an append is sent (2) and committed (3), the POST is committed (4).
 * The list is that of the POST, and the append.
 */
export function isInBase({ baseMeta }: ListState, { meta }: ListEntry): boolean {
  return meta.order < baseMeta.order && !isOlder(baseMeta, meta)
}

/** The list without the changes that are still in its log. Of an item that stands in it twice the first stays. */
export function foldedContent(list: ListState): any {
  const { base, pages, tail } = list
  if (!pages?.length && !tail?.length) {
    return base
  }
  const parts = partsOf(list)
  return Array.isArray(base) ? unique(parts.flat()) : Object.assign({}, ...parts.reverse())
}

/** The items of a list in the order they are shown: pages before the base, the base, further pages, what was appended. */
function partsOf({ base, pages, tail = [] }: ListState): any[] {
  const { before, after } = sidesOf(pages)
  const itemsIn = ({ items }: ListPage): unknown => items
  return [...before.map(itemsIn), base, ...after.map(itemsIn), tail]
}

/** A list whose parts have changed. */
function changeParts(list: ListState, change: (parts: any[]) => readonly any[]): ListState {
  const parts = [...change(partsOf(list))]
  const [base] = parts.splice(sidesOf(list.pages).before.length, 1) as unknown[]
  const tail = parts.pop() as unknown[]
  return { ...list, base, tail, pages: list.pages?.map((page, i) => ({ ...page, items: parts[i] as unknown })) }
}

/** Removals do not touch items that a newer response of a page has brought again. */
function sparingPages({ pages = [] }: ListState, entries: readonly ListEntry[]): readonly ListEntry[] {
  return pages.length === 0
    ? entries
    : entries.map((entry) => {
        const newer = entry.merge ? [] : pages.filter(({ meta }) => isOlder(entry.meta, meta))
        const brought = new Set(newer.flatMap(({ items }) => allItems(items)).map(itemKey))
        return brought.size === 0
          ? entry
          : { ...entry, items: allItems(entry.items).filter((item) => !brought.has(itemKey(item))) }
      })
}

/**
 * Folds changes, as `runsOf` has grouped them, into the parts of a list. `undefined` for a merge of the app's own that
 * would have to see all pages as one list.
 */
export function foldIn(list: ListState, run: readonly ListEntry[]): ListState | undefined {
  const entries = sparingPages(
    list,
    run.filter((entry) => !isInBase(list, entry)),
  )
  const [entry] = entries
  if (entry === undefined) {
    return list
  }
  if (!Array.isArray(list.base)) {
    return entry.merge
      ? { ...list, base: place(list.base, entry) as unknown }
      : changeParts(list, (parts) => parts.map((part): unknown => takeOut(part, entry.items)))
  }
  if (isPlain(entry)) {
    return changeParts(list, (parts) => passOver(parts, entries))
  }
  return list.pages?.length ? undefined : { ...list, base: place(foldedContent(list), entry) as unknown, tail: [] }
}

/** A list whose parts lack some items. */
export function withoutItems(list: ListState, isOver: (item: unknown) => boolean): ListState {
  return changeParts(list, (parts) => parts.map((part): unknown => keepItems(part, (item) => !isOver(item))))
}

/** The state of a list without a history, from the names of its table and row. */
export function listOf(table: string, pk: string, value: unknown, meta: Meta): Omit<ListState, 'pages'> | undefined {
  const isMap = table.startsWith('{')
  if ((isMap || table.startsWith('[')) && isObject(value)) {
    const start = pk.indexOf('{')
    const name = start > 0 ? pk.slice(0, start - 1) : undefined
    try {
      const keyArgs = JSON.parse(pk.slice(start)) as Record<string, any>
      return { keyArgs, name, isMap, path: undefined, base: value, baseMeta: meta, compacted: 0, log: [], keys: [] }
    } catch {
      // A key that is not JSON is no key of a list.
    }
  }
  return undefined
}

/**
 * Applies one change of membership to the stored list. A change that no open request can overtake is folded at once.
 * `stale`: it had to yield to a change that was sent later, and the two differ.
 */
export function changeList(state: ListState, value: unknown, given: ListEntry, horizon: number): ListUpdate {
  const [entry = given] = undecided([given], state.log)
  const hasYielded = entry !== given
  const next: unknown = place(value, entry)
  const { log, pages, tail } = state
  const { order } = entry.meta
  // Of a list in one part the value is the base: it need not be put together again.
  const isOnePart = log.length === 0 && order < horizon && !pages?.length && !tail?.length && entry.merge !== append
  const list = isOnePart
    ? { ...state, base: next, compacted: order }
    : compactList({ ...state, log: [...log, entry] }, horizon)
  // If the list is already as the change wants it, both changes say the same.
  const isWanted = given.merge !== undefined
  return {
    list,
    value: next,
    stale: hasYielded && allItems(given.items).some((item) => contains(next, item) !== isWanted),
  }
}

/**
 * Changes without the items that changes sent later, but committed first, have already decided on: of two changes of one item
 * the one sent later wins, whatever the order of the responses. A change that yields nothing stays the same object.
 *
 * Example: "add a and b" is sent (1), "remove a" is sent (2) and committed (3). When the first is committed (4), it adds only b.
 */
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
    const left: unknown = keepItems(
      given,
      (item, name) => !((name === undefined ? items.get(itemKey(item)) : names.get(name))! > meta.sent),
    )
    return left === given ? entry : { ...entry, items: left }
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
  for (const run of runsOf(state.base, due)) {
    const next = foldIn(list, run)
    if (!next) {
      break
    }
    list = next
    end += run.length
  }
  const compacted = Math.max(state.compacted, ...due.slice(0, end).map(({ meta }) => meta.order))
  return end === 0 ? state : { ...list, compacted, log: state.log.slice(end) }
}
