import { isObject, put, share } from '../base/equal.ts'
import { append, unshift } from '../schema/Collection.ts'
import type { ListEntry } from './ListState.ts'

/** The items of a list, or of a map. */
export function allItems(list: any): readonly unknown[] {
  return Array.isArray(list) ? list : Object.values(list as object)
}

/** How many items a list, or a map, holds. */
export function size(list: any): number {
  return allItems(list).length
}

type Placement = Pick<ListEntry, 'items' | 'merge'>

/** Applies one change of membership to a list. Returns the list itself when nothing changes. No item stands in it twice. */
export function place(existing: any, entry: Placement): any {
  return placeAll(existing, [entry])
}

/** The same for several, one after another. However many they are, they cost one pass over the list. */
export function placeAll(existing: any, entries: readonly Placement[]): any {
  return runsOf(existing, entries).reduce(placeRun, existing)
}

function placeRun(list: any, run: readonly Placement[]): unknown {
  const { items, merge } = run[0]!
  if (!Array.isArray(list)) {
    return merge ? placeEntries(list as object, items, merge) : takeOut(list, items)
  }
  // An item that left and came back may keep its place.
  return isPlain(run[0]!)
    ? keepEqual(list, passOver([list], run)[0])
    : share(list, unique(merge!(list, items) as unknown[]))
}

/** The old list where the new one is equal. Unlike `share` it ends at the first difference, since items are small. */
export function keepEqual(old: unknown, next: unknown): unknown {
  if (!Array.isArray(old) || !Array.isArray(next)) {
    return share(old, next)
  }
  return old.length === next.length && next.every((item, i) => itemKey(item) === itemKey(old[i])) ? old : next
}

/**
 * Changes in groups that are applied to a list together: of an array as many as `passOver` can take at once, any other change
 * alone.
 */
export function runsOf<E extends Placement>(list: unknown, entries: readonly E[]): E[][] {
  const runs: E[][] = []
  let isOpen = false
  for (const entry of entries) {
    const isJoined = Array.isArray(list) && isPlain(entry)
    if (isJoined && isOpen) {
      runs.at(-1)!.push(entry)
    } else {
      runs.push([entry])
    }
    isOpen = isJoined
  }
  return runs
}

/** True for a change that appends, prepends or removes. */
export function isPlain({ merge }: Placement): boolean {
  return merge === append || merge === unshift || merge === undefined
}

/** Up to so many items are looked for one by one, which for primary keys is faster than visiting the list. */
const FEW = 4

/**
 * Does in one pass over a list what `append`, `unshift` and `takeOut` would do entry by entry. The list may be in parts, as
 * its pages are: an item leaves the part that it stands in, the first part takes what is prepended, the last what is appended.
 *
 * Example: in `[a b] [c]`, append `d`, remove `a` and prepend `c` to get `[c b] [d]`.
 */
export function passOver(
  parts: readonly (readonly unknown[])[],
  entries: readonly Placement[],
): (readonly unknown[])[] {
  const present = findNamed(parts, entries)
  const gone = new Set<unknown>()
  /** The last one in it stands first. */
  const front = new Map<unknown, unknown>()
  const back = new Map<unknown, unknown>()
  for (const { items, merge } of entries) {
    const all = allItems(items)
    for (const item of merge === unshift ? [...all].reverse() : all) {
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

/** Of the items that the changes name, the keys of those that a list holds. */
function findNamed(parts: readonly (readonly unknown[])[], entries: readonly Placement[]): Set<unknown> {
  const named = new Map<unknown, unknown>()
  for (const { items } of entries) {
    for (const item of allItems(items)) {
      named.set(itemKey(item), item)
    }
  }
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

/** A list, or a map, without some items. */
export function takeOut(existing: any, items: any): any {
  const gone = new Set(allItems(items).map(itemKey))
  return keepItems(existing, (item) => !gone.has(itemKey(item)))
}

/** A list, or a map, with only some of its items; the list itself where that is all of them. */
export function keepItems(list: any, isKept: (item: unknown, name?: string) => boolean): any {
  if (Array.isArray(list)) {
    const left = list.filter((item) => isKept(item))
    return left.length === list.length ? list : left
  }
  const entries = Object.entries(list as object)
  const left = entries.filter(([name, item]) => isKept(item, name))
  return left.length === entries.length ? list : Object.fromEntries(left)
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
  return isObject(list) && holds(allItems(list), item)
}

function holds(list: readonly unknown[], item: unknown): boolean {
  if (typeof item === 'string') {
    return list.includes(item)
  }
  const key = itemKey(item)
  return list.some((other) => itemKey(other) === key)
}

/** The identity of an item: the pk, and for a union the member too. An item that no member recognised is only itself. */
export function itemKey(item: any): unknown {
  if (typeof item !== 'object' || item === null) {
    return item
  }
  const { schema, id } = item as { schema: unknown; id: unknown }
  return typeof schema === 'string' && typeof id === 'string' ? `${schema}\0${id}` : item
}

/** By what the items of a list are told apart; in a map by their names. */
export function keysOf(part: any): unknown[] {
  return Array.isArray(part) ? part.map(itemKey) : Object.keys(part as object)
}

/** A part of a list without the items of some keys. */
export function withoutKeys(part: any, keys: ReadonlySet<unknown>): any {
  return keepItems(part, (item, name) => !keys.has(name ?? itemKey(item)))
}

/** Two parts of a list together; in a map the first wins. */
export function joinParts(a: any, b: any): unknown {
  return Array.isArray(a) ? [...a, ...b] : { ...b, ...a }
}

/** The items to place in a list, or in a map the named entries. */
export function itemsToPlace(entries: readonly any[], isMap: boolean): unknown {
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
